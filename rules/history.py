"""A game with its history: undo brings back old throws, never new ones. Writes no file.

`enter(record, entry)` takes the actions of `game` and two more, `Undo` and `Retype`.
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
RETYPING = re.compile("retype ([0-6](?: [0-6])*)")  # 0 is a throw of shells
LATEST = 20  # how many entries a record reports


@dataclass(frozen=True, slots=True)
class Undo:
    """The game goes back to the last confirmed choice; its throw is on the table again."""

    def __str__(self) -> str:
        return "undo"


@dataclass(frozen=True, slots=True)
class Retype:
    """The throw just typed in has these faces after all, 1 to 6 each."""

    faces: tuple[int, ...]

    def __str__(self) -> str:
        return f"retype {' '.join(map(str, self.faces))}"


Entry = Action | Undo | Retype


class PastAction(NamedTuple):
    """An action that counts, with the game before it and where its dice came from.

    kept: whether it is a throw that a correction let wait.
    """

    before: Game
    action: Action
    source: str | None
    kept: bool = False


class WaitingThrow(NamedTuple):
    """A throw that was made and waits until the same seat throws.

    kept: whether a correction let it wait. Then another seat's throw does not make it void, as it
    does after undo.
    """

    seat: int
    throw: Throw
    source: str | None
    kept: bool = False


class EntryReport(NamedTuple):
    """What was entered and its facts, whether or not it was undone later.

    seat: whose turn it was; of undo, who had made the choice. position: the one before the entry.
    again: whether it is a throw that was made before an undo or a correction.
    undone: of undo, the choice that it took back.
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

    host: the seat that joined first. waiting: throws made before an undo or a correction, in order.
    displaced: where the pawns were on the board before undo, until the game goes on or they are
    known to be back. told: the latest entries, in order.
    """

    game: Game
    host: int
    past: tuple[PastAction, ...] = field(default=(), repr=False)
    waiting: tuple[WaitingThrow, ...] = ()
    displaced: Position | None = field(default=None, compare=False)
    told: tuple[EntryReport, ...] = field(default=(), compare=False, repr=False)

    @property
    def undoable(self) -> bool:
        """Whether there is a confirmed choice to go back to."""
        return any(not isinstance(past_action.action, Throw) for past_action in self.past)

    @property
    def ready(self) -> WaitingThrow | None:
        """The throw that the seat whose turn it is must get again; None if it throws anew."""
        if not self.waiting:
            return None
        undone = next((waiting for waiting in self.waiting if not waiting.kept), None)
        own = (waiting for waiting in self.waiting if waiting.seat == self.game.seat)
        return next((waiting for waiting in own if waiting.kept or waiting is undone), None)

    @property
    def typed(self) -> bool:
        """Whether the last action is a throw that was typed in, and so may be typed anew."""
        last = self.past[-1] if self.past else None
        return last is not None and isinstance(last.action, Throw) and last.source in (TYPED, None)


def new_record(ruleset: RuleSet, seats: Iterable[int]) -> Record:
    """Return the record of a game that begins.

    seats: two to four of 0 to 3, in the order of joining. Raises IllegalAction for other seats.
    """
    joined = tuple(seats)
    game = new_game(ruleset, joined)
    return Record(game, host=joined[0])


def enter(
    record: Record, entry: Entry, source: str | None = None
) -> tuple[Record, tuple[Fact, ...]]:
    """Return the record after an entry and the facts, in order.

    source: where a throw's dice came from, one of `SOURCES`.
    Raises IllegalAction if the rules do not allow the entry, or if the source is unknown.
    """
    if source is not None and source not in SOURCES:
        raise IllegalAction(f"source {source!r} is not one of {', '.join(SOURCES)}")
    seat, undone = record.game.seat, None
    facts: tuple[Fact, ...] = ()
    ready = record.ready if isinstance(entry, Throw) else None
    if isinstance(entry, Undo):
        after, choice = _undo(record)
        seat, undone = choice.before.seat, choice.action
    elif isinstance(entry, Retype):
        after, facts = _retype(record, entry)
    else:
        if ready is not None and entry != ready.throw:
            raise IllegalAction(
                f"{entry} does not fit: seat {ready.seat} has thrown, {ready.throw}"
            )
        game, facts = play(record.game, entry)
        kept = ready is not None and ready.kept
        past = (*record.past, PastAction(record.game, entry, source, kept))
        after = Record(game, record.host, past, _waiting_after(record, entry, game))
    again = ready is not None
    report = EntryReport(seat, record.game.position, entry, source, facts, again, undone)
    return replace(after, told=(*record.told, report)[-LATEST:]), facts


def parse_entry(text: str) -> Entry:
    """Return the entry in a line of text. Raises ValueError if the text is not an entry."""
    if text == "undo":
        return Undo()
    if match := RETYPING.fullmatch(text):
        return Retype(tuple(map(int, match[1].split())))
    return parse_action(text)


def _waiting_after(record: Record, action: Action, after: Game) -> tuple[WaitingThrow, ...]:
    """Return the throws that wait after an action; `after` is the game that it leads to."""
    before, ready = record.game, record.ready
    turn_changes = (before.seat, before.doublets) != (after.seat, after.doublets)
    if isinstance(action, Correct) and turn_changes:
        kept = (waiting._replace(kept=True) for waiting in record.waiting)
        return (*_keep_throw(record.past, before), *kept)
    if not isinstance(action, Throw):
        return record.waiting
    if ready is not None and not ready.kept:
        return _remove(record.waiting, ready)
    return _remove((waiting for waiting in record.waiting if waiting.kept), ready)


def _keep_throw(past: tuple[PastAction, ...], game: Game) -> tuple[WaitingThrow, ...]:
    """Return the throw on the table as one that waits; `()` if there is none."""
    if not game.throw:
        return ()
    past_action = next(
        past_action for past_action in reversed(past) if isinstance(past_action.action, Throw)
    )
    return (WaitingThrow(game.seat, Throw(game.throw), past_action.source, kept=True),)


def _remove(waiting: Iterable[WaitingThrow], one: WaitingThrow | None) -> tuple[WaitingThrow, ...]:
    """Return the throws that wait without the first of the same seat and faces as `one`."""
    left = list(waiting)
    same = (other for other in left if one is not None and other[:2] == one[:2])
    if (first := next(same, None)) is not None:
        left.remove(first)
    return tuple(left)


def _undo(record: Record) -> tuple[Record, PastAction]:
    """Return the record at the last confirmed choice, and that choice; later throws wait."""
    past, waiting = record.past, record.waiting
    while past and isinstance(throw := past[-1].action, Throw):
        past_action, past = past[-1], past[:-1]
        waiting = (
            WaitingThrow(past_action.before.seat, throw, past_action.source, past_action.kept),
            *waiting,
        )
    if not past:
        raise IllegalAction("undo does not fit: no choice has been confirmed in this game")
    *before, choice = past
    game, displaced = choice.before, record.displaced or record.game.position
    if isinstance(choice.action, Correct):
        for kept in _keep_throw(tuple(before), game):
            waiting = _remove(waiting, kept)
    return Record(game, record.host, tuple(before), waiting, displaced), choice


def _retype(record: Record, entry: Retype) -> tuple[Record, tuple[Fact, ...]]:
    if not record.typed:
        raise IllegalAction(f"{entry} does not fit: what was last is not a throw that was typed in")
    *before, past_action = record.past
    throw = Throw(entry.faces)
    game, facts = play(past_action.before, throw)
    past = (*before, past_action._replace(action=throw))
    return Record(game, record.host, past, record.waiting), facts
