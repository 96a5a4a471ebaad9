"""The analysis protocol: one JSON line in, one out. RULES.md, section 6."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from rules.board import HOME, SEATS
from rules.explain import explain_step
from rules.game import penalty_position
from rules.plays import Plays
from rules.position import Position, PositionError, format_position, parse_position
from rules.ruleset import RuleSet, RuleSetError, parse_ruleset
from rules.steps import State, Stepper, is_doublet

KEYS = ("ruleset", "position", "seat", "throw", "doublets", "play")
REQUIRED = KEYS[:4]
ENOUGH_DOUBLETS = 2  # thrown before; the next is the third
LONGEST_ERROR = 400  # characters; a longer one, which repeats what was asked, loses its middle


class RequestError(ValueError):
    """A request that can't be used: one sentence that says what is wrong and where."""


def answer_lines(lines: Iterable[str]) -> Iterator[str]:
    """Return an answer for each line that is not blank, in order."""
    for line in lines:
        if line.strip():
            yield json.dumps(answer_line(line))


def answer_line(line: str) -> dict[str, Any]:
    """Return the answer to one line of the protocol; `{"error": ...}` where it can't be used."""
    try:
        request = json.loads(line)
    except (ValueError, RecursionError) as error:
        return {"error": f"not JSON: {error}"}
    return answer(request)


def answer(request: object) -> dict[str, Any]:
    """Return the answer to one request; `{"error": ...}` where it can't be used."""
    try:
        return _answer(_checked(request))
    except (RequestError, RuleSetError, PositionError) as error:
        return {"error": _brief(str(error))}


def _brief(text: str) -> str:
    half = LONGEST_ERROR // 2
    return text if len(text) <= LONGEST_ERROR else f"{text[:half]} ... {text[-half:]}"


def _checked(request: object) -> dict[str, Any]:
    if not isinstance(request, dict):
        raise RequestError('a request is an object such as {"ruleset": "pb", ...}')
    unknown = [key for key in request if key not in KEYS]
    if unknown:
        raise RequestError(f"unknown key {unknown[0]!r}: keys are {', '.join(KEYS)}")
    missing = [key for key in REQUIRED if key not in request]
    if missing:
        raise RequestError(f"{missing[0]!r} is missing")
    return request


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    ruleset = parse_ruleset(request["ruleset"])
    position = _position(request["position"], ruleset)
    seat = _seat(request["seat"], position)
    throw = _throw(request["throw"], ruleset)
    doublets = _whole_number("doublets", request.get("doublets", 0))
    play = _play(request.get("play", []))
    third = doublets >= ENOUGH_DOUBLETS and ruleset.third_doublet != "none"
    if third and is_doublet(ruleset, throw):
        return _penalty(ruleset, position, seat, play)
    return _legal(Plays(Stepper(ruleset, position, seat, throw)), play)


def _position(text: object, ruleset: RuleSet) -> Position:
    if not isinstance(text, str):
        raise RequestError(f"position {text!r} is not a string such as 'N,N,N,N/-/N,N,N,N/-'")
    return parse_position(text, ruleset)


def _seat(seat: object, position: Position) -> int:
    if type(seat) is not int or seat not in range(SEATS):
        raise RequestError(f"seat {seat!r} is not a number from 0 to 3")
    if not position[seat]:
        raise RequestError(f"seat {seat} is empty in {format_position(position)}")
    if set(position[seat]) == {HOME}:
        raise RequestError(f"seat {seat} has won: all its pawns are home")
    return seat


def _throw(throw: object, ruleset: RuleSet) -> tuple[int, ...]:
    if not isinstance(throw, list) or len(throw) != ruleset.dice:
        raise RequestError(f"throw {throw!r} is not a list of {ruleset.dice} dice")
    for face in throw:
        if type(face) is not int or face not in range(1, 7):
            raise RequestError(f"throw {throw!r} has a die that is not 1 to 6: {face!r}")
    return tuple(throw)


def _whole_number(name: str, value: object) -> int:
    if type(value) is not int or value < 0:
        raise RequestError(f"{name} {value!r} is not a whole number, 0 or more")
    return value


def _play(play: object) -> list[str]:
    if not isinstance(play, list) or not all(isinstance(step, str) for step in play):
        raise RequestError(f"play {play!r} is not a list of steps such as ['12-15(3)']")
    return play


def _penalty(ruleset: RuleSet, position: Position, seat: int, play: list[str]) -> dict[str, Any]:
    if play:
        raise RequestError(
            f"play: {play[0]} is not legal: the third doublet moves nothing (S0 to S4)"
        )
    again = ruleset.third_doublet == "no-move"
    return {
        "increments": [],
        "steps": [],
        "may_stop": True,
        "results": [format_position(penalty_position(ruleset, position, seat))],
        "again": again,
        "penalty": ruleset.third_doublet.removesuffix("-unless-row"),
    }


def _legal(plays: Plays, play: list[str]) -> dict[str, Any]:
    state = plays.start
    for text in play:
        offered = {str(step): after for step, after in plays.steps(state).items()}
        if text not in offered:
            raise RequestError(f"play: {text} is not legal: {explain_step(plays, state, text)}")
        state = offered[text]
    endings = plays.endings(state)
    after = {ending: format_position(plays.stepper.position_after(ending)) for ending in endings}
    return {
        "increments": list(plays.stepper.increments),
        "steps": sorted(map(str, plays.steps(state))),
        "may_stop": plays.may_stop(state),
        "results": sorted(set(after.values())),
        "again": _again(plays, after),
        "penalty": None,
    }


def _again(plays: Plays, after: dict[State, str]) -> bool | list[str]:
    """Return whether the seat throws again: for all results, for none, or the ones for which."""
    again = {text for ending, text in after.items() if plays.throws_again(ending)}
    return sorted(again) if again and again != set(after.values()) else bool(again)
