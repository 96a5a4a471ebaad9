"""`referee check-config`: lists all mistakes in a configuration file."""

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
        help=f"the configuration to check; default: {CONFIG_DEFAULT}",
    )


def main(options: argparse.Namespace) -> None:
    """Print every mistake, and end with exit status 1 if there is one."""
    try:
        voice = configuration.load_config(options.file).voice
    except configuration.ConfigError as error:
        print(*error.sentences, sep="\n")
        raise SystemExit(1) from None
    if voice and not shutil.which(voice):
        print(
            f"voice.program: {voice!r} is not installed. Run `sudo apt-get install espeak-ng`, "
            'or write the program\'s path, or "" for no voice'
        )
        raise SystemExit(1)
    print(f"{options.file} has no mistakes")
