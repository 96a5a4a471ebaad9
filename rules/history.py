"""A game with its past: undo, and throws that wait since; a throw is never made a second time.

`enter(record, entry)` takes the actions of `game` and two more, `Undo` and `Retype`. Where it
is kept is not asked here.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from .actions import Action, Correct, Throw, parse_action
from .facts import Fact
from .game import Game, IllegalAction, new_game, play
from .position import Position
from .ruleset import RuleSet

TYPED = "typed"
SOURCES = ("kernel", TYPED, "chamber", "simulated")  # of a throw's dice
RETYPING = re.compile("retype ([1-6](?: [1-6])*)")
LATEST = 20  # how much of what was entered a record tells


@dataclass(frozen=True, slots=True)
class Undo:
    """Back to the last confirmed choice; its throw is on the table again."""

    def __str__(self) -> str:
        return "undo"


@dataclass(frozen=True, slots=True)
class Retype:
    """The throw just typed has these faces after all, 1 to 6 each."""

    faces: tuple[int, ...]

    def __str__(self) -> str:
        return f"retype {' '.join(map(str, self.faces))}"


Entry = Action | Undo | Retype


class Done(NamedTuple):
    """An action that counts, with the game before it and where its dice came from.

    kept: of a throw that had been kept by a correction.
    """

    before: Game
    action: Action
    source: str | None
    kept: bool = False


class Waiting(NamedTuple):
    """A throw that was made and stands ready for the same seat.

    kept: a correction let it wait, so that no throw of another seat makes it void, as after undo.
    """

    seat: int
    throw: Throw
    source: str | None
    kept: bool = False


class Told(NamedTuple):
    """What was entered, undone since or not, and the facts of it.

    seat: whose it was. position: where the pawns stood before it. again: of a throw that was made
    before an undo or a correction. undone: the choice of `seat` that undo took back.
    """

    seat: int
    position: Position
    entry: Entry
    source: str | None
    facts: tuple[Fact, ...]
    again: bool = False
    undone: Action | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A game and how it came to be.

    `host` is the seat that joined first. `waiting` are throws made before an undo or a correction,
    in order. `displaced` is where the pawns stood on the board before undo, until they are known to
    be back or the game goes on. `told` is what was entered last, in order.
    """

    game: Game
    host: int
    past: tuple[Done, ...] = field(default=(), repr=False)
    waiting: tuple[Waiting, ...] = ()
    displaced: Position | None = field(default=None, compare=False)
    told: tuple[Told, ...] = field(default=(), compare=False, repr=False)

    @property
    def undoable(self) -> bool:
        """Whether there is a confirmed choice to go back to."""
        return any(not isinstance(done.action, Throw) for done in self.past)

    @property
    def ready(self) -> Waiting | None:
        """The throw that the seat now to throw must get again, None if it is to be drawn."""
        if not self.waiting:
            return None
        undone = next((waiting for waiting in self.waiting if not waiting.kept), None)
        own = (waiting for waiting in self.waiting if waiting.seat == self.game.seat)
        return next((waiting for waiting in own if waiting.kept or waiting is undone), None)

    @property
    def typed(self) -> bool:
        """Whether the last that happened is a throw that was typed in, and so may be typed anew."""
        last = self.past[-1] if self.past else None
        return last is not None and isinstance(last.action, Throw) and last.source in (TYPED, None)


def new_record(ruleset: RuleSet, seats: Iterable[int]) -> Record:
    """Return the record of a game that begins; seats in the order of joining."""
    joined = tuple(seats)
    game = new_game(ruleset, joined)
    return Record(game, host=joined[0])


def enter(
    record: Record, entry: Entry, source: str | None = None
) -> tuple[Record, tuple[Fact, ...]]:
    """Return the record after an entry and the facts, in order.

    source: where a throw's dice came from, one of `SOURCES`. IllegalAction changes nothing.
    """
    if source is not None and source not in SOURCES:
        raise IllegalAction(f"source {source!r} is not one of {', '.join(SOURCES)}")
    after, facts = _entered(record, entry, source)
    told = (*record.told, _told(record, entry, source, facts))
    return replace(after, told=told[-LATEST:]), facts


