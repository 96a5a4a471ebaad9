"""The board as a screen shows it, and what blinks on it at a time. No modes."""

from math import floor

from pi_app.table.screen import BoardMap, Pawn
from rules.game import Game

BLINK_S = 0.5


def table_map(game: Game, origin: Pawn | None, target: Pawn | None, lit: bool) -> BoardMap:
    rules = game.ruleset
    return BoardMap(
        rules.layout,
        rules.travel,
        rules.safety,
        game.seat,
        game.position,
        game.seats,
        origin,
        target,
        lit,
    )


def steps_since(since: float, length: float, t: float) -> int:
    return floor((t - since) / length + 1e-6)


def next_step(since: float, length: float, t: float) -> float:
    """Return when the next step of this length begins, counted from `since`."""
    return since + (steps_since(since, length, t) + 1) * length


def lit(since: float, t: float) -> bool:
    return steps_since(since, BLINK_S, t) % 2 == 0
