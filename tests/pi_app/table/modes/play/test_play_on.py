"""After a win the others play on for the places, if the players want that."""

from dataclasses import replace

import pytest

from pi_app.model.events import Setup
from pi_app.settings.settings import EVENING
from rules.game import Phase
from rules.ruleset import PRESETS
from tests.pi_app.sitting import Sitting, told

WON = "H,H,H,r7/-/12,N,N,N/20,N,N,N"  # A wins with a 1, C and D may play on


def won(setup: Setup | None = None) -> Sitting:
    """Return a table at which A has won by Findler's rules, against C and D."""
    table = Sitting(setup, [(1, 3)], advise=None)
    table.resume(WON, 0, "findler")
    table.throw()
    while table.game.phase is not Phase.OVER:
        table.confirm(0)
    return table


@pytest.mark.parametrize("seat", [0, 2, 3])
def test_next_leads_first_to_playing_on_and_each_panel_may_choose_it(seat: int) -> None:
    table = won()
    table.next(seat)
    assert (table.page.title, table.page.lines) == (
        "ask-play-on",
        ("play-on-for(ordinal-2nd)", "they-play-on(C+D)"),
    )
    assert table.keys == ("press-hold-ok: do-play-on", "press-next: do-more")
    table.hold_ok(seat)
    assert table.page.title == f"{'ABCD'[seat]}: ask-play-on"
    assert table.game.phase is Phase.OVER
    table.hold_ok(seat)
    assert (table.game.phase, table.game.seat) == (Phase.THROW, 3)
    assert str(table.rows[-1].entry) == "play-on"


def test_a_short_ok_plays_on_nowhere() -> None:
    table = won()
    table.next(2)
    table.ok(2)
    assert table.notice == "press-hold-ok: do-play-on"
    table.hold_ok(2)
    table.ok(2)
    assert table.notice == "hold-to-play-on"
    table.next(2)
    assert table.page.title == "ask-play-on"
    assert table.game.phase is Phase.OVER


def test_undo_goes_back_to_the_podium_and_the_score_stays_that_of_the_first_win() -> None:
    table = won()
    score = table.session.settings.get(EVENING).scores
    assert [one.wins for one in score if one.who == "A"] == [1]
    table.next(3)
    table.hold_ok(3)
    table.hold_ok(3)
    assert table.session.settings.get(EVENING).scores == score
    table.choose(3, "undo")
    assert table.podium.winners == (0,)
    assert table.session.settings.get(EVENING).scores == score


def test_the_second_end_counts_no_second_game() -> None:
    table = won()
    table.next(3)
    table.hold_ok(3)
    table.hold_ok(3)
    score = table.session.settings.get(EVENING).scores
    table.choose(3, "game", "someone-leaves", "D", "pawns-off-the-board")
    table.hold_ok(3)
    assert (table.game.phase, table.game.places) == (Phase.OVER, (0, 2))
    assert table.session.settings.get(EVENING).scores == score
    table.next(2)
    assert table.hint == "press-hold-ok: new-game, press-next: do-luck"


def test_with_two_seats_there_is_nobody_to_play_on() -> None:
    table = Sitting(dice=[(1, 3)], advise=None)
    table.resume("H,H,H,r7/-/12,N,N,N/-", 0, "findler")
    table.throw()
    while table.game.phase is not Phase.OVER:
        table.confirm(0)
    table.next(0)
    assert table.hint == "press-hold-ok: new-game, press-next: do-luck"


def test_a_rematch_begins_without_it() -> None:
    table = won()
    table.next(3)
    table.hold_ok(3)
    table.hold_ok(3)
    table.choose(3, "game", "end")
    table.hold_ok(3)
    table.hold_ok(2)
    assert (table.game.phase, table.game.played_on) == (Phase.STARTER, False)


def test_bots_that_are_left_play_on() -> None:
    table = won()
    table.choose(2, "game", "next-game")
    table.hold_next(2)
    table.hold_next(2)
    table.next(0)
    table.hold_ok(0)
    table.hold_ok(0)
    assert table.game.seat == 3


def test_a_panel_with_one_button_plays_on_by_holds() -> None:
    table = won(Setup(next_buttons=()))
    table.ok(2)
    assert table.page.title == "ask-play-on"
    table.hold_ok(2)
    table.hold_ok(2)
    assert table.game.phase is Phase.THROW


def test_pawns_that_a_winner_leaves_on_the_track_go_to_its_nest_by_hand() -> None:
    rules = replace(PRESETS["ludo-uk"], to_win=1, play_on=True)
    table = Sitting(dice=[(1,)], advise=None)
    table.resume("r5,20,N,N/N,N,N,N/N,N,N,N/-", 0, rules)
    table.throw()
    assert told(table) == "1: place-home-row(5) → home"
    table.ok(0)
    assert (table.table.heading, told(table)) == ("clear-away", "A: B+7 → nest")
    table.ok(1)
    assert table.table.heading == "throws(B)"


def test_whoever_plays_on_takes_the_winner_s_pawns_off_the_track_first() -> None:
    rules = replace(PRESETS["ludo-uk"], to_win=1)
    table = Sitting(dice=[(1,)], advise=None)
    table.resume("r5,20,N,N/N,N,N,N/N,N,N,N/-", 0, rules)
    table.throw()
    table.ok(0)
    table.next(1)
    table.hold_ok(1)
    table.hold_ok(1)
    assert (table.table.heading, told(table)) == ("clear-away", "A: B+7 → nest")
    table.choose(1, "undo")
    assert table.podium.winners == (0,)


def test_a_forced_step_that_leaves_pawns_to_move_is_not_confirmed_by_the_dome() -> None:
    rules = replace(PRESETS["ludo-de"], to_win=1, play_on=True, clear_entry=False)
    table = Sitting(dice=[(3,), (2,)], advise=None)
    table.resume("39,38,N,N/N,N,N,N/N,N,N,N/-", 0, rules)
    table.throw()
    assert table.session.forced is None


def one_home_wins(position: str, faces: tuple[int, ...], ruleset: str = "ludo-uk") -> Sitting:
    """Return a table at which A has thrown, one pawn home wins, and the others play on."""
    table = Sitting(dice=[faces], advise=None)
    rules = replace(PRESETS[ruleset], to_win=1, play_on=True, clear_entry=False)
    table.resume(position, 0, rules)
    table.throw()
    return table


def test_of_two_pawns_that_may_win_the_one_that_did_not_leaves_the_track() -> None:
    table = one_home_wins("39,38,N,N/N,N,N,N/N,N,N,N/-", (3,), "ludo-de")
    table.next(0)
    assert told(table) == "3: D+8 → place-goal(2)"
    table.ok(0)
    assert told(table) == "A: D+9 → nest"


def test_undo_before_a_winner_s_pawns_have_left_moves_back_the_winning_step_alone() -> None:
    table = one_home_wins("r5,20,N,N/N,N,N,N/N,N,N,N/-", (1,))
    table.ok(0)
    table.choose(1, "undo")
    assert (table.table.heading, told(table)) == ("put-back", "A: home → place-home-row(5)")
    table.ok(1)
    assert table.table.heading == "moves(A)"
