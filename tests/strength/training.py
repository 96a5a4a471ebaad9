"""Weights learned from games of a value against itself; keeps out where they are kept.

The weights are fitted to what followed each position, TD(lambda): to what the value says of the
game's later positions, and to its end. Gradient descent (Adam) lowers the cross-entropy of the
softmax. Each step takes positions at random, each throw of all games equally likely: one position
of each game would prefer those of short games, in which nobody is captured any more.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pi_app.players.choosing import sieve
from pi_app.players.features import FEATURE_NAMES, RACE_SCALE, SEATS, feature_extractor
from pi_app.players.play_ends import PlayEnd
from pi_app.players.value import OUTPUTS
from rules import Position, RuleSet
from rules.position import PAWNS
from tests.strength.games import Picker, Played

Array = npt.NDArray[Any]
Weights = dict[str, Array]  # the arrays of `Value`
LAMBDA = 0.9
PASSES = 4  # over the positions, each time with what the value says now
BATCH = 512  # positions
RATE, LAST_RATE = 0.003, 0.00003
# How much each step shrinks the weights. Those of places are many, and few positions tell of each:
# the fewer positions there are, the more they shrink.
DECAY, DECAY_OF_PLACES = 1e-5, 1100.0  # the latter divided by the number of positions
LEAST_CHANCE = 1e-6
FAR_BELOW = -1e9  # the worth of a seat that does not play
RACE, SETTLED = map(FEATURE_NAMES.index, ("race", "settled"))


class Lesson(NamedTuple):
    """What is learned from games: their T positions in order.

    inputs (T, seats, pawns): of the pawns' places, the number of inputs where a seat does not play.
    features (T, seats, features). last (T): whether a position is the last of its game. winners
    (T): of the position's game.
    """

    inputs: Array
    features: Array
    last: Array
    winners: Array


def see(ruleset: RuleSet, positions: Sequence[tuple[Position, int]]) -> tuple[Array, Array]:
    """Return what the network sees of positions: inputs and features, as in `Lesson`.

    positions: each with the seat that throws next.
    """
    extractor, count = feature_extractor(ruleset), len(positions)
    inputs = np.full((count, SEATS, PAWNS), extractor.row_inputs, np.int16)
    features = np.zeros((count, SEATS, len(FEATURE_NAMES)), np.float16)
    for row, (position, first) in enumerate(positions):
        order = extractor.turn_order(position, first)
        for seat, found in zip(order, extractor.compute_features(position, order), strict=True):
            seen = extractor.seat_features(seat, position[seat]).inputs
            inputs[row, seat, : len(seen)], features[row, seat] = seen, found
    return inputs, features


def lesson_of(ruleset: RuleSet, games: Sequence[Played]) -> Lesson:
    """Return what is learned from games, each with a winner."""
    situations = [one for game in games for one in game.situations]
    inputs, features = see(ruleset, [(one.position, one.seat) for one in situations])
    lengths = [len(game.situations) for game in games]
    last = np.zeros(len(situations), bool)
    last[np.cumsum(lengths) - 1] = True
    return Lesson(inputs, features, last, np.repeat([game.winner for game in games], lengths))


def join(lessons: Sequence[Lesson]) -> Lesson:
    """Return several lessons as one."""
    return Lesson(*map(np.concatenate, zip(*lessons, strict=True)))


def by_weights(ruleset: RuleSet, weights: Weights) -> Picker:
    """Pick as `strong` does by these weights, but rate all ends of a play at once.

    A third doublet's cost is left out.
    """
    extractor = feature_extractor(ruleset)

    def pick(ends: Sequence[PlayEnd], seat: int, _: float) -> PlayEnd:
        kept = sieve(extractor, ends, seat)
        judged = list(chances_of(weights, *see(ruleset, [one.outcome for one in kept]))[:, seat])
        for number, end in enumerate(kept):
            if extractor.find_winners(end.position):
                return end
            if exact := extractor.exact_chances(*end.outcome):
                judged[number] = exact[seat]
        return kept[int(np.argmax(judged))]

    return pick


def unlearned(seed: int, hidden: int, row_inputs: int) -> Weights:
    """Return weights to begin with. hidden: the number of hidden units."""
    draw = np.random.default_rng(seed)

    def rows(count: int) -> Array:
        direct = np.zeros((count, OUTPUTS))
        return np.concatenate([draw.normal(0, 0.05, (count, hidden)), direct], axis=1)

    weights = {
        "biases": np.zeros(hidden + OUTPUTS),
        "features": rows(len(FEATURE_NAMES)),
        "places": rows(SEATS * row_inputs),
        "counts": draw.normal(0, 0.1, (hidden, OUTPUTS)) * (1, 0.1),
    }
    return {key: array.astype(np.float32) for key, array in weights.items()}


def table_of(weights: Weights) -> bytes:
    """Return the numbers of a table as the players read them."""
    arrays = weights["biases"], weights["features"], weights["places"], weights["counts"].T
    return b"".join(array.astype("<f2").tobytes() for array in arrays)


def fitted(
    weights: Weights, lesson: Lesson, seed: int, decay: float = LAMBDA, *, partners: bool = False
) -> Weights:
    """Return the weights fitted to games, beginning with those that are known.

    decay: lambda. With 1 only the winners count, for weights that know nothing yet. partners:
    whether the seats 0 and 2, and 1 and 3, win together.
    """
    draw = np.random.default_rng(seed)
    first, second = ({key: np.zeros_like(x) for key, x in weights.items()} for _ in range(2))
    count = len(lesson.last)
    steps, whole = 0, PASSES * -(-count // BATCH)
    shrink = dict.fromkeys(weights, DECAY) | {"places": DECAY_OF_PLACES / count}
    for _ in range(PASSES):
        wanted = returns(_all_chances(weights, lesson), lesson, decay)
        if partners:
            wanted = _of_sides(wanted)
        mixed = draw.permutation(count)
        for begin in range(0, count, BATCH):
            rows = np.sort(mixed[begin : begin + BATCH])
            slopes = _slopes(
                weights, lesson.inputs[rows], lesson.features[rows], wanted[rows], partners=partners
            )
            steps += 1
            rate = RATE * (LAST_RATE / RATE) ** (steps / whole)
            slopes = {key: slope - shrink[key] * weights[key] for key, slope in slopes.items()}
            weights = _stepped(weights, slopes, first, second, steps, rate)
    return weights


def _stepped(
    weights: Weights, slopes: Weights, first: Weights, second: Weights, steps: int, rate: float
) -> Weights:
    """Return the weights one step of Adam on; `first` and `second` are its running moments."""
    after = {}
    for key, slope in slopes.items():
        first[key] = 0.9 * first[key] + 0.1 * slope
        second[key] = 0.999 * second[key] + 0.001 * slope * slope
        size = np.sqrt(second[key] / (1 - 0.999**steps)) + 1e-8
        after[key] = weights[key] + rate * first[key] / (1 - 0.9**steps) / size
    return after


class _Pass(NamedTuple):
    """What a forward pass found. All but the chances: a row for each seat of each position."""

    features: Array
    places: Array
    hidden: Array
    gate: Array
    chances: Array


def chances_of(weights: Weights, inputs: Array, features: Array) -> Array:
    """Return the chances (T, seats) of positions as in `Lesson`."""
    return _look(weights, inputs, features).chances


def _all_chances(weights: Weights, lesson: Lesson) -> Array:
    parts = range(0, len(lesson.last), 8 * BATCH)
    ends = [slice(begin, begin + 8 * BATCH) for begin in parts]
    return np.concatenate([chances_of(weights, lesson.inputs[p], lesson.features[p]) for p in ends])


def _look(weights: Weights, inputs: Array, features: Array) -> _Pass:
    count, hidden = len(inputs), len(weights["counts"])
    row_inputs = len(weights["places"]) // SEATS
    found = features.reshape(count * SEATS, -1).astype(np.float32)
    places = _mark_places(inputs, row_inputs)
    sums = found @ weights["features"] + places @ weights["places"] + weights["biases"]
    units = np.maximum(sums[:, :hidden], 0)
    alone, gate = (units @ weights["counts"] + sums[:, hidden:]).T
    race, settled, gate = RACE_SCALE * found[:, RACE], found[:, SETTLED], 1 / (1 + np.exp(-gate))
    worths = ((1 - settled) * (alone + gate * race) + settled * race).reshape(count, SEATS)
    worths = np.where(_who_plays(inputs, row_inputs), worths, FAR_BELOW)
    powers = np.exp(worths - worths.max(axis=1, keepdims=True))
    return _Pass(found, places, units, gate, powers / powers.sum(axis=1, keepdims=True))


def _who_plays(inputs: Array, row_inputs: int) -> Array:
    return inputs[:, :, 0] < row_inputs


def _mark_places(inputs: Array, row_inputs: int) -> Array:
    """Return the places of all pawns as each seat sees them: of each input, 1 or 0."""
    count = len(inputs)
    marks = np.zeros((count, SEATS, SEATS, row_inputs + 1), np.float32)  # the last for nobody
    position, seat, pawn = np.ogrid[:count, :SEATS, :1]
    for further in range(SEATS):
        marks[position, seat, further, np.roll(inputs, -further, axis=1) + 0 * pawn] = 1
    return marks[..., :row_inputs].reshape(count * SEATS, -1)


def _of_sides(chances: Array) -> Array:
    """Return the chance of each seat's side: its own and that of the seat opposite."""
    return chances + np.roll(chances, 2, axis=1)


