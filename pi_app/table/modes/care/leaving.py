"""Somebody leaves: a stand-in plays for them until they are back, or their pawns go off."""

from dataclasses import dataclass
from typing import ClassVar

from pi_app.model.events import Tone
from pi_app.model.screens import Message, Seat, Text, TextScreen, message
from pi_app.settings.settings import BOTS, STAND_INS
from pi_app.table.core.acting import act
from pi_app.table.core.advice import BOARD_PHASES
from pi_app.table.core.seats import partner
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.care.moving_back import resume_after_undo
from pi_app.table.modes.menu.menu import Confirm, FromMenu, LineList
from pi_app.texts.words import question_title, seat_letter
from rules.actions import Leave
from rules.game import next_seat


@dataclass(frozen=True, slots=True)
class Leaving(LineList):
    """The panel chooses who leaves or who is back, its own player first."""

    def title(self, session: Session) -> Text:
        return question_title(self.driver, message("ask-who-leaves"))

    def lines(self, session: Session) -> dict[int, Text]:
        lines: dict[int, Text] = {}
        for seat in sorted(seats_of_players(session), key=lambda seat: seat != self.driver):
            is_away, name = _is_away(session, seat), session.seats.name_of_seat(seat)
            lines[seat] = message("is-back", seat=Seat(seat)) if is_away else name
        return lines

    def choose(self, session: Session, seat: int) -> Change:
        if _is_away(session, seat):
            return _resume_game(self, take_back(session, seat))
        levels = map(session.seats.level, session.playing.game.seats)
        if not remaining_seats(session, seat) and any(levels):
            return session.enter_mode(self).refuse(message("the-last"))
        choosing = ChoosingFate(self.touched_menu(session), seat, mode_before=self)
        if not choosing.lines(session):
            return session.enter_mode(self).refuse(message("not-now"))
        return session.lead_to(choosing)


@dataclass(frozen=True, slots=True)
class ChoosingFate(LineList):
    """The panel chooses what happens to the pawns of the seat that leaves.

    Its own player can be the stand-in. If this is the player who leaves, any other can.
    """

    seat: int

    def title(self, session: Session) -> Text:
        return message("leaves", who=session.seats.name_of_seat(self.seat))

    def lines(self, session: Session) -> dict[int | None, Text]:
        """Return who may play with the pawns; None: they go off the board."""
        there, lines = remaining_seats(session, self.seat), dict[int | None, Text]()
        if may_go_off(session, self.seat):
            lines[None] = message("pawns-off-the-board")
        for seat in (self.driver,) if self.driver in there else there:
            who = session.seats.name_of_seat(seat)
            lines[seat] = message("plays-for", who=who, seat=Seat(self.seat))
        return lines

    def choose(self, session: Session, stand_in: int | None) -> Change:
        menu = self.touched_menu(session)
        if stand_in is None:
            return session.lead_to(ConfirmPawnsOff(menu, self.seat, mode_before=self))
        return session.lead_to(ConfirmStandIn(menu, self.seat, stand_in, mode_before=self))


@dataclass(frozen=True, slots=True)
class ConfirmPawnsOff(Confirm):
    """Asks before the pawns of the seat that leaves go off the board."""

    too_short: ClassVar[Message] = message("hold-pawns-off")

    seat: int

    def hold_ok(self, session: Session, seat: int) -> Change:
        others = remaining_seats(session, self.seat)
        after = hand_over(session, self.seat, others[0]) if others else session
        return act(take_back(after, self.seat), Leave(self.seat))

    def screen(self, session: Session) -> TextScreen[Text]:
        game = session.playing.game
        left = len(game.seats) - len(game.places) - 1
        ends = () if left > 1 else (message("that-ends-the-game"),)
        lines = (message("all-pawns-go-off", seat=Seat(self.seat)), *ends)
        title = message("ask-leaves", who=session.seats.name_of_seat(self.seat))
        return TextScreen(title, lines, self.keys(session, message("do-pawns-off")))


@dataclass(frozen=True, slots=True)
class ConfirmStandIn(Confirm):
    """Asks before a stand-in plays for a seat and for the seats that it played for."""

    seat: int
    stand_in: int

    def ok(self, session: Session, seat: int) -> Change:
        return session.refuse(message("hold-plays", seat=Seat(self.stand_in)))

    def hold_ok(self, session: Session, seat: int) -> Change:
        return _resume_game(self, hand_over(session, self.seat, self.stand_in))

    def screen(self, session: Session) -> TextScreen[Text]:
        others = (one for one in session.playing.game.seats if one != self.seat)
        gone = (self.seat, *(one for one in others if session.seats.player_seat(one) == self.seat))
        seats = tuple(map(Seat, gone))
        lines = (
            message("plays-for-them", who=session.seats.name_of_seat(self.stand_in), seats=seats),
            message("until-back", seats=seats, count=len(gone)),
        )
        title = message("ask-leaves", who=session.seats.name_of_seat(self.seat))
        return TextScreen(title, lines, self.keys(session, message("do-yes")))


def remaining_seats(session: Session, gone: int) -> tuple[int, ...]:
    """Return the seats whose players are there, in the order of play after the seat `gone`.

    A player whose own seat is home is there for another seat or for the partner.
    """
    game, order = session.playing.game, [gone]
    while (following := next_seat(game._replace(places=()), order[-1])) not in order:
        order.append(following)
    there = (seat for seat in order[1:] if not _is_away(session, seat))
    return tuple(seat for seat in there if game.ruleset.partners or _plays_on(session, seat))


def seats_of_players(session: Session) -> tuple[int, ...]:
    """Return the seats with a panel that still play or whose players play another."""
    seats = (seat for seat in session.playing.game.seats if seat in session.setup.panels)
    return tuple(seat for seat in seats if _plays_on(session, seat))


def _plays_on(session: Session, seat: int) -> bool:
    """Whether a seat is not home yet, or its player plays another that is not."""
    game = session.playing.game
    left = [one for one in game.seats if one not in game.places]
    return seat in left or any(session.seats.player_seat(one) == seat for one in left)


def may_go_off(session: Session, seat: int) -> bool:
    """Whether a seat's pawns may go off now, and not in the middle of another seat's play."""
    game = session.playing.game
    if game.ruleset.partners or seat in game.places:
        return False
    return game.phase in BOARD_PHASES and (not game.made or game.seat == seat)


def hand_over(session: Session, gone: int, stand_in: int) -> Session:
    """Return the session in which a stand-in plays all seats of the player who leaves, `gone`."""
    for seat in session.playing.game.seats:
        if session.seats.player_seat(seat) == gone:
            session = session.set(STAND_INS[seat], seat_letter(stand_in))
    return session


def _is_away(session: Session, seat: int) -> bool:
    """Whether another panel or a bot plays for a seat."""
    return session.seats.player_seat(seat) != seat or session.seats.has_bot(seat)


def take_back(session: Session, seat: int) -> Session:
    """Return the session in which a seat has no stand-in and no bot.

    The seat opposite comes back with it if it has no panel of its own.
    """
    if partner(seat) not in session.setup.panels:
        session = session.unset(STAND_INS[partner(seat)].key)
    return session.unset(STAND_INS[seat].key).unset(BOTS[seat].key)


def _resume_game(mode: FromMenu, session: Session) -> Change:
    """Return to the game. Other panels may have the turn now."""
    tones = (Tone(mode.driver, "press"),)
    return Change(resume_after_undo(session, session.playing), tones=tones)
