"""What the package is built from agrees with the lock file, the tree and the parser."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from argparse import SUPPRESS
from fnmatch import fnmatch
from importlib.metadata import distribution
from pathlib import Path

import pytest

from pi_app.__main__ import make_parser
from pi_app.config.keys import DEFAULT
from pi_app.config.writing import changes_text
from systemd.deb import (
    BUILD_LIBRARIES,
    DEBIAN,
    DEBIAN_LIBRARIES,
    FIRMWARE,
    INSTALL_PATHS,
    TOOLS,
    changelog_text,
    find_uncommitted,
    parse_lock,
    run,
    select_bundled,
)
from systemd.manual import format_completion, format_manual_page, list_commands

ROOT = Path(__file__).parent.parent
LOCK = (ROOT / "requirements.lock").read_text()
BUNDLED = list(parse_lock(select_bundled(LOCK)))
CONTROL = (DEBIAN / "control").read_text()
COPYRIGHT = (DEBIAN / "copyright").read_text()


def field(text: str, name: str) -> list[str]:
    """Return a field of each paragraph that has it, as Debian's control files write it."""
    found = re.findall(rf"^{name}:(.*\n(?: .*\n)*)", text, re.MULTILINE)
    return [" ".join(value.split()) for value in found]


# Libraries.


def test_every_locked_library_is_brought_comes_from_debian_or_only_builds() -> None:
    assert sorted([*BUNDLED, *DEBIAN_LIBRARIES, *BUILD_LIBRARIES]) == sorted(parse_lock(LOCK))
    assert len(BUNDLED) == 16


def test_each_library_that_is_brought_has_its_hashes() -> None:
    for name, text in parse_lock(select_bundled(LOCK)).items():
        assert "--hash=sha256:" in text, name
    assert select_bundled(LOCK).count("==") == len(BUNDLED)


@pytest.mark.parametrize("name", BUNDLED)
def test_a_library_that_is_brought_is_pure_and_all_its_files_stand_in_copyright(name: str) -> None:
    patterns = " ".join(field(COPYRIGHT, "Files")).split()
    assert f"This is {name}, https://pypi.org/project/{name}/" in COPYRIGHT
    files = distribution(name).files or []
    tops = {str(file) for file in files if file.parts[0] != ".." and "__pycache__" not in str(file)}
    if name == "openskill":  # pip takes the compiled one here; `make deb` asks for the pure one
        tops = {file for file in tops if not file.endswith(".so")}
    assert tops
    for file in tops:
        assert not file.endswith(".so")
        own = [one for one in patterns if one != "*" and fnmatch(f"lib/{file}", one)]
        assert own, file


def test_copyright_names_no_library_that_is_not_brought() -> None:
    assert re.findall(r"This is (\S+),", COPYRIGHT) == BUNDLED


def test_each_license_that_is_named_has_its_text() -> None:
    licenses = field(COPYRIGHT, "License")
    named = {text for text in licenses if " " not in text}
    assert {text.split()[0] for text in licenses if " " in text} == named


def test_what_is_compiled_comes_from_debian_with_the_floors_of_the_extra() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    [depends] = field(CONTROL, "Depends")
    for name, package in DEBIAN_LIBRARIES.items():
        [wanted] = [t for t in project["optional-dependencies"]["table"] if t.startswith(name)]
        floor, _, ceiling = wanted.removeprefix(f"{name}>=").partition(",<")
        assert f"{package} (>= {floor})" in depends
        assert not ceiling or f"{package} (<< {ceiling}~)" in depends
    for package in ("python3-lgpio", "python3-spidev"):
        assert f"{package}," in depends
    assert field(CONTROL, "Recommends") == ["espeak-ng"]
    # It replaces python3-rpi.gpio, so that a recommendation would remove what other programs need.
    assert field(CONTROL, "Suggests") == ["python3-rpi-lgpio"]


def test_the_package_runs_with_the_pythons_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["requires-python"] == ">=3.11,<3.14"
    assert "-V 3.11-3.14\n" in (DEBIAN / "rules").read_text()


# The configuration in /etc.


