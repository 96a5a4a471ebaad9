"""The table of configuration keys, each with its type and rule, and the values made of them.

The shipped file, pi_app/referee.toml, has the default of each key, and explains it.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from pi_app.config.toml import FIRST_DISPLAY, SECOND_DISPLAY, parse_values, read_text
from pi_app.settings import settings
from pi_app.settings.houses import HOUSE_PREFIX, House
from pi_app.texts.language import codes
from rules.board import SEAT_LETTERS
from rules.ruleset import OPTIONS, PRESETS


class ValueRule(NamedTuple):
    """A rule for the values of a key.

    accepts: returns whether a value is allowed. wanted: the allowed values, in words.
    shown: returns a wrong value as text for a message.
    """

    accepts: Callable[[Any], bool]
    wanted: str
    shown: Callable[[Any], str] = partial(json.dumps, default=str)


def whole_number(low: int, high: int, what: str) -> ValueRule:
    """Return the rule for a whole number from `low` to `high`. what: the thing it counts."""
    return ValueRule(lambda v: type(v) is int and low <= v <= high, f"{what}, {low} to {high}")


def one_of(*values: object) -> ValueRule:
    """Return the rule for exactly these values. 1, true and 1.0 differ."""
    shown = [json.dumps(value) for value in values]
    return ValueRule(
        lambda v: any(type(v) is type(value) and v == value for value in values),
        f"one of {', '.join(shown)}",
    )


def matching(pattern: str, wanted: str) -> ValueRule:
    """Return the rule for a printable text that matches the whole of a regular expression."""
    return ValueRule(
        lambda v: isinstance(v, str) and v.isprintable() and bool(re.fullmatch(pattern, v)), wanted
    )


def hexadecimal(value: object) -> str:
    """Return a value as TOML. A number has the form `0x3C` of the datasheets."""
    number = type(value) is int and value >= 0
    return f"0x{value:02X}" if number else json.dumps(value, default=str)


DEFAULT = Path(__file__).parents[1] / "referee.toml"  # the configuration as shipped
CHANGES = Path("/etc/pachisi-referee/referee.toml")  # the keys that differ from it on this machine
SHIPPED = parse_values(read_text(DEFAULT))

# The rules of keys that are no plain number or choice.
TRUE_OR_FALSE = one_of(True, False)
PIN = whole_number(0, 27, "a BCM pin number")
PART = ValueRule(lambda v: v is False or PIN.accepts(v), f"{PIN.wanted}, or false for none")
DEAD_TIME = whole_number(5, 100, "whole milliseconds")
I2C_ADDRESS = ValueRule(
    whole_number(0x08, 0x77, "").accepts, "an address, 0x08 to 0x77", hexadecimal
)
FOLDER = matching("~?/.*", 'an absolute folder, "/..." or "~/..."')
LASTING_PORT = matching(
    r"/dev/(?!tty(ACM|USB)\d+$).+|",
    'a port by its lasting name, "/dev/pachisi-chamber" or "/dev/serial/...", or "" for none',
)
LANGUAGE = ValueRule(
    lambda v: isinstance(v, str) and v.replace("-", "_") in ("", *codes()),
    f'one of {", ".join(json.dumps(code.replace("_", "-")) for code in codes())}, or ""',
)
PROGRAM = matching(r"(/\S*)?\w[\w.-]*|", 'a program, "espeak-ng" or its path, or "" for no voice')
SOUND_DEVICE = matching(
    r"([A-Za-z]\S*)?",
    'a sound device as `aplay -L` names it, such as "plughw:CARD=Headphones", or ""',
)
MOST_NAMES = 8  # of the page
NAMES = ValueRule(
    lambda v: isinstance(v, list) and len(v) <= MOST_NAMES and all(type(one) is str for one in v),
    f'a list of {MOST_NAMES} names at most, as ["pachisi.local"]',
)
FILE = matching("(/.*)?", 'the path of a file, "/...", or ""')
TLS = ValueRule(
    lambda v: type(v) is bool or (v != "" and FILE.accepts(v)),
    'true, false, or the path of a file with certificates, "/..."',
)
HOST = matching(r"[A-Za-z0-9._:-]*", 'a host name or an address, such as "192.168.1.7", or ""')
TOPIC_LEVEL = matching(r"[a-z0-9_-]{0,32}", "at most 32 of the letters a to z, digits, _ and -")
LEVELS = r"[a-z0-9_-]+(/[a-z0-9_-]+)*"
TOPIC_LEVELS = matching(
    LEVELS, 'letters a to z, digits, _ and -, with / between levels, as in "pachisi/london"'
)
TOPIC_LEVELS_OR_NONE = matching(rf"({LEVELS})?", f'{TOPIC_LEVELS.wanted}, or ""')
PRINTABLE = matching(".*", "a text in one line")
SEATS = ValueRule(
    lambda v: (
        isinstance(v, list)
        and sorted(map(str, v)) == [letter for letter in SEAT_LETTERS if letter in v]
    ),
    'a list of seats, as ["C", "D"]',
)


class ConfigKey(NamedTuple):
    """A key of the configuration. name: its full name. rule: its allowed values."""

    name: str
    rule: ValueRule

    def value(self, values: Mapping[str, Any], name: str = "") -> Any:
        """Return the key's value, a list as a tuple, or its default: a `PART` is then not there.

        name: its name in `values`, if that is another.
        """
        default = None if self.rule is PART else SHIPPED[self.name]
        value = values.get(name or self.name, default)
        return tuple(value) if isinstance(value, list) else value


def key(name: str, rule: ValueRule) -> Any:
    """Return a field of a dataclass for a key, as in `ConfigKey`."""
    this = ConfigKey(name, rule)
    return field(default=this.value({}), metadata={"key": this})


SPI_RESET = 25  # the usual pin of an SPI display's RES


@dataclass(frozen=True, slots=True)
class PanelPins:
    """The BCM pins of one seat's panel; None for a part that it does not have."""

    seat: int
    ok: int
    next: int | None = None
    lamp: int | None = None


