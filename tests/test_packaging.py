"""What an installation brings: the referee with its extras, or the rules alone by another name."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

import rules
from pi_app import __version__
from pi_app.launch import LIBRARIES

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LAUNCH = "from pi_app.launch import main; main()"
BARE = re.compile(
    r"referee: the table's libraries are missing \(\w+\): "
    r"in the project's folder, pip install '\.\[table\]'\n"
)


MADE = ("__pycache__", "build", "*.egg-info")  # by tools, and no part of any source
NOT_IN_A_WHEEL = shutil.ignore_patterns(*MADE, "*.md", "LICENSE", "pyproject.toml")
# What somebody does who has installed the rules and nothing else.
PLAY = """
import importlib.util, pickle
import pachisi_rules as rules
game = rules.new_game(rules.PRESETS["findler"], (0, 2))
for text in ("choose 0", "throw 5 1", "move N-0(5)"):
    game, facts = rules.play(game, rules.parse_action(text))
assert pickle.loads(pickle.dumps(game)) == game == rules.parse_game(rules.game_text(game))
try:
    rules.play(game, rules.Stop())
except rules.IllegalAction as error:
    print(type(error).__module__, error)
print(importlib.util.find_spec("rules"), rules.__version__)
"""


def python(*arguments: str, of: str = sys.executable) -> subprocess.CompletedProcess[str]:
    return subprocess.run([of, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


DEBIAN_NAMES = {"MIT": "Expat"}


def test_what_is_built_has_the_licence_for_hardware_and_code_that_for_code() -> None:
    tables = tomllib.loads((ROOT / "REUSE.toml").read_text())["annotations"]
    licences = {table["SPDX-License-Identifier"] for table in tables}
    assert {file.stem for file in (ROOT / "LICENSES").iterdir()} == licences
    assert (ROOT / "LICENSES" / "Apache-2.0.txt").read_text() == (ROOT / "LICENSE").read_text()
    paragraphs = (ROOT / "systemd" / "debian" / "copyright").read_text().split("\n\n")
    for table in tables[1:]:  # the first is for everything else, and a later one wins
        paths = [table["path"]] if isinstance(table["path"], str) else table["path"]
        files = " ".join(path.replace("**", "*") for path in paths)
        [found] = [text for text in paragraphs if text.startswith(f"Files: {files}\n")]
        licence = table["SPDX-License-Identifier"]
        assert f"License: {DEBIAN_NAMES.get(licence, licence)}" in found


def licence_of(path: str, tables: list[dict[str, Any]]) -> str:
    """Return the licence that REUSE.toml gives a file: the last table that matches wins."""
    found = ""
    for table in tables:
        globs = [table["path"]] if isinstance(table["path"], str) else table["path"]
        for glob in globs:
            pattern = re.escape(glob).replace(r"\*\*", ".*").replace(r"\*", "[^/]*")
            if re.fullmatch(pattern, path):
                found = table["SPDX-License-Identifier"]
    return found


def test_every_file_of_the_hardware_has_the_licence_of_its_kind() -> None:
    tables = tomllib.loads((ROOT / "REUSE.toml").read_text())["annotations"]
    folder = ROOT / "hardware"
    files = [file for file in folder.rglob("*") if file.is_file() and file.suffix != ".pyc"]
    for file in files:
        wanted = "Apache-2.0" if file.suffix == ".py" else "CERN-OHL-P-2.0"
        assert licence_of(file.relative_to(ROOT).as_posix(), tables) == wanted, file


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
    without = python("-S", "-c", LAUNCH, "simulate")
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
    done = python("-c", f"import sys; sys.modules['pi_app.config.keys'] = None; {LAUNCH}")
    assert "ModuleNotFoundError: import of pi_app.config.keys" in done.stderr


@pytest.mark.slow
def test_a_wheel_has_every_file_and_runs_where_nothing_else_is_installed(tmp_path: Path) -> None:
    source, bare = tmp_path / "source", tmp_path / "bare"
    source.mkdir()
    for name in ("README.md", "LICENSE", "pyproject.toml"):
        shutil.copy(ROOT / name, source)
    for name in ("rules", "pi_app"):
        shutil.copytree(ROOT / name, source / name, ignore=NOT_IN_A_WHEEL)
    files = {str(path.relative_to(source)) for path in source.glob("*/**/*") if path.is_file()}
    left = source / "rules" / "build" / "lib"  # as building the rules alone leaves it
    left.mkdir(parents=True)
    shutil.copy(ROOT / "rules" / "pyproject.toml", source / "rules")
    shutil.copy(ROOT / "rules" / "pyproject.toml", left)
    pip("wheel", "--no-deps", "--no-build-isolation", "-w", str(tmp_path), str(source))
    [wheel] = tmp_path.glob("*.whl")
    assert {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name} == files
    assert python("-m", "venv", "--without-pip", str(bare)).returncode == 0
    pip("--python", str(bare / "bin" / "python"), "install", "--no-deps", str(wheel))
    referee = subprocess.run(
        [bare / "bin" / "referee", "simulate"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert referee.returncode == 1
    assert BARE.fullmatch(referee.stderr)


def pip(*arguments: str) -> None:
    """Run pip of this installation, without the net."""
    done = python("-m", "pip", "--quiet", "--disable-pip-version-check", *arguments)
    assert done.returncode == 0, done.stderr


def test_the_rules_alone_have_the_referee_s_version_licence_and_no_dependencies() -> None:
    assert rules.__version__ == __version__
    assert (ROOT / "rules" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    alone = tomllib.loads((ROOT / "rules" / "pyproject.toml").read_text())["project"]
    assert alone["license"] == PROJECT["license"]
    assert "dependencies" not in alone
    assert "optional-dependencies" not in alone


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the rules alone, made of their source distribution."""
    folder = tmp_path_factory.mktemp("rules")
    source = folder / "source"
    shutil.copytree(ROOT / "rules", source, ignore=shutil.ignore_patterns(*MADE))
    build = "import setuptools.build_meta as backend; backend.build_sdist('..')"
    ask([sys.executable, "-c", build], source)
    [archive] = folder.glob("pachisi_rules-*.tar.gz")
    pip("wheel", "--no-deps", "--no-build-isolation", "-w", str(folder), str(archive))
    [made] = folder.glob("*.whl")
    return made


