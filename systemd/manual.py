"""Makes the manual page and bash's completion of `referee` from its parser."""

import argparse
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import shtab
from argparse_manpage.manpage import Manpage

SECTIONS = Path(__file__).parent / "debian" / "manual-sections"
ONE_LINE = partial(argparse.HelpFormatter, width=10_000)  # `man` breaks the lines


def format_manual_page(parser: argparse.ArgumentParser, version: str, unix_time: int) -> str:
    """Return the manual page. It changes the parser's layout. unix_time: in seconds."""
    for one in (parser, *list_commands(parser).values()):
        one.formatter_class = ONE_LINE
    parser._positionals.title = "commands"
    data = {
        "project_name": "Pachisi Referee",
        "version": version,
        "date": datetime.fromtimestamp(unix_time, UTC).strftime("%Y-%m-%d"),
        "manual_title": "User Commands",
        "description": "referee for Parcheesi-type boards",
        "include": str(SECTIONS),
    }
    return str(Manpage(parser, data, format="single-commands-section"))


def list_commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parser of each of a parser's commands, by name."""
    [commands] = [one for one in parser._actions if isinstance(one, argparse._SubParsersAction)]
    return dict(commands.choices)


def format_completion(parser: argparse.ArgumentParser) -> str:
    """Return a script for bash. Where it knows no words, bash completes names of files."""
    script = shtab.complete(parser, "bash")
    return f"{script}\ncomplete -o bashdefault -o default -F _shtab_referee referee\n"