@dataclass(frozen=True, slots=True)
class Display:
    """One display and its connection."""

    driver: str = key("display.driver", one_of("ssd1306", "ssd1309", "sh1106"))
    column_offset: int = key(
        "display.column_offset", whole_number(0, 4, "a column of the controller")
    )
    bus: str = key("display.bus", one_of("i2c", "spi"))
    rotation: int | str = key("display.rotation", one_of(0, 180, "turn"))
    far_seats: tuple[str, ...] = key("display.far_seats", SEATS)
    i2c_port: int = key("display.i2c_port", whole_number(0, 22, "an I2C bus"))
    i2c_address: int = key("display.i2c_address", I2C_ADDRESS)
    spi_port: int = key("display.spi_port", whole_number(0, 1, "an SPI bus"))
    spi_device: int = key("display.spi_device", whole_number(0, 2, "a chip-select"))
    spi_mhz: int = key("display.spi_mhz", one_of(1, 2, 4, 8, 16, 20))
    dc: int = key("display.dc", PIN)
    reset: int | None = key("display.reset", PART)
    language: str = key("display.language", LANGUAGE)

    @property
    def place(self) -> tuple[str, int, int]:
        """The bus, its number, and the address or chip-select, which no other display may have."""
        if self.bus == "i2c":
            return self.bus, self.i2c_port, self.i2c_address
        return self.bus, self.spi_port, self.spi_device


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The build of the table. Pins are BCM numbers."""

    panels: tuple[PanelPins, ...]
    displays: tuple[Display, ...]
    ruleset: str = key("table.ruleset", one_of("", *PRESETS))
    journal: Path = key("table.journal_folder", FOLDER)
    pin_factory: str = key("pins.factory", one_of("lgpio", "rpigpio"))
    dome: int | None = key("pins.dome", PART)
    power: int | None = key("pins.power", PART)
    buzzer: int | None = key("pins.buzzer", PART)
    press_dead_ms: int = key("pins.press_dead_ms", DEAD_TIME)
    release_dead_ms: int = key("pins.release_dead_ms", DEAD_TIME)
    chamber: str = key("chamber.port", LASTING_PORT)
    chamber_dice_from: str = key("chamber.dice_from", one_of("pi", "chamber"))
    voice: str = key("voice.program", PROGRAM)
    voice_device: str = key("voice.device", SOUND_DEVICE)
    voice_speed: int = key("voice.speed", whole_number(80, 450, "words a minute"))
    page_names: tuple[str, ...] = key("page.names", NAMES)
    page_chances: bool = key("page.chances", TRUE_OR_FALSE)
    page_export: bool = key("page.export", TRUE_OR_FALSE)
    mqtt_host: str = key("mqtt.host", HOST)
    mqtt_port: int = key("mqtt.port", whole_number(1, 65_535, "a port"))
    mqtt_tls: bool | str = key("mqtt.tls", TLS)
    mqtt_user: str = key("mqtt.user", PRINTABLE)
    mqtt_password_file: str = key("mqtt.password_file", FILE)
    mqtt_table: str = key("mqtt.table", TOPIC_LEVEL)
    mqtt_prefix: str = key("mqtt.prefix", TOPIC_LEVELS)
    mqtt_names: bool = key("mqtt.names", TRUE_OR_FALSE)
    mqtt_records: bool = key("mqtt.records", TRUE_OR_FALSE)
    mqtt_discovery: str = key("mqtt.discovery", TOPIC_LEVELS_OR_NONE)
    settings: Mapping[str, str]
    houses: Mapping[str, House]

    @property
    def first(self) -> dict[str, str]:
        """The settings by key, and the house rules, as they are before anybody changes them."""
        houses = {f"{HOUSE_PREFIX}{name}": str(house) for name, house in self.houses.items()}
        return {**self.settings, **houses}

    @property
    def lamps(self) -> tuple[int | None, int | None, int | None, int | None]:
        """The lamps' pins, by seat; None for a seat without a lamp."""
        by_seat = {panel.seat: panel.lamp for panel in self.panels}
        return by_seat.get(0), by_seat.get(1), by_seat.get(2), by_seat.get(3)


