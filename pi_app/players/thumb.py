"""Plays by a rule of thumb, for rule sets without a table of weights. It estimates no chances.

It prefers to win, to capture, to bring a pawn home, to enter, to be safe and to advance, in this
order. The value of a play is in spaces: what the pawns of the seat, or of its side, have gone, less
what the others' have gone, less what it may lose before its next throw.
"""

from pi_app.players.bearoff import spaces_to_go
from rules import NEST, Board, Position, RuleSet, grant_increments
from rules.board import SEATS, board, safety_spaces
from rules.game import SIDES
from rules.position import Pawns
from rules.ruleset import PAIRS

ENTERED = 15  # spaces that a pawn outside the nest is worth, besides those that it has gone
CAME_HOME = 10  # the same for a pawn that is home, which nobody can capture any more
WON = 1000  # the same for a win: more than any capture
SPARE = 0.25  # the part of its worth that a pawn has if enough others are nearer home
REACH = 6  # spaces: a pawn farther behind is no danger
RISK = 1 / 6  # of a capture by each face


def thumb_value(ruleset: RuleSet, position: Position, seat: int) -> float:
    """Return the value of a position to a seat, or to its side, in spaces."""
    this = board(ruleset.layout)
    own = SIDES[seat % 2] if ruleset.partners else (seat,)
    home = [sum(place in this.home for place in position[one]) for one in own]
    value = WON * (min(home) >= ruleset.to_win) + 0.0
    worths = [_worths(ruleset, this, pawns) for pawns in position]
    value += sum(sum(worth) if one in own else -sum(worth) for one, worth in enumerate(worths))
    safe, pairs = safety_spaces(ruleset.layout, ruleset.safety), PAIRS[ruleset.pairs]
    spaces = {one: [this.space(one, place) for place in position[one]] for one in own}
    for one, standing in spaces.items():
        # Where any number may stand together, pawns of two partners are no pair.
        pairing = (standing,) if ruleset.stacking == "any" else spaces.values()
        for space, worth in zip(standing, worths[one], strict=True):
            together = sum(pawns.count(space) for pawns in pairing)
            is_paired = (pairs.bar_others or pairs.are_safe) and together > 1
            if space is not None and space not in safe and not is_paired:
                value -= RISK * _hunting_faces(ruleset, position, own, space) * worth
    return value


def _worths(ruleset: RuleSet, this: Board, pawns: Pawns) -> list[float]:
    """Return what each of a seat's pawns is worth, in spaces, the foremost first; 0 in the nest."""
    to_go = spaces_to_go(ruleset)
    worths = [
        (ENTERED + to_go[0] - to_go[place] + CAME_HOME * (place in this.home)) * (place != NEST)
        for place in pawns
    ]
    return [worth if n < ruleset.to_win else SPARE * worth for n, worth in enumerate(worths)]


def _hunting_faces(ruleset: RuleSet, position: Position, own: tuple[int, ...], space: int) -> int:
    """Return by how many faces pawns of others capture on a ring space, from behind or the nest.

    The pawns in one nest count as one, because one throw brings one of them in.
    """
    this, count = board(ruleset.layout), 0
    for other in set(range(SEATS)) - set(own):
        pawns, step = position[other], this.seen_from(other, space)
        count += NEST in pawns and step == 0
        if step <= this.last:
            behind = [step - place for place in pawns if 0 <= place < step]
            if ruleset.captures == "passing":
                grants = [grant_increments(ruleset, (), (face,))[0] for face in range(1, 7)]
                count += sum(grant > spaces for spaces in behind for grant in grants)
            else:
                count += sum(spaces <= REACH for spaces in behind)
    return count
