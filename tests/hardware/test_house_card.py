"""A card of house rules: from their line to a page."""

from pathlib import Path

import pytest

from hardware.house_card import house_text, main
from hardware.paper import SIZES, Paper
from hardware.rules_cards import draw_rules_card
from pi_app.settings.houses import House, parse_house
from pi_app.texts.language import codes
from rules.ruleset import PRESETS


def test_a_card_begins_with_the_edition_and_what_differs_and_ends_with_the_line() -> None:
    text = house_text(parse_house("ludo-uk to-win:1 must-capture:yes"), "en")
    title, changes, *groups, line = text.split("\n\n")
    assert title == "# Ludo"
    assert changes == "- the first pawn home wins\n- you must capture"
    assert groups[0] == "## entering"
    assert "to win: 1 home" in text
    assert line == "## ludo-uk to-win:1 must-capture:yes"


@pytest.mark.parametrize("code", codes())
def test_the_rules_of_each_edition_fit_a_page(code: str) -> None:
    for name, ruleset in PRESETS.items():
        paper = Paper(SIZES["letter"])
        draw_rules_card(paper, house_text(House(name, ruleset), code))
        assert paper.too_long == [], name


def test_a_card_is_written_as_a_pdf(tmp_path: Path) -> None:
    main("ludo-uk to-win:1", "de", str(tmp_path / "ours.pdf"))
    assert (tmp_path / "ours.pdf").read_bytes().startswith(b"%PDF")