def _keys(kind: Any) -> dict[str, ConfigKey]:
    """Return the keys of a dataclass by their fields."""
    return {one.name: one.metadata["key"] for one in fields(kind) if one.metadata}


CONFIG_KEYS, DISPLAY_KEYS = _keys(Config), _keys(Display)
PANEL_KEYS = ("ok", "next", "lamp")
LETTERS = 'the letters of some panels in order, such as "AC", or ""'
_OWN_RULES = {  # of settings that are no choice among a few values, or may have none
    settings.CHILDREN: matching("A?B?C?D?", LETTERS),
    settings.NUMBERS: one_of("", *settings.NUMBERS.values),
    settings.LANGUAGE: LANGUAGE,
}
SETTING_KEYS = tuple(
    ConfigKey(f"settings.{one.key}", _OWN_RULES.get(one) or one_of(*one.values))
    for one in settings.SETTINGS
)

# The keys of a table of house rules, [house.NAME].
OPTION_RULES = {
    "base": one_of(*PRESETS),
    **{name: one_of(*option.values) for name, option in OPTIONS.items()},
    "blockade_limit": whole_number(0, 99, "turns of a blockade's owner"),
}

RULES = {
    **{key.name: key.rule for key in (*CONFIG_KEYS.values(), *DISPLAY_KEYS.values())},
    **{f"panel.{letter}.{name}": PART for letter in SEAT_LETTERS for name in PANEL_KEYS},
    **{key.name: key.rule for key in SETTING_KEYS},
}
ALL_RULES = RULES | {f"{SECOND_DISPLAY}.{name}": key.rule for name, key in DISPLAY_KEYS.items()}


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
    tables = (FIRST_DISPLAY, SECOND_DISPLAY)[: 1 + has_second]
    return tuple(_display(values, table) for table in tables)


def _display(values: Mapping[str, Any], table: str) -> Display:
    fields = {name: key.value(values, f"{table}.{name}") for name, key in DISPLAY_KEYS.items()}
    if fields["reset"] is None or fields["reset"] is False:  # 0 is a pin
        fields["reset"] = SPI_RESET if fields["bus"] == "spi" else None
    return Display(**fields)


def houses_of(values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the options of all house rules in values, by the name of the house rules."""
    houses: dict[str, dict[str, Any]] = {}
    for key, value in values.items():
        if key.startswith(HOUSE_PREFIX):
            name, dot, option = key.removeprefix(HOUSE_PREFIX).rpartition(".")
            houses.setdefault(name if dot else option, {}).update({option: value} if dot else {})
    return houses
