"""What a tab is told in each mode of the table: what a hand moves, what is drafted, whose turn."""

import json
from random import Random
from typing import Any

import pytest

from pi_app.model.events import Kind, Setup
from pi_app.settings.settings import Settings
from pi_app.table.core.state import Mode
from pi_app.table.modes.play.play import Playing
from pi_app.table.modes.play.showing_throw import ShowingThrow
from pi_app.table.modes.whole_menu import WholeMenu
from pi_app.table.session import Reply
from pi_app.texts.language import ENGLISH
from pi_app.web.geometry import pawn_places
from pi_app.web.spectator_state import spectator_state
from pi_app.web.state import say_all, table_state
from tests.asked import extent
from tests.pi_app.sitting import Sitting, thrown

CAPTURE = "30,12,N,N/1,N,N,N/N,N,N,N/-"  # A's 6 takes B's pawn
FREE_CIRCLE = [16.05, 5.05]  # in B's nest with three pawns
ON_12_PAST_A, ON_1_PAST_B = [18.5, 9.5], [13.5, 8.5]


def told(table: Sitting) -> dict[str, Any]:
    return dict(say_all(table_state(table.reply), ENGLISH))


def words(table: Sitting) -> list[str]:
    return [move["words"] for move in told(table)["moves"]]


def ends(table: Sitting) -> list[tuple[list[float], list[float], bool]]:
    """Return where the way of each pawn begins and ends, and whether it is shown there already."""
    moves = told(table)["moves"]
    return [(move["trail"][0], move["trail"][-1], move["there"]) for move in moves]


def until(found: str, table: Sitting, seat: int = 0) -> Sitting:
    """Go round by NEXT until these words are on the screen."""
    for _ in range(20):
        if found in table.table.words:
            return table
        table.next(seat)
    raise AssertionError(f"never shown: {found}")


def test_it_is_told_who_sits_where_by_name_or_how_well_a_bot_plays() -> None:
    table = Sitting(settings=Settings({"player.A": "LUC red", "box.C": "club"}))
    assert told(table)["sits"] == ["LUC", "", "club bot", ""]


def capturing() -> Sitting:
    return until("to-nest(B)", thrown(CAPTURE, (6, 2), "findler"))


def captured(*path: str) -> Sitting:
    """Return a table at which A has captured, and then chosen a line of the menu."""
    table = capturing()
    table.ok(0)
    table.choose(0, *path)
    return table


def drafted() -> Sitting:
    """Return a table at which A, correcting, has put B's pawn on its entry."""
    table = captured("board", "correct", "pawns-of(B)")
    table.ok(0)
    until("B+0", table)
    table.ok(0)
    table.ok(0)
    return table


# --- what a hand moves ---------------------------------------------------------------------------


def test_a_step_that_captures_moves_two_pawns() -> None:
    table = capturing()
    assert words(table) == ["A: from 12 past A to 1 past B", "B: from 1 past B to the nest"]
    assert ends(table) == [
        (ON_12_PAST_A, ON_1_PAST_B, False),
        (ON_1_PAST_B, FREE_CIRCLE, False),
    ]


def test_a_pawn_that_goes_there_and_back_is_shown_by_way_of_home() -> None:
    table = Sitting(dice=[(6,)])
    table.resume("r6,N,N,N/N,N,N,N/-/20,N,N,N", 0, "ludo-ch")
    table.throw()
    [moved] = told(table)["moves"]
    up, row_and_tip, on = [12.5, 11.5, 10.7], [11.5 + n for n in range(8)], [18.5, 17.5]
    assert moved["trail"] == [[9.5, y] for y in (*up, *row_and_tip)] + [[8.5, y] for y in on]


def test_each_pawn_that_a_step_passes_goes_to_its_nest() -> None:
    table = Sitting(dice=[(6,)])
    table.resume("1,N,N,N/53,53,0,N/-/20,N,N,N", 0, "ludo-ch")
    table.throw()
    assert words(table) == [
        "A: from 1 past A to 13 past A",
        "B: from 2 past A to the nest",
        "B: from 2 past A to the nest",
        "D: from 3 past A to the nest",
    ]


