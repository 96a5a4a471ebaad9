"""The command line of `referee`, and how its errors are told. Joins nothing, decides nothing."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from typing import Any

from pi_app.commands import UsageError, chamber, check_config, run, simulate
from pi_app.config import ConfigError
from pi_app.devices.buttons import PinsError
from pi_app.record.trouble import JournalError
from pi_app.simulate.player import PlayerError
from pi_app.simulate.script import ScriptError
from pi_app.web.port import PortError

WHAT = "A referee for Parcheesi-type boards: throws the dice, knows the rules, never loses a game."

ERRORS = (
    ConfigError,
    JournalError,
    PinsError,
    PortError,
    ScriptError,
    PlayerError,
    UsageError,
)


def parser() -> argparse.ArgumentParser:
    """Return the command line's parser."""
    top = argparse.ArgumentParser("referee", description=WHAT, allow_abbrev=False)
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, module: Any, what: str, **others: Any) -> None:
        one = commands.add_parser(name, help=what, allow_abbrev=False, **others)
        one.set_defaults(command=module.main)
        module.add_arguments(one)

    add("run", run, "referee on a Raspberry Pi")
    add(
        "simulate",
        simulate,
        "play without hardware, on a page in the browser",
        description=simulate.DESCRIPTION,
        epilog=simulate.EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add("chamber", chamber, "talk to the lit chamber by hand, test dice")
    add("check-config", check_config, "say what is wrong with a configuration")
    return top


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; an error is one sentence and exit status 1."""
    options = parser().parse_args(arguments)
    logging.basicConfig(format="referee: %(message)s")
    try:
        options.command(options)
    except BrokenPipeError:  # whoever read what is printed has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None
    except OSError as error:
        what = f"{error.filename}: {error.strerror}" if error.filename else error
        raise SystemExit(f"referee: {what}") from None
    except ERRORS as error:
        raise SystemExit(f"referee: {error}") from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
