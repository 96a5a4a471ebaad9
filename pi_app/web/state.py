"""The state of the table in messages and numbers, from a reply."""

from dataclasses import replace
from typing import Any

from pi_app.model import screens
from pi_app.model.screens import Message, Podium, Screen, Seat, Text, message
from pi_app.table.core.state import SEATS, Session
from pi_app.table.modes.play.showing_throw import ShowingThrow
from pi_app.table.modes.play.typed_dice import Typing, TypingEach
from pi_app.table.session import Reply
from pi_app.table.telling.chronicle import recent_lines
from pi_app.texts.language import Language
from pi_app.texts.words import LEVEL_NAMES, place_words, way_words
from pi_app.web.geometry import pawn_places, points_to_look_at, trails
from rules.board import SEAT_LETTERS
from rules.game import Phase
from rules.position import Position, starting_position
from rules.ruleset import RuleSet

LINES = 10  # of the game's events
TURNS = (Phase.ORDER, Phase.THROW, Phase.MOVE, Phase.PENALTY)


def table_state(reply: Reply) -> dict[str, Any]:
    """Return the state of the table, with messages for `say_all`. STATE.md describes its keys."""
    session, screen, shown = reply.session, reply.screen, board_of(reply.screen)
    rules, position = board_state(reply)
    record = session.record
    if record and is_tumbling(screen):  # nobody has seen the last throw yet
        record = replace(record, told=record.told[:-1])
    lines = recent_lines(record, LINES) if record else ()
    return {
        "idioms": list(session.idioms),
        "board": board_name(rules),
        "places": places(rules, position),
        "pawns": pawn_places(rules.layout, rules.travel, position),
        "moves": [] if shown is None else moves(rules, shown),
        "looks": [] if shown is None else points_to_look_at(shown),
        "dice": dice(session, screen),
        "turn": whose_turn(session),
        "sits": [occupant(session, seat) for seat in SEATS],
        "happened": [[key, line] for key, line in lines],
        "cheer": [*screen.winners] if isinstance(screen, Podium) and screen.cheers else [],
    }


def say_all(value: Any, language: Language) -> Any:
    """Return a value with each message in words, at any depth. A tuple is a list in words.

    A dictionary is said in its `idioms` if it has this key. Its `idioms` and `language` are not in
    the result.
    """
    if isinstance(value, Message | Seat | tuple):
        return language.say(value, "page")
    if isinstance(value, list):
        return [say_all(member, language) for member in value]
    if not isinstance(value, dict):
        return value
    if "idioms" in value:
        language = language.in_idioms(*value["idioms"])
    texts = {key: member for key, member in value.items() if key not in ("idioms", "language")}
    return {key: say_all(member, language) for key, member in texts.items()}


def doing_words(phase: str | None, who: Text | Seat) -> Message:
    """Return what is done in a phase of a game that nobody has won; None: it has not begun."""
    match phase:
        case Phase.ORDER:
            return message("throws-for-who-begins", who=who)
        case Phase.STARTER:
            return message("who-begins-is-chosen")
        case Phase.THROW:
            return message("is-to-throw", who=who)
        case Phase.MOVE:
            return message("is-to-move", who=who)
        case Phase.PENALTY:
            return message("takes-a-pawn-back", who=who)
    return message("players-join" if phase is None else "game-has-ended")


def whose_turn(session: Session) -> int | None:
    """Return the seat whose turn it is, or that threw while the screen shows a throw."""
    if isinstance(session.mode, ShowingThrow):
        return session.mode.seat
    game = None if session.record is None else session.record.game
    return game.seat if game is not None and game.phase in TURNS else None


def occupant(session: Session, seat: int) -> Text:
    """Return who is at a seat: a player's name, a bot with its level, or ""."""
    level = session.seats.level(seat)
    if level is None:
        return session.seats.player(seat).name
    return message("level-bot", level=LEVEL_NAMES[level])


def is_tumbling(screen: Screen) -> bool:
    return isinstance(screen, screens.BoardScreen) and any(die.tumbling for die in screen.dice)


def board_of(screen: Screen) -> screens.BoardMap | None:
    """Return the map of a screen; None if the pawns are as recorded and nothing is marked."""
    return screen.board if isinstance(screen, screens.BoardScreen | screens.TextScreen) else None


def board_name(rules: RuleSet) -> str:
    """Return the name of the board of rules, by which pages ask for its geometry."""
    parts = rules.layout, rules.travel, rules.safety, *[rules.stars] * (rules.stars != "none")
    return "/".join(parts)


def places(rules: RuleSet, position: Position) -> list[list[Text]]:
    """Return a list for each seat that plays: its letter, then each pawn's place."""
    return [
        [SEAT_LETTERS[seat], *(place_words(rules, seat, place) for place in all_places)]
        for seat, all_places in enumerate(position)
        if all_places
    ]


def moves(rules: RuleSet, board: screens.BoardMap) -> list[dict[str, Any]]:
    """Return each pawn to move by hand: its seat, its way, and whether it is `there`."""
    entries = []
    for pawn, trail in zip(board.by_hand, trails(board), strict=True):
        way = way_words(rules, pawn.seat, pawn.origin, pawn.target)
        words = message("pawn-goes", seat=Seat(pawn.seat), way=way)
        entries.append({"seat": pawn.seat, "words": words, "there": pawn.there, "trail": trail})
    return entries


def dice(session: Session, screen: Screen) -> list[dict[str, Any]]:
    """Return the dice on the table, without those that are being typed in."""
    typing = isinstance(session.mode, Typing | TypingEach)
    if isinstance(screen, screens.BoardScreen) and screen.dice and not typing:
        return list(map(_die, screen.dice))
    game = session.record.game if session.record is not None else None
    return [] if game is None else list(map(_die, screens.show_throw(game.ruleset, game.throw)))


def _die(thrown: screens.Die | screens.Shells) -> dict[str, Any]:
    if isinstance(thrown, screens.Shells):
        up = 0 if thrown.tumbling else thrown.up  # the page's own shells pass by
        return {"up": up, "tumbling": thrown.tumbling}
    return {"face": thrown.face, "tumbling": thrown.tumbling}


def board_state(reply: Reply) -> tuple[RuleSet, Position]:
    """Return the rule set, and the position on the screen's map or else in the game.

    Before a game the pawns of the seats that have joined are in their nests.
    """
    session, shown = reply.session, board_of(reply.screen)
    if session.record is not None:
        game = session.record.game
        return game.ruleset, game.position if shown is None else shown.position
    nests = starting_position(session.joined, session.rules.start_out)
    return session.rules, nests if shown is None else shown.position
