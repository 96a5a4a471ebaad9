"""Computes the bear-off tables: how soon a seat finishes if nobody can meet its pawns.

The rules list the ends of each throw; the seat takes the one from which it expects the fewest
turns. All steps lead nearer to home, so positions are solved in the order of their spaces to go.
Each depends on solved positions and, where nothing moves, on itself. Positions farther from home
have only a pace, which is fitted to games of a seat by itself.
"""

import json
import random
import zlib
from collections.abc import Callable, Iterator
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pi_app.model.tables import TABLES_BY_PRESET
from pi_app.players.bearoff import (
    FARTHEST_IN_TABLE,
    HAZARD_SCALE,
    TURNS,
    BearoffTable,
    Pace,
    bearoff_names,
    find_bearoff,
    mean_turns,
    nearest_in_table,
    position_number,
    spaces_to_go,
)
from pi_app.players.features import finished_pawns
from pi_app.players.play_ends import count_doublets, remember
from rules import (
    NEST,
    PRESETS,
    Ending,
    Game,
    Phase,
    Position,
    RuleSet,
    Stop,
    Throw,
    at,
    endings,
    is_doublet,
    play,
    terrain,
    throws,
)
from rules.memory import NOTHING
from rules.position import PAWNS, Pawns, starting_position
from tests.strength.games import draw_faces

LEVELS = 3  # a seat has thrown 0, 1 or at least 2 doublets in this turn
LOST_TURNS = 40.0  # that a seat expects to need after a pawn has gone to the nest
MOST_STATES, BREADTH = 100_000, 50
SURE = 1e-9
TOLD_EVERY = 1000  # positions
PACE_GAMES = 100
LEAST_SPREAD = 0.5
ToGo = tuple[int, ...]  # each pawn's spaces to home, in rising order
Array = npt.NDArray[np.float64]


class Aim(NamedTuple):
    """An end of a play.

    to_go: the spaces to go, None if a pawn is in the nest. again: whether the seat throws again.
    runs: whether it has thrown another doublet running.
    """

    to_go: ToGo | None
    again: bool
    runs: bool


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
        self._places = {
            spaces: place for place, spaces in self._spaces.items() if spaces <= FARTHEST_IN_TABLE
        }
        won = Solution(np.array([-1.0, 0, 0]), np.ones((TURNS + 1, LEVELS)))
        finished = tuple(sorted(self._spaces[place] for place in finished_pawns(ruleset)))
        self.solutions: dict[ToGo, Solution] = {finished: won}

    def positions(self) -> list[ToGo]:
        """Return all positions of the table, those with fewer spaces to go first."""
        choose = combinations if self.ruleset.stacking == "one" else combinations_with_replacement
        return sorted(choose(sorted(self._places), PAWNS), key=sum)

    def solve(self, to_go: ToGo) -> Solution:
        """Return the solution of a position, and solve those that it leads to."""
        known = self.solutions.get(to_go)
        if known is None:
            thrown = list(self._throws(to_go))
            own_turns = np.full(LEVELS, np.inf)  # so that it moves if it can
            while True:
                again, ended, more_turns, finished = self._expect(to_go, thrown, own_turns)
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
        self, to_go: ToGo, thrown: list[tuple[float, list[set[Aim]]]], own_turns: Array
    ) -> tuple[Array, Array, Array, Array]:
        """Return what follows a throw of each level if the seat takes the best aim.

        thrown: each throw's probability and, by level, its aims. own_turns: how many more turns the
        seat expects to need in the position itself, by level.

        The first two results are the chances to throw from the same position at each level, in
        this turn and in the next one. The others are the `more_turns` and `finished` of all other
        aims, weighted by their chances.
        """
        again, ended = np.zeros((LEVELS, LEVELS)), np.zeros((LEVELS, LEVELS))
        more_turns, finished = np.zeros(LEVELS), np.zeros((TURNS + 1, LEVELS))
        for probability, aims_by_level in thrown:
            for level, aims in enumerate(aims_by_level):
                turns, aim = min((self._turns(aim, to_go, own_turns, level), aim) for aim in aims)
                next_level = _next_level(aim, level)
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

    def _turns(self, aim: Aim, to_go: ToGo, own_turns: Array, level: int) -> float:
        """Return how many turns the seat expects to need after this one if it takes an aim."""
        if aim.to_go is None:
            return LOST_TURNS
        more_turns = own_turns if aim.to_go == to_go else self.solve(aim.to_go).more_turns
        return float(more_turns[_next_level(aim, level)] if aim.again else 1 + more_turns[0])

    def _throws(self, to_go: ToGo) -> Iterator[tuple[float, list[set[Aim]]]]:
        """Yield each throw's probability and, by level, its aims."""
        own = tuple(self._places[spaces] for spaces in to_go)
        thrown = throws(self.ruleset)
        whole = sum(one.weight for one in thrown)
        for one in thrown:
            first, *_, last = (
                play(at(self.ruleset, (own, (), (), ()), 0, level), Throw(one.faces))[0]
                for level in range(LEVELS)
            )
            aims = set(self._aims(first))  # only a penalty makes the last level different
            penalty = last.phase is Phase.PENALTY
            yield one.weight / whole, [aims, aims, set(self._aims(last)) if penalty else aims]

    def _aims(self, game: Game) -> Iterator[Aim]:
        if game.phase is Phase.PENALTY:
            after, _ = play(game, Stop())
            yield Aim(self._to_go(after.position), after.doublets > 0, True)
            return
        doublet = is_doublet(self.ruleset, game.throw)
        for ending in endings(game, MOST_STATES, BREADTH):
            again = ending.throws_again and not ending.wins
            yield Aim(self._to_go(ending.position), again, doublet)

    def _to_go(self, position: Position) -> ToGo | None:
        spaces = tuple(sorted(self._spaces[place] for place in position[0]))
        return spaces if spaces[-1] in self._places else None


