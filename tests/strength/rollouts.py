"""Plays positions to their ends by `strong` at all seats. It has no clock and no generator of dice.

A rollout has a number, and its number decides its dice: the faces of each seat's first throw, of
its second, and so on. So the candidates of a decision meet the same dice, and the luck that they
share drops out of their difference.
"""

from collections.abc import Callable
from typing import NamedTuple
from zlib import crc32

from pi_app.players.choosing import pick
from pi_app.players.features import feature_extractor
from pi_app.players.play_ends import play_ends
from pi_app.players.value import Judge
from rules import SEAT_LETTERS, Memory, Phase, Position, RuleSet, Stop, Throw, at, play
from rules.memory import NOTHING
from rules.ruleset import SHELLS

MOST_THROWS = 5000  # a game of mb-total takes some 300
CONFIDENT = 1.96  # standard errors on each side of a mean make an interval of 95 %
WORD = 2**64 - 1

Dice = Callable[[int, int], tuple[int, ...]]  # the faces of a seat's throw, counted from 0


class Candidate(NamedTuple):
    """A position that waits for a throw, or that a seat has won.

    first: the seat that throws next. doublets: how many it has thrown before in this turn.
    memory: what else the rule set asks for.
    """

    position: Position
    first: int
    doublets: int = 0
    memory: Memory = NOTHING


def numbered_dice(number: int, ruleset: RuleSet, name: str = "") -> Dice:
    """Return the dice of a rollout, or its shells: the same for the same number and name."""
    stream = _mix(crc32(name.encode()) << 32 | number)

    def faces(seat: int, throw: int) -> tuple[int, ...]:
        drawn, found = _mix(stream + len(SEAT_LETTERS) * throw + seat), []
        if ruleset.throws_shells:
            return ((drawn % (1 << SHELLS)).bit_count(),)
        for _ in range(ruleset.dice):
            drawn, face = divmod(drawn, 6)
            found.append(face + 1)
        return tuple(found)

    return faces


def _mix(number: int) -> int:
    """Return 64 bits that depend on all bits of a number: a step of SplitMix64 (Steele 2014)."""
    bits = (number + 1) * 0x9E3779B97F4A7C15 & WORD
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & WORD
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & WORD
    return bits ^ bits >> 31


def roll_out(
    judge: Judge, candidate: Candidate, dice: Dice, throws: int = MOST_THROWS
) -> dict[int, float]:
    """Return each playing seat's chance to win at the end of one rollout; they sum to 1.

    The seats play as `strong` does by this judge, under its rule set. A rollout ends when the
    chances are exact: at the end of the game, or before. throws: after so many, it ends with the
    judge's estimate.
    """
    position, seat, doublets, memory = candidate
    extractor = feature_extractor(judge.ruleset)
    thrown = dict.fromkeys(range(len(position)), 0)
    for _ in range(throws):
        known = None if doublets else judge.exact_chances(position, seat)
        if known is not None:
            return known
        faces = dice(seat, thrown[seat])
        thrown[seat] += 1
        game, _ = play(at(judge.ruleset, position, seat, doublets, memory), Throw(faces))
        if game.phase is Phase.PENALTY:
            game, _ = play(game, Stop())
            position, seat, doublets, memory = (
                game.position,
                game.seat,
                game.doublets,
                game.memory,
            )
            continue
        ends = play_ends(game)
        end = pick(extractor, ends, seat, judge) if len(ends) > 1 else ends[0]
        position, seat, doublets, memory = end.position, end.first, end.doublets, end.memory
    return judge.chances(position, seat, doublets, memory)
