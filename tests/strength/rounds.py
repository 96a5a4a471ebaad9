"""Training in rounds, and the tables that it makes. A stopped training goes on where it was.

The rule of thumb plays the first round. The weights that a round leads to play the next one. Games
also begin with positions that good players do not reach: after some throws of weak players, or
with the pawns of four seats from four moments. Others begin near the end of a game.
"""

import json
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pi_app.players.features import FEATURE_NAMES, SEATS, feature_extractor
from rules import PRESETS, RuleSet, format_position, parse_position
from rules.errors import InputError
from rules.position import PAWNS
from tests.strength.games import Picker, Played, Situation, draw_start, play_out
from tests.strength.positions import PRESETS_MEASURED, leader_to_go
from tests.strength.training import (
    LAMBDA,
    Weights,
    by_weights,
    fitted,
    join,
    lesson_of,
    table_of,
    unlearned,
)
from tests.strength.yardsticks import at_random, thumb

FOLDER = Path(__file__).parents[2] / "pi_app" / "players" / "tables"
CHUNK = 250  # games in a file
NEAR_THE_END = 80  # spaces that the leader has to go, at most
WEAK_THROWS = 220  # the most throws of weak players before a game
POOL = 5000  # situations of a round from which games of the next one begin
BEGINNINGS = {"start": 0.75, "weak": 0.1, "recombined": 0.05, "late": 0.1}  # shares of the games
FEWER = 0.2  # share of the games that have two or three seats
PROBED = 4  # games by the rule of thumb that tell how quick a machine is
TIMES_THUMB = 2.2  # how much longer a game takes in a training, with what is learned from it
NOBODY = -9  # stands for the places of a seat that does not play
ALL = (0, 1, 2, 3)
Progress = Callable[[str], None]


class Table(NamedTuple):
    """How a table is trained: the games of each round, the hidden units, and the seed."""

    preset: str
    rounds: tuple[int, ...]
    hidden: int = 32
    seed: int = 1


# Chances depend on how well the seats play, so the players of the last round must be good already.
# A million throws are enough for a game without chances to be measured.
LONG_GAMES = ("parchis", "parchis-two", "ludo-uk", "ludo-india", "ludo-de", "ludo-dk", "ludo-ch")
ROUNDS = dict.fromkeys(PRESETS, (500, 1500, 2000, 5000))
ROUNDS |= dict.fromkeys(LONG_GAMES, (250, 750, 1000, 2500))
ROUNDS |= {"pachisi-modern": (100, 250, 400, 1000)}
ROUNDS |= dict.fromkeys(PRESETS_MEASURED, (1000, 3000, 5000, 25000))
TABLES = {f"{preset}-4": Table(preset, games) for preset, games in ROUNDS.items()}


def estimate_minutes(name: str, made: Table) -> float:
    """Return how long a training takes on one core of this machine, from a few games by thumb."""
    ruleset, began = PRESETS[made.preset], time.process_time()
    for game in range(PROBED):
        dice = random.Random(f"{name} {game}")
        start = draw_start(ruleset, ALL, dice)
        play_out(ruleset, start, dict.fromkeys(ALL, thumb(ruleset)), dice, dice)
    return sum(made.rounds) * TIMES_THUMB * (time.process_time() - began) / PROBED / 60


def train(name: str, made: Table, work: Path, file: Path, tell: Progress) -> None:
    """Train a table's weights and write the table to `file`.

    name: is part of the dice's seeds. made: how it is trained. work: the folder that keeps the
    games and each round's weights. tell: is given the progress.
    """
    work.mkdir(parents=True, exist_ok=True)
    ruleset, rounds = PRESETS[made.preset], len(made.rounds)
    weights = unlearned(made.seed, made.hidden, feature_extractor(ruleset).row_inputs)
    files: list[Path] = []
    for number in range(rounds):
        kept = work / f"weights-{number}.npz"
        files = _play_round(name, made, weights, number, files, work, tell)
        if not kept.exists():
            lesson = join([lesson_of(ruleset, read_games(file)) for file in files])
            decay = LAMBDA if number else 1.0
            weights = fitted(weights, lesson, made.seed + number, decay, partners=ruleset.partners)
            _write(kept, weights)
            tell(f"{name}: round {number + 1} of {rounds}, fitted to {len(lesson.last)} throws")
        weights = dict(np.load(kept))
    file.write_bytes(write_table(made, weights))


