"""A press of the dome that confirms and throws, killed at each system call of its one commit."""

import shutil
from pathlib import Path
from random import Random

import pytest

from pi_app.model.history import Row, fold
from pi_app.record.journal import FILE, load
from rules.actions import Throw
from tests.asked import extent
from tests.end_to_end.forced_child import BOOT, PRESS, PRESSES, lay_out, table
from tests.pi_app.record.journals import last_game
from tests.strace import Call, calls_of, kill_at

CHILD = str(Path(__file__).with_name("forced_child.py"))


@pytest.mark.kill
@pytest.mark.soak
@pytest.mark.parametrize("press", PRESSES)
def test_a_press_killed_at_any_system_call_has_confirmed_and_thrown_or_done_neither(
    tmp_path: Path, press: str
) -> None:
    first = tmp_path / "first"
    first.mkdir()
    before = lay_out(first)
    shutil.copytree(first, tmp_path / "traced")
    calls = calls_of_the_press(tmp_path / "traced", tmp_path / "log", press)
    assert {name for name, _ in calls} >= {"pwrite64", "fdatasync"}
    found = set[int]()
    some = Random(press).sample(calls[1:-1], extent(0, soak=len(calls) - 2))
    for name, n in (calls[0], *some, calls[-1]):
        killed = tmp_path / f"{name}-{n}"
        shutil.copytree(first, killed)
        kill_at((name, n), (CHILD, str(killed), press))
        rows = rows_of(killed)
        assert rows[: len(before)] == before
        found.add(len(rows) - len(before))
        assert len(rows) == len(before) or confirmed_and_thrown(rows[len(before) :], press)
        fold(rows)
        see_start(killed, before, rows, press)
    assert found == {0, 2}


def calls_of_the_press(folder: Path, log: Path, press: str) -> list[Call]:
    """Return the system calls from the press on until the table has shown what came of it."""
    calls: list[Call] = []
    for call, line in calls_of((CHILD, str(folder), press), log, lambda line: PRESS in line):
        calls.append(call)
        if len(calls) > 1 and PRESS in line:
            return calls[1:]  # the last is made when all is recorded
    raise AssertionError(f"no press in {log}")


def rows_of(folder: Path) -> tuple[Row, ...]:
    """Return the newest game's rows as the next start finds them."""
    journal, found = load(folder / FILE)
    rows = last_game(folder / FILE)
    journal.close()
    assert rows
    assert (found.warning, found.missing) == (None, 0)
    return rows


def confirmed_and_thrown(rows: tuple[Row, ...], press: str) -> bool:
    """Whether these are the two rows of one press, of which only the throw has its number."""
    stop, throw = rows
    pair = (None, None) if press == "plain" else (BOOT, 1)
    return (
        (str(stop.entry), stop.by, stop.boot, stop.n) == ("stop", "dome", None, None)
        and isinstance(throw.entry, Throw)
        and (throw.by, throw.boot, throw.n) == (None, *pair)
    )


def see_start(folder: Path, before: tuple[Row, ...], rows: tuple[Row, ...], press: str) -> None:
    """See that after a new start the dome throws once, and not again for what is recorded."""
    answered: list[int] = []
    with table(folder, 2, press) as played:
        played.app.acknowledge = answered.append
        PRESSES[press](played, 1)  # a chamber that has had no answer says it again
        again = played.app.session.playing
    after = rows_of(folder)
    assert fold(after) == again
    assert after[: len(rows)] == rows
    assert len(after) == len(before) + 2
    assert confirmed_and_thrown(after[len(before) :], press)
    assert answered == ([] if press == "plain" else [1])
