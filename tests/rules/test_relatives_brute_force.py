"""Examples worked out by hand, to which the relatives' brute force and the package are held."""

import random
from collections.abc import Callable
from typing import Any

import pytest

import rules
from tests.rules import brute_force, draw, relatives_brute_force, relatives_draw
from tests.rules.brute_force import TooManyError
from tests.rules.relatives_brute_force import (
    DEFAULTS,
    PRESETS,
    RELATIVES,
    answer,
    impossible,
    is_valid,
    options_of,
)

Example = tuple[str | dict[str, Any], str, list[int], dict[str, Any]]

# Seat 0 throws. The keys of ASKED belong to the request, the others to the answer. An example names
# only the keys that it is about.
PARCHIS: dict[str, Example] = {
    "a five must enter": ("parchis", "10,N,N,N/-/N,N,N,N/-", [5], {"steps": ["N-0(5)"]}),
    "a lone guest on the start stays beside the pawn that enters": (
        "parchis",
        "N,N,N,N/-/34,N,N,N/-",
        [5],
        {"steps": ["N-0(5)"], "results": ["0,N,N,N/-/34,N,N,N/-"]},
    ),
    "a guest beside an own pawn on the start is captured, and 20 must be taken": (
        "parchis",
        "0,N,N,N/-/34,N,N,N/-",
        [5],
        {"steps": ["N-0(5)x"], "results": ["20,0,N,N/-/N,N,N,N/-"]},
    ),
    "of two guests on the start the one that came last is captured": (
        "parchis",
        "N,N,N,N/51,N,N,N/34,N,N,N/-",
        [5],
        {"late": [[0, 2]], "results": ["20,N,N,N/51,N,N,N/N,N,N,N/-"]},
    ),
    "it may be the other one": (
        "parchis",
        "N,N,N,N/51,N,N,N/34,N,N,N/-",
        [5],
        {"late": [[0, 1]], "results": ["20,N,N,N/N,N,N,N/34,N,N,N/-"]},
    ),
    "where that is not known the first seat after the entering one is": (
        "parchis",
        "N,N,N,N/51,N,N,N/34,N,N,N/-",
        [5],
        {"results": ["20,N,N,N/N,N,N,N/34,N,N,N/-"]},
    ),
    "another's barrier on the start keeps a pawn in": (
        "parchis",
        "10,N,N,N/-/34,34,N,N/-",
        [5],
        {"steps": ["10-15(5)"]},
    ),
    "so does one's own": (
        "parchis",
        "0,0,N,N/-/N,N,N,N/-",
        [5],
        {"steps": ["0-5(5)"]},
    ),
    "two pawns of different seats share a safety space": (
        "parchis",
        "5,N,N,N/-/41,N,N,N/-",
        [2],
        {"steps": ["5-7(2)"], "results": ["7,N,N,N/-/41,N,N,N/-"]},
    ),
    "a third may not land there": (
        "parchis",
        "5,N,N,N/58,N,N,N/41,N,N,N/-",
        [2],
        {"steps": [], "may_stop": True},
    ),
    "an own pawn and a guest fill it for both": (
        "parchis",
        "7,5,N,N/-/41,N,N,N/-",
        [2],
        {"steps": ["7-9(2)"]},
    ),
    "two guests are no barrier": (
        "parchis",
        "5,N,N,N/58,N,N,N/41,N,N,N/-",
        [3],
        {"steps": ["5-8(3)"]},
    ),
    "a six opens a barrier": (
        "parchis",
        "30,12,12,N/-/N,N,N,N/-",
        [6],
        {"steps": ["12-18(6)"], "again": True},
    ),
    "a barrier in the row too": (
        "parchis",
        "r1,r1,30,N/-/N,N,N,N/-",
        [6],
        {"steps": ["r1-r7(6)"]},
    ),
    "another number opens none": (
        "parchis",
        "30,12,12,N/-/N,N,N,N/-",
        [4],
        {"steps": ["12-16(4)", "30-34(4)"]},
    ),
    "a play that wins need not open the barrier by the six": (
        "parchis",
        "H,r1,61,61/-/N,N,N,N/-",
        [6],
        {
            "steps": ["61-r5(7)", "r1-H(7)"],
            "results": ["H,H,H,H/-/N,N,N,N/-", "H,r5,r1,61/-/N,N,N,N/-"],
            "again": ["H,r5,r1,61/-/N,N,N,N/-"],
        },
    ),
    "where no pawn of the barrier can move any other may": (
        "parchis",
        "30,12,12,N/-/49,49,N,N/-",
        [6],
        {"steps": ["30-36(6)"]},
    ),
    "a bonus opens none: after the six any pawn takes it": (
        "parchis",
        "30,12,12,N/-/52,N,N,N/-",
        [6],
        {
            "steps": ["12-18(6)x"],
            "results": [
                "32,30,18,N/-/N,N,N,N/-",
                "38,30,12,N/-/N,N,N,N/-",
                "50,18,12,N/-/N,N,N,N/-",
            ],
        },
    ),
    "a six is seven once all have entered": (
        "parchis",
        "30,20,10,5/-/N,N,N,N/-",
        [6],
        {"increments": [7], "steps": ["10-17(7)", "20-27(7)", "30-37(7)", "5-12(7)"]},
    ),
    "the third six sends back the pawn that moved last": (
        "parchis",
        "30,12,N,N/-/N,N,N,N/-",
        [6],
        {
            "doublets": 2,
            "last": "12",
            "increments": [],
            "steps": [],
            "results": ["30,N,N,N/-/N,N,N,N/-"],
            "again": False,
            "penalty": "last-moved",
        },
    ),
    "but not one in its home row": (
        "parchis",
        "r3,12,N,N/-/N,N,N,N/-",
        [6],
        {"doublets": 2, "last": "r3", "results": ["r3,12,N,N/-/N,N,N,N/-"]},
    ),
    "and none where none was moved": (
        "parchis",
        "30,12,N,N/-/N,N,N,N/-",
        [6],
        {"doublets": 2, "results": ["30,12,N,N/-/N,N,N,N/-"], "penalty": "last-moved"},
    ),
    "two dice break a barrier and do not carry it on": (
        "parchis-two",
        "12,12,N,N/-/N,N,N,N/-",
        [3, 3],
        {"steps": ["12-15(3)"], "results": ["18,12,N,N/-/N,N,N,N/-"], "again": True},
    ),
    "a bonus that moves a pawn of the barrier does not open it": (
        "parchis-two",
        "19,12,12,N/-/56,N,N,N/-",
        [3, 3],
        {
            "results": [
                "19,18,12,N/-/56,N,N,N/-",
                "32,22,15,N/-/N,N,N,N/-",
                "35,22,12,N/-/N,N,N,N/-",
                "42,15,12,N/-/N,N,N,N/-",
            ],
        },
    ),
    "two fives enter two before a barrier opens": (
        "parchis-two",
        "12,12,N,N/-/N,N,N,N/-",
        [5, 5],
        {"steps": ["N-0(5)"], "results": ["12,12,0,0/-/N,N,N,N/-"]},
    ),
    "with one pawn waiting the other five opens": (
        "parchis-two",
        "30,12,12,N/-/N,N,N,N/-",
        [5, 5],
        {"steps": ["12-17(5)", "N-0(5)"], "results": ["30,17,12,0/-/N,N,N,N/-"]},
    ),
    "a pawn may use both dice one by one or together": (
        "parchis-two",
        "20,N,N,N/-/N,N,N,N/-",
        [4, 3],
        {"steps": ["20-23(3)", "20-24(4)", "20-27(4+3)"], "results": ["27,N,N,N/-/N,N,N,N/-"]},
    ),
    "a sum must enter": (
        "parchis-two",
        "30,20,N,N/-/N,N,N,N/-",
        [3, 2],
        {"steps": ["N-0(3+2)"]},
    ),
}

