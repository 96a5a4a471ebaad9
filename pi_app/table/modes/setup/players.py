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
from pi_app.texts.words import PAWN_NAMES, question_title, seat_letter

PAWNS_OR_NONE = ("", *PAWNS)


@dataclass(frozen=True, slots=True)
class Players(Listed):
    """Whose name: the panel's own first."""

    def seats(self, session: Session) -> tuple[int, ...]:
        """Return the seats in the order of the lines."""
        driver = self.menu_before.driver
        return (driver, *(seat for seat in session.setup.panels if seat != driver))

    def title(self, session: Session) -> Text:
        return question_title(self.menu_before.driver, message("players"))

    def lines(self, session: Session) -> tuple[Text, ...]:
        return tuple(_who(session, seat) for seat in self.seats(session))

    def choose(self, session: Session, index: int) -> Change:
        naming = ask_name(self.touched_menu(session), session, self.seats(session)[index])
        return Change(session.into(replace(naming, before=self)))


def _who(session: Session, seat: int) -> Message:
    pawns = session.called(seat)
    named = session.player(seat).name or message("no-name")
    return question_title(
        seat, message("name-and-pawns", name=named, pawns=pawns) if pawns else named
    )


def ask_name(menu: Menu, session: Session, seat: int) -> NamingPlayer:
    """Return the mode that asks for a seat's name, and then for what its pawns are called."""
    title, name = message("seats-name", seat=Seat(seat)), session.player(seat).name
    return NamingPlayer(menu, title, NAME_LETTERS, name, optional=True, seat=seat)


@dataclass(frozen=True, slots=True)
class NamingPlayer(Naming):
    """The name of who sits at a seat, and then what the pawns are called."""

    seat: int = field(kw_only=True)

    def named(self, session: Session, menu: Menu) -> Change:
        seat, name = self.seat, self.text
        known = session.set(PLAYERS[seat], session.player(seat)._replace(name=name))
        evening = session.settings.get(EVENING)
        if name and not session.player(seat).name and evening.has_score(seat_letter(seat)):
            known = known.set(EVENING, evening.rename_player(seat_letter(seat), name))
        listed = Players(menu)
        listed = replace(listed, index=listed.seats(session).index(seat))
        asking = PawnsCalled(
            menu, PAWNS_OR_NONE.index(session.player(seat).pawns), seat, before=listed
        )
        return Change(known.into(asking), tones=(Tone(menu.driver, "press"),))


@dataclass(frozen=True, slots=True)
class PawnsCalled(Listed):
    """What a seat's pawns are called."""

    seat: int = 0

    def title(self, session: Session) -> Text:
        return message("ask-pawns", seat=Seat(self.seat))

    def lines(self, session: Session) -> tuple[Text, ...]:
        return tuple(PAWN_NAMES.get(word, message("no-word")) for word in PAWNS_OR_NONE)

    def choose(self, session: Session, index: int) -> Change:
        menu = self.touched_menu(session)
        who = session.player(self.seat)._replace(pawns=PAWNS_OR_NONE[index])
        kept = session.set(PLAYERS[self.seat], who)
        return replace(self.out(kept), tones=(Tone(menu.driver, "press"),))
