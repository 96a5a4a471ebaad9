"""The configuration as one frozen value, made of the values of its keys. Checks nothing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pi_app.config.keys import FIRST, KEYS, PANEL_KEYS, SECOND, within
from pi_app.settings.houses import PREFIX, House
from rules.board import SEAT_LETTERS

USUAL = {key.name: key.usual for key in KEYS}


def _value(values: Mapping[str, Any], key: str, name: str = "") -> Any:
    """Return a key's value or default, a list as a tuple. name: the key's name there, if other."""
    value = values.get(name or key, USUAL[key])
    return tuple(value) if isinstance(value, list) else value


def _usual(key: str) -> Any:
    return _value({}, key)


@dataclass(frozen=True, slots=True)
class PanelPins:
    """One seat's BCM pins; None for what its panel has not."""

    seat: int
    ok: int
    next: int | None = None
    lamp: int | None = None


@dataclass(frozen=True, slots=True)
class Display:
    """One panel and how it is connected; referee.toml explains each field."""

    driver: Literal["ssd1306", "ssd1309", "sh1106"] = _usual("display.driver")
    bus: Literal["i2c", "spi"] = _usual("display.bus")
    rotation: Literal[0, 180, "turn"] = _usual("display.rotation")
    far_seats: tuple[str, ...] = _usual("display.far_seats")
    i2c_port: int = _usual("display.i2c_port")
    i2c_address: int = _usual("display.i2c_address")
    spi_port: int = _usual("display.spi_port")
    spi_device: int = _usual("display.spi_device")
    spi_mhz: int = _usual("display.spi_mhz")
    dc: int = _usual("display.dc")
    reset: int = _usual("display.reset")

    @property
    def turned_for(self) -> tuple[str, ...]:
        """The letters of the seats for whom its picture is turned when it is theirs to press."""
        return self.far_seats if self.rotation == "turn" else ()

    @property
    def place(self) -> tuple[str, int, int]:
        """What no other panel may have: the bus, its number, and the address or chip-select."""
        if self.bus == "i2c":
            return self.bus, self.i2c_port, self.i2c_address
        return self.bus, self.spi_port, self.spi_device


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The table as built: referee.toml explains each field. Pins are BCM numbers."""

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
    voice_speed: int
    page_names: tuple[str, ...]
    page_chances: bool
    settings: Mapping[str, str]
    houses: Mapping[str, House]

    @property
    def first(self) -> dict[str, str]:
        """The first values of what can be set at the table."""
        return {
            **self.settings,
            **{f"{PREFIX}{name}": str(one) for name, one in self.houses.items()},
        }

    @property
    def lamps(self) -> tuple[int | None, int | None, int | None, int | None]:
        """The lamps' pins, by seat."""
        by_seat = {panel.seat: panel.lamp for panel in self.panels}
        return by_seat.get(0), by_seat.get(1), by_seat.get(2), by_seat.get(3)


def config_of(values: Mapping[str, Any], houses: Mapping[str, House]) -> Config:
    """Return the configuration of values that are sound; a key that is left out is as usual."""
    fields = {key.field: _value(values, key.name) for key in KEYS if key.field}
    return Config(
        **fields | {"journal": journal_of(values)},
        panels=tuple(_panels(values)),
        displays=displays_of(values),
        settings={name: str(_value(values, key.name)) for name, key in within("settings")},
        houses=houses,
    )


def factory_of(values: Mapping[str, Any]) -> str:
    """Return the name of the pin factory."""
    return str(_value(values, "pins.factory"))


def journal_of(values: Mapping[str, Any]) -> Path:
    """Return the journal's folder."""
    return Path(_value(values, "table.journal_folder")).expanduser()


def displays_of(values: Mapping[str, Any]) -> tuple[Display, ...]:
    """Return the display, or both where the second is named."""
    second = any(key.partition(".")[0] == SECOND for key in values)
    return tuple(
        Display(
            **{name: _value(values, key.name, f"{table}.{name}") for name, key in within(FIRST)}
        )
        for table in (FIRST, SECOND)[: 1 + second]
    )


def _panels(values: Mapping[str, Any]) -> Iterator[PanelPins]:
    for seat, letter in enumerate(SEAT_LETTERS):
        ok, next_, lamp = (values.get(f"panel.{letter}.{key}") for key in PANEL_KEYS)
        if ok is not None:
            yield PanelPins(seat, ok, next_, lamp)
