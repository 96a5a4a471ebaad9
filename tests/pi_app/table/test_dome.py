"""The dome while something is chosen: it steps back, or confirms what is left and throws."""

from dataclasses import replace

import pytest

from pi_app.model.events import ChamberLine, ChamberPress, ChamberRolled, Kind, Setup
from pi_app.model.history import fold
from pi_app.settings.settings import Settings
from pi_app.table.wishes import wishes_of
from rules.game import Phase
from rules.ruleset import PRESETS
from tests.pi_app.model.texts import recorded
from tests.pi_app.sitting import Sitting, thrown, told, words

NESTS = "N,N,N,N/-/N,N,N,N/-"
FOUR = "20,3,N,N/-/N,N,N,N/-"  # a throw of 3 and 1 has four steps
ROLLS = Setup(dome=False, rolls=True)
LIT = Setup(dome=False)
ONE_BUTTON = Setup(next_buttons=())
BOOT = "b007b007"


def choosing(setup: Setup | None = None, dice: tuple[tuple[int, ...], ...] = ((3, 1),)) -> Sitting:
    """A has thrown and may choose one of four steps."""
    table = Sitting(setup, dice)
    table.resume(FOUR, 0, "findler")
    table.throw()
    return table


def no_move(
    setup: Setup | None = None,
    dice: tuple[tuple[int, ...], ...] = ((6, 3), (2, 1), (4, 4)),
    settings: Settings | None = None,
) -> Sitting:
    """A has thrown in the nests, and no pawn can be moved; C is next."""
    table = Sitting(setup, dice, settings=settings or Settings())
    table.resume(NESTS, 0)
    table.throw()
    assert words(table) == "no-move"
    return table


def actions(table: Sitting) -> list[str]:
    return [str(row.entry) for row in table.rows]


# --- stepping back ---------------------------------------------------------------------------


def test_the_dome_goes_back_to_the_choice_before() -> None:
    table = choosing()
    table.next(0)
    table.next(0)
    assert table.keys[0] == "press-next: 3 of 4"
    table.dome()
    assert table.keys == ("press-next: 2 of 4", "press-ok: do-moved", "press-dome: do-back")
    assert actions(table) == ["throw 3 1"]


def test_before_the_first_choice_comes_the_last() -> None:
    table = choosing()
    table.dome()
    assert table.keys[0] == "press-next: 4 of 4"


def test_it_steps_back_as_often_as_it_is_pressed() -> None:
    table = choosing()
    for _ in range(3):
        table.press(None, "dome", 0.05)
    assert table.keys[0] == "press-next: 2 of 4"


def test_after_a_step_back_every_ok_is_deaf_for_a_moment() -> None:
    table = choosing()
    table.dome()
    table.press(0, "ok")
    assert actions(table) == ["throw 3 1"]
    table.wait(0.4)
    table.press(0, "ok")
    assert len(table.rows) == 2


def test_after_a_step_back_the_dome_throws_nothing_for_a_second() -> None:
    table = thrown("H,H,20,3/-/N,N,N,N/-", (3, 1), "findler")
    table.ok(0)
    table.dice = iter([(6, 6)])
    table.wait(2.0)
    stepped = table.t
    table.press(None, "dome", 0.1)
    table.wait(0.35)
    table.press(0, "ok", 0.1)
    assert (len(table.rows), table.game.phase) == (3, Phase.THROW)
    table.wait(stepped + 0.9 - table.t)
    table.press(None, "dome", 0.01)
    assert len(table.rows) == 3
    table.wait(stepped + 1.0 - table.t)
    table.press(None, "dome", 0.01)
    assert actions(table)[-1] == "throw 6 6"


def test_where_players_choose_who_begins_the_dome_steps_back_too() -> None:
    table = Sitting()
    table.begin(0, 1, 2, ruleset="findler")
    assert table.game.phase is Phase.STARTER
    assert table.page.chosen == 0
    table.dome()
    assert table.page.chosen == 2
    assert table.hint == "press-next-or-dome: do-other-seat, press-ok: do-begin"


def test_without_a_dome_nothing_is_said_of_it() -> None:
    table = Sitting(Setup(dome=False), [(3, 1)])
    table.resume(FOUR, 0, "findler")
    table.hold_ok(0)
    table.wait(2)
    assert table.keys == ("press-next: 1 of 4", "press-ok: do-moved")


