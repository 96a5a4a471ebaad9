"""The command line of `referee`, and its error messages. It only calls the commands."""

import argparse
import logging
import os
import re
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from errno import ENOSPC
from importlib import import_module
from typing import Any, NoReturn

from pi_app import __version__
from pi_app.commands import LastingError
from pi_app.model.errors import UserError
from pi_app.system.logs import add_level_prefix, is_systemd_stream, log_handler

DESCRIPTION = (
    "A referee for Parcheesi-type boards: throws the dice, knows the rules, keeps every game."
)


# Each command with its module and its help, in the order in which people need them. Nobody types
# the last ones.
COMMANDS = {
    "run": ("run", "run the referee on a Raspberry Pi"),
    "simulate": ("simulate", "play without hardware, on a page in the browser"),
    "games": ("games", "list all games, also while the referee runs"),
    "show": ("show", "print a game turn by turn, and its rules"),
    "rules": ("rules", "print house rules from their line, as a card and for a configuration"),
    "review": ("review", "measure luck and skill in a game; show the best plays"),
    "stats": ("stats", "count the numbers thrown, and what each seat got from them"),
    "export": ("export", "write the record of a game, for a program or another referee"),
    "import": ("import_game", "import the record of a game from elsewhere"),
    "backup": ("backup", "copy the journal into one file, also while the referee runs"),
    "restore": ("restore", "put a backup into a referee without games, while it does not run"),
    "setup": (
        "setup",
        "prepare a new Pi (run once with sudo): turn on the display's bus, add you to groups",
    ),
    "self-test": ("self_test", "test every part of the referee, one after another"),
    "proof": ("proof", "try a real referee step by step; write a file without names for us"),
    "config": ("config", "print the shipped configuration with an explanation of each key"),
    "check-config": ("check_config", "list the mistakes in a configuration"),
    "chamber": ("chamber", "test a lit chamber at any computer, or test dice"),
    "club": ("club", "collect the games of many tables from an MQTT broker into one file"),
    "report": ("report", "write a file to attach to a bug report"),
    "mqtt": ("mqtt", "tell an MQTT broker, such as Home Assistant's, what the table does"),
    "announce": ("announce", "for a card: show on the display how the installation goes"),
    "stick": ("stick", "for systemd: copy a backup onto the USB stick that is plugged in"),
    "safe-to-unplug": ("safe_to_unplug", "for systemd: show that it is safe to unplug"),
}


class Parser(argparse.ArgumentParser):
    """An argument parser that suggests the right word for a mistyped option or choice."""

    def error(self, message: str) -> NoReturn:
        """End with the usage, the mistake, and the word that was probably meant."""
        options = {name for name in self._option_string_actions if name.startswith("--")}
        choices = {str(choice) for action in self._actions for choice in action.choices or ()}
        mistake = message.partition("(choose from")[0].partition(": ")[2]
        for word in re.findall(r"[\w-]+", mistake):
            known = options if word.startswith("-") else choices
            if near := get_close_matches(word, known - {word}, n=1):
                super().error(f"{message}; did you mean {near[0]}?")
        super().error(message)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the arguments. A command's own parser reports an unknown option, with its usage."""
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return options, unknown


def make_parser(command: str | None = None) -> Parser:
    """Return the parser of the command line.

    command: the only one whose arguments it knows, and whose module is loaded; None for all.
    """
    top = Parser("referee", description=DESCRIPTION, allow_abbrev=False)
    top.add_argument("--version", action="version", version=f"referee {__version__}")
    top.set_defaults(command=lambda options: top.print_help(), level=logging.WARNING)
    parsers = top.add_subparsers(metavar="COMMAND")
    for name, (module_name, help_text) in COMMANDS.items():
        parser = parsers.add_parser(name, help=help_text, allow_abbrev=False)
        if command in (None, name):
            module = import_module(f"pi_app.commands.{module_name}")
            parser.set_defaults(command=module.main)
            module.add_arguments(parser)
    return top


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command. After an error, print one sentence and end with exit status 1.

    The exit status is 78 if a restart can't help. After Ctrl-C it is 130, without a sentence.
    """
    _open_closed_streams()
    try:
        try:
            words = sys.argv[1:] if arguments is None else list(arguments)
            options = make_parser(words[0] if words else "").parse_args(words)
            handler = log_handler(sys.stderr, os.environ.get("JOURNAL_STREAM"))
            logging.basicConfig(level=options.level, handlers=[handler])
            logging.captureWarnings(True)  # Pillow warns about a text that does not fit
            options.command(options)
        finally:
            sys.stdout.flush()  # an error while Python ends could not be reported any more
    except BrokenPipeError:  # the reader of the output has gone
        _discard_output()
        raise SystemExit(1) from None
    except OSError as error:
        text = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        if error.errno == ENOSPC and not error.filename:
            _discard_output()
            text = f"can't write the output ({error.strerror})"
        raise SystemExit(_final_line(text)) from None
    except LastingError as error:
        print(_final_line(str(error)), file=sys.stderr)
        raise SystemExit(os.EX_CONFIG) from None
    except UserError as error:
        raise SystemExit(_final_line(str(error))) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def _open_closed_streams() -> None:
    """Open /dev/null for each standard stream that the caller has closed.

    Otherwise the stream is None, and the next file that is opened gets its file descriptor.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))


def _final_line(error: str) -> str:
    """Return the last message of the program, in the form of the log."""
    if is_systemd_stream(sys.stderr, os.environ.get("JOURNAL_STREAM")):
        return add_level_prefix(logging.ERROR, error)
    return f"referee: {error}"


def _discard_output() -> None:
    """Discard the output that is still buffered. Otherwise Python complains when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
