"""A game with real dice: each throw is typed in by who plays the seat. Asks for no dome."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pi_app.screens.screen import Seat, Table, Text, message
from pi_app.table.core.state import Change, Mode, Session
from pi_app.table.modes.play.thrown import record_throw
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

    def drivers(self, s: Session) -> tuple[int, ...]:
        return s.panels_of(s.playing.game.seat)

    def whose(self, s: Session) -> Text:
        seat = s.playing.game.seat
        if s.level(seat) is not None:
            return message("box-for", who=Seat(seat))
        return message("types-the-dice", seat=Seat(self.drivers(s)[0]))

    def may_press(self, s: Session, seat: int) -> bool:
        return s.may_press_for(s.playing.game.seat, seat)

    def ok(self, s: Session, seat: int) -> Change:
        if self.typed.at_menu:
            return s.open_menu(seat, top=True)  # six taps were needed to come here
        typed = self.typed.confirmed()
        if not typed.whole:
            return self._with(s, typed)
        return record_throw(s, Throw(typed.faces), TYPED)

    def next(self, s: Session, seat: int) -> Change:
        return self._with(s, self.typed.counted(s.only(seat)))

    def _with(self, s: Session, typed: Typed) -> Change:
        return Change(s.into(TypingEach(typed, s.t)))

    def dome(self, s: Session) -> Change:
        return s.refuse(message("type-in-real-dice"))

    def screen(self, s: Session) -> Table[Text]:
        driver = s.seen_by(s.playing.game.seat)
        shown = self.typed.screen(s, driver)
        return shown if self.typed.at_menu else replace(shown, note=self.news, last=self.last)

    def shown_since(self, s: Session) -> float:
        return self.since

    def pass_time(self, s: Session) -> Change:
        return Change(s if types_each(s) else s.at_rest(self.news, self.last))

    def resting(self, s: Session) -> bool:
        return self.typed == Typed(self.typed.dice)


def to_be_thrown(s: Session) -> bool:
    """Whether a throw is to be made; one that waits already lies ready."""
    throwing = s.record is not None and s.record.game.phase in (Phase.ORDER, Phase.THROW)
    return throwing and s.playing.ready is None


def types_each(s: Session) -> bool:
    """Whether a throw is to be made, and in this game it is to be typed in."""
    return s.settings.typed and to_be_thrown(s)


def typing_each(s: Session, news: Text, last: Text) -> TypingEach:
    """Return the typing of the throw that is to be made."""
    game = s.playing.game
    rule = starter_rule(game.ruleset.starter) if game.phase is Phase.ORDER else ""
    return TypingEach(Typed(game.dice), s.t, news or rule, last)