def test_a_chamber_that_throws_by_itself_steps_nothing_back() -> None:
    table = Sitting(ROLLS, [])
    table.tell(ChamberLine(True, 0.0))
    table.resume(FOUR, 0, "findler")
    table.tell(ChamberRolled(BOOT, 1, wishes_of(table.session).key, (3, 1), table.t))
    table.wait(3)
    assert table.keys == ("press-next: 1 of 4", "press-ok: do-moved")
    assert wishes_of(table.session).seat is None


def test_on_panels_of_one_button_the_menu_s_entry_is_stepped_back_from() -> None:
    table = no_move(ONE_BUTTON)
    table.wait(3)
    table.press(0, "ok")
    assert words(table) == "menu"
    table.dome()
    assert (words(table), actions(table)) == ("no-move", ["throw 6 3"])


# --- confirming what is left -----------------------------------------------------------------


def test_where_no_pawn_can_move_the_dome_goes_on_and_throws_for_the_next_seat() -> None:
    table = no_move()
    assert table.keys == ("press-ok: do-go-on", "press-dome: do-throw")
    table.wait(2.0)
    table.dome()
    assert table.rows[1:] == [
        recorded("stop", NESTS, by="dome"),
        recorded("throw 2 1", NESTS, "simulated"),
    ]
    assert table.game.seat == 2


def test_both_are_one_reply_with_dice_and_one_without_where_a_throw_waits() -> None:
    table = no_move()
    table.wait(2.0)
    table.dome()
    table.wait(3.0)
    table.choose(0, "undo")
    while words(table) != "no-move":
        table.ok(0)
    table.wait(2.0)
    table.dome()
    assert actions(table)[-3:] == ["undo", "stop", "throw 2 1"]
    assert [str(row.entry) for row in table.reply.rows] == []
    assert table.game.seat == 2


def test_a_single_last_step_is_confirmed_and_the_next_seat_has_thrown() -> None:
    table = Sitting(dice=[(2, 1), (6, 3)])
    table.resume("H,H,H,20/-/N,N,N,N/-", 0, "findler")
    table.throw()
    table.ok(0)
    assert told(table) == "1: B+5 → B+6"
    assert table.keys == ("press-ok: do-moved", "press-dome: do-throw")
    table.wait(2.0)
    table.dome()
    assert actions(table)[-2:] == ["move 22-23(1)", "throw 6 3"]
    assert [row.by for row in table.rows[-2:]] == ["dome", None]


def test_the_first_of_two_steps_is_left_to_ok_even_if_it_is_the_only_one() -> None:
    table = thrown(NESTS, (5, 3))
    assert table.keys == ("press-ok: do-moved",)
    table.wait(5)
    table.dome()
    assert (table.notice, len(table.rows)) == ("press-ok: do-moved", 1)


def test_before_the_screen_has_stood_for_two_seconds_the_dome_is_refused() -> None:
    table = Sitting(dice=[(2, 1), (6, 3)])
    table.resume("H,H,H,20/-/N,N,N,N/-", 0, "findler")
    table.throw()
    table.ok(0)
    up = table.t - 0.1
    table.wait(up + 1.9 - table.t)
    table.press(None, "dome", 0.01)
    assert (table.notice, len(table.rows)) == ("a-moment", 2)
    table.wait(up + 2.0 - table.t)
    table.press(None, "dome", 0.01)
    assert len(table.rows) == 4


def test_for_a_child_it_stands_two_seconds_for_each_message() -> None:
    table = no_move(settings=Settings({"children": "A"}))
    assert table.session.forced is not None
    stands = table.session.forced.counts_from - (table.t - 2.2 + 0.6)
    assert stands == pytest.approx(2 * 2.0, abs=0.2)  # no move; 6 and 3: only a 5 enters


def test_for_a_moment_after_an_ok_that_ends_a_play_the_dome_does_nothing() -> None:
    table = no_move()
    table.press(2, "ok", 0.05)
    table.press(None, "dome", 0.05)
    assert (actions(table), table.notice) == (["throw 6 3", "stop"], "")
    table.wait(0.4)
    table.dome()
    assert actions(table)[-1] == "throw 2 1"


@pytest.mark.parametrize(
    ("position", "words_shown"),
    [
        ("H,H,H,r5/-/N,N,N,N/-", "3: place-home-row(5) → home"),  # it ends the game
        ("H,H,H,20/-/57,N,N,N/-", "3: B+3 → B+6 to-nest(C)"),
    ],
)
def test_a_step_that_ends_the_game_or_captures_is_left_to_ok(
    position: str, words_shown: str
) -> None:
    table = Sitting(dice=[(3,)])
    rules = replace(PRESETS["one-die"], capture_bonus=0, finish_bonus=0)
    table.resume(position, 0, rules)
    table.throw()
    assert (told(table), table.keys) == (words_shown, ("press-ok: do-moved",))
    table.wait(3)
    table.dome()
    assert actions(table) == ["throw 3"]


