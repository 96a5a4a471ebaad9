"""`referee config`: prints the shipped configuration, which explains each key."""

import argparse

from pi_app import config as configuration


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add nothing: the command has no options."""


def main(options: argparse.Namespace) -> None:
    """Print the shipped configuration."""
    print(configuration.DEFAULT.read_text(encoding="utf-8"), end="")
