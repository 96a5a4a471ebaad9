"""Who plays: a name of three letters for each panel, and what its pawns are called."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pi_app.input.events import Tone
from pi_app.screens.screen import Message, Seat, Text, message
from pi_app.settings.players import NAME_LETTERS, PAWNS
from pi_app.settings.settings import EVENING, PLAYERS
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.menu.listed import Listed
from pi_app.table.modes.menu.menu import Menu
from pi_app.table.modes.menu.naming import Naming
from pi_app.texts.words import PAWNS_ARE, asks, letter

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
    pawns = s.called(seat)
    named = s.player(seat).name or message("no-name")
    return asks(seat, message("name-and-pawns", name=named, pawns=pawns) if pawns else named)


def asking_name(menu: Menu, s: Session, seat: int) -> NamingPlayer:
    """Return the mode that asks for a seat's name, and then for what its pawns are called."""
    title, name = message("seats-name", seat=Seat(seat)), s.player(seat).name
    return NamingPlayer(menu, title, NAME_LETTERS, name, optional=True, seat=seat)


@dataclass(frozen=True, slots=True)
class NamingPlayer(Naming):
    """The name of who sits at a seat, and then what the pawns are called."""

    seat: int = field(kw_only=True)

    def named(self, s: Session, menu: Menu) -> Change:
        seat, name = self.seat, self.text
        known = s.set(PLAYERS[seat], s.player(seat)._replace(name=name))
        evening = s.settings.get(EVENING)
        if name and not s.player(seat).name and evening.knows(letter(seat)):
            known = known.set(EVENING, evening.renamed(letter(seat), name))
        listed = Players(menu)
        listed = replace(listed, index=listed.seats(s).index(seat))
        asking = PawnsCalled(menu, PAWNS_OR_NONE.index(s.player(seat).pawns), seat, before=listed)
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
        who = s.player(self.seat)._replace(pawns=PAWNS_OR_NONE[index])
        kept = s.set(PLAYERS[self.seat], who)
        return replace(self.out(kept), tones=(Tone(menu.driver, "press"),))
