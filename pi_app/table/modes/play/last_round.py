"""The last round of a game: the menu's lines that set when it comes, and the words on each turn."""

from dataclasses import replace
from functools import partial

from pi_app.model.screens import Message, Seat, Text, message
from pi_app.settings.settings import LAST_ROUND, Limit, Unit
from pi_app.table.core.advice import BOARD_PHASES
from pi_app.table.core.clocks import MINUTE_S, end_after, last_seat
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.menu.menu import Line, Menu, MenuItem
from pi_app.texts.words import comma_list
from rules.game import Phase

COUNTS: dict[Unit, tuple[int, ...]] = {"minutes": (30, 60, 90), "turns": (30,)}


def last_round_words(session: Session) -> Message:
    """Return when the last round comes, or who is last in it."""
    last, limit = session.playing.game.last_to_play, session.settings.get(LAST_ROUND)
    if last is not None:
        return message("is-last", seat=Seat(last))
    if limit.unit == "minutes" and session.minutes_since is not None:
        assert isinstance(session.mode, Menu)  # it stays as it is until the next press
        passed = int((session.mode.touched_at - session.minutes_since) // MINUTE_S)
        limit = limit._replace(amount=max(min(limit.amount, 1), limit.amount - passed))
    return _limit_words(limit)


def _limit_words(limit: Limit) -> Message:
    if not limit.amount:
        return message("off")
    in_turns = limit.unit == "turns"
    return message("after-turns" if in_turns else "after-minutes", count=limit.amount)


def last_round_items(session: Session) -> tuple[Line, ...]:
    """Return the menu's lines that set when the last round comes; () without a game."""
    if session.phase in (None, Phase.OVER):
        return ()
    off = MenuItem("off", message("off"), _take_back)
    if session.playing.game.last_turn is not None:
        return (off,)
    limits = (Limit(count, unit) for unit, counts in COUNTS.items() for count in counts)
    items = (MenuItem(str(one), _limit_words(one), partial(_set, one)) for one in limits)
    now = MenuItem(
        "now", message("this-round"), _end_now, lambda session: session.phase in BOARD_PHASES
    )
    return (now, off) if session.settings.get(LAST_ROUND).amount else (now, *items)


def _set(limit: Limit, menu: Menu, session: Session) -> Change:
    after = replace(session.set(LAST_ROUND, limit), minutes_since=session.t)
    return after.lead_to(menu.close_section(after), pressed=menu.driver)


def _end_now(menu: Menu, session: Session) -> Change:
    return end_after(menu.close(session).session, last_seat(session.playing))


def _take_back(menu: Menu, session: Session) -> Change:
    """Set no limit, and take the last round back if it has come."""
    after = session.unset(LAST_ROUND.key)
    if session.playing.game.last_turn is None:
        return after.lead_to(menu.close_section(after), pressed=menu.driver)
    return end_after(menu.close(after).session, None)


def with_last_round(session: Session, note: Text) -> Text:
    """Return a small text with whose turn is the last before it, on a turn's first screen."""
    game = session.playing.game
    last = game.last_to_play
    if last is None or game.phase is not Phase.THROW or game.doublets or game.memory.tries:
        return note
    words = message("last-round", seat=Seat(last))
    return comma_list([words, note]) if note else words
