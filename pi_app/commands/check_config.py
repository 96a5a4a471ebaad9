"""`referee check-config`: say everything that is wrong with a configuration file."""

from __future__ import annotations

import argparse
from pathlib import Path

from pi_app import config as configuration
from pi_app.commands import IN_FORCE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "file",
        type=Path,
        nargs="?",
        default=configuration.in_force(),
        metavar="FILE",
        help=f"the configuration to check, by default {IN_FORCE}",
    )


def main(options: argparse.Namespace) -> None:
    """Say everything that is wrong with a configuration file."""
    wrong = configuration.check(options.file)
    for sentence in wrong:
        print(sentence)
    if wrong:
        raise SystemExit(1)
    print(f"{options.file} can be used")
