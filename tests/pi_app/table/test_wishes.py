"""What the lit chamber is told at each point of a game, and which of its presses count."""

from pi_app.model.events import ChamberLine, ChamberPress, ChamberRolled, Notice, Setup, Wishes
from pi_app.model.history import Row
from pi_app.model.screens import message
from pi_app.table.wishes import wishes_of
from rules.actions import Throw
from rules.ruleset import PRESETS
from tests.pi_app.model.texts import recorded
from tests.pi_app.sitting import Sitting

NESTS = "N,N,N,N/-/N,N,N,N/-"
LIT = Setup(dome=False)
ROLLS = Setup(dome=False, rolls=True)
BOOT = "b007b007"


def sitting(setup: Setup = LIT, dice: tuple[tuple[int, ...], ...] = ((5, 3), (2, 1))) -> Sitting:
    """A table with its chamber there, A to throw in the nests."""
    table = Sitting(setup, dice)
    table.tell(ChamberLine(True, 0.0))
    table.resume(NESTS, 0)
    return table


def wished(table: Sitting) -> Wishes:
    return wishes_of(table.session)


def press(table: Sitting, n: int = 1, arm: int | None = None) -> None:
    """Press the lit dome under the newest ARM, or an older one's key."""
    key = wished(table).key if arm is None else arm
    table.tell(ChamberPress(BOOT, n, key, table.t))


def throws(table: Sitting) -> list[Row]:
    return [row for row in table.rows if isinstance(row.entry, Throw)]


def test_before_a_game_nothing_is_lit_and_nobody_may_throw() -> None:
    assert wishes_of(Sitting(LIT).session) == Wishes()


def test_who_is_to_throw_is_armed() -> None:
    table = sitting()
    assert (wished(table).seat, wished(table).faces, wished(table).dice) == (0, (), 2)


def test_a_press_throws_for_who_is_armed_and_its_faces_are_shown() -> None:
    table = sitting()
    press(table)
    assert [str(row.entry) for row in throws(table)] == ["throw 5 3"]
    assert (wished(table).seat, wished(table).faces) == (None, (5, 3))


def test_a_press_counts_once() -> None:
    table = sitting()
    key = wished(table).key
    press(table, 1, key)
    press(table, 2, key)
    table.wait(10)
    press(table, 3, key)
    assert len(throws(table)) == 1


def test_the_faces_stay_while_their_throw_is_on_the_table() -> None:
    table = sitting()
    press(table)
    table.wait(60)
    assert wished(table).faces == (5, 3)


def test_a_shown_throw_has_its_number_in_the_game_and_a_dark_chamber_has_none() -> None:
    table = sitting(dice=((5, 3), (5, 3)))
    assert wished(table).throw == 0
    press(table)
    assert (wished(table).faces, wished(table).throw) == ((5, 3), 1)
    table.wait(2)
    while table.game.throw:
        assert (wished(table).faces, wished(table).throw) == ((5, 3), 1)
        table.ok(0)
    table.wait(2)
    assert (wished(table).faces, wished(table).throw) == ((), 0)
    press(table, 2)
    assert (wished(table).faces, wished(table).throw) == ((5, 3), 2)


def test_the_number_of_a_forfeited_throw_stands_with_its_faces() -> None:
    table = sitting(dice=((2, 1),))
    press(table)
    table.wait(0.7)
    table.tell_ok(0)
    assert (wished(table).faces, wished(table).throw) == ((2, 1), 1)


def test_undo_shows_the_throw_before_by_its_own_number() -> None:
    table = sitting(dice=((5, 3), (2, 1)))
    press(table)
    table.wait(2)
    while table.game.throw:
        table.ok(0)
    table.wait(2)
    press(table, 2)
    table.wait(2)
    assert (wished(table).faces, wished(table).throw) == ((2, 1), 2)
    table.choose(2, "undo")
    assert (wished(table).faces, wished(table).throw) == ((5, 3), 1)


def test_after_a_forfeited_throw_the_faces_stand_until_the_dome_hears_again() -> None:
    table = sitting(dice=((2, 1),))
    press(table)
    table.wait(0.7)
    table.tell_ok(0)
    assert (wished(table).seat, wished(table).faces) == (None, (2, 1))
    table.wait(0.8)
    assert wished(table).seat is None
    table.wait(0.2)
    assert (wished(table).seat, wished(table).faces) == (2, ())


def test_while_the_menu_is_open_nobody_is_armed_and_no_press_counts() -> None:
    table = sitting()
    key = wished(table).key
    table.hold_next(0)
    assert (wished(table).seat, wished(table).faces) == (None, ())
    press(table, 1, key)
    assert throws(table) == []
    table.wait(31)
    assert wished(table).seat == 0


def test_a_throw_by_another_dome_makes_a_late_press_void() -> None:
    table = sitting(Setup(dome=True))
    key = wished(table).key
    table.dome()
    assert wished(table).key > key
    press(table, 1, key)
    table.wait(10)
    table.ok(0)
    press(table, 1, key)
    assert len(throws(table)) == 1


def test_the_throw_that_waits_after_undo_is_taken_by_a_press_and_carries_it() -> None:
    table = sitting(dice=((2, 1), (6, 4)))
    press(table, 1)
    table.wait(2)
    table.ok(0)
    table.wait(2)
    press(table, 2)
    table.wait(2)
    table.hold_next(2)
    while "menu-undo" not in table.page.lines[table.page.chosen or 0]:
        table.next(2)
    table.ok(2)
    table.wait(2)
    table.ok(0)
    table.wait(2)
    press(table, 3)
    assert throws(table)[-1] == recorded("throw 6 4", NESTS, "simulated", BOOT, 3)


def test_rolled_dice_are_the_throw_of_who_is_armed() -> None:
    table = sitting(ROLLS)
    assert wished(table).mode == "roll"
    table.tell(ChamberRolled(BOOT, 1, wished(table).key, (6, 1), table.t))
    assert throws(table) == [recorded("throw 6 1", NESTS, "chamber", BOOT, 1)]
    assert wished(table).faces == (6, 1)


def test_rolled_dice_of_another_moment_or_without_leave_do_not_count() -> None:
    table = sitting(ROLLS)
    table.tell(ChamberRolled(BOOT, 1, wished(table).key + 1, (6, 1), table.t))
    assert throws(table) == []
    table = sitting(LIT)
    table.tell(ChamberRolled(BOOT, 1, wished(table).key, (6, 1), table.t))
    assert throws(table) == []


def test_a_one_die_game_has_one_die() -> None:
    [one_die] = [name for name, rules in PRESETS.items() if rules.dice == 1][:1]
    table = Sitting(LIT, ((4, 4),))
    table.resume(NESTS, 0, one_die)
    assert wished(table).dice == 1
    press(table)
    assert (wished(table).dice, wished(table).faces) == (1, (4,))


def test_without_any_dome_holding_ok_throws_and_the_screen_says_which() -> None:
    table = sitting()
    assert table.table.words == ("press-the-dome",)
    table.tell(ChamberLine(False, table.t))
    table.tell(Notice("chamber", message("chamber-missing"), table.t))
    assert table.table.words == ("hold-to-throw",)
    assert table.notice == "chamber-missing"
    table.hold_ok(0)
    assert len(throws(table)) == 1


def test_with_a_dome_on_gpio_that_one_goes_on() -> None:
    table = sitting(Setup(dome=True))
    table.tell(ChamberLine(False, table.t))
    assert table.table.words == ("press-the-dome",)
    table.dome()
    assert len(throws(table)) == 1
