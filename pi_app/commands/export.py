"""`referee export`: writes the record of a game, for other programs or another referee."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pi_app.commands import add_game, add_journal, journal_path, write_new
from pi_app.record.games import open_games


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_game(parser)
    parser.add_argument(
        "file",
        type=Path,
        nargs="?",
        metavar="FILE",
        help="the record, a new file; without FILE, the record is printed",
    )
    add_journal(parser)


def main(options: argparse.Namespace) -> None:
    """Write the record of a game. The record of an imported game is written byte for byte."""
    with open_games(journal_path(options)) as games:
        data = games.record_bytes(options.game)
    if options.file is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return
    write_new(options.file, data)
    print(f"{options.file} is the record of game {options.game}")
