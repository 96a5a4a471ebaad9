"""A game with its history: undo brings back old throws, never new ones. Writes no file.

`enter(record, entry)` takes the actions of `game` and two more, `Undo` and `Retype`. A throw that
undo or a correction takes off the table waits, and its seat gets it again:

    A throws 5 3, moves, B throws 6 1, undo     A's 5 3 is on the table, B's 6 1 is in `waiting`
    A moves in another way                      it is B's turn, and 6 1 is `ready`
    B throws 6 1                                any other throw of B raises IllegalAction

RECORDS.md, "A throw is never made a second time", has what else may happen to it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from .actions import Action, Correct, LastTurn, Throw, parse_action
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

    `LastTurn` is none: it is nobody's choice, and undo leaves it in force.
    """

    before: Game
    action: Action
    source: str | None
    kept: bool = False  # whether it is a throw that is kept for its seat, as in `WaitingThrow`

    @property
    def changes_turn(self) -> bool:
        """Whether it is a correction of the turn. It takes the throw off the table."""
        action, turn = self.action, (self.before.seat, self.before.doublets)
        return isinstance(action, Correct) and (action.seat, action.doublets) != turn


class WaitingThrow(NamedTuple):
    """A throw that was made and waits until the same seat throws.

    kept: whether it waited when the turn was corrected, or when that was undone. Then another
    seat's throw never makes it void.
    """

    seat: int
    throw: Throw
    source: str | None
    kept: bool = False


Waiting = tuple[WaitingThrow, ...]


class EntryReport(NamedTuple):
    """What was entered and its facts, whether or not it was undone later."""

    number: int  # of the entry in its game, from 0
    seat: int  # whose turn it was; of undo, who had made the choice
    position: Position  # the one before the entry
    entry: Entry
    source: str | None
    facts: tuple[Fact, ...]
    again: bool = False  # whether it is a throw that was made before an undo or a correction
    undone: Action | None = None  # of undo, the choice that it took back


@dataclass(frozen=True, slots=True)
class Record:
    """A game and how it came to be."""

    game: Game
    host: int  # the seat that joined first
    past: tuple[PastAction, ...] = field(default=(), repr=False)
    waiting: Waiting = ()  # throws made before an undo or a correction, in order
    # Where the pawns were on the board before undo, until the game goes on or they are known to be
    # back; and the latest entries, in order.
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
    return Record(new_game(ruleset, joined), host=joined[0])


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
        done = PastAction(record.game, entry, source, kept)
        after = Record(game, record.host, (*record.past, done), _waiting_after(record, done))
        if isinstance(entry, LastTurn):
            after = replace(record, game=game)
    again, position = ready is not None, record.game.position
    number = record.told[-1].number + 1 if record.told else 0
    report = EntryReport(number, seat, position, entry, source, facts, again, undone)
    return replace(after, told=(*record.told, report)[-LATEST:]), facts


def find_repeats(past: Iterable[PastAction]) -> frozenset[int]:
    """Return the indexes of throws that repeat one that a correction took off the table."""
    lapsed, repeats = set[int](), set[int]()  # seats, indexes
    for index, done in enumerate(past):
        seat = done.before.seat
        if done.changes_turn and done.before.throw:
            lapsed.add(seat)
        elif isinstance(done.action, Throw) and seat in lapsed:
            lapsed.remove(seat)
            repeats.add(index)
    return frozenset(repeats)


def parse_entry(text: str) -> Entry:
    """Return the entry in a line of text. Raises ValueError if the text is not an entry."""
    if text == "undo":
        return Undo()
    if match := RETYPING.fullmatch(text):
        return Retype(tuple(map(int, match[1].split())))
    return parse_action(text)


def _waiting_after(record: Record, done: PastAction) -> Waiting:
    """Return the throws that wait after an action in the record's game."""
    waiting, ready = record.waiting, record.ready
    if done.changes_turn:
        if done.before.throw:
            thrown = next(past for past in reversed(record.past) if isinstance(past.action, Throw))
            waiting = _put_back(thrown, waiting)
        return _keep(waiting)
    if not isinstance(done.action, Throw):
        return waiting
    index = len(waiting) if ready is None else waiting.index(ready)
    in_order = all(other.kept for other in waiting[:index])
    others = _without(waiting, index)
    return others if in_order else tuple([other for other in others if other.kept])


def _put_back(thrown: PastAction, waiting: Waiting) -> Waiting:
    assert isinstance(thrown.action, Throw)
    return WaitingThrow(thrown.before.seat, thrown.action, thrown.source, thrown.kept), *waiting


def _keep(waiting: Waiting) -> Waiting:
    return tuple([other._replace(kept=True) for other in waiting])


def _without(waiting: Waiting, index: int) -> Waiting:
    """Return the throws that wait without the one at an index, if there is one."""
    return *waiting[:index], *waiting[index + 1 :]


def _undo(record: Record) -> tuple[Record, PastAction]:
    """Return the record at the last confirmed choice, and that choice; later throws wait."""
    past, waiting = record.past, record.waiting
    while past and isinstance(past[-1].action, Throw):
        waiting, past = _put_back(past[-1], waiting), past[:-1]
    if not past:
        raise IllegalAction("undo does not fit: no choice has been confirmed in this game")
    *before, choice = past
    game = choice.before._replace(last_turn=record.game.last_turn)
    displaced = record.displaced or record.game.position
    if choice.changes_turn:
        waiting = _keep(waiting)
        if game.throw:  # it is on the table again; no other throw of its seat waits before it
            own = (n for n, other in enumerate(waiting) if other.seat == game.seat)
            waiting = _without(waiting, next(own, len(waiting)))
    return Record(game, record.host, tuple(before), waiting, displaced), choice


def _retype(record: Record, entry: Retype) -> tuple[Record, tuple[Fact, ...]]:
    if not record.typed:
        raise IllegalAction(f"{entry} does not fit: what was last is not a throw that was typed in")
    *before, past_action = record.past
    throw = Throw(entry.faces)
    game, facts = play(past_action.before._replace(last_turn=record.game.last_turn), throw)
    past = (*before, past_action._replace(action=throw))
    return Record(game, record.host, past, record.waiting), facts
