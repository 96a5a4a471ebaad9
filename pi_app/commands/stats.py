"""`referee stats`: counts throws by the source of the dice, and what each seat got from them."""

import argparse
import csv
import json
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from pi_app import commands
from pi_app.record.fairness import judge_dice, judge_shells
from pi_app.record.games import Games, add_game_to_error, open_games
from pi_app.record.stats import COUNT_NAMES, GameStats, count_faces, count_record
from pi_app.record.trouble import JournalError
from pi_app.texts.words import seat_letter
from rules.history import TYPED

EXPLANATION = "A throw that was repeated after an undo or a correction counts once.\nFor each seat:"
HEADINGS = (
    "seat",
    "throws",
    "doublets",
    "entry numbers",
    "throws in nest",  # that let no pawn enter
    "captures",
    "pawns lost",
)
CSV_HEADINGS = ("game", "throw", "seat", "source", "at", "die1", "die2", "cowries")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "games",
        nargs="*",
        metavar="N",
        help="a game's number in `referee games`; default: all games of this referee",
    )
    forms = parser.add_mutually_exclusive_group()
    commands.add_flag(forms, "--csv", "print one line per throw instead, as CSV")
    commands.add_json(forms)
    commands.add_journal(parser)


def main(options: argparse.Namespace) -> None:
    with open_games(commands.journal_path(options)) as games:
        if options.games:
            stats = {number: _count(games, number) for number in dict.fromkeys(options.games)}
        else:
            stats = {}
            for number in games.own_numbers:
                try:
                    stats[number] = _count(games, number)
                except JournalError as error:
                    print(f"referee: {error}: not counted", file=sys.stderr)
    if options.json:
        print(json.dumps(_fields(stats.values())))
        return
    if not options.csv:
        print("\n".join(_report(stats.values())))
        return
    writer = csv.DictWriter(sys.stdout, CSV_HEADINGS, lineterminator="\n")
    writer.writeheader()
    for number, game in stats.items():
        for n, throw in enumerate(game.drawn, 1):
            dice = {} if throw.shells else dict(zip(("die1", "die2"), throw.faces, strict=False))
            up = {"cowries": throw.faces[0]} if throw.shells else {}
            known = (number, n, seat_letter(throw.seat), throw.source, throw.at)
            writer.writerow(dict(zip(CSV_HEADINGS, known, strict=False)) | dice | up)


def _count(games: Games, number: str) -> GameStats:
    with add_game_to_error(number):
        return count_record(games.record_lines(number))


def _fields(games: Collection[GameStats]) -> dict[str, Any]:
    drawn = [one for game in games for one in game.drawn]
    dice = [
        {"source": source, "shells": shells, "counts": counts}
        for source, shells, counts in count_faces(drawn)
    ]
    seats = [
        {"seat": seat_letter(seat), **{name: count[name] for name in COUNT_NAMES}}
        for seat, count in _count_by_seat(games)
    ]
    return {"games": len(games), "throws": len(drawn), "dice": dice, "seats": seats}


def _count_by_seat(games: Iterable[GameStats]) -> list[tuple[int, Counter[str]]]:
    counts: dict[int, Counter[str]] = {}
    for game in games:
        for seat, count in game.seats.items():
            counts.setdefault(seat, Counter()).update(count)
    return sorted(counts.items())


def _report(games: Collection[GameStats]) -> Iterator[str]:
    throws = [one for game in games for one in game.drawn]
    count = commands.format_count
    yield f"{count(len(games), 'game')}, {count(len(throws), 'throw')}"
    for source, shells in sorted({(one.source, one.shells) for one in throws}):
        faces = [one.faces for one in throws if (one.source, one.shells) == (source, shells)]
        dice = commands.format_count(sum(map(len, faces)), "die", "dice")
        thrown = "six cowries each" if shells else dice
        yield f"\n{source}: {commands.format_count(len(faces), 'throw')}, {thrown}"
        judged = judge_shells(faces, source == TYPED) if shells else judge_dice(faces)
        yield from (f"  {line}" for line in judged)
    if not games:
        return
    yield f"\n{EXPLANATION}\n"
    cells = [
        (seat_letter(seat), *(str(count[name]) for name in COUNT_NAMES))
        for seat, count in _count_by_seat(games)
    ]
    yield from commands.align_columns([HEADINGS, *cells], right_aligned=range(1, len(HEADINGS)))
