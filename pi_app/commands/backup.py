"""`referee backup`: copies the journal into one file, also while a table is running."""

from __future__ import annotations

import argparse
from pathlib import Path

from pi_app.commands import add_journal, count_of, journal_path, write_new
from pi_app.record.copying import copy_journal
from pi_app.record.imported import imported_games


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the copy, a new file")
    add_journal(parser)


def main(options: argparse.Namespace) -> None:
    """Copy the journal, and print how many games and rows the copy holds."""
    journal = journal_path(options)
    with copy_journal(journal) as (copy, held):
        write_new(options.file, copy.read_bytes())
    print(f"{options.file} holds {count_of(held.games, 'game')}, {count_of(held.rows, 'row')}")
    if others := imported_games(journal):
        folder = next(iter(others.values())).parent
        print(f"{count_of(len(others), 'imported game')} not copied: copy {folder} too")