def test_a_penalty_that_moves_a_pawn_is_left_to_ok_and_one_that_moves_none_is_not() -> None:
    table = Sitting(dice=[(3, 3)])
    table.resume("20,10,N,N/-/N,N,N,N/-", 0, doublets=2)
    table.throw()
    assert table.keys == ("press-ok: do-moved",)
    table = Sitting(dice=[(3, 3), (2, 1)])
    table.resume(NESTS, 0, "tr-1960", doublets=2)
    table.throw()
    table.wait(2)
    table.dome()
    assert actions(table) == ["throw 3 3", "stop", "throw 2 1"]


def test_with_typed_dice_the_dome_confirms_nothing() -> None:
    table = Sitting(dice=[(6, 3)])
    table.resume(NESTS, 0)
    table.throw()
    table.session = replace(table.session, settings=Settings({"dice": "typed"}), forced=None)
    table.wait(3)
    table.dome()
    assert actions(table) == ["throw 6 3"]


def test_while_the_menu_is_open_the_dome_confirms_nothing_and_then_it_stands_anew() -> None:
    table = no_move()
    table.wait(3)
    table.hold_next(0)
    table.dome()
    assert actions(table) == ["throw 6 3"]
    table.hold_next(0)
    table.press(None, "dome", 0.01)
    assert actions(table) == ["throw 6 3"]
    table.wait(2)
    table.dome()
    assert len(table.rows) == 3


@pytest.mark.parametrize("button", [(0, "ok"), (None, "dome")])
def test_after_the_menu_s_entry_it_stands_anew(button: tuple[int | None, Kind]) -> None:
    table = no_move(ONE_BUTTON)
    table.press(0, "ok")
    table.wait(3)
    assert words(table) == "menu"
    table.press(*button)
    assert table.keys[-1] == "press-dome: do-throw"
    table.wait(1.7)
    table.press(None, "dome", 0.01)
    assert (table.notice, actions(table)) == ("a-moment", ["throw 6 3"])
    table.wait(0.3)
    table.dome()
    assert len(table.rows) == 3


def test_one_undo_goes_back_to_what_the_dome_confirmed() -> None:
    table = no_move()
    table.wait(2)
    table.dome()
    table.wait(3)
    table.choose(0, "undo")
    assert (words(table), table.game.seat, table.game.throw) == ("no-move", 0, (6, 3))


def test_if_the_journal_refuses_neither_has_happened_and_the_throw_is_kept_for_its_seat() -> None:
    table = no_move()
    table.wait(2)
    table.refusing = "disk-full"
    table.dome()
    assert (actions(table), table.game.seat, table.game.throw) == (["throw 6 3"], 0, (6, 3))
    table.refusing = ""
    table.ok(0)
    table.wait(2)
    table.dome()
    assert actions(table) == ["throw 6 3", "stop", "throw 2 1"]
    assert table.game.seat == 2


def test_unsaved_both_rows_wait() -> None:
    table = no_move()
    table.wait(2)
    table.refusing = "disk-full"
    table.dome()
    table.hold_ok(0)
    table.wait(3)
    table.dome()
    assert [str(row.entry) for row in table.waiting] == ["stop", "throw 2 1"]


def test_the_rows_fold_to_the_game_on_the_table() -> None:
    table = Sitting(dice=[(6, 3), (2, 1)])
    table.begin(2, 0, ruleset="findler")
    table.ok(2)
    table.throw()
    table.wait(2)
    table.dome()
    assert actions(table)[-3:] == ["throw 6 3", "stop", "throw 2 1"]
    assert fold(table.rows).game == table.game


def test_what_the_dome_confirmed_stays_readable_after_the_throw() -> None:
    table = Sitting(dice=[(2, 1), (6, 3)])
    table.resume("H,H,H,20/-/N,N,N,N/-", 0, "findler")
    table.throw()
    table.ok(0)
    table.wait(2)
    table.dome()
    table.wait(2)
    assert (words(table), table.table.last) == ("no-move", "done(origin=B+5, target=B+6)")


# --- a bot's turn ----------------------------------------------------------------------------


def box_to_move(position: str, faces: tuple[int, int]) -> Sitting:
    """C, which a bot plays, has thrown."""
    table = Sitting(dice=[faces, (2, 1)], settings=Settings({"box.C": "easy"}))
    table.resume(position, 2, "findler")
    table.throw()
    return table


