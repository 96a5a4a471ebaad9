"""How fast a journal of many games opens, and what listing its games costs."""

import random
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from subprocess import run
from tempfile import TemporaryDirectory

from pi_app.model.history import Row, act, start_row
from pi_app.record.journal import FILE, load
from pi_app.record.schema import GameHead, StoredGame, connect, game_numbers, whole_game, write_game
from rules.actions import Action, Throw
from rules.game import Phase, new_game, play
from rules.history import new_record
from rules.ruleset import DEFAULT_PRESET, PRESETS
from tests.asked import in_short
from tests.bench.measure import Measured, cpu_ms, piece, wall_ms
from tests.bench.rules import any_action
from tests.pi_app.record.journals import commit

# Their seeds: ten thousand actions, the last game half played.
GAMES = range(24, 24 + in_short(20, 2))
OPENINGS = in_short(9, 1)
LISTED = in_short(5000, 50)  # games
LISTINGS = in_short(5, 1)
# Prints the CPU time in ms and the memory in MB that listing adds to those of the modules.
LISTING = """
import re, sys, time
from pathlib import Path
from pi_app.record.games import open_games

def peak():
    return int(re.search("VmHWM: *\\\\s*(\\\\d+)", Path("/proc/self/status").read_text())[1]) / 1024

before, began = peak(), time.process_time()
with open_games(Path(sys.argv[1])) as games:
    count = sum(1 for _ in games.read_summaries())
print(count, 1000 * (time.process_time() - began), peak() - before)
"""
MORE_MS = 50.0  # for what does not grow with the game: the database itself, its check


def bench_opening_a_journal() -> Iterator[Measured]:
    """Ten thousand actions in twenty games, the last half played, in turns with `play` alone."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / FILE
        games = list(map(one_game, GAMES))
        newest = games[-1] = half(games[-1])
        record(path, games)
        pairs = [
            (wall_ms(lambda: opened(path)), wall_ms(lambda: played(newest)))
            for _ in range(OPENINGS)
        ]
    ratio = median(ours / (2 * alone + MORE_MS) for ours, alone in pairs)
    ours, alone = (median(times) for times in zip(*pairs, strict=True))
    actions = sum(map(len, games))
    note = f"{ours:.0f} ms, play {alone:.0f}, of {len(newest)} in {actions} actions"
    yield Measured("a journal opened, in twice its play and 50 ms", ratio, note)


def bench_listing_games() -> Iterator[Measured]:
    """A list of LISTED games whose summaries are kept, in a process of its own."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / FILE
        record(path, list(map(one_game, GAMES)))
        multiply(path, LISTED)
        list_games(path)
        runs = [(*list_games(path), cpu_ms(piece)) for _ in range(LISTINGS)]
    counts, times, megabytes, pieces = zip(*runs, strict=True)
    assert set(counts) == {LISTED}
    note = f"{median(times):.0f} ms, the median"
    yield Measured("CPU to list 5,000 kept games, in pieces", median(times) / median(pieces), note)
    yield Measured("memory that listing 5,000 kept games adds, MB", max(megabytes), "at its peak")


def multiply(path: Path, count: int) -> None:
    """Add copies of a closed journal's games until it has so many."""
    with closing(connect(path)) as connection:
        games = [whole_game(connection, number) for number in game_numbers(connection)]
        connection.execute("BEGIN")
        for number, game in enumerate(islice(cycle(games), count - len(games)), len(games) + 1):
            head = GameHead(rows=len(game.links))
            write_game(connection, StoredGame(number, game.links, head))
        connection.execute("COMMIT")


def list_games(path: Path) -> tuple[int, float, float]:
    """Return how many games a process lists, and its CPU time in ms and memory in MB for that."""
    command = (sys.executable, "-c", LISTING, str(path))
    count, ms, megabytes = run(command, capture_output=True, check=True, text=True).stdout.split()
    return int(count), float(ms), float(megabytes)


def one_game(seed: int) -> list[Action]:
    """Return the actions of a random four-player game by the rule set that a table begins with."""
    game, rng, actions = (
        new_game(PRESETS[DEFAULT_PRESET], range(4)),
        random.Random(seed),
        list[Action](),
    )
    while game.phase is not Phase.OVER:
        actions.append(any_action(game, rng))
        game, _ = play(game, actions[-1])
    return actions


def half(actions: list[Action]) -> list[Action]:
    """Return the first half of a game, to a throw, so that a seat has to choose."""
    first = actions[: len(actions) // 2]
    while not isinstance(first[-1], Throw):
        first.pop()
    return first


def record(path: Path, games: list[list[Action]]) -> None:
    """Keep games in a new journal."""
    journal, _ = load(path)
    for actions in games:
        commit(journal, rows(actions), at=0.0)
    journal.close()


def rows(actions: list[Action]) -> Iterator[Row]:
    kept = new_record(PRESETS[DEFAULT_PRESET], range(4))
    yield start_row(kept)
    for action in actions:
        kept, row, _ = act(kept, action, "simulated")
        yield row


def opened(path: Path) -> None:
    load(path)[0].close()


def played(actions: list[Action]) -> None:
    game = new_game(PRESETS[DEFAULT_PRESET], range(4))
    for action in actions:
        game, _ = play(game, action)
