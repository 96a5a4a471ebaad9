"""Which play a player makes; keeps out dice and clocks: where chance is wanted, it is handed in.

Levels differ in how well they choose, never in what they throw. What is chosen is legal by
construction: it is one of the ways in which the rules let the play end.
"""

from collections.abc import Sequence
from math import exp
from typing import NamedTuple

from pi_app.players.features import Sight, sight_of
from pi_app.players.grace import graces_value
from pi_app.players.play_ends import PlayEnd, play_ends
from pi_app.players.value import Judge
from rules import HOME, NEST, Action, Game, Move, Phase, Stop, goes_on, play, steps_to

LEVELS = ("child", "easy", "club", "strong")
# How far below the best a play may be for its share to fall to 1/e, in chances to win. What each
# level so wins is in the README, measured by `make strength`.
TEMPERATURES = {"easy": 0.015, "club": 0.006}
POINT = 0.001  # of `grace`'s measure, in chances to win, roughly
SIEVE = 120  # options that are looked at closely


class RatedPlay(NamedTuple):
    """An option and what it is worth: the seat's chance to win, or what `grace` says instead."""

    option: PlayEnd
    worth: float


def choose(
    game: Game, judge: Judge | None, level: str = "strong", chance: float = 0.0
) -> tuple[Action, ...]:
    """Return what a player of this level does with the throw on the table, to the end of its play.

    `chance` is a number from 0 up to 1, drawn by the caller: levels that vary need one. Without a
    `judge` it plays as `grace` does. IllegalAction where no throw is on the table.
    """
    if game.phase is Phase.PENALTY:
        return (Stop(),)
    eyes = sight_of(game.ruleset)
    return _actions(game, pick(eyes, play_ends(game), game.seat, judge, level, chance))


def pick(
    eyes: Sight,
    found: Sequence[PlayEnd],
    seat: int,
    judge: Judge | None,
    level: str = "strong",
    chance: float = 0.0,
) -> PlayEnd:
    """Return the option that a player of this level takes; the rest as in `choose`."""
    if level == "child":
        return _childs(found, seat, chance)
    return _drawn(_rated(eyes, found, seat, judge), TEMPERATURES.get(level, 0.0), chance)


def rate(game: Game, judge: Judge | None, found: Sequence[PlayEnd]) -> list[RatedPlay]:
    """Return what the options are worth to the seat, those that a first look leaves."""
    return _rated(sight_of(game.ruleset), found, game.seat, judge)


def _rated(
    eyes: Sight, found: Sequence[PlayEnd], seat: int, judge: Judge | None
) -> list[RatedPlay]:
    close = sieve(eyes, found, seat)
    if judge is not None:
        return [RatedPlay(one, judge.chances(one.position, one.first)[seat]) for one in close]
    return [RatedPlay(one, POINT * graces_value(eyes, one, seat)) for one in close]


def sieve(eyes: Sight, found: Sequence[PlayEnd], seat: int) -> Sequence[PlayEnd]:
    """Return the options that a quick look finds best for a seat, `SIEVE` of them at most."""
    if len(found) <= SIEVE:
        return found

    def looks(option: PlayEnd) -> float:
        side = eyes.side(option.position[seat])
        nested = sum(pawns.count(NEST) for pawns in option.position)
        mine = option.position[seat].count(NEST)
        safe = 6 * side.pairs[0].bit_count() - 4 * (side.lone[0] & ~eyes.safe).bit_count()
        again = 10 * (option.first == seat)
        return safe + again - side.to_go + 20 * (nested - 2 * mine)

    return sorted(found, key=looks, reverse=True)[:SIEVE]


def _drawn(found: Sequence[RatedPlay], temperature: float, chance: float) -> PlayEnd:
    """Return the best option, or one drawn, the more likely the nearer it comes to the best."""
    best = max(found, key=lambda one: one.worth)
    if not temperature:
        return best.option
    return _by_share(
        [(one.option, exp((one.worth - best.worth) / temperature)) for one in found], chance
    )


def _by_share(found: Sequence[tuple[PlayEnd, float]], chance: float) -> PlayEnd:
    left = chance * sum(share for _, share in found)
    for option, share in found:
        left -= share
        if left < 0:
            return option
    return found[-1][0]


def _childs(found: Sequence[PlayEnd], seat: int, chance: float) -> PlayEnd:
    """Return what brings most pawns home, captures most, enters most, whatever comes of it."""

    def delights(option: PlayEnd) -> tuple[int, int, int]:
        mine = option.position[seat]
        others = sum(p.count(NEST) for s, p in enumerate(option.position) if s != seat)
        return mine.count(HOME), others, -mine.count(NEST)

    most = max(map(delights, found))
    return _by_share([(one, 1.0) for one in found if delights(one) == most], chance)


def _actions(game: Game, option: PlayEnd) -> tuple[Action, ...]:
    """Return the steps to the option's ending, and the stop where the play does not end itself."""
    actions: list[Action] = [Move(step) for step in steps_to(game, option.ending)]
    after = game
    for action in actions:
        after, _ = play(after, action)
    if goes_on(game, after):
        actions.append(Stop())
    return tuple(actions)