LUDO: dict[str, Example] = {
    "sixes have no limit": (
        "ludo-uk",
        "N,N,N,N/-/N,N,N,N/-",
        [6],
        {"doublets": 2, "steps": ["N-0(6)"], "may_stop": False, "again": True, "penalty": None},
    ),
    "a wall can't be passed": ("ludo-uk", "3,N,N,N/-/31,31,N,N/-", [4], {"steps": []}),
    "nor landed on": ("ludo-uk", "3,N,N,N/-/31,31,N,N/-", [2], {"steps": []}),
    "nor entered on": ("ludo-uk", "N,N,N,N/-/26,26,N,N/-", [6], {"steps": [], "again": True}),
    "its owner passes it": ("ludo-uk", "5,5,3,N/-/N,N,N,N/-", [4], {"steps": ["3-7(4)", "5-9(4)"]}),
    "and puts a third pawn on it": (
        "ludo-uk",
        "5,5,3,N/-/N,N,N,N/-",
        [2],
        {"steps": ["3-5(2)", "5-7(2)"]},
    ),
    "a lone pawn is captured, for no other throw": (
        "ludo-uk",
        "3,N,N,N/-/31,N,N,N/-",
        [2],
        {"steps": ["3-5(2)x"], "results": ["5,N,N,N/-/N,N,N,N/-"], "again": False},
    ),
    "home is six from the tip": (
        "ludo-uk",
        "50,N,N,N/-/N,N,N,N/-",
        [6],
        {"steps": ["50-H(6)", "N-0(6)"]},
    ),
    "two together are passed in India": (
        "ludo-india",
        "3,N,N,N/-/31,31,N,N/-",
        [4],
        {"steps": ["3-7(4)"]},
    ),
    "and can't be captured": ("ludo-india", "3,N,N,N/-/31,31,N,N/-", [2], {"steps": []}),
    "a star is shared even with two together": (
        "ludo-india",
        "3,N,N,N/-/34,34,N,N/-",
        [5],
        {"steps": ["3-8(5)"], "results": ["8,N,N,N/-/34,34,N,N/-"]},
    ),
    "a pawn enters beside them": (
        "ludo-india",
        "N,N,N,N/-/26,26,N,N/-",
        [6],
        {"steps": ["N-0(6)"], "results": ["0,N,N,N/-/26,26,N,N/-"]},
    ),
    "walls bar shared spaces as well": (
        {"preset": "ludo-india", "pairs": "wall"},
        "3,N,N,N/-/34,34,N,N/-",
        [5],
        {"steps": []},
    ),
    "a capture throws again": (
        "ludo-india",
        "20,3,N,N/-/31,N,N,N/-",
        [2],
        {
            "steps": ["20-22(2)", "3-5(2)x"],
            "results": ["20,5,N,N/-/N,N,N,N/-", "22,3,N,N/-/31,N,N,N/-"],
            "again": ["20,5,N,N/-/N,N,N,N/-"],
        },
    ),
    "coming home throws again": (
        "ludo-india",
        "r3,N,N,N/-/N,N,N,N/-",
        [3],
        {"steps": ["r3-H(3)"], "again": True},
    ),
    "the last pawn home does not": (
        "ludo-india",
        "H,H,H,r3/-/N,N,N,N/-",
        [3],
        {"results": ["H,H,H,H/-/N,N,N,N/-"], "again": False},
    ),
    "the third six is not moved": (
        "ludo-india",
        "3,N,N,N/-/N,N,N,N/-",
        [6],
        {"doublets": 2, "steps": [], "penalty": "forfeit", "again": False},
    ),
    "a second number enters and throws no further": (
        {"preset": "ludo-india", "entry_also": 1},
        "N,N,N,N/-/N,N,N,N/-",
        [1],
        {"steps": ["N-0(1)"], "again": False},
    ),
    "entering captures a lone pawn beside an own one on a safety space": (
        {"preset": "ludo-india", "entry_captures": "lone"},
        "0,N,N,N/-/26,N,N,N/-",
        [6],
        {"steps": ["0-6(6)", "N-0(6)x"]},
    ),
    "opponents of two seats stop it": (
        {"preset": "ludo-india", "entry_captures": "lone", "pairs": "none"},
        "N,N,N,N/39,N,N,N/26,N,N,N/-",
        [6],
        {"steps": []},
    ),
    "all of a pair are captured where pairs do nothing": (
        {"preset": "ludo-uk", "pairs": "none"},
        "3,N,N,N/-/31,31,N,N/-",
        [2],
        {"results": ["5,N,N,N/-/N,N,N,N/-"]},
    ),
    "a pair on the entry too": (
        {"preset": "ludo-uk", "pairs": "none"},
        "N,N,N,N/-/26,26,N,N/-",
        [6],
        {"results": ["0,N,N,N/-/N,N,N,N/-"]},
    ),
    "one overtakes each lone pawn, not two together": (
        {"preset": "ludo-uk", "pairs": "immune", "overtaking_captures": True},
        "3,N,N,N/-/31,31,30,N/-",
        [4],
        {"steps": ["3-7(4)x"], "results": ["7,N,N,N/-/31,31,N,N/-"]},
    ),
}

