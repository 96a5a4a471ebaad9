"""The command line of `referee`, and how its errors are told. Joins nothing, decides nothing."""

from __future__ import annotations

import argparse
import logging
import os
import re
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from errno import ENOSPC
from typing import Any, NoReturn

from pi_app import __version__
from pi_app.commands import (
    LastingError,
    backup,
    chamber,
    check_config,
    config,
    export,
    games,
    import_game,
    report,
    review,
    run,
    safe_to_unplug,
    self_test,
    setup,
    show,
    simulate,
    stats,
)
from pi_app.errors import UserError
from pi_app.logs import goes_to_systemd, log_handler, with_level

WHAT = "A referee for Parcheesi-type boards: throws the dice, knows the rules, never loses a game."


class Parser(argparse.ArgumentParser):
    """argparse's, that asks whether a mistyped option or choice was meant to be another."""

    def error(self, message: str) -> NoReturn:
        """End with the usage, what is wrong, and what may have been meant."""
        super().error(f"{message}{self._hint(message)}")

    def _hint(self, message: str) -> str:
        options = {name for name in self._option_string_actions if name.startswith("--")}
        choices = {str(one) for action in self._actions for one in action.choices or ()}
        said = message.partition("(choose from")[0].partition(": ")[2]
        for word in re.findall(r"[\w-]+", said):
            known = options if word.startswith("-") else choices
            if near := get_close_matches(word, known - {word}, n=1):
                return f"; did you mean {near[0]}?"
        return ""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse; an option that nobody knows is told by the command that it was given to."""
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return options, unknown


def parser() -> Parser:
    """Return the command line's parser."""
    top = Parser("referee", description=WHAT, allow_abbrev=False)
    top.add_argument("--version", action="version", version=f"referee {__version__}")
    top.set_defaults(command=lambda options: top.print_help(), level=logging.WARNING)
    commands = top.add_subparsers(metavar="COMMAND")

    def add(name: str, module: Any, what: str, **others: Any) -> None:
        one = commands.add_parser(name, help=what, allow_abbrev=False, **others)
        one.set_defaults(command=module.main)
        module.add_arguments(one)

    add("run", run, "run the table on a Raspberry Pi")
    add(
        "simulate",
        simulate,
        "play without hardware, on a page in the browser",
        description=simulate.DESCRIPTION,
        epilog=simulate.EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add("chamber", chamber, "send commands to the lit chamber, or test dice")
    add("games", games, "list all stored games")
    add("show", show, "print a game turn by turn, with its rules")
    add("export", export, "write the record of a game, for other programs or another referee")
    add("import", import_game, "store the record of a game from elsewhere")
    add("stats", stats, "show how the dice fell, and what each seat got from them")
    add("review", review, "show luck and skill in a game, and the best plays")
    add("backup", backup, "copy the journal into one file, also while a table is running")
    add("report", report, "pack what a bug report needs into one file")
    add("config", config, "print the shipped configuration, which explains each key")
    add(
        "safe-to-unplug",
        safe_to_unplug,
        "show on the display that the power may go; systemd runs this at its end",
    )
    add("check-config", check_config, "list the mistakes in a configuration")
    add("self-test", self_test, "test every part of the referee, one after the other")
    add(
        "setup", setup, "prepare a new Pi, once, with sudo: the display's bus and the user's groups"
    )
    return top


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; an error is one sentence and exit status 1, or 78 where it would recur."""
    _open_closed_streams()
    try:
        try:
            _run(arguments)
        finally:
            sys.stdout.flush()  # what fails only at Python's own end can't be told any more
    except BrokenPipeError:  # whoever read what is printed has gone
        _print_no_more()
        raise SystemExit(1) from None
    except OSError as error:
        raise SystemExit(_said(_told(error))) from None
    except LastingError as error:
        print(_said(str(error)), file=sys.stderr)
        raise SystemExit(os.EX_CONFIG) from None
    except UserError as error:
        raise SystemExit(_said(str(error))) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def _open_closed_streams() -> None:
    """Turn the streams that were closed before we began to where nothing is, as others expect them.

    Else they are None, and the next file that is opened has the number of one of them.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))


def _run(arguments: Sequence[str] | None) -> None:
    options = parser().parse_args(arguments)
    logging.basicConfig(level=options.level, handlers=[log_handler(sys.stderr, _journal_stream())])
    logging.captureWarnings(True)  # a text that does not fit is told in the log
    options.command(options)


def _journal_stream() -> str | None:
    return os.environ.get("JOURNAL_STREAM")


def _said(error: str) -> str:
    """Return what ends the program as the log would say it."""
    if goes_to_systemd(sys.stderr, _journal_stream()):
        return with_level(logging.ERROR, error)
    return f"referee: {error}"


def _told(error: OSError) -> str:
    if error.filename:
        return f"{error.filename}: {error.strerror}"
    if error.errno == ENOSPC:
        _print_no_more()
        return f"what is printed can't be written ({error.strerror})"
    return str(error)


def _print_no_more() -> None:
    """Lose what is still to be printed: else Python complains of it at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
