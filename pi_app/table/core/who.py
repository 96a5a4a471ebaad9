"""Who plays a seat, as the screens name them. Letters stay what a seat is known by."""

from __future__ import annotations

from pi_app.screens.message import NOTHING, Message, Seat, Text, message
from pi_app.settings.players import Player
from pi_app.settings.settings import Level, box, player_of, stand_in
from pi_app.table.core.state import Session
from pi_app.texts.terms import PAWNS_ARE
from pi_app.texts.words import letter
from rules.board import SEAT_LETTERS

BOX_NAME = "BOX"  # all of them have one score of the evening


def player(s: Session, seat: int) -> Player:
    """Return who sits at a seat's panel; nobody who has a name where a box plays."""
    sits = s.settings.get(player_of(seat))
    return sits if level(s, seat) is None else sits._replace(name="")


def named(s: Session, seat: int) -> Text:
    """Return a seat's letter, and its player's name if there is one: `A LUC`, `C box`."""
    if level(s, seat) is not None:
        return message("seat-box", seat=Seat(seat))
    name = player(s, seat).name
    return message("seat-and-name", seat=Seat(seat), name=name) if name else letter(seat)


def known_as(s: Session, seat: int) -> str:
    """Return the name of a seat's player, or the seat's letter."""
    return player(s, seat).name or letter(seat) if level(s, seat) is None else BOX_NAME


def called(s: Session, seat: int) -> Message:
    """Return what a seat's pawns are called, nothing where that was not said."""
    return PAWNS_ARE.get(player(s, seat).pawns, NOTHING)


def played_by(s: Session, seat: int) -> int:
    """Return the seat whose panel plays for a seat: its own, or the one that plays on for it."""
    other = s.settings.get(stand_in(seat))
    return SEAT_LETTERS.index(other) if other else seat


def level(s: Session, seat: int) -> Level | None:
    """Return how well a box plays a seat, None where people do."""
    return s.settings.get(box(seat))


def people(s: Session) -> tuple[int, ...]:
    """Return the seats of the game whose own players are there; all, should there be none."""
    seats = s.playing.game.seats
    there = (seat for seat in seats if level(s, seat) is None and played_by(s, seat) == seat)
    return tuple(there) or seats


def panels_of(s: Session, seat: int) -> tuple[int, ...]:
    """Return the seats whose panels play for a seat: for a box those of all people."""
    return (played_by(s, seat),) if level(s, seat) is None else people(s)


def may_press_for(s: Session, seat: int, panel: int) -> bool:
    """Whether a panel's OK and NEXT count on a seat's turn: for a bot those of every seat do."""
    if level(s, seat) is not None:
        return panel in s.playing.game.seats
    return panel in panels_of(s, seat)


def seen_by(s: Session, seat: int) -> int:
    """Return the seat to which the board is turned on a seat's turn: who is to move its pawns."""
    panels = panels_of(s, seat)
    return s.facing if s.facing in panels else panels[0]


def turn(s: Session, seat: int, does: Text) -> Text:
    """Return whose turn it is: `does`, which says what the seat does, or `B for C`."""
    if level(s, seat) is not None:
        return message("box-for", who=Seat(seat))
    other = played_by(s, seat)
    return does if other == seat else message("plays-seat", who=Seat(other), seat=Seat(seat))
