"""A table where nothing is left to choose, and one press of its dome; by test_forced_killed.py.

It prints a line before the press and one after it, between which the press is recorded.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from pi_app.config.keys import DEFAULT
from pi_app.config.reading import load_config
from pi_app.model.events import ChamberLine, ChamberPress, ChamberRolled
from pi_app.model.history import Row, act, start_row
from pi_app.record.journal import FILE, Commit, load
from pi_app.simulate.simulation import Simulation, open_simulation
from pi_app.table.wishes import wishes_of
from rules.actions import Throw
from rules.history import new_record
from rules.ruleset import PRESETS

BOOT = "b007b007"
PRESS = "the press"
STANDS_S = 2.5  # so long the screen has stood when the dome confirms it


def lay_out(folder: Path) -> tuple[Row, ...]:
    """Record a game in which A has thrown and can move no pawn, C being next; return its rows."""
    record = new_record(PRESETS["royal-2023"], (0, 2))
    rows = [start_row(record)]
    for faces in ((6, 6), (1, 2), (6, 3)):  # A begins
        record, row, _ = act(record, Throw(faces), "simulated")
        rows.append(row)
    journal, _ = load(folder / FILE)
    for row in rows:
        journal.append(Commit((row,)))
    journal.close()
    return tuple(rows)


@contextmanager
def table(folder: Path, seed: int, press: str) -> Iterator[Simulation]:
    """Start a table in this folder; after its first screen a press of the dome counts."""
    config = load_config(DEFAULT)
    if press == "rolled":
        config = replace(config, chamber_dice_from="chamber")
    with open_simulation(config, seed, folder) as played:
        if press != "plain":
            played.app.inbox.put(ChamberLine(True, played.clock.now))
        played.wait_until(played.clock.now + STANDS_S)
        yield played


def tap(played: Simulation, n: int) -> None:
    """Tap the dome that is wired to the table."""
    played.tap("dome")


def press_lit(played: Simulation, n: int) -> None:
    """Let the lit chamber tell its n-th press, as answer to the newest ARM."""
    app = played.app
    app.inbox.put(ChamberPress(BOOT, n, wishes_of(app.session).key, played.clock.now))
    app.drain()


def roll_lit(played: Simulation, n: int) -> None:
    """Let the lit chamber tell its n-th press and the faces that it has drawn."""
    app = played.app
    key = wishes_of(app.session).key
    app.inbox.put(ChamberRolled(BOOT, n, key, (5, 3), played.clock.now))
    app.drain()


PRESSES: dict[str, Callable[[Simulation, int], None]] = {
    "plain": tap,
    "pressed": press_lit,
    "rolled": roll_lit,
}


def main(folder: Path, press: str) -> None:
    with table(folder, 1, press) as played:
        print(PRESS, flush=True)
        PRESSES[press](played, 1)
        print(PRESS, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
