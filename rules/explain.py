"""Explanations: why a step is not legal, what a pawn could do, and why nothing can be done.

Which rule stops a step is found in `obstacles`; `reasons` has the words.
"""

from .asked import Asked
from .board import HOME, NEST
from .game import Game, Phase
from .increments import GRANT
from .obstacles import listed, not_whole, stopped_by
from .plays import Plays
from .reasons import Reason, Rule, because, words
from .situation import State
from .steps import Step, parse_step
from .worlds import places

NOTHING_MOVES = words(Reason(Rule.THIRD_DOUBLET))


def explain(game: Game, text: str) -> str:
    """Return one line that says why a step is not legal now, or that it is."""
    if game.phase is Phase.PENALTY:
        return NOTHING_MOVES
    if game.phase is not Phase.MOVE:
        return f"no throw is on the table: the game is at {game.phase}"
    return explain_step(*game.plays, text)


def explain_step(plays: Plays, state: State, text: str) -> str:
    """Return one line that says why a step is not legal in a state of a play, or that it is."""
    try:
        step = parse_step(text)
    except ValueError as error:
        return str(error)
    reason = stopped_by(plays, state, step)
    return f"{step} is legal" if reason is None else words(reason)


def why_not(game: Game, step: Step) -> Reason | None:
    """Return why a step is not legal now, None where it is; only while moving or at a penalty."""
    if game.phase is Phase.PENALTY:
        return Reason(Rule.THIRD_DOUBLET)
    return stopped_by(*game.plays, step)


def try_increment(game: Game, place: int, spaces: int, bonus: bool = False) -> Step | Reason:
    """Return a step that the pawn at a place may make with an increment, or why there is none.

    Only while moving. The increment may be a part of what the step spends, and the step may spend
    a part of 14 spaces.
    """
    plays, state = game.plays
    uses = [
        step
        for step in plays.steps(state)
        if step.origin == place and _uses(Asked(plays, state, step), spaces, bonus)
    ]
    if uses:
        return min(uses, key=lambda step: (step.spent != str(spaces), -_size(step), step))
    step = _first_of(Asked(plays, state, Step(place, place, str(spaces))), spaces, bonus)
    reason = stopped_by(plays, state, step)
    if reason is not None and reason.rule is Rule.MARK_WRITTEN:
        reason = stopped_by(plays, state, step._replace(captures=True))
    return reason or step


def what_stops(game: Game, spaces: int, bonus: bool = False) -> tuple[Reason, ...]:
    """Return why no pawn can use an increment now: a reason for each pawn, and at least one.

    Only while moving.
    """
    plays, state = game.plays
    dice = [number for number, spent in game.increments if not spent]
    if spaces not in (game.bonuses if bonus else dice):
        left = listed([*dice, *game.bonuses])
        return (because(Rule.NOT_THROWN, number=spaces, left=left),)
    if plays.search.only_empty and plays.stepper.grants > 1:
        return (not_whole(plays.stepper.ruleset),)
    pawns = reversed(places(state.worlds[0]))
    tried = (try_increment(game, place, spaces, bonus) for place in pawns if place != HOME)
    reasons = tuple(reason for reason in tried if isinstance(reason, Reason))
    return reasons or (because(Rule.WASTES),)


def _uses(asked: Asked, spaces: int, bonus: bool) -> bool:
    """Whether a legal step spends an increment; where one was thrown, dice can spend no other."""
    if asked.bonus or bonus:
        return asked.bonus == bonus and asked.spaces == spaces
    return asked.stepper.increments == (spaces,) or spaces in asked.numbers


def _size(step: Step) -> int:
    """Return how many of 14 spaces a step spends, 0 for any other."""
    return int(step.spent.partition("/")[0]) if "/" in step.spent else 0


def _first_of(asked: Asked, spaces: int, bonus: bool) -> Step:
    """Return the step to be explained: of a nest with what might enter, of a grant one space."""
    stepper, place = asked.stepper, asked.step.origin
    grant = stepper.grant and not bonus
    if place == NEST:
        return Step(NEST, 0, "5" if grant else _entering(asked, spaces, bonus))
    routes = asked.lengths[1] if grant else [*asked.behind, *asked.lengths[spaces]]
    target = routes[0].target if routes else HOME
    return Step(place, target, f"1/{GRANT}" if grant else str(spaces))


def _entering(asked: Asked, spaces: int, bonus: bool) -> str:
    """Return the sum that an increment is a part of where that enters, else the increment."""
    dice = asked.state.dice
    by_sum = asked.stepper.sum_enters and not bonus and len(dice) == 2
    return "+".join(map(str, dice)) if by_sum else str(spaces)
