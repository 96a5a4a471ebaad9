"""Finds all mistakes in the values of a configuration at once. It reads no file."""

import json
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from pi_app.config import keys
from pi_app.config.toml import FIRST_DISPLAY, SECOND_DISPLAY, Mistake
from pi_app.settings.addresses import MAX_HOST_LENGTH as LONGEST_HOST
from pi_app.settings.addresses import is_host, parse_host
from pi_app.settings.houses import HOUSE_PREFIX, MAX_NAME_LENGTH, house, is_edition_name, is_name
from pi_app.texts.language import ENGLISH
from pi_app.texts.rule_words import REFUSALS
from rules.ruleset import DEFAULT_PRESET, PRESETS, RuleSetError

HOUSE_NAME = f"a name is 1 to {MAX_NAME_LENGTH} letters from A to Z, digits, and between them ' & -"
HOST_NAME = f'letters a to z, digits, hyphens and dots, {LONGEST_HOST} at most, as "pachisi.local"'

I2C_PINS: dict[int, tuple[int, ...]] = {0: (0, 1), 1: (2, 3)}  # by bus, on the 40-pin header
SPI_PINS = {0: (7, 8, 9, 10, 11), 1: (16, 17, 18, 19, 20, 21)}  # with every chip-select

TABLES = {
    key[:n] for key in (*keys.ALL_RULES, HOUSE_PREFIX) for n, one in enumerate(key) if one == "."
}

Houses = Mapping[str, Mapping[str, object]]  # the options of each by its name, as in the file


def find_mistakes(
    values: Mapping[str, object], given: Mapping[str, object], houses: Houses
) -> Iterator[Mistake]:
    """Yield all mistakes.

    values: by full name, without house rules. given: those that the text itself has, not by
    default. houses: the options of the house rules, by name.
    """
    sound: dict[str, Any] = {key: value for key, value in values.items() if is_sound(key, value)}
    rules = keys.ALL_RULES | {"table.ruleset": keys.one_of("", *PRESETS, *houses)}
    for key, value in given.items():
        if key in rules and not rules[key].accepts(value):
            yield key, f"{key} is {rules[key].shown(value)}: write {rules[key].wanted}"
        elif key == FIRST_DISPLAY and isinstance(value, list):
            yield key, f"{key} is a list of {len(value)}: write [[display]] once or twice"
        elif (
            key not in rules
            and not key.startswith(HOUSE_PREFIX)
            and (value != {} or key not in TABLES)
        ):
            hint = _hint(get_close_matches(key, keys.RULES, n=1, cutoff=0.8))
            yield key, f"{_shown(key)} is not a key of this configuration: {hint}"
    yield from _wrong_houses(houses)
    for name in sound.get("page.names", ()):
        if not is_host(name):
            host = parse_host(name)
            write = json.dumps(host) if host else HOST_NAME
            yield "page.names", f"page.names has {json.dumps(name)}: write {write}"
    yield from _missing_keys(values)
    yield from _displays_in_one_place(sound)
    yield from _wrong_pins(sound, given)


def is_sound(key: str, value: object) -> bool:
    """Return whether this is a key of the configuration with an allowed value."""
    is_empty_display = key == SECOND_DISPLAY and value == {}
    return is_empty_display or (key in keys.ALL_RULES and keys.ALL_RULES[key].accepts(value))


def _hint(near: list[str]) -> str:
    return f"is it {near[0]}?" if near else "take it out"


def _shown(key: str) -> str:
    return key if key.isprintable() else repr(key)


# House rules: a table each, with a base and the options that differ from it.


def _wrong_houses(houses: Houses) -> Iterator[Mistake]:
    for name, changes in houses.items():
        key = HOUSE_PREFIX + name
        if not is_name(name):
            yield key, f"{_shown(key)} can't be called so: {HOUSE_NAME}"
        elif is_edition_name(name):
            yield key, f"{_shown(key)} can't be called so: an edition is called so"
        wrong: list[Mistake] = []
        if "base" not in changes:
            write = f'write base = "{DEFAULT_PRESET}" or another edition'
            wrong.append((key, f"{_shown(key)} has no base: {write}"))
        for option, value in changes.items():
            place, rule = f"{key}.{option}", keys.OPTION_RULES.get(option)
            if rule is None:
                hint = _hint(get_close_matches(option, keys.OPTION_RULES, n=1))
                wrong.append((place, f"{_shown(place)} is not an option of the rules: {hint}"))
            elif not rule.accepts(value):
                what = f"{_shown(place)} is {rule.shown(value)}: write {rule.wanted}"
                wrong.append((place, what))
        yield from wrong
        if not wrong:
            try:
                house(changes)
            except RuleSetError as error:
                why = REFUSALS.get(error.together)
                yield key, f"{_shown(key)}: {error}" + (f" ({ENGLISH.say(why)})" if why else "")


def _missing_keys(values: Mapping[str, object]) -> Iterator[Mistake]:
    panels = sorted({".".join(key.split(".")[:2]) for key in values} & TABLES)
    panels = [panel for panel in panels if panel.startswith("panel.")]
    for panel in panels:
        if f"{panel}.ok" not in values:
            yield panel, f"{panel} has no ok: give its OK button's pin, or leave the panel out"
    if len(panels) < 2:
        what = f"panels configured: {len(panels)}; a game needs two, panel.A to panel.D"
        yield "panel", f"{what}. Only {keys.CHANGES} may leave out what is as shipped"


def _wrong_pins(values: Mapping[str, Any], given: Mapping[str, object]) -> Iterator[Mistake]:
    displays = dict(zip((FIRST_DISPLAY, SECOND_DISPLAY), keys.displays_of(values), strict=False))
    bus_pins: dict[int, tuple[str, keys.Display]] = {}
    pins = [
        (key, pin)
        for key, pin in values.items()
        if keys.ALL_RULES.get(key) is keys.PART and key.partition(".")[0] not in displays
    ]
    for name, display in displays.items():
        if display.bus == "i2c":
            needed = I2C_PINS.get(display.i2c_port, ())
        else:
            needed = SPI_PINS[display.spi_port]
            pins.append((f"{name}.dc", display.dc))
        if display.reset is not None:
            pins.append((f"{name}.reset", display.reset))
        bus_pins |= dict.fromkeys(needed, (name, display))
    used: dict[int, str] = {}
    for key, pin in sorted(pins, key=lambda pair: pair[0] in given):
        is_given = key in given
        name = key.partition(".")[0]
        what = f"{key} is pin {pin}" if is_given else f"{key} is pin {pin} by default"
        if pin in bus_pins:
            owner, display = bus_pins[pin]
            place = key if is_given else f"{owner}.{display.bus}_port"
            yield place, f"{what}, which the {display.bus} display needs: take another"
        elif pin in used:
            place = f"{FIRST_DISPLAY}.{displays[FIRST_DISPLAY].bus}_port"
            if is_given or name in displays:
                place = key if is_given else name
            already = "already" if used[pin] in given else "by default"
            yield place, f"{what}, which is {used[pin]} {already}: give each its own"
        used.setdefault(pin, key)


def _displays_in_one_place(values: Mapping[str, Any]) -> Iterator[Mistake]:
    first, *others = keys.displays_of(values)
    if first.place in [other.place for other in others]:
        bus, port, place = first.place
        key = "i2c_address" if bus == "i2c" else "spi_device"
        at = f"address {keys.hexadecimal(place)}" if bus == "i2c" else f"chip-select {place}"
        what = f"both displays are at {at} of {bus} {port}: give each its own {key}"
        yield f"{SECOND_DISPLAY}.{key}", what
