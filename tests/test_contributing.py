"""CONTRIBUTING.md, and what is written beside the code: every name in them is there in the code."""

import ast
import re
import shlex
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
ROOMS = [f"pi_app/{room}/README.md" for room in ("runtime", "table", "texts", "web")]
DOCUMENTS = ["CONTRIBUTING.md", "rules/CHANGING.md", *ROOMS]
PROSE = "\n\n".join(
    re.sub(r"^```.*?^```\n", "", (ROOT / name).read_text(encoding="utf-8"), flags=re.M | re.S)
    for name in DOCUMENTS
)
COMMANDS = {"referee", "pytest", "python", "pytest --redraw", ".venv/bin", "SHORT=1"}


def parts() -> Iterator[str]:
    """Yield each paragraph, and each row of a table for itself."""
    for block in PROSE.split("\n\n"):
        yield from block.splitlines() if block.startswith("|") else [block.replace("\n", " ")]


def quoted(part: str) -> list[str]:
    return re.findall(r"`([^`]+)`", part)


def is_path(word: str) -> bool:
    return "/" in word or word.endswith((".py", ".md", ".toml"))


def defined(path: Path) -> set[str]:
    """Return what a module defines: `play`, `App.run`, `PRESET_TABLE`."""
    names: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            inner = (one for one in node.body if isinstance(one, ast.FunctionDef))
            names |= {f"{node.name}.{one.name}" for one in inner}
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names


@cache
def named_in(part: str) -> set[str]:
    """Return what the files that a part names define, and what they import by name."""
    paths = [ROOT / word for word in quoted(part) if word.endswith(".py") and " " not in word]
    names = {name for path in paths for name in defined(path)}
    imported = {
        alias.name
        for path in paths
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    return names | imported


def test_every_name_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text().replace("$(VENV)", ".venv")
    targets = re.findall(r"^([a-z./-]+):", makefile, re.MULTILINE)
    for part in parts():
        names = named_in(part)
        for word in quoted(part):
            if word.startswith(("build/", "dist/")):
                continue  # a command makes it
            if word.startswith("make "):
                assert word.split()[1] in targets, word
            elif word.startswith("python -m "):
                assert find_spec(word.split()[2]), word
            elif word.startswith("pytest "):
                assert all((ROOT / path).exists() for path in shlex.split(word)[2:]), word
            elif is_path(word) and word not in COMMANDS:
                assert (ROOT / word).exists(), word
            elif word not in COMMANDS:
                assert word in names, word


def test_a_word_is_explained_once() -> None:
    glossary = TEXT[TEXT.index("\n## Words\n") : TEXT.index("\n## How we write\n")]
    words = re.findall(r"^\| (?!word )([\w, -]+) \|", glossary, re.MULTILINE)
    assert len(words) >= 60
    assert len(set(words)) == len(words)


def test_lines_are_wrapped_evenly() -> None:
    lines = [line for line in PROSE.splitlines() if not line.startswith(("|", "#"))]
    assert [line for line in lines if len(line) > 110] == []


def test_every_module_that_starts_a_thread_or_a_process_is_in_its_table() -> None:
    section = (ROOT / "pi_app/runtime/README.md").read_text(encoding="utf-8")
    ours = r"pi_app\.system\.(newest_value|child)"
    libraries = rf"threading|subprocess|concurrent\.futures|uvicorn|{ours}"
    starts = re.compile(rf"^ *(from|import) ({libraries})\b", re.MULTILINE)
    found = [
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "pi_app").rglob("*.py"))
        if starts.search(path.read_text(encoding="utf-8"))
    ]
    assert len(found) >= 12
    assert [path for path in found if f"`{path}`" not in section] == []
