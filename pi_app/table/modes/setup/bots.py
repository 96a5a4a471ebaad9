"""The menu's lines for bots: a level for each seat, and a line by which a player takes a seat."""

from dataclasses import replace
from functools import partial

from pi_app.model.screens import Message, Seat, message
from pi_app.settings.offers import all_rules
from pi_app.settings.settings import BOTS, STAND_INS, Level
from pi_app.table.core.seats import offered_level, offered_levels, partner
from pi_app.table.core.state import SEATS, Change, Mode, Session, ToGame
from pi_app.table.modes.care.leaving import hand_over, remaining_seats, take_back
from pi_app.table.modes.menu.menu import Line, Menu, MenuItem
from pi_app.table.modes.setup.joining import Joining
from pi_app.texts.words import LEVEL_NAMES, question_title, seat_letter
from rules.game import Phase


def bot_items(session: Session) -> tuple[Line, ...]:
    """Return a line for each seat that a bot may play. OK sets the next level.

    While players join, the player who joined first has a line for each empty seat. In a game, a
    panel has a line for its own seat, unless nobody else is there, and a line for each bot. A bot's
    own panel also has a line by which a player takes the seat.
    """
    lines: list[Line] = []
    for seat in _bot_seats(session):
        letter, level = seat_letter(seat), partial(_level_words, seat)
        lines.append(MenuItem(letter, letter, partial(_set_next_level, seat), value=level))
    if session.phase in (None, Phase.OVER):
        return tuple(lines)
    for seat in session.mode.drivers(session):  # last, so that the marked line keeps its place
        if seat in session.playing.game.seats and session.seats.has_bot(seat):
            words = message("play-yourself", seat=Seat(seat))
            lines.append(MenuItem(f"play-{seat_letter(seat)}", words, partial(_take_seat, seat)))
    return tuple(lines)


def _bot_seats(session: Session) -> tuple[int, ...]:
    drivers = session.mode.drivers(session)
    if session.record is None:
        joined, joining = session.mode.joined(session), _joining(session.mode)
        if joined[:1] != drivers:
            return ()
        doubled = [seat for seat in SEATS if may_double(joining, session, seat)]
        return tuple(sorted({*session.setup.panels, *doubled} - {*joined}))
    game = session.record.game
    if game.phase is Phase.OVER:
        return ()
    playing = [seat for seat in game.seats if seat not in game.places]
    own = [seat for seat in playing if seat in drivers and remaining_seats(session, seat)]
    others = (seat for seat in playing if session.seats.has_bot(seat) and seat not in own)
    return (*own, *others)


def _level_words(seat: int, session: Session) -> Message:
    level, joining = session.seats.level(seat), _joining(session.mode)
    if joining is not None and seat in joining.doubled:
        return message("seat-played-by", seat=Seat(partner(seat)))
    if level is None:
        return message("no-bot")
    return LEVEL_NAMES[offered_level(level, session.rules)]


def _set_next_level(seat: int, menu: Menu, session: Session) -> Change:
    """Set the next level. While players join, no bot follows the last level.

    In a game with cowries, the player opposite comes between the two.
    """
    rules, joining = session.rules, _joining(menu)
    level, levels = session.seats.level(seat), offered_levels(rules)
    index = -1 if level is None else levels.index(offered_level(level, rules))
    after, doubled = session.unset(BOTS[seat].key), joining.doubled if joining else ()
    if seat in doubled:
        doubled = tuple([other for other in doubled if other != seat])
    elif index + 1 == len(levels) and may_double(joining, session, seat):
        doubled = (*doubled, seat)
    elif index + 1 < len(levels) or session.record is not None:
        if session.record is not None and level is None:  # those for whom this player stood in
            session = hand_over(session, seat, remaining_seats(session, seat)[0])
        following: Level | None = levels[(index + 1) % len(levels)]
        after = session.unset(STAND_INS[seat].key).set(BOTS[seat], following)
    if joining is not None and doubled != joining.doubled:
        menu = replace(menu, back=replace(joining, doubled=doubled, needs_four=False))
    return after.lead_to(menu, pressed=menu.driver)


def _joining(mode: Mode) -> Joining | None:
    """Return how far players have joined, behind a menu; None in a game."""
    back = mode.back if isinstance(mode, Menu) else mode
    return back if isinstance(back, Joining) else None


def may_double(joining: Joining | None, session: Session, seat: int) -> bool:
    """Whether the player opposite may play this seat too: in a game with cowries."""
    if joining is None or partner(seat) not in joining.seats:
        return False
    return all_rules(session.settings)[joining.ruleset].throws_shells


def _take_seat(seat: int, menu: Menu, session: Session) -> Change:
    after = take_back(session, seat)
    return after.lead_to(ToGame(question_title(seat, message("you-play"))), pressed=seat)
