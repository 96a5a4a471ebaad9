"""`referee check-config`: lists all mistakes in a configuration file."""

import argparse
import shutil

from pi_app.commands import add_file
from pi_app.config.keys import CHANGES
from pi_app.config.reading import default_file, load_config
from pi_app.config.toml import ConfigError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    text = (
        f"the configuration to check; default: {CHANGES} if that file exists, "
        "otherwise the shipped configuration"
    )
    add_file(parser, "file", text, "?", default=default_file())


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
