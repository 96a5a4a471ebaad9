"""`parchis` against glparchis, `ludo-india` against ludo-king-engine and `ludo-dk` against LUDOpy.

All on drawn positions. Each engine runs in a process of its own. Its known faults are listed here,
each with a case.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, NamedTuple

import pytest

from tests.asked import can_not_run, extent
from tests.core import ROOT
from tests.rules import draw
from tests.rules.from_the_texts import NEST, Board, answer, is_valid, options_of, position_of

Request = dict[str, Any]


def asked_of(engine: str, requests: list[Request]) -> list[dict[str, Any]]:
    """What an engine answers, one process for all requests."""
    if find_spec("glparchis") is None:
        can_not_run("glparchis is not there: make .venv/checks installs it")
    run = subprocess.run(
        [sys.executable, "-m", f"tests.engines.{engine}"],
        input="".join(f"{json.dumps(request)}\n" for request in requests),
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    return [json.loads(line) for line in run.stdout.splitlines()]


def drawn(preset: str, wanted: Callable[[Request], bool], count: int) -> list[Request]:
    rng = random.Random(f"engine of {preset}")
    requests: list[Request] = []
    while len(requests) < count:
        request = draw.request(rng, preset)
        if wanted(request):
            requests.append(request)
    return requests


def listed(found: dict[str, Any]) -> tuple[list[str], list[str]]:
    """An answer's results, and those after which the seat throws again."""
    again = found["again"]
    if isinstance(again, bool):
        again = found["results"] if again else []
    return found["results"], again


# glparchis: its game has a winner only once the turn ends, so who throws again is not compared ----


def is_played(request: Request) -> bool:
    """Whether the throw is played: glparchis's window judges a third six, not its rules."""
    return bool(request["doublets"] < 2 or request["throw"] != [6])


class Fault(NamedTuple):
    """A case that the engine answers otherwise: the results that only one of the two gives."""

    position: str
    throw: int
    only_ours: list[str]
    only_its: list[str]


# Seat 0 throws.
THIRD_PAWN = Fault(
    "7,5,0,N/58,N,N,N/34,N,N,N/-",
    2,
    only_ours=[],
    only_its=["7,7,0,N/58,N,N,N/34,N,N,N/-"],
)
BONUS_OPENS = Fault(
    "24,24,20,20/-/-/48,N,N,N",
    6,
    only_ours=["44,31,20,20/-/-/N,N,N,N", "51,24,20,20/-/-/N,N,N,N"],
    only_its=[],
)
FAULTS = {
    "it lets a third pawn onto any full space while its start holds pawns of two seats": THIRD_PAWN,
    "a ruling: its bonus after a six must open a barrier": BONUS_OPENS,
}


def is_known(request: Request, only_ours: set[str], only_its: set[str]) -> bool:
    """Whether one of the faults explains the results that only one of the two gives."""
    own = request["position"].split("/")[request["seat"]].split(",")
    third_pawn = not only_ours and not any(
        is_valid(options_of("parchis"), result) for result in only_its
    )
    bonus_opens = request["throw"] == [6] and len(set(own)) < 4 and not only_its
    return third_pawn or bonus_opens


def compared(requests: list[Request]) -> list[tuple[Request, set[str], set[str]]]:
    """The requests that glparchis answers otherwise, with the results only ours and only its."""
    found = []
    for request, its in zip(requests, asked_of("glparchis_answers", requests), strict=True):
        ours, theirs = set(answer(request)["results"]), set(its["results"])
        if ours != theirs:
            found.append((request, ours - theirs, theirs - ours))
    return found


@pytest.mark.slow
@pytest.mark.soak
def test_parchis_is_played_as_by_glparchis() -> None:
    requests = drawn("parchis", is_played, extent(300, soak=3000))
    different = compared(requests)
    assert [case for case in different if not is_known(*case)] == []
    assert len(different) <= len(requests) / 1000


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTS)
def test_glparchis_has_its_known_faults(name: str) -> None:
    fault = FAULTS[name]
    request: Request = {
        "ruleset": "parchis",
        "position": fault.position,
        "seat": 0,
        "throw": [fault.throw],
    }
    [(_, only_ours, only_its)] = compared([request])
    assert (sorted(only_ours), sorted(only_its)) == (fault.only_ours, fault.only_its)
    assert is_known(request, only_ours, only_its)


# ludo-king-engine ------------------------------------------------------------------------------


TIP = 50
# The results of a throw of seat 0: first ours, then the engine's.
TIP_FAULTS = {
    "a pawn that should land on its tip lands in its row": (
        "48,N,N,N/-/N,N,N,N/-",
        2,
        ["50,N,N,N/-/N,N,N,N/-"],
        ["r1,N,N,N/-/N,N,N,N/-"],
    ),
    "a pawn on its tip walks on round the ring": (
        "50,N,N,N/-/N,N,N,N/-",
        3,
        ["r3,N,N,N/-/N,N,N,N/-"],
        ["1,N,N,N/-/N,N,N,N/-"],
    ),
}


def asks_nothing_of_tips(request: Request) -> bool:
    """Whether no pawn of the seat stands on its tip or could land there."""
    own = request["position"].split("/")[request["seat"]].split(",")
    steps = {int(pawn) for pawn in own if pawn.isdigit()}
    return steps.isdisjoint({TIP, TIP - request["throw"][0]})


