"""A game with its past: corrections, leaving, throws typed anew, and never a throw twice."""

import json
import random
from collections import defaultdict
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.actions import Correct, Leave, Move, Stop, Throw
from rules.board import NEST
from rules.facts import PutBack
from rules.game import IllegalAction, Phase, at
from rules.history import (
    Entry,
    Record,
    Retype,
    Undo,
    enter,
    new_record,
    parse_entry,
)
from rules.lines.record import game_text, parse_game
from rules.lines.sheet import parse_sheet, sheet_lines
from rules.position import format_position, parse_position
from rules.ruleset import PRESETS, RuleSet
from rules.steps import parse_step
from tests.asked import extent
from tests.rules import draw
from tests.rules.from_the_texts import options_of

BEGUN = "N,N,N,N/-/N,N,N,N/-"


def told(*entries: str, ruleset: str = "findler", seats: tuple[int, ...] = (0, 2)) -> Record:
    """Return the record after these entries; `throw 5 3 from typed` names a throw's source."""
    record = new_record(PRESETS[ruleset], seats)
    for text in entries:
        action, _, source = text.partition(" from ")
        record, _ = enter(record, parse_entry(action), source or None)
    return record


def stands(record: Record) -> tuple[str, int, int, tuple[int, ...]]:
    game = record.game
    return format_position(game.position), game.seat, game.doublets, game.throw


def waiting(record: Record) -> list[tuple[int, tuple[int, ...]]]:
    return [(one.seat, one.throw.faces) for one in record.waiting]


# --- corrections ---------------------------------------------------------------------------------


def test_a_correction_keeps_the_throw_and_its_play_starts_anew() -> None:
    record = told(
        "choose 0",
        "throw 5 3",
        "move N-0(5)",
        "correct 12,N,N,N/-/N,N,N,N/- seat 0 doublets 0",
    )
    assert stands(record) == ("12,N,N,N/-/N,N,N,N/-", 0, 0, (5, 3))
    assert record.game.increments == ((5, False), (3, False))
    assert (record.game.throws, record.ready) == (1, None)


def test_a_bonus_earned_before_a_correction_is_gone() -> None:
    record = told("choose 0", "correct 12,N,N,N/-/49,N,N,N/- seat 0 doublets 0", "throw 3 1")
    record, _ = enter(record, parse_entry("move 12-15(3)x"))
    assert record.game.bonuses == (20,)
    record, _ = enter(record, Correct("15,N,N,N/-/N,N,N,N/-", 0, 0))
    assert record.game.bonuses == ()
    assert record.game.increments == ((3, False), (1, False))


@pytest.mark.parametrize("turn", ["seat 2 doublets 0", "seat 0 doublets 1"])
def test_where_the_seat_or_its_doublets_change_the_throw_waits(turn: str) -> None:
    record = told("choose 0", "throw 5 3 from kernel", f"correct {BEGUN} {turn}")
    assert record.game.phase is Phase.THROW
    assert [(w.seat, w.throw.faces, w.source) for w in record.waiting] == [(0, (5, 3), "kernel")]


def test_it_comes_back_to_its_seat_though_another_has_thrown_since() -> None:
    record = told("choose 0", "throw 5 3", f"correct {BEGUN} seat 2 doublets 0")
    assert record.ready is None
    record, _ = enter(record, Throw((6, 1)))
    record, _ = enter(record, Stop())
    assert record.game.seat == 0
    with pytest.raises(IllegalAction, match="seat 0 has thrown, throw 5 3"):
        enter(record, Throw((6, 6)))
    record, _ = enter(record, Throw((5, 3)))
    assert record.waiting == ()


def test_corrected_back_to_its_seat_it_has_to_be_that_throw() -> None:
    there = f"correct {BEGUN} seat 2 doublets 0"
    back = f"correct {BEGUN} seat 0 doublets 0"
    record = told("choose 0", "throw 5 3", there, "throw 6 1", back)
    assert record.ready is not None
    assert record.ready.throw == Throw((5, 3))
    record, _ = enter(record, Throw((5, 3)))
    record, _ = enter(record, parse_entry(there))
    assert sorted(waiting(record)) == [(0, (5, 3)), (2, (6, 1))]


