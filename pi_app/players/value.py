"""Estimates each seat's chance to win in a position. It chooses no play.

A small network computes a seat's worth. Its inputs are the places of all pawns, seen from the seat,
and the seat's features. A hidden unit is a weighted sum of the inputs, or 0 if the sum is negative.
Two more sums, of the units and of the inputs, are a worth by itself and a gate, which says how much
the race counts besides. The surer a seat wins that can meet no other, the more the race counts
instead. The chances are the softmax of the seats' worths. A side's chance is the sum of its seats'
chances, and each of two partners has half of it.
"""

from collections.abc import Mapping
from functools import lru_cache
from math import exp
from typing import NamedTuple

from pi_app.players.features import FEATURE_NAMES, RACE_SCALE, SEATS, Features, feature_extractor
from rules import Position, RuleSet
from rules.game import DOUBLETS_BEFORE_PENALTY, penalty_position
from rules.memory import NOTHING, Memory
from rules.ruleset import THIRD_DOUBLETS

RACE, SETTLED = map(FEATURE_NAMES.index, ("race", "settled"))
DOUBLET_IN = 6  # throws: on average one of so many is a doublet, of one die and of two
OUTPUTS = 2  # the worth by itself, and the gate


class Value(NamedTuple):
    """The network. A row has the weights of one input: of each hidden unit and of the outputs.

    biases: a row. features: the rows of the features, in the order of `FEATURE_NAMES`. places: for
    the seat itself, the next, the opposite and the one before, the rows of its pawns' places, as
    `number_inputs` numbers them. counts: for each unit, its weight in each of the outputs.
    """

    biases: Features
    features: tuple[Features, ...]
    places: tuple[tuple[Features, ...], ...]
    counts: tuple[tuple[float, float], ...]


class Seen(NamedTuple):
    """What the network sees of a seat: the inputs of its pawns' places, and its features."""

    inputs: tuple[int, ...]
    features: Features


class Judge:
    """Estimates chances by one network under one rule set."""

    def __init__(self, value: Value, ruleset: RuleSet) -> None:
        self.ruleset = ruleset
        self._extractor = feature_extractor(ruleset)
        self._value = value
        self._weights: list[Features] = list(zip(*value.features, strict=True))  # of each sum
        self._last = len(value.places[0]) - 1  # a longer board has places that it does not know
        cost = THIRD_DOUBLETS[ruleset.third_doublet]
        self._penalty = bool(cost.penalty) and not cost.keeps_turn
        # From one end of a play to the next, the pawns of most seats do not move.
        self._sums = lru_cache(maxsize=64)(self._sum_places)

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
        extractor, seen = self._extractor, {}
        order = extractor.turn_order(position, first)
        for seat, found in zip(order, extractor.compute_features(position, order), strict=True):
            seen[seat] = Seen(extractor.seat_features(seat, position[seat]).inputs, found)
        return self.chances_of(seen)

    def exact_chances(self, position: Position, first: int) -> dict[int, float] | None:
        """Return the chances if a seat has won or the bear-off tables have them, otherwise None.

        first: as in `chances`. The tables are for turns that have no doublet yet.
        """
        if won := self._extractor.find_winners(position):
            share = 1 / len(won)
            return {s: share * (s in won) for s, pawns in enumerate(position) if pawns}
        return self._extractor.exact_chances(position, first)

    def chances_of(self, seen: Mapping[int, Seen]) -> dict[int, float]:
        """Return the chances of seats of which the network sees this."""
        sums = {seat: self._sums(one.inputs) for seat, one in seen.items()}
        powers = {}
        for seat, one in seen.items():
            around = [sums[other][(other - seat) % SEATS] for other in seen]
            powers[seat] = exp(self._worth(around, one.features))
        whole = sum(powers.values())
        chances = {seat: power / whole for seat, power in powers.items()}
        if not self.ruleset.partners:
            return chances
        return {seat: (chance + chances[(seat + 2) % 4]) / 2 for seat, chance in chances.items()}

    def _sum_places(self, inputs: tuple[int, ...]) -> list[list[float]]:
        """Return the sums of a seat's rows of places, as each of the seats in `Value.places`."""
        return [
            [
                sum(column)
                for column in zip(*[rows[min(n, self._last)] for n in inputs], strict=True)
            ]
            for rows in self._value.places
        ]

    def _worth(self, around: list[list[float]], features: Features) -> float:
        """Return a seat's worth. around: the sums of the places of all seats, seen from it."""
        used = [(index, feature) for index, feature in enumerate(features) if feature]
        sums = list[float]()
        for n, weights in enumerate(self._weights):
            total = self._value.biases[n]
            for places in around:
                total += places[n]
            for index, feature in used:  # most features are 0
                total += weights[index] * feature
            sums.append(total)
        units = [unit if unit > 0 else 0.0 for unit in sums[:-OUTPUTS]]
        alone, gate = sums[-OUTPUTS:]
        for unit, (to_alone, to_gate) in zip(units, self._value.counts, strict=True):
            alone += to_alone * unit
            gate += to_gate * unit
        race, settled = RACE_SCALE * features[RACE], features[SETTLED]
        worth: float = (1 - settled) * (alone + race / (1 + exp(-gate))) + settled * race
        return worth
