"""The table while a game lasts and at its end: what presses do, show, light and sound."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from pi_app.model.events import DiceDrawn, Kind, Notice, Resume, Setup, Tick, Tone
from pi_app.model.history import fold, start_row
from pi_app.model.screens import BoardScreen, Die, Podium, SeatMark, message
from pi_app.settings.settings import Settings
from pi_app.table.core.gestures import HOLD_S
from pi_app.table.modes.care.moving_back import MovingBack
from pi_app.table.modes.play.play import CHEER_S
from pi_app.table.telling.choices import increments
from pi_app.texts.words import FAULTS, news_words
from rules.actions import Throw
from rules.facts import Again, Captured, Fact, Lapsed, Penalized, TurnOf, Won
from rules.game import Phase
from rules.history import new_record
from tests.pi_app.keyed import keyed
from tests.pi_app.model.texts import recorded
from tests.pi_app.sitting import Sitting, draw_once, marks, thrown, told, words

NESTS = "N,N,N,N/-/N,N,N,N/-"
TWO_BEGIN = [(6, 3), (2, 1)]  # A throws 9, C 3: A begins


# --- throwing --------------------------------------------------------------------------------


def test_the_dome_throws_once_and_the_dice_tumble_before_they_stand() -> None:
    table = Sitting(dice=[(5, 3)])
    table.resume(NESTS, 0)
    table.down(None, "dome")
    assert table.rows == [recorded("throw 5 3", NESTS, "simulated")]
    assert [die.tumbling for die in table.table.dice] == [True, True]
    frames = []
    for _ in range(6):
        frames.append(table.frame.image.tobytes())
        assert table.frame.until == pytest.approx(table.t + 0.1)
        table.wait(0.1)
    assert len(set(frames)) == 6
    assert (table.table.heading, table.table.dice) == ("moves(A)", (Die(5), Die(3)))


def test_the_dome_is_deaf_until_the_faces_have_stood_for_a_second() -> None:
    table = Sitting(dice=[(5, 5), (6, 4)])
    table.resume("12,N,N,N/-/N,N,N,N/-", 0)
    table.dome()
    table.wait(0.55)
    table.tell_ok(0)
    table.wait(0.4)
    table.tell_ok(0)
    assert (table.game.phase, table.t < 1.6) == (Phase.THROW, True)
    table.dome()
    table.dome()
    assert len([row for row in table.rows if isinstance(row.entry, Throw)]) == 1
    table.wait(1.0)
    table.dome()
    assert str(table.rows[-1].entry) == "throw 6 4"


def test_the_dome_throws_nothing_while_a_step_is_to_be_confirmed() -> None:
    table = Sitting(dice=[(5, 3)])
    table.resume(NESTS, 0)
    table.throw()
    table.dome()
    assert (table.reply.draw, table.notice) == (0, "press-ok: do-moved")


def test_dice_that_come_unasked_do_not_count() -> None:
    table = Sitting(dice=[(5, 3)])
    table.resume(NESTS, 0)
    table.throw()
    table.tell(DiceDrawn((6, 6), "kernel", table.t))
    assert table.game.throw == (5, 3)


def test_without_a_dome_the_player_holds_ok_to_throw() -> None:
    table = Sitting(Setup(dome=False), dice=[(5, 3)])
    table.resume(NESTS, 0)
    assert words(table) == "hold-to-throw"
    assert table.keys == ("press-next: 1 of 2", "press-hold-ok: do-throw")
    table.ok(0)
    assert table.notice == "press-hold-ok"
    table.hold_ok(0)
    assert str(table.rows[-1].entry) == "throw 5 3"


def test_with_a_dome_ok_throws_nothing() -> None:
    table = Sitting()
    table.resume(NESTS, 0)
    table.hold_ok(0)
    assert (table.rows, words(table)) == ([], "press-the-dome")


def test_the_rows_of_a_throw_carry_its_source_and_the_chamber_s_press() -> None:
    table = Sitting()
    table.resume(NESTS, 0)
    table.tell(DiceDrawn((5, 3), "chamber", 0.0, boot="a1b2", n=7))
    assert table.rows == [recorded("throw 5 3", NESTS, "chamber", "a1b2", 7)]


# --- others ----------------------------------------------------------------------------------


@pytest.mark.parametrize("press", [Sitting.ok, Sitting.next])
def test_somebody_else_s_press_says_whose_turn_it_is_for_a_moment(
    press: Callable[[Sitting, int], object],
) -> None:
    table = thrown(NESTS, (5, 3))
    game = table.game
    press(table, 2)
    assert (table.notice, table.game) == ("corrected-turn(A)", game)
    assert table.tones[-1] == Tone(None, "refused")
    table.wait(1.5)
    assert table.notice == ""


def test_what_a_press_was_told_is_gone_when_the_turn_goes_on() -> None:
    table = thrown(NESTS, (5, 3))
    table.ok(2)
    assert table.notice == "corrected-turn(A)"
    table.ok(0)
    assert (words(table), table.notice) == ("A+3", "")


def test_where_nothing_can_be_moved_any_panel_s_ok_passes_on() -> None:
    table = thrown(NESTS, (6, 3))
    assert (words(table), table.reply.lamps) == ("no-move", ("on", "off", "off", "off"))
    table.ok(2)
    assert (str(table.rows[-1].entry), table.game.seat) == ("stop", 2)


def test_next_of_another_panel_and_an_empty_seat_s_ok_do_not_pass_on() -> None:
    table = thrown(NESTS, (6, 3))
    game = table.game
    table.next(2)
    table.ok(1)
    assert (table.notice, table.game) == ("corrected-turn(A)", game)


def test_a_panel_of_one_button_passes_on_for_itself_alone() -> None:
    table = Sitting(Setup(next_buttons=(0,)), dice=[(6, 3)])
    table.resume(NESTS, 0)
    table.throw()
    game = table.game
    table.press(2, "ok")
    table.read(2)
    table.press(2, "ok", 0.1)
    assert table.game == game


def test_a_penalty_that_moves_no_pawn_is_passed_on_by_any_panel() -> None:
    table = Sitting(dice=[(3, 3)])
    table.resume(NESTS, 0, "tr-1960", doublets=2)
    table.throw()
    table.ok(2)
    assert [str(row.entry) for row in table.rows] == ["throw 3 3", "stop"]


# --- holds that are due at the same moment -----------------------------------------------------


def hold_together(table: Sitting, *buttons: tuple[int, Kind]) -> list[str]:
    """Hold buttons, one a moment after the other, until a late tick; return the rows made."""
    before = len(table.rows)
    for seat, kind in buttons:
        table.down(seat, kind)
        table.t += 0.05
    table.t += HOLD_S + 0.3
    table.tell(Tick(table.t))
    return [str(row.entry) for row in table.rows[before:]]


def test_two_people_who_hold_for_a_bot_confirm_one_step() -> None:
    one_button = Setup(next_buttons=())
    table = Sitting(one_button, dice=[(6, 3)], settings=Settings({"box.C": "easy"}))
    table.resume("12,N,N,N/12,N,N,N/20,3,N,N/-", 2, "findler")
    table.throw()
    table.wait(5)
    assert len(hold_together(table, (0, "ok"), (1, "ok"))) == 1


def test_an_undo_of_the_menu_is_not_answered_by_another_hold() -> None:
    table = Sitting(Setup(next_buttons=()), dice=[(6, 3)])
    table.resume("12,N,N,N/-/12,N,N,N/-", 0, "findler")
    table.throw()
    table.hold_ok(0)
    table.hold_ok(2)
    assert table.marked == "undo"
    table.read(2)
    assert hold_together(table, (2, "ok"), (0, "ok")) == ["undo"]
    assert isinstance(table.session.mode, MovingBack)


def test_two_people_who_have_moved_a_pawn_back_do_not_skip_the_next_one() -> None:
    captured = "20,N,N,N/-/57,N,N,N/-"
    table = Sitting(Setup(next_buttons=()), dice=[(3, 1)])
    table.resume(captured, 0, "findler")
    table.throw()
    table.hold_ok(0)
    table.hold_ok(2)
    table.hold_ok(2)
    assert isinstance(table.session.mode, MovingBack)
    table.read(0)
    hold_together(table, (0, "ok"), (2, "ok"))
    assert isinstance(table.session.mode, MovingBack)
    assert table.session.mode.index == 1


def test_a_throw_held_before_the_menu_comes_first_and_its_dice_are_not_lost() -> None:
    table = Sitting(Setup(dome=False), dice=[(6, 3), (2, 1)])
    table.resume(NESTS, 0, "findler")
    assert hold_together(table, (0, "ok"), (2, "next")) == ["throw 6 3"]


def test_notices_of_devices_stay_until_they_are_taken_back() -> None:
    table = thrown(NESTS, (5, 3))
    table.tell(Notice("chamber", message("chamber-missing"), table.t))
    table.wait(60)
    assert table.notice == "chamber-missing"
    table.tell(Notice("journal", message("not-saved", why=FAULTS["no-access"]), table.t))
    assert table.notice == "chamber-missing+not-saved(fault-no-access)"
    table.tell(Notice("journal", None, table.t))
    table.ok(2)
    assert table.notice == "corrected-turn(A)"
    table.tell(Notice("chamber", None, table.t))
    table.wait(2)
    assert table.notice == ""


# --- the end ---------------------------------------------------------------------------------


def won(setup: Setup | None = None) -> Sitting:
    """Return a table at which A has just brought the last pawn home."""
    table = Sitting(setup, dice=[(4, 6)])
    table.resume("H,H,H,r4/-/H,3,N,N/-", 0, "pb")
    table.throw()
    table.confirm(0)
    assert table.game.phase is Phase.OVER
    return table


def test_the_last_pawn_home_ends_the_game_and_shows_the_places_and_its_length() -> None:
    table = won()
    table.wait(CHEER_S)
    assert table.podium == Podium(
        (0,),
        "has-won(A)",
        (
            SeatMark(0, "ordinal-1st"),
            SeatMark(
                2, "rank-so-far(far=so-many-home(left=212, pawns=1), left=212, place=ordinal-2nd)"
            ),
        ),
        "and-then(before=turns(1), then=throws-made(1))",
        keyed("press-hold-ok: rematch", "press-next: do-more"),
    )
    assert Tone(0, "win") in table.tones


def test_the_end_stands_until_anybody_holds_ok_for_a_rematch() -> None:
    table = won()
    table.wait(CHEER_S)
    end = table.podium
    table.wait(600)
    table.ok(2)  # wakes the dark screen, and no more
    table.ok(2)
    assert (table.podium, table.notice) == (end, "press-hold-ok: rematch")
    before = table.record
    table.hold_ok(2)
    assert table.record == new_record(before.game.ruleset, before.game.seats)
    assert table.rows[-1] == start_row(table.record)


def test_the_dome_says_at_the_end_that_ok_is_held() -> None:
    table = won()
    table.wait(CHEER_S)
    table.dome()
    assert table.notice == "press-hold-ok: rematch"


def test_a_rematch_has_the_same_host_who_chooses_who_begins() -> None:
    table = Sitting(dice=[(4, 6)])
    table.begin(2, 0, ruleset="pb")
    table.ok(2)
    table.choose(0, "game", "end")
    table.hold_ok(0)
    table.hold_ok(0)
    assert [str(row.entry) for row in table.rows[::3]] == ['new "pb" seats 2,0'] * 2
    assert table.page.title == "C: ask-who-begins"
    assert table.hint == "press-next-or-dome: do-other-seat, press-ok: do-begin"


def test_the_menu_has_the_rematch_too() -> None:
    table = won()
    table.choose(2, "game", "rematch")
    assert (table.page.title, table.rows[-1]) == ("A: ask-who-begins", start_row(table.record))


def test_next_at_the_end_goes_on_to_a_new_game_of_others() -> None:
    table = won()
    table.next(2)
    assert table.hint == "press-hold-ok: new-game, press-next: do-luck"
    table.hold_ok(2)
    assert (table.page.lines, marks(table)) == (("edition-pb",), "A:- B:- C:- D:-")


def test_the_winning_step_can_be_undone_for_as_long_as_the_end_stands() -> None:
    table = won()
    table.wait(600)
    table.hold_next(2)  # wakes the dark screen, and no more
    table.hold_next(2)
    assert table.page.lines[0] == "menu-undo"
    table.ok(2)
    assert (table.table.heading, told(table)) == ("put-back", "A: home → place-home-row(4)")
    table.ok(2)
    assert told(table) == "4: place-home-row(4) → home"


def test_a_game_in_progress_is_on_the_screen_at_once_with_its_throw() -> None:
    before = Sitting(dice=[*TWO_BEGIN, (5, 3)])
    before.begin(0, 2)
    for _ in range(3):
        before.throw()
    after = Sitting()
    after.tell(Resume(fold(before.rows), 0.0))
    assert after.session.record == before.session.record
    assert (after.table.heading, after.table.dice) == ("moves(A)", (Die(5), Die(3)))
    assert after.reply.lamps == ("on", "off", "off", "off")


@pytest.mark.parametrize(
    "facts",
    [
        (Captured(1, 0, 0), Captured(2, 0, 0), Captured(3, 0, 0), Lapsed(0, 60), Again(0)),
        (*(Lapsed(0, spaces) for spaces in (6, 6, 1, 1, 20, 20, 10)), Again(0)),
        (Lapsed(0, 60), Won(0, 1), TurnOf(1)),
        (Penalized(0, 3), Again(0)),
    ],
)
def test_the_longest_news_fits(facts: tuple[Fact, ...]) -> None:
    table = Sitting()
    table.resume(NESTS, 0)
    assert isinstance(table.reply.screen, BoardScreen)
    note = news_words(table.session.rules, facts)
    draw_once(replace(table.reply.screen, note=note), for_child=False)


@pytest.mark.parametrize(
    ("bonuses", "marks"),
    [
        ((20,), ["+20"]),
        ((20, 20, 20), ["3x20"]),
        ((10, 10, 20, 20), ["+10", "+20"]),
    ],
)
def test_bonuses_fit_beside_four_dice_increments(
    bonuses: tuple[int, ...], marks: list[str]
) -> None:
    table = thrown("21,15,9,3/-/N,N,N,N/-", (6, 6), "findler")
    _, state = table.game.plays
    game = table.game._replace(reached=state._replace(bonuses=bonuses))
    shown = increments(game, "")
    assert [mark.text for mark in shown] == ["6", "6", "1", "1", *marks]
    screen = table.reply.screen
    assert isinstance(screen, BoardScreen)
    draw_once(replace(screen, increments=shown), for_child=False)
