"""Settings: what the players have chosen for this table, as text by key. No storage, no screen.

A setting that was never chosen, or that can't be read, has the value of the configuration, or else
its default.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, NamedTuple, TypeVar, get_args

from pi_app.settings.evening import NAME_LETTER, NAME_LETTERS, NONE, Evening, read_evening
from pi_app.settings.houses import HOUSE_PREFIX, parse_house
from pi_app.texts.words import PAWN_NAMES
from rules.board import SEAT_LETTERS

T = TypeVar("T")
Put = tuple[str, str | None]  # a key and its new text, None to delete it
Level = Literal["child", "easy", "club", "strong"]  # of a bot
Unit = Literal["minutes", "turns"]
PLAYER = re.compile(rf"({NAME_LETTER}{{1,{NAME_LETTERS}}}|-) ([a-z]+|-)")


class Setting(NamedTuple, Generic[T]):
    """A setting: its key, how to read its text (ValueError if it can't be read), its default.

    The text of a value is its `str`. values: all of them, if it is a choice among a few.
    """

    key: str
    read: Callable[[str], T]
    usual: T
    values: tuple[T, ...] = ()


class Player(NamedTuple):
    """A player's name and the name of the pawns, "" for what was not chosen."""

    name: str = ""
    pawns: str = ""

    def __str__(self) -> str:
        return f"{self.name or NONE} {self.pawns or NONE}"


class Limit(NamedTuple):
    """The last round comes after so many minutes from now, or turns of each seat; 0: never.

    A Pi without a network or a battery for its clock does not know the time of day, and its clock
    may jump. So these are minutes with the table switched on.
    """

    amount: int = 0
    unit: Unit = "minutes"

    def __str__(self) -> str:
        return f"{self.amount} {self.unit}"


def read_player(text: str) -> Player:
    """Return a player from text: `LUC red`, `- dimes`. Raises ValueError."""
    match = PLAYER.fullmatch(text)
    if match is None or match[2] not in (*PAWN_NAMES, NONE):
        raise ValueError(f"{text!r} is not a player: write LUC red, or - for nothing")
    return Player(*("" if word == NONE else word for word in match.groups()))


def read_limit(text: str) -> Limit:
    """Return a limit from its text: `45 minutes`, `30 turns`. Raises ValueError."""
    for unit in get_args(Unit):
        count = text.removesuffix(f" {unit}")
        if count != text and count.isdecimal() and len(count) < 4:
            return Limit(int(count), unit)
    raise ValueError(f"{text!r} is not a limit: write 45 minutes, or 30 turns")


def one_of(values: Iterable[T]) -> Callable[[str], T]:
    """Return a reader of these values, each of which is its own text."""
    texts = {str(value): value for value in values}

    def read(text: str) -> T:
        if text not in texts:
            raise ValueError(f"{text!r} is not one of {', '.join(texts)}")
        return texts[text]

    return read


def seat_letters(text: str) -> str:
    """Return the letters of some seats. Raises ValueError unless each is there once, in order."""
    if "".join(letter for letter in SEAT_LETTERS if letter in text) != text:
        raise ValueError(f"{text!r} must be letters of {SEAT_LETTERS}, in order")
    return text


def language_code(text: str) -> str:
    """Return the name of a catalog, `en_GB` also from `en-GB`; "" if no language is chosen."""
    code = text.replace("-", "_")
    if not re.fullmatch(r"([a-z]{2,3}(_[A-Z]{2})?)?", code):
        raise ValueError(f"{text!r} is not the code of a language")
    return code


def _choice(key: str, *values: str) -> Setting[str]:
    """Return a setting that has one of these values, the first by default."""
    return Setting(key, one_of(values), values[0], values)


def _of_seats(prefix: str, read: Callable[[str], T], usual: T) -> tuple[Setting[T], ...]:
    return tuple(Setting(f"{prefix}{seat}", read, usual) for seat in SEAT_LETTERS)


VOLUME = _choice("sound", "on", "turns-only", "off")
BRIGHTNESS = _choice("brightness", "full", "half", "low")
# Who throws the dice of this game; reset for the next game.
DICE = _choice("dice", "referee", "typed")
# The seats with larger words and longer holds, as letters: "AC".
CHILDREN = Setting("children", seat_letters, "")
# Whether there are hints in this game; reset for the next game.
HINTS = _choice("hints", "on", "off")
# Whether spaces are named by the numbers printed on a Parchís board.
NUMBERS = _choice("numbers", "off", "on")
# How many seconds a player may take for a throw and its play, and what the table does after that.
TURN_LIMIT = _choice("turn_limit", "off", "30", "60", "120")
LATE_TURN = _choice("late_turn", "remind", "move")
# The language of the table. A language without a catalog is kept; English is shown instead.
LANGUAGE = Setting("language", language_code, "")
# Those with a default in the configuration.
SETTINGS = (VOLUME, BRIGHTNESS, DICE, HINTS, CHILDREN, NUMBERS, TURN_LIMIT, LATE_TURN, LANGUAGE)
# The name of the rules chosen last, "" for those of the configuration.
RULESET: Setting[str] = Setting("ruleset", str, "")
EVENING = Setting("evening", read_evening, Evening())
# When the last round of the game comes.
LAST_ROUND = Setting("last_round", read_limit, Limit())

STAND_IN = "stand-in."
BOT = "box."  # the journal's word for a bot
LEVELS: tuple[Level, ...] = get_args(Level)
# For each seat: its player, the letter of its stand-in ("" without one), and the level of its bot
# (None without one).
PLAYERS = _of_seats("player.", read_player, Player())
STAND_INS = _of_seats(STAND_IN, one_of(SEAT_LETTERS), "")
BOTS: tuple[Setting[Level | None], ...] = _of_seats(BOT, one_of(LEVELS), None)


def _family(key: str) -> str:
    """Return the key of its reader: the key itself, or the prefix of its collection."""
    return key[: key.find(".") + 1] or key


# How to read each setting's text; a key that ends in a dot is the prefix of a collection.
_ALL: tuple[Setting[Any], ...] = (*SETTINGS, RULESET, EVENING, LAST_ROUND)
READERS: dict[str, Callable[[str], object]] = {
    **{_family(one.key): one.read for one in (*_ALL, *PLAYERS, *STAND_INS, *BOTS)},
    HOUSE_PREFIX: parse_house,
}


class AtSeat(NamedTuple):
    """The settings of a seat: see `PLAYERS`, `STAND_INS`, `BOTS` and `CHILDREN`."""

    player: Player
    stand_in: str
    level: Level | None
    is_childs: bool


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings. kept: the texts that were set at this table. first: those of the configuration.

    What every press needs is read once: the seats, whether dice are typed, whether hints are on.
    """

    kept: Mapping[str, str] = field(default_factory=dict)
    first: Mapping[str, str] = field(default_factory=dict)
    seats: tuple[AtSeat, ...] = field(init=False, repr=False, compare=False)
    typed: bool = field(init=False, repr=False, compare=False)
    hints: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        children = self.get(CHILDREN)
        of_seats = zip(PLAYERS, STAND_INS, BOTS, SEAT_LETTERS, strict=True)
        seats = (
            AtSeat(self.get(player), self.get(stand_in), self.get(level), letter in children)
            for player, stand_in, level, letter in of_seats
        )
        object.__setattr__(self, "seats", tuple(seats))
        object.__setattr__(self, "typed", self.get(DICE) == "typed")
        object.__setattr__(self, "hints", self.get(HINTS) == "on")

    def get(self, setting: Setting[T]) -> T:
        """Return a setting's value; a kept text that can't be read counts as none."""
        for texts in (self.kept, self.first):
            if setting.key in texts:
                try:
                    return setting.read(texts[setting.key])
                except ValueError:
                    continue
        return setting.usual

    def put(self, setting: Setting[T], value: T) -> Settings:
        return replace(self, kept={**self.kept, setting.key: str(value)})

    def without(self, key: str) -> Settings:
        kept = {other: text for other, text in self.kept.items() if other != key}
        return replace(self, kept=kept)

    def named(self, prefix: str) -> tuple[str, ...]:
        """Return the names in a collection, in order: its keys without the prefix."""
        keys = {**self.kept, **self.first}
        return tuple(key.removeprefix(prefix) for key in sorted(keys) if key.startswith(prefix))

    def puts_after(self, before: Settings) -> tuple[Put, ...]:
        """Return the keys and texts that must be put to get from `before` to these settings."""
        if self.kept is before.kept:
            return ()
        deleted = ((key, None) for key in before.kept if key not in self.kept)
        new = ((key, text) for key, text in self.kept.items() if before.kept.get(key) != text)
        return (*deleted, *new)

    def unknown(self) -> tuple[str, ...]:
        """Return the keys that this version does not know. It keeps them unchanged."""
        return tuple(key for key in sorted(self.kept) if _family(key) not in READERS)

    def unreadable(self) -> tuple[str, ...]:
        """Return the known keys whose texts can't be read."""
        keys = []
        for key, text in sorted(self.kept.items()):
            if _family(key) in READERS:
                try:
                    READERS[_family(key)](text)
                except ValueError:
                    keys.append(key)
        return tuple(keys)
