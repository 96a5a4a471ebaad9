"""The command line as a process: its streams closed, full or gone, and what its help says."""

import os
import re
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from pi_app.__main__ import COMMANDS

pytestmark = pytest.mark.slow  # each test starts a process

ROOT = Path(__file__).parents[2]
PRINTING = ("config", "--help", "chamber --dice-test 100")


def shell(line: str, stdout: int = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    """Run a line of bash in which `referee` is ours, with buffered streams as users have them."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    return subprocess.run(
        ["bash", "-c", f'referee() {{ "{sys.executable}" -m pi_app "$@"; }}; {line}'],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )


@cache
def usual_lines(line: str) -> int:
    """Return how many lines a command prints."""
    return len(shell(f"referee {line}").stdout.splitlines())


@pytest.mark.slow
@pytest.mark.parametrize("line", ["config", "chamber --dice-test 100"])
@pytest.mark.parametrize("closed", ["2>&-", "<&- 2>&-"])
def test_a_command_does_its_work_with_closed_streams(line: str, closed: str) -> None:
    done = shell(f"referee {line} {closed}")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == usual_lines(line) > 0


@pytest.mark.slow
def test_a_command_that_fails_with_closed_streams_says_so_by_its_status(tmp_path: Path) -> None:
    backup = f"referee backup {tmp_path}/kept.db --folder {tmp_path}"
    assert shell(f"{backup} 2>&-").returncode == 1
    assert shell(f"{backup} >&- 2>&-").returncode == 1
    assert "journal.db is not there: play first" in shell(f"{backup} >&-").stderr


@pytest.mark.parametrize("line", PRINTING)
def test_a_reader_that_has_gone_is_not_complained_of(line: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = shell(f"referee {line}", stdout=writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize("line", PRINTING)
def test_what_can_not_be_printed_is_one_sentence(line: str) -> None:
    done = shell(f"referee {line} >/dev/full")
    assert done.returncode == 1
    assert done.stderr == ("referee: can't write the output (No space left on device)\n")


def test_a_wrong_option_of_simulate_is_told_without_a_wall_of_presets() -> None:
    done = shell("referee simulate --speed 3")
    assert done.returncode == 2
    assert "royal-2023" not in done.stderr
    assert "royal-2023" in shell("referee simulate --help").stdout


def test_help_has_first_what_people_type_and_last_what_systemd_and_a_card_call() -> None:
    told = shell("COLUMNS=999 referee --help").stdout
    commands = re.findall(r"^    ([a-z-]+)\s+(for [a-z ]+:)?", told, re.MULTILINE)
    assert [name for name, _ in commands[:3]] == ["run", "simulate", "games"]
    assert [name for name, caller in commands if caller] == [name for name, _ in commands[-3:]]


def test_each_module_of_a_command_has_its_line() -> None:
    modules = {path.stem for path in (ROOT / "pi_app/commands").glob("*.py")} - {
        "__init__",
        "last_screen",
    }
    assert sorted(module for module, _ in COMMANDS.values()) == sorted(modules)


def test_a_command_loads_no_other_command() -> None:
    code = "import sys; from pi_app.__main__ import make_parser; make_parser('games')"
    listed = (
        f"{code}; print(*(name for name in sys.modules if name.startswith('pi_app.commands.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", listed], capture_output=True, text=True, check=True
    )
    assert done.stdout == "pi_app.commands.games\n"


def test_a_report_needs_no_library_of_a_device() -> None:
    code = """if True:
        import sys
        missing = "gpiozero", "luma", "serial", "PIL"
        sys.modules |= dict.fromkeys(missing)  # to import one fails
        from pi_app.__main__ import make_parser
        make_parser("report")
    """
    subprocess.run([sys.executable, "-c", code], check=True)


PRESSED_WHILE_LOADING = """
import os, signal, sys
from pi_app import launch

class CtrlC:
    def find_spec(self, name, *rest):
        if name == "pi_app.__main__":
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
sys.meta_path.insert(0, CtrlC())
launch.main()
"""


def test_ctrl_c_while_the_command_loads_ends_it_without_a_word() -> None:
    command = [sys.executable, "-c", PRESSED_WHILE_LOADING]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")
