"""A table killed at any point: the same game, the same throw, nothing confirmed is lost."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from signal import SIGKILL
from typing import NamedTuple

import pytest

from pi_app.model.history import Row, fold
from pi_app.record.journal import FILE, load
from pi_app.simulate.simulation import row_text
from tests.asked import extent
from tests.pi_app.record.journals import last_game

CHILD = Path(__file__).with_name("kill_child.py")
LIVES = extent(2, soak=5)  # of one table, each ended by a kill
SEEDS = extent(1, soak=2)  # for each of the kinds
# What is done often besides playing, and how the lines of it are known.
KINDS = {
    "undo": ("undo ",),
    "typed": ("typed", "retype "),
    "corrections": ("correct ",),
    "settings": ("set ",),
}

Settings = dict[str, str]


class Life(NamedTuple):
    """What a table said from its start to its kill: where it stood, what was set, each line."""

    stood: str
    had: Settings
    lines: list[str]


@pytest.mark.kill
@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_killed_table_goes_on_where_it_was(tmp_path: Path, seed: int, kind: str) -> None:
    chance = Random(f"{kind} {seed}")
    game: list[str] = []  # the lines of the newest game
    stands, known = "None", Settings()
    done = 0
    for life in range(LIVES):
        lived = live(tmp_path, kind, LIVES * seed + life, lines=chance.randrange(5, 45))
        assert (lived.stood, lived.had) == (stands, known)
        for line in lived.lines:
            if line.startswith("set "):
                known = json.loads(line.removeprefix("set "))
            else:
                game = [line] if line.startswith("new ") else [*game, line]
            done += any(mark in line for mark in KINDS[kind])
        rows, settings = on_the_disk(tmp_path)
        on_disk = [row_text(row) for row in rows]
        unread = on_disk if begins_anew(on_disk, game) else on_disk[len(game) :]
        assert on_disk == [*game, *unread] or unread == on_disk
        assert len(unread) <= 1  # committed, but not yet printed
        assert len(set(settings.items()) ^ set(known.items())) <= 2  # one of a later press
        game, stands, known = on_disk, standing(rows), settings
    assert done >= LIVES  # often enough to be hit


def live(folder: Path, kind: str, seed: int, lines: int) -> Life:
    """Start a table, kill it after so many confirmed lines; return what it said.

    It goes on playing until the kill reaches it, so that the point is anywhere in a commit.
    """
    command = [sys.executable, str(CHILD), str(folder), str(seed), kind]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as table:
        assert table.stdout is not None
        stood = table.stdout.readline().rstrip("\n")
        had = table.stdout.readline().removeprefix("set ")
        read = [table.stdout.readline() for _ in range(lines)]
        table.kill()
        read += table.stdout.readlines()
    assert table.returncode == -SIGKILL  # and nothing else has ended it
    return Life(stood, json.loads(had), [line.rstrip("\n") for line in read])


def on_the_disk(folder: Path) -> tuple[tuple[Row, ...], Settings]:
    """Return the rows of the newest game and what is set, read as a table does when it starts."""
    journal, found = load(folder / FILE)
    rows, settings = last_game(folder / FILE), journal.settings()
    journal.close()
    assert found.warning is None
    return rows, settings


def standing(rows: tuple[Row, ...]) -> str:
    """Return where a game stands as the child prints it."""
    if not rows:
        return "None"
    record = fold(rows)
    return repr((record.game, record.waiting))


def begins_anew(on_disk: list[str], game: list[str]) -> bool:
    """Whether the newest game on the disk is one that was not read of."""
    return len(on_disk) == 1 and on_disk[0].startswith("new ") and on_disk != game
