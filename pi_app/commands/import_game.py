"""`referee import`: stores the record of a game from elsewhere in a folder of its own."""

import argparse
from collections import deque

from pi_app.commands import UsageError, add_file, add_journal, journal_path
from pi_app.record.imported import store_imported
from rules.lines.jsonl import RecordError, read_lines
from rules.lines.sheet import is_sheet, parse_sheet

MAX_BYTES = 2_000_000  # twenty times a long game, and 13 s of checking, which grows quadratically


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file(parser, "file", "a file of JSON lines, or a sheet that `python -m rules sheet` wrote")
    add_journal(parser)


def main(options: argparse.Namespace) -> None:
    """Check a whole record. Store it if the game is valid and is not stored yet."""
    file = options.file
    try:
        with file.open("rb") as opened:
            data = opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{file} can't be read ({error.strerror}): name another file") from None
    if len(data) > MAX_BYTES:
        raise UsageError(
            f"{file} has more than {MAX_BYTES:,} bytes, too many for a game: name another file"
        )
    try:
        lines = _decode_lines(data)
        if is_sheet(lines):
            record = "".join(f"{line}\n" for line in parse_sheet(lines)).encode()
        else:
            deque(read_lines(lines), maxlen=0)  # reads all, and so checks the whole record
            record = data
    except RecordError as error:
        raise UsageError(
            f"{file}, {error}: nothing was imported; correct the file or name another"
        ) from None
    number, new = store_imported(journal_path(options), record)
    if new:
        print(f"{file} is now game {number}: `referee show {number}` prints it")
    else:
        print(f"{file} is stored already, as game {number}")


def _decode_lines(data: bytes) -> list[str]:
    lines = []
    for number, line in enumerate(data.removesuffix(b"\n").split(b"\n"), 1):
        try:
            lines.append(line.decode())
        except UnicodeDecodeError:
            raise RecordError("it is not text in UTF-8", number) from None
    return lines
