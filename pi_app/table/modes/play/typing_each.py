"""A game with real dice: each throw is typed in by who plays the seat. Asks for no dome."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pi_app.screens.screen import BoardScreen, Seat, Text, message
from pi_app.table.core.state import Change, Mode, Session
from pi_app.table.modes.play.showing_throw import record_throw
from pi_app.table.modes.play.typing import Typed
from pi_app.texts.words import starter_rule
from rules.actions import Throw
from rules.game import Phase
from rules.history import TYPED


@dataclass(frozen=True, slots=True)
class TypingEach(Mode):
    """NEXT counts a die's face up, OK goes on to the next die; the last one's is the throw.

    news, last: what comes with the screen until the first press.
    """

    typed: Typed
    since: float
    news: Text = ""
    last: Text = ""

    def drivers(self, session: Session) -> tuple[int, ...]:
        return session.panels_of(session.playing.game.seat)

    def whose(self, session: Session) -> Text:
        seat = session.playing.game.seat
        if session.level(seat) is not None:
            return message("box-for", who=Seat(seat))
        return message("types-the-dice", seat=Seat(self.drivers(session)[0]))

    def may_press(self, session: Session, seat: int) -> bool:
        return session.may_press_for(session.playing.game.seat, seat)

    def ok(self, session: Session, seat: int) -> Change:
        if self.typed.at_menu:
            return session.open_menu(seat, top=True)  # six taps were needed to come here
        typed = self.typed.confirmed()
        if not typed.whole:
            return self._with(session, typed)
        return record_throw(session, Throw(typed.faces), TYPED)

    def next(self, session: Session, seat: int) -> Change:
        return self._with(session, self.typed.counted(session.only(seat)))

    def _with(self, session: Session, typed: Typed) -> Change:
        return Change(session.into(TypingEach(typed, session.t)))

    def dome(self, session: Session) -> Change:
        return session.refuse(message("type-in-real-dice"))

    def screen(self, session: Session) -> BoardScreen[Text]:
        driver = session.seen_by(session.playing.game.seat)
        shown = self.typed.screen(session, driver)
        return shown if self.typed.at_menu else replace(shown, note=self.news, last=self.last)

    def shown_since(self, session: Session) -> float:
        return self.since

    def pass_time(self, session: Session) -> Change:
        return Change(
            session if types_every_throw(session) else session.at_rest(self.news, self.last)
        )

    def resting(self, session: Session) -> bool:
        return self.typed == Typed(self.typed.dice)


def awaits_throw(session: Session) -> bool:
    """Whether a throw is to be made; one that waits already lies ready."""
    throwing = session.record is not None and session.record.game.phase in (
        Phase.ORDER,
        Phase.THROW,
    )
    return throwing and session.playing.ready is None


def types_every_throw(session: Session) -> bool:
    """Whether a throw is to be made, and in this game it is to be typed in."""
    return session.settings.typed and awaits_throw(session)


def type_throw(session: Session, news: Text, last: Text) -> TypingEach:
    """Return the typing of the throw that is to be made."""
    game = session.playing.game
    rule = starter_rule(game.ruleset.starter) if game.phase is Phase.ORDER else ""
    return TypingEach(Typed(game.dice), session.t, news or rule, last)