def test_after_undo_each_pawn_is_put_back_that_stands_there_on_the_board_already() -> None:
    table = captured("undo")
    assert words(table) == ["A: from 1 past B to 12 past A"]
    assert ends(table) == [(ON_1_PAST_B, ON_12_PAST_A, True)]
    table.ok(0)
    assert words(table) == ["B: from the nest to 1 past B"]
    assert ends(table) == [(FREE_CIRCLE, ON_1_PAST_B, True)]
    table.ok(0)
    assert "A: from 1 past B to 12 past A" not in words(table)


def test_the_penaltys_pawn_goes_to_its_nest() -> None:
    table = Sitting(dice=[(4, 4)])
    table.resume("H,r3,12,N/45,45,7,N/20,3,N,N/-", 0, doublets=2)
    table.throw()
    assert words(table) == ["A: from home row 3 to the nest"]


def test_a_throw_and_the_typing_of_one_move_nothing() -> None:
    table = Sitting()
    table.resume(CAPTURE, 0)
    assert words(table) == []
    table.choose(0, "dice", "type")
    assert (words(table), told(table)["looks"], told(table)["dice"]) == ([], [], [])


def test_pawns_of_several_seats_on_a_space_are_side_by_side() -> None:
    position = ((8, 8), (47,), (34,), ())  # all on A's star
    at = [
        (seat, x, y, size) for seat, _, x, y, size in pawn_places("ludo-52", "clockwise", position)
    ]
    x, y = 2.5, 8.5
    assert at == [
        (0, x - 0.25, y - 0.25, 0.56),
        (0, x + 0.25, y - 0.25, 0.56),
        (1, x - 0.25, y + 0.25, 0.56),
        (2, x + 0.25, y + 0.25, 0.56),
    ]


# --- what is only looked at ----------------------------------------------------------------------


def test_walking_marks_each_stop_and_every_pawn_of_it_in_a_nest() -> None:
    table = captured("board", "walk")
    table.next(0)  # not all is as on the map
    seen = []
    while table.table.heading.startswith("has("):
        seen.append((*table.table.words, len(told(table)["looks"])))
        table.ok(0)
    assert seen[:3] == [
        ("pawns-on(count=2, place=nest)", 2),
        ("pawns-on(count=1, place=B+1)", 1),
        ("pawns-on(count=1, place=B+13)", 1),
    ]


def test_why_not_marks_the_pawn_and_what_stops_it_and_moves_nothing() -> None:
    table = thrown("30,12,N,N/14,14,N,N/N,N,N,N/-", (5, 6), "royal-2023")
    table.choose(0, "board", "why")
    state = told(table)
    assert (state["moves"], state["looks"] != []) == ([], True)


# --- what is drafted -----------------------------------------------------------------------------


def test_where_a_pawn_may_be_corrected_to_its_way_is_marked() -> None:
    table = captured("board", "correct", "pawns-of(B)")
    assert (words(table), len(told(table)["looks"])) == ([], 4)
    table.ok(0)
    until("B+0", table)
    assert words(table) == ["B: from the nest to B's entry"]


def test_a_draft_is_shown_as_drafted_with_the_pawn_that_was_moved() -> None:
    table = drafted()
    assert table.page.title == "A: correct"
    assert told(table)["places"][1] == ["B", "B's entry", "nest", "nest", "nest"]
    assert words(table) == ["B: from the nest to B's entry"]
    assert [there for *_, there in ends(table)] == [True]


def test_a_second_pawn_is_corrected_beside_the_first() -> None:
    table = drafted()
    table.choose(0, "pawns-of(A)")
    table.ok(0)
    assert words(table) == ["B: from the nest to B's entry"]
    assert len(told(table)["looks"]) == 2  # where A's pawns are: none has moved yet
    table.next(0)
    assert words(table) == ["A: from the nest to A's entry", "B: from the nest to B's entry"]


