"""`referee games`: lists all stored games, with the imported games."""

import argparse
from collections.abc import Sequence

from pi_app.commands import add_journal, align_columns, journal_path
from pi_app.record.games import open_games
from pi_app.record.summaries import Summary
from pi_app.texts.words import seat_letter

HEADINGS = ("game", "rules", "players", "result", "date", "length", "throws")
PLAYERS_LETTERS = 17  # then a line fits 80 columns
NAME_LETTERS = 7
MINUTE_S = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_journal(parser)


def main(options: argparse.Namespace) -> None:
    """Print a line for each game."""
    with open_games(journal_path(options)) as games:
        found = list(games.read_summaries())
    print("\n".join(format_games(found)) if found else "there are no games yet")


def format_games(games: Sequence[Summary]) -> list[str]:
    """Return the lines of a table of games, with headings."""
    return align_columns([HEADINGS, *map(_cells, games)], right_aligned=(0, 6))


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
