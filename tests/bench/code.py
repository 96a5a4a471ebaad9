"""How long functions are, how many serve one caller, and how much code a press runs through.

These are measured, and not tested: a change that makes code clearer must not fail a test by one.
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from types import FrameType
from typing import Any

from pi_app.model.events import Button, Down, Resume, Setup
from pi_app.table.session import handle, new_session
from rules import Record, parse_game
from tests.bench.measure import Measured

ROOT = Path(__file__).parents[2]
MOVING = (
    '{"ruleset": "royal-2023", "position": "20,3,N,N/-/47,44,12,N/-", "seat": 0, "throw": [3, 1]}'
)


def bench_functions() -> Iterator[Measured]:
    """The median length of a function, and the private functions that one place calls."""
    for folder in ("rules", "pi_app"):
        paths = (path for path in (ROOT / folder).rglob("*.py") if "build" not in path.parts)
        trees = [ast.parse(path.read_text(encoding="utf-8")) for path in paths]
        nodes = [node for tree in trees for node in ast.walk(tree)]
        lengths = [
            (node.end_lineno or node.lineno) - node.lineno + 1
            for node in nodes
            if isinstance(node, ast.FunctionDef)
        ]
        name = f"{folder}: lines of a function, median"
        yield Measured(name, median(lengths), f"of {len(lengths)}")
        calls = [count for tree in trees for count in calls_of_private_functions(tree)]
        share = 100 * calls.count(1) / len(calls)
        yield Measured(f"{folder}: private functions with one caller, %", share, f"of {len(calls)}")


def calls_of_private_functions(tree: ast.Module) -> list[int]:
    """Return how often a module names each of its private functions."""
    nodes = list(ast.walk(tree))
    functions = [node.name for node in nodes if isinstance(node, ast.FunctionDef)]
    named = Counter(node.id for node in nodes if isinstance(node, ast.Name))
    named.update(node.attr for node in nodes if isinstance(node, ast.Attribute))
    return [named[name] for name in functions if re.match("_(?!_)", name)]


def bench_an_ok() -> Iterator[Measured]:
    """The calls that an OK which confirms a step is decided in, and the files of pi_app.

    Counted at the second of two OKs alike: the first one fills what is kept for its rules.
    """
    resume = Resume(Record(parse_game(MOVING), 0), 0.0)
    session = handle(new_session(Setup()), resume).session
    handle(session, Down(Button(0, "ok"), 10.0))
    called = Counter[str]()

    def count(frame: FrameType, event: str, arg: Any) -> None:
        file = frame.f_code.co_filename
        if event == "call" and ("/rules/" in file or "/pi_app/" in file) and "/tests/" not in file:
            called[file] += 1

    before = sys.getprofile()
    sys.setprofile(count)
    handle(session, Down(Button(0, "ok"), 10.0))
    sys.setprofile(before)
    files = [file for file in called if "/pi_app/" in file]
    yield Measured("calls of an OK that confirms a step", called.total(), "")
    yield Measured("files of pi_app in these calls", len(files), "")


def bench_readme() -> Iterator[Measured]:
    """The length of the first page that a stranger reads."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    yield Measured("lines of README.md", len(text.splitlines()), "")
