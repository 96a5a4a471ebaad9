"""Someone leaves: a neighbour plays on for them until they are back, or their pawns go off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from pi_app.input.events import Tone
from pi_app.screens.screen import Message, Seat, Text, TextScreen, message
from pi_app.settings.settings import BOTS, STAND_INS
from pi_app.table.core.acting import act
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.care.moving_back import resume_after_undo
from pi_app.table.modes.menu.listed import Listed
from pi_app.table.modes.menu.menu import Confirm, FromMenu
from pi_app.texts.words import question_title, seat_letter
from rules.actions import Leave
from rules.game import Phase, next_seat

ON_THE_BOARD = (Phase.THROW, Phase.MOVE, Phase.PENALTY)


@dataclass(frozen=True, slots=True)
class Leaving(Listed):
    """Who leaves, the panel's own player first; or who is back."""

    def title(self, session: Session) -> Text:
        return question_title(self.menu_before.driver, message("ask-who-leaves"))

    def seats(self, session: Session) -> tuple[int, ...]:
        """Return the seats in the order of the lines: those that still play."""
        game, driver = session.playing.game, self.menu_before.driver
        playing = [seat for seat in game.seats if seat not in game.places]
        return tuple(sorted(playing, key=lambda seat: seat != driver))

    def lines(self, session: Session) -> tuple[Text, ...]:
        return tuple(
            message("is-back", seat=Seat(seat)) if _is_away(session, seat) else session.named(seat)
            for seat in self.seats(session)
        )

    def choose(self, session: Session, index: int) -> Change:
        seat = self.seats(session)[index]
        if _is_away(session, seat):
            return _done(self, take_back(session, seat))
        if not remaining_seats(session, seat) and any(
            session.level(one) for one in session.playing.game.seats
        ):
            return session.into(self).refuse(message("the-last"))
        leaving = WhatOfPawns(self.touched_menu(session), seat=seat, before=self)
        if not leaving.ways(session):
            return session.into(self).refuse(message("not-now"))
        return Change(session.into(leaving))


class PawnsFate(NamedTuple):
    """What becomes of the pawns of who leaves: `seat` plays on with them, None: off the board."""

    seat: int | None
    words: Message


@dataclass(frozen=True, slots=True)
class WhatOfPawns(Listed):
    """A seat's pawns go off the board, or another panel plays on with them.

    That panel is the one that asks; on the panel of who leaves, any of the others.
    """

    seat: int = 0

    def title(self, session: Session) -> Text:
        return message("leaves", who=session.named(self.seat))

    def ways(self, session: Session) -> tuple[PawnsFate, ...]:
        """Return what can become of them, in the order of the lines."""
        there, driver = remaining_seats(session, self.seat), self.menu_before.driver
        helpers = (driver,) if driver in there else there
        off = (
            (PawnsFate(None, message("pawns-off-the-board")),)
            if may_go_off(session, self.seat)
            else ()
        )
        return (*off, *(PawnsFate(seat, self._plays(session, seat)) for seat in helpers))

    def _plays(self, session: Session, helper: int) -> Message:
        return message("plays-for", who=session.named(helper), seat=Seat(self.seat))

    def lines(self, session: Session) -> tuple[Text, ...]:
        return tuple(way.words for way in self.ways(session))

    def choose(self, session: Session, index: int) -> Change:
        menu, helper = self.touched_menu(session), self.ways(session)[index].seat
        if helper is None:
            return Change(session.into(PawnsOff(menu, self.seat, before=self)))
        return Change(session.into(HandOver(menu, self.seat, helper, before=self)))


@dataclass(frozen=True, slots=True)
class PawnsOff(Confirm):
    """The menu asks again before pawns go off the board: only holding OK does that."""

    seat: int

    def ok(self, session: Session, seat: int) -> Change:
        return session.refuse(message("hold-pawns-off"))

    def hold_ok(self, session: Session, seat: int) -> Change:
        there = remaining_seats(session, self.seat)
        after = hand_over(session, self.seat, there[0]) if there else session
        return act(take_back(after, self.seat), Leave(self.seat))

    def screen(self, session: Session) -> TextScreen[Text]:
        game = session.playing.game
        left = len(game.seats) - len(game.places) - 1
        ends = () if left > 1 else (message("that-ends-the-game"),)
        lines = (message("all-pawns-go-off", seat=Seat(self.seat)), *ends)
        title = message("ask-leaves", who=session.named(self.seat))
        return TextScreen(title, lines, self.keys(session, message("do-off")))


@dataclass(frozen=True, slots=True)
class HandOver(Confirm):
    """The menu asks again before another plays for a seat, and for whom that one has played."""

    seat: int
    helper: int

    def ok(self, session: Session, seat: int) -> Change:
        return session.refuse(message("hold-plays", seat=Seat(self.helper)))

    def hold_ok(self, session: Session, seat: int) -> Change:
        return _done(self, hand_over(session, self.seat, self.helper))

    def screen(self, session: Session) -> TextScreen[Text]:
        others = (one for one in session.playing.game.seats if one != self.seat)
        gone = (self.seat, *(one for one in others if session.played_by(one) == self.seat))
        seats = tuple(map(Seat, gone))
        lines = (
            message("plays-for-them", who=session.named(self.helper), seats=seats),
            message("until-back", seats=seats, count=len(gone)),
        )
        title = message("ask-leaves", who=session.named(self.seat))
        return TextScreen(title, lines, self.keys(session, message("do-yes")))


def remaining_seats(session: Session, gone: int) -> tuple[int, ...]:
    """Return the other seats whose players are there, in the order of play after the one gone."""
    game, order = session.playing.game, [gone]
    while (following := next_seat(game, order[-1])) not in order:
        order.append(following)
    return tuple(seat for seat in order[1:] if not _is_away(session, seat))


def may_go_off(session: Session, seat: int) -> bool:
    """Whether a seat's pawns may leave now: nobody's in the middle of another's play."""
    game = session.playing.game
    return game.phase in ON_THE_BOARD and (not game.made or game.seat == seat)


def hand_over(session: Session, gone: int, helper: int) -> Session:
    """Return the session in which another plays for a seat, and for whom that one has played."""
    for seat in session.playing.game.seats:
        if session.played_by(seat) == gone:
            session = session.set(STAND_INS[seat], seat_letter(helper))
    return session


def _is_away(session: Session, seat: int) -> bool:
    """Whether another panel or a box plays for a seat."""
    return session.played_by(seat) != seat or session.level(seat) is not None


def take_back(session: Session, seat: int) -> Session:
    """Return the session in which a seat's own panel plays for it."""
    return session.unset(STAND_INS[seat].key).unset(BOTS[seat].key)


def _done(mode: FromMenu, session: Session) -> Change:
    """Return to the game, where others may press now."""
    tones = (Tone(mode.menu_before.driver, "press"),)
    return Change(resume_after_undo(session, session.playing), tones=tones)
