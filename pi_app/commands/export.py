"""`referee export`: writes the record of a game, for other programs or another referee."""

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
        help="the file to write, which must not exist yet; default: print the record",
    )
    add_journal(parser)


def main(options: argparse.Namespace) -> None:
    """Write the record of a game. Write an imported record byte for byte as it was imported."""
    with open_games(journal_path(options)) as games:
        data = games.record_bytes(options.game)
    if options.file is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return
    write_new(options.file, data)
    print(f"wrote the record of game {options.game} to {options.file}")
