"""The players: a name of three letters, and what they call their pawns. Stores nothing."""

import re
from typing import NamedTuple

from pi_app.texts.words import PAWN_NAMES

NAME_LETTERS = 3
NONE = "-"
NAME_LETTER = "[A-Z0-9À-ÖØ-ÞŒŸ]"  # in a pattern: one letter or digit of a name
TEXT = re.compile(rf"({NAME_LETTER}{{1,{NAME_LETTERS}}}|-) ([a-z]+|-)")


class Player(NamedTuple):
    """A player's name and the name of the pawns, "" for what was not chosen."""

    name: str = ""
    pawns: str = ""

    def __str__(self) -> str:
        return f"{self.name or NONE} {self.pawns or NONE}"


NOBODY = Player()


def read_player(text: str) -> Player:
    """Return a player from text: `LUC red`, `- dimes`. Raises ValueError."""
    match = TEXT.fullmatch(text)
    if match is None or match[2] not in (*PAWN_NAMES, NONE):
        raise ValueError(f"{text!r} is not a player: write LUC red, or - for nothing")
    name, pawns = ("" if word == NONE else word for word in match.groups())
    return Player(name, pawns)
