"""Weights learned from games of a value against itself; keeps out where they are kept.

Rounds of games are played by the weights so far, then the weights are fitted to the newest rounds:
to what the value says of each game's later positions and its end, TD(lambda), by gradient descent
(Adam) on the cross-entropy of the softmax. Fitting rounds uses each game many times, where learning
from game to game uses it once.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pi_app.players.features import FEATURE_NAMES, RACE_SCALE, feature_extractor
from pi_app.players.value import Value
from rules import RuleSet
from tests.strength.games import Situation

Array = npt.NDArray[Any]
Weights = dict[str, Array]  # "units" (features, hidden), "biases" (hidden), "counts" (hidden)
LAMBDA = 0.9
PASSES = 4  # over the games, each time
BATCH = 512  # positions
RATE, LAST_RATE = 0.01, 0.0005
DECAY = 1e-5
LEAST_CHANCE = 1e-6
RACE, SETTLED = map(FEATURE_NAMES.index, ("race", "settled"))


class Sample(NamedTuple):
    """One game of n seats and T situations: features (T, n, features), the winner's index."""

    seen: Array
    winner: int


def sample(
    ruleset: RuleSet, seats: tuple[int, ...], situations: Sequence[Situation], winner: int
) -> Sample:
    """Return what is learned from a game: its situations as features, and the winner."""
    extractor, seen = feature_extractor(ruleset), []
    for position, first, *_ in situations:
        order = extractor.turn_order(position, first)
        found = zip(order, extractor.compute_features(position, order), strict=True)
        by_seat = dict(found)
        seen.append([by_seat[seat] for seat in seats])
    return Sample(np.array(seen, np.float32), seats.index(winner))


def unlearned(seed: int, hidden: int) -> Weights:
    """Return weights to begin with. hidden: the number of hidden units."""
    draw = np.random.default_rng(seed)
    units = draw.normal(0, len(FEATURE_NAMES) ** -0.5, (len(FEATURE_NAMES), hidden))
    return {
        "units": units.astype(np.float32),
        "biases": np.zeros(hidden, np.float32),
        "counts": draw.normal(0, 0.1, hidden).astype(np.float32),
        "direct": np.zeros(len(FEATURE_NAMES), np.float32),
    }


def value_of(weights: Weights) -> Value:
    """Return the value that the table plays by, to four digits."""
    units = tuple(tuple(round(float(x), 4) for x in unit) for unit in weights["units"].T)
    vectors = (weights[key] for key in ("biases", "counts", "direct"))
    return Value(units, *(tuple(round(float(x), 4) for x in vector) for vector in vectors))


def weights_of(value: Value) -> Weights:
    """Return the weights of a value, to learn on."""
    return {
        "units": np.array(value.weights, np.float32).T.copy(),
        "biases": np.array(value.biases, np.float32),
        "counts": np.array(value.counts, np.float32),
        "direct": np.array(value.direct, np.float32),
    }


def widen(weights: Weights, hidden: int, seed: int) -> Weights:
    """Return weights with more hidden units, which at first count for nothing."""
    new = unlearned(seed, hidden - len(weights["counts"]))
    new["counts"] *= 0
    wider = {key: np.concatenate([weights[key], new[key]], axis=-1) for key in weights}
    return {**wider, "direct": weights["direct"]}


def fitted(
    weights: Weights,
    samples: Sequence[Sample],
    seed: int,
    decay: float = LAMBDA,
    *,
    partners: bool = False,
) -> Weights:
    """Return the weights fitted to the games, beginning with those that are known.

    decay: lambda. With 1 only the winners count, for weights that know nothing yet. partners:
    whether the seats 0 and 2, and 1 and 3, win together.
    """
    draw = np.random.default_rng(seed)
    seen = np.concatenate([one.seen for one in samples])
    first, second = ({key: np.zeros_like(x) for key, x in weights.items()} for _ in range(2))
    steps, whole = 0, PASSES * -(-len(seen) // BATCH)
    for _ in range(PASSES):
        wanted = np.concatenate(
            [_returns(_chances(weights, one.seen)[1], one.winner, decay) for one in samples]
        )
        if partners:
            wanted = _of_sides(wanted)
        mixed = draw.permutation(len(seen))
        for begin in range(0, len(seen), BATCH):
            rows = mixed[begin : begin + BATCH]
            slopes = _slopes(weights, seen[rows], wanted[rows], partners=partners)
            steps += 1
            rate = RATE + (LAST_RATE - RATE) * steps / whole
            weights = _stepped(weights, slopes, first, second, steps, rate)
    return weights


def _stepped(
    weights: Weights, slopes: Weights, first: Weights, second: Weights, steps: int, rate: float
) -> Weights:
    """Return the weights one step of Adam on; `first` and `second` are its running moments."""
    after = {}
    for key, raw in slopes.items():
        slope = raw - DECAY * weights[key]
        first[key] = 0.9 * first[key] + 0.1 * slope
        second[key] = 0.999 * second[key] + 0.001 * slope * slope
        size = np.sqrt(second[key] / (1 - 0.999**steps)) + 1e-7
        after[key] = weights[key] + rate * first[key] / (1 - 0.9**steps) / size
    return after


def _chances(weights: Weights, seen: Array) -> tuple[Array, Array]:
    """Return the hidden units' values and the seats' chances."""
    hidden = np.tanh(seen @ weights["units"] + weights["biases"])
    settled = seen[..., SETTLED]
    worths = (1 - settled) * (hidden @ weights["counts"] + seen @ weights["direct"])
    worths += settled * RACE_SCALE * seen[..., RACE]
    powers = np.exp(worths - worths.max(axis=1, keepdims=True))
    return hidden, powers / powers.sum(axis=1, keepdims=True)


def _of_sides(chances: Array) -> Array:
    """Return the chance of each seat's side: its own and that of the seat opposite."""
    return chances + np.roll(chances, 2, axis=1)


def _slopes(weights: Weights, seen: Array, wanted: Array, *, partners: bool) -> Weights:
    """Return which way each weight brings the chances nearer to what is wanted.

    wanted: of each seat, or of each seat's side with partners.
    """
    hidden, chances = _chances(weights, seen)
    if partners:  # a seat's part in what its side wants
        wanted = wanted * chances / np.maximum(_of_sides(chances), LEAST_CHANCE)
    missing = (1 - seen[..., SETTLED]) * (wanted - chances) / len(seen)
    back = missing[:, :, None] * weights["counts"] * (1 - hidden * hidden)
    flat = back.reshape(-1, len(weights["counts"]))
    return {
        "units": seen.reshape(-1, seen.shape[2]).T @ flat,
        "biases": flat.sum(axis=0),
        "counts": hidden.reshape(flat.shape).T @ missing.reshape(-1),
        "direct": seen.reshape(-1, seen.shape[2]).T @ missing.reshape(-1),
    }


def _returns(chances: Array, winner: int, decay: float) -> Array:
    """Return what followed each position: (1 - decay) of the next value, the rest later."""
    wanted = np.zeros_like(chances)
    follows = np.zeros(chances.shape[1], np.float32)
    follows[winner] = 1.0
    for time in reversed(range(len(chances))):
        wanted[time] = follows
        follows = (1 - decay) * chances[time] + decay * follows
    return wanted
