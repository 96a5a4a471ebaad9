"""Makes the configuration from the values of its keys. It checks nothing."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pi_app.config.keys import (
    CONFIG_KEYS,
    DISPLAY_KEYS,
    PANEL_KEYS,
    SETTING_KEYS,
    SPI_RESET,
    Config,
    Display,
    PanelPins,
)
from pi_app.config.toml import FIRST_DISPLAY, SECOND_DISPLAY
from pi_app.settings.houses import House
from rules.board import SEAT_LETTERS


def config_of(values: Mapping[str, Any], houses: Mapping[str, House]) -> Config:
    """Return the configuration of sound values, in which a missing key has its default."""
    fields = {name: key.value(values) for name, key in CONFIG_KEYS.items()}
    return Config(
        **fields | {"journal": Path(fields["journal"]).expanduser()},
        panels=tuple(
            PanelPins(seat, ok, next_, lamp)
            for seat, letter in enumerate(SEAT_LETTERS)
            for ok, next_, lamp in [[values.get(f"panel.{letter}.{key}") for key in PANEL_KEYS]]
            if ok is not None
        ),
        displays=displays_of(values),
        settings={
            key.name.removeprefix("settings."): str(key.value(values)) for key in SETTING_KEYS
        },
        houses=houses,
    )


def displays_of(values: Mapping[str, Any]) -> tuple[Display, ...]:
    """Return the display, or both if the values name a second one."""
    has_second = any(key.partition(".")[0] == SECOND_DISPLAY for key in values)
    return tuple(
        _display(values, table) for table in (FIRST_DISPLAY, SECOND_DISPLAY)[: 1 + has_second]
    )


def _display(values: Mapping[str, Any], table: str) -> Display:
    fields = {name: key.value(values, f"{table}.{name}") for name, key in DISPLAY_KEYS.items()}
    if fields["reset"] is None or fields["reset"] is False:  # 0 is a pin
        fields["reset"] = SPI_RESET if fields["bus"] == "spi" else None
    return Display(**fields)
