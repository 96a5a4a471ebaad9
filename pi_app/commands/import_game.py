"""`referee import`: keep the record of a game from elsewhere, apart from the table's own."""

from __future__ import annotations

import argparse
from pathlib import Path

from pi_app.commands import UsageError, add_journal, journal_of
from pi_app.record.imported import keep
from rules.replay import judge

LARGEST = 10_000_000  # bytes: a hundred times a long game


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the record, in either form")
    add_journal(parser)


def main(options: argparse.Namespace) -> None:
    """Judge a record whole; keep it if it is a game and not there yet."""
    file = options.file
    data = _read(file)
    verdict = judge(_lines(file, data))
    if "error" in verdict:
        where = f"{file}, line {verdict['line']}"
        raise UsageError(f"{where}: {verdict['error']}: nothing was imported")
    number, new = keep(journal_of(options), data)
    if new:
        print(f"{file} is game {number} now: `referee show {number}` prints it")
    else:
        print(f"{file} is there already: it is game {number}")


def _read(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            data = opened.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"{file} can't be read ({error.strerror}): name another file") from None
    if len(data) > LARGEST:
        raise UsageError(f"{file} has more than {LARGEST:,} bytes: no record of a game is so long")
    return data


def _lines(file: Path, data: bytes) -> list[str]:
    """Return a file's lines, each without its end."""
    lines = []
    for number, line in enumerate(data.removesuffix(b"\n").split(b"\n"), 1):
        try:
            lines.append(line.decode())
        except UnicodeDecodeError:
            where = f"{file}, line {number}"
            raise UsageError(f"{where} is not text in UTF-8: nothing was imported") from None
    return lines
