"""Makes the manual page and the completion of `referee`. Both contain every option of its parser.

It takes values and returns values; it reads and writes no files.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from datetime import UTC, datetime

NAME = "Pachisi Referee"


def list_commands(
    parser: argparse.ArgumentParser,
) -> dict[str, tuple[str, argparse.ArgumentParser]]:
    """Return the help and the parser of each of a parser's commands, by name."""
    return {
        entry.dest: (entry.help or "", action.choices[entry.dest])
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
        for entry in action._choices_actions
    }


def list_arguments(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return a parser's options and arguments, without its commands and hidden options."""
    return [
        action
        for action in parser._actions
        if not isinstance(action, argparse._SubParsersAction) and action.help != argparse.SUPPRESS
    ]


# The manual page, in the roff of man(7).


def format_manual_page(parser: argparse.ArgumentParser, version: str, unix_time: int) -> str:
    """Return the manual page. unix_time: in seconds."""
    day = datetime.fromtimestamp(unix_time, UTC).strftime("%Y-%m-%d")
    lines = [
        f'.TH REFEREE 1 "{day}" "{NAME} {version}" "User Commands"',
        ".SH NAME",
        "referee \\- referee for Parcheesi\\-type boards",
        ".SH SYNOPSIS",
        ".B referee",
        ".I COMMAND",
        "[options]",
        ".SH DESCRIPTION",
        _escape_roff(parser.description or ""),
        ".SH OPTIONS",
        *_format_options(parser),
        ".SH COMMANDS",
    ]
    for name, (help_text, command_parser) in list_commands(parser).items():
        lines += [
            f".SS referee {_escape_roff(name)}",
            f"{_escape_roff(help_text)}.",
            *_format_options(command_parser),
        ]
    return "\n".join([*lines, *FILES, ""])


FILES = r""".SH FILES
.TP
.I /etc/pachisi\-referee/referee.toml
The configuration of this referee. Keys that are not in this file have their shipped values.
.TP
.I /var/lib/pachisi\-referee/journal.db
The journal: every confirmed action of every game. It stays if you remove or purge the package.
.TP
.I /var/lib/pachisi\-referee/imported
Imported games, one record in each file.
.B referee run
never writes here.
.TP
.I /var/lib/pachisi\-referee/journal.summaries
What lists show of old games. You may delete it: the games are then read again.
.SH EXIT STATUS
.TP
0
Success.
.TP
1
Failure. One sentence explains what was wrong and what to do.
.TP
2
A wrong option or command.
.TP
75
.B referee self\-test
did not test anything, because the referee is running. Use the self test in its menu.
.TP
78
.B referee run
can't start until somebody repairs the cause, for example a mistake in the configuration.
.TP
130
Interrupted by Ctrl\-C.""".splitlines()


def _format_options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in list_arguments(parser):
        yield ".TP"
        yield _escape_roff(_format_usage(action))
        yield _escape_roff((action.help or "").replace("%%", "%")) or "\\&"


def _format_usage(action: argparse.Action) -> str:
    """Return an option as it is written on the command line: `--config FILE`."""
    value = action.metavar or (action.dest.upper() if action.nargs != 0 else "")
    return " ".join([", ".join(action.option_strings), str(value)]).strip()


def _escape_roff(text: str) -> str:
    r"""Escape a text for roff: `\` and `-` print as they are. A line can't begin with a command."""
    safe = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", safe, flags=re.MULTILINE)


# The completion, for bash.


def format_completion(parser: argparse.ArgumentParser) -> str:
    """Return a bash script that completes commands, their options, and the choices of an option."""
    commands = list_commands(parser)
    options = "".join(
        f"        {name}) words='{' '.join(_option_names(command_parser))}' ;;\n"
        for name, (_, command_parser) in commands.items()
    )
    return COMPLETION.format(
        first=" ".join([*commands, *_option_names(parser)]),
        options=options,
        choices=_format_choices(commands),
    )


COMPLETION = """\
# bash completion of referee, made from its parser
_referee() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} words=
    case ${{COMP_WORDS[1]}} in
{options}    esac
    if ((COMP_CWORD == 1)); then
        words='{first}'
    fi
    case "${{COMP_WORDS[1]}} ${{COMP_WORDS[COMP_CWORD - 1]}}" in
{choices}        *) [[ $word == -* || $COMP_CWORD -eq 1 ]] || words= ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}}
complete -o bashdefault -o default -F _referee referee
"""


def _option_names(parser: argparse.ArgumentParser) -> list[str]:
    return [name for action in list_arguments(parser) for name in action.option_strings]


def _format_choices(commands: dict[str, tuple[str, argparse.ArgumentParser]]) -> str:
    """Return a line of `case` for each option with choices: the words that may follow it."""
    lines = [
        f"        '{name} {option}') words='{' '.join(map(str, action.choices))}' ;;\n"
        for name, (_, parser) in commands.items()
        for action in list_arguments(parser)
        for option in action.option_strings
        if action.choices
    ]
    return "".join(lines)
