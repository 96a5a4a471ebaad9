"""Games between players that pick how a play ends. It knows neither steps nor how players pick."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from pi_app.players.features import feature_extractor
from pi_app.players.play_ends import PlayEnd, play_ends
from rules import Memory, Phase, Position, RuleSet, Stop, Throw, at, play
from rules.memory import NOTHING
from rules.position import starting_position
from rules.ruleset import SHELLS

MOST_THROWS = 5000  # a game of mb-total takes some 300
# Of the ends that a seat has, one; where it varies, by a number from 0 up to 1.
Picker = Callable[[Sequence[PlayEnd], int, float], PlayEnd]


class Situation(NamedTuple):
    """A game before a throw: `seat` throws next, after `doublets` doublets in a row.

    memory: what else the rule set asks for.
    """

    position: Position
    seat: int
    doublets: int = 0
    memory: Memory = NOTHING


class Played(NamedTuple):
    """A game to its end: its winner, None without one, and the situations before its throws.

    Of two partners who win, the winner is the seat that finishes last.
    """

    winner: int | None
    situations: list[Situation]


def play_out(
    ruleset: RuleSet,
    begin: Situation,
    pickers: Mapping[int, Picker],
    dice: random.Random,
    chances: random.Random,
    throws: int = MOST_THROWS,
) -> Played:
    """Play a game from `begin` to its end, or for so many throws.

    pickers: by seat. dice: draws the throws. chances: draws the numbers by which players vary.
    """
    position, seat, doublets, memory = begin
    extractor = feature_extractor(ruleset)
    situations: list[Situation] = []
    for _ in range(throws):
        situations.append(Situation(position, seat, doublets, memory))
        faces = draw_faces(ruleset, dice)
        game, _ = play(at(ruleset, position, seat, doublets, memory), Throw(faces))
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
        one = pickers[seat](ends, seat, chances.random()) if len(ends) > 1 else ends[0]
        if one.ending.wins and seat in extractor.find_winners(one.position):
            return Played(seat, situations)
        position, seat, doublets, memory = one.position, one.first, one.doublets, one.memory
    return Played(None, situations)


def draw_faces(ruleset: RuleSet, dice: random.Random) -> tuple[int, ...]:
    """Return the faces of a throw of dice or of shells."""
    if ruleset.throws_shells:
        return (dice.getrandbits(SHELLS).bit_count(),)
    return tuple(dice.randint(1, 6) for _ in range(ruleset.dice))


def draw_start(ruleset: RuleSet, seats: tuple[int, ...], dice: random.Random) -> Situation:
    """Return a game at its beginning. The dice draw the seat that throws first."""
    return Situation(starting_position(seats, ruleset.start_out), dice.choice(seats))