def test_throws_that_waited_after_undo_are_kept_by_a_correction_too() -> None:
    record = told("choose 0", "throw 6 4", "undo", "choose 2")
    assert record.ready is None
    record, _ = enter(record, Correct(BEGUN, 0, 0))
    record, _ = enter(record, Correct(BEGUN, 2, 0))
    record, _ = enter(record, Throw((1, 2)))
    assert waiting(record) == [(0, (6, 4))]


def test_undo_takes_a_correction_back_and_the_throw_lies_there_again() -> None:
    before = told("choose 0", "throw 5 3 from kernel")
    record, _ = enter(before, Correct(BEGUN, 2, 0))
    record, _ = enter(record, Throw((6, 1)), "kernel")
    record, _ = enter(record, Undo())
    assert record.game == before.game
    assert waiting(record) == [(2, (6, 1))]


def test_throws_after_a_kept_one_wait_in_their_order_too() -> None:
    begun = ("throw 6 4", "throw 2 1", "throw 1 2", "stop", "throw 1 3")
    later = ("throw 1 6", "stop", "throw 1 3", "stop", "throw 2 4", "stop")
    to_a = f"correct {BEGUN} seat 0 doublets 0"
    record = told(*begun, to_a, *later, *["undo"] * 3, ruleset="royal-2023")
    assert (record.game.throw, waiting(record)) == ((1, 6), [(2, (1, 3)), (0, (2, 4))])
    record, _ = enter(record, Stop())
    record, _ = enter(record, Throw((1, 3)))
    record, _ = enter(record, Stop())
    assert record.ready is not None
    assert record.ready[:2] == (0, Throw((2, 4)))


def test_a_throw_that_is_passed_over_is_void_with_those_after_it() -> None:
    position = "10,N,N,N/-/33,5,N,N/-"  # C may capture with a 3, and then throws again
    to_c = (f"correct {position} seat {seat} doublets 0" for seat in (0, 2))
    begun = ("throw 6", "throw 1", next(to_c), "throw 1", next(to_c))
    captures = ("throw 3", "move 33-36(3)x", "throw 2", "move 36-38(2)", "throw 1", "stop")
    undone = ("throw 4", "move 5-9(4)", *["undo"] * 4)
    record = told(*begun, *captures, *undone, ruleset="ludo-india")
    assert waiting(record) == [(2, (2,)), (0, (1,)), (2, (4,))]
    record, _ = enter(record, parse_entry("move 5-8(3)"))
    record, _ = enter(record, Throw((1,)))
    assert waiting(record) == []


def test_a_throw_after_a_correction_that_is_undone_waits_for_its_seat() -> None:
    position = "N,N,N,N/N,N,N,N/N,N,N,N/-"
    begun = ("choose 0", "throw 1 2", f"correct {position} seat 1 doublets 0", "throw 1 3", "undo")
    record = told(*begun, "stop", "throw 6 1", "stop", seats=(0, 1, 2))
    assert record.ready is not None
    assert record.ready[:2] == (1, Throw((1, 3)))


def test_undo_of_a_correction_of_pawns_takes_no_throw_that_waits() -> None:
    begun = ("choose 0", "throw 1 2", "stop", "throw 1 3", "stop", "throw 1 2", *["undo"] * 2)
    record = told(*begun, f"correct {BEGUN} seat 0 doublets 0", "undo")
    assert waiting(record) == [(2, (1, 3)), (0, (1, 2))]


def drawn_entry(record: Record, rng: random.Random) -> Entry:
    """Return an entry that is legal now, often undo or a correction of the turn."""
    game, kind = record.game, rng.random()
    if record.undoable and (kind < 0.25 or game.phase is Phase.OVER):
        return Undo()
    if kind < 0.35 and game.phase is not Phase.OVER:
        seat = rng.choice([seat for seat in game.seats if seat not in game.places])
        return Correct(format_position(game.position), seat, rng.choice((0, 1)))
    if game.phase is Phase.THROW:
        return Throw(tuple(rng.randint(1, 6) for _ in range(game.dice)))
    may_stop = game.phase is Phase.PENALTY or game.may_stop
    steps: list[Entry] = [*map(Move, game.steps), *[Stop()] * may_stop]
    return rng.choice(steps)


def dice_decide(ruleset: RuleSet) -> bool:
    """Whether the dice alone decide who throws next, and no choice of a step does."""
    by_step = ruleset.again_capture or ruleset.again_home or ruleset.tries > 1
    return ruleset.again != "if-all-used" and not by_step


