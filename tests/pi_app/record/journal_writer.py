"""Plays a seeded game into a journal and prints each row's number once it is committed.

Run as a process of its own, so that it can be killed: `journal_writer.py PATH SEED ROWS`.
"""

import random
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from pi_app.model.history import Row, act, start_row, undo
from pi_app.record.journal import Commit, load
from rules.actions import Choose, Move, Stop, Throw
from rules.game import Phase
from rules.history import Record, new_record
from rules.ruleset import parse_ruleset


def rows_of_a_game(
    seed: int, seats: tuple[int, ...] = (2, 0, 3), preset: object = "royal-2023"
) -> Iterator[Row]:
    """Yield the rows of a random game with some undo in it; the same for the same seed."""
    chance = random.Random(seed)
    record = new_record(parse_ruleset(preset), seats)
    yield start_row(record)
    while record.game.phase is not Phase.OVER:
        record, row = next_row(record, chance)
        yield row


def next_row(record: Record, chance: random.Random) -> tuple[Record, Row]:
    game = record.game
    if record.undoable and chance.random() < 0.1:
        return undo(record)
    if game.phase in (Phase.ORDER, Phase.THROW):
        faces = tuple(chance.randint(1, 6) for _ in range(game.dice))
        throw = record.ready.throw if record.ready else Throw(faces)
        after, row, _ = act(record, throw, "simulated")
    elif game.phase is Phase.STARTER:
        after, row, _ = act(record, Choose(game.seats[0]))
    else:
        action = Move(chance.choice(game.steps)) if game.steps else Stop()
        after, row, _ = act(record, action)
    return after, row


def main(path: Path, seed: int, count: int) -> None:
    journal, _ = load(path)
    for n, row in enumerate(islice(rows_of_a_game(seed), count), 1):
        journal.append(Commit((row,), at=float(n)))
        journal.settle(turn_over=n % 3 == 0)
        print(n, flush=True)
    journal.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
