"""The configuration: one TOML file read into one frozen value. Opens no pin, port or panel.

A file is a whole configuration, but for CHANGES: that one names only what differs from what ships.
"""

import json
import os
import re
import stat
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from difflib import get_close_matches
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pi_app.input.debounce import Contact
from pi_app.input.events import Button, DrawnBy, Setup
from pi_app.settings.addresses import LONGEST as LONGEST_HOST
from pi_app.settings.addresses import host_in, is_host
from pi_app.settings.houses import (
    LONGEST_NAME,
    PREFIX,
    House,
    house,
    is_name,
    names_an_edition,
)
from pi_app.settings.settings import (
    BRIGHTNESSES,
    DICE_FROM,
    HINTS_ARE,
    SETTINGS,
    VOLUMES,
    seat_letters,
    volume,
)
from pi_app.texts.language import ENGLISH
from pi_app.texts.rule_words import REFUSALS
from rules.board import SEAT_LETTERS
from rules.ruleset import DEFAULT_PRESET, OPTIONS, PRESETS, RuleSetError

DEFAULT = Path(__file__).with_name("referee.toml")  # the configuration as shipped
CHANGES = Path("/etc/pachisi-referee/referee.toml")  # the keys of this machine that differ from it

HOUSE_NAME = f"a name is 1 to {LONGEST_NAME} letters from A to Z, digits, and between them ' & -"
HOST_NAME = f'letters a to z, digits, hyphens and dots, {LONGEST_HOST} at most, as "pachisi.local"'

LONGEST = 64_000  # bytes of a file: ten times the one that is shipped
LONGEST_LINE = 1000  # characters: what a key of 50,000 parts costs grows with their square
MOST_SENTENCES = 20
MOST_NAMES = 8  # of the page

I2C_PINS = {0: (0, 1), 1: (2, 3)}  # by bus, on the 40-pin header
SPI_PINS = {0: (7, 8, 9, 10, 11), 1: (16, 17, 18, 19, 20, 21)}  # with every chip-select


Wrong = tuple[str, str]  # the key, and what is wrong with it in one sentence
Houses = Mapping[str, Mapping[str, object]]  # by name, what a file says of each


class ConfigError(Exception):
    """A configuration that can't be used: all that is wrong with it, a sentence each."""

    def __init__(self, sentences: list[str]) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = tuple(sentences)


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

    driver: Literal["ssd1306", "ssd1309", "sh1106"] = "ssd1306"
    bus: Literal["i2c", "spi"] = "i2c"
    rotation: Literal[0, 180, "turn"] = 0
    far_seats: tuple[str, ...] = ("C", "D")
    i2c_port: int = 1
    i2c_address: int = 0x3C
    spi_port: int = 0
    spi_device: int = 0
    spi_mhz: int = 8
    dc: int = 24
    reset: int = 25

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
    press_dead_s: float
    release_dead_s: float
    chamber: str
    chamber_mode: DrawnBy
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
    def buttons(self) -> dict[int, Button]:
        """Which button is at which pin."""
        pins = {panel.ok: Button(panel.seat, "ok") for panel in self.panels}
        pins |= {p.next: Button(p.seat, "next") for p in self.panels if p.next is not None}
        if self.dome is not None:
            pins[self.dome] = Button(None, "dome")
        if self.power is not None:
            pins[self.power] = Button(None, "power")
        return pins

    @property
    def lamps(self) -> tuple[int | None, int | None, int | None, int | None]:
        """The lamps' pins, by seat."""
        by_seat = {panel.seat: panel.lamp for panel in self.panels}
        return by_seat.get(0), by_seat.get(1), by_seat.get(2), by_seat.get(3)

    @property
    def setup(self) -> Setup:
        """What the session has to know of it."""
        return Setup(
            panels=tuple(panel.seat for panel in self.panels),
            next_buttons=tuple(panel.seat for panel in self.panels if panel.next is not None),
            dome=self.dome is not None,
            rolls=self.chamber_mode == "roll",
            ruleset=self.ruleset,
            lamps=tuple(panel.seat for panel in self.panels if panel.lamp is not None),
            buzzer=self.buzzer is not None,
            power=self.power is not None,
            chances=self.page_chances,
        )

    def contacts(self, levels: Mapping[int, int]) -> dict[int, Contact]:
        """Return the debouncer's values at start, given each pin's level."""
        return {
            pin: Contact(button, self.press_dead_s, self.release_dead_s, level=levels[pin])
            for pin, button in self.buttons.items()
        }


