"""Checks the values of a configuration and finds all mistakes at once. Reads no file."""

import json
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from pi_app.config.config import Display, displays_of
from pi_app.config.keys import BOTH, FIRST, OPTION_RULES, RULES, SECOND
from pi_app.config.toml import Wrong
from pi_app.config.values import PART, ValueRule, hexadecimal, one_of
from pi_app.settings.addresses import MAX_HOST_LENGTH as LONGEST_HOST
from pi_app.settings.addresses import is_host, parse_host
from pi_app.settings.houses import MAX_NAME_LENGTH, PREFIX, house, is_edition_name, is_name
from pi_app.texts.language import ENGLISH
from pi_app.texts.rule_words import REFUSALS
from rules.ruleset import DEFAULT_PRESET, PRESETS, RuleSetError

HOUSE_NAME = f"a name is 1 to {MAX_NAME_LENGTH} letters from A to Z, digits, and between them ' & -"
HOST_NAME = f'letters a to z, digits, hyphens and dots, {LONGEST_HOST} at most, as "pachisi.local"'

I2C_PINS = {0: (0, 1), 1: (2, 3)}  # by bus, on the 40-pin header
SPI_PINS = {0: (7, 8, 9, 10, 11), 1: (16, 17, 18, 19, 20, 21)}  # with every chip-select

TABLES = {key[:n] for key in (*BOTH, PREFIX) for n, sign in enumerate(key) if sign == "."}

Houses = Mapping[str, Mapping[str, object]]  # by name, what a file says of each


def find_faults(
    values: Mapping[str, object], given: Mapping[str, object], houses: Houses
) -> Iterator[Wrong]:
    """Yield everything that is wrong. given: the values that the text itself names."""
    sound = {key: value for key, value in values.items() if is_sound(key, value)}
    named = {"table.ruleset": one_of(*PRESETS, *houses)}
    yield from _wrong_keys(given, BOTH | named)
    yield from _wrong_houses(houses)
    yield from _wrong_names(sound)
    yield from _missing_keys(values)
    yield from _one_place(sound)
    yield from _wrong_pins(sound, given)


def is_sound(key: str, value: object) -> bool:
    """Whether this is a key and a value that it may have."""
    return (key in BOTH and BOTH[key].accepts(value)) or (key, value) == (SECOND, {})


def _wrong_keys(values: Mapping[str, object], rules: Mapping[str, ValueRule]) -> Iterator[Wrong]:
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


def _wrong_houses(houses: Houses) -> Iterator[Wrong]:
    for name, changes in houses.items():
        key = PREFIX + name
        if not is_name(name):
            yield key, f"{_shown(key)} can't be called so: {HOUSE_NAME}"
        elif is_edition_name(name):
            yield key, f"{_shown(key)} can't be called so: an edition is called so"
        wrong = list(_wrong_options(key, changes))
        yield from wrong
        if not wrong:
            yield from _impossible(key, changes)


def _wrong_options(key: str, changes: Mapping[str, object]) -> Iterator[Wrong]:
    if "base" not in changes:
        yield key, f'{_shown(key)} has no base: write base = "{DEFAULT_PRESET}" or another edition'
    for option, value in changes.items():
        rule = OPTION_RULES.get(option)
        if rule is None:
            hint = _hint(get_close_matches(option, OPTION_RULES, n=1))
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
            host = parse_host(name)
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
    displays = dict(zip((FIRST, SECOND), displays_of(values), strict=False))
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
    first, *others = displays_of(values)
    if first.place in [other.place for other in others]:
        bus, port, place = first.place
        key = "i2c_address" if bus == "i2c" else "spi_device"
        at = f"address {hexadecimal(place)}" if bus == "i2c" else f"chip-select {place}"
        yield (
            f"{SECOND}.{key}",
            f"both displays are at {at} of {bus} {port}: give each its own {key}",
        )
