"""Writes a card of house rules: `python -m hardware.house_card "ludo-uk to-win:1" en ours.pdf`."""

import sys
from collections.abc import Iterator
from pathlib import Path

from hardware.paper import SIZES, Paper, as_pdf
from hardware.rules_cards import draw_rules_card
from pi_app.settings.houses import House, parse_house
from pi_app.settings.offers import idioms_of, rules_lines
from pi_app.texts.language import find_language
from pi_app.texts.rule_words import GROUPS, OPTION_WORDS, value_words
from rules.ruleset import OPTIONS, written_options


def house_text(house: House, code: str) -> str:
    """Return house rules as the text of a card: what differs from the edition, then all rules."""
    return "\n\n".join(_blocks(house, code))


def _blocks(house: House, code: str) -> Iterator[str]:
    language = find_language(code).in_idioms(*idioms_of(house.ruleset))
    title, *changes = map(language.say, rules_lines(house, len(OPTIONS)))
    yield f"# {title}"
    yield "\n".join(f"- {line}" for line in changes)
    values = written_options(house.ruleset)
    for group, options in OPTION_WORDS.items():
        lines = [
            f"{language.say(words.name)}: {language.say(value_words(one, values[one]))}"
            for one, words in options.items()
            if one in values
        ]
        if lines:
            yield f"## {language.say(GROUPS[group])}"
            yield ". ".join(lines)
    yield f"## {house.line}"


def main(line: str, code: str, file: str, size: str = "a4") -> None:
    paper = Paper(SIZES[size])
    draw_rules_card(paper, house_text(parse_house(line), code))
    Path(file).write_bytes(as_pdf([paper], code))


if __name__ == "__main__":
    main(*sys.argv[1:])