def _slopes(
    weights: Weights, inputs: Array, features: Array, wanted: Array, *, partners: bool
) -> Weights:
    """Return which way each weight brings the chances nearer to what is wanted.

    wanted: of each seat, or of each seat's side with partners.
    """
    found = _look(weights, inputs, features)
    if partners:  # a seat's part in what its side wants
        wanted = wanted * found.chances / np.maximum(_of_sides(found.chances), LEAST_CHANCE)
    race, settled = RACE_SCALE * found.features[:, RACE], found.features[:, SETTLED]
    missing = (wanted - found.chances).reshape(-1) * (1 - settled) / len(inputs)
    back = np.stack([missing, missing * race * found.gate * (1 - found.gate)], axis=1)
    back = back.astype(np.float32)
    of_sums = np.concatenate([(back @ weights["counts"].T) * (found.hidden > 0), back], axis=1)
    return {
        "biases": of_sums.sum(axis=0),
        "features": found.features.T @ of_sums,
        "places": found.places.T @ of_sums,
        "counts": found.hidden.T @ back,
    }


def returns(chances: Array, lesson: Lesson, decay: float) -> Array:
    """Return what followed each position: (1 - decay) of the next value, the rest later."""
    wanted = np.zeros_like(chances)
    follows = np.zeros(SEATS, np.float32)
    for row in reversed(range(len(chances))):
        if lesson.last[row]:
            follows = np.zeros(SEATS, np.float32)
            follows[lesson.winners[row]] = 1.0
        wanted[row] = follows
        follows = (1 - decay) * chances[row] + decay * follows
    return wanted
