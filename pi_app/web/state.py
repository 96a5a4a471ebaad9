"""The newest state of the table, as the tabs are told it. Holds no connection."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

from pi_app.devices.buzzer import Note, tune
from pi_app.simulate.glass import Glass
from pi_app.simulate.hands import Hands
from pi_app.table.modes.joining import Joining
from pi_app.table.modes.typing import Typing
from pi_app.table.offers import offers
from pi_app.table.screen import BoardMap, Screen, Table
from pi_app.table.session import Reply
from pi_app.table.speech import ASLEEP, says
from pi_app.table.state import Session
from pi_app.table.words import where_in_brief
from pi_app.web.geometry import size, spot, way
from rules.board import SEAT_LETTERS
from rules.position import Position, starting_position
from rules.ruleset import RuleSet


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
        glass.changed = self._say

    def watch(self, reply: Reply) -> None:
        """Take the newest reply; what only moves a lamp on is no news."""
        before, self._reply = self._reply, reply
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
        return json.dumps({**table, **fingers, "frame": self._frame(), "tones": tones})

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
    """Return what lies on the table: board, pawns, the step offered, dice, lamps."""
    screen, rules, position = reply.screen, *_on_the_board(reply.session)
    return {
        "board": f"{rules.layout}/{rules.travel}/{rules.safety}",
        "pawns": pawns(rules.layout, rules.travel, position),
        "places": places(rules.layout, position),
        "offer": offer(screen.board) if isinstance(screen, Table) else None,
        "dice": dice(screen) if not isinstance(reply.session.mode, Typing) else [],
        "says": ASLEEP if reply.glow.level == "dark" else says(screen),
        "lamps": reply.lamps,
    }


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


def offer(board: BoardMap) -> dict[str, Any] | None:
    """Return the step that is offered: whose, and the spots from its origin to its target."""
    if board.origin is None or board.target is None:
        return None
    seat, origin = board.origin
    return {
        "seat": seat,
        "trail": way(board.layout, board.travel, seat, origin, board.target[1]),
    }


def dice(screen: Screen) -> list[dict[str, Any]]:
    """Return the dice that the screen shows."""
    shown = screen.dice if isinstance(screen, Table) else ()
    return [{"face": die.face, "tumbling": die.tumbling} for die in shown]


def _on_the_board(session: Session) -> tuple[RuleSet, Position]:
    """Return the rule set and where the pawns stand; before a game, in the nests of who joined."""
    if session.record is not None:
        return session.record.game.ruleset, session.record.game.position
    mode = session.mode
    name = mode.ruleset if isinstance(mode, Joining) else session.next_rules
    return offers(session.settings)[name], starting_position(session.joined)
