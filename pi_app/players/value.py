"""Estimates each seat's chance to win in a position. It chooses no play.

A small network computes a seat's worth from its features. Each hidden unit is the tanh of a
weighted sum of the features; the worth is a weighted sum of the units. The chances are the softmax
of the seats' worths.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import repeat
from math import exp, tanh
from operator import add, mul
from typing import NamedTuple

from pi_app.players.features import OWN_FEATURES, Features, SeatFeatures, feature_extractor
from rules import HOME, Position, RuleSet
from rules.position import PAWNS

ALL_HOME = (HOME,) * PAWNS
Hidden = tuple[float, ...]


class Value(NamedTuple):
    """The network.

    weights: one row per hidden unit, in the order of `FEATURE_NAMES`. biases: of each unit.
    counts: each unit's weight in the worth.
    """

    weights: tuple[Features, ...]
    biases: Hidden
    counts: Hidden


class Judge:
    """Estimates chances by one network under one rule set."""

    def __init__(self, value: Value, ruleset: RuleSet) -> None:
        self.ruleset = ruleset
        self._extractor = feature_extractor(ruleset)
        weights_by_feature = tuple(zip(*value.weights, strict=True))
        self._own_weights = weights_by_feature[: len(OWN_FEATURES)]
        self._other_weights = weights_by_feature[len(OWN_FEATURES) :]
        self._biases, self._counts = value.biases, value.counts
        # From one option of a throw to the next, the features of most seats do not change.
        self._own_part = lru_cache(maxsize=512)(self._compute_own_part)
        self._worth = lru_cache(maxsize=1024)(self._compute_worth)

    def chances(self, position: Position, first: int) -> dict[int, float]:
        """Return each playing seat's chance to win. The chances sum to 1.

        They are exact if no two seats can meet and all have few spaces to go.
        first: the seat that throws next. A seat that has won has the chance 1 and may be `first`.
        """
        if ALL_HOME in position:
            return {seat: float(pawns == ALL_HOME) for seat, pawns in enumerate(position) if pawns}
        exact = self._extractor.exact_chances(position, first)
        if exact is not None:
            return exact
        order = self._extractor.turn_order(position, first)
        sides, others = self._extractor.split_features(position, order)
        powers = [exp(worth) for worth in map(self._worth, sides, others)]
        whole = sum(powers)
        return {seat: power / whole for seat, power in zip(order, powers, strict=True)}

    def chances_of(self, features: Mapping[int, Features]) -> dict[int, float]:
        """Return the chances of seats with these features, each in the order of `FEATURE_NAMES`."""
        own = len(OWN_FEATURES)
        powers = {
            seat: exp(self._count(self._weigh_own(values[:own]), values[own:]))
            for seat, values in features.items()
        }
        whole = sum(powers.values())
        return {seat: power / whole for seat, power in powers.items()}

    def _compute_worth(self, seat: SeatFeatures, others: Features) -> float:
        return self._count(self._own_part(seat), others)

    def _compute_own_part(self, seat: SeatFeatures) -> Hidden:
        return self._weigh_own(seat.own)

    def _weigh_own(self, own: Features) -> Hidden:
        """Return each hidden unit's bias plus the part of its sum from a seat's own features."""
        return tuple(map(add, self._biases, _add_weighted(repeat(0.0), own, self._own_weights)))

    def _count(self, own_part: Hidden, others: Features) -> float:
        """Return a seat's worth from `_weigh_own` and its `OTHER_FEATURES`."""
        units = _add_weighted(own_part, others, self._other_weights)
        return float(sum(map(mul, self._counts, map(tanh, units))))


def _add_weighted(
    units: Iterable[float], values: Features, weights: tuple[Hidden, ...]
) -> Iterable[float]:
    """Add weighted features to the hidden units. weights: by feature, of each unit."""
    for value, row in zip(values, weights, strict=True):
        if value:  # most are 0
            units = map(add, units, map(mul, row, repeat(value)))
    return units
