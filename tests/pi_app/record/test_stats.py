"""What is counted of a game: each throw once as it was drawn, and what came of those that count."""

import json
from collections.abc import Sequence

from pi_app.record.stats import DrawnThrow, count_record
from rules.history import enter, new_record, parse_entry
from rules.position import format_position
from rules.ruleset import parse_ruleset

NEST = "N,N,N,N/-/N,N,N,N/-"


def record(ruleset: object, *entries: str) -> list[str]:
    """Return the lines of a game of A and C; `typed: throw 5 1` names a source."""
    first = {"format": "pachisi-record", "version": 1, "ruleset": ruleset, "seats": [0, 2]}
    lines, game = [json.dumps(first)], new_record(parse_ruleset(ruleset), (0, 2))
    for said in entries:
        source, _, action = said.rpartition(": ")
        game, _ = enter(game, parse_entry(action), source or None)
        line = {"action": action, "position": format_position(game.game.position)}
        lines.append(json.dumps(line | ({"source": source} if source else {})))
    return lines


def drawn(lines: Sequence[str]) -> list[DrawnThrow]:
    return list(count_record(lines).drawn)


def seats(lines: Sequence[str]) -> dict[int, dict[str, int]]:
    """Return what is counted of each seat, without what is 0."""
    return {seat: dict(+count) for seat, count in count_record(lines).seats.items()}


def test_a_throw_is_drawn_by_a_seat_from_a_source() -> None:
    lines = record("findler", "choose 0", "kernel: throw 5 1", "move N-0(5)", "move 0-1(1)")
    assert drawn(lines) == [DrawnThrow(0, "kernel", (5, 1))]
    assert drawn([*lines[:2], lines[2].replace("}", ', "at": "2026-11-21T18:02:11Z"}')]) == [
        DrawnThrow(0, "kernel", (5, 1), "2026-11-21T18:02:11Z")
    ]


def test_a_throw_that_comes_again_after_undo_was_drawn_once() -> None:
    lines = record(
        *("findler", "choose 0", "kernel: throw 2 1", "stop", "kernel: throw 5 3", "move N-0(5)"),
        *("undo", "undo", "stop", "kernel: throw 5 3", "move N-0(5)", "move 0-3(3)"),
    )
    assert drawn(lines) == [DrawnThrow(0, "kernel", (2, 1)), DrawnThrow(2, "kernel", (5, 3))]
    assert seats(lines) == {
        0: {"throws": 1, "waited": 1},
        2: {"throws": 1, "entries": 1},
    }


def test_a_throw_that_undo_made_void_was_drawn_and_counts_for_nobody() -> None:
    lines = record(
        *("findler", "choose 0", "kernel: throw 2 1", "stop", "kernel: throw 5 3", "undo", "undo"),
        *("choose 2", "kernel: throw 6 1", "stop"),
    )
    assert [one.faces for one in drawn(lines)] == [(2, 1), (5, 3), (6, 1)]
    assert seats(lines) == {0: {}, 2: {"throws": 1, "waited": 1}}


def test_a_throw_that_was_typed_again_is_the_one_it_was_at_last() -> None:
    lines = record("findler", "choose 0", "typed: throw 2 1", "retype 5 3", "move N-0(5)")
    assert drawn(lines) == [DrawnThrow(0, "typed", (5, 3))]
    assert seats(lines) == {0: {"throws": 1, "entries": 1}, 2: {}}


def test_a_throw_that_a_correction_lets_wait_is_counted_once() -> None:
    there, back = (f"correct {NEST} seat {seat} doublets 0" for seat in (2, 0))
    lines = record("findler", "choose 0", "kernel: throw 2 1", there, back, "throw 2 1", "stop")
    assert drawn(lines) == [DrawnThrow(0, "kernel", (2, 1))]
    assert seats(lines)[0] == {"throws": 1, "waited": 1}


def test_a_throw_that_undo_and_then_a_correction_let_wait_is_counted_too() -> None:
    there, back = (f"correct {NEST} seat {seat} doublets 0" for seat in (2, 0))
    undone = ("kernel: throw 2 1", "undo", "choose 0", there, back)
    lines = record("findler", "choose 0", *undone, "throw 2 1", "stop")
    assert drawn(lines) == [DrawnThrow(0, "kernel", (2, 1))]
    assert seats(lines)[0] == {"throws": 1, "waited": 1}


def test_throws_for_who_begins_are_drawn_but_are_nobodys_turn() -> None:
    lines = record("royal-2023", "kernel: throw 6 5", "kernel: throw 2 1", "chamber: throw 1 1")
    assert [one.source for one in drawn(lines)] == ["kernel", "kernel", "chamber"]
    assert seats(lines) == {0: {"throws": 1, "doublets": 1, "waited": 1}, 2: {}}


def test_the_sum_of_unlike_dice_is_an_entry_number_where_the_rules_have_it_so() -> None:
    assert seats(record("findler", "choose 0", "throw 4 1"))[0]["entries"] == 1
    assert "entries" not in seats(record("mb-total", "throw 4 1", "throw 2 1", "throw 3 2"))[0]
    assert seats(record("mb-total", "throw 4 1", "throw 2 1", "throw 3 4"))[0]["entries"] == 1


def test_a_capture_is_counted_for_both_unless_undo_took_it_back() -> None:
    there = "correct 1,N,N,N/-/33,N,N,N/- seat 2 doublets 0"
    capture = record("findler", "choose 0", there, "throw 2 4", "move 33-35(2)x")
    assert seats(capture) == {0: {"captured": 1}, 2: {"throws": 1, "captures": 1}}
    undone = record("findler", "choose 0", there, "throw 2 4", "move 33-35(2)x", "undo")
    assert seats(undone) == {0: {}, 2: {"throws": 1}}


def test_a_capture_of_a_turn_that_was_undone_is_counted_for_nobody() -> None:
    rules = {"preset": "ludo-india", "third_doublet": "undo-turn", "starter": "choose"}
    there = "correct 21,N,N,N/-/1,N,N,N/- seat 0 doublets 0"
    sixes = ("throw 6", "move 21-27(6)x", "throw 6", "move 27-33(6)", "throw 6")
    assert seats(record(rules, "choose 0", there, *sixes))[2] == {"captured": 1}
    assert seats(record(rules, "choose 0", there, *sixes, "stop"))[2] == {}


def test_a_pawn_in_the_goal_is_home_so_that_a_seat_can_wait_beside_it() -> None:
    there = "correct r4,N,N,N/-/0,N,N,N/- seat 0 doublets 0"
    lines = record("ludo-de", "throw 6", "throw 1", there, "throw 3", "stop")
    assert seats(lines)[0] == {"throws": 1, "waited": 1}


def test_a_second_number_that_enters_is_an_entry_number_too() -> None:
    rules = {"preset": "ludo-uk", "entry_also": 1}
    assert seats(record(rules, "throw 6", "throw 1", "throw 1"))[0]["entries"] == 1
