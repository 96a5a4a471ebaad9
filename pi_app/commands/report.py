"""`referee report`: all that a bug report needs, in one file. Players' names only if asked for."""

from __future__ import annotations

import argparse
import io
import os
import platform
import sqlite3
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from importlib import metadata
from itertools import chain, count
from pathlib import Path

from pi_app import __version__
from pi_app import config as configuration
from pi_app.commands import add_journal, count_of, journal_path, write_new
from pi_app.config import ConfigError
from pi_app.record.copying import copy_journal, forget_players
from pi_app.record.imported import imported_games
from pi_app.record.space import free_bytes, is_nearly_full
from pi_app.record.trouble import JournalError
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
MODEL = Path("/proc/device-tree/model")
LOG_COMMAND = ("journalctl", "--unit", "referee", "--no-pager", "--lines", "5000")
LOG_TIMEOUT_S = 60.0  # a Pi Zero with a slow card needs some seconds

Part = tuple[str, bytes]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "file",
        type=Path,
        nargs="?",
        metavar="FILE",
        help="the report, a .tar.gz which is not there yet; "
        "by default in this folder, named by version and time",
    )
    parser.add_argument("--names", action="store_true", help="leave the players' names in it")
    add_journal(parser)


def main(options: argparse.Namespace) -> None:
    """Write the report, and say whether names are in it."""
    file = options.file or unused_name(Path(), datetime.now())
    write_new(file, pack(list(report_files(options))))
    names = "players' names are in it" if options.names else "players' names are left out"
    print(f"{file} is the report: add it to what you tell of the fault; {names}")


def unused_name(folder: Path, at: datetime) -> Path:
    """Return a name for a report, by version and time, that nothing in this folder has."""
    name = f"referee-report-{__version__}-{at:%Y-%m-%d-%H%M%S}"
    endings = chain([""], (f"-{n}" for n in count(2)))
    files = (folder / f"{name}{ending}.tar.gz" for ending in endings)
    return next(file for file in files if not os.path.lexists(file))


def pack(files: list[Part]) -> bytes:
    """Return some files as a .tar.gz."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w:gz") as archive:
        for name, data in files:
            info = tarfile.TarInfo(f"referee-report/{name}")
            info.size, info.mtime = len(data), int(datetime.now().timestamp())
            archive.addfile(info, io.BytesIO(data))
    return whole.getvalue()


def report_files(options: argparse.Namespace) -> Iterator[Part]:
    """Yield the report's files; what can't be had is said in the place where it would be."""
    path = journal_path(options)
    held, journal = _journal(path, options.names)
    others = f"{count_of(len(imported_games(path)), 'imported game')}, left out"
    said = [*_system(), "", *_folder(path.parent), held, others, ""]
    yield "report.txt", "\n".join(said).encode()
    yield "effective.toml", _effective(options.config).encode()
    if options.config != configuration.DEFAULT:
        yield "referee.toml", _bytes(options.config)
    yield "log.txt", _log()
    yield from journal


def _system() -> Iterator[str]:
    yield f"referee {__version__}"
    yield f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    yield f"{_pretty_name()}, {platform.platform()}"
    yield _bytes(MODEL).rstrip(b"\0").decode(errors="replace")
    for name in LIBRARIES:
        with suppress(metadata.PackageNotFoundError):
            yield f"{name} {metadata.version(name)}"


def _pretty_name() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        return "a system without a name"


def _folder(folder: Path) -> Iterator[str]:
    """Yield how much is free on the journal's disk, and each file of its folder with its size."""
    room = free_bytes(folder)
    told = "free space is not known" if room is None else f"{ENGLISH.say(size_words(room))} free"
    yield f"{folder}: {told}{', nearly full' if is_nearly_full(room) else ''}"
    try:
        for path in sorted(folder.iterdir()):
            yield f"{path.lstat().st_size:>12} {path.name}"
    except OSError as error:
        yield f"{folder} can't be listed ({error.strerror})"


def _journal(path: Path, names: bool) -> tuple[str, list[Part]]:
    """Return what there is to say of the journal, and its copy.

    One that is damaged goes in as it is, but only with names: they can't be taken out of it.
    """
    try:
        with copy_journal(path) as (copy, held):
            if not names:
                forget_players(copy)
            said = f"{path.name}: {count_of(held.games, 'game')}, {count_of(held.rows, 'row')}"
            return said, [(path.name, copy.read_bytes())]
    except JournalError as error:
        lying = [one for one in (path, Path(f"{path}-wal")) if names and one.exists()]
        left_out = "" if names else " (left out: names could be in it, which --names allows)"
        return f"{error}{left_out}", [(one.name, _bytes(one)) for one in lying]


def _effective(config: Path) -> str:
    try:
        return configuration.config_text(configuration.load_config(config))
    except ConfigError as error:
        return f"# This configuration can't be used:\n{error}\n"


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        return f"{path} can't be read ({error.strerror})".encode()


def _log() -> bytes:
    """Return the service's log, with what journalctl complains of."""
    try:
        done = subprocess.run(LOG_COMMAND, capture_output=True, timeout=LOG_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"the log can't be read ({error})\n".encode()
    return done.stdout + done.stderr
