"""What an organiser enters becomes rows of changes, if it can be so. Pure, except for new ids."""

from collections.abc import Iterable, Mapping
from secrets import randbelow, token_hex
from typing import Any

from pi_app.club.people import SCHEMES, Club, PlayedGame, Tournament, round_results, seat_next_round
from pi_app.model.screens import Text, message
from rules.board import SEATS

MAX_NAME, MAX_PEOPLE, MAX_ROUNDS = 40, 400, 20

Change = dict[str, Any]


class WrongEntry(Exception):
    """What was entered can't be. why: a sentence, a message if the page lets people enter this."""

    def __init__(self, why: Text) -> None:
        super().__init__(why)
        self.why = why


def rows_for(
    what: Any,
    club: Club,
    games: Iterable[PlayedGame],
    tables: Mapping[str, Iterable[int]],
    now: float,
) -> list[Change]:
    """Return the rows that an entry adds. Raises WrongEntry.

    what: a row of pi_app/club/people.py that may leave out the id of something new, when a seating
    begins, and all of a round but its tournament. tables: those that are there, by name, each with
    the seats that play. now: in seconds since 1970.
    """
    match what:
        case {"kind": "person", "name": str(name)}:
            return [_person(club, name.strip(), what.get("person"))]
        case {"kind": "seating", "table": str(table), "people": dict(people)}:
            return [_seating(club, table, people, what.get("since", now))]
        case {"kind": "tournament", "name": str(name), "people": list(people)}:
            return [_tournament(club, name.strip(), people, what)]
        case {"kind": "round", "tournament": str(key)} if key in club.tournaments:
            return _next_round(club, key, list(games), tables, now)
        case {"kind": "result", "tournament": str(key)} if key in club.tournaments:
            return [_result(club.tournaments[key], what)]
    raise WrongEntry("nothing in the club is like this entry")


def _person(club: Club, name: str, person: Any) -> Change:
    _check(person is None or _is_one_of(club.names, person), "there is no such person")
    _check(0 < len(name) <= MAX_NAME, f"a name has 1 to {MAX_NAME} letters")
    others = {other for one, other in club.names.items() if one != person}
    _check(name not in others, message("name-is-taken", name=name))
    return {"kind": "person", "person": person or token_hex(4), "name": name}


def _seating(club: Club, table: str, people: Mapping[Any, Any], since: Any) -> Change:
    _check(people.keys() <= {*map(str, range(SEATS))}, "a seat is a number from 0 to 3")
    _check_people(club, people.values())
    _check(isinstance(since, float | int), "a seating begins at a time")
    return {"kind": "seating", "table": table, "since": since, "people": people}


def _tournament(club: Club, name: str, people: list[Any], what: Mapping[str, Any]) -> Change:
    key, rounds, scheme = (what.get(one) for one in ("tournament", "rounds", "scheme"))
    _check(key is None or _is_one_of(club.tournaments, key), "there is no such tournament")
    _check(0 < len(name) <= MAX_NAME, f"a name has 1 to {MAX_NAME} letters")
    _check(2 <= len(people) <= MAX_PEOPLE, f"2 to {MAX_PEOPLE} people can play")
    _check_people(club, people)
    _check(type(rounds) is int and 1 <= rounds <= MAX_ROUNDS, f"it has 1 to {MAX_ROUNDS} rounds")
    _check(_is_one_of(SCHEMES, scheme), f"its scheme is {' or '.join(SCHEMES)}")
    return {
        "kind": "tournament",
        "tournament": key or token_hex(4),
        "name": name,
        "people": people,
        "rounds": rounds,
        "scheme": scheme,
        "seed": club.tournaments[key].seed if key else randbelow(2**32),
    }


def _next_round(
    club: Club, key: str, games: list[PlayedGame], tables: Mapping[str, Iterable[int]], now: float
) -> list[Change]:
    """Return the row of the next round, and a seating for each table of the club that it takes."""
    tournament = club.tournaments[key]
    number = len(tournament.played)
    _check(number < tournament.rounds, "all rounds have been played")
    left = round_results(club, tournament, number, games).count(None) if number else 0
    _check(not left, message("tables-still-play", count=left))
    seated = seat_next_round(club, tournament, games)
    at = [*tables, *[None] * len(seated)][: len(seated)]
    seatings = []
    for table, people in zip(at, seated, strict=True):
        if table is not None:
            seats = [*tables[table], *range(SEATS)]
            by_seat = dict(zip(dict.fromkeys(map(str, seats)), people, strict=False))
            seatings.append(_seating(club, table, by_seat, now))
    return [{"kind": "round", "tournament": key, "tables": seated, "at": at}, *seatings]


def _result(tournament: Tournament, what: Mapping[str, Any]) -> Change:
    try:
        table = tournament.played[what["round"] - 1].tables[what["table"]]
        placed = sorted(one for tier in what["tiers"] for one in tier)
    except (IndexError, KeyError, TypeError):
        raise WrongEntry("a result has a round, a table and tiers") from None
    is_whole = placed == sorted(table) and what["round"] > 0 <= what["table"]
    _check(is_whole and all(what["tiers"]), "each person of the table has one place")
    return {key: what[key] for key in ("kind", "tournament", "round", "table", "tiers")}


def _check_people(club: Club, people: Iterable[Any]) -> None:
    found = list(people)
    _check(all(_is_one_of(club.names, one) for one in found), "there is no such person")
    _check(len({*found}) == len(found), "somebody is named twice")


def _is_one_of(known: Mapping[str, object], key: Any) -> bool:
    return isinstance(key, str) and key in known


def _check(is_so: bool, why: Text) -> None:
    if not is_so:
        raise WrongEntry(why)
