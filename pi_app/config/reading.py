"""Reads a configuration from a file and reports all its mistakes. It opens no pin.

A file is a whole configuration. Only CHANGES has just the keys that differ from the shipped ones.
"""

from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from pi_app.config import toml
from pi_app.config.checking import find_mistakes, is_sound
from pi_app.config.keys import CHANGES, DEFAULT, PART, RULES, SHIPPED, Config, config_of, houses_of
from pi_app.config.writing import changes_text
from pi_app.settings.houses import HOUSE_PREFIX, house

MAX_SENTENCES = 20


def default_file(changes: Path = CHANGES) -> Path:
    """Return the file to read if the user names none: `changes` if it exists, otherwise DEFAULT."""
    try:
        changes.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return DEFAULT
    except OSError:
        return changes  # the attempt to read it will say why it can't be read
    return changes


def load_config(path: Path, changes: Path = CHANGES) -> Config:
    """Return the configuration in a file. Raises ConfigError with all its mistakes.

    changes: the path of the file in which missing parts are as shipped. In any other file a
    missing part is not there.
    """
    text = toml.read_text(path)
    try:
        return parse_config(text, SHIPPED if path.absolute() == changes else {})
    except toml.ConfigError as error:
        raise toml.ConfigError([f"{path}, {what}" for what in error.sentences]) from None


def take_values(path: Path, source: str) -> str:
    """Return the text of a machine's configuration with the values that another text has.

    source: its displays, and its house rules of a name, take the places of those that were there.
    A value as shipped becomes a comment. Raises ConfigError if a text has a mistake, or the two
    don't fit.
    """
    text = toml.read_text(path) if path.exists() else ""
    parse_config(text, SHIPPED)
    before, taken = toml.parse_values(text), toml.parse_values(source)
    replaced = {_table(key) for key in taken if key.startswith(HOUSE_PREFIX)}
    has_display = any(_table(key) == toml.FIRST_DISPLAY for key in taken)
    dropped = replaced | ({toml.SECOND_DISPLAY} if has_display else set())
    given = {key: value for key, value in before.items() if _table(key) not in dropped} | taken
    kept = {
        key: value for key, value in given.items() if key not in taken or value != SHIPPED.get(key)
    }
    if kept == before:
        return text
    new = changes_text(kept)
    parse_config(new, SHIPPED)
    return new


def _table(key: str) -> str:
    """Return the table of a key: the first part of its name, or all but the last of house rules."""
    parts = key.rpartition(".") if key.startswith(HOUSE_PREFIX) else key.partition(".")
    return parts[0]


def load_sound_part(path: Path) -> Config:
    """Return the configuration in a file, without house rules; a wrong key has its default."""
    try:
        values = toml.parse_values(toml.read_text(path))
    except toml.ConfigError:
        values = {}
    sound = {key: value for key, value in values.items() if is_sound(key, value)}
    return config_of({key: sound[key] for key in sound if not _is_absent(key, sound[key])}, {})


def _is_absent(key: str, value: object) -> bool:
    """Whether a value says that the table does not have a part."""
    return value is False and RULES.get(key) is PART


def parse_config(text: str, defaults: Mapping[str, object] | None = None) -> Config:
    """Return the configuration in a text. Raises ConfigError with the line of each mistake.

    defaults: the values of keys that are missing in the text, by their full names.
    """
    given = toml.parse_values(text)
    left_out = {key: value for key, value in (defaults or {}).items() if key not in given}
    values = left_out | given
    absent = {key for key, value in values.items() if _is_absent(key, value)}
    absent_panels = tuple(key.removesuffix("ok") for key in absent if key.endswith(".ok"))
    houses = houses_of(values)
    values = {
        key: value
        for key, value in values.items()
        if key not in absent and not key.startswith((HOUSE_PREFIX, *absent_panels))
    }
    mistakes = list(islice(find_mistakes(values, given, houses), MAX_SENTENCES + 1))
    if mistakes:
        placed = sorted(toml.with_line_numbers(mistakes[:MAX_SENTENCES], text))
        sentences = [f"line {n}: {what}" for n, what in placed]
        if len(mistakes) > MAX_SENTENCES:
            sentences.append("there are more mistakes: correct these first")
        raise toml.ConfigError(sentences)
    return config_of(values, {name: house(changes) for name, changes in houses.items()})