def test_a_draft_that_is_left_is_gone_and_one_that_is_recorded_stands() -> None:
    left, kept = drafted(), drafted()
    left.choose(0, "leave-it-as-it-was")
    kept.choose(0, "record-it")
    assert told(left)["places"][1] == ["B", *["nest"] * 4]
    assert told(kept)["places"][1] == ["B", "B's entry", "nest", "nest", "nest"]
    assert told(kept)["happened"][0][1] == "corrected: B from the nest to B's entry"


# --- whose turn, dice, board, wherever the players are --------------------------------------------


def test_whose_turn_it_is_and_the_throw_on_the_table_are_told_in_every_mode() -> None:
    lines = ((), ("undo",), ("board", "walk"), ("board", "correct"))
    for path in (*lines, ("board", "why"), ("game", "end")):
        table = captured(*path) if path else capturing()
        state = told(table)
        faces = [die["face"] for die in state["dice"]]
        assert (state["turn"], faces) == (0, [6, 2]), path


def test_nobodys_turn_it_is_while_players_join_and_when_the_game_is_over() -> None:
    table = Sitting()
    assert told(table)["turn"] is None
    table = captured("game", "end")
    table.hold_ok(0)
    assert (told(table)["turn"], told(table)["happened"][0][1]) == (None, "the game is over")


def test_while_a_throw_for_who_begins_can_be_read_it_is_still_the_throwers_turn() -> None:
    table = Sitting(dice=[(3, 3), (6, 5)])
    table.begin(0, 2)
    for seat in (0, 2):
        table.wait(2.0)
        assert (told(table)["turn"], say_all(spectator_state(table.reply), ENGLISH)["who"]) == (
            seat,
            [seat],
        )
        table.dome()
        for seconds in (0.3, 0.7, 0.7):  # the dice tumble for 0.6 s, then stand for 1.5 s
            table.wait(seconds)
            assert isinstance(table.session.mode, ShowingThrow)
            assert (
                told(table)["turn"],
                say_all(spectator_state(table.reply), ENGLISH)["who"],
            ) == (
                seat,
                [seat],
            )
    table.wait(2.0)
    assert told(table)["turn"] == 2  # whose throw was higher


def test_a_menu_while_players_join_leaves_the_pawns_of_who_joined_in_their_nests() -> None:
    table = Sitting(Setup(requests=("power-off",)))
    table.ok(0)
    table.hold_next(0)
    assert told(table)["places"] == [["A", *["nest"] * 4]]
    table.choose(0, "setup", "off")
    assert told(table)["places"] == [["A", *["nest"] * 4]]


def test_a_press_that_is_not_taken_leaves_the_board_as_it_was() -> None:
    table = capturing()
    before = told(table)
    table.refusing = "disk-full"
    table.ok(0)
    assert table.page.title == "disk-full"
    after = told(table)
    same = ("board", "pawns", "places", "dice", "turn", "happened")
    assert [after[key] for key in same] == [before[key] for key in same]


# --- whatever is pressed -------------------------------------------------------------------------


ALWAYS = {Playing, ShowingThrow, WholeMenu}
MODES = 8  # of whatever kind are met at least


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("seed", range(extent(1, soak=3)))
def test_whatever_is_pressed_the_page_follows_every_screen(seed: int) -> None:
    chance, seen = Random(seed), set[type[Mode]]()

    def follow(reply: Reply) -> None:
        json.dumps(say_all(table_state(reply), ENGLISH))
        seen.add(type(reply.session.mode))

    faces = iter(lambda: (chance.randint(1, 6), chance.randint(1, 6)), None)
    for n in range(extent(400, soak=2000)):
        if n % 40 == 0:  # out of wherever it has strayed
            table = Sitting(dice=faces, watch=follow)
            table.resume("12,N,N,N/22,5,N,N/3,N,N,N/-", 0, "findler")
            table.throw()
        kind: Kind = chance.choice(("ok", "ok", "next", "next", "dome"))
        seat = None if kind == "dome" else chance.choice((0, 0, 1, 2))
        table.press(seat, kind, chance.choice((0.1, 0.1, 0.1, 1.1)))
        table.wait(chance.choice((0.5, 1.7)))
    assert seen >= ALWAYS
    assert len(seen) >= MODES
