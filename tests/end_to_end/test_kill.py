"""A table killed at any point: the same game, the same throw, nothing confirmed is lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from pi_app.record.history import Row, fold
from pi_app.record.journal import FILE, load
from pi_app.simulate.simulation import row_text
from tests.asked import extent

CHILD = Path(__file__).with_name("kill_child.py")
KILLS = extent(20, soak=200)
LIVES = 10  # of one table, each ended by a kill


@pytest.mark.kill
@pytest.mark.soak
@pytest.mark.parametrize("seed", range(KILLS // LIVES))
def test_a_killed_table_goes_on_where_it_was(tmp_path: Path, seed: int) -> None:
    chance = Random(seed)
    game: list[str] = []  # the lines of the newest game
    stands = "None"
    undone = 0
    for life in range(LIVES):
        stood, read = live(tmp_path, LIVES * seed + life, lines=chance.randrange(30))
        assert stood == stands
        for line in read:
            game = [line] if line.startswith("new ") else [*game, line]
        rows = newest_game(tmp_path)
        on_disk = [row_text(row) for row in rows]
        unread = on_disk if begins_anew(on_disk, game) else on_disk[len(game) :]
        assert on_disk == [*game, *unread] or unread == on_disk
        assert len(unread) <= 1  # committed, but not yet printed
        game, stands = on_disk, standing(rows)
        undone += sum(line.startswith("undo ") for line in read)
    assert undone > LIVES  # often enough to be hit


def live(folder: Path, seed: int, lines: int) -> tuple[str, list[str]]:
    """Start a table, kill it after so many confirmed rows; return where it stood and all it said.

    It goes on playing until the kill reaches it, so that the point is anywhere in a commit.
    """
    command = [sys.executable, str(CHILD), str(folder), str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as table:
        assert table.stdout is not None
        stood = table.stdout.readline().rstrip("\n")
        read = [table.stdout.readline() for _ in range(lines)]
        table.kill()
        read += table.stdout.readlines()
    return stood, [line.rstrip("\n") for line in read]


def newest_game(folder: Path) -> tuple[Row, ...]:
    """Return the rows of the newest game, read as a table does when it starts."""
    journal, found = load(folder / FILE)
    rows = journal.last_game() or ()
    journal.close()
    assert found.warning is None
    return rows


def standing(rows: tuple[Row, ...]) -> str:
    """Return where a game stands as the child prints it."""
    if not rows:
        return "None"
    record = fold(rows)
    return repr((record.game, record.waiting))


def begins_anew(on_disk: list[str], game: list[str]) -> bool:
    """Whether the newest game on the disk is one that was not read of."""
    return len(on_disk) == 1 and on_disk[0].startswith("new ") and on_disk != game
