"""`referee restore`: puts a backup into a referee that has no games yet."""

import argparse
from pathlib import Path

from pi_app.commands import add_journal, format_count, journal_path
from pi_app.record.copying import restore_journal


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the file that a backup has made")
    parser.add_argument(
        "--dry-run", action="store_true", help="only see whether it can be restored"
    )
    add_journal(parser)


def main(options: argparse.Namespace) -> None:
    """Put the backup in the journal's place, and print how many games it contains."""
    contents = restore_journal(options.file, journal_path(options), options.dry_run)
    print(f"{options.file} contains {format_count(contents.games, 'game')}")
