"""Who plays: a name of three letters for each panel, and what its pawns are called."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from pi_app.input.events import Tone
from pi_app.screens.message import Message, Seat, Text, message
from pi_app.settings.players import NAME_LETTERS, PAWNS
from pi_app.settings.settings import EVENING, player_of
from pi_app.table.core.state import Change, Session
from pi_app.table.core.who import called, player
from pi_app.table.modes.menu.listed import Listed
from pi_app.table.modes.menu.menu import Menu
from pi_app.table.modes.menu.naming import Naming
from pi_app.texts.terms import PAWNS_ARE, asks
from pi_app.texts.words import letter

PAWNS_OR_NONE = ("", *PAWNS)


@dataclass(frozen=True, slots=True)
class Players(Listed):
    """Whose name: the panel's own first."""

    def seats(self, s: Session) -> tuple[int, ...]:
        """Return the seats in the order of the lines."""
        driver = self.menu_before.driver
        return (driver, *(seat for seat in s.setup.panels if seat != driver))

    def title(self, s: Session) -> Text:
        return asks(self.menu_before.driver, message("players"))

    def lines(self, s: Session) -> tuple[Text, ...]:
        return tuple(_who(s, seat) for seat in self.seats(s))

    def choose(self, s: Session, index: int) -> Change:
        naming = asking_name(self.touched_menu(s), s, self.seats(s)[index])
        return Change(s.into(replace(naming, before=self)))


def _who(s: Session, seat: int) -> Message:
    pawns = called(s, seat)
    named = player(s, seat).name or message("no-name")
    return asks(seat, message("name-and-pawns", name=named, pawns=pawns) if pawns else named)


def asking_name(menu: Menu, s: Session, seat: int) -> Naming:
    """Return the mode that asks for a seat's name, and then for what its pawns are called."""
    title, name = message("seats-name", seat=Seat(seat)), player(s, seat).name
    return Naming(menu, title, NAME_LETTERS, partial(_name, menu, seat), name, optional=True)


def _name(menu: Menu, seat: int, s: Session, name: str) -> Change:
    """Remember a name, and ask for what the pawns are called."""
    known = s.set(player_of(seat), player(s, seat)._replace(name=name))
    evening = s.settings.get(EVENING)
    if name and not player(s, seat).name and evening.knows(letter(seat)):
        known = known.set(EVENING, evening.renamed(letter(seat), name))
    menu = replace(menu, touched=s.t)
    listed = Players(menu)
    listed = replace(listed, index=listed.seats(s).index(seat))
    asking = PawnsCalled(menu, PAWNS_OR_NONE.index(player(s, seat).pawns), seat, before=listed)
    return Change(known.into(asking), tones=(Tone(menu.driver, "press"),))


@dataclass(frozen=True, slots=True)
class PawnsCalled(Listed):
    """What a seat's pawns are called."""

    seat: int = 0

    def title(self, s: Session) -> Text:
        return message("ask-pawns", seat=Seat(self.seat))

    def lines(self, s: Session) -> tuple[Text, ...]:
        return tuple(PAWNS_ARE.get(word, message("no-word")) for word in PAWNS_OR_NONE)

    def choose(self, s: Session, index: int) -> Change:
        menu = self.touched_menu(s)
        who = player(s, self.seat)._replace(pawns=PAWNS_OR_NONE[index])
        kept = s.set(player_of(self.seat), who)
        return replace(self.out(kept), tones=(Tone(menu.driver, "press"),))
