"""Whole games of strong players, for what looks at games that are over."""

import random
from collections.abc import Sequence
from functools import lru_cache

from pi_app.players.choosing import choose
from pi_app.players.tables import load_judge
from rules import PRESETS, Choose, Phase, Record, Throw, enter, new_record


@lru_cache(4)
def strong_game(seed: int, seats: Sequence[int] = (0, 1, 2, 3)) -> Record:
    """Return a game of findler, the first of the seats begins; some tenths of a second."""
    dice = random.Random(seed)
    record, _ = enter(new_record(PRESETS["findler"], seats), Choose(seats[0]))
    by = load_judge(record.game.ruleset)
    while record.game.phase is not Phase.OVER:
        faces = dice.randint(1, 6), dice.randint(1, 6)
        record, _ = enter(record, Throw(faces), "simulated")
        for action in choose(record.game, by):
            record, _ = enter(record, action)
    return record
