"""`referee config`: print the configuration as it was shipped, with what each key means."""

from __future__ import annotations

import argparse

from pi_app import config as configuration


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add no option."""


def main(options: argparse.Namespace) -> None:
    """Print the shipped configuration."""
    print(configuration.DEFAULT.read_text(encoding="utf-8"), end="")