def test_in_etc_each_key_of_the_shipped_file_is_commented_out_and_no_table() -> None:
    shipped, etc = DEFAULT.read_text(), changes_text({})
    said = tomllib.loads(shipped)
    assert tomllib.loads(etc) == {
        name: {seat: {} for seat in table} if name == "panel" else {}
        for name, table in said.items()
    }
    assert tomllib.loads(re.sub(r"^#(?=\w+ = )", "", etc, flags=re.MULTILINE)) == said


# The pages.

COMMANDS = list_commands(make_parser())
PAGE = format_manual_page(make_parser(), "1.2", 86400).replace("\\-", "-")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_manual_page_tells_each_command_with_its_usage_on_one_line(name: str) -> None:
    [usage] = re.findall(rf"^usage: referee {name}( .*)$", PAGE, re.MULTILINE)
    assert f".SS \\fBreferee {name}\\fR\n" in PAGE
    shown = [one.option_strings for one in COMMANDS[name]._actions if one.help != SUPPRESS]
    assert {names[0] for names in shown if names} == set(re.findall(r"(?<!\w)--?[\w-]+", usage))


def test_the_manual_page_has_its_version_and_day_and_no_line_that_roff_would_take() -> None:
    assert PAGE.startswith('.TH REFEREE "1" "1970-01-02" "Pachisi Referee 1.2" "User Commands"\n')
    requests = {line.split()[0] for line in PAGE.splitlines() if line.startswith((".", "'"))}
    assert requests == {".TH", ".SH", ".SS", ".TP", ".B", ".I", ".RS", ".RE"}


