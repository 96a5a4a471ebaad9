"""Writes configurations as TOML text: this machine's with comments, every other one without."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict

from pi_app.config.keys import CONFIG_KEYS, DEFAULT, PANEL_KEYS, Config, hexadecimal, houses_of
from pi_app.config.toml import FIRST_DISPLAY, SECOND_DISPLAY, read_text
from pi_app.settings.houses import HOUSE_PREFIX
from rules.board import SEAT_LETTERS

HEADER = """\
# The configuration of this table. A commented-out key has the value that its line shows. To change
# a key, remove its # and run `sudo systemctl restart referee`. `referee check-config` prints
# mistakes. `referee config` prints the shipped configuration."""
GAP = "\n\n\n"  # between two sections of the shipped file: one for each table, then house rules


def changes_text(given: Mapping[str, object]) -> str:
    """Return the file of this machine: the shipped one, with a comment for each key not given.

    given: values by full name, as `parse_values` returns them.
    """
    tables = (f"\n{house_text(name, house)}" for name, house in houses_of(given).items())
    _, *sections = read_text(DEFAULT).split(GAP)
    return GAP.join([HEADER, *(_fill(section, given) for section in sections)]) + "".join(tables)


def house_text(name: str, changes: Mapping[str, object]) -> str:
    """Return the table of house rules: their base, and the options that differ from it."""
    return f"[{HOUSE_PREFIX}{json.dumps(name)}]\n{_as_toml(changes)}"


def _fill(section: str, given: Mapping[str, object]) -> str:
    """Return a section of the shipped file with the given values; its other keys are comments."""
    found = re.search(r"^\[(.+)\]$", section, re.MULTILINE)
    table = found[1] if found else ""

    def fill_line(line: re.Match[str]) -> str:
        name = f"{table}.{line[1]}"
        return _key_line(line[1], given[name]) if name in given else f"#{line[0]}"

    text = re.sub(r"^(\w+) = .*$", fill_line, section, flags=re.MULTILINE)
    second = {
        key.removeprefix(f"{SECOND_DISPLAY}."): value
        for key, value in given.items()
        if key.partition(".")[0] == SECOND_DISPLAY
    }
    if second and table == FIRST_DISPLAY:
        text = re.sub(rf"^\[{table}\]$", f"[[{table}]]", text, flags=re.MULTILINE)
        text = f"{text}\n\n[[{table}]]\n{_as_toml(second)}".rstrip()
    return text


def config_text(config: Config) -> str:
    """Return a configuration as TOML with every key. Reading it gives the same configuration."""
    panels = {panel.seat: panel for panel in config.panels}
    first_display, *other_displays = config.displays
    single_display_values = {} if other_displays else asdict(first_display)
    listed_displays = config.displays if other_displays else ()
    values = {
        **{key.name: getattr(config, field) for field, key in CONFIG_KEYS.items()},
        **{
            f"panel.{letter}.{key}": getattr(panels.get(seat), key, None)
            for seat, letter in enumerate(SEAT_LETTERS)
            for key in PANEL_KEYS
        },
        **{f"{FIRST_DISPLAY}.{key}": value for key, value in single_display_values.items()},
        **{f"settings.{key}": value for key, value in config.settings.items()},
        **{
            f"{HOUSE_PREFIX}{json.dumps(name)}.{key}": value
            for name, house in config.houses.items()
            for key, value in house.changes.items()
        },
    }
    tables = [f"[[{FIRST_DISPLAY}]]\n{_as_toml(asdict(display))}" for display in listed_displays]
    return _as_toml(values) + "".join(tables)


def _as_toml(values: Mapping[str, object]) -> str:
    return "".join(f"{_key_line(key, value)}\n" for key, value in values.items())


def _key_line(key: str, value: object) -> str:
    if value is None:  # the device is not connected, and TOML has no null
        value = False
    if key.endswith("address"):
        return f"{key} = {hexadecimal(value)}"
    return f"{key} = {json.dumps(value, default=str, ensure_ascii=False)}"
