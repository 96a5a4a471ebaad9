"""The file of a proof: reads and checks it, and writes it whole. It holds no names.

    {"form": 1, "steps": {"frames": {...}, "chamber": {"skipped": true}, ...}}

A file that somebody has invented, for tests, says so: `"invented": true`. While the step `power`
waits for a start, `"waiting"` has what the journal held before.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice, repeat
from pathlib import Path
from typing import Any

from pi_app.model.errors import UserError
from pi_app.proof.steps import STEPS, Result, find_faults
from pi_app.record.files import write_whole

FILE = "pachisi-proof.json"
FORM = 1
SKIPPED = {"skipped": True}
OPTIONAL = {
    "invented": "true or false",
    "waiting": {"boot": "a text", "game": "a text", "rows": "a whole number"},
}
MOST_BYTES = 2_000_000  # a day on a power bank takes 30 kB
MOST_LETTERS, MOST_NUMBER = 100, 10**9  # more is not ours
MOST_MISTAKES, MOST_SHOWN = 20, 60
KINDS: dict[str, Callable[[Any], bool]] = {
    "a whole number": lambda v: type(v) is int and 0 <= v <= MOST_NUMBER,
    "a number": lambda v: type(v) in (int, float) and abs(v) <= MOST_NUMBER,
    "a text": lambda v: isinstance(v, str) and v.isprintable() and len(v) <= MOST_LETTERS,
    "null": lambda v: v is None,
    "0 or 1": lambda v: type(v) is int and v in (0, 1),
    "true or false": lambda v: type(v) is bool,
}


class ProofError(UserError):
    """The file of a proof can't be used. The text has a sentence for each mistake."""


@dataclass(slots=True)
class ProofFile:
    """The file of a proof, and what it holds. Each change is on the disk before `put` returns."""

    path: Path
    steps: dict[str, Result] = field(default_factory=dict)
    waiting: Result | None = None  # before the power is pulled: boot, game, rows
    invented: bool = False

    def put(self, step_id: str, result: Result) -> None:
        self.steps[step_id] = result
        lines = (f"{json.dumps(name)}: {json.dumps(one)}" for name, one in self.steps.items())
        before = f'"waiting": {json.dumps(self.waiting)}, ' if self.waiting else ""
        steps = ",\n".join(lines)
        text = f'{{"form": {FORM}, {before}"steps": {{\n{steps}\n}}}}\n'
        write_whole(self.path, text.encode())

    @property
    def results(self) -> dict[str, Result]:
        """The results of the steps that were done and not skipped, in the steps' order."""
        kept = {name: self.steps.get(name, SKIPPED) for name in STEPS}
        return {name: result for name, result in kept.items() if result != SKIPPED}

    def faults(self) -> list[str]:
        """Return what failed, in a few words, each with its step."""
        found = ((name, find_faults(name, result)) for name, result in self.results.items())
        return [f"{name}: {fault}" for name, faults in found for fault in faults]


def read_proof(path: Path) -> ProofFile:
    """Read and check the file of a proof. A file that is not there is a new one.

    Raises ProofError with all mistakes, up to MOST_MISTAKES; OSError if the file can't be read.
    """
    if not path.exists():
        return ProofFile(path)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ValueError(f"more than {MOST_BYTES} bytes")
        value = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise ProofError(
            f"{path.name} is not the file of a proof ({error}): move it away and begin again"
        ) from error
    if mistakes := list(islice(_find_mistakes(value), MOST_MISTAKES)):
        raise ProofError("\n".join(f"{path.name}: {mistake}" for mistake in mistakes))
    return ProofFile(path, value["steps"], value.get("waiting"), value.get("invented", False))


def _find_mistakes(value: Any) -> Iterator[str]:
    if not isinstance(value, dict) or not isinstance(value.get("steps"), dict):
        yield 'it has no "steps": write {"form": 1, "steps": {...}}'
        return
    if value.get("form") not in (None, FORM):
        yield f"its form is {_shown(value['form'])}, this version reads {FORM}: install a newer one"
        return
    done = {
        name: one for name, one in value["steps"].items() if one != SKIPPED or name not in STEPS
    }
    shapes: Result = {name: step.fields for name, step in STEPS.items() if name in done}
    optional = {name: OPTIONAL[name] for name in OPTIONAL.keys() & value.keys()}
    shape = {"form": "a whole number", "steps": shapes, **optional}
    yield from _compare("", shape, {**value, "steps": done})


def _compare(place: str, shape: Any, value: Any) -> Iterator[str]:
    """Yield where a value has not the shape of a field in `steps.toml`, and what to do."""
    is_wrong = f"{place} is {_shown(value)}: write"
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            yield f"{is_wrong} an object"
            return
        inside = f"{place}." if place else ""
        yield from (f"{inside}{name} is missing: add it" for name in shape if name not in value)
        for name, one in value.items():
            if name in shape:
                yield from _compare(f"{inside}{name}", shape[name], one)
            else:
                yield f"{inside}{name[:MOST_SHOWN]} is unknown: remove it"
    elif isinstance(shape, list):
        is_long = len(shape) == 1
        if not isinstance(value, list) or not (is_long or len(value) == len(shape)):
            yield f"{is_wrong} a list{'' if is_long else f' of {len(shape)}'}"
            return
        shapes = repeat(shape[0], len(value)) if is_long else shape
        for number, (one, item) in enumerate(zip(shapes, value, strict=True)):
            yield from _compare(f"{place}[{number}]", one, item)
    elif not any(KINDS.get(kind, kind.__eq__)(value) for kind in shape.split(" | ")):
        yield f"{is_wrong} {shape.replace(' | ', ' or ')}"


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."
