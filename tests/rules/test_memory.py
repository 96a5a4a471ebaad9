"""What a game remembers besides its position: in requests, in games as text and in records."""

import json
from typing import Any

import pytest

from rules.actions import Move, Stop, Throw, parse_action
from rules.game import Game, at, play
from rules.history import Record, enter, new_record, parse_entry
from rules.lines.analyse import answer
from rules.lines.jsonl import RecordError, read_lines
from rules.lines.record import GameError, game_text, parse_game
from rules.lines.sheet import parse_sheet, sheet_lines
from rules.memory import Memory
from rules.position import format_position, parse_position
from rules.ruleset import PRESETS, parse_ruleset, written_options
from rules.steps import parse_step

PARCHIS: dict[str, Any] = {
    "ruleset": "parchis",
    "position": "12,N,N,N/51,N,N,N/34,N,N,N/-",
    "seat": 0,
    "throw": [5],
}
LUDO_DE: dict[str, Any] = {
    "ruleset": "ludo-de",
    "position": "N,N,N,N/-/N,N,N,N/-",
    "seat": 0,
    "throw": [3],
}
NEWER = ("parchis", "parchis-two", "ludo-uk", "ludo-india", "ludo-de")


# --- requests and games as text ------------------------------------------------------------------

REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a pawn in the nest has not moved": (
        PARCHIS | {"last": "N"},
        "last 'N' is not a place where the seat has a pawn that has moved",
    ),
    "no pawn is there": (
        PARCHIS | {"last": "13"},
        "last '13' is not a place where the seat has a pawn that has moved",
    ),
    "a list is no place": (
        PARCHIS | {"last": ["12"]},
        "last ['12'] is not a place in quotes, such as '12'",
    ),
    "a word is no place": (
        PARCHIS | {"last": "start"},
        "last: 'start' is not a place: write N, a ring step such as 12, r1 to r7 or H",
    ),
    "the seat does not stand there": (
        PARCHIS | {"late": [[0, 3]]},
        "late: seat 3 shares no ring space 0 with another seat",
    ),
    "two can't both be last": (
        PARCHIS | {"late": [[0, 1], [0, 2]]},
        "late [[0, 1], [0, 2]] names a ring space twice",
    ),
    "a fourth try": (
        LUDO_DE | {"tries": 3},
        "tries 3 is too many: a turn has at most 3 throws without a step, this throw included",
    ),
    "a rule set without tries": (PARCHIS | {"tries": 1}, "unknown key 'tries'"),
    "a rule set without last moves": (LUDO_DE | {"last": "N"}, "unknown key 'last'"),
    "an edition of Parcheesi": (
        PARCHIS | {"ruleset": "one-die", "position": "12,N,N,N/-/N,N,N,N/-", "late": []},
        "unknown key 'late'",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_memory_that_can_not_be_is_refused_in_a_request_and_in_a_game(case: str) -> None:
    request, fault = REFUSED[case]
    assert answer(request)["error"].startswith(fault)
    with pytest.raises(GameError) as refusal:
        parse_game(json.dumps(request))
    assert str(refusal.value).startswith(fault)


@pytest.mark.parametrize("memory", [{}, {"late": [[0, 1]]}, {"last": "12"}, {"tries": 1}])
def test_a_reader_names_an_option_that_it_does_not_know(memory: dict[str, Any]) -> None:
    ruleset = {"preset": "parchis", "huffing": True}
    fault = "ruleset has no field 'huffing': fields are layout, "
    request = PARCHIS | {"ruleset": ruleset} | memory
    assert answer(request)["error"].startswith(fault)
    with pytest.raises(GameError) as refusal:
        parse_game(json.dumps(request))
    assert str(refusal.value).startswith(fault)


@pytest.mark.parametrize("preset", NEWER)
def test_a_reader_of_records_names_an_option_that_it_does_not_know(preset: str) -> None:
    options = written_options(PRESETS[preset])
    first = {"format": "pachisi-record", "version": 1, "ruleset": options, "seats": [0, 2]}
    assert [line.record.game.ruleset for line in read_lines([json.dumps(first)])] == [
        PRESETS[preset]
    ]
    sheet = list(sheet_lines([json.dumps(first)]))
    assert [json.loads(line) for line in parse_sheet(sheet)] == [first]
    unknown = first | {"ruleset": options | {"huffing": True}}
    with pytest.raises(RecordError, match="line 1: ruleset has no field 'huffing'"):
        list(read_lines([json.dumps(unknown)]))
    with pytest.raises(RecordError, match="ruleset has no field 'huffing'"):
        list(parse_sheet([*sheet, '[Rules "huffing true"]']))


# --- undo and corrections ------------------------------------------------------------------------


def entered(*entries: str, preset: str, position: str) -> Record:
    """Return the record of a game of A, B and C from a position in which A is to throw."""
    record = new_record(PRESETS[preset], (0, 1, 2))
    begun = f"correct {position} seat 0 doublets 0"
    for text in ("throw 6", "throw 1", "throw 1", begun, *entries):
        record, _ = enter(record, parse_entry(text))
    return record


def test_undo_brings_back_the_pawn_that_moved_last() -> None:
    position = "30,12,N,N/N,N,N,N/N,N,N,N/-"
    sixes = ("throw 6", "move 30-36(6)", "throw 6", "move 12-18(6)", "throw 6")
    record = entered(*sixes, preset="parchis", position=position)
    assert record.game.penalty == (0, 18)
    again = ("undo", "move 36-42(6)", "throw 6")
    record = entered(*sixes, *again, preset="parchis", position=position)
    assert record.game.penalty == (0, 42)


def test_undo_brings_back_who_came_last_to_a_shared_space() -> None:
    position = "12,N,N,N/49,N,N,N/34,N,N,N/-"  # B comes beside C on A's start
    entries = ("throw 1", "move 12-13(1)", "throw 2", "move 49-51(2)")
    assert entered(*entries, preset="parchis", position=position).game.memory.late == ((0, 1),)
    record = entered(*entries, "undo", preset="parchis", position=position)
    assert record.game.memory.late == ()


def test_undo_brings_back_the_try() -> None:
    position = "N,N,N,N/0,N,N,N/0,N,N,N/-"
    tries = ("throw 3", "stop", "throw 4", "stop")
    record = entered(*tries, preset="ludo-de", position=position)
    assert (record.game.seat, record.game.memory.tries) == (0, 2)
    record = entered(*tries, "undo", preset="ludo-de", position=position)
    assert (record.game.seat, record.game.memory.tries, record.game.throw) == (0, 1, (4,))


CHANGED: dict[str, tuple[str, Memory]] = {
    "another pawn moved": ("13,N,N,N/51,N,N,N/34,N,N,N/-", Memory(((0, 2),))),
    "one of the two moved": ("12,N,N,N/52,N,N,N/34,N,N,N/-", Memory()),
    "one of the two went home": ("12,N,N,N/51,N,N,N/H,N,N,N/-", Memory()),
}


@pytest.mark.parametrize("case", CHANGED)
def test_a_correction_forgets_last_and_tries_and_who_came_last_where_it_changes_pawns(
    case: str,
) -> None:
    position, remembered = CHANGED[case]
    game = known()
    game, _ = play(game, parse_action(f"correct {position} seat 0 doublets 1"))
    assert game.memory == remembered


def known() -> Game:
    """Return a game in which A has thrown a six, moved to 12, and C came last to A's start."""
    rules = PRESETS["parchis"]
    position = parse_position("12,N,N,N/51,N,N,N/34,N,N,N/-", rules)
    return at(rules, position, 0, 1, Memory(((0, 2),), 12))


def test_a_correction_during_a_play_keeps_the_throw_and_forgets_the_last_move() -> None:
    game, _ = play(known(), Throw((6,)))
    game, _ = play(game, Move(parse_step("12-18(6)")))
    game, _ = play(game, Throw((3,)))
    moved = "18,N,N,N/51,N,N,N/34,N,N,N/-"
    assert (format_position(game.position), game.memory.last) == (moved, 18)
    game, _ = play(game, parse_action(f"correct {moved} seat 0 doublets 2"))
    assert (game.throw, game.memory) == ((3,), Memory(((0, 2),)))


def test_the_next_turn_knows_who_came_last_but_no_last_move_and_no_try() -> None:
    game, _ = play(known(), Throw((1,)))
    game, _ = play(game, Move(parse_step("12-13(1)")))
    assert (game.seat, game.memory) == (1, Memory(((0, 2),)))


@pytest.mark.parametrize("preset", NEWER)
def test_a_game_as_text_keeps_what_the_rule_set_asks_for(preset: str) -> None:
    rules = parse_ruleset({"preset": preset, "third_doublet": "last-moved"})
    tries = 1 if rules.tries > 1 else 0
    position = parse_position("r1,N,N,N/-/N,N,N,N/-", rules)
    game = at(rules, position, 0, 1, Memory((), 101, tries))
    line = json.loads(game_text(game))
    assert (line["last"], line.get("tries", 0)) == ("r1", tries)
    assert parse_game(game_text(game)) == game
    thrown, _ = play(game, Throw((1,) * rules.dice))
    assert parse_game(game_text(thrown)) == thrown


def test_more_throws_without_a_step_than_tries_can_be_written_and_read() -> None:
    rules = PRESETS["ludo-de"]
    game = at(rules, parse_position("r4,r3,r2,39/-/N,N,N,N/-", rules), 0)
    for _ in range(4):  # six is too many for 39, but throws again
        game, _ = play(game, Throw((6,)))
        game, _ = play(game, Stop())
        assert (game.seat, parse_game(game_text(game))) == (0, game)