def parse_entry(text: str) -> Entry:
    """Return the entry that a line of text gives; ValueError where it gives none."""
    if text == "undo":
        return Undo()
    if retyped := RETYPING.fullmatch(text):
        return Retype(tuple(map(int, retyped[1].split())))
    return parse_action(text)


def _entered(record: Record, entry: Entry, source: str | None) -> tuple[Record, tuple[Fact, ...]]:
    if isinstance(entry, Undo):
        return _undone(record), ()
    if isinstance(entry, Retype):
        return _retyped(record, entry)
    ready = record.ready
    if isinstance(entry, Throw) and ready is not None and entry != ready.throw:
        raise IllegalAction(f"{entry} does not fit: seat {ready.seat} has thrown, {ready.throw}")
    game, facts = play(record.game, entry)
    kept = isinstance(entry, Throw) and ready is not None and ready.kept
    past = (*record.past, Done(record.game, entry, source, kept))
    return Record(game, record.host, past, _still_waiting(record, entry, game)), facts


def _told(record: Record, entry: Entry, source: str | None, facts: tuple[Fact, ...]) -> Told:
    position = record.game.position
    if not isinstance(entry, Undo):
        again = isinstance(entry, Throw) and record.ready is not None
        return Told(record.game.seat, position, entry, source, facts, again)
    choices = (done for done in reversed(record.past) if not isinstance(done.action, Throw))
    choice = next(choices)
    return Told(choice.before.seat, position, entry, source, facts, undone=choice.action)


def _still_waiting(record: Record, action: Action, after: Game) -> tuple[Waiting, ...]:
    """Return the throws that wait after an action."""
    if isinstance(action, Correct) and _turn_of(record.game) != _turn_of(after):
        kept = (waiting._replace(kept=True) for waiting in record.waiting)
        return (*_lapsed(record.past, record.game), *kept)
    if not isinstance(action, Throw):
        return record.waiting
    ready = record.ready
    if ready is not None and not ready.kept:
        return _without(record.waiting, ready)
    return _without((waiting for waiting in record.waiting if waiting.kept), ready)


def _turn_of(game: Game) -> tuple[int, int]:
    return game.seat, game.doublets


def _lapsed(past: tuple[Done, ...], game: Game) -> tuple[Waiting, ...]:
    """Return the throw on the table as one that waits; none where there is none."""
    if not game.throw:
        return ()
    done = next(done for done in reversed(past) if isinstance(done.action, Throw))
    return (Waiting(game.seat, Throw(game.throw), done.source, kept=True),)


def _without(waiting: Iterable[Waiting], one: Waiting | None) -> tuple[Waiting, ...]:
    """Return the throws that wait but for the first of this seat and these faces."""
    left = list(waiting)
    same = (other for other in left if one is not None and other[:2] == one[:2])
    if (first := next(same, None)) is not None:
        left.remove(first)
    return tuple(left)


def _undone(record: Record) -> Record:
    """Go back to the last confirmed choice; throws made since then wait in order."""
    past, waiting = record.past, record.waiting
    while past and isinstance(throw := past[-1].action, Throw):
        done, past = past[-1], past[:-1]
        waiting = (Waiting(done.before.seat, throw, done.source, done.kept), *waiting)
    if not past:
        raise IllegalAction("undo does not fit: no choice has been confirmed in this game")
    *before, choice = past
    game, displaced = choice.before, record.displaced or record.game.position
    if isinstance(choice.action, Correct):
        for lapsed in _lapsed(tuple(before), game):
            waiting = _without(waiting, lapsed)
    return Record(game, record.host, tuple(before), waiting, displaced)


def _retyped(record: Record, entry: Retype) -> tuple[Record, tuple[Fact, ...]]:
    if not record.typed:
        raise IllegalAction(f"{entry} does not fit: what was last is no throw that was typed in")
    *before, done = record.past
    throw = Throw(entry.faces)
    game, facts = play(done.before, throw)
    past = (*before, done._replace(action=throw))
    return Record(game, record.host, past, record.waiting), facts
