"""The file of a proof: reads and checks it, and writes it whole. It holds no names.

    {"form": 1, "steps": {"frames": {...}, "signals": {...}, ...}}

A file that somebody has invented, for tests, says so: `"invented": true`. While the step `power`
waits for a start, `"waiting"` has the pulls so far, and what the journal held before the next.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice, repeat
from pathlib import Path
from typing import Any

from pi_app.model.errors import UserError
from pi_app.proof.steps import OPTIONAL, STEPS, Result, find_faults, find_nonsense
from pi_app.record.files import write_whole

FILE = "pachisi-proof.json"
FORM = 1
MOST_BYTES = 2_000_000  # a day on a power bank takes 30 kB
MOST_LETTERS, MOST_NUMBER, MOST_ITEMS = 100, 10**12, 10_000  # µs of days, minutes of a week
MOST_MISTAKES, MOST_SHOWN, MOST_FAULTS = 20, 60, 3
KINDS: dict[str, Callable[[Any], bool]] = {
    "a whole number": lambda v: type(v) is int and 0 <= v <= MOST_NUMBER,
    "a number": lambda v: type(v) in (int, float) and 0 <= v <= MOST_NUMBER,
    "a temperature": lambda v: type(v) in (int, float) and -50 <= v <= 150,
    "a text": lambda v: isinstance(v, str) and v.isprintable() and len(v) <= MOST_LETTERS,
    "null": lambda v: v is None,
    "0 or 1": lambda v: type(v) is int and v in (0, 1),
    "true or false": lambda v: type(v) is bool,
}


class ProofError(UserError):
    """The file of a proof can't be used. The text has a sentence for each mistake."""


@dataclass(slots=True)
class ProofFile:
    """The file of a proof, and what it holds: the results of the steps that were done."""

    path: Path
    steps: dict[str, Result] = field(default_factory=dict)
    waiting: Result | None = None  # while the power is pulled: see steps.toml
    invented: bool = False

    def put(self, step_id: str, result: Result) -> None:
        """Keep a result. It is on the disk when this returns. Raises as `write`."""
        self.steps[step_id] = result
        self.write()

    def write(self) -> None:
        """Raises ProofError if the file can't be written."""
        more = {"waiting": self.waiting, "invented": self.invented}
        heads = (f'"{key}": {json.dumps(value)}, ' for key, value in more.items() if value)
        steps = ",\n".join(f'"{name}": {json.dumps(one)}' for name, one in self.steps.items())
        text = f'{{"form": {FORM}, {"".join(heads)}"steps": {{\n{steps}\n}}}}\n'
        try:
            write_whole(self.path, text.encode())
        except OSError as error:
            raise ProofError(
                f"{self.path} can't be written ({error.strerror}): free some space, or name a file "
                "in another folder"
            ) from error

    def faults(self) -> Iterator[str]:
        """Yield what failed, in a few words, each with its step: at most MOST_FAULTS of a step."""
        for name in (name for name in STEPS if name in self.steps):
            found = [*find_faults(name, self.steps[name])]
            more = [f"and {len(found) - MOST_FAULTS} more"] if len(found) > MOST_FAULTS else []
            yield from (f"{name}: {fault}" for fault in [*found[:MOST_FAULTS], *more])


def read_proof(path: Path) -> ProofFile:
    """Read and check the file of a proof. A file that is not there is a new one.

    Raises ProofError with all mistakes, up to MOST_MISTAKES; OSError if the file can't be read.
    """
    if not path.exists():
        return ProofFile(path)
    if not path.is_file():
        raise ProofError(f"{path} is not a file: name another")
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
    steps = value["steps"]
    if value.get("form") not in (None, FORM):
        yield f"its form is {_shown(value['form'])}: use a version of the referee that reads it"
        return
    shapes: Result = {name: step.fields for name, step in STEPS.items() if name in steps}
    optional = {name: OPTIONAL[name] for name in OPTIONAL.keys() & value.keys()}
    mistakes = [*_compare("", {"form": "a whole number", "steps": shapes, **optional}, value)]
    yield from mistakes
    for name in steps if not mistakes else ():
        yield from (f"steps.{name}: {why}: do the step again" for why in find_nonsense(name, steps))


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
                yield f"{inside}{_shown(name)[1:-1]} is unknown: remove it"
    elif isinstance(shape, list):
        is_long = len(shape) == 1
        most, least = (MOST_ITEMS, 0) if is_long else (len(shape), len(shape))
        if not isinstance(value, list) or not least <= len(value) <= most:
            yield f"{is_wrong} a list of {'at most ' if is_long else ''}{most}"
            return
        shapes = repeat(shape[0], len(value)) if is_long else shape
        for number, (one, item) in enumerate(zip(shapes, value, strict=True)):
            yield from _compare(f"{place}[{number}]", one, item)
    elif not any(
        KINDS[kind](value) if kind in KINDS else value == kind for kind in shape.split(" | ")
    ):
        yield f"{is_wrong} {shape.replace(' | ', ' or ')}"


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."
