"""The configuration as one frozen value, made from the values of its keys. It checks nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pi_app.config.keys import (
    FIRST_DISPLAY,
    KEYS,
    PANEL_KEYS,
    SECOND_DISPLAY,
    SPI_RESET,
    keys_of_table,
)
from pi_app.settings.houses import HOUSE_PREFIX, House
from rules.board import SEAT_LETTERS

DEFAULTS = {key.name: key.default for key in KEYS}


def _value(values: Mapping[str, Any], key: str, name: str = "") -> Any:
    """Return a key's value or default, a list as a tuple. name: its name in `values` if other."""
    value = values.get(name or key, DEFAULTS[key])
    return tuple(value) if isinstance(value, list) else value


def _default(key: str) -> Any:
    return _value({}, key)


@dataclass(frozen=True, slots=True)
class PanelPins:
    """The BCM pins of one seat's panel; None for a part that it does not have."""

    seat: int
    ok: int
    next: int | None = None
    lamp: int | None = None


@dataclass(frozen=True, slots=True)
class Display:
    """One display and its connection. referee.toml explains each field."""

    driver: Literal["ssd1306", "ssd1309", "sh1106"] = _default("display.driver")
    column_offset: int = _default("display.column_offset")
    bus: Literal["i2c", "spi"] = _default("display.bus")
    rotation: Literal[0, 180, "turn"] = _default("display.rotation")
    far_seats: tuple[str, ...] = _default("display.far_seats")
    i2c_port: int = _default("display.i2c_port")
    i2c_address: int = _default("display.i2c_address")
    spi_port: int = _default("display.spi_port")
    spi_device: int = _default("display.spi_device")
    spi_mhz: int = _default("display.spi_mhz")
    dc: int = _default("display.dc")
    reset: int | None = _default("display.reset")
    language: str = _default("display.language")

    @property
    def turned_for(self) -> tuple[str, ...]:
        """The letters of the seats for which the picture is turned while they may press."""
        return self.far_seats if self.rotation == "turn" else ()

    @property
    def place(self) -> tuple[str, int, int]:
        """The bus, its number, and the address or chip-select, which no other display may have."""
        if self.bus == "i2c":
            return self.bus, self.i2c_port, self.i2c_address
        return self.bus, self.spi_port, self.spi_device


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The build of the table. referee.toml explains each field. Pins are BCM numbers."""

    panels: tuple[PanelPins, ...]
    displays: tuple[Display, ...]
    ruleset: str
    journal: Path
    pin_factory: str
    dome: int | None
    power: int | None
    buzzer: int | None
    press_dead_ms: int
    release_dead_ms: int
    chamber: str
    chamber_dice_from: Literal["pi", "chamber"]
    voice: str
    voice_device: str
    voice_speed: int
    page_names: tuple[str, ...]
    page_chances: bool
    settings: Mapping[str, str]
    houses: Mapping[str, House]

    @property
    def first(self) -> dict[str, str]:
        """The settings by key, and the house rules, as they are before anybody changes them."""
        return {
            **self.settings,
            **{f"{HOUSE_PREFIX}{name}": str(house) for name, house in self.houses.items()},
        }

    @property
    def lamps(self) -> tuple[int | None, int | None, int | None, int | None]:
        """The lamps' pins, by seat; None for a seat without a lamp."""
        by_seat = {panel.seat: panel.lamp for panel in self.panels}
        return by_seat.get(0), by_seat.get(1), by_seat.get(2), by_seat.get(3)


def config_of(values: Mapping[str, Any], houses: Mapping[str, House]) -> Config:
    """Return the configuration of sound values, in which a missing key has its default."""
    fields = {key.field: _value(values, key.name) for key in KEYS if key.field}
    return Config(
        **fields | {"journal": journal_of(values)},
        panels=tuple(
            PanelPins(seat, ok, next_, lamp)
            for seat, letter in enumerate(SEAT_LETTERS)
            for ok, next_, lamp in [[values.get(f"panel.{letter}.{key}") for key in PANEL_KEYS]]
            if ok is not None
        ),
        displays=displays_of(values),
        settings={name: str(_value(values, key.name)) for name, key in keys_of_table("settings")},
        houses=houses,
    )


def factory_of(values: Mapping[str, Any]) -> str:
    """Return the name of gpiozero's pin factory, from sound values."""
    return str(_value(values, "pins.factory"))


def journal_of(values: Mapping[str, Any]) -> Path:
    """Return the journal's folder, from sound values."""
    return Path(_value(values, "table.journal_folder")).expanduser()


def language_of(values: Mapping[str, Any]) -> str:
    """Return the language of the table, from sound values; "" if they name none."""
    return str(_value(values, "settings.language"))


def displays_of(values: Mapping[str, Any]) -> tuple[Display, ...]:
    """Return the display, or both if the values name a second one."""
    has_second = any(key.partition(".")[0] == SECOND_DISPLAY for key in values)
    return tuple(
        _display(values, table) for table in (FIRST_DISPLAY, SECOND_DISPLAY)[: 1 + has_second]
    )


def _display(values: Mapping[str, Any], table: str) -> Display:
    fields = {
        name: _value(values, key.name, f"{table}.{name}")
        for name, key in keys_of_table(FIRST_DISPLAY)
    }
    if fields["reset"] is None or fields["reset"] is False:  # 0 is a pin
        fields["reset"] = SPI_RESET if fields["bus"] == "spi" else None
    return Display(**fields)
