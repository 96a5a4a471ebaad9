"""How fast the rules are: whole games, steps offered, results listed. CPU time, best of several."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import NamedTuple

import chess

from rules.actions import Action, Choose, Move, Stop, Throw
from rules.game import Game, Phase, new_game, play
from rules.plays.plays import plays_of
from rules.position import Position, format_position, parse_position
from rules.ruleset import PRESETS, RuleSet
from tests.asked import in_short
from tests.bench.bars import GAMES, REAL_PLAYS, RESULTS, STEPS
from tests.bench.measure import Measured, cpu_ms, percentile, piece
from tests.rules import draw
from tests.rules.editions import RELATIVES
from tests.rules.from_the_texts import options_of

GAMES_EACH = in_short(60, 1)
CHESS_PLIES = 200
POSITIONS = in_short(100, 1)
RESULT_POSITIONS = in_short(12, 1)
RESULT_POSITIONS_OF_GRANTS = in_short(2, 1)  # each takes some tenths of a second
REAL_THROWS = in_short(600, 10)
PIECE_EVERY = 20


def bench_whole_games() -> Iterator[Measured]:
    """Complete random games through `play()` with its facts, in turns with python-chess."""
    for preset in ("findler", "royal-2023"):
        ours = theirs = 0.0
        for seed in range(GAMES_EACH):
            ours += twice(one_game, PRESETS[preset], seed)
            theirs += twice(one_chess_game, seed)
        speeds = [1000 * GAMES_EACH / spent for spent in (ours, theirs)]
        note = f"{speeds[0]:.1f} a second, python-chess {speeds[1]:.1f}"
        yield Measured(f"{preset}: {GAMES}", theirs / ours, note)


def bench_steps_offered() -> Iterator[Measured]:
    """`steps` and `may_stop` at the throw, as the table asks for them."""
    for preset in PRESETS:
        yield in_pieces(f"{preset}: {STEPS}", steps_of, asked(preset, POSITIONS), passes=3)


def bench_results_listed() -> Iterator[Measured]:
    """`results` as `analyse` lists them."""
    for preset, ruleset in PRESETS.items():
        count = RESULT_POSITIONS_OF_GRANTS if ruleset.fourteen else RESULT_POSITIONS
        yield in_pieces(f"{preset}: {RESULTS}", results_of, asked(preset, count))


def bench_plays_of_real_games() -> Iterator[Measured]:
    """All plays listed of throws as they come up in games, where most plays are to be listed."""
    yield in_pieces(REAL_PLAYS, results_of, throws_of_real_games("tr-1938", REAL_THROWS))


def in_pieces(
    name: str, work: Callable[[Asked], object], positions: list[Asked], passes: int = 2
) -> Measured:
    """Measure the 99th percentile over drawn positions, in pieces done in between.

    A position's time, and a piece's, is the least of some passes over all positions: a slow moment
    of the machine is over before the next pass comes to the same position.
    """
    found = [one_pass(work, positions) for _ in range(passes)]
    times, pieces = (list(map(min, zip(*each, strict=True))) for each in zip(*found, strict=True))
    high = percentile(times, 99)
    note = f"{high:.2f} ms, longest {max(times):.2f}, of {len(times)}, least of {passes}"
    return Measured(name, high / median(pieces), note)


def one_pass(
    work: Callable[[Asked], object], positions: list[Asked]
) -> tuple[list[float], list[float]]:
    """Return the milliseconds of each position, and of pieces done in between."""
    times, pieces = list[float](), list[float]()
    for number, one in enumerate(positions):
        times.append(cpu_ms(partial(work, one)))
        if number % PIECE_EVERY == 0:
            pieces.append(cpu_ms(piece))
    return times, pieces


def twice(work: Callable[..., object], *arguments: object) -> float:
    return min(cpu_ms(lambda: work(*arguments)) for _ in range(2))


def one_game(ruleset: RuleSet, seed: int) -> None:
    """Play a random four-player game."""
    game, rng = new_game(ruleset, range(4)), random.Random(seed)
    while game.phase is not Phase.OVER:
        game, _ = play(game, any_action(game, rng))


def any_action(game: Game, rng: random.Random) -> Action:
    if game.phase is Phase.STARTER:
        return Choose(rng.choice(game.seats))
    if game.phase in (Phase.ORDER, Phase.THROW):
        return Throw(tuple(rng.randint(1, 6) for _ in range(game.dice)))
    steps = game.steps
    chosen = rng.randrange(len(steps) + game.may_stop)
    return Move(steps[chosen]) if chosen < len(steps) else Stop()


def one_chess_game(seed: int) -> None:
    board, rng = chess.Board(), random.Random(seed)
    for _ in range(CHESS_PLIES):
        moves = list(board.legal_moves)
        if not moves:
            return
        board.push(rng.choice(moves))


class Asked(NamedTuple):
    ruleset: RuleSet
    position: Position
    seat: int
    throw: tuple[int, ...]


def steps_of(one: Asked) -> None:
    plays = plays_of(*one)
    plays.steps(plays.start)
    plays.may_stop(plays.start)


def results_of(one: Asked) -> None:
    plays = plays_of(*one)
    for ending in plays.endings(plays.start):
        format_position(plays.stepper.position_after(ending))


def asked(preset: str, count: int) -> list[Asked]:
    """Drawn positions with a throw each, as the tests of this edition draw them."""
    if preset in RELATIVES:
        return list(throws_of_every_kind(preset, count))
    return [*doublets_in_crowds(preset, count), *throws_in_mixtures(preset, count)]


def throws_of_every_kind(preset: str, count: int) -> Iterator[Asked]:
    """Positions of every kind in which the pawns of a relative meet, any throw."""
    rng, options = random.Random(f"every kind {preset}"), options_of(preset)
    for kind in draw.KINDS:
        for _ in range(count):
            text, seat = draw.position(rng, options, kind)
            position = parse_position(text, PRESETS[preset])
            throw = tuple(draw.throw(rng, options))
            yield Asked(PRESETS[preset], position, seat, throw)


def throws_of_real_games(preset: str, count: int) -> list[Asked]:
    """Every third throw of random games, with its position; throws to see who begins left out."""
    rng, asked_then = random.Random(f"games of {preset}"), list[Asked]()
    while len(asked_then) < 3 * count:
        game = new_game(PRESETS[preset], range(4))
        while game.phase is not Phase.OVER and len(asked_then) < 3 * count:
            action = any_action(game, rng)
            if game.phase is Phase.THROW and isinstance(action, Throw):
                asked_then.append(Asked(game.ruleset, game.position, game.seat, action.faces))
            game, _ = play(game, action)
    return asked_then[::3]


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
                yield Asked(PRESETS[preset], position, seat, (face,) * options["dice"])


def throws_in_mixtures(preset: str, count: int) -> Iterator[Asked]:
    """Pawns in nests and rows, any throw."""
    rng, options = random.Random(f"mixed {preset}"), options_of(preset)
    for _ in range(count):
        text, seat = draw.position(rng, options, "anywhere")
        position = parse_position(text, PRESETS[preset])
        yield Asked(PRESETS[preset], position, seat, tuple(draw.throw(rng, options)))
