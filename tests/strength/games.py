"""Games between players that pick how a play ends; keeps out how they pick, and the steps."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from pi_app.players.play_ends import PlayEnd, play_ends
from rules import HOME, Phase, RuleSet, Stop, Throw, at, play
from rules.position import starting_position

MOST_THROWS = 5000  # a game of mb-total takes some 300
# Of the options that a seat has, one; where it varies, by a number from 0 up to 1.
Picker = Callable[[Sequence[PlayEnd], int, float], PlayEnd]
ALL_HOME = (HOME,) * 4


class Played(NamedTuple):
    """A game to its end: the winner, None where there was none, and what the plays came to."""

    winner: int | None
    picked: list[PlayEnd]


def play_out(
    ruleset: RuleSet,
    seats: tuple[int, ...],
    pickers: Mapping[int, Picker],
    dice: random.Random,
    chances: random.Random,
) -> Played:
    """Play a game; `dice` draw who begins, then the throws, `chances` what players vary by."""
    position, seat, doublets = starting_position(seats), dice.choice(seats), 0
    picked: list[PlayEnd] = []
    for _ in range(MOST_THROWS):
        faces = tuple(dice.randint(1, 6) for _ in range(ruleset.dice))
        game, _ = play(at(ruleset, position, seat, doublets), Throw(faces))
        if game.phase is Phase.PENALTY:
            game, _ = play(game, Stop())
            position, seat, doublets = game.position, game.seat, game.doublets
            continue
        found = play_ends(game)
        one = pickers[seat](found, seat, chances.random()) if len(found) > 1 else found[0]
        picked.append(one)
        if one.position[seat] == ALL_HOME:
            return Played(seat, picked)
        position, doublets = one.position, doublets + 1 if one.first == seat else 0
        seat = one.first
    return Played(None, picked)
