"""The evening's results, and the people with their ratings, in messages for the page to draw."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from pi_app.club.people import Club, PlayedGame, rated_games
from pi_app.club.ratings import Rating, rate
from pi_app.model.screens import message
from pi_app.texts.words import seat_letter, tenths_words
from pi_app.web.plots import Plot, plot, row

NOON = 12  # when an evening begins, by the club's clock
HEADS = (message("rating"), message("uncertainty"))


def evening_games(games: Iterable[PlayedGame], now: float) -> list[PlayedGame]:
    """Return the games that have ended since noon, also after midnight, the newest first."""
    then = datetime.fromtimestamp(now)
    noon = (then - timedelta(hours=NOON)).replace(hour=NOON, minute=0, second=0, microsecond=0)
    found = [game for game in games if game.ended >= noon.timestamp()]
    return sorted(found, key=lambda game: (game.ended, game.id), reverse=True)


def names_of(game: PlayedGame, club: Club) -> dict[int, str]:
    """Return the names of those who played a game, by seat."""
    return {seat: club.names[one] for seat, one in club.who_sat(game.table, game.ended).items()}


def result(game: PlayedGame, club: Club, turns: int) -> dict[str, Any]:
    """Return a game's result: when it ended, and by place the seats with their players' names."""
    names = names_of(game, club)
    return {
        "game": game.id,
        "table": game.table,
        "ended": game.ended,
        "turns": message("turns", count=turns),
        "tiers": [[[seat, names.get(seat, "")] for seat in tier] for tier in game.tiers],
    }


def name_players(record: str, game: PlayedGame | None, club: Club) -> tuple[str, ...]:
    """Return the lines of a record, with the names that the organiser has said in the first one."""
    first, *lines = record.split("\n")
    names = {} if game is None else names_of(game, club)
    said = {"names": {seat_letter(seat): name for seat, name in names.items()}} if names else {}
    return json.dumps({**json.loads(first), **said}), *lines


def rating_plots(games: Sequence[PlayedGame], club: Club, person: str = "") -> dict[str, Any]:
    """Return all people that have ratings, the strongest first, and a plot.

    It has the newest rating of each, or all of a person, the newest first. Then the label of a row
    is when a game ended, in seconds since 1970.
    """
    rated = list(rated_games(club, games))
    ratings = dict(sorted(rate(rated).items(), key=lambda one: -one[1][-1].ordinal))
    won = Counter(one for game in rated for one in game.sides[0])
    if person:
        rows = [_row(one, one.ended) for one in reversed(ratings.get(person, []))]
        note, heads = message("rating-over-time"), (message("game-ended-at"), *HEADS)
        shown = plot(club.names.get(person, ""), note, heads, rows)
    else:
        newest = ((known[-1], one, len(known)) for one, known in ratings.items())
        rows = [_row(rating, club.names[one], count, won[one]) for rating, one, count in newest]
        head = (message("player"), message("games"), message("won-games"), *HEADS)
        shown = plot(message("ratings"), message("rating-note"), head, rows)
    people = [[one, club.names[one]] for one in ratings]
    return {"people": people, "plots": [shown] if rows else []}


def _row(rating: Rating, label: str | float, *cells: int) -> Plot:
    apart = 2 * rating.sigma
    said = tenths_words(rating.mu), tenths_words(apart)
    value = message("rating-of", rating=said[0], more=said[1])
    band = max(0.0, rating.mu - apart), rating.mu + apart
    return row(label, (*cells, *said), value, band=band, tick=rating.mu)
