"""`referee stats`: how the dice fell, by where they came from, and what they brought each seat."""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping

from pi_app.commands import add_journal, align_columns, count_of, journal_path
from pi_app.record.fairness import judge_dice
from pi_app.record.games import Games, name_game_in_error, open_games
from pi_app.record.imported import MARK
from pi_app.record.stats import COUNT_NAMES, GameStats, count_record
from pi_app.record.trouble import JournalError
from pi_app.texts.words import seat_letter

EXPLANATION = "A throw that came again after undo or a correction counts once. By seat:"
HEADINGS = ("seat", "throws", "doublets", "entry numbers", "waited in nest", "captures", "captured")
CSV_HEADINGS = ("game", "throw", "seat", "source", "at", "die1", "die2")


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
    with open_games(journal_path(options)) as games:
        if options.games:
            found = {number: _counted(games, number) for number in dict.fromkeys(options.games)}
        else:
            found = dict(_countable(games))
    if options.csv:
        csv.writer(sys.stdout, lineterminator="\n").writerows([CSV_HEADINGS, *_rows(found)])
    else:
        print("\n".join(_report(found.values())))


def _counted(games: Games, number: str) -> GameStats:
    with name_game_in_error(number):
        return count_record(games.lines(number))


def _countable(games: Games) -> Iterator[tuple[str, GameStats]]:
    """Yield what is counted of each of the table's own games; say which can't be counted."""
    for number in games.numbers():
        if not number.startswith(MARK):
            try:
                yield number, _counted(games, number)
            except JournalError as error:
                print(f"referee: {error}: not counted", file=sys.stderr)


def _rows(found: Mapping[str, GameStats]) -> Iterator[tuple[object, ...]]:
    for number, game in found.items():
        for n, one in enumerate(game.drawn, 1):
            yield number, n, seat_letter(one.seat), one.source, one.at, *one.faces


def _report(games: Collection[GameStats]) -> Iterator[str]:
    throws = [one for game in games for one in game.drawn]
    yield f"{count_of(len(games), 'game')}, {count_of(len(throws), 'throw')}"
    for source in sorted({one.source for one in throws}):
        faces = [one.faces for one in throws if one.source == source]
        dice = count_of(sum(map(len, faces)), "die", "dice")
        yield f"\n{source}: {count_of(len(faces), 'throw')}, {dice}"
        yield from (f"  {line}" for line in judge_dice(faces))
    if games:
        yield f"\n{EXPLANATION}\n"
        yield from _by_seat(games)


def _by_seat(games: Iterable[GameStats]) -> list[str]:
    counts: dict[int, Counter[str]] = {}
    for game in games:
        for seat, count in game.seats.items():
            counts.setdefault(seat, Counter()).update(count)
    cells = [
        (seat_letter(seat), *(str(count[what]) for what in COUNT_NAMES))
        for seat, count in sorted(counts.items())
    ]
    return align_columns([HEADINGS, *cells], right=range(1, len(HEADINGS)))
