"""How long a player thinks, and how much memory it takes to. CPU time, better of two."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from statistics import fmean, median

from pi_app.model.advice import BotQuestion, ChancesQuestion
from pi_app.model.reviews import review_questions
from pi_app.players.choosing import choose
from pi_app.players.review import review_throw
from pi_app.players.tables import load_judge
from pi_app.players.working import answer_line
from pi_app.system.child import ROOT, WORKER
from rules.actions import Throw
from rules.game import Game, Phase, at, play
from rules.position import format_position
from tests.asked import in_short
from tests.bench.bars import (
    CHANCES,
    DECIDING,
    DECISION,
    LONGEST_DECISION,
    MEAN_DECISION,
    REVIEW,
)
from tests.bench.measure import (
    Measured,
    cpu_ms,
    percentile,
    piece,
    private_megabytes,
    resident_megabytes,
)
from tests.bench.rules import PIECE_EVERY, Asked, doublets_in_crowds, throws_of_real_games, twice
from tests.pi_app.players.played import strong_game

REAL_THROWS = in_short(300, 10)
CROWDS = in_short(10, 1)  # each with every doublet
SHOWN = in_short(100, 5)  # positions whose chances are shown
ASKED = in_short(200, 5)
REVIEWED = in_short(10_000, 10)  # throws of a game, which has some hundreds
SEED = 1
BARE = (sys.executable, "-uc", "for line in iter(input, None): print()")


def bench_decisions() -> Iterator[Measured]:
    """Throws of whole games; the longest also of doublets with all sixteen pawns on the ring."""
    for preset in DECIDING:
        real, real_pieces = times(throws_of_real_games(preset, REAL_THROWS))
        crowded, pieces = times(list(doublets_in_crowds(preset, CROWDS)))
        high, longest = percentile(real, 99), max(*real, *crowded)
        note = f"{high:.1f} ms, longest {longest:.1f}, of {len(real)} and {len(crowded)}"
        yield Measured(f"{preset}: {DECISION}", high / median(real_pieces), note)
        yield Measured(f"{preset}: {LONGEST_DECISION}", longest / median(pieces), note)
        note = f"{fmean(real):.1f} ms, of {len(real)}"
        yield Measured(f"{preset}: {MEAN_DECISION}", fmean(real) / fmean(real_pieces), note)


def times(asked: list[Asked]) -> tuple[list[float], list[float]]:
    """Return the milliseconds of each decision, and of pieces done in between."""
    found, pieces = list[float](), list[float]()
    for number, one in enumerate(asked):
        game = thrown(one)
        if game.phase is Phase.MOVE:
            found.append(twice(decided, game))
        if number % PIECE_EVERY == 0:
            pieces.append(twice(piece))
    return found, pieces


def thrown(one: Asked) -> Game:
    ruleset, position, seat, throw = one
    return play(at(ruleset, position, seat), Throw(throw))[0]


def decided(game: Game) -> object:
    return choose(game, load_judge(game.ruleset))


def bench_shown_chances() -> Iterator[Measured]:
    """What the page asks before each throw: chances that are averaged over it."""
    for preset in DECIDING:
        lines = [
            ChancesQuestion(at(one.ruleset, one.position, one.seat)).line()
            for one in throws_of_real_games(preset, SHOWN)
        ]
        found, pieces = list[float](), list[float]()
        for line in lines:
            found.append(cpu_ms(partial(answer_line, line)))
            pieces.append(cpu_ms(piece))
        note = f"{percentile(found, 99):.0f} ms, mean {fmean(found):.0f}, of {len(found)}"
        yield Measured(f"{preset}: {CHANCES}", percentile(found, 99) / median(pieces), note)


def bench_review() -> Iterator[Measured]:
    """Luck and skill of a whole game of findler with four seats, one throw after the other."""
    asked = review_questions(strong_game(SEED))[:REVIEWED]
    parts, pieces = list[float](), list[float]()
    for one in asked:
        parts.append(cpu_ms(partial(review_throw, one)))
        pieces.append(cpu_ms(piece))
    note = f"{sum(parts) / 1000:.1f} s, {len(asked)} throws, longest {max(parts):.0f} ms"
    yield Measured(REVIEW, sum(parts) / median(pieces), note)


def bench_memory_of_players() -> Iterator[Measured]:
    """What answers by advice takes more than what answers by the rules, asked the same."""
    lines = [asked_in_words(one) for one in throws_of_real_games("findler", ASKED)]
    rules, players = (held(module, lines) for module in ("rules analyse", "pi_app.players advise"))
    note = f"{players:.1f}, the rules {rules:.1f}, after {ASKED} throws"
    yield Measured("players' memory above that of the rules, MB", players - rules, note)


def asked_in_words(one: Asked) -> str:
    position, throw = format_position(one.position), list(one.throw)
    return json.dumps(
        {"ruleset": "findler", "position": position, "seat": one.seat, "throw": throw}
    )


def held(module: str, lines: list[str]) -> float:
    """Return the megabytes of a program that has answered these lines."""
    command = [sys.executable, "-m", *module.split()]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        for line in lines:
            program.stdin.write(f"{line}\n")
            program.stdout.readline()
        megabytes = resident_megabytes(program.pid)
        program.stdin.close()
    return megabytes


def bench_memory_of_the_worker() -> Iterator[Measured]:
    """A process more, beside a table that asks it: what it holds for itself alone."""
    asked = [thrown(one) for one in throws_of_real_games("findler", ASKED)]
    lines = [BotQuestion(game, "strong").line() for game in asked if game.phase is Phase.MOVE]
    bare, worker = (private_after(command, lines) for command in (BARE, WORKER))
    note = f"{worker:.1f}, a Python that does nothing {bare:.1f}, after {len(lines)} throws"
    yield Measured("the worker's memory above a bare Python's, MB", worker - bare, note)


def private_after(command: tuple[str, ...], lines: list[str]) -> float:
    """Return the megabytes that a program shares with none, once it has answered these lines."""
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        for line in lines:
            program.stdin.write(f"{line}\n")
            program.stdout.readline()
        megabytes = private_megabytes(program.pid)
        program.kill()
    return megabytes
