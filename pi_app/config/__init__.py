"""The configuration: a table of its keys, by which it is read, checked and written."""

from pi_app.config.keys import DEFAULT, Config, Display, PanelPins
from pi_app.config.reading import (
    CHANGES,
    default_file,
    load_config,
    load_sound_part,
    parse_config,
    take_values,
)
from pi_app.config.toml import ConfigError, read_text
from pi_app.config.writing import changes_text, config_text, house_text

__all__ = [
    "CHANGES",
    "DEFAULT",
    "Config",
    "ConfigError",
    "Display",
    "PanelPins",
    "changes_text",
    "config_text",
    "default_file",
    "house_text",
    "load_config",
    "load_sound_part",
    "parse_config",
    "read_text",
    "take_values",
]
