"""Joining: players choose who plays and by which rules. The first to join begins the game."""

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
from pi_app.table.modes.menu.menu import WAY_OUT_EVERY
from pi_app.texts.rule_words import distinctions
from pi_app.texts.words import LEVEL_NAMES, keys_line, next_key, ok_key
from rules.history import new_record

DISTINCTIONS_S = 6.0  # long enough to read the three lines that set an edition apart
FIRST_MENU = 2  # with one button, the menu precedes the third rules, then every WAY_OUT_EVERY


@dataclass(frozen=True, slots=True)
class Joining(Mode):
    """Players join with OK. The player who joined first begins the game by holding OK.

    A short OK leaves again. A one-button panel has no short OK and leaves by the menu.

    ruleset: the name of the rules that are shown. seats: those who have joined, in order.
    asks_again: two neighbours want to begin, and read that opposite seats are usual. at_menu: a
    one-button panel has come to the menu among the rules. turned_at: when NEXT last changed the
    rules.
    """

    ruleset: str
    seats: tuple[int, ...] = ()
    asks_again: bool = False
    at_menu: bool = False
    turned_at: float = float("-inf")

    def joined(self, session: Session) -> tuple[int, ...]:
        return self.seats

    def drivers(self, session: Session) -> tuple[int, ...]:
        return session.setup.panels

    def holds_ok(self, session: Session, seat: int) -> bool:
        return seat in self.seats  # so that a hold does not leave

    def ok(self, session: Session, seat: int) -> Change:
        if self._opens_menu(session, seat):
            return session.enter_mode(replace(self, at_menu=False)).open_menu(seat)
        if seat in self.seats:
            return self.leave(session, seat)
        session = session.unset(BOTS[seat].key)  # the player replaces a bot
        return self._change_seats(session, (*self.seats, seat), seat)

    def leave(self, session: Session, seat: int) -> Change:
        """Let the player of this seat, who had joined, leave again."""
        return self._change_seats(session, tuple(one for one in self.seats if one != seat), seat)

    def _change_seats(self, session: Session, seats: tuple[int, ...], seat: int) -> Change:
        """Replace the seats that have joined, after a press of `seat`.

        A refusal on the screen goes away, because it was about the seats before.
        """
        joined = session.enter_mode(Joining(self.ruleset, seats), whisper=None)
        return Change(joined, tones=(Tone(seat, "press"),))

    def hold_ok(self, session: Session, seat: int) -> Change:
        if self._opens_menu(session, seat):
            return self.ok(session, seat)
        playing = self._playing(session)
        if len(playing) < 2:
            return session.refuse(message("one-more-player"))
        if seat != self.seats[0]:
            return session.refuse(self._begin_hint(session))
        are_neighbours = len(playing) == 2 and sum(playing) % 2 == 1
        if are_neighbours and not self.asks_again:
            return Change(
                session.enter_mode(replace(self, asks_again=True)), tones=(Tone(seat, "press"),)
            )
        record = new_record(offers(session.settings)[self.ruleset], playing)
        # Store the chosen rules, but not those of the configuration: a change there counts at once.
        if self.ruleset == offered_edition(session.setup.ruleset):
            return begin(session.unset(RULESET.key), record)
        return begin(session.set(RULESET, self.ruleset), record)

    def next(self, session: Session, seat: int) -> Change:
        if session.has_one_button(seat) and seat not in self.seats:
            return self.ok(session, seat)
        names = list(offers(session.settings))
        following = (names.index(self.ruleset) + 1) % len(names)
        if (
            session.has_one_button(seat)
            and following % WAY_OUT_EVERY == FIRST_MENU
            and not self.at_menu
        ):
            return Change(session.enter_mode(replace(self, asks_again=False, at_menu=True)))
        return Change(
            session.enter_mode(Joining(names[following], self.seats, turned_at=session.t))
        )

    def _opens_menu(self, session: Session, seat: int) -> bool:
        """Whether a hold on this panel opens the menu."""
        return self.at_menu and session.has_one_button(seat) and seat in self.seats

    def whose(self, session: Session) -> Text:
        only = all(session.has_one_button(seat) for seat in session.setup.panels)
        return message("tap-joins") if only else message("ok-joins")

    def dome(self, session: Session) -> Change:
        hints, begin_hint = self._key_hints(session)
        return session.refuse(begin_hint or keys_line(hints))

    def screen(self, session: Session) -> TextScreen[Text]:
        """Return the seats with their players; after NEXT, for a moment, what sets rules apart."""
        names = list(offers(session.settings))
        corner = f"{names.index(self.ruleset) + 1}/{len(names)}"
        if session.t < self._distinctions_until and not self.at_menu:
            ruleset = offers(session.settings)[self.ruleset]
            lines = (edition_title(self.ruleset), *distinctions(ruleset))
            title = message("ask-which-rules")
            return TextScreen(title, lines, *self._key_hints(session), corner=corner)
        marks: list[SeatMark[Text]] = []
        for seat in session.setup.panels:
            level = session.level(seat)
            text: Text = NOTHING if level is None else LEVEL_NAMES[level]
            if seat in self.seats:
                text = session.player(seat).name or message("joined")
            marks.append(SeatMark(seat, text))
        line: Text = message("opposite-seats") if self.asks_again else edition_title(self.ruleset)
        line = message("menu") if self.at_menu else line
        title = message("ask-who-plays")
        return TextScreen(title, (line,), *self._key_hints(session), tuple(marks), corner=corner)

    def wake_at(self, session: Session) -> float | None:
        return self._distinctions_until if session.t < self._distinctions_until else None

    @property
    def _distinctions_until(self) -> float:
        return self.turned_at + DISTINCTIONS_S

    def lamps(self, session: Session) -> Lamps:
        return lamps(self.drivers(session), on=self.seats)

    def resting(self, session: Session) -> bool:
        return True

    def _playing(self, session: Session) -> tuple[int, ...]:
        """Return the seats that would play: those who have joined, then bots."""
        return (
            *self.seats,
            *(seat for seat in session.setup.panels if session.level(seat) is not None),
        )

    def _key_hints(self, session: Session) -> tuple[tuple[KeyHint[Text], ...], Text]:
        """Return the key hints, or instead of them the line with who may begin."""
        only = all(session.has_one_button(seat) for seat in session.setup.panels)
        if self.at_menu:
            opens = message("do-open-it") if only else message("do-open-menu")
            key = KeyHint(message("press-hold"), opens)
            return (key, *((next_key(only, message("do-go-on")),) if only else ())), NOTHING
        if len(self._playing(session)) < 2 or not self.seats:
            if only:
                return (next_key(only, message("do-join-then-rules")),), NOTHING
            other = message("do-other-rules")
            return (ok_key(only, message("do-join")), next_key(only, other)), NOTHING
        return (), self._begin_hint(session)

    def _begin_hint(self, session: Session) -> Message:
        """Return the line with who may begin the game: `C: hold OK to begin`."""
        seat = Seat(self.seats[0])
        if session.has_one_button(self.seats[0]):
            again = message("hold-again-to-begin", seat=seat)
            return again if self.asks_again else message("hold-to-begin", seat=seat)
        again = message("hold-ok-again-to-begin", seat=seat)
        return again if self.asks_again else message("hold-ok-to-begin", seat=seat)
