"""The steps of a proof, from `steps.toml`, and what of their results counts as a fault.

All that names steps reads this list. A result is an object of JSON with the fields of its step.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

Result = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofStep:
    """A step, with the keys that `steps.toml` explains."""

    id: str
    title: str
    minutes: int
    table: Literal["stopped", "running"]
    todo: str
    fields: dict[str, Any]
    times: int = 0

    def __str__(self) -> str:
        minutes = "1 minute" if self.minutes == 1 else f"{self.minutes} minutes"
        head = f"{self.id}: {self.title}. {minutes}, the referee {self.table}."
        return f"{head}\n    {self.todo}".format(times=self.times)


TEXT = Path(__file__).with_name("steps.toml").read_text(encoding="utf-8")
TABLES = tomllib.loads(TEXT)
STEPS = {step["id"]: ProofStep(**step) for step in TABLES["step"]}
OPTIONAL, IF_FALSE = TABLES["optional"], TABLES["if_false"]
COUNTED = {"notices": "notices", "bus_error_kinds": "kinds of bus errors"}  # that should be 0


def find_faults(step_id: str, result: Result) -> Iterator[str]:
    """Yield what failed in a step, each in a few words."""
    times = STEPS[step_id].times
    yield from result.get("wrong", ())
    for number, display in enumerate(result["displays"] if step_id == "frames" else (), 1):
        if display["errors"]:
            yield f"display {number}: bus errors ({len(display['errors'])})"
    for button in result.get("buttons", ()):
        if button["counted"] != times:
            yield f"{button['button']}: {button['counted']} presses of {times}"
        if button["elsewhere"]:
            yield f"{button['button']}: edges on other buttons ({button['elsewhere']})"
    yield from _untrue(result)
    states = {state for _, _, state in result.get("readings", ())}
    yield from (f"power {state}" for state in ("low", "hot") if state in states)
    for number, pull in enumerate(result.get("pulls", ()), 1):
        if pull["after"] < pull["before"]:
            yield f"pull {number}: rows lost ({pull['before'] - pull['after']})"
        yield from (f"pull {number}: {fault}" for fault in _untrue(pull))
    if "pulls" in result and len(result["pulls"]) < times:
        yield f"only {len(result['pulls'])} of {times} pulls"
    yield from (f"{text} ({result[name]})" for name, text in COUNTED.items() if result.get(name))


def _untrue(result: Result) -> Iterator[str]:
    yield from (text for name, text in IF_FALSE.items() if result.get(name) is False)


def find_nonsense(step_id: str, results: dict[str, Result]) -> Iterator[str]:
    """Yield what no device can have measured, in results that have their steps' fields."""
    result, times = results[step_id], STEPS[step_id].times
    if step_id != "about" and [] in map(result.get, ("displays", "buttons", "readings")):
        yield "a list without items"
    for display in result["displays"] if step_id == "frames" else ():
        measured = [display[f"{name}_ms"] or 0 for name in ("min", "median", "max")]
        if measured != sorted(measured):
            yield "min, median and max are not in order"
    for button in result.get("buttons", ()):
        closings = sum(level == 0 for press in button["presses"] for _, level in press)
        if button["counted"] > closings:
            yield f"{button['counted']} presses of a contact that closed {closings} times"
    if len(result.get("pulls", ())) > times:
        yield f"more than {times} pulls"
    if result.get("rows") == 0:
        yield "a game without rows"
