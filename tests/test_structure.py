"""Who may import whom, and which folders there are. Imports point one way."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = {"firmware", "hardware", "pi_app", "rules", "systemd", "tests"}
MADE = {"build", "node_modules"}  # what tools leave behind

# What decides: values in, values out. Each may import those before it and the rules, no more.
DECIDING = (
    "history",
    "screen",
    "events",
    "debounce",
    "gestures",
    "words",
    "choices",
    "table",
    "mode",
    "play",
    "joining",
    "menu",
    "session",
    "lit",
)
# The standard library's way to clocks, chance, files, threads and the net.
WORLD = {
    "asyncio",
    "datetime",
    "io",
    "os",
    "pathlib",
    "queue",
    "random",
    "secrets",
    "select",
    "socket",
    "sqlite3",
    "subprocess",
    "tempfile",
    "threading",
    "time",
}
SIMULATED = ("hands", "script", "simulate", "player")

# Each module or folder of pi_app: which others of pi_app it knows, and which libraries.
KNOWS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    **{module: (DECIDING[:place], ()) for place, module in enumerate(DECIDING)},
    "cells": ((), ()),
    "lettering": ((), ("PIL",)),
    "pictures": (("cells", "lettering", "screen"), ("PIL",)),
    "view": (("lettering", "pictures", "screen"), ("PIL",)),
    "dice": ((), ()),
    "config": (("debounce", "events"), ()),
    "journal": (("events", "history"), ()),
    "devices/buttons": (("events",), ("gpiozero",)),
    "devices/lamps": (("events",), ("gpiozero",)),
    "devices/buzzer": (("events",), ("gpiozero",)),
    "devices/control_pins": ((), ("gpiozero",)),
    "devices/oled": (("config", "devices/control_pins"), ("luma", "PIL")),
    "devices/chamber": (("events",), ()),
    "devices/link": (("events", "devices/chamber"), ("serial",)),
    "app": (("debounce", "dice", "events", "history", "journal", "session"), ()),
    "outputs": (("devices", "events", "lit", "screen", "session", "view"), ()),
    "chamber_cli": (("devices/link", "dice", "events"), ()),
    "hands": (("events",), ()),
    "script": (("hands",), ()),
    "simulate": (("app", "dice", "events", "hands", "history", "script"), ("luma", "PIL")),
    "player": (("events", "menu", "play", *SIMULATED), ()),
    "launch": (("__main__",), ()),
    "web/port": ((), ()),
    "web/geometry": (("cells",), ()),
    "web/state": (
        ("events", "joining", "screen", "session", "devices/buzzer", "web", *SIMULATED),
        (),
    ),
    "web/server": (("hands", "web"), ("starlette", "uvicorn")),
}
MODULES = sorted(
    str(path.relative_to(ROOT / "pi_app").with_suffix(""))
    for path in (ROOT / "pi_app").rglob("*.py")
    if path.name not in ("__init__.py", "__main__.py")
)


def imports(path: Path) -> Iterator[str]:
    """Yield what a file imports when it runs, as dotted names."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in nodes_that_run(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            module = node.module or ""
            parts = [f"{module}.{name.name}" for name in node.names]
            yield from parts if module in ("pi_app", "pi_app.devices", "pi_app.web") else [module]


def nodes_that_run(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a tree's nodes but for those that only a type checker reads."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        yield child
        yield from nodes_that_run(child)


def top(name: str) -> str:
    return name.partition(".")[0]


def within(name: str, known: tuple[str, ...]) -> bool:
    """Whether a module is one of those known, or lies in a folder of them."""
    return any(name == one or name.startswith(f"{one}/") for one in known)


def test_the_folders_are_the_ones_named() -> None:
    found = {path.name for path in ROOT.iterdir() if path.is_dir() and path.name[0] not in "._"}
    assert {name for name in found if not name.endswith(".egg-info")} - MADE <= FOLDERS


@pytest.mark.parametrize("path", sorted((ROOT / "rules").glob("*.py")), ids=lambda path: path.name)
def test_the_rules_import_nothing_but_themselves_and_the_standard_library(path: Path) -> None:
    strange = {
        name for name in imports(path) if top(name) not in (*sys.stdlib_module_names, "rules")
    }
    assert strange == set()


@pytest.mark.parametrize(
    "path",
    [path for path in sorted((ROOT / "rules").glob("*.py")) if path.name != "__main__.py"],
    ids=lambda path: path.name,
)
def test_the_rules_have_no_clock_no_chance_and_no_files(path: Path) -> None:
    assert {top(name) for name in imports(path)} & WORLD == set()


@pytest.mark.parametrize("name", ["chamber", "link"])
def test_the_chambers_logic_imports_nothing(name: str) -> None:
    assert list(imports(ROOT / "firmware" / f"{name}.py")) == []


def test_every_module_has_its_row_and_every_row_a_module() -> None:
    assert sorted(KNOWS) == MODULES


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_what_it_may_know(module: str) -> None:
    ours, libraries = KNOWS[module]
    strange = []
    for name in imports(ROOT / "pi_app" / f"{module}.py"):
        if top(name) == "pi_app":
            known = within(name.removeprefix("pi_app.").replace(".", "/"), ours)
        else:
            known = top(name) in (*sys.stdlib_module_names, "rules", *libraries)
        if not known:
            strange.append(name)
    assert strange == []


@pytest.mark.parametrize("module", [*DECIDING, "cells", "pictures", "view"])
def test_what_decides_and_what_draws_have_no_clock_no_chance_and_no_files(module: str) -> None:
    assert {top(name) for name in imports(ROOT / "pi_app" / f"{module}.py")} & WORLD == set()


def test_only_the_command_knows_the_page() -> None:
    knowing = [
        module
        for module in MODULES
        if not module.startswith("web/")
        and any(name.startswith("pi_app.web") for name in imports(ROOT / "pi_app" / f"{module}.py"))
    ]
    assert knowing == []