def _play_round(
    name: str,
    made: Table,
    weights: Weights,
    number: int,
    before: Sequence[Path],
    work: Path,
    tell: Progress,
) -> list[Path]:
    """Return the files of a round's games, played by the weights.

    number: of the round. before: the files of the round before. The others as in `train`.
    """
    ruleset, wanted = PRESETS[made.preset], made.rounds[number]
    player = by_weights(ruleset, weights) if number else thumb(ruleset)
    draw = random.Random(f"{made.seed} {name} {number} pool")
    each = -(-POOL // max(len(before), 1))
    pool = [one for file in before for one in draw.choices(read_situations(file), k=each)]
    beginnings = Beginnings(ruleset, (thumb(ruleset), at_random), pool)
    files = [work / f"games-{number}-{begin}.npz" for begin in range(0, wanted, CHUNK)]
    for begin, kept in zip(range(0, wanted, CHUNK), files, strict=True):
        if not kept.exists():
            numbers = range(begin, min(begin + CHUNK, wanted))
            seeds = (f"{made.seed} {name} {number} {game}" for game in numbers)
            write_games(kept, [_play(beginnings, player, random.Random(seed)) for seed in seeds])
            done = f"{numbers.stop} of {wanted} games"
            tell(f"{name}: round {number + 1} of {len(made.rounds)}, {done}")
    return files


class Beginnings(NamedTuple):
    """From what games of a round begin. weak: players of the first throws. pool: of other games."""

    ruleset: RuleSet
    weak: Sequence[Picker]
    pool: Sequence[Situation]

    def draw(self, dice: random.Random) -> Situation:
        """Return a situation to begin a game with."""
        kind = dice.choices(list(BEGINNINGS), list(BEGINNINGS.values()))[0]
        seats = self.draw_seats(dice)
        start = draw_start(self.ruleset, seats, dice)
        if kind == "weak":
            pickers = {seat: dice.choice(self.weak) for seat in seats}
            throws = dice.randint(1, WEAK_THROWS)
            played = play_out(self.ruleset, start, pickers, dice, dice, throws)
            return start if played.winner is not None else played.situations[-1]
        if kind == "recombined" and self.pool:
            return self.recombine(seats, dice) or start
        if kind == "late":
            late = (
                [one for one in dice.choices(self.pool, k=20) if _is_late(self.ruleset, one)]
                if self.pool
                else []
            )
            return late[0] if late else start
        return start

    def draw_seats(self, dice: random.Random) -> tuple[int, ...]:
        """Return the seats of a game, mostly all."""
        if self.ruleset.partners or dice.random() > FEWER:
            return ALL
        return dice.choice(((0, 2), (1, 3), tuple(sorted(dice.sample(ALL, dice.choice((2, 3)))))))

    def recombine(self, seats: tuple[int, ...], dice: random.Random) -> Situation | None:
        """Return a situation with each seat's pawns from another game; None if the pawns clash."""
        for _ in range(20):
            a, b, c, d = (dice.choice(self.pool).position[s] if s in seats else () for s in ALL)
            position = (a, b, c, d)
            try:
                parse_position(format_position(position), self.ruleset)
            except InputError:
                continue
            extractor = feature_extractor(self.ruleset)
            first = dice.choice(seats)
            if (
                all(position[s] for s in seats)
                and not extractor.find_finished(position)
                and not extractor.exact_chances(position, first)
            ):
                return Situation(position, first)
        return None


def _is_late(ruleset: RuleSet, one: Situation) -> bool:
    return leader_to_go(ruleset, one) <= NEAR_THE_END


def _play(beginnings: Beginnings, player: Picker, dice: random.Random) -> Played:
    """Play a game in which all seats play alike, and always as well as they can."""
    begin = beginnings.draw(dice)
    pickers = {seat: player for seat, pawns in enumerate(begin.position) if pawns}
    return play_out(beginnings.ruleset, begin, pickers, dice, dice)


def write_games(kept: Path, games: Sequence[Played]) -> None:
    """Keep games that have a winner: 18 bytes for each throw."""
    won = [game for game in games if game.winner is not None]
    rows = [
        [place for pawns in one.position for place in pawns or (NOBODY,) * PAWNS]
        + [one.seat, one.doublets]
        for game in won
        for one in game.situations
    ]
    ends = [(len(game.situations), game.winner) for game in won]
    _write(kept, {"throws": np.array(rows, np.int8), "games": np.array(ends, np.int32)})


def read_games(kept: Path) -> list[Played]:
    each = iter(read_situations(kept))
    with np.load(kept) as file:
        games = file["games"].tolist()
    return [Played(winner, [next(each) for _ in range(length)]) for length, winner in games]


def read_situations(kept: Path) -> list[Situation]:
    with np.load(kept) as file:
        return list(map(_situation, file["throws"].tolist()))


def _situation(row: list[int]) -> Situation:
    *places, seat, doublets = row
    pawns = [tuple(places[PAWNS * s : PAWNS * (s + 1)]) for s in range(SEATS)]
    a, b, c, d = (() if NOBODY in one else one for one in pawns)
    return Situation((a, b, c, d), seat, doublets)


def _write(kept: Path, arrays: dict[str, Any]) -> None:
    """Write a file that is either whole or not there."""
    part = kept.with_suffix(".part.npz")
    np.savez_compressed(part, **arrays)
    part.replace(kept)


def write_table(made: Table, weights: Weights) -> bytes:
    """Return a table as the players read it, with how it was made."""
    games = ", then ".join(map(str, made.rounds))
    head = {
        "made": f"make train: {games} games of {made.preset}, seed {made.seed}",
        "features": FEATURE_NAMES,
        "hidden": made.hidden,
    }
    return json.dumps(head).encode() + b"\n" + table_of(weights)
