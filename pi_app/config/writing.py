"""Writes configurations as TOML text.

The shipped configuration and the one of this machine get comments. Every other configuration is
written without comments.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from itertools import groupby
from textwrap import wrap

from pi_app.config.keys import (
    CHANGES_HEADER,
    CONFIG_KEYS,
    EXAMPLE_LINES,
    FIRST_DISPLAY,
    HEADER,
    HOUSE_RULES,
    KEYS,
    PANEL_KEYS,
    SECOND_DISPLAY,
    SHIPPED,
    TABLE_COMMENTS,
    Config,
)
from pi_app.config.values import hexadecimal
from pi_app.settings.houses import HOUSE_PREFIX
from rules.board import SEAT_LETTERS

WIDTH = 100


def shipped_text() -> str:
    """Return the shipped file: each key with its value, under a comment that explains it."""
    return _explained(HEADER, SHIPPED)


def changes_text(given: Mapping[str, object]) -> str:
    """Return the file of this machine: the shipped one, with a comment for each key not given.

    given: values by full name, as `parse_values` returns them.
    """
    houses: dict[str, dict[str, object]] = {}
    for key, value in given.items():
        if key.startswith(HOUSE_PREFIX):
            name, _, option = key.removeprefix(HOUSE_PREFIX).rpartition(".")
            houses.setdefault(name, {})[option] = value
    tables = (
        f"\n[{HOUSE_PREFIX}{json.dumps(name)}]\n{_as_toml(house)}" for name, house in houses.items()
    )
    return _explained(CHANGES_HEADER, given) + "".join(tables)


def _explained(header: str, given: Mapping[str, object]) -> str:
    second = {
        key.removeprefix(f"{SECOND_DISPLAY}."): value
        for key, value in given.items()
        if key.partition(".")[0] == SECOND_DISPLAY
    }
    paragraphs = [_as_comment(header)]
    for table, keys in groupby(KEYS, lambda key: key.name.rpartition(".")[0]):
        comment = f"{_as_comment(TABLE_COMMENTS[table])}\n\n" if table in TABLE_COMMENTS else ""
        of_two = second and table == FIRST_DISPLAY
        paragraphs.append(f"\n{comment}" + (f"[[{table}]]" if of_two else f"[{table}]"))
        for key in keys:
            line = _key_line(key.name.rpartition(".")[2], given.get(key.name, key.shipped))
            line = line if key.name in given else f"#{line}"
            if key.help:
                paragraphs.append(f"{_as_comment(key.help)}\n{line}")
            else:  # the comment above covers this key, too
                paragraphs[-1] += f"\n{line}"
        if of_two:
            paragraphs.append(f"[[{table}]]\n{_as_toml(second)}".rstrip())
    example = "".join(f"#{line}\n" for line in EXAMPLE_LINES)
    return "\n\n".join([*paragraphs, f"\n{_as_comment(HOUSE_RULES)}", example])


def _as_comment(text: str) -> str:
    lines = wrap(text, WIDTH - 2, break_long_words=False, break_on_hyphens=False)
    return "\n".join(f"# {line}" for line in lines)


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
