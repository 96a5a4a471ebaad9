"""Computes the bear-off tables: how soon a seat finishes if nobody can meet its pawns.

The rules list the ends of each throw; the seat takes the one from which it expects the fewest
turns. All steps lead nearer to home, so positions are solved in the order of their spaces to go.
Each depends on solved positions and, where nothing moves, on itself.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pi_app.players.bearoff import HAZARD_SCALE, LAST_SPACES, TURNS, position_number
from rules import (
    ROW,
    Game,
    Phase,
    Position,
    RuleSet,
    Stop,
    Throw,
    at,
    endings,
    play,
    terrain,
    throws,
)
from rules.position import PAWNS

FOLDER = Path(__file__).parents[2] / "pi_app" / "players" / "tables"
LEVELS = 3  # a seat has thrown 0, 1 or at least 2 doublets in this turn
LOST_TURNS = 40.0  # that a seat expects to need after a pawn has gone to the nest
MOST_STATES, BREADTH = 100_000, 50
SURE = 1e-9
FINISHED = (0,) * PAWNS
ToGo = tuple[int, ...]  # each pawn's spaces to home, in rising order
Array = npt.NDArray[np.float64]


class Aim(NamedTuple):
    """An end of a play: the spaces to go, None if a pawn is in the nest; whether to throw again."""

    to_go: ToGo | None
    again: bool


class Solution(NamedTuple):
    """What a seat expects of a position, by its level.

    more_turns: how many turns it needs after this one.
    finished: its chances to have finished after 0 to `TURNS` turns, this one included.
    """

    more_turns: Array
    finished: Array


class Solver:
    """Solves positions of one seat under a rule set, and keeps all solutions."""

    def __init__(self, ruleset: RuleSet) -> None:
        self.ruleset = ruleset
        self._spaces = terrain(ruleset).to_go
        last = terrain(ruleset).board.last
        near = (
            place for place in self._spaces if last - LAST_SPACES < place <= last or place > ROW
        )
        self._places = {self._spaces[place]: place for place in near}
        won = Solution(np.array([-1.0, 0, 0]), np.ones((TURNS + 1, LEVELS)))
        self.solutions: dict[ToGo, Solution] = {FINISHED: won}

    def positions(self) -> list[ToGo]:
        """Return all positions of the table, those with fewer spaces to go first."""
        return sorted(combinations_with_replacement(sorted(self._places), PAWNS), key=sum)

    def solve(self, to_go: ToGo) -> Solution:
        """Return the solution of a position, and solve those that it leads to."""
        known = self.solutions.get(to_go)
        if known is None:
            throws_by_level = [list(self._throws(to_go, level)) for level in range(LEVELS)]
            own_turns = np.full(LEVELS, np.inf)  # so that it moves if it can
            while True:
                again, ended, more_turns, finished = self._expect(to_go, throws_by_level, own_turns)
                solved = np.linalg.solve(np.eye(LEVELS) - again - ended, more_turns)
                if np.allclose(solved, own_turns, rtol=0, atol=SURE):
                    break
                own_turns = solved
            inverse = np.linalg.inv(np.eye(LEVELS) - again)
            for turn in range(1, TURNS + 1):
                finished[turn] = inverse @ (finished[turn] + ended @ finished[turn - 1])
            known = self.solutions[to_go] = Solution(own_turns, finished)
        return known

    def _expect(
        self, to_go: ToGo, throws_by_level: list[list[tuple[float, set[Aim]]]], own_turns: Array
    ) -> tuple[Array, Array, Array, Array]:
        """Return what follows a throw of each level if the seat takes the best aim.

        own_turns: how many more turns the seat expects to need in the position itself, by level.

        The first two results are the chances to throw from the same position at each level, in
        this turn and in the next one. The others are the `more_turns` and `finished` of all other
        aims, weighted by their chances.
        """
        again, ended = np.zeros((LEVELS, LEVELS)), np.zeros((LEVELS, LEVELS))
        more_turns, finished = np.zeros(LEVELS), np.zeros((TURNS + 1, LEVELS))
        for level, throws_here in enumerate(throws_by_level):
            next_level = min(level + 1, LEVELS - 1)
            for probability, aims in throws_here:
                turns, aim = min(
                    (self._turns(aim, to_go, own_turns, next_level), aim) for aim in aims
                )
                if aim.to_go == to_go:
                    if aim.again:
                        again[level, next_level] += probability
                    else:
                        ended[level, 0] += probability
                        more_turns[level] += probability
                    continue
                more_turns[level] += probability * turns
                if aim.to_go is not None:
                    after = self.solve(aim.to_go).finished
                    if aim.again:
                        finished[:, level] += probability * after[:, next_level]
                    else:
                        finished[1:, level] += probability * after[:-1, 0]
        return again, ended, more_turns, finished

    def _turns(self, aim: Aim, to_go: ToGo, own_turns: Array, next_level: int) -> float:
        """Return how many turns the seat expects to need after this one if it takes an aim."""
        if aim.to_go is None:
            return LOST_TURNS
        more_turns = own_turns if aim.to_go == to_go else self.solve(aim.to_go).more_turns
        return float(more_turns[next_level] if aim.again else 1 + more_turns[0])

    def _throws(self, to_go: ToGo, level: int) -> Iterator[tuple[float, set[Aim]]]:
        """Yield each throw's probability and its aims."""
        own = tuple(self._places[spaces] for spaces in to_go)
        faces = throws(self.ruleset.dice)
        whole = sum(weight for _, weight in faces)
        for face, weight in faces:
            game, _ = play(at(self.ruleset, (own, (), (), ()), 0, level), Throw(face))
            yield weight / whole, set(self._aims(game))

    def _aims(self, game: Game) -> Iterator[Aim]:
        if game.phase is Phase.PENALTY:
            after, _ = play(game, Stop())
            yield Aim(self._to_go(after.position), after.doublets > 0)
            return
        for ending in endings(game, MOST_STATES, BREADTH):
            yield Aim(self._to_go(ending.position), ending.throws_again and not ending.wins)

    def _to_go(self, position: Position) -> ToGo | None:
        spaces = tuple(sorted(self._spaces[place] for place in position[0]))
        return spaces if spaces[-1] in self._places else None


def write_bearoff(name: str, ruleset: RuleSet, tell: Callable[[str], None]) -> None:
    """Solve all positions under a rule set and write the table. tell: hears of the progress."""
    solver = Solver(ruleset)
    positions = solver.positions()
    table = np.zeros((len(positions), TURNS), "<u2")
    for count, to_go in enumerate(positions, 1):
        finished = solver.solve(to_go).finished[:, 0]
        running = 1 - finished[:-1]
        hazards = np.divide(np.diff(finished), running, out=np.ones(TURNS), where=running > SURE)
        table[position_number(to_go)] = np.round(hazards.clip(0, 1) * HAZARD_SCALE)
        if count % 1000 == 0:
            tell(f"bearoff-{name}: {count} of {len(positions)} positions")
    (FOLDER / f"bearoff-{name}.bin").write_bytes(zlib.compress(table.tobytes(), 9))
