"""The command `python -m rules`: analyse, show, compare."""

import argparse
import sys
from collections.abc import Sequence

from rules.analyse import answer_lines
from rules.ruleset import OPTIONS, PRESET_TABLE, RuleSet, RuleSetError, differences, parse_ruleset


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    asked = _parser().parse_args(arguments)
    try:
        return int(asked.run(asked))
    except RuleSetError as error:
        print(f"rules: {error}", file=sys.stderr)
        return 2
    except (BrokenPipeError, KeyboardInterrupt):
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m rules", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="command")
    analyse = commands.add_parser("analyse", help="answer JSON lines of positions and throws")
    analyse.set_defaults(run=_analyse)
    show = commands.add_parser("show", help="list the presets, or print one beside the defaults")
    show.add_argument("ruleset", nargs="?", help="a preset; without one, the presets are listed")
    show.set_defaults(run=_show)
    compare = commands.add_parser("compare", help="print where two rule sets differ")
    compare.add_argument("one")
    compare.add_argument("other")
    compare.set_defaults(run=_compare)
    return parser


def _analyse(asked: argparse.Namespace) -> int:
    if sys.stdin is None:  # closed before we began: nothing is asked
        return 0
    sys.stdin.reconfigure(encoding="utf-8", errors="replace", newline="\n")  # type: ignore[union-attr]
    for line in answer_lines(iter(sys.stdin.readline, "")):
        print(line, flush=True)
    return 0


def _show(asked: argparse.Namespace) -> int:
    if asked.ruleset is None:
        _print_table([(name, *preset[:2]) for name, preset in PRESET_TABLE.items()])
        return 0
    ruleset, default = parse_ruleset(asked.ruleset), RuleSet()
    preset = PRESET_TABLE[asked.ruleset]
    print(f"{asked.ruleset}: {preset.title} ({preset.source})\n")
    rows = [("", "option", asked.ruleset, "default", "meaning", "source")]
    for name, option in OPTIONS.items():
        here, usual = getattr(ruleset, name), getattr(default, name)
        mark = "" if here == usual else "*"
        rows.append((mark, name, _word(here), _word(usual), option.meaning, option.source))
    _print_table(rows)
    return 0


def _compare(asked: argparse.Namespace) -> int:
    one, other = parse_ruleset(asked.one), parse_ruleset(asked.other)
    rows = [("option", asked.one, asked.other, "meaning", "source")]
    for name, there in differences(one, other).items():
        option = OPTIONS[name]
        here = _word(getattr(one, name))
        rows.append((name, here, _word(there), option.meaning, option.source))
    if len(rows) == 1:
        print(f"{asked.one} and {asked.other} are the same rules.")
    else:
        _print_table(rows)
    return 0


def _word(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _print_table(rows: Sequence[tuple[str, ...]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join(cells).rstrip())


if __name__ == "__main__":
    sys.exit(main())
