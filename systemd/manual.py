"""The manual page and the completion of `referee`, from its parser, so that neither forgets one.

Values in, values out.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from datetime import UTC, datetime

NAME = "Pachisi Referee"


def commands(parser: argparse.ArgumentParser) -> dict[str, tuple[str, argparse.ArgumentParser]]:
    """Return a parser's commands by name: what each is for, and its own parser."""
    return {
        said.dest: (said.help or "", action.choices[said.dest])
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
        for said in action._choices_actions
    }


def arguments(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return a parser's options and arguments, without its commands and what help hides."""
    return [
        one
        for one in parser._actions
        if not isinstance(one, argparse._SubParsersAction) and one.help != argparse.SUPPRESS
    ]


# The manual page, roff as man(7) has it.


def page(parser: argparse.ArgumentParser, version: str, at: int) -> str:
    """Return the manual page. at: seconds of Unix time."""
    day = datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d")
    lines = [
        f'.TH REFEREE 1 "{day}" "{NAME} {version}" "User Commands"',
        ".SH NAME",
        "referee \\- referee for Parcheesi\\-type boards",
        ".SH SYNOPSIS",
        ".B referee",
        ".I COMMAND",
        "[options]",
        ".SH DESCRIPTION",
        _roff(parser.description or ""),
        ".SH OPTIONS",
        *_listed(parser),
        ".SH COMMANDS",
    ]
    for name, (what, one) in commands(parser).items():
        lines += [f".SS referee {_roff(name)}", f"{_roff(what)}.", *_listed(one)]
    return "\n".join([*lines, *FILES, ""])


FILES = r""".SH FILES
.TP
.I /etc/pachisi\-referee/referee.toml
The configuration of this table; a key that it leaves out has the shipped value.
.TP
.I /var/lib/pachisi\-referee/journal.db
The journal: every confirmed action of every game. Removing or purging the package leaves it there.
.TP
.I /var/lib/pachisi\-referee/imported
Games that were imported, a record each; the table never writes there.
.SH EXIT STATUS
.TP
0
It was done.
.TP
1
It was not; one sentence says what was wrong and what to do.
.TP
2
An option or a command is written wrongly.
.TP
75
.B referee self\-test
tried nothing, since the table is running: there it is in the menu.
.TP
78
.B referee run
can't begin, and another start would end alike, as with a mistake in the configuration.
.TP
130
Ctrl\-C ended it.""".splitlines()


def _listed(parser: argparse.ArgumentParser) -> Iterator[str]:
    for one in arguments(parser):
        yield ".TP"
        yield _roff(_written(one))
        yield _roff((one.help or "").replace("%%", "%")) or "\\&"


def _written(one: argparse.Action) -> str:
    """How an option is written: `--config FILE`."""
    value = one.metavar or (one.dest.upper() if one.nargs != 0 else "")
    return " ".join([", ".join(one.option_strings), str(value)]).strip()


def _roff(text: str) -> str:
    r"""As roff takes it: `\` and `-` stand for themselves, and no line begins with a request."""
    safe = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", safe, flags=re.MULTILINE)


# The completion, for bash.


def completion(parser: argparse.ArgumentParser) -> str:
    """Return the functions by which bash completes commands, their options, and named choices."""
    known = commands(parser)
    each = "".join(
        f"        {name}) words={_words(one)!r} ;;\n" for name, (_, one) in known.items()
    )
    return COMPLETION.format(
        first=" ".join([*known, *_options(parser)]), each=each, choices=_choices(known)
    )


COMPLETION = """\
# bash completion of referee, made from its parser
_referee() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} words=
    case ${{COMP_WORDS[1]}} in
{each}    esac
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
    return [name for one in arguments(parser) for name in one.option_strings]


def _words(parser: argparse.ArgumentParser) -> str:
    return " ".join(_options(parser))


def _choices(known: dict[str, tuple[str, argparse.ArgumentParser]]) -> str:
    """The words that may follow an option whose values are named, a line of `case` each."""
    lines = [
        f"        '{name} {option}') words='{' '.join(map(str, one.choices))}' ;;\n"
        for name, (_, parser) in known.items()
        for one in arguments(parser)
        for option in one.option_strings
        if one.choices
    ]
    return "".join(lines)
