"""Who plays a seat, as the screens name them. Letters stay what a seat is known by."""

from __future__ import annotations

from pi_app.table.players import Player
from pi_app.table.settings import Level, box, player_of, stand_in
from pi_app.table.state import Session
from pi_app.table.words import letter
from rules.board import SEAT_LETTERS


def player(s: Session, seat: int) -> Player:
    """Return who sits at a seat's panel."""
    return s.settings.get(player_of(seat))


def named(s: Session, seat: int) -> str:
    """Return a seat's letter, and its player's name if there is one: `A LUC`."""
    return " ".join(filter(None, (letter(seat), player(s, seat).name)))


def known_as(s: Session, seat: int) -> str:
    """Return the name of a seat's player, or the seat's letter."""
    return player(s, seat).name or letter(seat)


def called(s: Session, seat: int) -> str:
    """Return what a seat's pawns are called, "" where that was not said."""
    return player(s, seat).pawns


def played_by(s: Session, seat: int) -> int:
    """Return the seat whose panel plays for a seat: its own, or the one that plays on for it."""
    other = s.settings.get(stand_in(seat))
    return SEAT_LETTERS.index(other) if other else seat


def level(s: Session, seat: int) -> Level | None:
    """Return how well a box plays a seat, None where people do."""
    return s.settings.get(box(seat))


def turn(s: Session, seat: int, does: str) -> str:
    """Return whose turn it is: `C throws`, or `B for C`."""
    other = played_by(s, seat)
    return f"{letter(seat)} {does}" if other == seat else f"{letter(other)} for {letter(seat)}"
