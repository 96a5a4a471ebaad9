"""Settings: what the players have chosen for this table, as text by key. No storage, no screen.

A setting that was never chosen, or that can't be read, has the value of the configuration, or else
its default.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, NamedTuple, TypeVar, get_args

from pi_app.settings.evening import Evening, read_evening
from pi_app.settings.houses import HOUSE_PREFIX, parse_house
from pi_app.settings.limits import NO_LIMIT, read_limit
from pi_app.settings.players import NOBODY, Player, read_player
from rules.board import SEAT_LETTERS

T = TypeVar("T")
Put = tuple[str, str | None]  # a key and its new text, None to delete it

Volume = Literal["on", "turns-only", "off"]
Brightness = Literal["full", "half", "low"]
DiceFrom = Literal["referee", "typed"]
Hints = Literal["on", "off"]
Numbers = Literal["off", "on"]
TurnLimit = Literal["off", "30", "60", "120"]  # seconds
LateTurn = Literal["remind", "move"]
Level = Literal["child", "easy", "club", "strong"]  # of a bot


class Setting(NamedTuple, Generic[T]):
    """A setting: its key, how to read its text (ValueError if it can't be read), its default.

    The text of a value is its `str`.
    """

    key: str
    read: Callable[[str], T]
    usual: T


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


VOLUMES: tuple[Volume, ...] = get_args(Volume)
BRIGHTNESSES: tuple[Brightness, ...] = get_args(Brightness)
DICE_FROM: tuple[DiceFrom, ...] = get_args(DiceFrom)
HINTS_ARE: tuple[Hints, ...] = get_args(Hints)
NUMBERS_ARE: tuple[Numbers, ...] = get_args(Numbers)
TURN_LIMITS: tuple[TurnLimit, ...] = get_args(TurnLimit)
LATE_TURNS: tuple[LateTurn, ...] = get_args(LateTurn)
LEVELS: tuple[Level, ...] = get_args(Level)
VOLUME: Setting[Volume] = Setting("sound", one_of(VOLUMES), "on")
BRIGHTNESS: Setting[Brightness] = Setting("brightness", one_of(BRIGHTNESSES), "full")
# Who throws the dice of this game; reset for the next game.
DICE: Setting[DiceFrom] = Setting("dice", one_of(DICE_FROM), "referee")
# The seats with larger words and longer holds, as letters: "AC".
CHILDREN: Setting[str] = Setting("children", seat_letters, "")
# Whether there are hints in this game; reset for the next game.
HINTS: Setting[Hints] = Setting("hints", one_of(HINTS_ARE), "on")
# Whether spaces are named by the numbers printed on a Parchís board.
NUMBERS: Setting[Numbers] = Setting("numbers", one_of(NUMBERS_ARE), "off")
# How long a player may take for a throw and its play, and what the table does after that.
TURN_LIMIT: Setting[TurnLimit] = Setting("turn_limit", one_of(TURN_LIMITS), "off")
LATE_TURN: Setting[LateTurn] = Setting("late_turn", one_of(LATE_TURNS), "remind")
# The language of the table. A language without a catalog is kept; English is shown instead.
LANGUAGE: Setting[str] = Setting("language", language_code, "")
# Those with a default in the configuration.
SETTINGS: tuple[Setting[Any], ...] = (
    *(VOLUME, BRIGHTNESS, DICE, HINTS, CHILDREN, NUMBERS),
    *(TURN_LIMIT, LATE_TURN, LANGUAGE),
)
# The name of the rules chosen last, "" for those of the configuration.
RULESET: Setting[str] = Setting("ruleset", str, "")
STAND_IN = "stand-in."
BOT = "box."  # the journal's word for a bot
EVENING = Setting("evening", read_evening, Evening())
# When the last round of the game comes.
LAST_ROUND = Setting("last_round", read_limit, NO_LIMIT)


# For each seat: its player, the letter of its stand-in ("" without one), and the level of its bot
# (None without one).
PLAYERS: tuple[Setting[Player], ...] = tuple(
    Setting(f"player.{seat}", read_player, NOBODY) for seat in SEAT_LETTERS
)
STAND_INS: tuple[Setting[str], ...] = tuple(
    Setting(f"{STAND_IN}{seat}", one_of(SEAT_LETTERS), "") for seat in SEAT_LETTERS
)
BOTS: tuple[Setting[Level | None], ...] = tuple(
    Setting(f"{BOT}{seat}", one_of(LEVELS), None) for seat in SEAT_LETTERS
)


# How to read each setting's text; a key that ends in a dot is the prefix of a collection.
READERS: dict[str, Callable[[str], object]] = {
    **{setting.key: setting.read for setting in (*SETTINGS, RULESET, EVENING, LAST_ROUND)},
    "player.": read_player,
    STAND_IN: one_of(SEAT_LETTERS),
    BOT: one_of(LEVELS),
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
        """Return the settings with another value for one of them."""
        return replace(self, kept={**self.kept, setting.key: str(value)})

    def without(self, key: str) -> Settings:
        """Return the settings with this one reset."""
        return replace(
            self, kept={other: text for other, text in self.kept.items() if other != key}
        )

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


def _family(key: str) -> str:
    """Return the key of its reader: the key itself, or the prefix of its collection."""
    return key[: key.find(".") + 1] or key
