"""A button that is stuck is named on the screen, and nothing comes of it until it is let go."""

from pi_app.model.events import Button, Setup, Stuck
from pi_app.model.screens import message
from pi_app.runtime.debounce import STUCK_S
from pi_app.texts.words import button_name
from tests.pi_app.sitting import Sitting

NESTS = "N,N,N,N/-/N,N,N,N/-"


def stick(table: Sitting, button: Button) -> None:
    table.wait(STUCK_S)
    table.tell(Stuck(button, table.t))


def test_a_stuck_button_is_named_until_it_is_let_go() -> None:
    table = Sitting()
    table.resume(NESTS, 0)
    table.down(0, "ok")
    stick(table, Button(0, "ok"))
    assert table.notice == "is-stuck(seats-ok(A))"
    table.up(0, "ok")
    assert table.notice == ""


def test_the_release_of_another_button_leaves_the_notice() -> None:
    table = Sitting(Setup(next_buttons=()))
    table.resume(NESTS, 0)
    stick(table, Button(2, "ok"))
    table.next(0)
    assert table.session.notices == (
        ("ok.2", message("is-stuck", button=button_name(Button(2, "ok"), one_button=True))),
    )


def test_a_button_stuck_from_the_start_of_the_table_means_nothing_when_it_is_let_go() -> None:
    table = Sitting(dice=[(5, 3)])
    table.resume(NESTS, 0)
    stick(table, Button(0, "next"))
    table.up(0, "next")
    table.dome()
    assert [str(row.entry) for row in table.rows] == ["throw 5 3"]


def test_nothing_comes_of_a_stuck_button_after_it_is_named() -> None:
    table = Sitting(Setup(dome=False), dice=[(5, 3)])
    table.resume(NESTS, 0)
    table.tell(Stuck(Button(0, "ok"), table.t))
    table.wait(5)
    table.up(0, "ok")
    assert (table.rows, table.session.fingers.down) == ([], ())
    table.hold_ok(0)
    assert [str(row.entry) for row in table.rows] == ["throw 5 3"]


def test_a_seat_without_a_panel_has_no_stuck_button() -> None:
    table = Sitting(Setup(panels=(0, 2)))
    table.resume(NESTS, 0)
    stick(table, Button(1, "ok"))
    assert table.session.notices == ()
