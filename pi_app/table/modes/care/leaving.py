"""Someone leaves: a neighbour plays on for them until they are back, or their pawns go off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from pi_app.input.events import Tone
from pi_app.screens.screen import Message, Page, Seat, Text, message
from pi_app.settings.settings import BOXES, STAND_INS
from pi_app.table.core.acting import act
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.care.moving_back import put_back
from pi_app.table.modes.menu.listed import Listed
from pi_app.table.modes.menu.menu import Confirm, FromMenu
from pi_app.texts.words import asks, letter
from rules.actions import Leave
from rules.game import Phase, next_seat

ON_THE_BOARD = (Phase.THROW, Phase.MOVE, Phase.PENALTY)


@dataclass(frozen=True, slots=True)
class Leaving(Listed):
    """Who leaves, the panel's own player first; or who is back."""

    def title(self, s: Session) -> Text:
        return asks(self.menu_before.driver, message("ask-who-leaves"))

    def seats(self, s: Session) -> tuple[int, ...]:
        """Return the seats in the order of the lines: those that still play."""
        game, driver = s.playing.game, self.menu_before.driver
        playing = [seat for seat in game.seats if seat not in game.places]
        return tuple(sorted(playing, key=lambda seat: seat != driver))

    def lines(self, s: Session) -> tuple[Text, ...]:
        return tuple(
            message("is-back", seat=Seat(seat)) if _is_away(s, seat) else s.named(seat)
            for seat in self.seats(s)
        )

    def choose(self, s: Session, index: int) -> Change:
        seat = self.seats(s)[index]
        if _is_away(s, seat):
            return _done(self, back(s, seat))
        if not others_there(s, seat) and any(s.level(one) for one in s.playing.game.seats):
            return s.into(self).refuse(message("the-last"))
        leaving = WhatOfPawns(self.touched_menu(s), seat=seat, before=self)
        if not leaving.ways(s):
            return s.into(self).refuse(message("not-now"))
        return Change(s.into(leaving))


class Way(NamedTuple):
    """What becomes of the pawns of who leaves: `seat` plays on with them, None: off the board."""

    seat: int | None
    words: Message


@dataclass(frozen=True, slots=True)
class WhatOfPawns(Listed):
    """A seat's pawns go off the board, or another panel plays on with them.

    That panel is the one that asks; on the panel of who leaves, any of the others.
    """

    seat: int = 0

    def title(self, s: Session) -> Text:
        return message("leaves", who=s.named(self.seat))

    def ways(self, s: Session) -> tuple[Way, ...]:
        """Return what can become of them, in the order of the lines."""
        there, driver = others_there(s, self.seat), self.menu_before.driver
        helpers = (driver,) if driver in there else there
        off = (Way(None, message("pawns-off-the-board")),) if may_go_off(s, self.seat) else ()
        return (*off, *(Way(seat, self._plays(s, seat)) for seat in helpers))

    def _plays(self, s: Session, helper: int) -> Message:
        return message("plays-for", who=s.named(helper), seat=Seat(self.seat))

    def lines(self, s: Session) -> tuple[Text, ...]:
        return tuple(way.words for way in self.ways(s))

    def choose(self, s: Session, index: int) -> Change:
        menu, helper = self.touched_menu(s), self.ways(s)[index].seat
        if helper is None:
            return Change(s.into(PawnsOff(menu, self.seat, before=self)))
        return Change(s.into(HandOver(menu, self.seat, helper, before=self)))


@dataclass(frozen=True, slots=True)
class PawnsOff(Confirm):
    """The menu asks again before pawns go off the board: only holding OK does that."""

    seat: int

    def ok(self, s: Session, seat: int) -> Change:
        return s.refuse(message("hold-pawns-off"))

    def hold_ok(self, s: Session, seat: int) -> Change:
        there = others_there(s, self.seat)
        after = handed_over(s, self.seat, there[0]) if there else s
        return act(back(after, self.seat), Leave(self.seat))

    def screen(self, s: Session) -> Page[Text]:
        game = s.playing.game
        left = len(game.seats) - len(game.places) - 1
        ends = () if left > 1 else (message("that-ends-the-game"),)
        lines = (message("all-pawns-go-off", seat=Seat(self.seat)), *ends)
        title = message("ask-leaves", who=s.named(self.seat))
        return Page(title, lines, self.keys(s, message("do-off")))


@dataclass(frozen=True, slots=True)
class HandOver(Confirm):
    """The menu asks again before another plays for a seat, and for whom that one has played."""

    seat: int
    helper: int

    def ok(self, s: Session, seat: int) -> Change:
        return s.refuse(message("hold-plays", seat=Seat(self.helper)))

    def hold_ok(self, s: Session, seat: int) -> Change:
        return _done(self, handed_over(s, self.seat, self.helper))

    def screen(self, s: Session) -> Page[Text]:
        others = (one for one in s.playing.game.seats if one != self.seat)
        gone = (self.seat, *(one for one in others if s.played_by(one) == self.seat))
        seats = tuple(map(Seat, gone))
        lines = (
            message("plays-for-them", who=s.named(self.helper), seats=seats),
            message("until-back", seats=seats, count=len(gone)),
        )
        title = message("ask-leaves", who=s.named(self.seat))
        return Page(title, lines, self.keys(s, message("do-yes")))


def others_there(s: Session, gone: int) -> tuple[int, ...]:
    """Return the other seats whose players are there, in the order of play after the one gone."""
    game, order = s.playing.game, [gone]
    while (following := next_seat(game, order[-1])) not in order:
        order.append(following)
    return tuple(seat for seat in order[1:] if not _is_away(s, seat))


def may_go_off(s: Session, seat: int) -> bool:
    """Whether a seat's pawns may leave now: nobody's in the middle of another's play."""
    game = s.playing.game
    return game.phase in ON_THE_BOARD and (not game.made or game.seat == seat)


def handed_over(s: Session, gone: int, helper: int) -> Session:
    """Return the session in which another plays for a seat, and for whom that one has played."""
    for seat in s.playing.game.seats:
        if s.played_by(seat) == gone:
            s = s.set(STAND_INS[seat], letter(helper))
    return s


def _is_away(s: Session, seat: int) -> bool:
    """Whether another panel or a box plays for a seat."""
    return s.played_by(seat) != seat or s.level(seat) is not None


def back(s: Session, seat: int) -> Session:
    """Return the session in which a seat's own panel plays for it."""
    return s.unset(STAND_INS[seat].key).unset(BOXES[seat].key)


def _done(mode: FromMenu, s: Session) -> Change:
    """Return to the game, where others may press now."""
    tones = (Tone(mode.menu_before.driver, "press"),)
    return Change(put_back(s, s.playing), tones=tones)
