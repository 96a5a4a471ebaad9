"""Makes the manual page and the completion of `referee` from its parser, so both have every option.

It neither reads nor writes files.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from datetime import UTC, datetime

NAME = "Pachisi Referee"


def commands(parser: argparse.ArgumentParser) -> dict[str, tuple[str, argparse.ArgumentParser]]:
    """Return the help and the parser of each command, by the command's name."""
    return {
        command.dest: (command.help or "", action.choices[command.dest])
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
        for command in action._choices_actions
    }


def arguments(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return a parser's options and arguments, without its commands and its hidden options."""
    return [
        action
        for action in parser._actions
        if not isinstance(action, argparse._SubParsersAction) and action.help != argparse.SUPPRESS
    ]


# The manual page, in the roff of man(7).


def manual_page(parser: argparse.ArgumentParser, version: str, unix_time: int) -> str:
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
        *_list_options(parser),
        ".SH COMMANDS",
    ]
    for name, (text, command_parser) in commands(parser).items():
        lines += [
            f".SS referee {_escape_roff(name)}",
            f"{_escape_roff(text)}.",
            *_list_options(command_parser),
        ]
    return "\n".join([*lines, *FILES, ""])


FILES = r""".SH FILES
.TP
.I /etc/pachisi\-referee/referee.toml
The configuration of this table. A key that it leaves out has its shipped value.
.TP
.I /var/lib/pachisi\-referee/journal.db
The journal: every confirmed action of every game. Removing or purging the package keeps it.
.TP
.I /var/lib/pachisi\-referee/imported
Imported games, one record in each file. The table itself never writes here.
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
tested nothing because the table is running. Use the self test in its menu.
.TP
78
.B referee run
can't start, and another start would fail in the same way, for example after a mistake in the
configuration.
.TP
130
Interrupted by Ctrl\-C.""".splitlines()


def _list_options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for argument in arguments(parser):
        yield ".TP"
        yield _escape_roff(_usage(argument))
        yield _escape_roff((argument.help or "").replace("%%", "%")) or "\\&"


def _usage(argument: argparse.Action) -> str:
    """Return how an option is written: `--config FILE`."""
    value = argument.metavar or (argument.dest.upper() if argument.nargs != 0 else "")
    return " ".join([", ".join(argument.option_strings), str(value)]).strip()


def _escape_roff(text: str) -> str:
    r"""Escape a text for roff: `\` and `-` print as they are, and no line begins with a request."""
    safe = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", safe, flags=re.MULTILINE)


# The completion, for bash.


def completion(parser: argparse.ArgumentParser) -> str:
    """Return a bash script that completes commands, their options, and the choices of an option."""
    parsers = {name: command_parser for name, (_, command_parser) in commands(parser).items()}
    cases = "".join(
        f"        {name}) words={' '.join(_options(command_parser))!r} ;;\n"
        for name, command_parser in parsers.items()
    )
    return COMPLETION.format(
        first=" ".join([*parsers, *_options(parser)]), cases=cases, choices=_choice_cases(parsers)
    )


COMPLETION = """\
# bash completion of referee, made from its parser
_referee() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} words=
    case ${{COMP_WORDS[1]}} in
{cases}    esac
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


def _options(parser: argparse.ArgumentParser) -> list[str]:
    return [name for argument in arguments(parser) for name in argument.option_strings]


def _choice_cases(parsers: dict[str, argparse.ArgumentParser]) -> str:
    """Return a line of `case` with the choices of each option that has some."""
    lines = [
        f"        '{name} {option}') words='{' '.join(map(str, argument.choices))}' ;;\n"
        for name, parser in parsers.items()
        for argument in arguments(parser)
        for option in argument.option_strings
        if argument.choices
    ]
    return "".join(lines)
