"""The newest state of the table, as the tabs are told it. Holds no connection."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from pi_app.devices.buzzer import Note, tune
from pi_app.simulate.glass import Glass
from pi_app.simulate.hands import Hands
from pi_app.table.chronicle import happened
from pi_app.table.modes.joining import Joining
from pi_app.table.modes.menu import FromMenu, Menu
from pi_app.table.modes.typing import Typing
from pi_app.table.modes.untaken import Untaken
from pi_app.table.screen import BoardMap, ByHand, Pawn, Podium, Screen, Table
from pi_app.table.session import Reply
from pi_app.table.speech import SILENCE, Said, to_say
from pi_app.table.state import Mode, Session
from pi_app.table.words import letter, where_in_brief
from pi_app.table.words import way as in_words
from pi_app.web.geometry import Spot, size, spot, way
from rules.board import SEAT_LETTERS
from rules.game import Phase
from rules.position import PAWNS, Position, starting_position
from rules.ruleset import PRESETS, RuleSet

LINES = 10  # of what has happened
TURNS = (Phase.ORDER, Phase.THROW, Phase.MOVE, Phase.PENALTY)


class Spoken(NamedTuple):
    """Words for a screen reader, and how many times there were words to be said."""

    words: str = ""
    times: int = 0

    def then(self, words: str, anew: bool) -> Spoken:
        """Return what is said next; `anew`: even if it is the same."""
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
        self._said = SILENCE
        self._screen, self._aside = Spoken(), Spoken()
        glass.changed = self._say

    def watch(self, reply: Reply) -> None:
        """Take the newest reply; what only moves a lamp on is no news."""
        before, self._reply = self._reply, reply
        self._hear(before, reply)
        if reply.tones:
            notes = tuple(note for tone in reply.tones for note in tune(tone))
            self._tones = (self._tones[0] + 1, notes)
        if reply.tones or before is None or _shown(reply) != _shown(before):
            self.changed()

    def _hear(self, before: Reply | None, reply: Reply) -> None:
        """Take what there is to say: a screen again if a press led back to it, an aside if new."""
        now = to_say(reply.session, reply.screen)
        again = before is not None and before.session.mode != reply.session.mode
        self._screen = self._screen.then(now.words, again)
        self._aside = self._aside.then(aside(now), now.whisper not in (None, self._said.whisper))
        self._said = now

    def text(self) -> str:
        """Return the state as the line of JSON that a tab is sent."""
        table = {} if self._reply is None else table_state(self._reply)
        count, notes = self._tones
        tones = {"count": count, "notes": notes}
        fingers = {"buttons": self._hands.buttons, "held": self._hands.held}
        spoken = {"says": self._screen, "aside": self._aside}
        return json.dumps({**table, **fingers, **spoken, "frame": self._frame(), "tones": tones})

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
        "happened": happened(record, LINES) if record else (),
        "lamps": reply.lamps,
    }


def aside(said: Said) -> str:
    """Return what is said beside the screen's words: why a press did nothing, what devices say."""
    return "; ".join((*said.notices, *([said.whisper.text] if said.whisper else [])))


def board_of(screen: Screen) -> BoardMap | None:
    """Return the board that a screen shows, None where it is as recorded and nothing is marked."""
    return None if isinstance(screen, Podium) else screen.board


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
    nth = {shown: max(crowds[shown] - 1, 0), other: min(crowds[other], PAWNS - 1)}
    crowds[other] += 1
    crowds[shown] -= 1
    ends = nth[seat, origin], nth[seat, target]
    return {
        "seat": seat,
        "words": f"{letter(seat)}: {in_words(board.layout, seat, origin, target)}",
        "trail": way(board.layout, board.travel, seat, origin, target, ends),
        "there": there,
    }


def looks(board: BoardMap) -> list[Spot]:
    """Return the spots to look at, where there is nothing to be moved between them."""
    asked = board.target is None or board.hand == "rests"
    pawns = (board.origin, board.target) if asked else ()
    return [spot(board.layout, board.travel, *pawn, 0, 1) for pawn in pawns if pawn is not None]


def dice(session: Session, screen: Screen) -> list[dict[str, Any]]:
    """Return the dice that lie on the table; those being typed in do not lie there yet."""
    if isinstance(screen, Table) and screen.dice and not isinstance(session.mode, Typing):
        return [{"face": die.face, "tumbling": die.tumbling} for die in screen.dice]
    faces = session.record.game.throw if session.record is not None else ()
    return [{"face": face, "tumbling": False} for face in faces]


def _on_the_board(session: Session) -> tuple[RuleSet, Position]:
    """Return the rule set and where the pawns stand; before a game, in the nests of who joined."""
    if session.record is not None:
        return session.record.game.ruleset, session.record.game.position
    joining = _joining(session.mode)
    name = session.setup.ruleset if joining is None else joining.ruleset
    return PRESETS[name], starting_position(session.joined)


def _joining(mode: Mode) -> Joining | None:
    """Return the players' joining, also while a menu is before it."""
    match mode:
        case Joining():
            return mode
        case Menu(back=behind) | Untaken(back=behind) | FromMenu(menu_before=behind):
            return _joining(behind)
    return None
