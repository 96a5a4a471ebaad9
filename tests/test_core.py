"""The compiled core, and who uses it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rules.game
from tests.bench.__main__ import benches
from tests.bench.bars import BARS, COMPILED_GAMES
from tests.core import ROOT, describe_core, is_compiled

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
MADE = f"VENV={sys.prefix}", f"--old-file={sys.prefix}/checks"  # don't install anything


def test_the_tests_of_a_checkout_test_its_pure_sources() -> None:
    assert Path(rules.game.__file__) == ROOT / "rules" / "game.py"
    assert not is_compiled()
    assert describe_core().startswith(
        "The rules and the players are pure Python: build/compiled is not "
    )


def test_without_a_compiler_it_is_not_made_with_one_sentence(tmp_path: Path) -> None:
    for name in ("Makefile", "rules", "pi_app"):
        (tmp_path / name).symlink_to(ROOT / name)
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("sh", "rm"):
        found = shutil.which(tool)
        assert found is not None
        (tools / tool).symlink_to(found)
    make = shutil.which("make")
    assert make is not None
    done = subprocess.run(
        [make, "--no-print-directory", *MADE, "build/compiled/made"],
        cwd=tmp_path,
        env={**os.environ, "PATH": str(tools)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    [sentence] = done.stdout.splitlines()
    assert sentence.startswith(
        "build/compiled/made needs a C compiler and Python's headers: install "
    )
    assert not (tmp_path / "build").exists()


@pytest.mark.parametrize(
    ("variable", "folder", "some"),
    [
        ("CORE", "rules", {"game", "questions/ending", "plays/search"}),
        ("PLAYERS", "pi_app/players", {"features", "value"}),
    ],
)
def test_every_module_that_is_compiled_is_there(variable: str, folder: str, some: set[str]) -> None:
    [found] = re.findall(rf"^{variable} := ((?:.*\\\n)*.*)$", MAKEFILE, re.MULTILINE)
    names = found.replace("\\\n", " ").split()
    assert some <= set(names)
    assert [name for name in names if not (ROOT / folder / f"{name}.py").exists()] == []


def test_the_games_of_the_compiled_core_have_bars_of_their_own() -> None:
    assert set(COMPILED_GAMES) <= set(BARS)
    assert "bench_games_of_the_compiled_core" in benches()
