"""`referee check-config`: lists all mistakes in a configuration file."""

import argparse
import shutil
from pathlib import Path

from pi_app.commands import CONFIG_DEFAULT
from pi_app.config.reading import default_file, load_config
from pi_app.config.toml import ConfigError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "file",
        type=Path,
        nargs="?",
        default=default_file(),
        metavar="FILE",
        help=f"the configuration to check; default: {CONFIG_DEFAULT}",
    )


def main(options: argparse.Namespace) -> None:
    """Print every mistake, and end with exit status 1 if there is one."""
    try:
        voice = load_config(options.file).voice
    except ConfigError as error:
        print(*error.sentences, sep="\n")
        raise SystemExit(1) from None
    if voice and not shutil.which(voice):
        print(
            f"voice.program: {voice!r} is not installed. Run `sudo apt-get install espeak-ng`, "
            'or write the program\'s path, or "" for no voice'
        )
        raise SystemExit(1)
    print(f"{options.file} has no mistakes")
