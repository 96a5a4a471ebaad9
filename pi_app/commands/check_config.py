"""`referee check-config`: say everything that is wrong with a configuration file."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from pi_app import config as configuration
from pi_app.commands import CONFIG_DEFAULT


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "file",
        type=Path,
        nargs="?",
        default=configuration.default_file(),
        metavar="FILE",
        help=f"the configuration to check, by default {CONFIG_DEFAULT}",
    )


def main(options: argparse.Namespace) -> None:
    """Say everything that is wrong with a configuration file."""
    wrong = configuration.check(options.file)
    if not wrong:
        wrong = _not_installed(configuration.load_config(options.file).voice)
    for sentence in wrong:
        print(sentence)
    if wrong:
        raise SystemExit(1)
    print(f"{options.file} can be used")


def _not_installed(program: str) -> list[str]:
    """Return that the program of the voice is not on this machine, nothing where it is."""
    if not program or shutil.which(program):
        return []
    return [
        f"voice.program: {program!r} is not installed: sudo apt-get install espeak-ng, or write "
        'its path, or "" for no voice'
    ]
