"""A game with real dice: whoever plays the seat types each throw in. The dome is not used."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pi_app.model.screens import BoardScreen, Seat, Text, message
from pi_app.table.core.state import Change, Session, ToGame
from pi_app.table.modes.play.showing_throw import record_throw
from pi_app.table.modes.play.typed_dice import CountingFaces, TypedDice, nothing_typed
from pi_app.texts.words import STARTER_RULES
from rules.actions import Throw
from rules.game import Phase
from rules.history import TYPED


@dataclass(frozen=True, slots=True)
class TypingEach(CountingFaces):
    """OK goes on to the next die. The last OK makes the throw.

    since: when this screen came up. news, last: shown until the first press, as in `Playing`.
    """

    typed: TypedDice
    since: float
    news: Text = ""
    last: Text = ""

    def drivers(self, session: Session) -> tuple[int, ...]:
        return session.seats.panels_of(session.playing.game.seat)

    def whose(self, session: Session) -> Text:
        seat = session.playing.game.seat
        if session.seats.has_bot(seat):
            return message("bot-for", who=Seat(seat))
        return message("types-the-dice", seat=Seat(self.drivers(session)[0]))

    def may_press(self, session: Session, seat: int) -> bool:
        return session.seats.may_press_for(session.playing.game.seat, seat)

    def ok(self, session: Session, seat: int) -> Change:
        if self.typed.is_at_menu:
            return self.menu(session, seat)
        typed = self.typed.confirm_face()
        if not typed.is_complete:
            return session.lead_to(self.count(session, typed))
        return record_throw(session, Throw(typed.faces), TYPED)

    def count(self, session: Session, typed: TypedDice) -> TypingEach:
        return TypingEach(typed, session.t)

    def screen(self, session: Session) -> BoardScreen[Text]:
        game = session.playing.game
        shown = self.typed.screen(session, game, session.seats.facing_seat(game.seat))
        return shown if self.typed.is_at_menu else replace(shown, note=self.news, last=self.last)

    def shown_since(self, session: Session) -> float:
        return self.since

    def pass_time(self, session: Session) -> Change:
        if types_every_throw(session):
            return Change(session)
        return session.lead_to(ToGame(self.news, self.last))

    def resting(self, session: Session) -> bool:
        return self.typed == nothing_typed(session.playing.game)


def awaits_throw(session: Session) -> bool:
    """Whether the next throw must still be made; one that was made before is ready instead."""
    record = session.record
    in_phase = record is not None and record.game.phase in (Phase.ORDER, Phase.THROW)
    return in_phase and session.ready is None


def types_every_throw(session: Session) -> bool:
    """Whether the next throw must be made, and this game has real dice."""
    return session.settings.typed and awaits_throw(session)


def type_throw(session: Session, news: Text, last: Text) -> TypingEach:
    """Return the mode in which the next throw is typed in. news, last: as in `Playing`."""
    game = session.playing.game
    rule = STARTER_RULES[game.ruleset.starter] if game.phase is Phase.ORDER else ""
    return TypingEach(nothing_typed(game), session.t, news or rule, last)