def _next_level(aim: Aim, level: int) -> int:
    """Return the level of the next throw in this turn."""
    return min(level + 1, LEVELS - 1) if aim.runs else 0


def make_missing(folder: Path, tell: Callable[[str], None]) -> None:
    """Write the tables of all ways of counting, and the paces of all presets, that `folder` lacks.

    To make one anew, delete its file, or its line in paces.json.
    """
    for name in bearoff_names().values():
        file = folder / f"bearoff-{name}.bin"
        if not file.exists():
            part = file.with_suffix(".part")
            part.write_bytes(make_table(name, PRESETS[name], tell))
            part.replace(file)
    file = folder / "paces.json"
    paces = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    for name in TABLES_BY_PRESET:
        if name not in paces:
            ruleset = PRESETS[name]
            paces[name] = measure_pace(ruleset, find_bearoff(ruleset, Pace(0, 0, 0)))._asdict()
            tell(f"pace of {name}: {paces[name]}")
    lines = [f"{json.dumps(name)}: {json.dumps(paces[name])}" for name in TABLES_BY_PRESET]
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def make_table(name: str, ruleset: RuleSet, tell: Callable[[str], None]) -> bytes:
    """Solve all positions under a rule set and return the bytes of the table's file.

    tell: is given the progress.
    """
    solver = Solver(ruleset)
    positions = solver.positions()
    table = np.zeros((1 + max(map(position_number, positions)), TURNS), "<u2")
    for count, to_go in enumerate(positions, 1):
        table[position_number(to_go)] = find_hazards(solver, to_go)
        if count % TOLD_EVERY == 0:
            tell(f"bearoff-{name}: {count} of {len(positions)} positions")
    return zlib.compress(table.tobytes(), 9)


def find_hazards(solver: Solver, to_go: ToGo) -> Array:
    """Return a position's row of the table: the chance to finish in each turn, if not before."""
    finished = solver.solve(to_go).finished[:, 0]
    running = 1 - finished[:-1]
    hazards = np.divide(np.diff(finished), running, out=np.ones(TURNS), where=running > SURE)
    return np.round(hazards.clip(0, 1) * HAZARD_SCALE)


# --- the pace of a seat that is farther away ------------------------------------------------------


def measure_pace(ruleset: RuleSet, table: BearoffTable, games: int = PACE_GAMES) -> Pace:
    """Return the pace that fits the turns of games in which one seat plays by itself.

    table: of this way of counting, with any pace.
    """
    dice, spaces = random.Random(1), spaces_to_go(ruleset)
    inputs, turns, variance = list[tuple[int, int]](), list[float](), 0.0
    for _ in range(games):
        played = _play_alone(ruleset, dice)
        for left, pawns in zip(range(len(played), 0, -1), played, strict=True):
            needed = pawns[: ruleset.to_win]
            to_go = [0] * (PAWNS - len(needed)) + sorted(spaces[place] for place in needed)
            inside = nearest_in_table(to_go, apart=ruleset.stacking == "one")
            if sum(to_go) > sum(inside):
                inputs.append((sum(to_go) - sum(inside), needed.count(NEST)))
                mean, variance_inside = mean_turns(table.hazards(inside))
                turns.append(left - mean)
                variance -= variance_inside
    weights = np.linalg.lstsq(np.array(inputs), np.array(turns), rcond=None)[0]
    means = np.array(inputs) @ weights
    variance += float(np.sum((turns - means) ** 2))
    spread = max(np.sqrt(max(variance, 0.0) / np.sum(means)), LEAST_SPREAD)
    return Pace(*(round(float(number), 4) for number in (*weights, spread)))


def _play_alone(ruleset: RuleSet, dice: random.Random) -> list[Pawns]:
    """Play one seat to its end and return its pawns before each turn."""
    spaces, home = spaces_to_go(ruleset), terrain(ruleset).board.home

    def rate(ending: Ending) -> float:
        pawns = ending.position[0][: ruleset.to_win]
        nested, unfinished = pawns.count(NEST), sum(place not in home for place in pawns)
        return sum(spaces[place] for place in pawns) / 9 + 1.5 * nested + 0.5 * unfinished

    position, doublets, memory = starting_position((0,), ruleset.start_out), 0, NOTHING
    again, found = False, list[Pawns]()
    while True:
        if not again:
            found.append(position[0])
        faces = draw_faces(ruleset, dice)
        game, _ = play(at(ruleset, position, 0, doublets, memory), Throw(faces))
        if game.phase is Phase.PENALTY:
            game, _ = play(game, Stop())
            position, doublets, memory = game.position, game.doublets, game.memory
            again = doublets > 0
            continue
        ending = min(endings(game, MOST_STATES, BREADTH), key=rate)
        if ending.wins:
            return found
        again, doublets, memory = (
            ending.throws_again,
            count_doublets(game, ending),
            remember(game, ending),
        )
        position = ending.position
