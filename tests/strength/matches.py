"""Matches: the same dice for every rotation of the seats, and what came of them with its interval.

All rotations of one seed are one observation, since they share their dice. Results of seeds are
kept as they come, so that a match that was stopped goes on.
"""

import csv
import random
from collections.abc import Generator
from math import sqrt
from pathlib import Path
from statistics import mean, stdev
from typing import NamedTuple

from rules import RuleSet, parse_ruleset
from tests.strength.games import Picker, draw_start, play_out

NORMAL_95 = 1.96
SIDES = ("parchis", "ludo-uk", "ludo-de")  # editions that are measured with sides, too


# House rules for which there is no table, by the name of their matches.
HOUSES: dict[str, dict[str, object]] = {
    **{f"{preset} sides": {"preset": preset, "partners": True} for preset in SIDES},
    **{f"{preset} one home": {"preset": preset, "to_win": 1} for preset in SIDES},
}


class Match(NamedTuple):
    """A match: `heroes` are the seats of the measured player in the first rotation, by index.

    `preset` is an edition, or a name of `HOUSES`.

    `least` is the bar in wins of a hundred games: of the interval's lower end if `by_lower`.
    `player` is the measured one: a level of the table's players, or a yardstick.
    """

    preset: str
    seats: tuple[int, ...]
    heroes: tuple[int, ...]
    seeds: int
    least: float
    by_lower: bool = False
    foe: str = "grace"
    player: str = "strong"

    @property
    def ruleset(self) -> RuleSet:
        """The rules of its games."""
        return parse_ruleset(HOUSES.get(self.preset, self.preset))

    @property
    def name(self) -> str:
        """A name that says all of it, good for a file."""
        seats = "".join(map(str, self.seats))
        ours = f"{len(self.heroes)}-{self.player}"
        return f"{self.preset}-seats-{seats}-{ours}-against-{Path(self.foe).stem}"

    @property
    def rotations(self) -> list[set[int]]:
        """The seats of the measured player in each rotation: of equal ones only the first."""
        seats, found = self.seats, list[set[int]]()
        for turned in range(len(seats)):
            ours = {seats[(index + turned) % len(seats)] for index in self.heroes}
            found += [ours] if ours not in found else []
        return found


class Result(NamedTuple):
    """Wins of the measured side in a hundred games, and the half width of the 95 % interval."""

    wins: float
    half: float
    games: int

    def __str__(self) -> str:
        return f"{self.wins:.1f} +- {self.half:.1f} in {self.games} games"


def result(shares: list[float], rotations: int) -> Result:
    """Return what the seeds' shares of wins come to."""
    half = NORMAL_95 * stdev(shares) / sqrt(len(shares)) if len(shares) > 1 else 1.0
    return Result(100 * mean(shares), 100 * half, len(shares) * rotations)


def is_met(match: Match, found: Result) -> bool:
    """Whether the bar is met."""
    return found.wins - (found.half if match.by_lower else 0) > match.least


def shares(
    match: Match, ruleset: RuleSet, hero: Picker, foe: Picker, kept: Path
) -> Generator[float]:
    """Yield each seed's share of games won, those kept in a file from there."""
    known = _known(kept)[: match.seeds]
    yield from known
    kept.parent.mkdir(parents=True, exist_ok=True)
    with kept.open("a", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        for seed in range(len(known), match.seeds):
            share = rotations_won(match, ruleset, hero, foe, seed)
            rows.writerow((seed, share))
            file.flush()
            yield share


def _known(kept: Path) -> list[float]:
    if not kept.exists():
        return []
    with kept.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file) if len(row) == 2 and row[1]]
    return [float(share) for _, share in rows]


def rotations_won(match: Match, ruleset: RuleSet, hero: Picker, foe: Picker, seed: int) -> float:
    """Return the share of games with one seed's dice that the measured side wins."""
    seats, won = match.seats, 0
    for ours in match.rotations:
        pickers = {seat: hero if seat in ours else foe for seat in seats}
        dice, chances = (random.Random(f"{match.preset} {seed}{of}") for of in ("", " chances"))
        won += (
            play_out(ruleset, draw_start(ruleset, seats, dice), pickers, dice, chances).winner
            in ours
        )
    return won / len(match.rotations)
