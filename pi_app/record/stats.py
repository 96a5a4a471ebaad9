"""What was thrown in a game, and what came of it for each seat. Prints nothing.

A throw that came again after undo or a correction was drawn once, and counts once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rules.actions import Move, Throw
from rules.board import HOME, NEST
from rules.facts import Captured
from rules.game import Game, Phase, play
from rules.history import PastAction, Record, Retype
from rules.increments import is_doublet
from rules.jsonl import read_lines
from rules.ruleset import RuleSet

UNKNOWN = "unknown"  # the source of a throw whose record names none


class DrawnThrow(NamedTuple):
    """A throw as it was drawn, whether it counts in the end or not. at: "" where not known."""

    seat: int
    source: str
    faces: tuple[int, ...]
    at: str = ""


# What is counted for each seat, of the throws in its turns that undo did not take back. entries: a
# throw with an entry number. waited: one that brought no pawn in while all that were not home were
# in the nest. captures: pawns that the seat captured; captured: those it lost.
COUNTED = ("throws", "doublets", "entries", "waited", "captures", "captured")


class CountedPlay(NamedTuple):
    """A throw that counts, the game before it, and the steps that were made of it.

    again: a correction had let it wait, so that it stands twice among what was done.
    """

    game: Game
    faces: tuple[int, ...]
    steps: tuple[PastAction, ...]
    again: bool


class GameStats(NamedTuple):
    """What was drawn in a game, in order, and what is `COUNTED` for each seat."""

    drawn: tuple[DrawnThrow, ...]
    seats: dict[int, Counter[str]]


def count_record(lines: Iterable[str]) -> GameStats:
    """Return what is counted of a record; RecordError where it is none."""
    played = read_lines(lines)
    first = last = next(played)
    throws: list[DrawnThrow] = []
    for one in played:
        told = one.record.told[-1]
        if isinstance(told.entry, Throw) and not told.again:
            source, at = (one.said.get(key) for key in ("source", "at"))
            throws.append(DrawnThrow(told.seat, source or UNKNOWN, told.entry.faces, str(at or "")))
        elif isinstance(told.entry, Retype):
            _retype(throws, last.record, told.entry.faces)
        last = one
    return GameStats(tuple(throws), _seats(first.record.game.seats, last.record.past))


def _seats(playing: Iterable[int], past: Sequence[PastAction]) -> dict[int, Counter[str]]:
    counts = {seat: Counter[str]() for seat in playing}
    for one in _plays(past):
        seat = one.game.seat
        if not one.again:
            counts[seat].update(_of_throw(one))
        for loser in (fact.seat for done in one.steps for fact in _captures(done)):
            counts[seat]["captures"] += 1
            counts[loser]["captured"] += 1
    return counts


def _retype(throws: list[DrawnThrow], before: Record, faces: tuple[int, ...]) -> None:
    """Give the throw that was typed in last its other faces."""
    last = before.past[-1]
    assert isinstance(last.action, Throw)
    for n in reversed(range(len(throws))):
        if throws[n][:1] + throws[n][2:3] == (last.before.seat, last.action.faces):
            throws[n] = throws[n]._replace(faces=faces)
            return


def _plays(past: Sequence[PastAction]) -> Iterator[CountedPlay]:
    """Yield the throws of turns, as they count in the end."""
    throw: PastAction | None = None
    steps: list[PastAction] = []
    for done in (*past, None):
        if done is None or isinstance(done.action, Throw):
            if throw is not None and isinstance(throw.action, Throw):
                yield CountedPlay(throw.before, throw.action.faces, tuple(steps), throw.kept)
            of_turn = done is not None and done.before.phase is Phase.THROW
            throw, steps = (done if of_turn else None), []
        elif isinstance(done.action, Move):
            steps.append(done)


def _of_throw(one: CountedPlay) -> Counter[str]:
    game, ruleset = one.game, one.game.ruleset
    pawns = {place for place in game.position[game.seat] if place != HOME}
    entered = any(_origin(done) == NEST for done in one.steps)
    return Counter(
        throws=1,
        doublets=is_doublet(ruleset, one.faces),
        entries=_has_entry_number(ruleset, one.faces),
        waited=pawns == {NEST} and not entered,
    )


def _origin(done: PastAction) -> int:
    assert isinstance(done.action, Move)
    return done.action.step.origin


def _has_entry_number(ruleset: RuleSet, faces: tuple[int, ...]) -> bool:
    by_die = ruleset.entry_by != "sum" and ruleset.entry_number in faces
    unlike = len(set(faces)) > 1
    return by_die or (ruleset.entry_by != "die" and unlike and sum(faces) == ruleset.entry_number)


def _captures(done: PastAction) -> Iterator[Captured]:
    if isinstance(done.action, Move) and done.action.step.captures:
        _, facts = play(done.before, done.action)
        yield from (fact for fact in facts if isinstance(fact, Captured))
