"""Who sits with whom in each round of a tournament. Pure: chance comes in as a generator.

The method is the Swiss seating of riichi mahjong, as the open system Pantheon has it
(https://mahjongsoft.ru/seating.shtml): fewest repeated opponents first, then neighbours in the
standings.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from random import Random

FULL = 4
SHORT_AGAIN = 10_000  # what a person costs who sits at a short table for the second time
REPEAT = 1000  # what two people cost who meet again; the n-th time 2n - 1 times as much

Table = tuple[str, ...]
"""The people of one table, in the order of their seats."""


def table_sizes(people: int) -> list[int]:
    """Return the sizes of the tables: as many fours as possible, then threes.

    Five people are three and two. Raises ValueError for fewer than two people.
    """
    if people < 2:
        raise ValueError(f"{people} people can't play a round: at least two can")
    if people in (2, 5):
        return [3, 2][-(people // 2) :]
    threes = -people % FULL
    return [FULL] * ((people - 3 * threes) // FULL) + [3] * threes


def seat_round(
    people: Sequence[str], points: Mapping[str, float], earlier: Iterable[Table], chance: Random
) -> list[Table]:
    """Return the tables of the next round, the best one first. Seats at a table are by lot.

    people: those who play this round. points: what each has so far. earlier: all tables of the
    rounds before. The first round is by lot, because all have the same points.
    """
    costs = _Costs(points, earlier)
    order = sorted(chance.sample(sorted(people), len(people)), key=lambda one: -costs.points[one])
    tables = [costs.fill(size, order) for size in table_sizes(len(people))]
    while costs.exchange_two(tables):
        pass
    return [tuple(chance.sample(table, len(table))) for table in tables]


class _Costs:
    """What it costs to seat people together, after the rounds so far."""

    def __init__(self, points: Mapping[str, float], earlier: Iterable[Table]) -> None:
        self.points = Counter(points)
        self._met: Counter[frozenset[str]] = Counter()
        self._short: Counter[str] = Counter()
        for table in earlier:
            self._met.update(map(frozenset, combinations(table, 2)))
            if len(table) < FULL:
                self._short.update(table)

    def fill(self, size: int, order: list[str]) -> list[str]:
        """Take people from `order` for a table: the first, then who has met fewest of it."""
        table = [order.pop(0)]
        while len(table) < size:
            table.append(min(order, key=lambda one: self._meetings(one, table)))
            order.remove(table[-1])
        return table

    def exchange_two(self, tables: list[list[str]]) -> bool:
        """Exchange the first two people that sit better so. Return whether there were any."""
        for one, other in combinations(tables, 2):
            cost = self._cost(one) + self._cost(other)
            for n in range(len(one)):
                for k in range(len(other)):
                    one[n], other[k] = other[k], one[n]
                    if self._cost(one) + self._cost(other) < cost:
                        return True
                    one[n], other[k] = other[k], one[n]
        return False

    def _meetings(self, one: str, table: Sequence[str]) -> int:
        return sum(self._met[frozenset((one, other))] for other in table)

    def _cost(self, table: Sequence[str]) -> float:
        short = sum(self._short[one] for one in table) if len(table) < FULL else 0
        cost = float(SHORT_AGAIN * short)
        for one, other in combinations(table, 2):
            times = self._met[frozenset((one, other))]
            cost += REPEAT * max(0, 2 * times - 1) + abs(self.points[one] - self.points[other])
        return cost
