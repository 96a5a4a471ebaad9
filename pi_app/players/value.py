"""Each seat's chance to win, from a position, who throws next and a rule set; keeps out choosing.

A small network tells a seat's worth from its features: one layer of hidden units, each the tanh of
a weighted sum, and a weighted sum of those. Chances are the softmax of the seats' worths.
"""

from collections.abc import Mapping
from functools import lru_cache, partial
from math import exp, tanh
from operator import mul
from typing import NamedTuple

from pi_app.players.features import OWN, Features, sight_of
from rules import HOME, Position, RuleSet
from rules.position import PAWNS

HAS_WON = (HOME,) * PAWNS
Hidden = tuple[float, ...]


class Value(NamedTuple):
    """The weights: of each hidden unit one for each of `NAMES`, its bias, and what it counts."""

    weights: tuple[Features, ...]
    biases: Hidden
    counts: Hidden


class Judge:
    """The chances by one value under one rule set."""

    def __init__(self, value: Value, ruleset: RuleSet) -> None:
        self.ruleset = ruleset
        self._sight = sight_of(ruleset)
        self._own_part = lru_cache(maxsize=512)(partial(_own_part, value))
        self._besides = tuple(zip(*value.weights, strict=True))[len(OWN) :]
        self._counts = value.counts
        # Most seats stay as they are from one option of a throw to the next.
        self._worth = lru_cache(maxsize=1024)(self._worked_out)

    def chances(self, position: Position, first: int) -> dict[int, float]:
        """Return each playing seat's chance to win, `first` throwing next; they sum to 1.

        Where a seat has won, its chance is 1; it may stand as `first`.
        """
        if HAS_WON in position:
            return {s: float(pawns == HAS_WON) for s, pawns in enumerate(position) if pawns}
        order = self._sight.order(position, first)
        sides, rest = self._sight.seen(position, order)
        powers = [exp(self._worth(side.own, more)) for side, more in zip(sides, rest, strict=True)]
        whole = sum(powers)
        return {seat: power / whole for seat, power in zip(order, powers, strict=True)}

    def of(self, seen: Mapping[int, Features]) -> dict[int, float]:
        """Return the chances of seats of which these features are seen, in the order of `NAMES`."""
        own = len(OWN)
        powers = {seat: exp(self._worth(one[:own], one[own:])) for seat, one in seen.items()}
        whole = sum(powers.values())
        return {seat: power / whole for seat, power in powers.items()}

    def _worked_out(self, own: Features, besides: Features) -> float:
        units = self._own_part(own)
        for seen, weights in zip(besides, self._besides, strict=True):
            if seen:  # most are 0
                units = [unit + seen * weight for unit, weight in zip(units, weights, strict=True)]
        return float(sum(map(mul, self._counts, map(tanh, units))))


def _own_part(value: Value, own: Features) -> list[float]:
    """Return what a seat's own pawns give to each hidden unit, its bias included."""
    return [
        bias + sum(map(mul, unit, own))
        for bias, unit in zip(value.biases, value.weights, strict=True)
    ]
