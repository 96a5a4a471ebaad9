"""Each seat's chance to win, from a position, who throws next and a rule set; keeps out choosing.

A seat's worth is a weighted sum of its features, and chances are the softmax of the seats' worths.
The weights move in a straight line from the first to the second of a table as the leader comes
home, since what counts at the end is not what counts at the beginning.
"""

from math import exp
from operator import mul
from typing import NamedTuple

from pi_app.players.features import Features, sight, turn_order
from rules import HOME, Position, RuleSet
from rules.position import PAWNS

STAGES = 64  # how finely the leader's way home is told
HAS_WON = (HOME,) * PAWNS


class Value(NamedTuple):
    """What features are worth: one weight for each of `NAMES`, at the beginning and at the end."""

    opening: Features
    ending: Features

    def weights(self, come: float) -> Features:
        """Return the weights where the leader has come so much of its way, 0 to 1."""
        return tuple(a + come * (b - a) for a, b in zip(self.opening, self.ending, strict=True))


class Judge:
    """The chances by one value under one rule set."""

    def __init__(self, value: Value, ruleset: RuleSet) -> None:
        self.ruleset = ruleset
        self._sight = sight(ruleset)
        self._stages = [value.weights(stage / STAGES) for stage in range(STAGES + 1)]

    def chances(self, position: Position, first: int) -> dict[int, float]:
        """Return each playing seat's chance to win, `first` throwing next; they sum to 1.

        Where a seat has won, its chance is 1; it may stand as `first`.
        """
        seats = tuple(seat for seat, pawns in enumerate(position) if pawns)
        if HAS_WON in position:
            return {seat: float(position[seat] == HAS_WON) for seat in seats}
        order = turn_order(self.ruleset, seats, first)
        come, seen = self._sight.features(position, order)
        weights = self._stages[round(come * STAGES)]
        powers = [exp(sum(map(mul, weights, features))) for features in seen]
        whole = sum(powers)
        return {seat: power / whole for seat, power in zip(order, powers, strict=True)}
