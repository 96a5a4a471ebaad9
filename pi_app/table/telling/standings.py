"""The seats of a game in their order, with words for how far each has come. No points."""

from __future__ import annotations

from pi_app.screens.screen import Message, message
from pi_app.texts.words import ORDINALS
from rules.board import HOME
from rules.game import Game


def standings(game: Game) -> tuple[tuple[int, Message], ...]:
    """Return each seat with its message: first those that have finished, then by pawns at home."""
    home = {seat: game.position[seat].count(HOME) for seat in game.seats}
    left = [seat for seat in game.seats if seat not in game.places]
    return (
        *zip(game.places, ORDINALS, strict=False),
        *(
            (seat, message("so-many-home", pawns=home[seat]))
            for seat in sorted(left, key=lambda seat: -home[seat])
        ),
    )
