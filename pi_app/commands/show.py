"""`referee show`: print a game so that people read it, turn by turn."""

from __future__ import annotations

import argparse

from pi_app.commands import add_game, add_journal, journal_of
from pi_app.record.games import following, reading_games
from rules.sheet import sheet_lines


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_game(parser)
    add_journal(parser)


def main(options: argparse.Namespace) -> None:
    """Print a game's sheet."""
    with reading_games(journal_of(options)) as games:
        lines = games.lines(options.game)
    with following(options.game):
        print(*sheet_lines(lines), sep="\n")
