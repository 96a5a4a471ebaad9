"""The commands of `referee`, a module each, and what several of them share."""

import argparse
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from pi_app.config.keys import CHANGES
from pi_app.config.reading import default_file, load_config, load_sound_part
from pi_app.config.toml import ConfigError
from pi_app.model.errors import UserError
from pi_app.record import files
from pi_app.record.journal import FILE
from pi_app.record.schema import kept_settings
from pi_app.settings.settings import LANGUAGE, Settings
from pi_app.texts.language import Language, find_language


class UsageError(UserError):
    """Options don't go together, or an option names a file that is missing or can't be read."""


class LastingError(UserError):
    """An error that only a person can mend. The exit status is EX_CONFIG of sysexits(3)."""


def add_flag(options: argparse._ActionsContainer, name: str, text: str) -> None:
    """Add an option that is given or not. text: its help."""
    options.add_argument(name, action="store_true", help=text)


def add_file(
    options: argparse._ActionsContainer, name: str, text: str, nargs: str | None = None, **more: Any
) -> None:
    """Add an argument that is the path of a file. text: its help."""
    options.add_argument(name, type=Path, metavar="FILE", help=text, nargs=nargs, **more)


def add_config(parser: argparse.ArgumentParser) -> None:
    """Add the option for a configuration, by default this computer's."""
    text = (
        "a complete configuration of your own; default: the shipped configuration, changed by "
        f"{CHANGES} if that file exists. Check it with `referee check-config FILE`"
    )
    add_file(parser, "--config", text, default=default_file())


def add_journal(parser: argparse.ArgumentParser) -> None:
    add_config(parser)
    parser.add_argument(
        "--folder", type=Path, help="the journal's folder; default: the folder in the configuration"
    )


def add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="N", help="the game's number in `referee games`")


def add_json(options: argparse._ActionsContainer) -> None:
    """Add the option that prints one JSON document; pi_app/README.md lists its fields."""
    add_flag(options, "--json", "print one JSON document instead")


def align_columns(rows: Sequence[Sequence[str]], right_aligned: Collection[int] = ()) -> list[str]:
    """Return a table's lines, with two spaces between columns.

    right_aligned: the numbers of these columns, from 0.
    """
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if column in right_aligned else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def journal_path(options: argparse.Namespace) -> Path:
    return Path(options.folder or journal_folder(options.config), FILE)


def journal_folder(config: Path) -> Path:
    """Return the journal's folder, even if the rest of the configuration can't be used."""
    try:
        return load_config(config).journal
    except ConfigError:
        folder = load_sound_part(config).journal
        print(
            f"referee: {config} can't be used (check it with `referee check-config {config}`): "
            f"reading the journal from {folder}",
            file=sys.stderr,
        )
        return folder


def write_new(path: Path, data: bytes) -> None:
    """Write a new file. When this function has returned, the file survives a power cut.

    Raises UsageError if the file exists already or can't be written.
    """
    try:
        files.write_new(path, data)
    except FileExistsError:
        raise UsageError(f"{path} exists already: name another file") from None
    except OSError as error:
        raise UsageError(f"{path} can't be written ({error.strerror}): name another file") from None


def table_language(config: Path) -> Language:
    """Return the language of the table: that which players chose last, else the configuration's."""
    sound = load_sound_part(config)
    settings = Settings(kept_settings(sound.journal / FILE), sound.settings)
    return find_language(settings.get(LANGUAGE))


def format_count(count: int, singular: str, plural: str = "") -> str:
    """Return a count with its noun: `1 turn`, `2 turns`. plural: default: `singular` and an s."""
    return f"{count} {singular if count == 1 else plural or f'{singular}s'}"
