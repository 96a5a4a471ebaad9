"""Reasons named for steps that are not legal, held against positions drawn for every preset."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

from rules.actions import Throw, parse_action
from rules.board import HOME, NEST, SEAT_LETTERS, board, place_text
from rules.game import Game, Phase, at, play
from rules.plays.plays import plays_of
from rules.plays.situation import State
from rules.plays.stepper import Stepper
from rules.position import Position, parse_position
from rules.questions.explain import explain, explain_step, what_stops
from rules.questions.reasons import Rule, words
from rules.ruleset import PRESETS, RuleSet, parse_ruleset
from rules.steps import Step
from tests.asked import extent
from tests.rules import draw
from tests.rules.editions import PARCHEESI

DRAWS = 30


class Refusal(NamedTuple):
    """A step that is not legal, where it was asked and what was said."""

    ruleset: RuleSet
    position: Position
    seat: int
    step: Step
    said: str


@cache
def refusals(preset: str) -> tuple[Refusal, ...]:
    """Every step that a hand could write and the rules refuse, some steps into drawn throws."""
    return tuple(refused(preset))


def refused(preset: str) -> Iterator[Refusal]:
    rng = random.Random(preset)
    for _ in range(DRAWS):
        asked = draw.request(rng, preset)
        position = parse_position(asked["position"], PRESETS[preset])
        plays = plays_of(PRESETS[preset], position, asked["seat"], tuple(asked["throw"]))
        stepper, state = plays.stepper, plays.start
        while plays.steps(state) and rng.random() < 0.5:
            state = plays.steps(state)[rng.choice(sorted(plays.steps(state)))]
        for step in sorted(written(stepper, state) - plays.steps(state).keys()):
            now, said = stepper.position_after(state), explain_step(plays, state, str(step))
            yield Refusal(PRESETS[preset], now, asked["seat"], step, said)


def written(stepper: Stepper, state: State) -> set[Step]:
    numbers = {str(number): number for number in (*stepper.increments, 20, 10)}
    if stepper.grant:
        numbers = {"5": 5, "20": 20} | {f"{size}/14": size for size in (1, 5, 9, 14)}
    elif stepper.unlike:
        high, low = sorted(stepper.increments, reverse=True)
        numbers |= {f"{high}+{low}": high + low, f"{low},{high}": high + low}
    return {
        Step(origin, target, spent, captures)
        for origin in set(stepper.position_after(state)[stepper.seat])
        for spent, number in numbers.items()
        for target in targets(stepper, origin, number)
        for captures in (False, True)
    }


def targets(stepper: Stepper, origin: int, spaces: int) -> set[int]:
    if origin in (NEST, HOME):
        return {0} if origin == NEST else {HOME}
    return {HOME, 7} | {route.target for route in stepper.terrain.routes[origin][spaces]}


def standing(refusal: Refusal, name: str) -> dict[str, int]:
    """How many pawns each seat has on a space that players call so."""
    on, row = board(refusal.ruleset.layout), re.fullmatch(r"home row (\d)", name)
    if row:
        own = [place_text(place) for place in refusal.position[refusal.seat]]
        return {SEAT_LETTERS[refusal.seat]: own.count(f"r{row[1]}")}
    past, letter = re.fullmatch(r"(?:(\d+) past )?([A-D])(?:'s entry)?", name).groups()  # type: ignore[union-attr]
    space = (SEAT_LETTERS.index(letter) * on.arm + int(past or 0)) % on.ring
    pawns = ((seat, place) for seat in range(4) for place in refusal.position[seat])
    holders = [SEAT_LETTERS[seat] for seat, place in pawns if on.space(seat, place) == space]
    return {holder: holders.count(holder) for holder in holders}


NAMED = {
    r"([A-D])'s(?: own)? blockade on (.*) bars": 2,
    r"([A-D])'s blockade stands on (.*) \(": 2,
    r"two pawns of ([A-D]) stand on (.*) already": 2,
    r"([A-D]) holds the safety space on (.*) \(": 1,
}


@pytest.mark.slow
def test_who_is_said_to_stand_somewhere_stands_there() -> None:
    met = Counter[tuple[str, str]]()
    for preset in PARCHEESI:
        for refusal in refusals(preset):
            for pattern, count in NAMED.items():
                match = re.search(pattern, refusal.said)
                if match:
                    met[preset, pattern] += 1
                    assert standing(refusal, match[2]) == {match[1]: count}, refusal
    assert {preset for preset, _ in met} == set(PARCHEESI)
    assert {pattern for _, pattern in met} == set(NAMED)


@pytest.mark.slow
@pytest.mark.parametrize("pattern", NAMED)
def test_each_way_to_say_who_stands_somewhere_is_met(pattern: str) -> None:
    said = (refusal.said for preset in PARCHEESI for refusal in refusals(preset))
    assert any(re.search(pattern, text) for text in said)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PARCHEESI)
def test_every_refused_step_has_a_reason_in_one_short_line(preset: str) -> None:
    for refusal in refusals(preset):
        assert "not among the legal steps" not in refusal.said, refusal
        assert "\n" not in refusal.said
        assert len(refusal.said) < 100


@pytest.mark.slow
@pytest.mark.parametrize("preset", PARCHEESI)
def test_an_exact_count_is_asked_only_of_a_pawn_that_has_another(preset: str) -> None:
    for refusal in refusals(preset):
        match = re.search(r"exact count: (\S+) needs (\d+), not (\d+)", refusal.said)
        if match:
            to_go = board(refusal.ruleset.layout).spaces_to_go(refusal.step.origin)
            assert (match[1], int(match[2])) == (place_text(refusal.step.origin), to_go)
            assert match[2] != match[3], refusal


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("preset", PARCHEESI)
def test_a_throw_that_moves_nothing_has_a_reason_for_each_increment(preset: str) -> None:
    rng, stuck = random.Random(preset), 0
    for _ in range(extent(75, soak=500)):
        asked = draw.request(rng, preset)
        position = parse_position(asked["position"], PRESETS[preset])
        game, _ = play(at(PRESETS[preset], position, asked["seat"]), Throw(tuple(asked["throw"])))
        if game.phase is Phase.MOVE and not game.steps:
            stuck += 1
            for spaces, _ in game.increments:
                rules = {reason.rule for reason in what_stops(game, spaces)}
                assert rules, asked
                assert not rules & {Rule.NOT_THROWN, Rule.WASTES, Rule.WASTES_GRANT}, asked
    assert stuck


def thrown(ruleset: str, position: str, throw: str, doublets: int = 0) -> Game:
    rules = PRESETS[ruleset]
    game = at(rules, parse_position(position, rules), 0, doublets)
    return play(game, parse_action(f"throw {throw}"))[0]


@pytest.mark.parametrize(
    ("ruleset", "throw", "spaces", "bonus", "said"),
    [
        ("sr-1942", "4 3", 21, False, "21 is not in the throw: open is 4, 3"),
        ("sr-1942", "4 3", 5, False, "5 is not in the throw: open is 4, 3"),
        ("sr-1942", "4 3", 4, True, "4 is not in the throw: open is 4, 3"),
        ("sr-1942", "4 3", -1, False, "-1 is not in the throw: open is 4, 3"),
        ("tr-1960", "4 4", 8, False, "8 is not in the throw: open is 14"),
        ("mb-total", "4 3", 4, False, "4 is not in the throw: open is 7"),
    ],
)
def test_an_increment_that_is_not_open_is_said_to_be_so(
    ruleset: str, throw: str, spaces: int, bonus: bool, said: str
) -> None:
    game = thrown(ruleset, "12,3,N,N/-/N,N,N,N/-", throw)
    assert [words(reason) for reason in what_stops(game, spaces, bonus)] == [said]


def test_at_a_penalty_no_step_is_explained_by_a_throw_that_is_missing() -> None:
    game = thrown("sr-1942", "12,3,N,N/-/N,N,N,N/-", "4 4", doublets=2)
    assert game.phase is Phase.PENALTY
    assert (
        explain(game, "12-16(4)") == "the third doublet moves nothing (S0 to S4, S7, S8, S10, S15)"
    )


@pytest.mark.parametrize(
    ("house", "throw", "enters"),
    [
        ({"entry_number": 7, "entry_by": "sum"}, "6 3", [("7", True), ("7", True)]),
        ({"entry_by": "sum"}, "5 6", [("5", True), ("5", True)]),
        ({"entry_by": "die"}, "4 1", [("5", False), ("5", False)]),
        ({"entry_number": 8, "entry_by": "sum", "total_move": "only"}, "4 1", [("8", False)]),
        ({"doublet_spaces": "four"}, "2 2", [("5", False), ("5", False), None, None]),
        ({"doublet_spaces": "fourteen-any"}, "4 4", [("5", False)]),
        ({"doublet_spaces": "fourteen-any", "entry_by": "sum"}, "4 4", [("5", True)]),
    ],
)
def test_a_nest_says_what_would_enter_and_whether_as_a_sum(
    house: dict[str, object], throw: str, enters: list[tuple[str, bool] | None]
) -> None:
    rules = parse_ruleset(house)
    game = at(rules, parse_position("N,N,N,N/-/N,N,N,N/-", rules), 0)
    game, _ = play(game, parse_action(f"throw {throw}"))
    said: list[tuple[object, object] | None] = []
    for spaces, _ in game.increments:
        (reason,) = set(what_stops(game, spaces))
        details = dict(reason.details)
        underside = reason.rule is Rule.UNDERSIDE
        said.append(None if underside else (details["enters"], details["by_sum"]))
    assert said == enters
