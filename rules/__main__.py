"""The command line: questions, rule sets and records, read as text and answered as text."""

import argparse
import io
import json
import os
import sys
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, TextIO

from .lines.analyse import answer_line, answer_lines
from .lines.fields import FieldError, read_json
from .lines.jsonl import RecordError
from .lines.replay import judge
from .lines.sheet import is_sheet, parse_sheet, sheet_lines
from .ruleset import (
    LATER_OPTIONS,
    OPTIONS,
    PRESET_TABLE,
    RuleSet,
    RuleSetError,
    differences,
    parse_ruleset,
)

COMMAND = f"python -m {__package__}"  # rules in a checkout, pachisi_rules where installed alone
DESCRIPTION = "Ask the rules of Parcheesi-type games, compare their editions, check game records."
RULES = """a preset's name, or house rules: '{"preset": "pb", "again": "never"}'"""

WIDTH = 100  # characters of a line that people read
SOURCES = """\
S0: A. Jayne's composite rules of several makers and years (SR is Selchow & Righter, PB Parker
Brothers, MB Milton Bradley, TR Transogram)
S1: an encyclopedia article
S2: the SCA's Parchisi with its die-roll chart
S3: R. Findler's course rules
S4: the rules of Royal Parcheesi, 2023
S5: Tylor, Popular Science Monthly 14 (1879), with Mitra's rules of Bengal
S6: Pachisi as sold and told today
S7: championship rules of parchís (Junta Central Fallera), and glparchis
S8: Parchis 2D, with two dice
S9: Jaques, "Rules for Original Ludo"
S10: Indian rules of Ludo
S11: Schmidt's rules of the German race on 40 spaces, and households
S12: sheets of the race on 28 spaces whose die is under a dome
S13: a French leaflet and guides of petits chevaux
S14: Danish rules of Ludo with stars and globes
S15: Swiss sheets of Ludo with benches"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    options = _parser().parse_args(arguments)
    try:
        status = _run(options)
        if sys.stdout is not None:  # it may have been closed before we began
            sys.stdout.flush()
        return status
    except (RuleSetError, FieldError) as error:
        _complain(str(error))
        return 2
    except (BrokenPipeError, KeyboardInterrupt):
        _give_up_writing()
        return 0
    except OSError as error:
        _complain(f"can't go on: {error.strerror}")
        _give_up_writing()
        return 1


def _complain(fault: str) -> None:
    if sys.stderr is not None:  # print would take None for standard output
        print(f"{__package__}: {fault}", file=sys.stderr)


def _give_up_writing() -> None:
    """Stop Python from trying at its exit to write once more what could not be written."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=COMMAND, description=DESCRIPTION)
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    commands.add_parser("analyse", help="answer JSON lines of positions and throws")
    show = commands.add_parser("show", help="list the presets, or print one beside the defaults")
    show.add_argument("ruleset", nargs="?", help=f"{RULES}; without it, the presets are listed")
    compare = commands.add_parser("compare", help="print where two rule sets differ")
    compare.add_argument("one", help=RULES)
    compare.add_argument("other", help=RULES)
    replay = commands.add_parser("replay", help="check the record of a game line by line")
    sheet = commands.add_parser("sheet", help="print a record as a sheet, or a sheet as a record")
    for reads_record in (replay, sheet):
        reads_record.add_argument("file", nargs="?", help="the record; without it, standard input")
    return parser


def _run(options: argparse.Namespace) -> int:
    """Carry out a command and return its status, which is 1 if a record has a wrong line."""
    match options.command:
        case "analyse":
            answer_input(answer_line)
        case "replay":
            with _open(options.file) as lines:
                verdict = judge(lines)
            print(json.dumps(verdict))
            return 1 if "error" in verdict else 0
        case "sheet":
            with _open(options.file) as lines:
                text = list(lines)
            if sys.stdout is not None:
                sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
            try:
                print(*(parse_sheet if is_sheet(text) else sheet_lines)(text), sep="\n")
            except RecordError as error:
                _complain(str(error))
                return 1
        case "show":
            _show(options.ruleset)
        case "compare":
            _compare(options.one, options.other)
    return 0


def answer_input(answer_line: Callable[[str], dict[str, Any]]) -> None:
    """Answer each line of the standard input that is not blank, until the input ends."""
    if sys.stdin is None:  # closed before we began: nobody asks
        return
    sys.stdin.reconfigure(encoding="utf-8", errors="replace", newline="\n")  # type: ignore[union-attr]
    for line in answer_lines(iter(sys.stdin.readline, ""), answer_line):
        print(line, flush=True)


def _open(path: str | None) -> TextIO:
    """Return a text whose lines end only with a line feed, whatever its bytes are."""
    if path is None and sys.stdin is None:  # closed before we began: the text is empty
        return io.StringIO()
    file = 0 if path is None else path
    try:
        return open(file, encoding="utf-8", errors="replace", newline="\n")  # noqa: PTH123
    except OSError as error:
        raise FieldError(f"{path} can't be read ({error.strerror}): name another file") from None


def _show(named: str | None) -> None:
    if named is None:
        _print_table([(name, *preset[:2]) for name, preset in PRESET_TABLE.items()])
        return
    ruleset, default, name = _ruleset(named), RuleSet(), _name(named)
    preset = PRESET_TABLE.get(name)
    title = f"{preset.title} ({preset.source})" if preset else named
    print(f"{name}: {title}\n")
    rows = [("", "option", name, "default", "meaning (source)")]
    for field, option in OPTIONS.items():
        here, usual = getattr(ruleset, field), getattr(default, field)
        if field in LATER_OPTIONS and here == usual:
            continue
        mark = "" if here == usual else "*"
        rows.append((mark, field, _word(here), _word(usual), f"{option.meaning} ({option.source})"))
    _print_table(rows)


def _compare(one: str, other: str) -> None:
    ruleset = _ruleset(one)
    rows = [("option", _name(one), _name(other), "meaning (source)")]
    for name, there in differences(ruleset, _ruleset(other)).items():
        option = OPTIONS[name]
        here = _word(getattr(ruleset, name))
        rows.append((name, here, _word(there), f"{option.meaning} ({option.source})"))
    if len(rows) == 1:
        print(f"{_name(one)} and {_name(other)} are the same rules.")
    else:
        _print_table(rows)


def _ruleset(text: str) -> RuleSet:
    return parse_ruleset(read_json(text) if _name(text) == "house rules" else text)


def _name(text: str) -> str:
    return "house rules" if text.lstrip().startswith("{") else text


def _word(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _print_table(rows: Sequence[tuple[str, ...]]) -> None:
    """Print rows with the last column wrapped, and below them the sources."""
    *widths, _ = (max(map(len, column)) for column in zip(*rows, strict=True))
    indent = sum(widths) + 2 * len(widths)
    for *cells, last in rows:
        first = "".join(f"{cell:<{width}}  " for cell, width in zip(cells, widths, strict=True))
        wrapped = textwrap.wrap(last, WIDTH - indent, break_on_hyphens=False)
        print(f"{first}{wrapped[0]}", *wrapped[1:], sep=f"\n{'':{indent}}")
    print(f"\n{SOURCES}")


if __name__ == "__main__":
    sys.exit(main())
