"""The package's whole answers against the brute force's, over seeded positions and throws."""

import random
from typing import Any

import pytest

from tests.asked import extent
from tests.rules import compare, draw
from tests.rules.brute_force import options_of
from tests.rules.editions import PARCHEESI
from tests.rules.relatives_brute_force import refused_of_old

pytestmark = [pytest.mark.slow, pytest.mark.soak]

HOUSES: dict[str, dict[str, Any]] = {
    "at-end, four always": {"preset": "findler", "doublet_spaces": "four"},
    "exhausted, whole grants, again if all used": {
        "preset": "findler",
        "doublet_whole": True,
        "again": "if-all-used",
    },
    "touch-down with four increments behind blockades": {
        "preset": "pb",
        "doublet_spaces": "four",
        "stop_behind_blockade": True,
        "capture_bonus": 20,
        "finish_bonus": 10,
    },
    "overtaking on a tip-entry board": {
        "preset": "royal-2023",
        "layout": "tip-entry",
        "overtaking_captures": True,
    },
    "second circuit on a pachisi board": {
        "preset": "sr-1942",
        "layout": "pachisi",
        "second_circuit": True,
    },
    "any number of parts at-end": {"preset": "tr-1938", "pair_rule": "at-end", "finish_bonus": 10},
    "fives of a grant neither kept back nor required": {
        "preset": "tr-1960",
        "entry_required": False,
        "entry_number_reserved": False,
    },
    "a sum that every face and its underside make": {
        "preset": "mb-india",
        "entry_number": 7,
        "entry_by": "sum",
        "usage": "exhaust",
    },
    "a sum that two dice alike make": {
        "preset": "pb",
        "entry_number": 6,
        "doublet_spaces": "four",
        "entry_required": True,
    },
    "totals that read like bonuses": {
        "preset": "mb-total",
        "entry_number": 12,
        "finish_bonus": 10,
        "usage": "maximal",
    },
}


def differences(seed: str, names: list[Any], count: int, play: bool) -> list[str]:
    rng = random.Random(seed)
    cases = [compare.drawn(rng, names, play, limit=800) for _ in range(count)]
    return [str(difference) for difference in compare.differing(cases)]


@pytest.mark.parametrize("preset", PARCHEESI)
def test_a_preset_answers_as_the_brute_force_does(preset: str) -> None:
    assert differences(preset, [preset], extent(6, soak=500), play=False) == []


@pytest.mark.parametrize("house", HOUSES)
def test_a_chosen_house_rule_set_answers_as_the_brute_force_does(house: str) -> None:
    assert differences(house, [HOUSES[house]], extent(6, soak=500), play=False) == []


def test_drawn_house_rules_answer_as_the_brute_force_does() -> None:
    assert differences("house rules", [None], extent(20, soak=2000), play=False) == []


def test_a_play_under_way_is_answered_as_the_brute_force_does() -> None:
    assert differences("under way", [*PARCHEESI, None], extent(20, soak=2000), play=True) == []


def test_a_step_that_the_brute_force_does_not_list_is_refused() -> None:
    rng = random.Random("refused")
    refused: list[compare.Request] = []
    while len(refused) < extent(100, soak=4000):
        request, brute = compare.drawn(rng, [*PARCHEESI, None], limit=800)
        other = request | {"throw": draw.throw(rng, options_of(request["ruleset"])), "doublets": 0}
        wrong = set(compare.steps_of(other, limit=800)) - set(brute["steps"])
        refused += [request | {"play": [step]} for step in sorted(wrong)[:5]]
    answers = compare.analysed(refused)
    assert [found for found in answers if list(found) != ["error"]] == []


def test_the_chosen_house_rule_sets_are_possible_ones() -> None:
    assert not [name for name in HOUSES if refused_of_old(options_of(HOUSES[name]))]
