"""Boxes that play: the menu's lines that seat them, and who sits down in place of one."""

from __future__ import annotations

from functools import partial

from pi_app.input.events import Tone
from pi_app.screens.screen import Message, Seat, message
from pi_app.settings.settings import BOTS, LEVELS, STAND_INS, Level
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.care.leaving import hand_over, remaining_seats, take_back
from pi_app.table.modes.menu.menu import Line, Menu, MenuItem, always
from pi_app.texts.words import LEVEL_NAMES, question_title, seat_letter
from rules.game import Phase

NO_BOX = message("no-box")


def bot_items(session: Session) -> tuple[Line, ...]:
    """Return a line for each seat that a box may play: OK goes on to another level.

    While players join, the first of them has one for each seat that is empty. In a game a panel
    has its own, unless nobody else is there, and those of boxes. The panel of a box has one more,
    by which somebody takes the seat.
    """
    own = () if session.record is None else session.mode.drivers(session)
    to_take = (
        MenuItem(
            f"play-{seat_letter(seat)}",
            message("play-yourself", seat=Seat(seat)),
            always,
            partial(_sit_down, seat),
        )
        for seat in own
        if _may_sit_down(session, seat)
    )
    levels = (
        MenuItem(
            seat_letter(seat),
            seat_letter(seat),
            always,
            partial(_turn, seat),
            partial(_shown, seat),
        )
        for seat in (_empty(session) if session.record is None else _in_game(session))
    )
    return (*levels, *to_take)  # below, so that the line that is marked stays


def _empty(session: Session) -> tuple[int, ...]:
    joined, drivers = session.mode.joined(session), session.mode.drivers(session)
    if joined[:1] != drivers:
        return ()
    return tuple(seat for seat in session.setup.panels if seat not in joined)


def _in_game(session: Session) -> tuple[int, ...]:
    game, drivers = session.playing.game, session.mode.drivers(session)
    if game.phase is Phase.OVER:
        return ()
    playing = [seat for seat in game.seats if seat not in game.places]
    own = [seat for seat in playing if seat in drivers and remaining_seats(session, seat)]
    others = (seat for seat in playing if session.level(seat) is not None and seat not in own)
    return (*own, *others)


def _shown(seat: int, session: Session) -> Message:
    how_well = session.level(seat)
    return NO_BOX if how_well is None else LEVEL_NAMES[how_well]


def _turn(seat: int, menu: Menu, session: Session) -> Change:
    """Go on to the next level; while players join, after the last to none."""
    known = session.level(seat)
    after = session.unset(BOTS[seat].key)
    if known != LEVELS[-1] or session.record is not None:
        following = LEVELS[0] if known is None else LEVELS[(LEVELS.index(known) + 1) % len(LEVELS)]
        after = seat_bot(session, seat, following)
    return Change(after.into(menu), tones=(Tone(menu.driver, "press"),))


def seat_bot(session: Session, seat: int, how_well: Level | None) -> Session:
    """Return the session in which a box plays a seat; for whom that has played, others do."""
    if session.record is not None and session.level(seat) is None:
        session = hand_over(session, seat, remaining_seats(session, seat)[0])
    return session.unset(STAND_INS[seat].key).set(BOTS[seat], how_well)


def _may_sit_down(session: Session, seat: int) -> bool:
    """Whether somebody may sit down in place of a box."""
    game = session.playing.game
    return seat in game.seats and session.level(seat) is not None and game.phase is not Phase.OVER


def _sit_down(seat: int, menu: Menu, session: Session) -> Change:
    """Have somebody play a seat that a box has played."""
    after = take_back(session, seat)
    return Change(
        after.at_rest(question_title(seat, message("you-play"))), tones=(Tone(seat, "press"),)
    )
