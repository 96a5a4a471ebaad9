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
STEPS = {step["id"]: ProofStep(**step) for step in tomllib.loads(TEXT)["step"]}
COUNTED = ("notices", "bus_errors")  # that should be 0


def find_faults(step_id: str, result: Result) -> Iterator[str]:
    """Yield what failed in a step, each in a few words."""
    times = STEPS[step_id].times
    yield from result.get("wrong", ())
    for display in result["displays"] if step_id == "frames" else ():
        if display["errors"]:
            yield f"bus errors ({len(display['errors'])})"
    for button in result.get("buttons", ()):
        if button["counted"] != times:
            yield f"{button['button']} {button['counted']} of {times}"
        if button["elsewhere"]:
            yield f"{button['button']} edges elsewhere ({button['elsewhere']})"
    yield from _untrue(result)
    states = {state for _, _, state in result.get("readings", ())}
    yield from (f"power {state}" for state in ("low", "hot") if state in states)
    for number, pull in enumerate(result.get("pulls", ()), 1):
        if pull["after"] < pull["before"]:
            yield f"pull {number} rows lost ({pull['before'] - pull['after']})"
        yield from (f"pull {number} {fault}" for fault in _untrue(pull))
    if "pulls" in result and len(result["pulls"]) < times:
        yield f"only {len(result['pulls'])} of {times} pulls"
    yield from (
        f"{name.replace('_', ' ')} ({result[name]})" for name in COUNTED if result.get(name)
    )


def _untrue(result: Result) -> Iterator[str]:
    yield from (f"not {name.replace('_', ' ')}" for name, value in result.items() if value is False)
