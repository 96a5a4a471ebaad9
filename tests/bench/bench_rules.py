"""How fast the rules are, beside their bars: whole games, steps offered, results listed.

    make bench

Prints the measurements; a bar that is missed is said, never failed, since machines differ.
"""

import random
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import chess
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from rules.actions import Action, Choose, Move, Stop, Throw
from rules.game import Game, Phase, new_game, play
from rules.plays import Plays
from rules.position import Position, format_position, parse_position
from rules.ruleset import PRESETS, RuleSet
from rules.steps import Stepper
from tests.bench.report import percentile, report
from tests.rules import draw
from tests.rules.brute_force import options_of

GAMES = 60
CHESS_PLIES = 200
POSITIONS = 2000
RESULT_POSITIONS = 100
RESULT_POSITIONS_OF_GRANTS = 5  # each takes some tenths of a second
REAL_THROWS = 1000  # one in six a doublet
PAIR_RULE_COSTS = {"findler"}  # at-end looks at where whole plays lead


def one_game(ruleset: RuleSet, rng: random.Random) -> int:
    """Play a random four-player game; return how many actions it had."""
    game, actions = new_game(ruleset, range(4)), 0
    while game.phase is not Phase.OVER:
        game, _ = play(game, any_action(game, rng))
        actions += 1
    return actions


def any_action(game: Game, rng: random.Random) -> Action:
    if game.phase is Phase.STARTER:
        return Choose(rng.choice(game.seats))
    if game.phase in (Phase.ORDER, Phase.THROW):
        return Throw(tuple(rng.randint(1, 6) for _ in range(game.dice)))
    steps = game.steps
    chosen = rng.randrange(len(steps) + game.may_stop)
    return Move(steps[chosen]) if chosen < len(steps) else Stop()


def one_chess_game(rng: random.Random) -> int:
    board = chess.Board()
    for ply in range(CHESS_PLIES):
        moves = list(board.legal_moves)
        if not moves:
            return ply
        board.push(rng.choice(moves))
    return CHESS_PLIES


def games_per_second(*games: Callable[[random.Random], int]) -> list[float]:
    """Return how many of each are played a second, taking turns so that all meet the same load."""
    spent = [0.0] * len(games)
    for seed in range(GAMES):
        for number, one in enumerate(games):
            started = time.perf_counter()
            one(random.Random(seed))
            spent[number] += time.perf_counter() - started
    return [GAMES / seconds for seconds in spent]


@pytest.mark.parametrize("preset", ["findler", "royal-2023"])
def bench_whole_games(preset: str, benchmark: BenchmarkFixture) -> None:
    """Complete random games through `play()` with its facts, beside python-chess in this run."""
    ours, theirs = benchmark.pedantic(
        games_per_second, args=(lambda rng: one_game(PRESETS[preset], rng), one_chess_game)
    )
    report(f"{preset}: games a second", ours, None, f"python-chess {theirs:.1f}")
    report(f"{preset}: share of python-chess", ours / theirs, 0.3, at_least=True)


class Asked(NamedTuple):
    position: Position
    seat: int
    throw: tuple[int, ...]


def doublets_in_crowds(preset: str, count: int) -> Iterator[Asked]:
    """All sixteen pawns on the ring, every other position with pairs, every doublet."""
    rng, options = random.Random(f"crowded {preset}"), options_of(preset)
    number = 0
    while number < count:
        text, seat = draw.position(rng, options, "crowded")
        position = parse_position(text, PRESETS[preset])
        pairs = any(len(set(pawns)) < len(pawns) for pawns in position)
        if pairs == (number % 2 == 1):
            number += 1
            for face in range(1, 7):
                yield Asked(position, seat, (face,) * options["dice"])


def throws_in_mixtures(preset: str, count: int) -> Iterator[Asked]:
    """Pawns in nests and rows, any throw."""
    rng, options = random.Random(f"mixed {preset}"), options_of(preset)
    for _ in range(count):
        text, seat = draw.position(rng, options, "mixed")
        yield Asked(parse_position(text, PRESETS[preset]), seat, tuple(draw.throw(rng, options)))


def asked(preset: str, count: int) -> list[Asked]:
    return [*doublets_in_crowds(preset, count), *throws_in_mixtures(preset, count)]


def throws_of_real_games(preset: str, count: int) -> list[Asked]:
    """Every third throw of random games, with its position; throws for who begins left out."""
    rng, asked_then = random.Random(f"games of {preset}"), list[Asked]()
    while len(asked_then) < 3 * count:
        game = new_game(PRESETS[preset], range(4))
        while game.phase is not Phase.OVER and len(asked_then) < 3 * count:
            action = any_action(game, rng)
            if game.phase is Phase.THROW and isinstance(action, Throw):
                asked_then.append(Asked(game.position, game.seat, action.faces))
            game, _ = play(game, action)
    return asked_then[::3]


def milliseconds(work: Callable[[Asked], object], positions: list[Asked]) -> list[float]:
    """Return how long each takes: the better of two, so that other programs' turns don't count."""
    return [min(once(work, one), once(work, one)) for one in positions]


def once(work: Callable[[Asked], object], one: Asked) -> float:
    started = time.perf_counter()
    work(one)
    return 1000 * (time.perf_counter() - started)


@pytest.mark.parametrize("preset", PRESETS)
def bench_steps_offered(preset: str, benchmark: BenchmarkFixture) -> None:
    """`steps` and `may_stop` at the throw, as the table asks for them."""
    ruleset = PRESETS[preset]

    def ask(one: Asked) -> None:
        plays = Plays(Stepper(ruleset, *one))
        plays.steps(plays.start)
        plays.may_stop(plays.start)

    times = benchmark.pedantic(milliseconds, args=(ask, asked(preset, POSITIONS)))
    bar = 10.0 if ruleset.fourteen else 3.0 if preset in PAIR_RULE_COSTS else 1.0
    report(f"{preset}: steps, 99th percentile, ms", percentile(times, 99), bar)
    report(f"{preset}: steps, maximum, ms", max(times), 50.0)


@pytest.mark.parametrize("preset", PRESETS)
def bench_results_listed(preset: str, benchmark: BenchmarkFixture) -> None:
    """`results` as `analyse` lists them."""
    ruleset = PRESETS[preset]

    def ask(one: Asked) -> None:
        plays = Plays(Stepper(ruleset, *one))
        endings = plays.endings(plays.start)
        {format_position(plays.stepper.position_after(ending)) for ending in endings}

    count = RESULT_POSITIONS_OF_GRANTS if ruleset.fourteen else RESULT_POSITIONS
    times = benchmark.pedantic(milliseconds, args=(ask, asked(preset, count)))
    bar = 2000.0 if ruleset.fourteen else 100.0
    report(f"{preset}: results, 99th percentile, ms", percentile(times, 99), bar)


@pytest.mark.parametrize("preset", ["tr-1938"])
def bench_plays_of_real_games(preset: str, benchmark: BenchmarkFixture) -> None:
    """All plays listed, with the positions they lead to, of throws as they come up in games."""
    ruleset = PRESETS[preset]

    def ask(one: Asked) -> None:
        plays = Plays(Stepper(ruleset, *one))
        endings = plays.endings(plays.start)
        {format_position(plays.stepper.position_after(ending)) for ending in endings}

    positions = throws_of_real_games(preset, REAL_THROWS)
    times = benchmark.pedantic(milliseconds, args=(ask, positions))
    report(f"{preset}: plays of real games, 99th percentile, ms", percentile(times, 99), 100.0)
    report(f"{preset}: plays of real games, maximum, ms", max(times), None)
