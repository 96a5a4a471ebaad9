"""The table of keys: the shipped file, the values and the documents are what it says."""

import re
from pathlib import Path

import pytest

from pi_app.config import DEFAULT
from pi_app.config.keys import KEYS, PANEL_KEYS, SETTING_KEYS, TABLE_COMMENTS
from pi_app.config.writing import shipped_text
from pi_app.table.modes.menu.menu import MenuSection
from pi_app.table.modes.whole_menu import MENU

ROOT = Path(__file__).parents[3]
READMES = [ROOT / "systemd" / "README.md", ROOT / "hardware" / "README.md"]


def test_the_shipped_file_is_what_the_keys_say(redraw: bool) -> None:
    if redraw:
        DEFAULT.write_text(shipped_text(), encoding="utf-8")
    stale = "stale: run pytest --redraw tests/pi_app/config"
    assert DEFAULT.read_text(encoding="utf-8") == shipped_text(), stale


def test_a_key_is_shipped_with_a_value_that_it_may_have() -> None:
    assert [key for key in KEYS if not key.rule.accepts(key.shipped)] == []


def test_what_comes_first_in_each_table_is_explained() -> None:
    first = {key.name.rpartition(".")[0]: key for key in reversed(KEYS)}
    assert all(key.help for table, key in first.items() if not table.startswith("panel."))
    assert all(name in TABLE_COMMENTS["panel.A"] for name in PANEL_KEYS)


def test_each_menu_place_that_the_configuration_names_is_there() -> None:
    named = [
        (menu[1], key.name.removeprefix("settings."))
        for key in SETTING_KEYS
        if (menu := re.search(r'menu changes it under "(\w+)"', key.help))
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
    assert set(named) <= {key.name.rpartition(".")[2] for key in KEYS}
