"""`referee restore`: puts a backup into a referee that has no games yet."""

import argparse

from pi_app.commands import add_file, add_flag, add_journal, format_count, journal_path
from pi_app.record.copying import restore_journal


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file(parser, "file", "the file that a backup has made")
    add_flag(parser, "--dry-run", "only see whether it can be restored")
    add_journal(parser)


def main(options: argparse.Namespace) -> None:
    contents = restore_journal(options.file, journal_path(options), options.dry_run)
    print(f"{options.file} contains {format_count(contents.games, 'game')}")
