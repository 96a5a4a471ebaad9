"""The statistics of a table's games: plots in words and numbers, for the page to draw. No files.

A plot has a title, a note, the headings of its table, and rows. A row has a label, the cells of the
table beside it, a value in words, and what is drawn on a scale that all rows share: a bar from 0, a
band between two numbers, and marks.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import comb
from statistics import median
from typing import Any

from pi_app.model.screens import NOTHING, Seat, Text, Value, message
from pi_app.record.fairness import chance_band
from pi_app.record.stats import FACES, GameCounts
from pi_app.record.summaries import Summary
from pi_app.texts.words import seat_letter, tenths_words
from pi_app.web.kept_games import MINUTE_S, rules_title, signed_words
from rules.history import TYPED
from rules.ruleset import SHELLS

Plot = dict[str, Any]
Games = Sequence[tuple[Summary, GameCounts]]

FALLS = {  # by whether the faces were typed, and whether they are of cowries
    (False, False): message("fell-dice"),
    (True, False): message("fell-real-dice"),
    (False, True): message("fell-shells"),
    (True, True): message("fell-real-shells"),
}
BINOMIAL = tuple(comb(SHELLS, up) / 2**SHELLS for up in range(SHELLS + 1))


def statistics(
    summaries: Iterable[Summary], counts: Mapping[str, GameCounts], of: int
) -> dict[str, Any]:
    """Return the statistics of the counted games as messages. of: how many games there are.

    `over` is true if all are counted, and `progress` is a sentence until then.
    """
    games = [(summary, counts[summary.number]) for summary in summaries if not summary.is_damaged]
    plots = (_wins(games), _luck(games), *_falls(games), _captures(games), _lengths(games))
    progress = message("statistics-go-on", ready=len(counts), count=of)
    if len(counts) == of:
        progress = NOTHING if games else message("no-statistics")
    return {
        "title": message("title-of-statistics"),
        "over": len(counts) == of,
        "progress": progress,
        "plots": [plot for plot in plots if plot["rows"]],
    }


def plot(title: Text, note: Text, head: Iterable[Text], rows: list[Plot]) -> Plot:
    """Return a plot. head: the headings of its table."""
    return {"title": title, "note": note, "head": list(head), "rows": rows}


def row(
    label: Value | float,
    cells: Sequence[Value],
    value: Value,
    bar: int = 0,
    band: tuple[float, float] | None = None,
    **marks: float,
) -> Plot:
    """Return a row. marks: the places of `diamond`, `ring` and `tick`."""
    drawn = {"bar": bar, "band": list(band or ()), "marks": marks}
    return {"label": label, "cells": list(cells), "value": value, **drawn}


def _who(game: Summary, seat: int) -> Value:
    return game.names.get(seat_letter(seat)) or Seat(seat)


def _wins(games: Games) -> Plot:
    played, won = Counter[Value](), Counter[Value]()
    for game, _ in games:
        if game.winners:
            played.update(dict.fromkeys(_who(game, seat) for seat in game.seats).keys())
            won.update(dict.fromkeys(_who(game, seat) for seat in game.winners).keys())
    rows = []
    for who, count in sorted(played.items(), key=lambda one: (-won[one[0]], -one[1])):
        value = message("wins-of", wins=won[who], games=count)
        rows.append(row(who, (count, won[who]), value, won[who], (0, count)))
    head = message("player"), message("games"), message("won-games")
    return plot(message("wins-by-player"), message("wins-note"), head, rows)


def _luck(games: Games) -> Plot:
    found = defaultdict[Value, list[tuple[float, float]]](list)
    reviewed = 0
    for game, counts in games:
        reviewed += bool(counts.luck)
        for seat, luck, gave in counts.luck:
            found[_who(game, seat)].append((luck, gave))
    rows = []
    for who, points in sorted(found.items(), key=lambda one: -len(one[1])):
        luck, gave = (sum(of) / len(points) for of in zip(*points, strict=True))
        words = (signed_words(luck), tenths_words(gave))
        value = message("luck-of-seat", luck=words[0], gave=words[1])
        rows.append(row(who, (len(points), *words), value, diamond=luck, ring=gave))
    head = message("player"), message("games"), message("luck-alone"), message("gave-away")
    note = message("luck-note", ready=reviewed, count=len(games))
    return plot(message("luck-and-skill"), note, head, rows)


def _falls(games: Games) -> Iterator[Plot]:
    for (typed, shells), title in FALLS.items():
        every = [
            counts
            for _, game in games
            for source, of_shells, counts in game.faces
            if ((source == TYPED), of_shells) == (typed, shells)
        ]
        sums = list(map(sum, zip(*every, strict=True)))
        chances = BINOMIAL if shells else FACES * (1 / FACES,)
        rows = []
        for face, (often, chance) in enumerate(zip(sums, chances, strict=False), not shells):
            band = None if shells and typed else chance_band(sum(sums), chance, len(sums))
            rows.append(row(str(face), (often, *(band or "--")), often, often, band))
        note = message("no-band-note" if shells and typed else "band-note")
        face_head = message("sheet-mouths-up" if shells else "face")
        head = face_head, message("how-often"), message("band-from"), message("band-to")
        yield plot(title, note, head, rows)


def _captures(games: Games) -> Plot:
    found = Counter[tuple[Value, Value]]()
    for game, counts in games:
        for by, of, often in counts.captures:
            found[_who(game, by), _who(game, of)] += often
    rows = [
        row(message("has-captured", who=by, whom=of), (often,), often, often)
        for (by, of), often in found.most_common()
    ]
    title = message("captures-by-player")
    return plot(title, "", (title, message("how-often")), rows)


def _lengths(games: Games) -> Plot:
    found = defaultdict[str, list[float]](list)
    for game, _ in games:
        if game.winners and game.duration_s:
            found[game.ruleset].append(game.duration_s / MINUTE_S)
    rows = []
    for name, lengths in sorted(found.items(), key=lambda one: -len(one[1])):
        shortest, middle, longest = min(lengths), median(lengths), max(lengths)
        cells = (len(lengths), *map(round, (shortest, middle, longest)))
        value = message("minutes", count=round(middle))
        rows.append(row(rules_title(name), cells, value, 0, (shortest, longest), tick=middle))
    lengths_head = message("shortest"), message("median"), message("longest")
    head = message("edition"), message("games"), *lengths_head
    return plot(message("lengths-by-edition"), message("lengths-note"), head, rows)
