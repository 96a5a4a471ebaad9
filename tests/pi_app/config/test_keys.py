"""The table of keys, the shipped file and the documents say the same."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from pi_app.config.keys import (
    DEFAULT,
    MOST_NAMES,
    PANEL_KEYS,
    RULES,
    SETTING_KEYS,
    SHIPPED,
    SPI_RESET,
)
from pi_app.config.writing import GAP, changes_text
from pi_app.settings.settings import SETTINGS
from pi_app.table.modes.menu.menu import MenuSection
from pi_app.table.modes.whole_menu import MENU
from rules.ruleset import PRESETS

ROOT = Path(__file__).parents[3]
READMES = [ROOT / "systemd" / "README.md", ROOT / "hardware" / "README.md"]
TEXT = DEFAULT.read_text(encoding="utf-8")


def help_of(key: str) -> str:
    """Return the paragraph of the shipped file that has a key of a table, as one line."""
    table, _, name = key.rpartition(".")
    section = TEXT.split(f"\n[{table}]\n")[1].split(GAP)[0].strip()
    [found] = [part for part in section.split("\n\n") if f"\n{name} = " in f"\n{part}"]
    return " ".join(line.removeprefix("# ") for line in found.splitlines())


def test_the_shipped_file_has_each_key_with_a_value_that_it_may_have() -> None:
    assert SHIPPED.keys() == RULES.keys()
    assert [key for key, value in SHIPPED.items() if not RULES[key].accepts(value)] == []


def test_a_setting_is_shipped_with_its_usual_value() -> None:
    shipped = {key.name.removeprefix("settings."): SHIPPED[key.name] for key in SETTING_KEYS}
    usual = {one.key: one.usual for one in SETTINGS if one.key in shipped}
    assert shipped == usual | {"numbers": ""}  # which asks the language


def test_the_shipped_file_has_the_form_in_which_values_are_written() -> None:
    assert changes_text(SHIPPED).split(GAP)[1:] == TEXT.split(GAP)[1:]
    assert max(map(len, TEXT.splitlines())) <= 100


def test_a_line_of_a_comment_is_as_full_as_it_can_be() -> None:
    comments, _ = TEXT.split('#[house."our rules"]')
    for line, following in pairwise(comments.splitlines()):
        if line.startswith("# ") and following.startswith("# "):
            assert len(f"{line} {following.split()[1]}") > 100


def test_what_comes_first_in_each_table_is_explained() -> None:
    first = {key.rpartition(".")[0]: key for key in reversed(SHIPPED)}
    firsts = [key for table, key in first.items() if not table.startswith("panel.")]
    assert [key for key in firsts if not re.match(r"\w.*\. \w+ = ", help_of(key))] == []
    panels = TEXT.partition("# One panel for each seat.")[2].partition("[panel.A]")[0]
    assert all(name in panels for name in PANEL_KEYS)


def test_the_comments_name_the_editions_and_the_limits_of_the_program() -> None:
    *most, last = PRESETS
    assert f": {', '.join(most)} or {last}. NEXT" in help_of("table.ruleset")
    assert f"At most {MOST_NAMES}, each" in help_of("page.names")
    assert f"there false means {SPI_RESET}." in help_of("display.reset")


def test_each_menu_place_that_the_configuration_names_is_there() -> None:
    named = [
        (menu[1], key.name.removeprefix("settings."))
        for key in SETTING_KEYS
        if (menu := re.search(r'menu changes it under "(\w+)"', help_of(key.name)))
    ]
    entries = {
        section.id: {entry.id for entry in section.entries}
        for section in MENU
        if isinstance(section, MenuSection) and isinstance(section.entries, tuple)
    }
    assert [key for _, key in named] == ["dice", "hints"]
    for section, key in named:
        assert key in entries[section]


@pytest.mark.parametrize("path", READMES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_key_that_a_document_gives_a_value_is_there(path: Path) -> None:
    named = re.findall(r"(?:^[+-]?#?|`)(\w+) = ", path.read_text(encoding="utf-8"), re.M)
    assert len(named) >= 7
    assert set(named) <= {key.rpartition(".")[2] for key in RULES}
