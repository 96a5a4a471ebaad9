"""After the referee was off, it asks the players whether to walk the pawns."""

from dataclasses import replace

import pytest

from pi_app.model.events import Resume, Setup
from pi_app.model.screens import DARK_AFTER_S, BoardScreen, TextScreen
from rules.actions import Move, Throw
from rules.game import Game, Phase, at, play
from rules.history import Record
from rules.position import parse_position
from rules.ruleset import PRESETS
from tests.pi_app.sitting import Sitting, marks

FINDLER = PRESETS["findler"]
POSITION = "H,20,20,N/-/5,N,N,N/-"


def game_at(position: str) -> Game:
    return at(FINDLER, parse_position(position, FINDLER), 0)


def back(position: str = POSITION, setup: Setup | None = None, walk: bool = True) -> Sitting:
    table = Sitting(setup)
    table.tell(Resume(Record(game_at(position), host=0), table.t, walk))
    return table


def test_players_are_asked_after_the_table_was_away_and_only_then() -> None:
    assert back().page.title == "ask-walk-the-pawns"
    assert back(walk=False).table.heading == "throws(A)"


def test_any_panel_that_plays_may_answer_and_the_others_are_not_asked() -> None:
    table = back()
    assert table.reply.lamps == ("breathe", "off", "breathe", "off")
    table.ok(1)
    assert table.notice == "ask-walk"
    table.ok(2)
    assert table.table.words == ("all-as-on-the-map",)
    table.next(2)
    assert table.table.heading == "has(A)"
    assert table.table.board.seat == 2
    assert table.table.note == "1 of 5"
    assert table.reply.lamps == ("off", "off", "on", "off")


def test_next_goes_on_with_the_game_as_it_was() -> None:
    table = back()
    before = table.record
    table.next(2)
    assert table.table.heading == "throws(A)"
    assert (table.record, table.rows) == (before, [])


def test_all_as_on_the_map_goes_on_with_the_game_by_one_more_ok() -> None:
    table = back()
    table.ok(2)
    table.ok(2)
    assert (table.table.heading, table.rows) == ("throws(A)", [])


def test_the_walk_ends_in_the_game() -> None:
    table = back()
    table.ok(2)
    table.next(2)
    table.read(2)
    for _ in range(5):
        table.press(2, "ok", 0.05)
    assert (table.table.heading, table.rows) == ("throws(A)", [])


def test_a_space_that_seats_share_says_with_whom() -> None:
    table = Sitting()
    table.resume("47,N,N,N/34,34,N,N/21,N,N,N/-", 0, "ludo-india")  # all on D's star
    table.choose(0, "board", "walk")
    table.next(0)
    one, two = (f"pawns-on(count={count}, place=D+8)" for count in (1, 2))
    notes = {}
    while table.table.heading.startswith("has("):
        notes[(table.table.heading, *table.table.words)] = table.table.note
        table.ok(0)
    assert notes["has(A)", one] == "and-then(before=shares-with(B+C), then=2 of 6)"
    assert notes["has(B)", two] == "and-then(before=shares-with(A+C), then=4 of 6)"
    assert notes["has(C)", "pawns-on(count=3, place=nest)"] == "5 of 6"


def test_what_stands_elsewhere_is_corrected_from_there_and_goes_back_to_the_menu() -> None:
    table = back()
    table.ok(2)
    table.next(2)
    table.next(2)
    assert table.table.heading == "A: where-to"
    table.ok(2)
    assert table.page.title == "C: correct"
    while table.page.lines[table.page.chosen or 0] not in ("do-back", "leave-it-as-it-was"):
        table.next(2)
    table.ok(2)
    assert (table.page.title, table.page.lines[-1]) == ("C: menu", "do-back")
    assert "menu-board" in table.page.lines


def test_a_walk_that_nobody_touches_ends_in_the_game() -> None:
    table = back()
    table.ok(0)
    table.wait(121)
    assert table.table.heading == "throws(A)"


def test_with_one_button_a_tap_plays_on_and_a_hold_walks() -> None:
    table = back(setup=Setup(next_buttons=()))
    assert table.hint == "press-tap: do-play-on, press-hold: do-look"
    table.hold_ok(2)
    assert table.keys == ("press-tap: do-look", "press-hold: do-yes")
    other = back(setup=Setup(next_buttons=()))
    other.ok(2)
    assert other.table.heading == "throws(A)"


def test_the_dome_says_what_is_asked() -> None:
    table = back()
    table.dome()
    assert (table.notice, table.rows) == ("ask-walk", [])


def test_the_menu_is_there_and_closing_it_asks_again() -> None:
    table = back()
    table.hold_next(2)
    assert table.page.title == "C: menu"
    table.hold_next(2)
    assert table.page.title == "ask-walk-the-pawns"


def test_nobody_may_be_there_to_answer_so_the_screen_rests() -> None:
    table = back()
    table.wait(DARK_AFTER_S + 1)
    assert table.reply.glow.level == "dark"
    table.ok(0)
    assert table.page.title == "ask-walk-the-pawns"


def test_pawns_that_undo_has_moved_go_back_first() -> None:
    table = Sitting()
    before = game_at(POSITION)
    moved = parse_position("H,23,20,N/-/5,N,N,N/-", FINDLER)
    table.tell(Resume(Record(before, host=0, displaced=moved), table.t, walk=True))
    assert table.table.heading == "put-back"
    table.ok(0)
    assert table.page.title == "ask-walk-the-pawns"


# --- nothing to walk ---------------------------------------------------------------------------


def test_before_anybody_has_moved_a_pawn_nobody_is_asked() -> None:
    assert isinstance(back("N,N,N,N/-/N,N,N,N/-").screen, BoardScreen)


def test_where_all_pawns_are_in_their_nests_again_they_are_asked() -> None:
    game, _ = play(game_at("N,N,N,N/-/N,N,N,N/-"), Throw((5, 1)))
    entered = Record(game, host=0)
    table = Sitting()
    step = Move(game.steps[0])
    table.tell(Resume(entered, 0.0))
    table.ok(0)
    [done] = [one for one in table.record.past if one.action == step]
    nests = replace(table.record, game=game_at("N,N,N,N/-/N,N,N,N/-"), past=(done,))
    table.tell(Resume(nests, table.t, walk=True))
    assert table.page.title == "ask-walk-the-pawns"


@pytest.mark.parametrize("phase", [Phase.ORDER, Phase.OVER])
def test_while_who_begins_is_thrown_for_or_when_it_is_over_nobody_is_asked(phase: Phase) -> None:
    table = Sitting(dice=[(1, 2)])
    table.begin(0, 2)
    if phase is Phase.OVER:
        table.choose(0, "game", "end")
        table.hold_ok(0)
    assert table.game.phase is phase
    again = Sitting()
    again.tell(Resume(table.record, 0.0, walk=True))
    assert not (isinstance(again.screen, TextScreen) and again.page.title == "ask-walk-the-pawns")
    assert phase is Phase.OVER or marks(again) == "A:- C:-"
