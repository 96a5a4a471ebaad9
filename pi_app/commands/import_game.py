"""`referee import`: keep the record of a game from elsewhere, apart from the table's own."""

from __future__ import annotations

import argparse
from collections import deque
from pathlib import Path

from pi_app.commands import UsageError, add_journal, journal_path
from pi_app.record.imported import store_imported
from rules.jsonl import RecordError, read_lines
from rules.sheet import is_sheet, parse_sheet

MAX_BYTES = 2_000_000  # bytes: twenty times a long game. Judging it takes 13 s, and grows squared


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "file",
        type=Path,
        metavar="FILE",
        help="the record, as JSON lines or the sheet that `python -m rules sheet` makes of them",
    )
    add_journal(parser)


def main(options: argparse.Namespace) -> None:
    """Judge a record whole; keep it if it is a game and not there yet."""
    file = options.file
    data = _read(file)
    try:
        record = _record(data, _lines(data))
    except RecordError as error:
        raise UsageError(f"{file}, {error}: nothing was imported") from None
    number, new = store_imported(journal_path(options), record)
    if new:
        print(f"{file} is game {number} now: `referee show {number}` prints it")
    else:
        print(f"{file} is there already: it is game {number}")


def _read(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            data = opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{file} can't be read ({error.strerror}): name another file") from None
    if len(data) > MAX_BYTES:
        raise UsageError(
            f"{file} has more than {MAX_BYTES:,} bytes: no record of a game is so long"
        )
    return data


def _lines(data: bytes) -> list[str]:
    """Return a file's lines, each without its end."""
    lines = []
    for number, line in enumerate(data.removesuffix(b"\n").split(b"\n"), 1):
        try:
            lines.append(line.decode())
        except UnicodeDecodeError:
            raise RecordError("it is not text in UTF-8", number) from None
    return lines


def _record(data: bytes, lines: list[str]) -> bytes:
    """Return what is kept of a record: the file itself, of a sheet the lines that it stands for."""
    if is_sheet(lines):
        return "".join(f"{line}\n" for line in parse_sheet(lines)).encode()
    deque(read_lines(lines), maxlen=0)  # judged whole
    return data
