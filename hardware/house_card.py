"""Writes a card of house rules: `python -m hardware.house_card "ludo-uk to-win:1" en ours.pdf`."""

import sys
from collections.abc import Iterator
from pathlib import Path

from hardware.paper import SIZES, Paper, as_pdf
from hardware.rules_cards import draw_rules_card
from pi_app.settings.houses import House, parse_house
from pi_app.settings.offers import idioms_of, rules_lines
from pi_app.texts.language import find_language
from pi_app.texts.rule_words import rules_in_words
from rules.ruleset import OPTIONS


def house_text(house: House, code: str) -> str:
    """Return house rules as the text of a card: what differs from the edition, then all rules."""
    return "\n\n".join(_blocks(house, code))


def _blocks(house: House, code: str) -> Iterator[str]:
    language = find_language(code).in_idioms(*idioms_of(house.ruleset))
    title, *changes = map(language.say, rules_lines(house, len(OPTIONS)))
    yield f"# {title}"
    yield "\n".join(f"- {line}" for line in changes)
    for group, options in rules_in_words(house.ruleset):
        yield f"## {language.say(group)}"
        yield ". ".join(f"{language.say(name)}: {language.say(value)}" for name, value in options)
    yield f"## {house.line}"


def main(line: str, code: str, file: str, size: str = "a4") -> None:
    paper = Paper(SIZES[size], find_language(code))
    draw_rules_card(paper, house_text(parse_house(line), code))
    Path(file).write_bytes(as_pdf([paper]))


if __name__ == "__main__":
    main(*sys.argv[1:])
