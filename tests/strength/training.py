"""Weights learned from games of a value against itself; keeps out where they are kept.

Rounds of games are played by the weights so far, then weights are fitted to the newest rounds:
to what the value says of each game's later positions and its end, TD(lambda), by Newton's method on
the cross-entropy of the softmax. Refitting whole rounds uses each game many times, where learning
from game to game uses it once.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pi_app.players.features import NAMES, sight, turn_order
from pi_app.players.value import Value
from rules import RuleSet
from tests.strength.games import play_out
from tests.strength.yardsticks import by_value

Array = npt.NDArray[Any]
LAMBDA = 0.9
RIDGE = 20.0  # how strongly weights are drawn to 0, in positions
FITS = 4  # Newton steps a round
FIRST = Value(
    tuple(-1.0 if name == "to_go" else 0.0 for name in NAMES),
    tuple(-3.0 if name == "to_go" else 0.0 for name in NAMES),
)


class Sample(NamedTuple):
    """One game of n seats: T positions after plays.

    `seen` (T, n, features) by seat, `come` (T) how far the leader had come, `winner` an index.
    """

    seen: Array
    come: Array
    winner: int


def sample(ruleset: RuleSet, seats: tuple[int, ...], value: Value, seed: str) -> Sample:
    """Play one game of a value against itself."""
    pick = by_value(ruleset, value)
    played = play_out(ruleset, seats, dict.fromkeys(seats, pick), random.Random(seed))
    eyes, seen, come = sight(ruleset), [], []
    if played.winner is None:
        raise RuntimeError(f"the game of seed {seed!r} has no end")
    for option in played.picked[:-1]:
        order = turn_order(ruleset, seats, option.first)
        leader, features = eyes.features(option.position, order)
        by_seat = dict(zip(order, features, strict=True))
        seen.append([by_seat[seat] for seat in seats])
        come.append(leader)
    return Sample(
        np.array(seen, np.float32), np.array(come, np.float32), seats.index(played.winner)
    )


def fitted(value: Value, samples: Sequence[Sample]) -> Value:
    """Return the value fitted to the games, beginning with the one that is known."""
    weights = np.concatenate([value.opening, value.ending])
    for _ in range(FITS):
        weights = _newton(weights, samples)
    half = len(weights) // 2
    return Value(tuple(map(float, weights[:half])), tuple(map(float, weights[half:])))


def _newton(weights: Array, samples: Iterable[Sample]) -> Array:
    slope, bend = -RIDGE * weights, RIDGE * np.eye(len(weights))
    for one in samples:
        rows = _tapered(one)
        chances = _softmax(rows @ weights)
        wanted = _returns(chances, one.winner)
        slope += np.einsum("tn,tnf->f", wanted - chances, rows)
        centred = rows - np.einsum("tn,tnf->tf", chances, rows)[:, None]
        flat = (centred * np.sqrt(chances)[:, :, None]).reshape(-1, len(weights))
        bend += flat.T @ flat
    return np.asarray(weights + np.linalg.solve(bend, slope))


def _tapered(one: Sample) -> Array:
    """Return a game's features twice: as they count at the beginning, and at the end."""
    come = one.come[:, None, None]
    return np.concatenate([one.seen * (1 - come), one.seen * come], axis=2).astype(np.float64)


def _softmax(worths: Array) -> Array:
    powers = np.exp(worths - worths.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def _returns(chances: Array, winner: int) -> Array:
    """Return for each position what followed it: (1 - lambda) of the next value, the rest later."""
    wanted = np.zeros_like(chances)
    follows = np.zeros(chances.shape[1])
    follows[winner] = 1.0
    for time in reversed(range(len(chances))):
        wanted[time] = follows
        follows = (1 - LAMBDA) * chances[time] + LAMBDA * follows
    return wanted