def test_a_bot_s_last_step_is_confirmed_by_the_dome() -> None:
    table = box_to_move("N,N,N,N/-/H,H,H,20/-", (2, 1))
    table.ok(0)
    table.wait(2)
    assert table.keys[-1] == "press-dome: do-throw"
    table.dome()
    assert actions(table)[-1] == "throw 2 1"
    assert [row.by for row in table.rows[-2:]] == ["easy", None]


def test_while_a_bot_thinks_the_dome_is_refused() -> None:
    table = Sitting(dice=[(2, 1)], settings=Settings({"box.C": "easy"}), advise=None)
    table.resume("N,N,N,N/-/H,H,H,20/-", 2, "findler")
    table.throw()
    table.wait(3)
    table.dome()
    assert (len(table.rows), table.tones[-1].name) == (1, "refused")


# --- the lit chamber -------------------------------------------------------------------------


def lit(setup: Setup = LIT, dice: tuple[tuple[int, ...], ...] = ((6, 3), (2, 1))) -> Sitting:
    table = Sitting(setup, dice)
    table.tell(ChamberLine(True, 0.0))
    table.resume(NESTS, 0)
    return table


def press(table: Sitting, n: int) -> None:
    table.tell(ChamberPress(BOOT, n, wishes_of(table.session).key, table.t))


def test_only_the_throw_s_row_has_the_chamber_s_press() -> None:
    table = lit()
    press(table, 1)
    table.wait(4)
    press(table, 2)
    assert [(str(row.entry), row.by, row.boot, row.n) for row in table.rows] == [
        ("throw 6 3", None, BOOT, 1),
        ("stop", "dome", None, None),
        ("throw 2 1", None, BOOT, 2),
    ]


def test_where_the_dome_steps_back_the_chamber_is_armed_and_its_faces_stay() -> None:
    table = Sitting(LIT, [(3, 1)])
    table.tell(ChamberLine(True, 0.0))
    table.resume(FOUR, 0, "findler")
    press(table, 1)
    table.wait(1.5)
    assert wishes_of(table.session).seat is None
    table.wait(0.1)
    assert (wishes_of(table.session).seat, wishes_of(table.session).faces) == (0, (3, 1))
    press(table, 2)
    assert (table.keys[0], len(table.rows)) == ("press-next: 4 of 4", 1)
    assert wishes_of(table.session).seat == 0


def test_where_the_dome_confirms_the_chamber_is_armed_once_a_press_counts() -> None:
    table = lit()
    press(table, 1)
    table.wait(0.6)
    assert words(table) == "no-move"
    table.wait(1.9)
    assert wishes_of(table.session).seat is None
    table.wait(0.1)
    assert (wishes_of(table.session).seat, wishes_of(table.session).faces) == (0, (6, 3))


def test_a_chamber_s_own_dice_confirm_first_and_are_then_the_throw() -> None:
    table = lit(ROLLS, ())
    table.tell(ChamberRolled(BOOT, 1, wishes_of(table.session).key, (6, 3), table.t))
    table.wait(3)
    assert wishes_of(table.session).seat == 0
    table.tell(ChamberRolled(BOOT, 2, wishes_of(table.session).key, (2, 1), table.t))
    assert [(str(row.entry), row.by, row.source, row.n) for row in table.rows] == [
        ("throw 6 3", None, "chamber", 1),
        ("stop", "dome", None, None),
        ("throw 2 1", None, "chamber", 2),
    ]


def test_dice_that_the_chamber_has_thrown_too_early_confirm_nothing() -> None:
    table = lit(ROLLS, ())
    table.tell(ChamberRolled(BOOT, 1, wishes_of(table.session).key, (6, 3), table.t))
    table.wait(2.5)
    assert words(table) == "no-move"
    table.tell(ChamberRolled(BOOT, 2, wishes_of(table.session).key, (2, 1), table.t))
    assert actions(table) == ["throw 6 3"]
    assert table.notice == "a-moment"


def test_an_ok_that_was_held_already_confirms_nothing_after_a_step_back() -> None:
    table = choosing(ONE_BUTTON)
    table.down(0, "ok")
    table.wait(0.9)
    table.dome()
    shown = words(table)
    table.wait(0.2)
    table.up(0, "ok")
    assert (actions(table), words(table)) == (["throw 3 1"], shown)


def test_who_passes_on_does_not_open_the_menu_that_another_panel_shows() -> None:
    table = no_move(Setup(next_buttons=(2,)))
    while words(table) != "menu":
        table.wait(0.5)
        table.press(0, "ok")
    table.wait(0.5)
    table.press(2, "ok")
    assert (words(table), actions(table)) == ("menu", ["throw 6 3"])
