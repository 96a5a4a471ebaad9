"""The screens that the tests of the table have shown, kept in tests/screens/shown.txt.

For each message in each place of a screen, and for the keys that share a line, the file has the
screen on which it was longest in English, without the pawns. `pytest --redraw` adds what is shown
then, so each language can draw every message in a moment. No test is in here.
"""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pi_app.model import screens as screens
from pi_app.model.screens import (
    NOTHING,
    BoardMap,
    BoardScreen,
    Curve,
    Message,
    Screen,
    Text,
    TextScreen,
    table_map,
)
from pi_app.texts.language import ENGLISH
from pi_app.texts.words import keys_line
from rules.game import new_game
from rules.ruleset import DEFAULT_PRESET, PRESETS

FILE = Path(__file__).parents[2] / "screens" / "shown.txt"
EMPTY_MAP = table_map(new_game(PRESETS[DEFAULT_PRESET], (0, 1, 2, 3)))
LEVEL_CURVE = ((0.25,) * 4,) * 3


class Shown(NamedTuple):
    """A screen with the notice over its bottom line. by_line: it is read line by line."""

    screen: Screen
    notice: Text = NOTHING
    by_line: bool = False


Place = tuple[str, ...]  # of a message: the kind of screen, the field, and the ids around it


class Recorder:
    """The screens that were shown, the longest for each place."""

    def __init__(self, lines: list[str]) -> None:
        self.longest: dict[Place, tuple[int, str]] = {}
        for line in lines:
            self.note(read(line))

    def note(self, shown: Shown) -> None:
        """Keep a screen if a message was not on it before in its place, or was shorter."""
        line = repr(shown._replace(screen=without_pawns(shown.screen)))
        for place, text in places(shown):
            length = len(ENGLISH.say(text))
            if length > self.longest.get(place, (-1, ""))[0]:
                self.longest[place] = length, line

    def lines(self) -> list[str]:
        """Return each screen that is the longest for a place, in a fixed order."""
        return sorted({line for _, line in self.longest.values()})

    def write(self) -> None:
        """Write the file anew."""
        FILE.write_text("".join(f"{line}\n" for line in self.lines()), encoding="utf-8")


recorder: Recorder | None = None  # of `pytest --redraw`


def note_shown(shown: Shown) -> None:
    """Note a screen for the file if the tests run with `--redraw`."""
    if recorder is not None:
        recorder.note(shown)


def without_pawns(screen: Screen) -> Screen:
    """Return a screen without what has no words: its map, and a curve."""
    if isinstance(screen, BoardScreen):
        return replace(screen, board=None)  # type: ignore[arg-type]  # `read` adds one
    if isinstance(screen, TextScreen):
        return replace(screen, board=None)
    if isinstance(screen, Curve):
        return replace(screen, chances=LEVEL_CURVE, turns=len(LEVEL_CURVE))
    return screen


def places(shown: Shown) -> Iterator[tuple[Place, Text]]:
    """Yield each message that is shown with its place, and the whole text that it is part of."""
    kind = type(shown.screen).__name__, "by line" if shown.by_line else ""
    for field in fields(shown.screen):
        for text in texts(getattr(shown.screen, field.name)):
            for ids in nested_ids(text):
                yield (*kind, field.name, *ids), text
    if not isinstance(shown.screen, BoardScreen) and (keys := getattr(shown.screen, "keys", ())):
        yield (*kind, "one line", *(text.id for text in texts(keys))), keys_line(keys)
    for ids in nested_ids(shown.notice):
        yield ("notice", *ids), shown.notice


def texts(value: object) -> Iterator[Message]:
    """Yield each message of a screen that is not in a slot of another."""
    if isinstance(value, Message):
        yield value
    elif isinstance(value, tuple):
        for member in value:
            yield from texts(member)
    elif is_dataclass(value) and not isinstance(value, BoardMap):
        for field in fields(value):
            yield from texts(getattr(value, field.name))


def nested_ids(value: object) -> Iterator[tuple[str, ...]]:
    """Yield the id of a message, and those of the messages in its slots, each after its parents."""
    if isinstance(value, Message) and value:
        yield (value.id,)
        for _, slot in value.slots:
            for ids in nested_ids(slot):
                yield (value.id, *ids)
    elif isinstance(value, tuple):
        for member in value:
            yield from nested_ids(member)


def read(line: str) -> Shown:
    """Return the screen of a line of the file."""
    shown: Shown = eval(line, vars(screens) | {"Shown": Shown})
    if isinstance(shown.screen, BoardScreen):
        return shown._replace(screen=replace(shown.screen, board=EMPTY_MAP))
    return shown


@cache
def kept_lines() -> tuple[str, ...]:
    """Return the lines of the file."""
    return tuple(FILE.read_text(encoding="utf-8").splitlines()) if FILE.exists() else ()


@cache
def kept_screens() -> tuple[Shown, ...]:
    """Return the screens of the file."""
    return tuple(map(read, kept_lines()))


def messages_of(shown: Shown) -> Iterator[str]:
    """Yield the id of each message that is shown, also of those in slots."""
    for place, _ in places(shown):
        yield place[-1]
