"""The newest state of the table, as the tabs are told it. Holds no connection."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from pi_app.devices.buzzer import Note, tune
from pi_app.simulate.glass import Glass
from pi_app.simulate.hands import Hands
from pi_app.table.chronicle import happened
from pi_app.table.modes.joining import Joining
from pi_app.table.modes.typing import Typing
from pi_app.table.modes.typing_each import TypingEach
from pi_app.table.offers import offers
from pi_app.table.screen import BoardMap, ByHand, Page, Pawn, Screen, Table
from pi_app.table.session import Reply
from pi_app.table.speech import Said, to_say
from pi_app.table.state import SEATS, Session
from pi_app.table.who import level, player
from pi_app.table.words import letter, where_in_brief
from pi_app.table.words import way as in_words
from pi_app.web.geometry import Spot, size, spot, way
from rules.board import HOME, NEST, SEAT_LETTERS
from rules.game import Phase
from rules.history import Record
from rules.position import PAWNS, Position, starting_position
from rules.ruleset import RuleSet

LINES = 10  # of what has happened
TURNS = (Phase.ORDER, Phase.THROW, Phase.MOVE, Phase.PENALTY)


class Spoken(NamedTuple):
    """A screen's words for a screen reader, and how many times there were words to be said."""

    words: str = ""
    times: int = 0

    def then(self, words: str, anew: bool) -> Spoken:
        """Return what is said next; `anew`: even where a press led back to the same words."""
        return Spoken(words, self.times + (anew or words != self.words))


class Newest:
    """Keeps the newest reply; a tab that asks gets it with the panel's pixels and the fingers.

    `watch` is called by the deciding thread, `text` by the page's; `changed` is told of news.
    """

    def __init__(self, hands: Hands, glass: Glass) -> None:
        self.changed: Callable[[], None] = lambda: None
        self._hands = hands
        self._glass = glass
        self._reply: Reply | None = None
        self._tones: tuple[int, tuple[Note, ...]] = (0, ())
        self._says = Spoken()
        glass.changed = self._say

    def watch(self, reply: Reply) -> None:
        """Take the newest reply; what only moves a lamp on is no news."""
        before, self._reply = self._reply, reply
        pressed = before is not None and before.session.mode != reply.session.mode
        self._says = self._says.then(to_say(reply.session, reply.screen).words, pressed)
        if reply.tones:
            notes = tuple(note for tone in reply.tones for note in tune(tone))
            self._tones = (self._tones[0] + 1, notes)
        if reply.tones or before is None or _shown(reply) != _shown(before):
            self.changed()

    def text(self) -> str:
        """Return the state as the line of JSON that a tab is sent."""
        table = {} if self._reply is None else table_state(self._reply)
        count, notes = self._tones
        tones = {"count": count, "notes": notes}
        fingers = {"buttons": self._hands.buttons, "held": self._hands.held}
        says = {"words": self._says.words, "times": self._says.times}
        told = {"says": says, "tones": tones, "frame": self._frame()}
        return json.dumps({**table, **fingers, **told})

    def _frame(self) -> str:
        image = self._glass.seen
        return base64.b64encode(image.tobytes()).decode() if image is not None else ""

    def _say(self) -> None:
        self.changed()


def _shown(reply: Reply) -> tuple[object, ...]:
    """Return all that the page shows of a reply."""
    session = reply.session
    return reply.screen, reply.lamps, reply.glow, session.mode, session.record


def table_state(reply: Reply) -> dict[str, Any]:
    """Return what lies on the table: board, pawns, what a hand moves, dice, whose turn, lamps."""
    session, shown = reply.session, board_of(reply.screen)
    rules, position = _on_the_board(session)
    position = position if shown is None else shown.position
    record = session.record
    return {
        "board": f"{rules.layout}/{rules.travel}/{rules.safety}",
        "pawns": pawns(rules.layout, rules.travel, position),
        "places": places(rules.layout, position),
        "moves": [] if shown is None else moves(shown),
        "looks": [] if shown is None else looks(shown),
        "dice": dice(session, reply.screen),
        "turn": record.game.seat if record and record.game.phase in TURNS else None,
        "sits": [sits(session, seat) for seat in SEATS],
        "happened": happened(_seen(record, reply.screen), LINES) if record else (),
        "asides": asides(to_say(session, reply.screen)),
        "lamps": reply.lamps,
    }


