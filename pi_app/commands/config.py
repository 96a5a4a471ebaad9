"""`referee config`: prints the shipped configuration, or takes values into this machine's."""

import argparse
from pathlib import Path

from pi_app.commands import add_file
from pi_app.commands.rules import read_house
from pi_app.config.keys import CHANGES, DEFAULT
from pi_app.config.reading import take_values
from pi_app.config.toml import read_text
from pi_app.config.writing import house_text
from pi_app.record.files import write_whole


def add_arguments(parser: argparse.ArgumentParser) -> None:
    taking = parser.add_mutually_exclusive_group()
    text = (
        f"write the values of FILE into {CHANGES}; if that file changes, it keeps "
        "its other values but not its own comments, and a copy ends in .before"
    )
    add_file(taking, "--take", text)
    taking.add_argument(
        "--house",
        nargs=2,
        metavar=("NAME", "LINE"),
        help="do the same with house rules from their line; `referee rules LINE` explains them",
    )


def main(options: argparse.Namespace, changes: Path = CHANGES) -> None:
    """Print the shipped configuration, or take the values of a file and print nothing."""
    if not options.take and not options.house:
        print(DEFAULT.read_text(encoding="utf-8"), end="")
        return
    if options.house:
        name, line = options.house
        source = house_text(name, read_house(line).changes)
    else:
        source = read_text(options.take)
    new = take_values(changes, source).encode()
    old = changes.read_bytes() if changes.exists() else b""
    if new != old:
        write_whole(changes.with_name(f"{changes.name}.before"), old)
        write_whole(changes, new)
