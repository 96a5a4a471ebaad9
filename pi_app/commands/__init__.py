"""A module for each command of `referee`: its options, and what it does with them."""

import argparse
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

from pi_app.config import (
    CHANGES,
    DEFAULT,
    ConfigError,
    default_file,
    load_config,
    load_displays,
    load_journal,
)
from pi_app.devices.buttons import PinsError, pin_factory
from pi_app.devices.oled import open_device
from pi_app.errors import UserError
from pi_app.outputs.outputs import show_and_leave
from pi_app.record import files
from pi_app.record.journal import FILE
from pi_app.screens.screen import Screen

CONFIG_DEFAULT = f"{CHANGES} if it is there, else the one that was shipped"


class UsageError(UserError):
    """Options that don't go together, or what they name is not there or can't be read."""


class LastingError(UserError):
    """What another start can't mend, so that none is tried: ends with EX_CONFIG of sysexits(3)."""


def add_config(parser: argparse.ArgumentParser, installed: bool = False) -> None:
    """Add the option that names a configuration. installed: without it, this machine's is used."""
    changed = f", with the changes of {CHANGES} where that is there" if installed else ""
    parser.add_argument(
        "--config",
        type=Path,
        default=default_file() if installed else DEFAULT,
        metavar="FILE",
        help=f"a whole configuration of your own, by default the one that was shipped{changed}; "
        "check it by `referee check-config FILE`",
    )


def add_journal(parser: argparse.ArgumentParser) -> None:
    """Add the options that name a journal."""
    add_config(parser, installed=True)
    parser.add_argument(
        "--folder", type=Path, help="where the journal is, by default as the configuration says"
    )


def add_game(parser: argparse.ArgumentParser) -> None:
    """Add what names a game."""
    parser.add_argument("game", metavar="N", help="the game's number in `referee games`")


def align_columns(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Return lines of cells, two spaces between columns. right: the columns of numbers."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if n in right else cell.ljust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def journal_path(options: argparse.Namespace) -> Path:
    """Return the journal that these options name."""
    return Path(options.folder or journal_folder(options.config), FILE)


def journal_folder(config: Path) -> Path:
    """Return where the journal is; a configuration that can't be used hides no games."""
    try:
        return load_config(config).journal
    except ConfigError:
        folder = load_journal(config)
        print(
            f"referee: {config} can't be used (check it by `referee check-config {config}`): "
            f"the journal is taken from {folder}",
            file=sys.stderr,
        )
        return folder


def write_new(path: Path, data: bytes) -> None:
    """Write a file that is not there yet; once this returns, it outlives a power cut."""
    try:
        files.write_new(path, data)
    except FileExistsError:
        raise UsageError(f"{path} is there already: name another file") from None
    except OSError as error:
        raise UsageError(f"{path} can't be written ({error.strerror}): name another file") from None


def leave_on_displays(screen: Screen, config: Path) -> str | None:
    """Put a screen for good on the panels of a configuration that may be wrong.

    Return why that could not be done, None if one has it. Only SPI panels need pins.
    """
    displays, factory = load_displays(config)
    try:
        spi = any(display.bus == "spi" for display in displays)
        pins = pin_factory(factory) if spi else None
        return show_and_leave(screen, [open_device(display, pins) for display in displays])
    except PinsError as error:
        return str(error)


def count_of(count: int, one: str, more: str = "") -> str:
    """Return how many: `1 turn`, `2 turns`. more: what several are called, if not by an s."""
    return f"{count} {one if count == 1 else more or f'{one}s'}"
