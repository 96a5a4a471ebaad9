"""Who sits at a panel: a name of three letters, and what the pawns are called. Keeps nothing."""

from __future__ import annotations

import re
from typing import NamedTuple

NAME_LETTERS = 3
PAWNS = (
    *("red", "yellow", "green", "blue", "black", "white", "brown", "orange", "pink"),
    *("pennies", "dimes", "nickels", "quarters", "buttons", "beans", "stones", "shells"),
)
NONE = "-"
TEXT = re.compile(rf"([A-Z0-9]{{1,{NAME_LETTERS}}}|-) ([a-z]+|-)")


class Player(NamedTuple):
    """A player's name and what the pawns are called, "" where that was not said."""

    name: str = ""
    pawns: str = ""

    def __str__(self) -> str:
        return f"{self.name or NONE} {self.pawns or NONE}"


NOBODY = Player()


def read_player(text: str) -> Player:
    """Return the player that a text gives: `LUC red`, `- dimes`; ValueError where it gives none."""
    said = TEXT.fullmatch(text)
    if said is None or said[2] not in (*PAWNS, NONE):
        raise ValueError(f"{text!r} is no player: write LUC red, or - for what is not said")
    name, pawns = ("" if word == NONE else word for word in said.groups())
    return Player(name, pawns)
