"""Each target of the Makefile is run by CI, whole or in part; a tool refuses what it can't do."""

import re
import shlex
import subprocess
import sys
import warnings
from pathlib import Path
from runpy import run_module

import pytest

ROOT = Path(__file__).parent.parent
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
CI = "".join(file.read_text(encoding="utf-8") for file in sorted((ROOT / ".ci").iterdir()))
ELSEWHERE = {
    "help": "a test here runs it",
    "run": "tests/test_readme.py runs it",
    "check": "a part of make test",
    "club": "tests/club/test_club.py runs it",
    "clean": "it only deletes",
    "deb": "make card needs it",
    "hardware-files": "hardware-check makes the same files",
    "hardware-boards": "hardware-boards-check makes the same files",
}


def targets() -> set[str]:
    return {
        name for line in re.findall(r"^\.PHONY: (.*)$", MAKEFILE, re.M) for name in line.split()
    }


def parts() -> set[str]:
    """Return the parts of targets: `vm-package` is what `make vm ONLY=package` runs."""
    return set(re.findall(r"^([a-z]+-[a-z]+):", MAKEFILE, re.M))


def run_by_ci() -> set[str]:
    """Return the targets that CI's scripts name, and their parts: those of ONLY, or the usual."""
    found = set[str]()
    for command in re.findall(r"\bmake ([a-z][^&;\n]*)", re.sub(r"(?m)^#.*", "", CI)):
        words = shlex.split(command)
        only = " ".join(word[5:] for word in words if word.startswith("ONLY="))
        for target in (word for word in words if "=" not in word):
            usual = re.search(rf"^{target}: \$\(call parts,\w+,(.*)\)$", MAKEFILE, re.M)
            named = only or (usual[1] if usual else "")
            found |= {target, *(f"{target}-{part}" for part in named.split())}
    return found


def test_make_help_has_a_line_for_every_target_and_part() -> None:
    done = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    lines, target = set[str](), ""
    named = r"^(?:([a-z-]+) +(?<=^.{10})| +ONLY=([a-z]+) )"
    for name, part in re.findall(named, done.stdout, re.M):
        target = name or target
        lines.add(name or f"{target}-{part}")
    unnamed = {name for name in parts() if name.endswith("-files")}  # the target's own line
    assert lines == (targets() | parts()) - {"help"} - unnamed


def test_ci_runs_every_target_and_part() -> None:
    assert (targets() | parts()) - run_by_ci() == set(ELSEWHERE)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tool", "sentence"),
    [
        ("tests.strength chances pachisi-modern", "'pachisi-modern' is not one of findler, "),
        ("tests.strength chances --against x", "there is no file 'x'"),
        ("tests.strength match --against x", "there is no file 'x'"),
        ("tests.strength match --first 0", "--first is a number from 1 on, not 0"),
        ("tests.strength losses royal-2023", "'royal-2023' is not one of findler"),
        (
            "tests.strength train findler-4 --rounds 1",
            "name the table's file with --out: it is not made as the one that ships",
        ),
        ("tests.bench memory mood", "no measurement has 'mood' in its name"),
        ("tests.words klingon", "'klingon' is not a language that Babel knows"),
        ("tests.rules.unchanged cases klingon", "cases, games and one of "),
        ("tests.appliance.card --scenario klingon", "invalid choice: 'klingon' (choose from "),
        ("tests.appliance.card --image klingon", "there is no file klingon: download "),
        ("hardware.prints klingon", "there is no part 'klingon'"),
    ],
)  # fmt: skip
def test_a_tool_refuses_what_it_can_t_do_in_one_sentence(
    tool: str,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(ROOT)
    module, *_ = words = tool.split()
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as end, warnings.catch_warnings(action="ignore"):
        run_module(module, run_name="__main__", alter_sys=True)
    said = capsys.readouterr()
    assert end.value.code not in (0, None)
    assert said.out == ""
    assert sentence in (said.err if end.value.code == 2 else str(end.value.code)).splitlines()[-1]


@pytest.mark.slow
def test_what_an_edition_answers_is_printed() -> None:
    tool = [sys.executable, "-m", "tests.rules.unchanged", "cases", "mb-total"]
    subprocess.run(tool, cwd=ROOT, check=True)
