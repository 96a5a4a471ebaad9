"""A game's recorded rows folded to where it stands, undo included. No storage, no screen."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from rules.actions import Action, Throw, action_text, parse_action
from rules.facts import Fact
from rules.game import Game, new_game, play
from rules.position import Position, format_position
from rules.ruleset import PRESETS, RuleSet, parse_ruleset, ruleset_text

UNDO = "undo"


@dataclass(frozen=True, slots=True)
class Row:
    """One recorded action in its text form, with the position after it.

    `action` is a text of `rules.game`, `new <rule set> seats 0,2` or `undo`.
    """

    action: str
    position: str
    source: str | None = None
    boot: str | None = None
    n: int | None = None


class HistoryError(ValueError):
    """Rows that can't be what happened: one sentence that says which row and why."""


class Done(NamedTuple):
    """An action that counts, with the game before it and where its dice came from."""

    before: Game
    action: Action
    source: str | None


class Waiting(NamedTuple):
    """A throw that was taken back by undo and stands ready for the same seat."""

    seat: int
    throw: Throw
    source: str | None


@dataclass(frozen=True, slots=True)
class Record:
    """One game as its rows tell it.

    `host` is the seat that joined first. `waiting[0]` is the game's next throw as it was drawn
    before undo, and so on in order. `displaced` is where the pawns stood before undo, until they
    are known to be back or the game goes on.
    """

    game: Game
    host: int
    past: tuple[Done, ...] = field(default=(), repr=False)
    waiting: tuple[Waiting, ...] = ()
    displaced: Position | None = field(default=None, compare=False)

    @property
    def undoable(self) -> bool:
        """Whether there is a confirmed choice to go back to."""
        return any(not isinstance(done.action, Throw) for done in self.past)

    @property
    def ready(self) -> Waiting | None:
        """The throw that the seat now to throw must get again, None if it is to be drawn."""
        first = self.waiting[0] if self.waiting else None
        return first if first is not None and first.seat == self.game.seat else None


def start(ruleset: RuleSet, seats: Iterable[int]) -> Record:
    """Return the record of a game that begins; seats in the order of joining."""
    joined = tuple(seats)
    return Record(new_game(ruleset, joined), host=joined[0])


def start_row(record: Record) -> Row:
    """Return the row that starts this game, the first to join named first."""
    game = record.game
    joined = (record.host, *(seat for seat in game.seats if seat != record.host))
    seats = ",".join(str(seat) for seat in joined)
    return _row(f"new {ruleset_text(game.ruleset)} seats {seats}", game)


def act(
    record: Record, action: Action, source: str | None = None
) -> tuple[Record, Row, tuple[Fact, ...]]:
    """Return the record after an action, the row to commit and what happened.

    Raises rules.game.IllegalAction.
    """
    game, facts = play(record.game, action)
    past = (*record.past, Done(record.game, action, source))
    after = Record(game, record.host, past, _still_waiting(record, action))
    return after, _row(action_text(action), game, source), facts


def undo(record: Record) -> tuple[Record, Row]:
    """Go back to the last confirmed choice; throws made since then wait in order."""
    past, waiting = record.past, record.waiting
    while past and isinstance(throw := past[-1].action, Throw):
        waiting = (Waiting(past[-1].before.seat, throw, past[-1].source), *waiting)
        past = past[:-1]
    if not past:
        raise HistoryError("undo: no choice has been confirmed in this game")
    game, displaced = past[-1].before, record.displaced or record.game.position
    return Record(game, record.host, past[:-1], waiting, displaced), _row(UNDO, game)


def apply(record: Record, row: Row) -> Record:
    """Return the record after one row; HistoryError where its position is not the one stored."""
    if row.action == UNDO:
        after = undo(record)[0]
    else:
        after = act(record, parse_action(row.action), row.source)[0]
    return _agreeing(after, row)


def fold(rows: Iterable[Row]) -> Record:
    """Return the record that a game's rows tell, the first of which starts it."""
    following = iter(rows)
    first = next(following, None)
    if first is None:
        raise HistoryError("a game with no rows: the first row is 'new ... seats ...'")
    record = _agreeing(_started(first.action), first)
    for row in following:
        record = apply(record, row)
    return record


def _still_waiting(record: Record, action: Action) -> tuple[Waiting, ...]:
    if not isinstance(action, Throw):
        return record.waiting
    ready = record.ready
    return record.waiting[1:] if ready is not None and ready.throw == action else ()


def _row(action: str, game: Game, source: str | None = None) -> Row:
    return Row(action, format_position(game.position), source)


def _started(action: str) -> Record:
    words, _, seats = action.rpartition(" seats ")
    if not words.startswith("new "):
        raise HistoryError(
            f"{action!r} does not start a game: the first row is 'new ... seats ...'"
        )
    text = words.removeprefix("new ")
    ruleset = parse_ruleset(text if text in PRESETS else json.loads(text))
    return start(ruleset, (int(seat) for seat in seats.split(",")))


def _agreeing(record: Record, row: Row) -> Record:
    position = format_position(record.game.position)
    if position != row.position:
        raise HistoryError(
            f"after {row.action!r} the rules say {position}, but the row has {row.position}"
        )
    return record
