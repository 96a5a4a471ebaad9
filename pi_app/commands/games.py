"""`referee games`: lists all stored games, with the imported games."""

import argparse
import json
from collections.abc import Sequence
from typing import Any

from pi_app.commands import add_journal, add_json, align_columns, journal_path
from pi_app.record.games import open_games
from pi_app.record.summaries import Summary
from pi_app.texts.words import seat_letter
from rules.ruleset import PRESETS

HEADINGS = ("game", "rules", "players", "result", "date", "length", "throws")
PLAYERS_LETTERS = 17  # then a line fits 80 columns
NAME_LETTERS = 7
MINUTE_S = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_json(parser)
    add_journal(parser)


def main(options: argparse.Namespace) -> None:
    with open_games(journal_path(options)) as games:
        found = list(games.read_summaries())
    if options.json:
        print(json.dumps({"games": list(map(_fields, found))}))
    else:
        print("\n".join(format_games(found)) if found else "there are no games yet")


def format_games(games: Sequence[Summary]) -> list[str]:
    return align_columns([HEADINGS, *map(_cells, games)], right_aligned=(0, 6))


def _fields(game: Summary) -> dict[str, Any]:
    return {
        "number": game.number,
        "ruleset": game.ruleset if game.ruleset in PRESETS else None,
        "seats": list(map(seat_letter, game.seats)),
        "names": game.names,
        "over": game.is_over,
        "winners": list(map(seat_letter, game.winners)),
        "started": game.start.isoformat() if game.start else None,
        "duration_s": game.duration_s,
        "throws": None if game.is_damaged else game.throws,
        "imported": game.is_imported,
        "damaged": game.is_damaged,
    }


def _cells(game: Summary) -> tuple[str, ...]:
    if not game.seats:
        return game.number, game.ruleset, "-", _result(game), *3 * ("-",)
    day = f"{game.start.astimezone():%Y-%m-%d}" if game.start else "-"
    length = "-"
    if game.is_imported:
        length = "imported"
    elif game.duration_s is not None:
        minutes = game.duration_s / MINUTE_S
        length = f"{minutes:.0f} min" if minutes >= 1 else f"{game.duration_s:.0f} s"
    players = ", ".join(_player(game, seat) for seat in game.seats)
    if len(players) > PLAYERS_LETTERS:
        players = f"{players[: PLAYERS_LETTERS - 1]}…"
    throws = "-" if game.is_damaged else str(game.throws)
    return game.number, game.ruleset, players, _result(game), day, length, throws


def _player(game: Summary, seat: int) -> str:
    """Return a player's name, or the seat's letter if the player has none."""
    return game.names.get(seat_letter(seat), seat_letter(seat))


def _result(game: Summary) -> str:
    if game.is_damaged:
        return "damaged"
    if game.winners:
        return f"{'+'.join(_player(game, seat) for seat in game.winners)[:NAME_LETTERS]} won"
    return "nobody won" if game.is_over else "not over"
