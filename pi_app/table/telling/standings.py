"""The seats of a game in their order, with words for how far each has come. No points."""

from __future__ import annotations

from pi_app.screens.screen import Message, message
from pi_app.texts.words import ORDINALS
from rules.board import board
from rules.game import Game


def standings(game: Game) -> tuple[tuple[int, Message], ...]:
    """Return each seat with its message: first those that have finished, then by pawns at home.

    The seats of a side that has won are first together; a seat that has finished alone is not.
    """
    home_places = board(game.ruleset.layout).home
    home = {seat: sum(place in home_places for place in game.position[seat]) for seat in game.seats}
    finished = [(seat, ORDINALS[n]) for n, seat in enumerate(game.places)]
    if game.ruleset.partners:
        finished = [(seat, ORDINALS[0]) for seat in game.winners]
    left = [seat for seat in game.seats if seat not in dict(finished)]
    return (
        *finished,
        *(
            (seat, message("so-many-home", pawns=home[seat]))
            for seat in sorted(left, key=lambda seat: -home[seat])
        ),
    )
