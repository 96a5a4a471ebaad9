"""What a game remembers besides its position: in requests, in games as text and in records."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from rules.actions import Correct, Leave, Move, Stop, Throw, parse_action
from rules.board import NEST, board
from rules.facts import Fact, Penalized, PutBack, TurnOf
from rules.game import Game, Phase, at, play
from rules.history import Record, enter, new_record, parse_entry
from rules.lines.analyse import answer
from rules.lines.jsonl import RecordError, read_lines
from rules.lines.record import GameError, game_text, parse_game
from rules.lines.sheet import parse_sheet, sheet_lines
from rules.memory import Memory
from rules.position import Position, format_position, order_pawns, parse_position
from rules.ruleset import PRESETS, RuleSet, parse_ruleset, written_options
from rules.steps import parse_step
from tests.rules.moments import any_choices, drawn

PARCHIS: dict[str, Any] = {
    "ruleset": "parchis",
    "position": "12,N,N,N/51,N,N,N/34,N,N,N/-",
    "seat": 0,
    "throw": [5],
}
UNDO = PARCHIS | {"ruleset": {"preset": "parchis", "third_doublet": "undo-turn"}}
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
    "no position": (UNDO | {"began": 5}, "position 5 is not a string such as"),
    "a beginning with another seat": (
        UNDO | {"began": "12,N,N,N/-/34,N,N,N/-"},
        "began has other seats, or others that have won, than the position",
    ),
    "a beginning in which a seat has won": (
        UNDO | {"began": "12,N,N,N/51,N,N,N/H,H,H,H/-"},
        "began has other seats, or others that have won, than the position",
    ),
    "nobody came last then": (
        UNDO | {"began": "12,N,N,N/N,N,N,N/34,N,N,N/-", "began_late": [[0, 2]]},
        "began_late: seat 2 shares no ring space 0 with another seat",
    ),
    "a rule set that undoes no turn": (
        PARCHIS | {"began": "12,N,N,N/51,N,N,N/34,N,N,N/-"},
        "unknown key 'began'",
    ),
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
    assert record.game.put_back == (PutBack(0, 18, NEST),)
    again = ("undo", "move 36-42(6)", "throw 6")
    record = entered(*sixes, *again, preset="parchis", position=position)
    assert record.game.put_back == (PutBack(0, 42, NEST),)


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


# --- a third doublet that undoes the turn --------------------------------------------------------

UNDOES = replace(PRESETS["parchis"], third_doublet="undo-turn")


@pytest.mark.parametrize(
    ("ruleset", "doublets", "position", "began", "results", "penalty"),
    [
        ("ludo-uk", 2, "18,N,N,N/-/N,N,N,N/-", "6,N,N,N/-/38,N,N,N/-", None, "undo-turn"),
        ("ludo-uk", 2, "18,N,N,N/-/N,N,N,N/-", "18,N,N,N/-/N,N,N,N/-", None, "undo-turn"),
        ("parchis", 1, "18,N,N,N/-/N,N,N,N/-", "6,N,N,N/-/N,N,N,N/-", "24,N,N,N/-/N,N,N,N/-", None),
    ],
)
def test_a_request_tells_where_the_turn_began(
    ruleset: str, doublets: int, position: str, began: str, results: str | None, penalty: str | None
) -> None:
    request = {
        "ruleset": {"preset": ruleset, "third_doublet": "undo-turn"},
        "position": position,
        "seat": 0,
        "throw": [6],
        "doublets": doublets,
        "began": began,
    }
    found = answer(request)
    assert (found["results"], found["penalty"]) == ([results or began], penalty)
    assert found["again"] is (penalty is None)
    del request["began"]
    assert answer(request)["results"] == [results or position]


def a_turn(*entries: str) -> Record:
    """Return the record of A's turn; on A's entry D came last, beside B."""
    position = "12,N,N,N/51,N,N,N/N,N,N,N/17,N,N,N"
    game = at(UNDOES, parse_position(position, UNDOES), 0, 0, Memory(((0, 3),)))
    record = Record(game, host=0)
    for entry in entries:
        record, _ = enter(record, parse_entry(entry))
    return record


def test_all_that_the_turn_has_moved_is_put_back_with_who_came_last() -> None:
    sixes = a_turn("throw 6", "move 12-18(6)", "throw 6", "move 18-24(6)", "throw 6")
    assert sixes.game.put_back == (PutBack(0, 24, 12),)
    for game in (sixes.game, parse_game(game_text(sixes.game))):
        after, facts = play(game, Stop())
        assert facts == (Penalized(0, None), PutBack(0, 24, 12), TurnOf(1))
        assert after == a_turn().game._replace(seat=1, turns=2, throws=3)


def test_a_shared_space_that_was_left_is_shared_again_as_before() -> None:
    """A pawn of A leaves the safety space on which C came last, beside it."""
    position = "34,N,N,N/N,N,N,N/0,N,N,N/N,N,N,N"
    game = at(UNDOES, parse_position(position, UNDOES), 0, 1, Memory(((34, 2),)))
    for action in ("throw 6", "move 34-40(6)"):
        game, _ = play(game, parse_action(action))
    line = json.loads(game_text(game))
    assert (line["began"], line["began_late"], line.get("late")) == (position, [[34, 2]], None)
    assert parse_game(json.dumps(line)) == game
    game, _ = play(game, Throw((6,)))
    game, _ = play(game, Stop())
    assert (format_position(game.position), game.memory) == (position, Memory(((34, 2),)))


def test_a_correction_is_where_the_turn_began() -> None:
    corrected = "20,N,N,N/51,N,N,N/N,N,N,N/17,N,N,N"
    record = a_turn(
        "throw 6",
        "move 12-18(6)",
        f"correct {corrected} seat 0 doublets 1",
        "throw 6",
        "move 20-26(6)",
    )
    assert record.game.memory.began == parse_position(corrected, UNDOES)


def test_who_leaves_was_not_there_when_the_turn_began() -> None:
    record = a_turn("throw 6", "move 12-18(6)", "leave 3")
    assert record.game.memory.began_late is None
    assert json.loads(game_text(record.game))["began"] == "12,N,N,N/51,N,N,N/N,N,N,N/-"


def test_undo_of_it_lays_the_third_doublet_on_the_table_again() -> None:
    sixes = ("throw 6", "move 12-18(6)", "throw 6", "move 18-24(6)", "throw 6")
    before, after = a_turn(*sixes), a_turn(*sixes, "stop", "throw 2", "undo")
    assert after.game == before.game
    assert [one.throw.faces for one in after.waiting] == [(2,)]


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["parchis", "parchis-two", "ludo-india", "ludo-uk", "findler"])
def test_whatever_the_turn_moved_is_undone_and_every_game_reads_back(preset: str) -> None:
    rules = replace(PRESETS[preset], third_doublet="undo-turn")
    undone = 0
    for seed in range(10):
        rng = random.Random(f"{preset} {seed}")
        game = drawn(rules, rng, preset)
        began = game.position
        for _ in range(60):
            if game.phase is Phase.OVER:
                break
            action = rng.choice(any_choices(game, rng))
            if isinstance(action, Throw) and rng.random() < 0.5:
                action = Throw((6,) * game.dice)
            before, (game, facts) = game, play(game, action)
            assert parse_game(game_text(game)) == game
            if before.phase is Phase.PENALTY and isinstance(action, Stop):
                assert game.position == began
                assert put_back(before.position, facts, rules) == began
                undone += began != before.position
            if game.turns != before.turns or isinstance(action, Correct):
                began = game.position
            elif isinstance(action, Leave):
                a, b, c, d = (then if seat in game.seats else () for seat, then in enumerate(began))
                began = a, b, c, d
    assert undone


def put_back(position: Position, facts: tuple[Fact, ...], rules: RuleSet) -> Position:
    """Return a position after its pawns were put back by hand, as the facts say."""
    pawns = list(map(list, position))
    for fact in facts:
        if isinstance(fact, PutBack):
            pawns[fact.seat].remove(fact.origin)
            pawns[fact.seat].append(fact.target)
    a, b, c, d = (order_pawns(tuple(own), board(rules.layout)) for own in pawns)
    return a, b, c, d
