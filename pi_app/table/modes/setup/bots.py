"""The menu's lines for bots: a level for each seat, and a line by which a player takes a seat."""

from __future__ import annotations

from functools import partial

from pi_app.input.events import Tone
from pi_app.screens.screen import Message, Seat, message
from pi_app.settings.settings import BOTS, LEVELS, STAND_INS, Level
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.care.leaving import hand_over, remaining_seats, take_back
from pi_app.table.modes.menu.menu import Line, Menu, MenuItem, always_available
from pi_app.texts.words import LEVEL_NAMES, question_title, seat_letter
from rules.game import Phase

NO_BOT = message("no-bot")


def bot_items(session: Session) -> tuple[Line, ...]:
    """Return a line for each seat that a bot may play. OK sets the next level.

    While players join, the player who joined first has a line for each empty seat. In a game, a
    panel has a line for its own seat, unless nobody else is there, and a line for each bot. A bot's
    own panel also has a line by which a player takes the seat.
    """
    record = session.record
    levels = tuple(
        MenuItem(
            seat_letter(seat),
            seat_letter(seat),
            always_available,
            partial(_set_next_level, seat),
            partial(_level_words, seat),
        )
        for seat in _bot_seats(session)
    )
    if record is None or record.game.phase is Phase.OVER:
        return levels
    takes = (
        MenuItem(
            f"play-{seat_letter(seat)}",
            message("play-yourself", seat=Seat(seat)),
            always_available,
            partial(_take_seat, seat),
        )
        for seat in session.mode.drivers(session)
        if seat in record.game.seats and session.level(seat) is not None
    )
    return (*levels, *takes)  # takes come last, so that the marked line keeps its place


def _bot_seats(session: Session) -> tuple[int, ...]:
    """Return the seats with a line for a bot on the driver's menu."""
    drivers = session.mode.drivers(session)
    if session.record is None:
        joined = session.mode.joined(session)
        empty = (seat for seat in session.setup.panels if seat not in joined)
        return tuple(empty) if joined[:1] == drivers else ()
    game = session.record.game
    if game.phase is Phase.OVER:
        return ()
    playing = [seat for seat in game.seats if seat not in game.places]
    own = [seat for seat in playing if seat in drivers and remaining_seats(session, seat)]
    others = (seat for seat in playing if session.level(seat) is not None and seat not in own)
    return (*own, *others)


def _level_words(seat: int, session: Session) -> Message:
    level = session.level(seat)
    return NO_BOT if level is None else LEVEL_NAMES[level]


def _set_next_level(seat: int, menu: Menu, session: Session) -> Change:
    """Set the next level. While players join, no bot follows the last level."""
    level = session.level(seat)
    after = session.unset(BOTS[seat].key)
    if level != LEVELS[-1] or session.record is not None:
        following = LEVELS[0] if level is None else LEVELS[(LEVELS.index(level) + 1) % len(LEVELS)]
        after = seat_bot(session, seat, following)
    return Change(after.enter_mode(menu), tones=(Tone(menu.driver, "press"),))


def seat_bot(session: Session, seat: int, level: Level | None) -> Session:
    """Return the session in which a bot plays a seat.

    The seats for which this seat's player was the stand-in get another stand-in.
    """
    if session.record is not None and session.level(seat) is None:
        session = hand_over(session, seat, remaining_seats(session, seat)[0])
    return session.unset(STAND_INS[seat].key).set(BOTS[seat], level)


def _take_seat(seat: int, menu: Menu, session: Session) -> Change:
    """Let a player play the seat in place of a bot."""
    after = take_back(session, seat)
    return Change(
        after.resume_game(question_title(seat, message("you-play"))), tones=(Tone(seat, "press"),)
    )
