"""What the organiser has said, from the rows of changes: people, who sits where, tournaments.

Each row is a JSON object with a `kind`:

    person      person, name
    seating     table, since, people: who sits at a table from a time on; by seat
    tournament  tournament, name, people, rounds, scheme, seed
    round       tournament, tables: the people of each table; at: the table's name, or null
    result      tournament, round, table: its index; tiers: the places, given by hand

A later row of the same kind about the same thing replaces an earlier one; a round is the next of
its tournament. So a row corrects another, and none is ever changed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, NamedTuple

from pi_app.club.ratings import RatedGame
from pi_app.club.seating import Table, seat_round
from pi_app.club.standings import BY_PLACE, WINNER_ONLY, Standing, TableResult, find_standings

SCHEMES = {"places": BY_PLACE, "winner": WINNER_ONLY}


class PlayedGame(NamedTuple):
    """A kept game as a club counts it.

    ended: seconds since 1970. tiers: the seats by place. home: by seat, the pawns at home.
    played_on: whether the places after the winner were played for. is_of_sides: whether each tier
    is a side of partners.
    """

    id: str
    table: str
    ended: float
    tiers: Sequence[Sequence[int]]
    home: Sequence[int]
    played_on: bool = False
    is_of_sides: bool = False


class Round(NamedTuple):
    """A round: when it was seated, its tables, the name of each in the club, results by hand."""

    made: float
    tables: Sequence[Table]
    at: Sequence[str | None]
    by_hand: Mapping[int, Sequence[Sequence[str]]]


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament. people: who plays the next round. seed: of its lots."""

    name: str
    people: Sequence[str]
    rounds: int
    scheme: str
    seed: int
    played: Sequence[Round] = ()


@dataclass(frozen=True, slots=True)
class Club:
    """All that the organiser has said.

    names: of each person, by their ids. seatings: who sits at a table from a time on, in seconds
    since 1970, by seat; a seat may have nobody.
    """

    names: dict[str, str] = field(default_factory=dict)
    seatings: dict[tuple[str, float], Mapping[int, str]] = field(default_factory=dict)
    tournaments: dict[str, Tournament] = field(default_factory=dict)

    def seated_since(self, table: str, then: float) -> float | None:
        """Return since when who sat at a table at a time did so, None if nobody has said it."""
        known = (since for name, since in self.seatings if name == table and since <= then)
        return max(known, default=None)

    def who_sat(self, table: str, then: float) -> Mapping[int, str]:
        since = self.seated_since(table, then)
        return {} if since is None else self.seatings[table, since]


def fold_changes(changes: Iterable[tuple[float, Mapping[str, Any]]]) -> Club:
    """Return what some changes say, in their order, each with the time at which it was made."""
    club = Club()
    for made, what in changes:
        match what:
            case {"kind": "person", "person": person, "name": name}:
                club.names[person] = name
            case {"kind": "seating", "table": table, "since": since, "people": people}:
                sat = {int(seat): person for seat, person in people.items()}
                club.seatings[table, since] = sat
            case {"kind": "tournament", "tournament": key, **said}:
                before = club.tournaments.get(key)
                said = {name: said[name] for name in ("name", "people", "rounds", "scheme", "seed")}
                club.tournaments[key] = Tournament(**said, played=before.played if before else ())
            case {"kind": "round", "tournament": key, "tables": tables, "at": at}:
                tournament = club.tournaments[key]
                played = (*tournament.played, Round(made, [*map(tuple, tables)], at, {}))
                club.tournaments[key] = replace(tournament, played=played)
            case {"kind": "result", "tournament": key, "round": number, "table": n, "tiers": tiers}:
                tournament = club.tournaments[key]
                rounds = list(tournament.played)
                by_hand = {**rounds[number - 1].by_hand, n: tiers}
                rounds[number - 1] = rounds[number - 1]._replace(by_hand=by_hand)
                club.tournaments[key] = replace(tournament, played=rounds)
    return club


def round_results(
    club: Club, tournament: Tournament, number: int, games: Iterable[PlayedGame]
) -> list[TableResult | None]:
    """Return the result of each table of a round, from 1; None for one that has none yet.

    A result by hand counts, else the first game that just the people of that table have played
    after the round was seated, and before the next one was.
    """
    this = tournament.played[number - 1]
    end = min((later.made for later in tournament.played[number:]), default=float("inf"))
    found: dict[frozenset[str], TableResult] = {}
    for game in sorted(games, key=lambda game: (game.ended, game.id)):
        if this.made <= game.ended < end and (result := _result_of(game, club)):
            found.setdefault(frozenset(one for tier in result.tiers for one in tier), result)
    return [
        TableResult(this.by_hand[n]) if n in this.by_hand else found.get(frozenset(table))
        for n, table in enumerate(this.tables)
    ]


def _result_of(game: PlayedGame, club: Club) -> TableResult | None:
    """Return a game's result by its people; None if nobody has said who sat at one of its seats."""
    sat = club.who_sat(game.table, game.ended)
    if any(seat not in sat for tier in game.tiers for seat in tier):
        return None
    tiers = [[sat[seat] for seat in tier] for tier in game.tiers]
    return TableResult(tiers, {sat[seat]: game.home[seat] for tier in game.tiers for seat in tier})


def tournament_standings(
    club: Club, tournament: Tournament, games: Sequence[PlayedGame]
) -> list[Standing]:
    """Return the standings after all results so far, with everybody who plays or has played."""
    everybody = {*tournament.people}.union(*(t for one in tournament.played for t in one.tables))
    order = Random(tournament.seed).sample(sorted(everybody), len(everybody))
    results = [
        result
        for number in range(1, len(tournament.played) + 1)
        for result in round_results(club, tournament, number, games)
        if result is not None
    ]
    lots = {person: float(lot) for lot, person in enumerate(order)}
    return find_standings(results, SCHEMES[tournament.scheme], lots)


def seat_next_round(club: Club, tournament: Tournament, games: Sequence[PlayedGame]) -> list[Table]:
    """Return the tables of a tournament's next round. Raises ValueError for fewer than 2 people."""
    standings = tournament_standings(club, tournament, games)
    points = {one.person: one.points for one in standings}
    earlier = [table for one in tournament.played for table in one.tables]
    chance = Random(f"{tournament.seed}/{len(tournament.played) + 1}")
    return seat_round(tournament.people, points, earlier, chance)


def rated_games(club: Club, games: Iterable[PlayedGame]) -> Iterator[RatedGame]:
    """Yield the games whose people are known, for `rate`. Partners are those who won together."""
    for game in games:
        if result := _result_of(game, club):
            ranked = list(enumerate(result.tiers, 1))
            if not game.is_of_sides:
                ranked = [(rank, [one]) for rank, tier in ranked for one in tier]
            last = len(ranked) if game.played_on else 2
            sides, ranks = [side for _, side in ranked], [min(rank, last) for rank, _ in ranked]
            yield RatedGame(game.id, game.ended, sides, ranks)
