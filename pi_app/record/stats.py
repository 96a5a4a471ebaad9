"""Counts the throws of a game, and what they brought each seat. It prints nothing.

A throw that was repeated after undo or a correction counts once, because it was drawn once.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rules.actions import Move, Stop, Throw
from rules.board import NEST, board
from rules.facts import Captured
from rules.game import Game, Phase, play
from rules.history import PastAction, Retype, find_repeats
from rules.increments import is_doublet
from rules.lines.jsonl import read_lines
from rules.ruleset import LOTS, SHELLS, THIRD_DOUBLETS

FACES = 6  # of a die
UNKNOWN_SOURCE = "unknown"  # the source of a throw without one in its record


class DrawnThrow(NamedTuple):
    """A throw as it was drawn, even if it does not count."""

    seat: int
    source: str
    faces: tuple[int, ...]
    at: str = ""  # its time, if known
    shells: bool = False  # it is of cowries


# The counts for each seat, over the throws in its turns that undo did not take back. entries:
# throws that may bring a pawn in. waited: throws that let no pawn enter, while all pawns that were
# not home were in the nest. captures: pawns that the seat captured. captured: pawns that it lost.
COUNT_NAMES = ("throws", "doublets", "entries", "waited", "captures", "captured")


Captures = Counter[tuple[int, int]]  # how often one seat has captured another


class GameStats(NamedTuple):
    """All throws of a game in order, the counts of each seat by `COUNT_NAMES`, and its captures."""

    drawn: tuple[DrawnThrow, ...]
    seats: dict[int, Counter[str]]
    captures: Captures


class GameCounts(NamedTuple):
    """What statistics need of a game, ready for JSON."""

    faces: Sequence[tuple[str, bool, Sequence[int]]] = ()  # as `count_faces` returns them
    captures: Sequence[tuple[int, int, int]] = ()  # a seat, another one that it captured, how often
    # A seat, its luck and what it gave away in points; () until the game was reviewed.
    luck: Sequence[tuple[int, float, float]] = ()


def count_faces(drawn: Iterable[DrawnThrow]) -> list[tuple[str, bool, list[int]]]:
    """Return each source, whether it threw cowries, and how often each face fell.

    Of dice these are the faces 1 to 6, of six cowries the numbers 0 to 6 of mouths that were up.
    """
    found: dict[tuple[str, bool], list[int]] = {}
    for throw in drawn:
        counts = found.setdefault(
            (throw.source, throw.shells), [0] * (SHELLS + 1 if throw.shells else FACES)
        )
        for face in throw.faces:
            counts[face if throw.shells else face - 1] += 1
    return [(source, shells, counts) for (source, shells), counts in sorted(found.items())]


def count_record(lines: Iterable[str]) -> GameStats:
    """Return the throws and counts of a record. Raises RecordError if it is not a valid record."""
    played = read_lines(lines)
    first = last = next(played)
    shells = first.record.game.ruleset.throws_shells
    throws: list[DrawnThrow] = []
    for line in played:
        told = line.record.told[-1]
        if isinstance(told.entry, Throw) and not told.again:
            source, at = (line.fields.get(key) for key in ("source", "at"))
            faces = told.entry.faces
            drawn_by, when = source or UNKNOWN_SOURCE, str(at or "")
            throws.append(DrawnThrow(told.seat, drawn_by, faces, when, shells))
        elif isinstance(told.entry, Retype):
            retyped = last.record.past[-1]  # the last throw that was typed in
            assert isinstance(retyped.action, Throw)
            for index, drawn in reversed(list(enumerate(throws))):
                if (drawn.seat, drawn.faces) == (retyped.before.seat, retyped.action.faces):
                    throws[index] = drawn._replace(faces=told.entry.faces)
                    break
        last = line
    return GameStats(tuple(throws), *count_plays(first.record.game.seats, last.record.past))


def count_plays(
    playing: Iterable[int], past: Sequence[PastAction]
) -> tuple[dict[int, Counter[str]], Captures]:
    """Return the counts of each seat that plays, and the captures, of all actions that count.

    Captures of a turn that a third doublet has undone are none.
    """
    undone = {
        done.before.turns
        for done in past
        if done.before.phase is Phase.PENALTY and isinstance(done.action, Stop)
        if THIRD_DOUBLETS[done.before.ruleset.third_doublet].undoes_turn
    }
    counts, captures = {seat: Counter[str]() for seat in playing}, Captures()
    for game, faces, steps, again in _plays(past):
        ruleset = game.ruleset
        if not again:
            pawns = set(game.position[game.seat]) - board(ruleset.layout).home
            has_entered = any(move.step.origin == NEST for _, move in steps)
            number, differs = ruleset.entry_number, len(set(faces)) > 1
            entering = {number, ruleset.entry_also}
            by_die = ruleset.entry_by != "sum" and not entering.isdisjoint(faces)
            if ruleset.throws_shells:
                is_free = ruleset.free_entry and set(game.position[game.seat]) == {NEST}
                by_die = LOTS[ruleset.lots][faces[0]].grace or is_free
            by_sum = ruleset.entry_by != "die" and differs and sum(faces) == number
            counts[game.seat].update(
                throws=1,
                doublets=is_doublet(ruleset, faces),
                entries=by_die or by_sum,
                waited=pawns == {NEST} and not has_entered,
            )
        for before, move in steps:
            captured = move.step.captures and game.turns not in undone
            facts = play(before, move)[1] if captured else ()
            for fact in facts:
                if isinstance(fact, Captured):
                    counts[game.seat]["captures"] += 1
                    counts[fact.seat]["captured"] += 1
                    captures[game.seat, fact.seat] += 1
    return counts, captures


def _plays(
    past: Sequence[PastAction],
) -> Iterator[tuple[Game, tuple[int, ...], list[tuple[Game, Move]], bool]]:
    """Yield the throws of turns that count in the end.

    Each has the game before it, its faces, its steps with the game before each, and whether it is
    in the record twice: it was thrown before a correction.
    """
    throw: PastAction | None = None
    steps: list[tuple[Game, Move]] = []
    again, repeats = False, find_repeats(past)
    for index, done in enumerate((*past, None)):
        if done is None or isinstance(done.action, Throw):
            if throw is not None and isinstance(throw.action, Throw):
                yield throw.before, throw.action.faces, steps, again
            of_turn = done is not None and done.before.phase is Phase.THROW
            throw, steps, again = (done if of_turn else None), [], index in repeats
        elif isinstance(done.action, Move):
            steps.append((done.before, done.action))
