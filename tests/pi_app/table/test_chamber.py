"""The lit chamber at the table: its press throws once, for the throw it was armed for."""

from pi_app.model.events import ChamberLine, ChamberPress, ChamberRolled, Setup
from pi_app.table.wishes import wishes_of
from rules.game import Phase
from tests.pi_app.model.texts import recorded
from tests.pi_app.sitting import Sitting

NESTS = "N,N,N,N/-/N,N,N,N/-"
NO_DOME = Setup(dome=False)
ROLLS = Setup(dome=False, rolls=True)


def with_chamber(setup: Setup, *dice: tuple[int, ...]) -> Sitting:
    """Return a table with the lit chamber's line up, at which A is to throw."""
    table = Sitting(setup, dice)
    table.resume(NESTS, 0)
    table.tell(ChamberLine(up=True, t=table.t))
    return table


def press(table: Sitting, n: int, arm: int | None = None) -> None:
    """Press the lit dome under an arming; by default the one that is wished for now."""
    key = wishes_of(table.session).key if arm is None else arm
    table.tell(ChamberPress("b007", n, key, table.t))


def test_the_lit_dome_throws_and_shows_the_faces() -> None:
    table = with_chamber(NO_DOME, (5, 3))
    assert " ".join(table.table.words) == "press-the-dome"
    press(table, 7)
    assert [(str(row.entry), row.source) for row in table.rows] == [("throw 5 3", "simulated")]
    assert (table.game.phase, wishes_of(table.session).faces) == (Phase.MOVE, (5, 3))


def test_a_press_for_a_throw_that_is_over_does_nothing() -> None:
    table = with_chamber(NO_DOME, (6, 3), (2, 1))
    late = wishes_of(table.session).key
    press(table, 1)
    table.wait(1)
    table.ok(0)
    table.wait(1)
    press(table, 2, arm=late)
    assert (table.game.phase, table.game.seat) == (Phase.THROW, 2)


def test_a_throw_that_waits_after_undo_comes_again_under_the_new_press() -> None:
    table = with_chamber(NO_DOME, (6, 3), (4, 2))
    press(table, 1)
    table.wait(1)
    table.ok(0)
    table.wait(1)
    press(table, 2)
    table.wait(1)
    table.hold_next(0)
    table.ok(0)
    assert table.game.throw == (6, 3)
    table.ok(0)
    table.wait(1)
    press(table, 3)
    assert table.rows[-1] == recorded("throw 4 2", NESTS, "simulated", "b007", 3)


def test_without_the_line_the_player_holds_ok_to_throw() -> None:
    table = with_chamber(NO_DOME, (5, 3))
    table.tell(ChamberLine(up=False, t=table.t))
    assert " ".join(table.table.words) == "hold-to-throw"
    table.hold_ok(0)
    assert str(table.rows[-1].entry) == "throw 5 3"


def test_the_chamber_s_own_dice_count_only_where_it_rolls() -> None:
    for setup, actions in ((NO_DOME, []), (ROLLS, ["throw 4 4"])):
        table = with_chamber(setup)
        key = wishes_of(table.session).key
        table.tell(ChamberRolled("b007", 1, key, (4, 4), table.t))
        assert [str(row.entry) for row in table.rows] == actions
        assert all(row.source == "chamber" for row in table.rows)


def test_the_wrong_number_of_dice_does_not_count() -> None:
    table = with_chamber(ROLLS)
    table.tell(ChamberRolled("b007", 1, wishes_of(table.session).key, (4,), table.t))
    assert (table.rows, table.notice) == ([], "wrong-dice(count=2, thrown=1)")
