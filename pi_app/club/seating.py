"""Who sits with whom in each round of a tournament. Pure: chance comes in as a generator.

The method is the Swiss seating of riichi mahjong, as the open system Pantheon has it
(https://mahjongsoft.ru/seating.shtml): fewest repeated opponents first, then neighbours in the
standings.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
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
    met, short = Counter[frozenset[str]](), Counter[str]()
    for table in earlier:
        met.update(map(frozenset, combinations(table, 2)))
        if len(table) < FULL:
            short.update(table)

    def fill(size: int) -> list[str]:
        """Take people from `order` for a table: the first, then who has met fewest of it."""
        table = [order.pop(0)]
        while len(table) < size:
            table.append(min(order, key=lambda one: sum(met[frozenset((one, k))] for k in table)))
            order.remove(table[-1])
        return table

    def cost(table: Sequence[str]) -> float:
        total = float(SHORT_AGAIN * sum(short[one] for one in table if len(table) < FULL))
        for one, other in combinations(table, 2):
            repeats = max(0, 2 * met[frozenset((one, other))] - 1)
            total += REPEAT * repeats + abs(points.get(one, 0) - points.get(other, 0))
        return total

    lots = chance.sample(sorted(people), len(people))
    order = sorted(lots, key=lambda one: -points.get(one, 0))
    tables = [fill(size) for size in table_sizes(len(people))]
    while _exchange_two(tables, cost):
        pass
    return [tuple(chance.sample(table, len(table))) for table in tables]


def _exchange_two(tables: list[list[str]], cost: Callable[[Sequence[str]], float]) -> bool:
    """Exchange the first two people that sit better so. Return whether there were any."""
    for one, other in combinations(tables, 2):
        before = cost(one) + cost(other)
        for n in range(len(one)):
            for k in range(len(other)):
                one[n], other[k] = other[k], one[n]
                if cost(one) + cost(other) < before:
                    return True
                one[n], other[k] = other[k], one[n]
    return False