def throws_made(record: Record, seat: int) -> int:
    """Return how many throws a seat has made, without those that wait."""
    own = [done for done in record.past if done.before.seat == seat]
    throws = sum(isinstance(done.action, Throw) for done in own)
    return throws - sum(bool(done.changes_turn and done.before.throw) for done in own)


@given(
    preset=st.sampled_from([name for name in PRESETS if dice_decide(PRESETS[name])]),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=extent(30, soak=100), deadline=None)
def test_however_often_undone_and_corrected_a_seat_gets_its_throws_again(
    preset: str, seed: int
) -> None:
    rng, thrown = random.Random(seed), defaultdict[int, list[Throw]](list)
    text, seat = draw.position(rng, options_of(preset))
    record = Record(at(PRESETS[preset], parse_position(text, PRESETS[preset]), seat), host=seat)
    for _ in range(80):
        seat, entry = record.game.seat, drawn_entry(record, rng)
        if isinstance(entry, Throw):
            entry = entry if record.ready is None else record.ready.throw
            number = throws_made(record, seat)
            known = thrown[seat]
            known += [entry] * (number == len(known))
            assert entry == known[number]
        record, _ = enter(record, entry)


def test_the_third_doublet_stays_one_and_sends_the_corrected_pawn_back() -> None:
    begun = (f"correct {BEGUN} seat 0 doublets 2", "throw 4 4")
    record = told("throw 6 6", "throw 1 1", *begun, ruleset="royal-2023")
    assert record.game.phase is Phase.PENALTY
    record, _ = enter(record, Correct("3,N,N,N/-/N,N,N,N/-", 0, 2))
    assert record.game.put_back == (PutBack(0, 3, NEST),)


def test_who_is_home_by_a_correction_has_won() -> None:
    record = told("choose 0", "correct H,H,H,H/-/N,N,N,N/- seat 2 doublets 0")
    assert (record.game.phase, record.game.places) == (Phase.OVER, (0,))


@pytest.mark.parametrize(
    ("correction", "why"),
    [
        (f"{BEGUN} seat 1 doublets 0", "seat 1 is empty or has won"),
        ("H,H,H,H/-/N,N,N,N/- seat 0 doublets 0", "seat 0 is empty or has won"),
        ("N,N,N,N/N,N,N,N/N,N,N,N/- seat 0 doublets 0", "the seats that play are"),
        ("5,5,5,N/-/N,N,N,N/- seat 0 doublets 0", "correct does not fit: .*3 pawns"),
        ("34,N,N,N/-/0,N,N,N/- seat 0 doublets 0", "correct does not fit: .*seats 0 and 2"),
    ],
)
def test_a_position_that_can_not_stand_is_no_correction(correction: str, why: str) -> None:
    with pytest.raises(IllegalAction, match=why):
        enter(told("choose 0"), parse_entry(f"correct {correction}"))


def test_before_anybody_has_begun_and_after_the_end_nothing_can_be_corrected() -> None:
    for record in (told(), told("choose 0", "end")):
        with pytest.raises(IllegalAction, match="the game is at"):
            enter(record, Correct(BEGUN, 0, 0))


# --- leaving -------------------------------------------------------------------------------------


def test_who_leaves_takes_the_pawns_along_and_the_turn_passes_on() -> None:
    record = told("choose 1", "throw 5 3", "leave 1", seats=(0, 1, 3))
    assert (stands(record)[0], stands(record)[3]) == ("N,N,N,N/-/-/N,N,N,N", ())
    assert (record.game.seats, record.game.phase) == ((0, 3), Phase.THROW)


def test_when_another_seat_leaves_the_throw_stays() -> None:
    record = told("choose 0", "throw 5 3", "leave 3", seats=(0, 1, 3))
    assert stands(record) == ("N,N,N,N/N,N,N,N/-/-", 0, 0, (5, 3))
    assert [str(step) for step in record.game.steps] == ["N-0(5)"]
    assert record.game.throws == 1


def test_in_the_middle_of_a_play_no_other_seat_leaves() -> None:
    record = told("choose 0", "throw 5 3", "move N-0(5)", seats=(0, 1, 3))
    with pytest.raises(IllegalAction, match="seat 0 is in the middle of its play"):
        enter(record, Leave(3))
    assert enter(record, Leave(0))[0].game.seats == (1, 3)


def test_the_last_one_left_has_won() -> None:
    record = told("choose 0", "leave 0")
    assert (record.game.phase, record.game.places) == (Phase.OVER, (2,))
    assert parse_game(game_text(record.game)) == record.game


