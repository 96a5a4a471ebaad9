"""A day of a table, played by itself on a clock that is moved on, and what it holds every hour.

python -m tests.end_to_end.day FOLDER HOURS SECONDS TURNS prints, an hour of so many seconds a line,
the turns played and the resident megabytes.
"""

import gc
import os
import sys
from pathlib import Path
from random import Random

from pi_app.config.keys import DEFAULT
from pi_app.config.reading import load_config
from pi_app.simulate.player import SimulatedPlayer
from pi_app.simulate.simulation import Simulation, open_simulation
from rules.game import Phase
from tests.bench.measure import resident_megabytes

SEATS = (0, 1, 2, 3)


def day(table: Simulation, hours: int, hour_s: float, turns: int) -> None:
    """Play so many turns in so many hours, evenly, the nights in between games waited through."""
    player, before = SimulatedPlayer(table, Random(1)), 0
    for hour in range(1, hours + 1):
        while before + turn(player) < turns * hour // hours:
            if table.app.session.record is None or player.game.phase is Phase.OVER:
                before += turn(player)
                player.begin(SEATS)
            player.act()
        table.wait_until(hour * hour_s)
        gc.collect()
        print(before + turn(player), resident_megabytes(os.getpid()), flush=True)


def turn(player: SimulatedPlayer) -> int:
    """Return which turn it is of the game on the table."""
    return player.game.turns if player.table.app.session.record is not None else 0


if __name__ == "__main__":
    folder, hours, seconds, turns = sys.argv[1:]
    with open_simulation(load_config(DEFAULT), 1, Path(folder)) as table:
        day(table, int(hours), float(seconds), int(turns))
