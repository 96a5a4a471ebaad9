"""Whom a flat panel faces: the one seat that drives, and never while a finger is down."""

from pi_app.model.events import Setup
from tests.pi_app.sitting import Sitting

NESTS = "N,N,N,N/-/N,N,N,N/-"


def test_it_faces_the_seat_whose_turn_it_is() -> None:
    table = Sitting(dice=[(6, 3), (6, 3)])
    table.resume(NESTS, 0)
    assert table.session.facing == 0
    table.throw()
    assert table.session.facing == 0
    table.ok(0)
    assert table.session.facing == 2
    table.throw()
    table.ok(2)
    assert table.session.facing == 0


def test_it_turns_when_the_finger_that_brought_it_about_is_lifted() -> None:
    table = Sitting(dice=[(6, 3)])
    table.resume(NESTS, 0)
    table.throw()
    table.read(0)
    table.down(0, "ok")
    assert (table.game.seat, table.session.facing) == (2, 0)
    table.down(1, "next")
    table.up(0, "ok")
    assert table.session.facing == 0
    table.up(1, "next")
    assert table.session.facing == 2


def test_it_faces_who_has_the_menu_and_then_whose_turn_it_is() -> None:
    table = Sitting()
    table.resume(NESTS, 0)
    table.down(2, "next")
    table.wait(1.1)
    assert (table.page.title, table.session.facing) == ("C: menu", 0)
    table.up(2, "next")
    assert table.session.facing == 2
    table.hold_next(2)
    assert table.session.facing == 0


def test_where_all_may_press_it_stays_as_it_was() -> None:
    table = Sitting(Setup(panels=(0, 2), next_buttons=(0, 2)))
    table.ok(2)
    assert table.session.facing is None
    table.resume(NESTS, 2)
    table.choose(2, "game", "end")
    table.hold_ok(2)
    table.wait(5.0)
    assert table.session.facing == 2
