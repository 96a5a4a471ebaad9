"""`referee stats`: how the dice fell, by where they came from, and what they brought each seat."""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pi_app.commands import add_journal, in_columns, journal_of
from pi_app.record.fairness import judged
from pi_app.record.games import Games, reading_games
from pi_app.record.imported import MARK
from pi_app.record.stats import COUNTED, Drawn, drawn, seats
from pi_app.table.words import letter, many

ONCE = "A throw that came again after undo or a correction counts once. By seat:"
HEAD = ("seat", "throws", "doublets", "entry numbers", "waited in nest", "captures", "captured")
CSV_HEAD = ("game", "throw", "seat", "source", "at", "die1", "die2")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "games",
        nargs="*",
        metavar="N",
        help="a game's number in `referee games`; without, all that were played at this table",
    )
    parser.add_argument(
        "--csv", action="store_true", help="print each throw instead, a line each, to be counted"
    )
    add_journal(parser)


def main(options: argparse.Namespace) -> None:
    """Print what the throws of some games were."""
    with reading_games(journal_of(options)) as games:
        numbers = tuple(dict.fromkeys(options.games)) or _own(games)
        records = {number: games.lines(number) for number in numbers}
    throws = {number: drawn(lines) for number, lines in records.items()}
    if options.csv:
        csv.writer(sys.stdout, lineterminator="\n").writerows([CSV_HEAD, *_rows(throws)])
        return
    counts: dict[int, Counter[str]] = {}
    for lines in records.values():
        for seat, count in seats(lines).items():
            counts.setdefault(seat, Counter()).update(count)
    print("\n".join(_report(throws, counts)))


def _own(games: Games) -> tuple[str, ...]:
    return tuple(number for number in games.numbers() if not number.startswith(MARK))


def _rows(throws: Mapping[str, Sequence[Drawn]]) -> Iterator[tuple[object, ...]]:
    for number, drawn_in in throws.items():
        for n, one in enumerate(drawn_in, 1):
            yield number, n, letter(one.seat), one.source, one.at, *one.faces


def _report(
    throws: Mapping[str, Sequence[Drawn]], counts: Mapping[int, Counter[str]]
) -> Iterator[str]:
    everything = [one for drawn_in in throws.values() for one in drawn_in]
    yield f"{many(len(throws), 'game')}, {many(len(everything), 'throw')}"
    for source in sorted({one.source for one in everything}):
        faces = [one.faces for one in everything if one.source == source]
        yield ""
        yield f"{source}: {many(len(faces), 'throw')}, {sum(map(len, faces))} dice"
        yield from (f"  {line}" for line in judged(faces))
    if counts:
        yield ""
        yield ONCE
        yield ""
        cells = [
            (letter(seat), *(str(counts[seat][what]) for what in COUNTED))
            for seat in sorted(counts)
        ]
        yield from in_columns([HEAD, *cells], right=range(1, len(HEAD)))
