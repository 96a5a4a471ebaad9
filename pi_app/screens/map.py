"""The board as a screen shows it, and steps of time. No modes."""

from collections import Counter
from math import floor

from pi_app.screens.screen import BoardMap, ByHand, Pawn
from rules.game import Game
from rules.position import Position


def table_map(
    game: Game,
    origin: Pawn | None,
    target: Pawn | None,
    also: tuple[ByHand, ...] = (),
    still: bool = False,
) -> BoardMap:
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
        still,
        also,
    )


def moved(before: Position, after: Position) -> tuple[ByHand, ...]:
    """Return each pawn that stands elsewhere in the second position, which is the one shown."""
    moves: list[ByHand] = []
    for seat, (gone, come) in enumerate(zip(before, after, strict=True)):
        origins = (Counter(gone) - Counter(come)).elements()
        targets = (Counter(come) - Counter(gone)).elements()
        ways = zip(origins, targets, strict=False)  # a seat that leaves has no pawns any more
        moves += [ByHand(seat, origin, target, there=True) for origin, target in ways]
    return tuple(moves)


def steps_since(since: float, length: float, t: float) -> int:
    """Return how many steps of this length have passed since then."""
    return floor((t - since) / length + 1e-6)