def ask(command: list[str], folder: Path, given: str = "") -> str:
    """Return what a command prints that succeeds."""
    done = subprocess.run(
        command, cwd=folder, input=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_wheel_of_the_rules_has_all_their_files_and_the_licence(wheel: Path) -> None:
    unwanted = {"LICENSE", "pyproject.toml"}
    whole = [path.relative_to(ROOT / "rules") for path in (ROOT / "rules").rglob("*.*")]
    made = re.compile("__pycache__|build/|egg-info")
    shipped = {str(path) for path in whole if not made.search(str(path))} - unwanted
    names = ZipFile(wheel).namelist()
    files = {name for name in names if ".dist-info/" not in name}
    assert files == {f"pachisi_rules/{name}" for name in shipped}
    [licence] = (name for name in names if name.endswith("LICENSE"))
    assert ZipFile(wheel).read(licence) == (ROOT / "LICENSE").read_bytes()


@pytest.mark.slow
def test_the_rules_installed_alone_play_and_answer_as_pachisi_rules(
    wheel: Path, tmp_path: Path
) -> None:
    bare = tmp_path / "bare"
    interpreter = str(bare / "bin" / "python")
    assert python("-m", "venv", "--without-pip", str(bare)).returncode == 0
    pip("--python", interpreter, "install", "--no-deps", "--no-index", str(wheel))
    run, command = [interpreter, "-I", "-c"], [interpreter, "-I", "-m", "pachisi_rules"]
    assert ask([*run, PLAY], tmp_path).splitlines() == [
        "pachisi_rules.game stop is not legal while a step must be made: 0-1(1)",
        f"None {rules.__version__}",
    ]
    readme = (ROOT / "rules" / "README.md").read_text(encoding="utf-8")
    [first] = re.findall(r"^```python\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    assert ask([*run, first], tmp_path).strip() == first.rpartition("# ")[2].strip()
    usage = ask([*command, "--help"], tmp_path)
    assert usage.startswith("usage: python -m pachisi_rules ")
    shown = ask([*command, "show", "pb"], tmp_path)
    assert shown == python("-m", "rules", "show", "pb").stdout
    request = '{"ruleset": "pb", "position": "12,N,N,N/-/N,N,N,N/-", "seat": 0, "throw": [5, 3]}'
    answer = ask([*command, "analyse"], tmp_path, given=request)
    assert '"steps": ["12-15(3)", "12-17(5)", "N-0(5)"]' in answer


@pytest.mark.slow
@pytest.mark.parametrize("document", ["README.md", "NOTATION.md", "COUNTS.md"])
def test_the_documents_examples_run_where_the_rules_are_installed_alone(
    tmp_path: Path, document: str
) -> None:
    installed = tmp_path / "pachisi_rules"
    shutil.copytree(ROOT / "rules", installed, ignore=shutil.ignore_patterns(*MADE))
    text = (installed / document).read_text(encoding="utf-8")
    session = "".join(re.findall(r"^```pycon\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    (tmp_path / "session.txt").write_text(session, encoding="utf-8")
    assert ask([sys.executable, "-m", "doctest", "session.txt"], tmp_path) == ""
