"""`referee rules`: prints house rules from their line as a card, with their configuration."""

import argparse

from pi_app.commands import UsageError
from pi_app.commands.show import rule_lines
from pi_app.config.writing import house_text
from pi_app.settings.houses import House, parse_house
from pi_app.settings.offers import idioms_of, rules_lines
from pi_app.texts.language import ENGLISH_CODE, codes, language
from rules.ruleset import OPTIONS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "line",
        nargs="+",
        metavar="LINE",
        help="house rules as the display shows them, such as `ludo-uk to-win:1`",
    )
    parser.add_argument("--language", default=ENGLISH_CODE, choices=codes(), help="of the card")


def main(options: argparse.Namespace) -> None:
    """Print what differs from the edition, the line, what to configure, and all the rules."""
    house = read_house(" ".join(options.line))
    spoken = language(options.language).in_idioms(*idioms_of(house.ruleset))
    print(*map(spoken.say, rules_lines(house, len(OPTIONS))), "", house.line, "", sep="\n")
    print(house_text("ours", house.changes))
    print(*rule_lines(house.ruleset, spoken), sep="\n")


def read_house(line: str) -> House:
    """Return house rules from their line. Raises UsageError."""
    try:
        return parse_house(line)
    except ValueError as error:
        raise UsageError(f"{line!r} is no line of house rules: {error}") from None
