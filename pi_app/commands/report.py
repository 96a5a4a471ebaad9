"""`referee report`: packs what a bug report needs into one file, by default without names."""

import argparse
import io
import os
import platform
import re
import sqlite3
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from importlib import metadata
from itertools import chain, count
from pathlib import Path

from pi_app import __version__
from pi_app.commands import add_file, add_flag, add_journal, format_count, journal_path, write_new
from pi_app.config.keys import DEFAULT
from pi_app.config.reading import load_config
from pi_app.config.toml import ConfigError
from pi_app.config.writing import config_text
from pi_app.record import last_faults
from pi_app.record.copying import copy_journal, forget_players
from pi_app.record.disk import free_bytes, is_in_memory, is_nearly_full
from pi_app.record.imported import imported_games
from pi_app.record.trouble import JournalError, error_in_one_line
from pi_app.system.computer import read_model, read_system
from pi_app.texts.language import ENGLISH
from pi_app.texts.words import size_words

LIBRARIES = (
    "gpiozero",
    "lgpio",
    "rpi-lgpio",
    "RPi.GPIO",
    "spidev",
    "smbus2",
    "luma.core",
    "luma.oled",
    "cbor2",
    "pillow",
    "pyserial",
    "starlette",
    "uvicorn",
)
LOG_COMMAND = ("journalctl", "--unit", "referee", "--no-hostname", "--no-pager", "--lines", "5000")
LOG_TIMEOUT_S = 60.0  # a Pi Zero with a slow card needs some seconds
HOME_NAME = re.compile(rb"(?<=/home/)[^/\s\"']+")
WITH_NAMES = "contains players' names"
WITHOUT_NAMES = (
    "does not contain players' names, but names of house rules and of the page, and the whole "
    "configuration: look inside before you publish it"
)

Part = tuple[str, bytes]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    text = (
        "the .tar.gz file to write, which must not exist yet; default: a file in the current "
        "folder, with version and time in its name"
    )
    add_file(parser, "file", text, "?")
    add_flag(parser, "--names", "include the players' names")
    add_journal(parser)


def main(options: argparse.Namespace) -> None:
    file = options.file or unused_name(Path(), datetime.now())
    write_new(file, pack(list(report_files(options))))
    print(f"wrote {file}: attach it to your bug report")
    print(f"the file {WITH_NAMES if options.names else WITHOUT_NAMES}")


def unused_name(folder: Path, at: datetime) -> Path:
    """Return a path in `folder` for a new report, named after the version and the time `at`."""
    name = f"referee-report-{__version__}-{at:%Y-%m-%d-%H%M%S}"
    endings = chain([""], (f"-{n}" for n in count(2)))
    files = (folder / f"{name}{ending}.tar.gz" for ending in endings)
    return next(file for file in files if not os.path.lexists(file))


def pack(files: list[Part]) -> bytes:
    """Return the bytes of a .tar.gz with these files."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, data in files:
            info = tarfile.TarInfo(f"referee-report/{name}")
            info.size, info.mtime = len(data), int(datetime.now().timestamp())
            archive.addfile(info, io.BytesIO(data))
    return packed.getvalue()


def report_files(options: argparse.Namespace) -> Iterator[Part]:
    """Yield the report's files by name. If a part can't be read, yield the reason instead."""
    path = journal_path(options)
    summary, journal = _journal(path, options.names)
    effective = _text_or_reason("the configuration", lambda: _effective(options))
    report = (
        _text_or_reason("the system", lambda: "\n".join([*_system_lines(), ""])),
        _text_or_reason("the folder", lambda: "\n".join(_folder_lines(path.parent))),
        summary,
        _text_or_reason("the imported games", lambda: _imported_line(path)),
        "",
    )
    texts = [("report.txt", "\n".join(report).encode()), ("effective.toml", effective.encode())]
    if options.config != DEFAULT:
        texts.append(("referee.toml", _bytes(options.config)))
    texts.append((last_faults.FILE, _bytes(path.with_name(last_faults.FILE))))
    texts.append(("log.txt", _text_or_reason("the log", _log).encode()))
    for name, text in texts:
        yield name, text if options.names else HOME_NAME.sub(b"NAME", text)
    yield from journal


def _text_or_reason(part: str, read: Callable[[], str]) -> str:
    """Return a part of the report. A damaged card or system can raise any exception."""
    try:
        return read()
    except Exception as error:
        return f"{part} can't be read ({error_in_one_line(error)})\n"


def _effective(options: argparse.Namespace) -> str:
    try:
        return config_text(load_config(options.config))
    except ConfigError as error:
        return f"# This configuration can't be used:\n{error}\n"


def _log() -> str:
    done = subprocess.run(LOG_COMMAND, capture_output=True, timeout=LOG_TIMEOUT_S, check=False)
    return (done.stdout + done.stderr).decode(errors="replace")  # with journalctl's own errors


def _imported_line(path: Path) -> str:
    return f"{format_count(len(imported_games(path)), 'imported game')}, left out"


def _system_lines() -> Iterator[str]:
    yield f"referee {__version__}"
    yield f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    yield f"{read_system()}, {platform.platform()}"
    yield read_model()
    for name in LIBRARIES:
        with suppress(metadata.PackageNotFoundError):
            yield f"{name} {metadata.version(name)}"


def _folder_lines(folder: Path) -> Iterator[str]:
    """Yield the free space of the journal's disk, and each file of its folder with its size."""
    free = free_bytes(folder)
    space = "free space is not known" if free is None else f"{ENGLISH.say(size_words(free))} free"
    kind = ", in memory: lost when the power goes" if is_in_memory(folder) else ""
    yield f"{folder}: {space}{', nearly full' if is_nearly_full(free) else ''}{kind}"
    try:
        for path in sorted(folder.iterdir()):
            yield f"{path.lstat().st_size:>12} {path.name}"
    except OSError as error:
        yield f"{folder} can't be listed ({error.strerror})"


def _journal(path: Path, names: bool) -> tuple[str, list[Part]]:
    """Return a line about the journal, and its files for the report.

    A damaged journal is included as it is, but only with `names`, because names can't be removed
    from a damaged file.
    """
    try:
        with copy_journal(path) as (copy, contents):
            if not names:
                forget_players(copy)
            games, rows = format_count(contents.games, "game"), format_count(contents.rows, "row")
            return f"{path.name}: {games}, {rows}", [(path.name, copy.read_bytes())]
    except (JournalError, OSError) as error:
        files = [file for file in (path, Path(f"{path}-wal")) if names and file.is_file()]
        left_out = "" if names else " (left out: it may contain names; --names includes it)"
        return f"{error}{left_out}", [(file.name, _bytes(file)) for file in files]


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes() if path.is_file() else f"{path} is not there\n".encode()
    except OSError as error:
        return f"{path} can't be read ({error.strerror})".encode()