def in_force(changes: Path = CHANGES) -> Path:
    """Return the file of a table that is given none: the changes where they are, else DEFAULT."""
    try:
        changes.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return DEFAULT
    except OSError:
        return changes  # reading it will say why it can't be
    return changes


def load_config(path: Path, changes: Path = CHANGES) -> Config:
    """Read a configuration file; ConfigError with everything that is wrong with it.

    changes: the file whose missing keys have their shipped values; in another they are not there.
    """
    text = _text(path)
    shipped = _values(_text(DEFAULT)) if path.absolute() == changes else {}
    try:
        return parse_config(text, shipped)
    except ConfigError as error:
        raise ConfigError([f"{path}, {what}" for what in error.sentences]) from None


def config_text(config: Config) -> str:
    """Return every key of a configuration as TOML that reads back as the same."""
    panels = {panel.seat: panel for panel in config.panels}
    first, *others = config.displays
    values = {
        "table.ruleset": config.ruleset,
        "table.journal": str(config.journal),
        "pins.factory": config.pin_factory,
        "pins.dome": config.dome,
        "pins.power": config.power,
        "pins.buzzer": config.buzzer,
        "pins.press_dead_ms": round(config.press_dead_s * 1000),
        "pins.release_dead_ms": round(config.release_dead_s * 1000),
        **{
            f"panel.{letter}.{key}": getattr(panels.get(seat), key, None)
            for seat, letter in enumerate(SEAT_LETTERS)
            for key in PANEL_KEYS
        },
        **({} if others else _display_values(first, "display.")),
        "chamber.port": config.chamber,
        "chamber.mode": config.chamber_mode,
        "voice.program": config.voice,
        "voice.speed": config.voice_speed,
        "page.names": config.page_names,
        "page.chances": config.page_chances,
        **{f"settings.{key}": value for key, value in config.settings.items()},
        **{
            f"{PREFIX}{json.dumps(name)}.{key}": value
            for name, one in config.houses.items()
            for key, value in one.changes.items()
        },
    }
    tables = [_display_values(display) for display in config.displays if others]
    return _text_of(values) + "".join(f"[[display]]\n{_text_of(table)}" for table in tables)


def _display_values(display: Display, within: str = "") -> dict[str, object]:
    return {f"{within}{name}": value for name, value in asdict(display).items()}


def _text_of(values: Mapping[str, object]) -> str:
    told = {key: False if value is None else value for key, value in values.items()}
    written = {
        key: _hexadecimal(value)
        if key.endswith("address")
        else json.dumps(value, ensure_ascii=False)
        for key, value in told.items()
    }
    return "".join(f"{key} = {value}\n" for key, value in written.items())


def load_displays(path: Path) -> tuple[tuple[Display, ...], str]:
    """Return the displays and pin factory of a file that may be wrong, as shipped where it is."""
    sound = _sound_values(path)
    return _displays(sound), str(sound.get("pins.factory", "lgpio"))


def load_journal(path: Path) -> Path:
    """Return the journal's folder of a file that may be wrong, as shipped where it is."""
    return _journal(_sound_values(path))


def _sound_values(path: Path) -> dict[str, object]:
    try:
        values = _values(_text(path))
    except ConfigError:
        return {}
    return {key: value for key, value in values.items() if _is_sound(key, value)}


