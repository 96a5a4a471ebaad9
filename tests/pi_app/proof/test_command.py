"""`referee proof` as a process on faked metal, and the parts of it that the self test has."""

import os
import signal
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest

from pi_app.commands import UsageError
from pi_app.commands.proof import ask_while, find_wrong_signals, main
from pi_app.commands.self_test import SelfTest
from pi_app.devices.buttons import PinsError
from pi_app.proof.form import FILE, ProofError, read_proof
from pi_app.proof.measures import busy_cores
from pi_app.proof.steps import STEPS
from tests.end_to_end.service import METAL, ROOT
from tests.pi_app.devices.gadget import wait_for
from tests.pi_app.proof.person import Person

PANELS = "panel.A.ok = 17\npanel.C.ok = 16\n"


def configured(folder: Path) -> str:
    config = folder / "my.toml"
    config.write_text(f'{PANELS}table.journal_folder = "{folder}"\n')
    return str(config)


def start_proof(folder: Path, *options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "pi_app", "proof", "--config", configured(folder), *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{METAL}:{ROOT}", "METAL": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
def test_it_is_done_by_keys_and_goes_on_where_it_was_ended(tmp_path: Path) -> None:
    begun, _ = start_proof(tmp_path).communicate("\n1\n1\n2\n\n\n\n\nn\n\n\n\nq\n")
    assert begun.endswith("Run this command again in this folder to go on.\n")
    assert list(read_proof(tmp_path / FILE).steps) == ["about", "pictures", "frames"]
    keys = ["", "", "", "", "", "s", "s", "s", "s", ""]
    process = start_proof(tmp_path)
    done, error = process.communicate("".join(f"{key}\n" for key in keys))
    assert (process.returncode, error) == (0, "")
    assert done.startswith("5 of 10 steps are left")
    file = read_proof(tmp_path / FILE)
    assert [*file.faults()] == [
        "pictures: 4 on the display",
        "buttons: A.ok: 0 presses of 20",
        "buttons: C.ok: 0 presses of 20",
    ]
    assert file.steps["frames"]["displays"][0]["errors"] == []
    assert [name for name in STEPS if name not in file.steps] == [
        *("signals", "chamber", "temperature", "power", "game", "hours")
    ]


@pytest.mark.slow
def test_hours_go_on_until_the_process_is_killed(tmp_path: Path) -> None:
    process = start_proof(tmp_path, "--hours")
    wait_for((tmp_path / "panel").exists)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    [[seconds, _, _]] = read_proof(tmp_path / FILE).steps["hours"]["readings"]
    assert seconds == 0


@pytest.mark.slow
def test_a_file_with_a_mistake_is_refused_before_anything_is_done(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"form": 1, "steps": {"signals": {}}}')
    process = start_proof(tmp_path)
    said, error = process.communicate("")
    assert (process.returncode, said) == (1, "")
    assert error == f"referee: {FILE}: steps.signals.wrong is missing: add it\n"


@pytest.mark.slow
def test_two_at_once_do_not_write_over_each_other(tmp_path: Path) -> None:
    first = start_proof(tmp_path)
    wait_for((tmp_path / FILE).exists)
    _, error = start_proof(tmp_path).communicate("")
    first.communicate("")
    assert error == f"referee: another proof runs in {tmp_path}: end it first\n"


@pytest.mark.slow
def test_a_file_that_can_not_be_written_is_told_before_anything_is_done(tmp_path: Path) -> None:
    said, error = start_proof(tmp_path, "/proc/proof.json").communicate("")
    assert said == ""
    assert error.startswith(
        "referee: /proc/proof.json can't be written (No such file or directory)"
    )


def test_the_program_goes_on_looking_until_somebody_types(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    looks: list[str] = []

    def look() -> None:
        looks.append("look")
        if len(looks) == 3:
            os.write(writing, b"no\n")

    with os.fdopen(reading) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert ask_while("Is it so? ", look, every_s=0.0) == "no"
    os.close(writing)
    assert len(looks) == 3


def test_a_pipe_is_no_file_of_a_proof(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / FILE)
    with pytest.raises(ProofError, match="is not a file: name another"):
        read_proof(tmp_path / FILE)


def test_a_journal_that_one_may_not_read_asks_for_sudo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path)
    config = Path(configured(tmp_path))
    options = Namespace(file=tmp_path / FILE, config=config, folder=None, hours=False)
    with pytest.raises(UsageError, match="run this command with sudo"):
        main(options)


def test_without_pins_it_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)  # to import it fails
    config = Path(configured(tmp_path))
    options = Namespace(file=tmp_path / FILE, config=config, folder=None, hours=False)
    with pytest.raises(PinsError, match="can't be reached by lgpio"):
        main(options)
    assert not (tmp_path / FILE).exists()


def test_lamps_and_tones_that_did_not_come_are_named_without_their_pins(tmp_path: Path) -> None:
    person = Person(tmp_path, {})
    test = SelfTest(
        config=person.config,
        factory=person.factory,
        devices=(),
        folder=tmp_path,
        print_text=person.said.append,
        clock=person.clock,
        sleep=person.sleep,
    )
    answers = iter([False, True, True, False, True, *[True] * 5])
    assert find_wrong_signals(test, lambda: next(answers)) == ["lamp A", "tone C"]
    assert "lamp A, GPIO22: it should be lit now" in person.said
    assert find_wrong_signals(test, lambda: next(answers)) == []  # the pins were let go


@pytest.mark.slow
def test_each_core_is_kept_busy_and_let_go() -> None:
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    before = set(children.read_text().split())
    with busy_cores():
        ours = sorted(set(children.read_text().split()) - before)
        stats = [Path(f"/proc/{child}/stat") for child in ours]
        wait_for(lambda: all(int(stat.read_text().split()[13]) > 5 for stat in stats))  # ticks
    assert len(ours) == os.cpu_count()
    assert not any(Path(f"/proc/{child}").exists() for child in ours)