GOAL: dict[str, Example] = {
    "one of three tries is followed by another": (
        "ludo-de",
        "N,N,N,N/-/N,N,N,N/-",
        [3],
        {"steps": [], "again": True},
    ),
    "the third is not": (
        "ludo-de",
        "N,N,N,N/-/N,N,N,N/-",
        [3],
        {"tries": 2, "steps": [], "again": False},
    ),
    "a pawn on the ring that can't move leaves one try": (
        "ludo-de",
        "39,N,N,N/-/N,N,N,N/-",
        [5],
        {"steps": [], "again": False},
    ),
    "a pawn in the goal that can move must": (
        "ludo-de",
        "r1,N,N,N/-/N,N,N,N/-",
        [2],
        {"steps": ["r1-r3(2)"], "may_stop": False, "again": False},
    ),
    "one that can't leaves three tries": (
        "ludo-de",
        "r4,N,N,N/-/N,N,N,N/-",
        [2],
        {"steps": [], "again": True},
    ),
    "the start must be cleared": ("ludo-de", "10,0,N,N/-/N,N,N,N/-", [3], {"steps": ["0-3(3)"]}),
    "unless it can't be": (
        "ludo-de",
        "10,3,0,N/-/N,N,N,N/-",
        [3],
        {"steps": ["10-13(3)", "3-6(3)"]},
    ),
    "or no pawn waits": (
        "ludo-de",
        "r4,r3,10,0/-/N,N,N,N/-",
        [2],
        {"steps": ["0-2(2)", "10-12(2)"]},
    ),
    "a six clears a start that is taken": (
        "ludo-de",
        "10,0,N,N/-/N,N,N,N/-",
        [6],
        {"steps": ["0-6(6)"], "again": True},
    ),
    "or moves another where six ahead is taken too": (
        "ludo-de",
        "10,6,0,N/-/N,N,N,N/-",
        [6],
        {"steps": ["10-16(6)", "6-12(6)"]},
    ),
    "a six must enter, and captures": (
        "ludo-de",
        "10,N,N,N/-/20,N,N,N/-",
        [6],
        {"steps": ["N-0(6)x"], "results": ["10,0,N,N/-/N,N,N,N/-"]},
    ),
    "pawns in the goal can be passed": (
        "ludo-de",
        "r1,39,N,N/-/N,N,N,N/-",
        [3],
        {"steps": ["39-r3(3)", "r1-r4(3)"]},
    ),
    "or not": (
        {"preset": "ludo-de", "row_jump": False},
        "r1,39,N,N/-/N,N,N,N/-",
        [3],
        {"steps": ["r1-r4(3)"]},
    ),
    "a full goal wins and ends the turn": (
        "ludo-de",
        "r4,r3,r1,35/-/N,N,N,N/-",
        [6],
        {"results": ["r4,r3,r2,r1/-/N,N,N,N/-"], "again": False},
    ),
}