def test_the_manual_page_names_each_exit_status() -> None:
    _, _, status = PAGE.partition(".SH EXIT STATUS\n")
    assert re.findall(r"^\.TP\n(\d+)$", status, re.MULTILINE) == (
        ["0", "1", "2", str(os.EX_TEMPFAIL), str(os.EX_CONFIG), "130"]
    )


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("referee ", [*COMMANDS]),
        ("referee simu", ["simulate"]),
        ("referee simulate --see", ["--seed"]),
        ("referee simulate --ruleset pb", ["pb"]),
        ("referee run --config re", []),
        ("referee announce s", ["stopped"]),
    ],
)
def test_bash_completes(typed: str, offered: list[str]) -> None:
    words = " ".join(f"'{word}'" for word in typed.split(" "))
    script = (
        f"{format_completion(make_parser())}\n"
        f"COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n"
        '_shtab_referee; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == offered


# The rest of the tree.


def test_the_launcher_is_isolated_and_starts_the_command_of_the_project() -> None:
    launcher = (DEBIAN / "referee").read_text()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    module, _, function = project["scripts"]["referee"].partition(":")
    assert launcher.startswith("#!/usr/bin/python3 -I\n")
    assert f"from {module} import {function}" in launcher
    folder = re.findall(r'sys\.path\.insert\(0, "(.*)"\)', launcher)
    assert folder == ["/usr/lib/pachisi-referee"]
    assert f"lib/* {folder[0][1:]}\n" in (DEBIAN / "pachisi-referee.install").read_text()


def test_the_launcher_sees_nothing_of_the_folder_or_the_variables_it_is_started_with(
    tmp_path: Path,
) -> None:
    library = tmp_path / "lib" / "pi_app"
    library.mkdir(parents=True)
    (library / "__init__.py").touch()
    (library / "launch.py").write_text("import json\ndef main(): print('the package')\n")
    (tmp_path / "json.py").write_text("raise SystemExit('from the folder')")
    text = (DEBIAN / "referee").read_text()
    launcher = tmp_path / "referee"
    launcher.write_text(text.replace("/usr/lib/pachisi-referee", str(library.parent)))
    done = subprocess.run(
        [sys.executable, "-I", str(launcher)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "the package\n"


def test_a_tool_that_is_missing_is_named_with_its_package(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "systemd.deb"],
        cwd=ROOT,
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"git is missing: sudo apt-get install {TOOLS}\n"


def test_build_dependencies_that_are_missing_are_named_in_one_line_of_apt(tmp_path: Path) -> None:
    tool = tmp_path / "dpkg-buildpackage"
    unmet = "dpkg-checkbuilddeps: error: Unmet build dependencies: debhelper-compat (= 13)"
    tool.write_text(f"#!/bin/sh\necho '{unmet}' >&2\nexit 3\n", encoding="utf-8")
    tool.chmod(0o755)
    with pytest.raises(SystemExit, match=f"^tools are missing: sudo apt-get install {TOOLS}$"):
        run(str(tool))


def test_debian_s_changelog_has_one_entry_of_the_commit_s_time() -> None:
    assert changelog_text("0.1", "Somebody <a@b.invalid>", 86400).splitlines() == [
        "pachisi-referee (0.1) unstable; urgency=medium",
        "",
        "  * See NEWS.md.gz beside this file.",
        "",
        " -- Somebody <a@b.invalid>  Fri, 02 Jan 1970 00:00:00 +0000",
    ]


def test_each_file_for_systemd_has_its_place_in_the_package() -> None:
    files = {path.name for path in DEBIAN.parent.iterdir() if path.is_file()}
    assert {name for name in files if not name.endswith((".md", ".py"))} == set(INSTALL_PATHS)
    units = {name for name, place in INSTALL_PATHS.items() if place.endswith(f"/system/{name}")}
    assert {name for name in files if name.endswith((".service", ".path", ".socket"))} == units


def test_the_firmware_for_the_pico_is_where_its_readme_says() -> None:
    assert f"`/{FIRMWARE}/*.py`" in (ROOT / "firmware" / "README.md").read_text()
    assert Path(FIRMWARE).name != "pachisi-referee"  # Debian compiles such a folder for Python


def test_the_table_is_enabled_and_what_is_for_the_network_or_other_programs_is_not() -> None:
    wanted = {
        name
        for name, place in INSTALL_PATHS.items()
        if "/system/" in place and "[Install]" in (DEBIAN.parent / name).read_text()
    }
    on, off = re.findall(
        r"^\tdh_installsystemd (.*)$", (DEBIAN / "rules").read_text(), re.MULTILINE
    )
    assert on == "referee.service"
    assert {on, *off.split()} == {"--no-enable", "--no-start", *wanted}


# What it says where it can't build.


def checkout(folder: Path) -> Path:
    """Make a checkout of what is here, as it lies, without its history."""
    for name in ("systemd", "rules", "pi_app"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def deb(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "systemd.deb", *arguments],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "GIT_CEILING_DIRECTORIES": str(folder.parent)} | variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.slow
def test_an_archive_without_a_history_is_one_sentence_that_says_what_to_do(tmp_path: Path) -> None:
    done = deb(checkout(tmp_path / "here"))
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(
        r"the time of the last commit is not known \(fatal: not a git repository.*\): "
        r"build in a clone, or set a time, as in make deb SOURCE_DATE_EPOCH=\$\(date \+%s\)\n",
        done.stderr,
    )


@pytest.mark.slow
@pytest.mark.parametrize("version", ["bogus", "1.0~", "1.0 beta", "1.", "1.0-2"])
def test_a_version_that_is_none_is_one_sentence(version: str) -> None:
    done = deb(ROOT, version)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"{version!r} is not a version: write numbers with dots, as in make deb VERSION=0.1\n"
    )


def test_edits_that_are_not_committed_are_told(tmp_path: Path) -> None:
    here = checkout(tmp_path / "here")
    git = ("git", "-C", str(here), "-c", "user.name=A", "-c", "user.email=a@b.invalid")
    for command in (("init", "-q"), ("add", "."), ("commit", "-qm", "all")):
        subprocess.run([*git, *command], check=True)
    assert find_uncommitted(here) == []
    (here / "mine.txt").touch()  # does not go into the package
    assert find_uncommitted(here) == []
    (here / "pi_app" / "app.py").write_text("# mine\n")
    (here / "pi_app" / "mine.py").touch()
    assert find_uncommitted(here) == ["pi_app/app.py", "pi_app/mine.py"]


def test_without_a_history_no_edit_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert find_uncommitted(tmp_path) == []
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_uncommitted(tmp_path) == []
