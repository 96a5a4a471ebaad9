"""`referee backup`: copies the journal into one file, also while the referee runs."""

import argparse

from pi_app.commands import add_file, add_journal, format_count, journal_path, write_new
from pi_app.record.copying import copy_journal
from pi_app.record.disk import is_in_memory
from pi_app.record.imported import imported_games


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file(parser, "file", "the file to write; it must not exist yet")
    add_journal(parser)


def main(options: argparse.Namespace) -> None:
    journal = journal_path(options)
    with copy_journal(journal) as (copy, contents):
        write_new(options.file, copy.read_bytes())
    actions = format_count(contents.rows, "action")
    print(f"{options.file} contains {format_count(contents.games, 'game')} ({actions})")
    if is_in_memory(options.file.parent):
        print(f"{options.file} is in memory: it is lost when the power goes")
    if others := imported_games(journal):
        folder = next(iter(others.values())).parent
        print(f"{format_count(len(others), 'imported game')} not copied: copy {folder} too")
