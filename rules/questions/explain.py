"""Explanations: why a step is not legal, what a pawn could do, and why nothing can be done.

`obstacles` finds which rule stops a step; `reasons` has the words.
"""

from ..board import NEST
from ..game import Game, Phase
from ..increments import GRANT
from ..plays.plays import Plays
from ..plays.situation import State
from ..plays.worlds import places
from ..steps import Step, parse_step
from .obstacles import find_obstacle, list_numbers, must_be_whole
from .question import Question
from .reasons import Reason, Rule, because, words

NOTHING_MOVES = words(Reason(Rule.THIRD_DOUBLET))


def explain(game: Game, text: str) -> str:
    """Return one line that says why a step is not legal now, or that it is.

    text: the step as NOTATION.md writes it.
    """
    if game.phase is Phase.PENALTY:
        return NOTHING_MOVES
    if game.phase is not Phase.MOVE:
        return f"no throw is on the table: the game is at {game.phase}"
    return explain_step(*game.plays, text)


def explain_step(plays: Plays, state: State, text: str) -> str:
    """Return the same line for a step in a state of a play."""
    try:
        step = parse_step(text)
    except ValueError as error:
        return str(error)
    reason = find_obstacle(plays, state, step)
    return f"{step} is legal" if reason is None else words(reason)


def why_not(game: Game, step: Step) -> Reason | None:
    """Return why a step is not legal now, or None if it is legal.

    Raises IllegalAction unless the game is at `Phase.MOVE` or `Phase.PENALTY`.
    """
    if game.phase is Phase.PENALTY:
        return Reason(Rule.THIRD_DOUBLET)
    return find_obstacle(*game.plays, step)


def try_increment(game: Game, place: int, spaces: int, bonus: bool = False) -> Step | Reason:
    """Return a step that the pawn at a place may make with an increment, or why there is none.

    spaces: the increment; it may be a part of what the step spends, and the step may spend a part
    of 14 spaces. bonus: whether it is a bonus and not a die.
    Raises IllegalAction unless the game is at `Phase.MOVE`.
    """
    plays, state = game.plays

    def spends_it(question: Question) -> bool:
        if question.is_bonus or bonus:
            return question.is_bonus == bonus and question.spaces == spaces
        only_one = question.stepper.increments == (spaces,)  # then dice can spend no other
        return only_one or spaces in question.numbers

    def size_of_part(step: Step) -> int:
        return int(step.spent.partition("/")[0]) if "/" in step.spent else 0

    own = [step for step in plays.steps(state) if step.origin == place]
    if uses := [step for step in own if spends_it(Question(plays, state, step))]:
        return min(uses, key=lambda step: (step.spent != str(spaces), -size_of_part(step), step))
    step = _step_to_explain(Question(plays, state, Step(place, place, str(spaces))), spaces, bonus)
    reason = find_obstacle(plays, state, step)
    if reason is not None and reason.rule is Rule.MARK_WRITTEN:
        reason = find_obstacle(plays, state, step._replace(captures=True))
    return reason or step


def what_stops(game: Game, spaces: int, bonus: bool = False) -> tuple[Reason, ...]:
    """Return why no pawn can use an increment now: a reason for each pawn, and at least one.

    Raises IllegalAction unless the game is at `Phase.MOVE`.
    """
    plays, state = game.plays
    dice = [number for number, spent in game.increments if not spent]
    if spaces not in (game.bonuses if bonus else dice):
        left = list_numbers([*dice, *game.bonuses])
        return (because(Rule.NOT_THROWN, number=spaces, left=left),)
    if plays.search.only_empty and plays.stepper.grants > 1:
        return (must_be_whole(plays.stepper.ruleset),)
    end = plays.stepper.terrain.board.end
    pawns = [place for place in reversed(places(state.worlds[0])) if place != end]
    answers = (try_increment(game, place, spaces, bonus) for place in pawns)
    reasons = tuple(reason for reason in answers if isinstance(reason, Reason))
    return reasons or (because(Rule.WASTES),)


def _step_to_explain(question: Question, spaces: int, bonus: bool) -> Step:
    """Return the step to ask about: of a grant one space, from the nest what might enter."""
    stepper, place = question.stepper, question.step.origin
    grant = stepper.grant and not bonus
    if place == NEST and stepper.ruleset.entry_by != "lots":
        dice = question.state.dice
        by_sum = stepper.sum_enters and not bonus and len(dice) == 2
        spent = "+".join(map(str, dice)) if by_sum else str(spaces)
        return Step(NEST, 0, "5" if grant else spent)
    ahead = question.routes_of(1 if grant else spaces)
    landings = question.routes if stepper.terrain.walks else question.routes_behind
    routes = ahead if grant else (*landings, *ahead)
    target = routes[0].target if routes else question.board.end
    return Step(place, target, f"1/{GRANT}" if grant else str(spaces))
