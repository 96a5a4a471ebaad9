"""The analysis protocol: answers one line of JSON with one line of JSON. Keeps no state.

PROTOCOL.md has its keys.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

from ..errors import InputError
from ..game import is_penalized, penalty_position
from ..plays.plays import Plays, plays_of
from ..plays.search import TooManyStates
from ..position import format_position
from ..questions.explain import NOTHING_MOVES, explain_step
from ..ruleset import THIRD_DOUBLETS, parse_ruleset
from .fields import (
    BLANKS,
    FieldError,
    read_flag,
    read_json,
    read_memory,
    read_object,
    read_playing_seat,
    read_position,
    read_steps,
    read_throw,
    read_whole_number,
    remembered_keys,
)

KEYS = ("ruleset", "position", "seat", "throw", "doublets", "play", "results")
REQUIRED = KEYS[:4]
# States visited for one answer: 5 to 8 s and 110 MB in the hardest positions drawn.
MOST_STATES = 250_000


def answer_line(line: str) -> dict[str, Any]:
    """Return the answer to one line of the protocol; `{"error": ...}` if it can't be used."""
    try:
        return answer(read_json(line))
    except FieldError as error:
        return {"error": str(error)}


def answer_lines(
    lines: Iterable[str], answer_line: Callable[[str], dict[str, Any]] = answer_line
) -> Iterator[str]:
    """Return an answer for each line that is not blank, in order."""
    for line in lines:
        if line.strip(BLANKS):
            yield json.dumps(answer_line(line))


def answer(request: object, most: int = MOST_STATES) -> dict[str, Any]:
    """Return the answer to one request; `{"error": ...}` if it can't be used.

    request: an object of the protocol, as `json.loads` reads it.
    most: how many states of the play to visit at most. If there are more, `results` and `again` are
    None; if even the steps would take more, the whole answer is an error.
    """
    try:
        return _answer(request, most)
    except TooManyStates:
        return {"error": f"more than {most} states would have to be visited to find the steps"}
    except InputError as error:
        return {"error": str(error)}


def _answer(asked: object, most: int) -> dict[str, Any]:
    request = read_object(asked, "a request", (*KEYS, *remembered_keys(asked)), REQUIRED)
    ruleset = parse_ruleset(request["ruleset"])
    position = read_position(request["position"], ruleset)
    seat = read_playing_seat(request["seat"], position, ruleset)
    throw = read_throw(request["throw"], ruleset.dice, ruleset)
    doublets = read_whole_number("doublets", request.get("doublets", 0))
    memory = read_memory(request, ruleset, position, seat)
    play = read_steps(request.get("play", []))
    with_results = read_flag("results", request.get("results", True))
    if is_penalized(ruleset, doublets, throw):
        if play:
            raise FieldError(f"play: {play[0]} is not legal: {NOTHING_MOVES}")
        cost = THIRD_DOUBLETS[ruleset.third_doublet]
        after = penalty_position(ruleset, position, seat, memory.last, memory.began)
        fields = {
            "increments": [],
            "steps": [],
            "may_stop": True,
            "results": [format_position(after)],
            "again": cost.keeps_turn,
            "penalty": cost.penalty,
        }
    else:
        plays = plays_of(ruleset, position, seat, throw, memory=memory, most=most)
        fields = _describe_plays(plays, play, with_results)
    return {key: fields[key] for key in fields if with_results or key not in ("results", "again")}


def _describe_plays(plays: Plays, play: list[str], with_results: bool) -> dict[str, Any]:
    state = plays.start
    for text in play:
        offered = {str(step): after for step, after in plays.steps(state).items()}
        if text not in offered:
            raise FieldError(f"play: {text} is not legal: {explain_step(plays, state, text)}")
        state = offered[text]
    results: list[str] | None = None
    again: bool | list[str] | None = None
    with suppress(TooManyStates):
        endings = plays.endings(state) if with_results else frozenset()
        position_text = {end: format_position(plays.stepper.position_after(end)) for end in endings}
        results = sorted(set(position_text.values()))
        with_throw = {position_text[end] for end in endings if plays.throws_again(end)}
        all_or_none = len(with_throw) in (0, len(results))
        again = bool(with_throw) if all_or_none else sorted(with_throw)
    return {
        "increments": list(plays.stepper.increments),
        "steps": sorted(map(str, plays.steps(state))),
        "may_stop": plays.may_stop(state),
        "results": results,
        "again": again,
        "penalty": None,
    }
