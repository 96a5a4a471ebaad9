"""Plays by a rule of thumb, for rule sets without a table of weights. It estimates no chances.

It prefers to capture, to bring a pawn home, to enter, to be safe and to advance, in this order. The
value of a play is in spaces: what the seat's pawns have gone, less what the others' have gone, less
what the seat may lose before its next throw.
"""

from rules import NEST, Board, Position, RuleSet
from rules.board import board, safety_spaces
from rules.ruleset import PAIRS

ENTERED = 15  # spaces that a pawn outside the nest is worth, besides those that it has gone
CAME_HOME = 10  # the same for a pawn that is home, which nobody can capture any more
REACH = 6  # spaces: a pawn farther behind is no danger
RISK = 1 / 6  # of a capture by each pawn in reach: one face of six


def thumb_value(ruleset: RuleSet, position: Position, seat: int) -> float:
    """Return the value of a position to a seat, in spaces."""
    this = board(ruleset.layout)
    value = 0.0
    for other, pawns in enumerate(position):
        worth = sum(_worth(this, place) for place in pawns)
        value += worth if other == seat else -worth
    safe = safety_spaces(ruleset.layout, ruleset.safety)
    pairs_are_safe = PAIRS[ruleset.pairs] != PAIRS["none"]
    for place in position[seat]:
        space = this.space(seat, place)
        is_paired = pairs_are_safe and position[seat].count(place) > 1
        if space is not None and space not in safe and not is_paired:
            value -= RISK * _hunters(this, position, seat, space) * _worth(this, place)
    return value


def _worth(this: Board, place: int) -> int:
    """Return what a pawn at a place is worth, in spaces; 0 in the nest."""
    if place == NEST:
        return 0
    gone = this.to_go[0] - this.to_go[place]
    return ENTERED + gone + CAME_HOME * (place in this.home)


def _hunters(this: Board, position: Position, seat: int, space: int) -> int:
    """Return how many pawns of others are in reach behind a ring space, or in the nest before it.

    The pawns in one nest count as one, because one throw brings one of them in.
    """
    count = 0
    for other, pawns in enumerate(position):
        if other == seat:
            continue
        step = this.seen_from(other, space)
        count += NEST in pawns and step == 0
        if step <= this.last:
            count += sum(place >= 0 and 1 <= step - place <= REACH for place in pawns)
    return count
