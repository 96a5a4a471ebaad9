"""The state of the table in words and numbers, from the newest reply. Has no coordinates."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pi_app.screens.screen import (
    BoardMap,
    BoardScreen,
    ByHand,
    Podium,
    Screen,
    Seat,
    TextScreen,
    message,
)
from pi_app.settings.offers import offers
from pi_app.table.core.state import SEATS, Session
from pi_app.table.modes.play.showing_throw import ShowingThrow
from pi_app.table.modes.play.typing import Typing
from pi_app.table.modes.play.typing_each import TypingEach
from pi_app.table.modes.setup.joining import Joining
from pi_app.table.session import Reply
from pi_app.table.telling.chronicle import recent_lines
from pi_app.texts.language import Language
from pi_app.texts.words import LEVEL_NAMES, place_words, way_words
from rules.board import SEAT_LETTERS
from rules.game import Phase
from rules.history import Record
from rules.position import Position, starting_position
from rules.ruleset import RuleSet

LINES = 10  # of what has happened
TURNS = (Phase.ORDER, Phase.THROW, Phase.MOVE, Phase.PENALTY)


def table_state(reply: Reply, language: Language) -> dict[str, Any]:
    """Return what lies on the table and who sits there.

    Board, pawns' places in words, what a hand moves, dice, whose turn, who sits where, what has
    happened (each line with its id), and the winner while it is celebrated. All words are in this
    language.
    """
    session, shown = reply.session, board_of(reply.screen)
    rules, position = board_state(reply)
    record = session.record
    lines = recent_lines(_seen(record, reply.screen), LINES) if record else ()
    return {
        "board": f"{rules.layout}/{rules.travel}/{rules.safety}",
        "places": places(rules.layout, position, language),
        "moves": [] if shown is None else moves(shown, language),
        "dice": dice(session, reply.screen),
        "turn": whose_turn(session),
        "sits": [occupant(session, seat, language) for seat in SEATS],
        "happened": [(key, language.say(line, "page")) for key, line in lines],
        "cheer": celebrated_seat(reply.screen),
    }


def whose_turn(session: Session) -> int | None:
    """Return whose turn it is; while a throw can be read, the seat that threw it."""
    if isinstance(session.mode, ShowingThrow):
        return session.mode.seat
    game = None if session.record is None else session.record.game
    return game.seat if game is not None and game.phase in TURNS else None


def celebrated_seat(screen: Screen) -> int | None:
    """Return the seat whose win is celebrated on a screen."""
    return screen.winner if isinstance(screen, Podium) and screen.cheers else None


def occupant(session: Session, seat: int, language: Language) -> str:
    """Return who sits at a seat: a name, how well a box plays there, or nothing."""
    how_well = session.level(seat)
    if how_well is None:
        return session.player(seat).name
    return language.say(message("level-box", level=LEVEL_NAMES[how_well]), "page")


def _seen(record: Record, screen: Screen) -> Record:
    """Return the record without the throw whose dice still tumble."""
    return replace(record, told=record.told[:-1]) if is_tumbling(screen) else record


def is_tumbling(screen: Screen) -> bool:
    """Whether dice on a screen still tumble."""
    return isinstance(screen, BoardScreen) and any(die.tumbling for die in screen.dice)


def board_of(screen: Screen) -> BoardMap | None:
    """Return the board that a screen shows, None where it is as recorded and nothing is marked."""
    return screen.board if isinstance(screen, BoardScreen | TextScreen) else None


def places(layout: str, position: Position, language: Language) -> list[list[str]]:
    """Return for each seat that plays its letter, and where each of its pawns is in words."""
    return [
        [
            SEAT_LETTERS[seat],
            *(language.say(place_words(layout, seat, place), "page") for place in all_places),
        ]
        for seat, all_places in enumerate(position)
        if all_places
    ]


def moves(board: BoardMap, language: Language) -> list[dict[str, Any]]:
    """Return each pawn that a hand moves: whose, in words, whether it is shown at the end."""
    return [_move(board.layout, one, language) for one in board.by_hand]


def _move(layout: str, one: ByHand, language: Language) -> dict[str, Any]:
    goes = message(
        "pawn-goes",
        seat=Seat(one.seat),
        way=way_words(layout, one.seat, one.origin, one.target),
    )
    return {"seat": one.seat, "words": language.say(goes, "page"), "there": one.there}


def dice(session: Session, screen: Screen) -> list[dict[str, Any]]:
    """Return the dice that lie on the table; those being typed in do not lie there yet."""
    typing = isinstance(session.mode, Typing | TypingEach)
    if isinstance(screen, BoardScreen) and screen.dice and not typing:
        return [{"face": die.face, "tumbling": die.tumbling} for die in screen.dice]
    faces = session.record.game.throw if session.record is not None else ()
    return [{"face": face, "tumbling": False} for face in faces]


def board_state(reply: Reply) -> tuple[RuleSet, Position]:
    """Return the rule set and where the pawns stand, as the screen has them if it shows a board.

    Before a game they are in the nests of who joined.
    """
    session, shown = reply.session, board_of(reply.screen)
    if session.record is not None:
        game = session.record.game
        return game.ruleset, game.position if shown is None else shown.position
    mode = session.mode
    name = mode.ruleset if isinstance(mode, Joining) else session.next_rules
    position = starting_position(session.joined) if shown is None else shown.position
    return offers(session.settings)[name], position
