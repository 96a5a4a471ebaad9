"""Training in rounds, and the tables that it makes. A stopped training goes on with its round.

The table with which the training begins plays the first round. Without one, the rule of thumb plays
it. The weights that a round leads to play the next one.
"""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pi_app.players.features import FEATURE_NAMES
from pi_app.players.tables import load_table
from rules import PRESETS, RuleSet
from tests.strength.games import Picker, Played, Situation, draw_start, play_out
from tests.strength.positions import leader_to_go
from tests.strength.training import (
    LAMBDA,
    Sample,
    Weights,
    fitted,
    sample,
    unlearned,
    value_of,
    weights_of,
    widen,
)
from tests.strength.yardsticks import by_value, thumb

FOLDER = Path(__file__).parents[2] / "pi_app" / "players" / "tables"
TOLD_EVERY = 50  # games
NEAR_THE_END = 80  # spaces that the leader has to go, at most
Progress = Callable[[str], None]


class Table(NamedTuple):
    """How a table is trained.

    games: whole games in a round. endings: further games in a round; each begins near the end of
    one of the round's whole games. hidden: the number of hidden units. begins_with: another
    table's name, whose units are among the hidden units. kept: to how many of the newest rounds the
    weights are fitted.
    """

    preset: str
    seats: tuple[int, ...]
    rounds: int
    games: int
    endings: int = 0
    hidden: int = 16
    begins_with: str = ""
    kept: int = 8
    seed: int = 1


ALL, OPPOSITE = (0, 1, 2, 3), (0, 2)
TABLES = {
    name: Table(name.removesuffix("-4"), ALL, 6, 250, 750, 24, begins_with=name)
    for name in ("findler-4", "royal-2023-4", "mb-total-4")
}
TABLES |= {  # whose games have little in common with the games of another table
    f"{preset}-4": Table(preset, ALL, rounds, 350, 350, 24, kept=4)
    for preset, rounds in (("parchis", 6), ("ludo-india", 5), ("ludo-de", 6))
}
TABLES["pop-28-4"] = Table("pop-28", ALL, 8, 2000, 500, 24, kept=4, seed=2)
TABLES["ludo-uk-4"] = Table("ludo-uk", ALL, 8, 500, 500, 24, begins_with="ludo-uk-4", seed=5)
TABLES |= {
    f"{preset}-4": Table(preset, ALL, 4, games, 150, 24, begins_with=f"{relative}-4", kept=4)
    for preset, games, relative in (
        ("ludo-dk", 300, "ludo-india"),
        ("petits-chevaux", 600, "pop-28"),
        ("ludo-ch", 300, "parchis"),
    )
}
TABLES |= {
    f"{preset}-4": Table(preset, ALL, 4, 350, 350, 24, begins_with="ludo-india-4", kept=4)
    for preset in ("pachisi-mitra", "pachisi-modern")
}


def train(name: str, made: Table, work: Path, file: Path, tell: Progress) -> None:
    """Train a table's weights and write the table to `file`.

    made: how it is trained. work: the folder that keeps the rounds. tell: is given the progress.
    """
    work.mkdir(parents=True, exist_ok=True)
    weights, partners = unlearned(made.seed, made.hidden), PRESETS[made.preset].partners
    if made.begins_with:
        weights = widen(weights_of(load_table(made.begins_with)), made.hidden, made.seed)
    for number in range(made.rounds):
        kept = work / f"weights-{number}.npz"
        if not kept.exists():
            if not (work / f"games-{number}.npz").exists():
                play_round(name, made, weights, number, work, tell)
            newest = range(max(0, number + 1 - made.kept), number + 1)
            samples = [one for n in newest for one in _read(work / f"games-{n}.npz")]
            decay = LAMBDA if number or made.begins_with else 1.0
            _write(kept, fitted(weights, samples, made.seed + number, decay, partners=partners))
            tell(f"{name}: round {number + 1} of {made.rounds}, fitted to {len(samples)} games")
        weights = dict(np.load(kept))
    write_table(made, weights, file)


def play_round(
    name: str, made: Table, weights: Weights, number: int, work: Path, tell: Progress
) -> None:
    """Play a round's games by the weights, and keep them.

    name: is part of the dice's seeds. number: of the round. work, tell: as in `train`.
    """
    ruleset = PRESETS[made.preset]
    knows = number > 0 or made.begins_with
    pick = by_value(ruleset, value_of(weights)) if knows else thumb(ruleset)
    samples, late = list[Sample](), list[Situation]()
    for game in range(made.games + made.endings):
        dice = random.Random(f"{made.seed} {name} {number} {game}")
        begin = draw_start(ruleset, made.seats, dice)
        if game >= made.games and late:
            begin = dice.choice(late)
        played = _play_alike(ruleset, begin, pick, dice)
        if played.winner is not None:
            samples.append(sample(ruleset, made.seats, played.situations, played.winner))
            if game < made.games:
                late += find_late(ruleset, played.situations)
        if (game + 1) % TOLD_EVERY == 0:
            games = f"{game + 1} of {made.games + made.endings} games"
            tell(f"{name}: round {number + 1} of {made.rounds}, {games}")
    _write(
        work / f"games-{number}.npz",
        {
            "lengths": np.array([len(one.seen) for one in samples]),
            "winners": np.array([one.winner for one in samples]),
            "seen": np.concatenate([one.seen for one in samples]),
        },
    )


def _play_alike(ruleset: RuleSet, begin: Situation, pick: Picker, dice: random.Random) -> Played:
    """Play a game in which all seats play alike, and always as well as they can."""
    seats = [seat for seat, pawns in enumerate(begin.position) if pawns]
    return play_out(ruleset, begin, dict.fromkeys(seats, pick), dice, random.Random(0))


def find_late(ruleset: RuleSet, situations: list[Situation]) -> list[Situation]:
    """Return the situations in which the leader has at most `NEAR_THE_END` spaces to go."""
    return [one for one in situations if leader_to_go(ruleset, one) <= NEAR_THE_END]


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


def write_table(made: Table, weights: Weights, file: Path) -> None:
    """Write a table as the players read it, with how it was made."""
    value = value_of(weights)
    endings = f" and {made.endings} endings" if made.endings else ""
    kept = {
        "made": f"make train: {made.rounds} rounds of {made.games} games{endings} of {made.preset} "
        f"with {len(made.seats)} seats against itself, {len(value.counts)} hidden units, "
        f"seed {made.seed}, beginning with {made.begins_with or 'nothing'}",
        "features": FEATURE_NAMES,
        "biases": value.biases,
        "counts": value.counts,
        "direct": value.direct,
        "weights": value.weights,
    }
    lines = [f"{json.dumps(key)}: {json.dumps(one)}" for key, one in kept.items()]
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
