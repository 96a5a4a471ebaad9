"""A table that plays one game after another by itself, with a local socket as on a Pi.

    python -m tests.club.table FOLDER SEED PAUSE [ACTS]

FOLDER  has the journal, and `socket` once the table is there; with a file `enough` in it, the
        game is the last one, and after it there is a file `finished`
SEED    of the dice and of what the players choose
PAUSE   seconds after each throw or step
ACTS    how many a game has at most, then the players end it; a third of these ends is taken back
"""

import random
import signal
import sys
import time
from contextlib import closing
from pathlib import Path

from pi_app.config.keys import DEFAULT
from pi_app.config.reading import load_config
from pi_app.record.journal import FILE
from pi_app.simulate.player import SimulatedPlayer
from pi_app.simulate.port import listen_locally
from pi_app.simulate.simulation import open_simulation
from pi_app.system.notify import Sockets
from pi_app.web.spectators import Spectators
from rules.game import Phase

EDITIONS = ("royal-2023", "parchis", "ludo-uk", "findler", "pop-28", "tr-1938", "ludo-de", "sca")
SEATS = ((0, 1, 2, 3), (0, 2), (0, 1, 2))
PLAYED_ON = 3  # acts after an end that was taken back
REST = 5  # pauses between two games


def play(player: SimulatedPlayer, chance: random.Random, pause_s: float, acts: int) -> None:
    """Play a game to its end, or go on with the one in progress."""

    def act() -> None:
        player.act()
        player.settle()  # the dice have tumbled
        time.sleep(pause_s)

    if player.table.app.session.record is None or player.game.phase is Phase.OVER:
        player.begin(chance.choice(SEATS))
    for _ in range(acts):
        if player.game.phase is Phase.OVER:
            break
        act()
    else:
        player.end()
        if chance.random() < 1 / 3:
            time.sleep(pause_s)
            player.choose_in_menu(player.game.seat, "undo")
            for _ in range(PLAYED_ON):
                act()
            player.end()
    time.sleep(REST * pause_s)


def main(folder: Path, seed: int, pause_s: float, acts: int = sys.maxsize) -> None:
    """Play until SIGTERM."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit())
    folder.mkdir(exist_ok=True)
    # Each run goes on with other dice, as a table does that was switched off. With the same ones it
    # would play a game again, which a club counts once.
    runs = len([*folder.glob("run-*")])
    (folder / f"run-{runs}").touch()
    chance = random.Random(f"{seed} {runs}")
    local = listen_locally(folder / "socket")
    with (
        closing(Spectators(Sockets(local=local), folder / FILE, ())) as spectators,
        open_simulation(
            load_config(DEFAULT),
            chance.randrange(10**9),
            folder,
            ruleset=EDITIONS[seed % len(EDITIONS)],
            watch=spectators.watch,
        ) as played,
    ):
        player = SimulatedPlayer(played, chance)
        play(player, chance, pause_s, acts)
        while not (folder / "enough").exists():
            play(player, chance, pause_s, acts)
        (folder / "finished").touch()
        signal.pause()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), *map(int, sys.argv[4:]))
