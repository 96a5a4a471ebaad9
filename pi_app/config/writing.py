"""Writes configurations as TOML: the shipped one with comments, and any other without."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from itertools import groupby
from textwrap import wrap

from pi_app.config.config import Config
from pi_app.config.keys import ABOUT, EXAMPLE, FIRST, HEAD, HOUSE_RULES, KEYS, PANEL_KEYS
from pi_app.config.values import hexadecimal
from pi_app.settings.houses import PREFIX
from rules.board import SEAT_LETTERS

WIDTH = 100


def shipped_text() -> str:
    """Return the shipped file: each key with its value, under a comment that explains it."""
    paragraphs = [_as_comment(HEAD)]
    for table, keys in groupby(KEYS, lambda key: key.name.rpartition(".")[0]):
        about = f"{_as_comment(ABOUT[table])}\n\n" if table in ABOUT else ""
        paragraphs.append(f"\n{about}[{table}]")
        for key in keys:
            line = _key_line(key.name.rpartition(".")[2], key.shipped)
            if key.help:
                paragraphs.append(f"{_as_comment(key.help)}\n{line}")
            else:  # the comment above covers this key, too
                paragraphs[-1] += f"\n{line}"
    example = "".join(f"#{line}\n" for line in EXAMPLE)
    return "\n\n".join([*paragraphs, f"\n{_as_comment(HOUSE_RULES)}", example])


def _as_comment(text: str) -> str:
    lines = wrap(text, WIDTH - 2, break_long_words=False, break_on_hyphens=False)
    return "\n".join(f"# {line}" for line in lines)


def config_text(config: Config) -> str:
    """Return a configuration as TOML, with every key. Reading it gives an equal configuration."""
    panels = {panel.seat: panel for panel in config.panels}
    first, *others = config.displays
    values = {
        **{key.name: getattr(config, key.field) for key in KEYS if key.field},
        **{
            f"panel.{letter}.{key}": getattr(panels.get(seat), key, None)
            for seat, letter in enumerate(SEAT_LETTERS)
            for key in PANEL_KEYS
        },
        **({} if others else {f"{FIRST}.{key}": value for key, value in asdict(first).items()}),
        **{f"settings.{key}": value for key, value in config.settings.items()},
        **{
            f"{PREFIX}{json.dumps(name)}.{key}": value
            for name, house in config.houses.items()
            for key, value in house.changes.items()
        },
    }
    tables = [f"[[{FIRST}]]\n{_as_toml(asdict(display))}" for display in config.displays if others]
    return _as_toml(values) + "".join(tables)


def _as_toml(values: Mapping[str, object]) -> str:
    return "".join(f"{_key_line(key, value)}\n" for key, value in values.items())


def _key_line(key: str, value: object) -> str:
    if value is None:  # the part is absent
        value = False
    if key.endswith("address"):
        return f"{key} = {hexadecimal(value)}"
    return f"{key} = {json.dumps(value, default=str, ensure_ascii=False)}"