PACHISI: dict[str, Example] = {
    "ten brings a man in, counted from the centre": (
        "pachisi-mitra",
        "N,N,N,N/-/N,N,N,N/-",
        [1],
        {"increments": [10], "steps": ["N-2(10)"], "may_stop": True, "again": True},
    ),
    "so does twenty-five": (
        "pachisi-mitra",
        "N,N,N,N/-/N,N,N,N/-",
        [5],
        {"increments": [25], "steps": ["N-17(25)"]},
    ),
    "six does not, and goes on": (
        "pachisi-mitra",
        "N,N,N,N/-/N,N,N,N/-",
        [0],
        {"increments": [6], "steps": [], "again": True},
    ),
    "an entering man captures where he lands": (
        "pachisi-mitra",
        "N,N,N,N/-/36,N,N,N/-",
        [1],
        {"steps": ["N-2(10)x"], "results": ["2,N,N,N/-/N,N,N,N/-", "N,N,N,N/-/36,N,N,N/-"]},
    ),
    "and obeys forts": ("pachisi-mitra", "N,N,N,N/-/51,N,N,N/-", [5], {"steps": []}),
    "a wall that he passes stops him": (
        {"preset": "pachisi-mitra", "pairs": "wall"},
        "N,N,N,N/-/35,35,N,N/-",
        [1],
        {"steps": []},
    ),
    "the own end square must be cleared, by entering or not": (
        {"preset": "pachisi-mitra", "usage": "maximal", "clear_entry": True},
        "r1,0,0,N/N,N,N,N/44,42,N,N/-",
        [1],
        {"steps": ["0-10(10)x"]},
    ),
    "a wall on the own end square keeps nobody in the centre": (
        {
            "preset": "pachisi-modern",
            "partners": False,
            "pairs": "wall",
            "usage": "maximal",
            "entry_required": True,
        },
        "r7,20,N,N/-/34,34,N,N/-",
        [1],
        {"steps": ["20-30(10)", "N-o1(1)"]},
    ),
    "the way out leads to the own end square": (
        "pachisi-mitra",
        "o5,N,N,N/-/N,N,N,N/-",
        [4],
        {"steps": ["o5-1(4)"]},
    ),
    "the way home begins at the own end square again": (
        "pachisi-mitra",
        "68,N,N,N/-/N,N,N,N/-",
        [0],
        {"steps": ["68-r6(6)"]},
    ),
    "the last arm's end is twenty-five from home": (
        "pachisi-mitra",
        "51,N,N,N/-/N,N,N,N/-",
        [5],
        {"steps": ["51-H(25)", "N-17(25)"]},
    ),
    "ten takes a man off his last square": (
        "pachisi-mitra",
        "r7,N,N,N/-/N,N,N,N/-",
        [1],
        {"steps": ["N-2(10)", "r7-H(10)"]},
    ),
    "two does not": ("pachisi-mitra", "r7,N,N,N/-/N,N,N,N/-", [2], {"steps": []}),
    "a solitary man is captured": (
        "pachisi-mitra",
        "1,N,N,N/-/37,N,N,N/-",
        [2],
        {"steps": ["1-3(2)x"], "again": False},
    ),
    "two together are not": ("pachisi-mitra", "1,N,N,N/-/37,37,N,N/-", [2], {"steps": []}),
    "but may be passed": ("pachisi-mitra", "1,N,N,N/-/37,37,N,N/-", [3], {"steps": ["1-4(3)"]}),
    "a held fort stops": ("pachisi-mitra", "1,N,N,N/-/38,N,N,N/-", [3], {"steps": []}),
    "a grace is an increment besides": (
        "pachisi-modern",
        "N,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N",
        [0],
        {
            "increments": [25, 1],
            "steps": ["N-17(25)", "N-o1(1)"],
            "results": [
                "17,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N",
                "17,o1,N,N/N,N,N,N/N,N,N,N/N,N,N,N",
                "18,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N",
                "N,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N",
                "o1,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N",
            ],
        },
    ),
    "the first man enters by any value": (
        "pachisi-modern",
        "N,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N",
        [2],
        {"steps": ["N-o2(2)"]},
    ),
    "the second does not": (
        "pachisi-modern",
        "o2,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N",
        [2],
        {"steps": ["o2-o4(2)"]},
    ),
    "the second does not enter by the other increment either": (
        "pachisi-modern",
        "N,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N",
        [0],
        {"play": ["N-o1(1)"], "steps": ["o1-18(25)"]},
    ),
    "two of the partner's are no wall": (
        {"preset": "pachisi-modern", "pairs": "wall"},
        "1,N,N,N/N,N,N,N/37,37,N,N/N,N,N,N",
        [4],
        {"steps": ["1-5(4)"]},
    ),
    "a grace takes a man off his last square or enters, no more": (
        "pachisi-modern",
        "r7,30,N,N/N,N,N,N/N,N,N,N/N,N,N,N",
        [6],
        {"increments": [6, 1], "steps": ["30-36(6)", "N-o1(1)", "r7-H(1)"]},
    ),
    "partners share any space": (
        "pachisi-modern",
        "1,N,N,N/N,N,N,N/37,N,N,N/N,N,N,N",
        [2],
        {"steps": ["1-3(2)"], "again": False},
    ),
    "a fort as well": (
        "pachisi-modern",
        "1,N,N,N/N,N,N,N/38,38,N,N/N,N,N,N",
        [3],
        {"steps": ["1-4(3)"]},
    ),
    "all opponents on a space are captured, for one more throw": (
        "pachisi-modern",
        "1,N,N,N/54,54,N,N/N,N,N,N/20,N,N,N",
        [2],
        {
            "results": [
                "1,N,N,N/54,54,N,N/N,N,N,N/20,N,N,N",
                "3,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N",
            ],
            "again": ["3,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N"],
        },
    ),
    "four men home end the turn, though the partner plays on": (
        "pachisi-modern",
        "H,H,H,r1/N,N,N,N/N,N,N,N/N,N,N,N",
        [6],
        {
            "steps": ["r1-r7(6)"],
            "results": [
                "H,H,H,H/N,N,N,N/N,N,N,N/N,N,N,N",
                "H,H,H,r1/N,N,N,N/N,N,N,N/N,N,N,N",
                "H,H,H,r7/N,N,N,N/N,N,N,N/N,N,N,N",
            ],
            "again": [
                "H,H,H,r1/N,N,N,N/N,N,N,N/N,N,N,N",
                "H,H,H,r7/N,N,N,N/N,N,N,N/N,N,N,N",
            ],
        },
    ),
}

