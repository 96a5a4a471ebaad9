"""Examples worked out by hand, which hold the brute force itself to the rules."""

import random
from typing import Any

import pytest

from tests.rules import draw
from tests.rules.brute_force import Board, answer, first_steps, options_of
from tests.rules.editions import PARCHEESI
from tests.rules.relatives_brute_force import refused_of_old

TOP: dict[str, Any] = {"preset": "sr-1942", "doublet_spaces": "top", "doublet_whole": False}

# seat 0 throws; each example names only the keys of the answer that it is about
EXAMPLES: dict[str, tuple[str | dict[str, Any], str, list[int], dict[str, Any]]] = {
    "the protocol's own example": (
        "sr-1942",
        "12,3,N,N/-/N,N,N,N/-",
        [5, 3],
        {
            "increments": [5, 3],
            "steps": ["12-15(3)", "3-6(3)", "N-0(5)"],
            "may_stop": False,
            "results": [
                "12,3,3,N/-/N,N,N,N/-",
                "12,6,0,N/-/N,N,N,N/-",
                "15,3,0,N/-/N,N,N,N/-",
            ],
            "again": False,
            "penalty": None,
        },
    ),
    "two dice enter by their sum, larger first": (
        "sr-1975",
        "30,20,N,N/-/N,N,N,N/-",
        [1, 4],
        {"steps": ["20-21(1)", "20-24(4)", "30-31(1)", "30-34(4)", "N-0(4+1)"]},
    ),
    "a required entry comes first": (
        "royal-2023",
        "30,20,N,N/-/N,N,N,N/-",
        [1, 4],
        {"steps": ["N-0(4+1)"]},
    ),
    "from the tip the home row begins": (
        "pb",
        "61,N,N,N/-/N,N,N,N/-",
        [6, 2],
        {"steps": ["61-63(2)", "61-r4(6)"], "results": ["r6,N,N,N/-/N,N,N,N/-"]},
    ),
    "home is reached by exact count": (
        "pb",
        "H,H,H,r4/-/N,N,N,N/-",
        [6, 4],
        {"steps": ["r4-H(4)"], "results": ["H,H,H,H/-/N,N,N,N/-"]},
    ),
    "a smaller board has an earlier tip": (
        {"preset": "pb", "layout": "corner-64"},
        "57,N,N,N/-/N,N,N,N/-",
        [6, 3],
        {"steps": ["57-r1(3)", "57-r4(6)"]},
    ),
    "a total is one step that spends two dice": (
        "encyclopedia",
        "12,N,N,N/-/N,N,N,N/-",
        [3, 4],
        {"steps": ["12-15(3)", "12-16(4)", "12-19(4+3)"], "results": ["19,N,N,N/-/N,N,N,N/-"]},
    ),
    "a touch-down passes through a held safety space": (
        "pb",
        "8,N,N,N/-/46,N,N,N/-",
        [4, 3],
        {"steps": ["8-11(3)", "8-15(4,3)"], "results": ["15,N,N,N/-/46,N,N,N/-"]},
    ),
    "one step takes both dice where they are one increment": (
        "mb-total",
        "20,N,N,N/-/N,N,N,N/-",
        [4, 3],
        {"increments": [7], "steps": ["20-27(7)", "N-0(7)"], "again": False},
    ),
    "a winning play may leave a die over where another spends both": (
        "sr-1942",
        "H,H,r7,61/-/N,N,N,N/-",
        [6, 1],
        {
            "steps": ["61-62(1)", "61-r4(6)", "r7-H(1)"],
            "results": ["H,H,H,H/-/N,N,N,N/-", "H,H,H,r4/-/N,N,N,N/-", "H,H,r7,r5/-/N,N,N,N/-"],
        },
    ),
    "after a win nobody throws again, so `again` is a list": (
        TOP,
        "H,H,r7,61/-/N,N,N,N/-",
        [1, 1],
        {
            "results": ["H,H,H,62/-/N,N,N,N/-", "H,H,H,H/-/N,N,N,N/-", "H,H,r7,63/-/N,N,N,N/-"],
            "again": ["H,H,H,62/-/N,N,N,N/-", "H,H,r7,63/-/N,N,N,N/-"],
        },
    ),
    "where the whole throw can't be used, a part of it may still win": (
        {"preset": "pb", "usage": "whole-throw"},
        "H,H,H,r5/-/N,N,N,N/-",
        [3, 1],
        {"steps": ["r5-H(3)"], "may_stop": False, "results": ["H,H,H,H/-/N,N,N,N/-"]},
    ),
    "a die that shows 1 brings a pawn from r7 home where only totals move": (
        "mb-total",
        "H,H,r7,30/-/N,N,N,N/-",
        [1, 1],
        {"steps": ["30-32(2)", "r7-H(1)"], "may_stop": False},
    ),
    "four increments are used in full or not at all": (
        "mb-india",
        "H,H,H,r1/-/N,N,N,N/-",
        [3, 3],
        {"increments": [3, 3, 4, 4], "steps": [], "may_stop": True, "again": True},
    ),
    "the lower number is the one forfeited": (
        "encyclopedia",
        "H,H,H,r1/-/N,N,N,N/-",
        [4, 6],
        {"steps": ["r1-r7(6)"]},
    ),
    "an exhausted play may have spent less": (
        "findler",
        "H,H,H,r1/-/N,N,N,N/-",
        [6, 1],
        {"steps": ["r1-r2(1)", "r1-r7(6)"], "results": ["H,H,H,H/-/N,N,N,N/-"]},
    ),
    "a pair may not go on together": (
        "pb",
        "H,H,20,20/-/N,N,N,N/-",
        [3, 3],
        {"results": ["H,H,26,20/-/N,N,N,N/-"]},
    ),
    "without the pair rule it may": (
        {"preset": "pb", "pair_rule": "off"},
        "H,H,20,20/-/N,N,N,N/-",
        [3, 3],
        {"results": ["H,H,23,23/-/N,N,N,N/-", "H,H,26,20/-/N,N,N,N/-"]},
    ),
    "a blockade stops whoever comes": (
        "pb",
        "12,N,N,N/-/49,49,N,N/-",
        [6, 4],
        {"steps": [], "may_stop": True},
    ),
    "an increment may end behind a blockade and is spent": (
        {"preset": "pb", "stop_behind_blockade": True},
        "12,N,N,N/-/49,49,N,N/-",
        [6, 4],
        {"steps": ["12-14(4)", "12-14(6)"], "results": ["14,N,N,N/-/49,49,N,N/-"]},
    ),
    "a five is reserved though the entry is blocked": (
        "sr-1975",
        "10,N,N,N/51,51,N,N/-/-",
        [5, 2],
        {"steps": ["10-12(2)"], "results": ["12,N,N,N/51,51,N,N/-/-"]},
    ),
    "an entering pawn captures on the entry space": (
        "pb",
        "10,N,N,N/51,N,N,N/-/-",
        [5, 2],
        {"results": ["12,0,N,N/N,N,N,N/-/-", "17,N,N,N/51,N,N,N/-/-", "10,2,N,N/N,N,N,N/-/-"]},
    ),
    "an underside enters in S2": (
        "sca",
        "20,N,N,N/-/N,N,N,N/-",
        [2, 2],
        {"increments": [2, 2, 5, 5], "steps": ["20-22(2)", "20-25(5)", "N-0(5)"]},
    ),
    "an underside enters nowhere else": (
        "mb-india",
        "20,N,N,N/-/N,N,N,N/-",
        [2, 2],
        {"increments": [2, 2, 5, 5], "steps": ["20-22(2)", "20-25(5)"]},
    ),
    "both fives of a grant are kept back for entering": (
        "tr-1960",
        "20,N,N,N/-/N,N,N,N/-",
        [5, 5],
        {
            "increments": [14],
            "steps": ["20-21(1/14)", "20-22(2/14)", "20-23(3/14)", "20-24(4/14)", "N-0(5)"],
        },
    ),
    "a pawn takes one part only": (
        "tr-1938",
        "12,N,N,N/-/N,N,N,N/-",
        [4, 4],
        {"steps": ["12-26(14/14)"], "results": ["26,N,N,N/-/N,N,N,N/-"]},
    ),
    "no part reaches home": (
        "tr-1938",
        "H,H,63,r7/-/N,N,N,N/-",
        [4, 4],
        {
            "steps": ["63-r7(7/14)"],
            "results": ["H,H,r7,r7/-/N,N,N,N/-"],
        },
    ),
    "a pawn that passes its row goes round again": (
        "encyclopedia",
        "63,N,N,N/-/N,N,N,N/-",
        [2, 1],
        {
            "steps": [
                "63-64(1)",
                "63-65(2)",
                "63-66(2+1)",
                "63-r1(1)",
                "63-r2(2)",
                "63-r3(2+1)",
            ],
            "results": ["66,N,N,N/-/N,N,N,N/-", "r3,N,N,N/-/N,N,N,N/-"],
        },
    ),
    "steps 0 and 68 are one space where the entry is the tip": (
        {"preset": "pb", "layout": "tip-entry"},
        "68,0,N,N/-/N,N,N,N/-",
        [5, 1],
        {"steps": ["0-1(1)", "0-5(5)", "68-r1(1)", "68-r5(5)"]},
    ),
    "lone pawns passed are captured, one x for the step": (
        {"preset": "pb", "overtaking_captures": True, "capture_bonus": 20},
        "8,N,N,N/-/44,43,N,N/-",
        [3, 1],
        {"steps": ["8-11(3)x", "8-9(1)x"], "results": ["52,N,N,N/-/N,N,N,N/-"]},
    ),
    "a six of the one-die game is seven once all are entered": (
        "one-die",
        "20,9,3,1/-/N,N,N,N/-",
        [6],
        {"increments": [7], "steps": ["1-8(7)", "20-27(7)", "3-10(7)", "9-16(7)"], "again": True},
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_worked_out_by_hand(name: str) -> None:
    ruleset, position, throw, expected = EXAMPLES[name]
    found = answer({"ruleset": ruleset, "position": position, "seat": 0, "throw": throw})
    if "results" in expected:
        expected = expected | {"results": sorted(expected["results"])}
    assert {key: found[key] for key in expected} == expected


PLAYS: dict[str, tuple[str | dict[str, Any], str, list[int], list[str], dict[str, Any]]] = {
    "a bonus waits for the dice": (
        "royal-2023",
        "8,N,N,N/-/45,N,N,N/-",
        [3, 1],
        ["8-11(3)x"],
        {"steps": ["11-12(1)"], "may_stop": False, "results": ["32,N,N,N/-/N,N,N,N/-"]},
    ),
    "a bonus may come before the dice": (
        "pb-with-bonuses",
        "8,N,N,N/-/45,N,N,N/-",
        [3, 1],
        ["8-11(3)x"],
        {"steps": ["11-12(1)", "11-31(20)"], "results": ["32,N,N,N/-/N,N,N,N/-"]},
    ),
    "the pair's second pawn may not follow the first": (
        "mb-india",
        "H,20,20,17/-/N,N,N,N/-",
        [3, 3],
        ["20-24(4)"],
        {"steps": ["17-20(3)", "17-21(4)", "20-23(3)", "24-27(3)", "24-28(4)"]},
    ),
    "a third pawn in between may, and looks like the second": (
        "mb-india",
        "H,20,20,17/-/N,N,N,N/-",
        [3, 3],
        ["20-24(4)", "17-20(3)"],
        {"steps": ["20-23(3)", "20-24(4)", "24-27(3)", "24-28(4)"]},
    ),
    "after the last step there is nothing but to stop": (
        "mb-total",
        "20,N,N,N/-/N,N,N,N/-",
        [4, 3],
        ["N-0(7)"],
        {"steps": [], "may_stop": True, "results": ["20,0,N,N/-/N,N,N,N/-"]},
    ),
}


@pytest.mark.parametrize("name", PLAYS)
def test_a_play_under_way(name: str) -> None:
    ruleset, position, throw, play, expected = PLAYS[name]
    if ruleset == "pb-with-bonuses":
        ruleset = {"preset": "pb", "capture_bonus": 20, "finish_bonus": 10}
    request = {"ruleset": ruleset, "position": position, "seat": 0, "throw": throw, "play": play}
    found = answer(request)
    assert {key: found[key] for key in expected} == expected


PENALTIES = {
    "sr-1942": ("nearest-home", "40,N,N,N/-/N,N,N,N/-", False),
    "encyclopedia": ("nearest-home", "r2,40,N,N/-/N,N,N,N/-", False),
    "tr-1960": ("forfeit", "r2,40,N,N/-/N,N,N,N/-", False),
}


@pytest.mark.parametrize("preset", PENALTIES)
def test_the_third_doublet_running_is_punished(preset: str) -> None:
    position = "r2,40,N,N/-/N,N,N,N/-"
    request = {"ruleset": preset, "position": position, "seat": 0, "throw": [2, 2], "doublets": 2}
    kind, after, again = PENALTIES[preset]
    assert answer(request) == {
        "increments": [],
        "steps": [],
        "may_stop": True,
        "results": [after],
        "again": again,
        "penalty": kind,
    }


def test_first_steps_are_those_of_the_answer() -> None:
    position = "12,3,N,N/-/N,N,N,N/-"
    request = {"ruleset": "sr-1942", "position": position, "seat": 0, "throw": [5, 3]}
    assert first_steps(request) == (["12-15(3)", "3-6(3)", "N-0(5)"], False)


@pytest.mark.slow
@pytest.mark.parametrize("kind", draw.KINDS)
def test_every_draw_has_at_most_two_pawns_of_one_seat_on_a_space(kind: str) -> None:
    rng = random.Random(kind)
    for preset in PARCHEESI:
        options = options_of({"preset": preset})
        board = Board(options)
        for _ in range(20):
            placement = draw.KINDS[kind](board, rng)
            standing = [
                (board.space(seat, pawn), seat)
                for seat, pawns in placement.pawns.items()
                for pawn in pawns
                if board.space(seat, pawn) is not None
            ]
            assert all(standing.count(one) <= 2 for one in standing)
            assert len({space for space, _ in standing}) == len(set(standing))


def test_the_same_seed_draws_the_same_requests() -> None:
    first, second = (
        [draw.request(rng, draw.house_rules(rng)) for _ in range(50)]
        for rng in (random.Random(7), random.Random(7))
    )
    assert first == second


def test_a_drawn_house_rule_set_is_never_an_impossible_one() -> None:
    rng = random.Random(11)
    drawn = [options_of(draw.house_rules(rng)) for _ in range(200)]
    assert not any(refused_of_old(options) for options in drawn)