def test_before_anybody_has_begun_nobody_leaves() -> None:
    for ruleset in ("findler", "royal-2023"):
        with pytest.raises(IllegalAction, match="the game is at"):
            enter(told(ruleset=ruleset, seats=(0, 1, 3)), Leave(3))


def test_leaving_is_undone_like_any_choice() -> None:
    before = told("choose 1", "throw 5 3", seats=(0, 1, 3))
    assert enter(enter(before, Leave(1))[0], Undo())[0].game == before.game


# --- throws typed in -----------------------------------------------------------------------------


def test_a_typed_throw_is_typed_anew_until_the_first_step() -> None:
    record = told("choose 0", "throw 5 3 from typed", "retype 5 4")
    assert (record.game.throw, record.game.throws) == ((5, 4), 1)
    assert enter(record, Retype((5, 5)))[0].game.throw == (5, 5)
    record, _ = enter(record, parse_entry("move N-0(5)"))
    with pytest.raises(IllegalAction, match="not a throw that was typed in"):
        enter(record, Retype((5, 5)))


def test_no_other_throw_is_typed_anew() -> None:
    with pytest.raises(IllegalAction, match="not a throw that was typed in"):
        enter(told("choose 0", "throw 5 3 from kernel"), Retype((6, 6)))


@pytest.mark.parametrize("text", ["retype", "retype 7 1", "retype 5  4", "retype 5 4 ", "undo "])
def test_a_text_that_is_no_entry_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not an action"):
        parse_entry(text)


# --- steps whose target is not where the number ends ----------------------------------------------


@pytest.mark.parametrize(
    ("preset", "position", "step", "after"),
    [
        ("petits-chevaux", "50,N,N,N/-/N,N,N,N/-", "50-54(6)", "54,N,N,N/-/N,N,N,N/-"),
        ("petits-chevaux", "54,N,N,N/-/N,N,N,N/-", "54-54(2)", "54,N,N,N/-/N,N,N,N/-"),
        ("petits-chevaux", "52,N,N,N/-/26,N,N,N/-", "52-53(4)", "53,N,N,N/-/26,N,N,N/-"),
        ("petits-chevaux", "r6,30,N,N/-/N,N,N,N/-", "r6-H(6)", "H,30,N,N/-/N,N,N,N/-"),
        ("ludo-dk", "10,N,N,N/-/39,N,N,N/-", "10-N(3)", "N,N,N,N/-/39,N,N,N/-"),
        ("ludo-dk", "44,N,N,N/-/24,N,N,N/-", "44-H(6)x", "H,N,N,N/-/N,N,N,N/-"),
        ("ludo-dk", "2,N,N,N/-/37,37,30,N/-", "2-N(2)x", "N,N,N,N/-/37,37,N,N/-"),
        ("ludo-ch", "40,N,N,N/-/11,11,9,N/-", "40-52(12)x", "52,N,N,N/-/N,N,N,N/-"),
    ],
)
def test_undo_takes_back_all_that_a_step_has_moved_and_its_sheet_says_it(
    preset: str, position: str, step: str, after: str
) -> None:
    number = parse_step(step).spent.replace("12", "6")
    begun = ("throw 6", "throw 1", f"correct {position} seat 0 doublets 0", f"throw {number}")
    record = told(*begun, ruleset=preset)
    moved, _ = enter(record, parse_entry(f"move {step}"))
    assert format_position(moved.game.position) == after
    assert enter(moved, parse_entry("undo"))[0].game == record.game
    first = {"format": "pachisi-record", "version": 1, "ruleset": preset, "seats": [0, 2]}
    games = [*(one.before for one in moved.past[1:]), moved.game]
    positions = [format_position(game.position) for game in games]
    actions = zip(moved.past, positions, strict=True)
    lines = [{"action": str(done.action), "position": position} for done, position in actions]
    text = list(map(json.dumps, [first, *lines]))
    assert f" {step}" in "\n".join(sheet_lines(text))
    assert list(parse_sheet(sheet_lines(text))) == text


# --- where dice come from ------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["magic", "", True, ["kernel"]])
def test_dice_come_from_a_source_that_a_record_knows(source: Any) -> None:
    record = told("choose 0")
    with pytest.raises(IllegalAction, match="is not one of kernel, typed, chamber, simulated"):
        enter(record, Throw((5, 3)), source)
