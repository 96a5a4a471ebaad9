"""Reads a configuration from its file; says everything that is wrong with it. Opens no pin.

A file is a whole configuration, but for CHANGES: that one names only what differs from what ships.
"""

import logging
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from pi_app.config.checking import find_faults, is_sound
from pi_app.config.config import (
    Config,
    Display,
    config_of,
    displays_of,
    factory_of,
    journal_of,
)
from pi_app.config.former import KEYS as FORMER_KEYS
from pi_app.config.former import former_names, with_new_names
from pi_app.config.keys import RULES, SHIPPED
from pi_app.config.toml import ConfigError, text_of, values_in, with_line_numbers
from pi_app.config.values import PART
from pi_app.settings.houses import PREFIX, house

DEFAULT = Path(__file__).parents[1] / "referee.toml"  # the configuration as shipped
CHANGES = Path("/etc/pachisi-referee/referee.toml")  # the keys of this machine that differ from it
MOST_SENTENCES = 20

log = logging.getLogger(__name__)


def default_file(changes: Path = CHANGES) -> Path:
    """Return the file of a table that is given none: the changes where they are, else DEFAULT."""
    try:
        changes.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return DEFAULT
    except OSError:
        return changes  # reading it will say why it can't be
    return changes


def load_config(path: Path, changes: Path = CHANGES) -> Config:
    """Read a configuration file; raise ConfigError with everything that is wrong with it.

    Former names of keys are read, too, and the log names those of today.

    changes: the file whose missing keys have their shipped values; in another they are not there.
    """
    text = text_of(path)
    try:
        config = parse_config(text, SHIPPED if path.absolute() == changes else {})
    except ConfigError as error:
        raise ConfigError([f"{path}, {what}" for what in error.sentences]) from None
    for n, what in with_line_numbers(former_names(values_in(text)), text):
        log.warning("%s, line %d: %s", path, n, what)
    return config


def load_displays(path: Path) -> tuple[tuple[Display, ...], str]:
    """Return the displays and pin factory of a file that may be wrong, as shipped where it is."""
    sound = _sound_values(path)
    return displays_of(sound), factory_of(sound)


def load_journal(path: Path) -> Path:
    """Return the journal's folder of a file that may be wrong, as shipped where it is."""
    return journal_of(_sound_values(path))


def _sound_values(path: Path) -> dict[str, object]:
    try:
        values = with_new_names(values_in(text_of(path)))
    except ConfigError:
        return {}
    return {key: value for key, value in values.items() if is_sound(key, value)}


def check(path: Path) -> list[str]:
    """Return a sentence for each mistake in a configuration file."""
    try:
        load_config(path)
    except ConfigError as error:
        return list(error.sentences)
    return []


def parse_config(text: str, defaults: Mapping[str, object] | None = None) -> Config:
    """Return what the text of a configuration says; ConfigError names each wrong line.

    defaults: the values of the keys that the text leaves out, by their names in full.
    """
    written = values_in(text)
    given = with_new_names(written)
    left_out = {key: value for key, value in (defaults or {}).items() if key not in given}
    values = _without_parts(left_out | given)
    houses = _house_tables(values)
    values = {key: value for key, value in values.items() if not key.startswith(PREFIX)}
    found = list(islice(find_faults(values, given, houses), MOST_SENTENCES + 1))
    if found:
        names = {new: former for former, new in FORMER_KEYS.items() if former in written}
        places = [(names.get(key, key), what) for key, what in found[:MOST_SENTENCES]]
        told = sorted(with_line_numbers(places, text))
        sentences = [f"line {n}: {what}" for n, what in told]
        if len(found) > MOST_SENTENCES:
            sentences.append("more is wrong than this: correct these first")
        raise ConfigError(sentences)
    return config_of(values, {name: house(changes) for name, changes in houses.items()})


def _without_parts(values: Mapping[str, object]) -> dict[str, object]:
    """Return the values without parts that are `false`; a panel without its ok goes as a whole."""
    out = {key for key, value in values.items() if value is False and RULES.get(key) is PART}
    panels = tuple(key.removesuffix("ok") for key in out if key.endswith(".ok"))
    return {k: value for k, value in values.items() if k not in out and not k.startswith(panels)}


def _house_tables(values: Mapping[str, object]) -> dict[str, dict[str, object]]:
    """Return what is said of each of the house rules, by name."""
    houses: dict[str, dict[str, object]] = {}
    for key, value in values.items():
        if key.startswith(PREFIX):
            name, dot, option = key.removeprefix(PREFIX).rpartition(".")
            houses.setdefault(name if dot else option, {}).update({option: value} if dot else {})
    return houses
