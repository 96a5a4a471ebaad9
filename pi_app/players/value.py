"""Estimates each seat's chance to win in a position. It chooses no play.

A small network computes a seat's worth from its features. Each hidden unit is the tanh of a
weighted sum of the features. The worth is a weighted sum of the units and, directly, of the
features. The surer a seat wins that can meet no other, the more the race counts instead. The
chances are the softmax of the seats' worths. A side's chance is the sum of its seats' chances, and
each of two partners has half of it.
"""

from collections.abc import Mapping
from functools import lru_cache
from math import exp, tanh
from typing import NamedTuple

from pi_app.players.features import (
    OTHER_FEATURES,
    OWN_FEATURES,
    RACE_SCALE,
    Features,
    SeatFeatures,
    feature_extractor,
)
from rules import Position, RuleSet
from rules.game import DOUBLETS_BEFORE_PENALTY, penalty_position
from rules.memory import NOTHING, Memory
from rules.ruleset import THIRD_DOUBLETS

RACE, SETTLED = map(OTHER_FEATURES.index, ("race", "settled"))
DOUBLET_IN = 6  # throws: on average one of so many is a doublet, of one die and of two
Hidden = tuple[float, ...]


class Value(NamedTuple):
    """The network.

    weights: one row per hidden unit, in the order of `FEATURE_NAMES`. biases: of each unit.
    counts: each unit's weight in the worth. direct: each feature's weight in the worth.
    """

    weights: tuple[Features, ...]
    biases: Hidden
    counts: Hidden
    direct: Features


class Judge:
    """Estimates chances by one network under one rule set."""

    def __init__(self, value: Value, ruleset: RuleSet) -> None:
        self.ruleset = ruleset
        self._extractor = feature_extractor(ruleset)
        self._units = range(len(value.biases))
        self._own_weights = [unit[: len(OWN_FEATURES)] for unit in value.weights]
        self._other_weights = [unit[len(OWN_FEATURES) :] for unit in value.weights]
        self._biases, self._counts = value.biases, value.counts
        cost = THIRD_DOUBLETS[ruleset.third_doublet]
        self._penalty = bool(cost.penalty) and not cost.keeps_turn
        self._own_direct = value.direct[: len(OWN_FEATURES)]
        self._other_direct = value.direct[len(OWN_FEATURES) :]
        # From one end of a play to the next, the features of most seats do not change.
        self._own_part = lru_cache(maxsize=512)(self._compute_own_part)
        self._worth = lru_cache(maxsize=1024)(self._compute_worth)

    def chances(
        self, position: Position, first: int, doublets: int = 0, memory: Memory = NOTHING
    ) -> dict[int, float]:
        """Return each playing seat's chance to win. The chances sum to 1.

        Partners share a win, so each has half of their side's chance.
        first: the seat that throws next. A seat that has won has the chance 1 and may be `first`.
        doublets: how many it has thrown before in this turn; another one may cost a penalty.
        memory: what the penalty asks for.
        """
        chances = self.exact_chances(position, first) or self._estimate(position, first)
        if doublets < DOUBLETS_BEFORE_PENALTY or not self._penalty:
            return chances
        if self._extractor.find_finished(position):
            return chances
        order = self._extractor.turn_order(position, first)
        back = penalty_position(self.ruleset, position, first, memory.last, memory.began)
        a, b, c, d = (pawns if seat in order else () for seat, pawns in enumerate(back))
        penalized = self.chances((a, b, c, d), order[1])
        return {
            seat: chance + (penalized[seat] - chance) / DOUBLET_IN
            for seat, chance in chances.items()
        }

    def _estimate(self, position: Position, first: int) -> dict[int, float]:
        order = self._extractor.turn_order(position, first)
        sides, others = self._extractor.split_features(position, order)
        powers = [exp(worth) for worth in map(self._worth, sides, others)]
        whole = sum(powers)
        return self._pool({seat: power / whole for seat, power in zip(order, powers, strict=True)})

    def _pool(self, chances: dict[int, float]) -> dict[int, float]:
        """Return chances that partners share."""
        if not self.ruleset.partners:
            return chances
        return {seat: (chance + chances[(seat + 2) % 4]) / 2 for seat, chance in chances.items()}

    def exact_chances(self, position: Position, first: int) -> dict[int, float] | None:
        """Return the chances if a seat has won or the bear-off tables have them, otherwise None.

        first: as in `chances`. The tables are for turns that have no doublet yet.
        """
        if won := self._extractor.find_winners(position):
            share = 1 / len(won)
            return {s: share * (s in won) for s, pawns in enumerate(position) if pawns}
        return self._extractor.exact_chances(position, first)

    def chances_of(self, features: Mapping[int, Features]) -> dict[int, float]:
        """Return the chances of seats with these features, each in the order of `FEATURE_NAMES`."""
        own = len(OWN_FEATURES)
        powers = {
            seat: exp(self._count(self._weigh_own(values[:own]), values[own:]))
            for seat, values in features.items()
        }
        whole = sum(powers.values())
        return self._pool({seat: power / whole for seat, power in powers.items()})

    def _compute_worth(self, seat: SeatFeatures, others: Features) -> float:
        return self._count(self._own_part(seat), others)

    def _compute_own_part(self, seat: SeatFeatures) -> list[float]:
        return self._weigh_own(seat.own)

    def _weigh_own(self, own: Features) -> list[float]:
        """Return each hidden unit's bias plus the part of its sum from a seat's own features.

        The last item is the part of the worth that comes from them directly.
        """
        used = [(index, value) for index, value in enumerate(own) if value]  # most are 0
        parts = []
        for bias, weights in zip(self._biases, self._own_weights, strict=True):
            part = 0.0
            for index, value in used:
                part += weights[index] * value
            parts.append(bias + part)
        direct = 0.0
        for index, value in used:
            direct += self._own_direct[index] * value
        return [*parts, direct]

    def _count(self, own_part: list[float], others: Features) -> float:
        """Return a seat's worth from `_weigh_own` and its `OTHER_FEATURES`."""
        used = [(index, value) for index, value in enumerate(others) if value]
        worth = own_part[-1]
        for index, value in used:
            worth += self._other_direct[index] * value
        for n in self._units:
            unit, weights = own_part[n], self._other_weights[n]
            for index, value in used:
                unit += weights[index] * value
            worth += self._counts[n] * tanh(unit)
        settled = others[SETTLED]
        return (1 - settled) * worth + settled * RACE_SCALE * others[RACE]
