"""The players: a name of three letters for each panel, and a word for its pawns."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from pi_app.model.events import Tone
from pi_app.model.screens import Message, Seat, Text, message
from pi_app.settings.evening import NAME_LETTERS
from pi_app.settings.settings import EVENING, PLAYERS
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.menu.menu import LineList, Menu
from pi_app.table.modes.menu.naming import Naming
from pi_app.texts.words import PAWN_NAMES, question_title, seat_letter

PAWNS_OR_NONE = {"": message("no-word"), **PAWN_NAMES}


@dataclass(frozen=True, slots=True)
class Players(LineList):
    """The panel chooses whose name to enter, its own first."""

    def title(self, session: Session) -> Text:
        return question_title(self.driver, message("players"))

    def lines(self, session: Session) -> dict[int, Text]:
        lines: dict[int, Text] = {}
        for seat in sorted(session.setup.panels, key=lambda seat: seat != self.driver):
            name = session.seats.player(seat).name or message("no-name")
            pawns = session.seats.pawns_name(seat)
            words = message("name-and-pawns", name=name, pawns=pawns) if pawns else name
            lines[seat] = question_title(seat, words)
        return lines

    def choose(self, session: Session, seat: int) -> Change:
        naming = ask_name(self.touched_menu(session), session, seat)
        return session.lead_to(replace(naming, mode_before=self))


def ask_name(menu: Menu, session: Session, seat: int) -> NamingPlayer:
    """Return the mode that asks for the name of a seat's player, then for a word for the pawns."""
    title, name = message("seats-name", seat=Seat(seat)), session.seats.player(seat).name
    return NamingPlayer(menu, title, NAME_LETTERS, name, optional=True, seat=seat)


@dataclass(frozen=True, slots=True)
class NamingPlayer(Naming):
    """The name of a seat's player. The word for the pawns comes next."""

    has_extra_letters: ClassVar[bool] = True

    seat: int = field(kw_only=True)

    def store_name(self, session: Session, menu: Menu) -> Change:
        seat, name = self.seat, self.text
        after = session.set(PLAYERS[seat], session.seats.player(seat)._replace(name=name))
        evening = session.settings.get(EVENING)
        if name and not session.seats.player(seat).name and evening.has_score(seat_letter(seat)):
            after = after.set(EVENING, evening.rename_player(seat_letter(seat), name))
        players = Players(menu)
        players = replace(players, index=list(players.lines(session)).index(seat))
        index = list(PAWNS_OR_NONE).index(session.seats.player(seat).pawns)
        pawns = NamingPawns(menu, seat, index=index, mode_before=players)
        return after.lead_to(pawns, pressed=menu.driver)


@dataclass(frozen=True, slots=True)
class NamingPawns(LineList):
    """The word for a seat's pawns, from a list."""

    seat: int

    def title(self, session: Session) -> Text:
        return message("ask-pawns", seat=Seat(self.seat))

    def lines(self, session: Session) -> dict[str, Message]:
        return PAWNS_OR_NONE

    def choose(self, session: Session, pawns: str) -> Change:
        player = session.seats.player(self.seat)._replace(pawns=pawns)
        after = session.set(PLAYERS[self.seat], player)
        return replace(self.go_back(after), tones=(Tone(self.driver, "press"),))
