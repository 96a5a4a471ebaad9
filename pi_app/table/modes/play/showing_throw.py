"""Shows a new throw: the dice tumble and then come to rest."""

from dataclasses import dataclass
from typing import ClassVar

from pi_app.model import history
from pi_app.model.screens import BoardScreen, Seat, Text, message, show_throw, table_map
from pi_app.table.core.acting import SHELLS_NOTICE, tones_of
from pi_app.table.core.state import Change, Lamps, Mode, Session, ToGame, lamps
from pi_app.texts.words import news_words
from rules.actions import Throw
from rules.game import Phase
from rules.history import TYPED, Retype
from rules.increments import throw_value

TUMBLE_S = 0.6
DEAF_S = TUMBLE_S + 1.0  # the faces are shown for a second before the dome counts again
READ_S = 1.5  # how long a throw for who begins is shown


@dataclass(frozen=True, slots=True)
class ShowingThrow(Mode):
    """The dice tumble and come to rest. A throw for who begins is shown for READ_S."""

    since: float  # when the dice began to tumble
    seat: int  # who threw
    faces: tuple[int, ...]
    phase: Phase  # before the throw
    news: Text = ""  # for the next screen, as `last`
    last: Text = ""

    shows_throw: ClassVar[bool] = True

    def drivers(self, session: Session) -> tuple[int, ...]:
        return session.playing.game.seats

    def dome(self, session: Session) -> Change:
        return Change(session)

    def screen(self, session: Session) -> BoardScreen[Text]:
        tumbling = session.t < self.since + TUMBLE_S
        words: tuple[Text, ...] = ()
        if not tumbling and self.phase is Phase.ORDER:
            score = throw_value(session.playing.game.ruleset, self.faces)
            words = (message("throws-score", score=score),)
        game, in_turn = session.playing.game, self.phase is not Phase.ORDER
        return BoardScreen(
            board=table_map(game, still=True, seat=session.seats.facing_seat(self.seat)),
            seat=self.seat,
            heading=session.seats.turn_heading(self.seat, message("throws", seat=Seat(self.seat))),
            dice=show_throw(game.ruleset, self.faces, tumbling, in_turn),
            words=words,
        )

    def shown_since(self, session: Session) -> float:
        return self.since

    def lamps(self, session: Session) -> Lamps:
        return lamps(session.seats.panels_of(self.seat))

    def wake_at(self, session: Session) -> float:
        rest_at = self.since + TUMBLE_S
        return rest_at if session.t < rest_at else self._end

    def pass_time(self, session: Session) -> Change:
        if session.t < self._end:
            return Change(session)
        return session.lead_to(ToGame(self.news, self.last))

    @property
    def _end(self) -> float:
        return self.since + TUMBLE_S + (READ_S if self.phase is Phase.ORDER else 0.0)


def record_throw(
    session: Session, throw: Throw | Retype, source: str | None, last: Text = ""
) -> Change:
    """Record a throw and let its dice tumble. Typed dice are at rest.

    source: where the faces come from, as in the journal; None of a throw that is typed again. last:
    the action that the same press confirmed.
    """
    record, row, facts = history.act(session.playing, throw, source)
    game, is_typed = record.past[-1].before, source in (TYPED, None)
    since = session.t - TUMBLE_S if is_typed else session.t
    news = news_words(game.ruleset, facts)
    mode = ShowingThrow(since, game.seat, throw.faces, game.phase, news, last)
    held = session.held
    if isinstance(throw, Throw) and session.playing.ready is None:
        held = tuple([other for other in held if other.seat != game.seat])
    session = session.with_notice(SHELLS_NOTICE, None)
    after = session.enter_mode(mode, record=record, deaf_until=session.t + DEAF_S, held=held)
    after = mode.pass_time(after).session
    return Change(after, (row,), tones=tones_of(facts))
