"""A module for each command of `referee`: its options, and what it does with them."""

import argparse
from pathlib import Path

from pi_app.config import DEFAULT


class UsageError(Exception):
    """Options that don't go together, or what they name is not there or can't be read."""


def add_config(parser: argparse.ArgumentParser, default: Path = DEFAULT) -> None:
    """Add the option that names a configuration; `default` is the one without it."""
    parser.add_argument(
        "--config",
        type=Path,
        default=default,
        metavar="FILE",
        help=f"your own whole configuration, by default {default}; "
        "check it by `referee check-config FILE`",
    )
