"""A table that plays on and on, undo included, until it is killed; test_kill.py starts it.

It prints where it stands when it starts, then each row once that is confirmed.
"""

import sys
from pathlib import Path
from random import Random

from pi_app.config import DEFAULT, load_config
from pi_app.record.history import Row
from pi_app.simulate.player import Player
from pi_app.simulate.simulation import row_text, simulation
from pi_app.table.state import Session

SEATS = ((0, 2), (0, 1, 2, 3), (3, 1, 2))


def standing(session: Session) -> str:
    """Return where the game stands, the throw on the table and those that wait included."""
    return repr(session.record and (session.record.game, session.record.waiting))


def confirmed(row: Row) -> None:
    print(row_text(row), flush=True)


def main(folder: Path, seed: int) -> None:
    chance = Random(seed)
    with simulation(load_config(DEFAULT), seed, folder, confirmed) as played:
        print(standing(played.app.session), flush=True)
        player = Player(played, chance)
        while True:
            if played.app.session.record is None:
                player.begin(chance.choice(SEATS))
            elif chance.random() < 0.2 and played.app.session.playing.undoable:
                player.choose_in_menu(player.game.seat, "undo")
            elif player.game.places:
                player.begin(chance.choice(SEATS))
            else:
                player.act()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
