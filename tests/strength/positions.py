"""The fixed positions and decisions on which chances are measured, kept in files beside this one.

    python -m tests.strength.positions     draw them again

All come from games of `strong` against itself, by dice that no training has seen. At most one
position and one decision come from a game. Each throw of all games is equally likely to be drawn,
for one position of each game would prefer those of short games.
"""

import json
import random
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

from pi_app.model.tables import table_name
from pi_app.players.features import feature_extractor
from pi_app.players.play_ends import play_ends
from pi_app.players.tables import load_table
from rules import PRESETS, Game, Phase, RuleSet, Throw, at, format_position, parse_position, play
from tests.strength.games import Situation, draw_faces, draw_start, play_out
from tests.strength.yardsticks import by_value

FOLDER = Path(__file__).parent
POSITIONS = FOLDER / "positions.jsonl"  # the measured positions: `EACH` in each group
DECISIONS = FOLDER / "decisions.jsonl"  # 300 of findler
MISJUDGED = FOLDER / "misjudged.jsonl"  # two that the network of 2026-11-22 misjudged by far
PRESETS_MEASURED = ("findler", "royal-2023")
PRESETS_OF_DECISIONS = ("findler",)
LIMITS = {"0 to 24": 25, "25 to 79": 80, "80 and more": 10_000}  # the leader's spaces to go: below
EACH, GAMES, DECISIONS_DRAWN = 100, 400, 300
SEATS = (0, 1, 2, 3)


class Measured(NamedTuple):
    """A position of an edition before a throw, or a decision if there are faces."""

    preset: str
    situation: Situation
    throw: tuple[int, ...] = ()

    @property
    def key(self) -> str:
        """The line of the file that has it."""
        position, seat, doublets, _ = self.situation
        line = {
            "ruleset": self.preset,
            "position": format_position(position),
            "seat": seat,
            "doublets": doublets,
        }
        return json.dumps({**line, "throw": self.throw} if self.throw else line)

    @property
    def group(self) -> str:
        """The group of the position, a key of `LIMITS`."""
        to_go = leader_to_go(PRESETS[self.preset], self.situation)
        return next(group for group, limit in LIMITS.items() if to_go < limit)


def leader_to_go(ruleset: RuleSet, situation: Situation) -> int:
    """Return the fewest spaces that a seat has to go. A pawn in the nest counts from the entry."""
    to_go = feature_extractor(ruleset).to_go.__getitem__
    needed = [pawns[: ruleset.to_win] for pawns in situation.position if pawns]
    return min(sum(map(to_go, pawns)) for pawns in needed)


def thrown(one: Measured) -> Game:
    """Return the game with the throw of a decision on the table."""
    return play(at(PRESETS[one.preset], *one.situation), Throw(one.throw))[0]


def read_measured(file: Path, preset: str) -> list[Measured]:
    """Return the lines of a file that are of this edition."""
    lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return [
        Measured(
            preset,
            Situation(
                parse_position(line["position"], PRESETS[preset]), line["seat"], line["doublets"]
            ),
            tuple(line.get("throw", ())),
        )
        for line in lines
        if line["ruleset"] == preset
    ]


def play_games(preset: str) -> Iterator[tuple[random.Random, list[Situation]]]:
    """Yield the situations of one game after the other, and a generator to draw from them by."""
    ruleset = PRESETS[preset]
    pick = by_value(ruleset, load_table(table_name(ruleset)))
    for number in count():
        dice = random.Random(f"measured {preset} {number}")
        begin = draw_start(ruleset, SEATS, dice)
        yield dice, play_out(ruleset, begin, dict.fromkeys(SEATS, pick), dice, dice).situations


def draw_positions(preset: str, each: int, games: int = GAMES) -> list[Measured]:
    """Return `each` positions for each group, one group after the other."""
    played = zip(range(games), play_games(preset), strict=False)
    throws = [(game, Measured(preset, one)) for game, (_, found) in played for one in found]
    drawn: dict[str, dict[int, Measured]] = {group: {} for group in LIMITS}  # by the game
    for game, one in random.Random(f"measured {preset}").sample(throws, len(throws)):
        if len(drawn[one.group]) < each:
            drawn[one.group].setdefault(game, one)
    return [one for ones in zip(*(d.values() for d in drawn.values()), strict=True) for one in ones]


def draw_decisions(preset: str, wanted: int) -> list[Measured]:
    """Return decisions with two options or more."""
    drawn: list[Measured] = []
    for dice, situations in play_games(preset):
        if len(drawn) == wanted:
            break
        while True:
            faces = draw_faces(PRESETS[preset], dice)
            one = Measured(preset, dice.choice(situations), faces)
            game = thrown(one)
            if game.phase is Phase.MOVE and len(play_ends(game)) > 1:
                drawn.append(one)
                break
    return drawn


def _write(file: Path, measured: Iterable[Measured]) -> None:
    file.write_text("".join(f"{one.key}\n" for one in measured), encoding="utf-8")


if __name__ == "__main__":
    _write(POSITIONS, (one for preset in PRESETS_MEASURED for one in draw_positions(preset, EACH)))
    _write(
        DECISIONS,
        (one for preset in PRESETS_OF_DECISIONS for one in draw_decisions(preset, DECISIONS_DRAWN)),
    )
