"""Joining: who plays, by which rules, and who of them begins the game. No game yet."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pi_app.input.events import Tone
from pi_app.screens.screen import (
    NOTHING,
    KeyHint,
    Message,
    Seat,
    SeatMark,
    Text,
    TextScreen,
    message,
)
from pi_app.settings.offers import edition_title, offered_edition, offers
from pi_app.settings.settings import BOTS, RULESET
from pi_app.table.core.acting import begin
from pi_app.table.core.state import Change, Lamps, Mode, Session, lamps
from pi_app.table.modes.menu.menu import FEW
from pi_app.texts.rule_words import distinctions
from pi_app.texts.words import LEVEL_NAMES, keys_line, next_key, ok_key
from rules.history import new_record

TOLD_S = 6.0  # how long what sets rules apart is shown: three lines
FIRST = 2  # with one button the menu comes before the third rules, then after every FEW


@dataclass(frozen=True, slots=True)
class Joining(Mode):
    """Players join, in this order; the first begins the game by holding OK.

    A short OK leaves again. With one button, which has no short OK, the menu's entry does.

    `ruleset`: the name of the rules that are offered. `asked`: two neighbours were told that
    opposite seats are usual. `at_menu`: with one button, which goes round the rules, the menu is
    offered after every few. `turned_at`: when NEXT last went on to other rules.
    """

    ruleset: str
    seats: tuple[int, ...] = ()
    asked: bool = False
    at_menu: bool = False
    turned_at: float = float("-inf")

    def joined(self, session: Session) -> tuple[int, ...]:
        return self.seats

    def drivers(self, session: Session) -> tuple[int, ...]:
        return session.setup.panels

    def holds_ok(self, session: Session, seat: int) -> bool:
        return seat in self.seats  # so that only a short OK leaves, never a hold

    def ok(self, session: Session, seat: int) -> Change:
        if self._opens(session, seat):
            return session.into(replace(self, at_menu=False)).open_menu(seat)
        if seat in self.seats:
            return self.leave(session, seat)
        session = session.unset(BOTS[seat].key)  # who sits down there plays
        return self._change_seats(session, (*self.seats, seat), seat)

    def leave(self, session: Session, seat: int) -> Change:
        """Return the session in which somebody who had joined has left again."""
        return self._change_seats(session, tuple(one for one in self.seats if one != seat), seat)

    def _change_seats(self, session: Session, seats: tuple[int, ...], seat: int) -> Change:
        """Return the session in which these seats have joined, and `seat` has just changed that.

        A refusal on the screen is taken off, because it was about the seats before.
        """
        joined = session.into(Joining(self.ruleset, seats), whisper=None)
        return Change(joined, tones=(Tone(seat, "press"),))

    def hold_ok(self, session: Session, seat: int) -> Change:
        if self._opens(session, seat):
            return self.ok(session, seat)
        if len(self._playing(session)) < 2:
            return session.refuse(message("one-more-player"))
        if seat != self.seats[0]:
            return session.refuse(self._begins(session))
        if self._neighbours(session) and not self.asked:
            return Change(session.into(replace(self, asked=True)), tones=(Tone(seat, "press"),))
        record = new_record(offers(session.settings)[self.ruleset], self._playing(session))
        return begin(self._remembered(session), record)

    def next(self, session: Session, seat: int) -> Change:
        if session.only(seat) and seat not in self.seats:
            return self.ok(session, seat)
        names = list(offers(session.settings))
        following = (names.index(self.ruleset) + 1) % len(names)
        if session.only(seat) and following % FEW == FIRST and not self.at_menu:
            return Change(session.into(replace(self, asked=False, at_menu=True)))
        return Change(session.into(Joining(names[following], self.seats, turned_at=session.t)))

    def _opens(self, session: Session, seat: int) -> bool:
        """Whether a panel's hold opens the menu."""
        return self.at_menu and session.only(seat) and seat in self.seats

    def whose(self, session: Session) -> Text:
        only = all(session.only(seat) for seat in session.setup.panels)
        return message("tap-joins") if only else message("ok-joins")

    def dome(self, session: Session) -> Change:
        does, hint = self._asks(session)
        return session.refuse(hint or keys_line(does))

    def screen(self, session: Session) -> TextScreen[Text]:
        """Return who plays; for a moment after NEXT, what sets the rules apart."""
        if session.t < self._told_until and not self.at_menu:
            ruleset = offers(session.settings)[self.ruleset]
            lines = (edition_title(self.ruleset), *distinctions(ruleset))
            return TextScreen(
                message("ask-which-rules"), lines, *self._asks(session), corner=self._which(session)
            )
        marks = tuple(SeatMark(seat, self._plays(session, seat)) for seat in session.setup.panels)
        line: Text = message("opposite-seats") if self.asked else edition_title(self.ruleset)
        line = message("menu") if self.at_menu else line
        return TextScreen(
            message("ask-who-plays"),
            (line,),
            *self._asks(session),
            marks,
            corner=self._which(session),
        )

    def _plays(self, session: Session, seat: int) -> Text:
        """Return the text beside a seat: a name, "joined", a box's level or nothing."""
        if seat in self.seats:
            return session.player(seat).name or message("joined")
        how_well = session.level(seat)
        return NOTHING if how_well is None else LEVEL_NAMES[how_well]

    def wake_at(self, session: Session) -> float | None:
        return self._told_until if session.t < self._told_until else None

    @property
    def _told_until(self) -> float:
        return self.turned_at + TOLD_S

    def _which(self, session: Session) -> str:
        names = list(offers(session.settings))
        return f"{names.index(self.ruleset) + 1}/{len(names)}"

    def lamps(self, session: Session) -> Lamps:
        return lamps(self.drivers(session), on=self.seats)

    def resting(self, session: Session) -> bool:
        return True

    def _remembered(self, session: Session) -> Session:
        """Return the session that offers these rules first from now on.

        Those of the configuration are not kept, so that another configuration counts at once.
        """
        usual = self.ruleset == offered_edition(session.setup.ruleset)
        return session.unset(RULESET.key) if usual else session.set(RULESET, self.ruleset)

    def _playing(self, session: Session) -> tuple[int, ...]:
        """Return who would play: those who have joined, then boxes."""
        return (
            *self.seats,
            *(seat for seat in session.setup.panels if session.level(seat) is not None),
        )

    def _neighbours(self, session: Session) -> bool:
        playing = self._playing(session)
        return len(playing) == 2 and sum(playing) % 2 == 1

    def _asks(self, session: Session) -> tuple[tuple[KeyHint[Text], ...], Text]:
        """Return what to press, or who begins."""
        only = all(session.only(seat) for seat in session.setup.panels)
        if self.at_menu:
            opens = message("do-open-it") if only else message("do-open-menu")
            key = KeyHint(message("press-hold"), opens)
            return (key, *((next_key(only, message("do-go-on")),) if only else ())), NOTHING
        if len(self._playing(session)) < 2 or not self.seats:
            if only:
                return (next_key(only, message("do-join-then-rules")),), NOTHING
            other = message("do-other-rules")
            return (ok_key(only, message("do-join")), next_key(only, other)), NOTHING
        return (), self._begins(session)

    def _begins(self, session: Session) -> Message:
        """Return who begins and how: `C: hold OK to begin`."""
        seat = Seat(self.seats[0])
        if session.only(self.seats[0]):
            again = message("hold-again-to-begin", seat=seat)
            return again if self.asked else message("hold-to-begin", seat=seat)
        again = message("hold-ok-again-to-begin", seat=seat)
        return again if self.asked else message("hold-ok-to-begin", seat=seat)
