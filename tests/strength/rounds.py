"""Training by rounds that are kept, so that it goes on where it was stopped, and the table made.

The first round is played by `grace`, or by the table that the training begins with; each later one
by the weights that came of the one before.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pi_app.players.features import FEATURE_NAMES
from pi_app.players.tables import load_table
from rules import PRESETS
from tests.strength.training import Sample, Weights, fitted, sample, unlearned, value_of, weights_of
from tests.strength.yardsticks import by_value, grace

FOLDER = Path(__file__).parents[2] / "pi_app" / "players" / "tables"
KEPT_ROUNDS = 8  # that weights are fitted to
TOLD_EVERY = 50  # games
Progress = Callable[[str], None]


class Table(NamedTuple):
    """What a table is trained on."""

    preset: str
    seats: tuple[int, ...]
    rounds: int
    games: int  # in a round
    begins_with: str = ""  # another table's name
    seed: int = 1


ALL, OPPOSITE = (0, 1, 2, 3), (0, 2)
TABLES = {
    "findler-4": Table("findler", ALL, 11, 300),
    "royal-2023-4": Table("royal-2023", ALL, 5, 300, "findler-4"),
    "mb-total-4": Table("mb-total", ALL, 6, 300, "findler-4"),
}


def train(name: str, work: Path, tell: Progress) -> None:
    """Train a table's weights, each round kept in the folder `work`, and write the table."""
    made = TABLES[name]
    work.mkdir(parents=True, exist_ok=True)
    weights = weights_of(load_table(made.begins_with)) if made.begins_with else unlearned(made.seed)
    for number in range(made.rounds):
        kept = work / f"weights-{number}.npz"
        if not kept.exists():
            played(name, weights, number, work, tell)
            samples = [one for n in _newest(number) for one in _read(work / f"games-{n}.npz")]
            _write(kept, fitted(weights, samples, made.seed + number))
            tell(f"{name}: round {number + 1} of {made.rounds}, fitted to {len(samples)} games")
        weights = dict(np.load(kept))
    write_table(name, weights)


def _newest(number: int) -> range:
    return range(max(0, number + 1 - KEPT_ROUNDS), number + 1)


def played(name: str, weights: Weights, number: int, work: Path, tell: Progress) -> None:
    """Play a round's games by the weights, and keep them."""
    kept, made = work / f"games-{number}.npz", TABLES[name]
    if kept.exists():
        return
    ruleset = PRESETS[made.preset]
    knows = number > 0 or made.begins_with
    pick = by_value(ruleset, value_of(weights)) if knows else grace(ruleset)
    found: list[Sample] = []
    for game in range(made.games):
        dice = random.Random(f"{made.seed} {name} {number} {game}")
        one = sample(ruleset, made.seats, pick, dice)
        found += [one] if one else []
        if (game + 1) % TOLD_EVERY == 0:
            tell(f"{name}: round {number + 1} of {made.rounds}, {game + 1} of {made.games} games")
    _write(
        kept,
        {
            "lengths": np.array([len(one.seen) for one in found]),
            "winners": np.array([one.winner for one in found]),
            "seen": np.concatenate([one.seen for one in found]),
        },
    )


def _read(kept: Path) -> list[Sample]:
    with np.load(kept) as file:
        ends = np.cumsum(file["lengths"])[:-1]
        games = np.split(file["seen"], ends)
        return [Sample(seen, int(w)) for seen, w in zip(games, file["winners"], strict=True)]


def _write(kept: Path, arrays: dict[str, Any]) -> None:
    """Write a file that is either whole or not there."""
    part = kept.with_suffix(".part.npz")
    np.savez_compressed(part, **arrays)
    part.replace(kept)


def write_table(name: str, weights: Weights) -> None:
    """Write a table as the players read it, with how it was made."""
    made, value = TABLES[name], value_of(weights)
    kept = {
        "made": f"make train: {made.rounds} rounds of {made.games} games of {made.preset} "
        f"with {len(made.seats)} seats against itself, seed {made.seed}, "
        f"beginning with {made.begins_with or 'nothing'}",
        "features": FEATURE_NAMES,
        "biases": value.biases,
        "counts": value.counts,
        "weights": value.weights,
    }
    lines = [f"{json.dumps(key)}: {json.dumps(one)}" for key, one in kept.items()]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")