def _text(path: Path) -> str:
    """Return a file's text; ConfigError for what is none, or too long to be a configuration."""
    try:
        data = _bytes(path)
    except OSError as error:
        denied = isinstance(error, PermissionError)
        readable = f"make it readable by `sudo chmod a+r {path}`, or " if denied else ""
        what = f"{path} can't be read ({error.strerror}): {readable}name another file"
        raise ConfigError([what]) from None
    if len(data) > LONGEST:
        raise ConfigError([f"{path} is longer than {LONGEST // 1000} kB: name another file"])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError([f"{path} is not text in UTF-8: save it as such"]) from None


def _bytes(path: Path) -> bytes:
    """Return a file's first bytes, one more than are allowed; never waits for a pipe."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(0, "not a file but a pipe or a device")
        return file.read(LONGEST + 1)


def check(path: Path) -> list[str]:
    """Return what is wrong with a configuration file, nothing if it can be used."""
    try:
        load_config(path)
    except ConfigError as error:
        return list(error.sentences)
    return []


def parse_config(text: str, defaults: Mapping[str, object] | None = None) -> Config:
    """Return what the text of a configuration says; ConfigError names each wrong line.

    defaults: the values of the keys that the text leaves out, by their names in full.
    """
    given = _values(text)
    left_out = {key: v for key, v in (defaults or {}).items() if key not in given}
    values = _without_parts(left_out | given)
    houses = _house_tables(values)
    values = {key: value for key, value in values.items() if not key.startswith(PREFIX)}
    wrong = list(islice(_wrong(values, given, houses), MOST_SENTENCES + 1))
    if wrong:
        told = sorted(_placed(wrong[:MOST_SENTENCES], _lines(text.splitlines())))
        more = ["more is wrong than this: correct these first"] if len(wrong) > len(told) else []
        raise ConfigError([*(f"line {n}: {what}" for n, what in told), *more])
    return _config(values, {name: house(changes) for name, changes in houses.items()})


def _values(text: str) -> dict[str, object]:
    """Return what a text says of each key; ConfigError where it is no TOML."""
    lines = text.splitlines()
    if long := [n for n, line in enumerate(lines, 1) if len(line) > LONGEST_LINE]:
        what = f"longer than {LONGEST_LINE} characters: break it or take it out"
        raise ConfigError([f"line {long[0]}: {what}"])
    try:
        return dict(_leaves(tomllib.loads(text)))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        told = _declared_twice(str(error), lines) or _syntax_error(str(error))
        raise ConfigError([told]) from None


def _without_parts(values: Mapping[str, object]) -> dict[str, object]:
    """Return what is left where `false` says that a part is not there: with its ok a panel goes."""
    out = {key for key, value in values.items() if value is False and RULES.get(key) is PART}
    panels = tuple(key.removesuffix("ok") for key in out if key.endswith(".ok"))
    return {k: value for k, value in values.items() if k not in out and not k.startswith(panels)}


def _wrong(
    values: Mapping[str, object], given: Mapping[str, object], houses: Houses
) -> Iterator[Wrong]:
    sound = {key: value for key, value in values.items() if _is_sound(key, value)}
    named = {"table.ruleset": _one_of(*PRESETS, *houses)}
    yield from _wrong_keys(given, BOTH | named)
    yield from _wrong_houses(houses)
    yield from _wrong_names(sound)
    yield from _missing_keys(values)
    yield from _one_place(sound)
    yield from _wrong_pins(sound, given)


# What each key may be.


class Rule(NamedTuple):
    """Which values a key may have, and how that is said to who wrote another."""

    accepts: Callable[[Any], bool]
    wanted: str
    shown: Callable[[Any], str] = partial(json.dumps, default=str)


def _whole(low: int, high: int, what: str) -> Rule:
    return Rule(lambda v: type(v) is int and low <= v <= high, f"{what}, {low} to {high}")


def _hexadecimal(value: object) -> str:
    number = type(value) is int and value >= 0
    return f"0x{value:02X}" if number else json.dumps(value, default=str)


def _one_of(*values: object) -> Rule:
    shown = [json.dumps(value) for value in values]
    return Rule(
        lambda v: any(type(v) is type(value) and v == value for value in values),
        f"one of {', '.join(shown)}",
    )


def _is_folder(value: object) -> bool:
    return isinstance(value, str) and value.isprintable() and value.startswith(("/", "~/"))


def _is_lasting_port(value: object) -> bool:
    if not isinstance(value, str) or not value.isprintable():
        return False
    return value == "" or re.fullmatch(r"/dev/(?!tty(ACM|USB)\d+$).+", value) is not None


def _is_program(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"(/\S*)?\w[\w.-]*|", value) is not None


def _are_seats(value: object) -> bool:
    return isinstance(value, list) and sorted(map(str, value)) == [
        letter for letter in SEAT_LETTERS if letter in value
    ]


def _are_texts(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= MOST_NAMES
        and all(isinstance(one, str) for one in value)
    )


def _is_seats(value: object) -> bool:
    try:
        return isinstance(value, str) and seat_letters(value) == value
    except ValueError:
        return False


def _is_volume(value: object) -> bool:
    try:
        return isinstance(value, str) and volume(value) in VOLUMES
    except ValueError:
        return False


PIN = _whole(0, 27, "a BCM pin number")
PART = Rule(lambda v: v is False or PIN.accepts(v), f"{PIN.wanted}, or false for none")
PANEL_KEYS = ("ok", "next", "lamp")
RULES: dict[str, Rule] = {
    "table.ruleset": _one_of(*PRESETS),
    "table.journal": Rule(_is_folder, 'an absolute folder, "/..." or "~/..."'),
    "pins.factory": _one_of("lgpio", "rpigpio"),
    "pins.dome": PART,
    "pins.power": PART,
    "pins.buzzer": PART,
    "pins.press_dead_ms": _whole(5, 100, "whole milliseconds"),
    "pins.release_dead_ms": _whole(5, 100, "whole milliseconds"),
    **{f"panel.{letter}.{key}": PART for letter in SEAT_LETTERS for key in PANEL_KEYS},
    "display.driver": _one_of("ssd1306", "ssd1309", "sh1106"),
    "display.bus": _one_of("i2c", "spi"),
    "display.rotation": _one_of(0, 180, "turn"),
    "display.far_seats": Rule(_are_seats, 'a list of seats, as ["C", "D"]'),
    "display.i2c_port": _whole(0, 22, "an I2C bus"),
    "display.i2c_address": Rule(
        _whole(0x08, 0x77, "").accepts, "an address, 0x08 to 0x77", _hexadecimal
    ),
    "display.spi_port": _whole(0, 1, "an SPI bus"),
    "display.spi_device": _whole(0, 2, "a chip-select"),
    "display.spi_mhz": _one_of(1, 2, 4, 8, 16, 20),
    "display.dc": PIN,
    "display.reset": PIN,
    "chamber.port": Rule(
        _is_lasting_port,
        'a port by its lasting name, "/dev/pachisi-chamber" or "/dev/serial/...", or "" for none',
    ),
    "chamber.mode": _one_of("press", "roll"),
    "voice.program": Rule(_is_program, 'a program, "espeak-ng" or its path, or "" for no voice'),
    "voice.speed": _whole(80, 450, "words a minute"),
    "page.names": Rule(_are_texts, f'a list of {MOST_NAMES} names at most, as ["pachisi.local"]'),
    "page.chances": _one_of(True, False),
    "settings.sound": Rule(_is_volume, _one_of(*VOLUMES).wanted),
    "settings.brightness": _one_of(*BRIGHTNESSES),
    "settings.dice": _one_of(*DICE_FROM),
    "settings.hints": _one_of(*HINTS_ARE),
    "settings.children": Rule(
        _is_seats, 'the letters of some panels in order, such as "AC", or ""'
    ),
}

HOUSE_RULES: dict[str, Rule] = {
    "base": _one_of(*PRESETS),
    **{name: _one_of(*option.values) for name, option in OPTIONS.items()},
    "blockade_limit": _whole(0, 99, "turns of a blockade's owner"),
}

USUAL = {one.key: one.usual for one in SETTINGS}
FIRST, SECOND = "display", "display 2"  # what the tables are called here; in a file both alike
BOTH = RULES | {
    key.replace(FIRST, SECOND): rule for key, rule in RULES.items() if key.startswith(FIRST)
}
TABLES = {key[:n] for key in (*BOTH, PREFIX) for n, sign in enumerate(key) if sign == "."}


def _is_sound(key: str, value: object) -> bool:
    return (key in BOTH and BOTH[key].accepts(value)) or (key, value) == (SECOND, {})


def _wrong_keys(values: Mapping[str, object], rules: Mapping[str, Rule]) -> Iterator[Wrong]:
    for key, value in values.items():
        if key in rules and not rules[key].accepts(value):
            yield key, f"{key} is {rules[key].shown(value)}: write {rules[key].wanted}"
        elif key == FIRST and isinstance(value, list):
            yield key, f"{key} is a list of {len(value)}: write [[display]] once or twice"
        elif key not in rules and not key.startswith(PREFIX) and (value != {} or key not in TABLES):
            yield key, _unknown(key)


def _unknown(key: str) -> str:
    near = get_close_matches(key, RULES, n=1, cutoff=0.8)
    return f"{_shown(key)} is no key of this configuration: {_hint(near)}"


def _hint(near: list[str]) -> str:
    return f"is it {near[0]}?" if near else "take it out"


def _shown(key: str) -> str:
    return key if key.isprintable() else repr(key)


# House rules: a table each, of a base and what differs from it.


def _house_tables(values: Mapping[str, object]) -> dict[str, dict[str, object]]:
    """Return what is said of each of the house rules, by name."""
    houses: dict[str, dict[str, object]] = {}
    for key, value in values.items():
        if key.startswith(PREFIX):
            name, dot, option = key.removeprefix(PREFIX).rpartition(".")
            houses.setdefault(name if dot else option, {}).update({option: value} if dot else {})
    return houses


def _wrong_houses(houses: Houses) -> Iterator[Wrong]:
    for name, changes in houses.items():
        key = PREFIX + name
        if not is_name(name):
            yield key, f"{_shown(key)} can't be called so: {HOUSE_NAME}"
        elif names_an_edition(name):
            yield key, f"{_shown(key)} can't be called so: an edition is called so"
        wrong = list(_wrong_options(key, changes))
        yield from wrong
        if not wrong:
            yield from _impossible(key, changes)


def _wrong_options(key: str, changes: Mapping[str, object]) -> Iterator[Wrong]:
    if "base" not in changes:
        yield key, f'{_shown(key)} has no base: write base = "{DEFAULT_PRESET}" or another edition'
    for option, value in changes.items():
        rule = HOUSE_RULES.get(option)
        if rule is None:
            hint = _hint(get_close_matches(option, HOUSE_RULES, n=1))
            yield (
                f"{key}.{option}",
                f"{_shown(f'{key}.{option}')} is no option of the rules: {hint}",
            )
        elif not rule.accepts(value):
            what = f"{_shown(f'{key}.{option}')} is {rule.shown(value)}: write {rule.wanted}"
            yield f"{key}.{option}", what


def _impossible(key: str, changes: Mapping[str, object]) -> Iterator[Wrong]:
    try:
        house(changes)
    except RuleSetError as error:
        yield key, f"{_shown(key)}: {error} ({ENGLISH.say(REFUSALS[error.together])})"


def _wrong_names(values: Mapping[str, Any]) -> Iterator[Wrong]:
    for name in values.get("page.names", ()):
        if not is_host(name):
            host = host_in(name)
            write = json.dumps(host) if host else HOST_NAME
            yield "page.names", f"page.names has {json.dumps(name)}: write {write}"


def _missing_keys(values: Mapping[str, object]) -> Iterator[Wrong]:
    panels = sorted({".".join(key.split(".")[:2]) for key in values} & TABLES)
    panels = [panel for panel in panels if panel.startswith("panel.")]
    for panel in panels:
        if f"{panel}.ok" not in values:
            yield panel, f"{panel} has no ok: give its OK button's pin, or leave the panel out"
    if len(panels) < 2:
        yield (
            "panel",
            f"panels configured: {len(panels)}; a game needs two, panel.A to panel.D",
        )


def _wrong_pins(values: Mapping[str, Any], given: Mapping[str, object]) -> Iterator[Wrong]:
    displays = dict(zip((FIRST, SECOND), _displays(values), strict=False))
    taken = {pin: (name, one) for name, one in displays.items() for pin in _bus_pins(one)}
    used: dict[int, str] = {}
    for key, pin in sorted(_pins(values, displays), key=lambda one: one[0] in given):
        ours = key in given
        name = key.partition(".")[0]
        what = f"{key} is pin {pin}" if ours else f"{key} is pin {pin} by default"
        if pin in taken:
            of, display = taken[pin]
            at = key if ours else f"{of}.{display.bus}_port"
            yield at, f"{what}, which the {display.bus} display needs: take another"
        elif pin in used:
            at = (
                key if ours else name if name in displays else f"{FIRST}.{displays[FIRST].bus}_port"
            )
            already = "already" if used[pin] in given else "by default"
            yield at, f"{what}, which is {used[pin]} {already}: give each its own"
        used.setdefault(pin, key)


def _bus_pins(display: Display) -> tuple[int, ...]:
    if display.bus == "i2c":
        return I2C_PINS.get(display.i2c_port, ())
    return SPI_PINS[display.spi_port]


def _pins(values: Mapping[str, Any], displays: Mapping[str, Display]) -> Iterator[tuple[str, int]]:
    for key in values:
        if BOTH.get(key) is PART:
            yield key, values[key]
    for name, display in displays.items():
        if display.bus == "spi":
            yield f"{name}.dc", display.dc
            yield f"{name}.reset", display.reset


def _one_place(values: Mapping[str, Any]) -> Iterator[Wrong]:
    """Yield that both displays are at one place of a bus."""
    first, *others = _displays(values)
    if first.place in [other.place for other in others]:
        bus, port, place = first.place
        key = "i2c_address" if bus == "i2c" else "spi_device"
        at = f"address {_hexadecimal(place)}" if bus == "i2c" else f"chip-select {place}"
        yield (
            f"{SECOND}.{key}",
            f"both displays are at {at} of {bus} {port}: give each its own {key}",
        )


def _config(values: Mapping[str, Any], houses: Mapping[str, House]) -> Config:
    return Config(
        panels=tuple(_panels(values)),
        displays=_displays(values),
        ruleset=values.get("table.ruleset", DEFAULT_PRESET),
        journal=_journal(values),
        pin_factory=values.get("pins.factory", "lgpio"),
        dome=values.get("pins.dome"),
        power=values.get("pins.power"),
        buzzer=values.get("pins.buzzer"),
        press_dead_s=values.get("pins.press_dead_ms", 20) / 1000,
        release_dead_s=values.get("pins.release_dead_ms", 20) / 1000,
        chamber=values.get("chamber.port", ""),
        chamber_mode=values.get("chamber.mode", "press"),
        voice=values.get("voice.program", ""),
        voice_speed=values.get("voice.speed", 150),
        page_names=tuple(values.get("page.names", ())),
        page_chances=values.get("page.chances", False),
        settings={key: str(values.get(f"settings.{key}", usual)) for key, usual in USUAL.items()},
        houses=houses,
    )


def _journal(values: Mapping[str, Any]) -> Path:
    return Path(values.get("table.journal", "/var/lib/pachisi-referee")).expanduser()


def _panels(values: Mapping[str, Any]) -> Iterator[PanelPins]:
    for seat, letter in enumerate(SEAT_LETTERS):
        ok, next_, lamp = (values.get(f"panel.{letter}.{key}") for key in PANEL_KEYS)
        if ok is not None:
            yield PanelPins(seat, ok, next_, lamp)


def _displays(values: Mapping[str, Any]) -> tuple[Display, ...]:
    second = any(key.partition(".")[0] == SECOND for key in values)
    return tuple(_display(values, name) for name in (FIRST, SECOND)[: 1 + second])


def _display(values: Mapping[str, Any], name: str) -> Display:
    given = {field.name: values.get(f"{name}.{field.name}") for field in fields(Display)}
    told = {key: value for key, value in given.items() if value is not None}
    if "far_seats" in told:
        told["far_seats"] = tuple(told["far_seats"])
    return Display(**told)


# Where each key stands in the text.


def _leaves(table: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, object]]:
    """Yield every key by its name in full with its value; an empty table is a value.

    Where [[display]] stands twice, the second is a table of its own name.
    """
    for name, value in table.items():
        if not within and name == FIRST and _are_displays(value):
            yield from _leaves(dict(zip((FIRST, SECOND), value, strict=False)))
        elif isinstance(value, dict) and value:
            yield from _leaves(value, f"{within}{name}.")
        else:
            yield f"{within}{name}", value


def _are_displays(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) in (1, 2)
        and all(isinstance(one, dict) for one in value)
    )


def _lines(texts: list[str]) -> dict[str, int]:
    """Return the line in which each table and key is first named, by `_name` of it."""
    lines: dict[str, int] = {}
    table, second = "", _name(SECOND)
    for n, line in enumerate(texts, 1):
        if header := _header(line):
            again = header == FIRST in lines
            key = table = second if again else header
        elif name := re.match(r"\s*([^=#]+?)\s*=", line):
            key = f"{table}.{_name(name[1])}" if table else _name(name[1])
        else:
            continue
        for end in (*(at.start() for at in re.finditer(r"\.", key)), len(key)):
            lines.setdefault(key[:end], n)
    return {second: lines.get(FIRST, 1)} | lines  # both may stand in one line


def _header(line: str) -> str | None:
    """The table that a line begins: `panel.A` for [panel.A]."""
    found = re.match(r"\s*\[+([^\[\]]+)\]", line)
    return _name(found[1]) if found else None


def _name(written: str) -> str:
    return re.sub(r"[\s\"']", "", written)


def _placed(wrong: list[Wrong], lines: Mapping[str, int]) -> Iterator[tuple[int, str]]:
    for key, what in wrong:
        place = _name(key)
        while place and place not in lines:
            place = place.rpartition(".")[0]
        yield lines.get(place, 1), what


def _declared_twice(message: str, lines: list[str]) -> str | None:
    """Return what tomllib's message says of a table, None where it speaks of something else."""
    found = re.match(r"Cannot (?:declare .* twice|overwrite a value) \(at line (\d+),", message)
    if found is None:
        return None
    *above, line = lines[: int(found[1])]
    table = _header(line)
    places = [n for n, other in enumerate(above, 1) if table and _header(other) == table]
    if not places:  # it is written in another way, as `display = {}`
        return None
    two = ", or [[display]] in both places where there are two" if table == FIRST else ""
    what = f"[{table}] is there already, in line {places[0]}: write its keys below that line{two}"
    return f"line {found[1]}: {what}"


def _syntax_error(message: str) -> str:
    place = re.search(r" \(at (?:line (\d+)|end of document).*\)", message)
    line = f"line {place[1]}" if place and place[1] else "last line"
    what = message[: place.start()] if place else message
    return f"{line}: not TOML ({what[:1].lower()}{what[1:]}): correct this first"