@pytest.mark.slow
@pytest.mark.soak
def test_ludo_india_is_played_as_by_ludo_king_engine() -> None:
    requests = drawn("ludo-india", asks_nothing_of_tips, extent(300, soak=3000))
    answers = asked_of("ludo_king_answers", requests)
    assert [
        (request, listed(its))
        for request, its in zip(requests, answers, strict=True)
        if listed(its) != listed(answer(request))
    ] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", TIP_FAULTS)
def test_ludo_king_engine_has_its_known_faults(name: str) -> None:
    position, die, ours, its = TIP_FAULTS[name]
    request = {"ruleset": "ludo-india", "position": position, "seat": 0, "throw": [die]}
    [found] = asked_of("ludo_king_answers", [request | {"doublets": 0}])
    assert (answer(request)["results"], found["results"]) == (ours, its)


# LUDOpy ------------------------------------------------------------------------------------------

DANISH = Board(options_of("ludo-dk"))
STARS = [DANISH.entry + step for step in (4, 11, 17, 24, 30, 37, 43, 50)]
FIRST_OF_ROW = DANISH.tip + 1
# The results of a throw of seat 0: first ours, then LUDOpy's.
LUDOPY_FAULTS = {
    "it goes back from where the pawn stood, not from home": (
        "r3,N,N,N/N,N,N,N/-/-",
        5,
        ["r4,N,N,N/N,N,N,N/-/-"],
        ["r1,N,N,N/N,N,N,N/-/-"],
    ),
    "it meets others on the first space of the row": (
        "49,N,N,N/38,N,N,N/-/-",
        2,
        ["r1,N,N,N/38,N,N,N/-/-"],
        ["r1,N,N,N/N,N,N,N/-/-"],
    ),
    "it sees a pawn on the first space of its row on its start": (
        "10,N,N,N/r1,N,N,N/-/-",
        3,
        ["13,N,N,N/r1,N,N,N/-/-"],
        ["N,N,N,N/r1,N,N,N/-/-"],
    ),
    "a ruling: a start is safe only for its own seat": (
        "10,N,N,N/N,N,N,N/39,N,N,N/-",
        3,
        ["N,N,N,N/N,N,N,N/39,N,N,N/-"],
        ["13,N,N,N/N,N,N,N/N,N,N,N/-"],
    ),
    "it captures on the second star with a pawn that went back from the first": (
        "2,N,N,N/50,43,43,N/-/-",
        2,
        ["N,N,N,N/50,43,43,N/-/-"],
        ["N,N,N,N/43,43,N,N/-/-"],
    ),
    "a pawn that two of a seat keep in may be chosen": (
        "20,N,N,N/39,39,N,N/-/-",
        6,
        ["26,N,N,N/39,39,N,N/-/-"],
        ["20,N,N,N/39,39,N,N/-/-", "26,N,N,N/39,39,N,N/-/-"],
    ),
}


def is_told_alike(request: Request) -> bool:
    """Whether no pawn of the seat could run into one of LUDOpy's faults."""
    seats, seat, [die] = position_of(DANISH, request["position"]), request["seat"], request["throw"]
    others = [(other, place) for other in range(4) if other != seat for place in seats[other]]
    if any(place == FIRST_OF_ROW for _, place in others):
        return False

    def owners(place: int) -> list[int]:
        spot = DANISH.spot(seat, place)
        return [other for other, where in others if DANISH.spot(other, where) == spot]

    def runs_into_one(place: int) -> bool:
        if place == NEST:
            return die == 6 and len(owners(DANISH.entry)) > 1
        target = place + die
        if target == FIRST_OF_ROW or target > DANISH.home:
            return True
        arms, past = divmod(target - DANISH.entry, DANISH.arm)
        if past == 0 and owners(target):
            return (seat + arms) % 4 not in owners(target)
        is_star = target in STARS[:-1]
        return is_star and len(owners(target)) > 1 and bool(owners(STARS[STARS.index(target) + 1]))

    return not any(place != DANISH.home and runs_into_one(place) for place in seats[seat])


@pytest.mark.slow
@pytest.mark.soak
def test_ludo_dk_is_played_as_by_ludopy() -> None:
    requests = drawn("ludo-dk", is_told_alike, extent(300, soak=3000))
    answers = asked_of("ludopy_answers", requests)
    assert [
        (request, its["results"])
        for request, its in zip(requests, answers, strict=True)
        if its["results"] != answer(request)["results"]
    ] == []


@pytest.mark.slow
def test_ludopy_has_its_known_faults() -> None:
    requests = [
        {"ruleset": "ludo-dk", "position": position, "seat": 0, "throw": [die]}
        for position, die, _, _ in LUDOPY_FAULTS.values()
    ]
    found = [one["results"] for one in asked_of("ludopy_answers", requests)]
    assert found == [its for _, _, _, its in LUDOPY_FAULTS.values()]
    assert [answer(one)["results"] for one in requests] == [
        ours for _, _, ours, _ in LUDOPY_FAULTS.values()
    ]
    assert not any(map(is_told_alike, requests))
