"""Settings: what the players have chosen for this table, as text by key. No storage, no screen.

One that was never chosen, or can't be read, is as the configuration has it, else as we ship it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, NamedTuple, TypeVar, get_args

from pi_app.settings.evening import Evening, read_evening
from pi_app.settings.houses import PREFIX, parse_house
from pi_app.settings.players import NOBODY, Player, read_player
from rules.board import SEAT_LETTERS

T = TypeVar("T")
Put = tuple[str, str | None]  # a key and its text from now on, None where it is taken out

Volume = Literal["on", "turns-only", "off"]
Brightness = Literal["full", "half", "low"]
DiceFrom = Literal["referee", "typed"]
Hints = Literal["on", "off"]
Level = Literal["child", "easy", "club", "strong"]  # of a box that plays, as players know them


class Setting(NamedTuple, Generic[T]):
    """What can be set: its key, how its text is read (ValueError if it can't be), its usual value.

    The text of a value is `str` of it.
    """

    key: str
    read: Callable[[str], T]
    usual: T


def one_of(values: Iterable[T]) -> Callable[[str], T]:
    """Return what reads one of these values, which are their own text."""
    texts = {str(value): value for value in values}

    def read(text: str) -> T:
        if text not in texts:
            raise ValueError(f"{text!r} is none of {', '.join(texts)}")
        return texts[text]

    return read


def volume(text: str) -> Volume:
    """Return a volume; earlier versions wrote `turns only`."""
    return one_of(VOLUMES)(text.replace(" ", "-"))


def dice_from(text: str) -> DiceFrom:
    """Return who throws the dice; earlier versions wrote `box` for the referee."""
    return one_of(DICE_FROM)("referee" if text == "box" else text)


def seat_letters(text: str) -> str:
    """Return the letters of some seats, each at most once and in order."""
    if "".join(one for one in SEAT_LETTERS if one in text) != text:
        raise ValueError(f"{text!r} is not letters of {SEAT_LETTERS}, in order")
    return text


VOLUMES: tuple[Volume, ...] = get_args(Volume)
BRIGHTNESSES: tuple[Brightness, ...] = get_args(Brightness)
DICE_FROM: tuple[DiceFrom, ...] = get_args(DiceFrom)
HINTS_ARE: tuple[Hints, ...] = get_args(Hints)
LEVELS: tuple[Level, ...] = get_args(Level)
VOLUME: Setting[Volume] = Setting("sound", volume, "on")
BRIGHTNESS: Setting[Brightness] = Setting("brightness", one_of(BRIGHTNESSES), "full")
# Who throws the dice of this game; for the next it is as at first again.
DICE: Setting[DiceFrom] = Setting("dice", dice_from, "referee")
# Whose panels have larger words and longer holds, as their letters: "AC".
CHILDREN: Setting[str] = Setting("children", seat_letters, "")
# Whether anybody is told what is best in this game; for the next it is as at first again.
HINTS: Setting[Hints] = Setting("hints", one_of(HINTS_ARE), "on")
# Those with a first value.
SETTINGS: tuple[Setting[Any], ...] = (VOLUME, BRIGHTNESS, DICE, HINTS, CHILDREN)
# The name of the rules that were chosen last, "" for those of the configuration.
RULESET: Setting[str] = Setting("ruleset", str, "")
STAND_IN = "stand-in."
BOT = "box."
EVENING = Setting("evening", read_evening, Evening())


# Of each seat: who sits at its panel, by its letter who plays on for it ("" where nobody does), and
# how well a box plays it (None where none does).
PLAYERS: tuple[Setting[Player], ...] = tuple(
    Setting(f"player.{seat}", read_player, NOBODY) for seat in SEAT_LETTERS
)
STAND_INS: tuple[Setting[str], ...] = tuple(
    Setting(f"{STAND_IN}{seat}", one_of(SEAT_LETTERS), "") for seat in SEAT_LETTERS
)
BOTS: tuple[Setting[Level | None], ...] = tuple(
    Setting(f"{BOT}{seat}", one_of(LEVELS), None) for seat in SEAT_LETTERS
)


# How the texts of a table are read; a key that ends in a dot begins those of a collection.
READERS: dict[str, Callable[[str], object]] = {
    **{one.key: one.read for one in (*SETTINGS, RULESET, EVENING)},
    "player.": read_player,
    STAND_IN: one_of(SEAT_LETTERS),
    BOT: one_of(LEVELS),
    PREFIX: parse_house,
}


class AtSeat(NamedTuple):
    """What is set of a seat: see `PLAYERS`, `STAND_INS`, `BOTS` and `CHILDREN`."""

    player: Player
    stand_in: str
    level: Level | None
    is_childs: bool


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings. kept: the texts that were set here. first: those of the configuration.

    What every press asks for is read once: the seats, whether dice are typed, whether there are
    hints.
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
        """Return a setting's value."""
        for texts in (self.kept, self.first):
            if setting.key in texts:
                try:
                    return setting.read(texts[setting.key])
                except ValueError:
                    continue
        return setting.usual

    def put(self, setting: Setting[T], value: T) -> Settings:
        """Return the settings with another value."""
        return replace(self, kept={**self.kept, setting.key: str(value)})

    def without(self, key: str) -> Settings:
        """Return the settings as if this one had never been set here."""
        return replace(self, kept={one: text for one, text in self.kept.items() if one != key})

    def named(self, prefix: str) -> tuple[str, ...]:
        """Return what follows the prefix in the keys of a collection, in order."""
        keys = {**self.kept, **self.first}
        return tuple(key.removeprefix(prefix) for key in sorted(keys) if key.startswith(prefix))

    def puts_after(self, before: Settings) -> tuple[Put, ...]:
        """Return what is to be put to make these of the settings before."""
        if self.kept is before.kept:
            return ()
        gone = ((key, None) for key in before.kept if key not in self.kept)
        new = ((key, text) for key, text in self.kept.items() if before.kept.get(key) != text)
        return (*gone, *new)

    def unknown(self) -> tuple[str, ...]:
        """Return the keys that mean nothing to this version; they are kept as they are."""
        return tuple(key for key in sorted(self.kept) if _family(key) not in READERS)

    def unreadable(self) -> tuple[str, ...]:
        """Return the known keys whose texts can't be read."""
        known = {key: text for key, text in self.kept.items() if _family(key) in READERS}
        return tuple(key for key in sorted(known) if not _is_read(key, known[key]))


def _family(key: str) -> str:
    """Return what names its reader: the key, or of one in a collection what it begins with."""
    return key[: key.find(".") + 1] or key


def _is_read(key: str, text: str) -> bool:
    try:
        READERS[_family(key)](text)
    except ValueError:
        return False
    return True