def sits(session: Session, seat: int) -> str:
    """Return who sits at a seat: a name, how well a box plays there, or nothing."""
    how_well = level(session, seat)
    return player(session, seat).name if how_well is None else f"{how_well} box"


def asides(said: Said) -> list[tuple[str, str]]:
    """Return what is said beside the screen's words, each under a key that only it has."""
    whisper = [(str(said.whisper.until), said.whisper.text)] if said.whisper is not None else []
    return [*((text, text) for text in said.notices), *whisper]


def _seen(record: Record, screen: Screen) -> Record:
    """Return the record without the throw whose dice still tumble."""
    tumbling = isinstance(screen, Table) and any(die.tumbling for die in screen.dice)
    return replace(record, told=record.told[:-1]) if tumbling else record


def board_of(screen: Screen) -> BoardMap | None:
    """Return the board that a screen shows, None where it is as recorded and nothing is marked."""
    return screen.board if isinstance(screen, Table | Page) else None


def pawns(layout: str, travel: str, position: Position) -> list[list[float]]:
    """Return seat, place, x, y and size of each pawn; where some share a place, side by side."""
    placed: list[list[float]] = []
    for seat, all_places in enumerate(position):
        counts, seen = Counter(all_places), Counter[int]()
        for place in all_places:
            at = spot(layout, travel, seat, place, seen[place], counts[place])
            placed.append([seat, place, *at, size(place, counts[place])])
            seen[place] += 1
    return placed


def places(layout: str, position: Position) -> list[list[str]]:
    """Return for each seat that plays its letter, and where each of its pawns is in words."""
    return [
        [SEAT_LETTERS[seat], *(where_in_brief(layout, seat, place) for place in all_places)]
        for seat, all_places in enumerate(position)
        if all_places
    ]


def moves(board: BoardMap) -> list[dict[str, Any]]:
    """Return each pawn that a hand moves: whose, in words, its way, at which end it is shown."""
    crowds = Counter((seat, place) for seat in board.seats for place in board.position[seat])
    return [_move(board, one, crowds) for one in board.by_hand]


def _move(board: BoardMap, one: ByHand, crowds: Counter[Pawn]) -> dict[str, Any]:
    """Return a pawn to be moved; of those in a nest it is the last, or comes after them."""
    seat, origin, target, there = one
    shown, other = ((seat, target), (seat, origin)) if there else ((seat, origin), (seat, target))
    nth = {shown: crowds[shown] - 1, other: crowds[other]}
    crowds[other] += 1
    crowds[shown] -= 1
    ends = _spot_of(origin, nth[seat, origin]), _spot_of(target, nth[seat, target])
    return {
        "seat": seat,
        "words": f"{letter(seat)}: {in_words(board.layout, seat, origin, target)}",
        "trail": way(board.layout, board.travel, seat, origin, target, ends),
        "there": there,
    }


def _spot_of(place: int, nth: int) -> int:
    """Return which of a place's spots it is; on the way a step is marked in the middle of it."""
    return min(max(nth, 0), PAWNS - 1) if place in (NEST, HOME) else 0


def looks(board: BoardMap) -> list[Spot]:
    """Return the spots to look at, where there is nothing to be moved: each pawn's in a nest."""
    rests = board.target in (None, board.origin) or board.hand == "rests"
    pawns = dict.fromkeys((board.origin, board.target) if rests else ())
    return [
        spot(board.layout, board.travel, seat, place, nth, 1)
        for seat, place in filter(None, pawns)
        for nth in range(board.position[seat].count(place) if place in (NEST, HOME) else 1)
    ]


def dice(session: Session, screen: Screen) -> list[dict[str, Any]]:
    """Return the dice that lie on the table; those being typed in do not lie there yet."""
    typing = isinstance(session.mode, Typing | TypingEach)
    if isinstance(screen, Table) and screen.dice and not typing:
        return [{"face": die.face, "tumbling": die.tumbling} for die in screen.dice]
    faces = session.record.game.throw if session.record is not None else ()
    return [{"face": face, "tumbling": False} for face in faces]


def _on_the_board(session: Session) -> tuple[RuleSet, Position]:
    """Return the rule set and where the pawns stand; before a game, in the nests of who joined."""
    if session.record is not None:
        return session.record.game.ruleset, session.record.game.position
    mode = session.mode
    name = mode.ruleset if isinstance(mode, Joining) else session.next_rules
    return offers(session.settings)[name], starting_position(session.joined)