EXAMPLES = PARCHIS | LUDO | GOAL | PACHISI
ASKED = ("late", "last", "tries", "doublets", "play")


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("asked", [answer, rules.answer], ids=["brute force", "package"])
def test_an_example_is_answered_as_worked_out_by_hand(
    name: str, asked: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    ruleset, position, throw, keys = EXAMPLES[name]
    request = {"ruleset": ruleset, "position": position, "seat": 0, "throw": throw}
    found = asked(request | {key: keys[key] for key in ASKED if key in keys})
    expected = {key: value for key, value in keys.items() if key not in ASKED}
    assert {key: found[key] for key in expected} == expected
    assert not impossible(options_of(ruleset))
    assert is_valid(options_of(ruleset), position)


def test_every_preset_is_possible() -> None:
    assert [name for name in PRESETS if impossible(options_of(name))] == []


REFUSED: list[dict[str, Any]] = [
    {"lots": "cowries-mitra"},
    {"preset": "pachisi-mitra", "lots": "dice"},
    {"preset": "pachisi-mitra", "layout": "standard"},
    {"preset": "pachisi-mitra", "capture_bonus": 20},
    {"preset": "pachisi-mitra", "grace": "none"},
    {"preset": "pachisi-mitra", "entry_captures": "lone"},
    {"preset": "pachisi-mitra", "doublet_spaces": "four"},
    {"preset": "pachisi-mitra", "second_circuit": True},
    {"preset": "pachisi-mitra", "start_out": 1},
    {"preset": "pachisi-modern", "play_on": True},
    {"layout": "cross"},
    {"grace": "value"},
    {"free_entry": True},
    {"preset": "ludo-de", "stacking": "any"},
    {"preset": "ludo-de", "safety": "tips"},
    {"preset": "ludo-de", "finish_bonus": 10},
    {"preset": "ludo-de", "again_home": True},
    {"preset": "ludo-de", "start_out": 2},
    {"preset": "ludo-uk", "row_jump": False},
    {"preset": "ludo-uk", "safety": "twelve"},
    {"preset": "ludo-uk", "safety_shared": "any"},
    {"preset": "ludo-uk", "pairs": "blockade"},
    {"preset": "ludo-uk", "entry_also": 6},
    {"preset": "ludo-uk", "open_blockade": "doublet"},
    {"preset": "ludo-uk", "usage": "free", "clear_entry": True},
    {"preset": "ludo-uk", "usage": "exhaust", "clear_entry": True},
    {"preset": "ludo-uk", "entry_number_reserved": True, "entry_also": 1},
    {"preset": "ludo-india", "overtaking_captures": True},
    {"preset": "ludo-india", "safety_shared": "two"},
    {"preset": "ludo-india", "layout": "standard", "safety": "entries-stars"},
    {"preset": "parchis", "safety_shared": "no"},
    {"preset": "parchis", "safety": "tips"},
    {"preset": "parchis", "usage": "exhaust", "entry_required": False},
    {"preset": "parchis-two", "tries": 3},
    {"preset": "parchis-two", "clear_entry": True},
    {"preset": "parchis-two", "entry_also": 1},
    {"preset": "parchis-two", "touch_down": True},
    {"pairs": "wall"},
    {"stacking": "any"},
    {"partners": True},
]


@pytest.mark.parametrize("ruleset", REFUSED, ids=str)
def test_an_impossible_combination_is_known(ruleset: dict[str, Any]) -> None:
    assert impossible(options_of(ruleset))


POSITIONS: dict[str, tuple[str, str, bool]] = {
    "guests on a safety space": ("parchis", "7,N,N,N/-/41,N,N,N/-", True),
    "three there": ("parchis", "7,7,N,N/-/41,N,N,N/-", False),
    "guests elsewhere": ("parchis", "8,N,N,N/-/42,N,N,N/-", False),
    "three of one seat": ("parchis", "8,8,8,N/-/N,N,N,N/-", False),
    "four of one seat": ("ludo-uk", "8,8,8,8/-/N,N,N,N/-", True),
    "guests where there is no safety": ("ludo-uk", "0,N,N,N/-/26,N,N,N/-", False),
    "three on a star": ("ludo-india", "8,8,N,N/-/34,N,N,N/-", True),
    "two in one goal space": ("ludo-de", "r1,r1,N,N/-/N,N,N,N/-", False),
    "home where there is a goal": ("ludo-de", "H,N,N,N/-/N,N,N,N/-", False),
    "a sixth space of a row of five": ("ludo-uk", "r6,N,N,N/-/N,N,N,N/-", False),
    "a way out that is not there": ("ludo-uk", "o1,N,N,N/-/N,N,N,N/-", False),
    "a way out": ("pachisi-mitra", "o7,N,N,N/-/N,N,N,N/-", True),
    "partners on one space": ("pachisi-modern", "3,N,N,N/N,N,N,N/37,37,N,N/N,N,N,N", True),
    "opponents on one space": ("pachisi-modern", "3,N,N,N/54,N,N,N/N,N,N,N/N,N,N,N", False),
    "partners without one seat": ("pachisi-modern", "3,N,N,N/N,N,N,N/37,N,N,N/-", False),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_a_position_is_valid_or_not(name: str) -> None:
    preset, position, valid = POSITIONS[name]
    assert is_valid(options_of(preset), position) == valid


def brute(module: Any, request: dict[str, Any]) -> dict[str, Any] | None:
    try:
        found: dict[str, Any] = module.answer(request, limit=400)
    except TooManyError:
        return None
    return found


def test_it_answers_for_the_thirteen_editions_as_their_own_brute_force_does() -> None:
    rng = random.Random("thirteen")
    every = [*brute_force.PRESETS, *[None] * 13]
    for _ in range(40):
        ruleset = rng.choice(every)
        request = draw.request(rng, draw.house_rules(rng) if ruleset is None else ruleset)
        assert brute(relatives_brute_force, request) == brute(brute_force, request)


@pytest.mark.parametrize("preset", RELATIVES)
def test_every_result_of_a_drawn_request_is_a_valid_position(preset: str) -> None:
    rng, options = random.Random(f"valid {preset}"), options_of(preset)
    for _ in range(60):
        request = relatives_draw.request(rng, preset)
        assert is_valid(options, request["position"])
        assert all(is_valid(options, result) for result in answer(request)["results"])


def test_the_draws_vary_every_new_option() -> None:
    varied = {name for ruleset in relatives_draw.single_changes() for name in ruleset}
    assert varied == {"preset", *relatives_draw.NEW_VALUES}
    assert DEFAULTS.keys() - brute_force.DEFAULTS.keys() <= varied
