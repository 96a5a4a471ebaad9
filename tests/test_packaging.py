"""What an installation brings: the rules alone, the table and the page by their extras."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

from pi_app.launch import LIBRARIES

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LAUNCH = "from pi_app.launch import main; main()"
BARE = re.compile(
    r"referee: the table's libraries are missing \(\w+\): "
    r"in the project's folder, pip install '\.\[table\]'\n"
)


def python(*arguments: str, of: str = sys.executable) -> subprocess.CompletedProcess[str]:
    return subprocess.run([of, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_rules_need_nothing_and_the_page_needs_the_table() -> None:
    assert "dependencies" not in PROJECT
    assert "pachisi-referee[table]" in PROJECT["optional-dependencies"]["page"]


def test_every_library_is_installed_by_the_extra_that_the_command_names() -> None:
    distributions = {"luma": "luma.oled", "PIL": "pillow", "serial": "pyserial"}
    for library, extra in LIBRARIES.items():
        named = distributions.get(library, library)
        assert any(text.startswith(named) for text in PROJECT["optional-dependencies"][extra])


def test_the_floors_that_are_tried_are_those_of_the_extra() -> None:
    locked = (ROOT / "tests" / "floors" / "requirements.lock").read_text()
    floors = re.findall(r"^(\w+)==(\d+\.\d+)\.\d+ ", locked, re.MULTILINE)
    table = PROJECT["optional-dependencies"]["table"]
    assert [name for name, _ in floors] == ["cbor2", "pillow"]
    for name, floor in floors:
        assert any(re.match(rf"{name}>={re.escape(floor)}(,|$)", text) for text in table), name


def test_without_libraries_the_command_names_the_table_s_and_the_rules_work() -> None:
    without = python("-S", "-c", LAUNCH)
    assert (without.returncode, without.stdout) == (1, "")
    assert BARE.fullmatch(without.stderr)
    assert python("-S", "-m", "rules", "show", "pb").returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("missing", ["starlette", "uvicorn"])
def test_without_the_page_s_libraries_simulate_names_them(tmp_path: Path, missing: str) -> None:
    hide = f"import sys; sys.modules[{missing!r}] = None; {LAUNCH}"
    done = python("-c", hide, "simulate", "--folder", str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"referee: the page's libraries are missing ({missing}): "
        "in the project's folder, pip install '.[page]'\n"
    )


def test_a_fault_of_our_own_is_not_taken_for_a_missing_library() -> None:
    done = python("-c", f"import sys; sys.modules['pi_app.config'] = None; {LAUNCH}")
    assert "ModuleNotFoundError: import of pi_app.config" in done.stderr


@pytest.mark.slow
def test_a_wheel_has_every_file_and_runs_where_nothing_else_is_installed(tmp_path: Path) -> None:
    source, bare = tmp_path / "source", tmp_path / "bare"
    source.mkdir()
    for name in ("README.md", "LICENSE", "pyproject.toml"):
        shutil.copy(ROOT / name, source)
    for name in ("rules", "pi_app"):
        unwanted = shutil.ignore_patterns("__pycache__", "*.md")
        shutil.copytree(ROOT / name, source / name, ignore=unwanted)
    files = {str(path.relative_to(source)) for path in source.glob("*/**/*") if path.is_file()}
    pip("wheel", "--no-deps", "--no-build-isolation", "-w", str(tmp_path), str(source))
    [wheel] = tmp_path.glob("*.whl")
    assert {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name} == files
    assert python("-m", "venv", "--without-pip", str(bare)).returncode == 0
    pip("--python", str(bare / "bin" / "python"), "install", "--no-deps", str(wheel))
    referee = subprocess.run(
        [bare / "bin" / "referee"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert referee.returncode == 1
    assert BARE.fullmatch(referee.stderr)


def pip(*arguments: str) -> None:
    """Run pip of this installation, without the net."""
    done = python("-m", "pip", "--quiet", "--disable-pip-version-check", *arguments)
    assert done.returncode == 0, done.stderr
