"""A tool refuses what it can't do."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


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
        ("tests.appliance.card klingon", "no trial is called 'klingon'; they are amd64, "),
        ("hardware.prints klingon", "there is no part 'klingon'"),
    ],
)  # fmt: skip
def test_a_tool_refuses_what_it_can_t_do_in_one_sentence(tool: str, sentence: str) -> None:
    command = [sys.executable, "-m", *tool.split()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode in (1, 2)
    assert done.stdout == ""
    assert sentence in done.stderr.splitlines()[-1]
