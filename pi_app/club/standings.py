"""The standings of a tournament, from the places at its tables. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

# By the number of people: IFPA's points, as Match Play has them for group match play
# (https://docs.matchplay.events, "Scoring systems"); of two people the first and the last of them.
BY_PLACE: Mapping[int, Sequence[int]] = {4: (7, 5, 3, 1), 3: (7, 4, 1), 2: (7, 1)}
WINNER_ONLY: Mapping[int, Sequence[int]] = {size: (1,) + (0,) * (size - 1) for size in BY_PLACE}

Tiers = Sequence[Sequence[str]]
"""The people of a table by place, the winner first. Those in one tier are equal: partners who have
won are two winners."""


@dataclass(frozen=True, slots=True)
class TableResult:
    """How a table's game ended: who came in which place, and each person's pawns at home."""

    tiers: Tiers
    home: Mapping[str, int] = field(default_factory=dict)


class Standing(NamedTuple):
    """A person's place, from 1, with what decides it, in this order.

    met: the sum of the points of all opponents (Solkoff). direct: at tables with those who are
    equal so far, how many of them the person left behind, less how many were ahead. home: pawns.
    """

    place: int
    person: str
    points: float
    wins: int
    met: float
    direct: int
    home: int


def table_points(tiers: Tiers, scheme: Mapping[int, Sequence[int]]) -> dict[str, float]:
    """Return the points of each person of a table. Those who are equal share theirs."""
    left = list(scheme[sum(map(len, tiers))])
    points = {}
    for tier in tiers:
        shared = sum(left[: len(tier)]) / len(tier)
        points.update(dict.fromkeys(tier, shared))
        del left[: len(tier)]
    return points


def find_standings(
    results: Sequence[TableResult], scheme: Mapping[int, Sequence[int]], lots: Mapping[str, float]
) -> list[Standing]:
    """Return the standings after some results. lots: each person's, who may not have played yet.

    Only the lot decides between people who are equal in everything else; they have one place.
    """
    won = [table_points(result.tiers, scheme) for result in results]
    points = {one: sum(table.get(one, 0) for table in won) for one in lots}
    wins = {one: sum(one in result.tiers[0] for result in results) for one in lots}
    met = {
        one: sum(points[other] for table in won if one in table for other in table if other != one)
        for one in lots
    }
    home = {one: sum(result.home.get(one, 0) for result in results) for one in lots}
    before = {one: (points[one], wins[one], met[one]) for one in lots}
    direct = {
        one: _lead(one, {k for k in lots if before[k] == before[one]}, results) for one in lots
    }
    keys = {one: (*before[one], direct[one], home[one]) for one in lots}
    order = sorted(lots, key=lambda one: (*(-value for value in keys[one]), lots[one]))
    places: dict[tuple[float, ...], int] = {}
    for place, one in enumerate(order, 1):
        places.setdefault(keys[one], place)
    return [Standing(places[keys[one]], one, *keys[one]) for one in order]


def _lead(person: str, equal: set[str], results: Sequence[TableResult]) -> int:
    lead = 0
    for tiers in (result.tiers for result in results):
        ranks = {one: rank for rank, tier in enumerate(tiers) for one in tier if one in equal}
        if person in ranks:
            lead += sum(rank > ranks[person] for rank in ranks.values())
            lead -= sum(rank < ranks[person] for rank in ranks.values())
    return lead
