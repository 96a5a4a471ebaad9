"""Obstacles: which rule stops a step, found as a `Reason`; `reasons` has the words.

The rules are asked in the order in which a referee would: the pawn, the increment, the way, the
landing, and last what the whole play must reach. The first that stops the step is the answer.
"""

from collections.abc import Callable

from .asked import Asked, place_of, where
from .board import HOME, NEST, Route, place_text
from .increments import GRANT
from .plays import Plays
from .reasons import Reason, Rule, because
from .ruleset import DOUBLET_SPACES, RuleSet
from .search import TooManyStates
from .situation import State
from .steps import Step
from .worlds import PART, TAG_BITS


def stopped_by(plays: Plays, state: State, step: Step) -> Reason | None:
    """Return why a step is not legal in a state of a play, None where it is."""
    if step in plays.steps(state):
        return None
    asked = Asked(plays, state, step)
    found = (reason(asked) for reason in REASONS)
    return next(filter(None, found), because(Rule.NOT_AMONG, step=str(step)))


def _no_pawn(asked: Asked) -> Reason | None:
    if asked.step.origin == HOME:
        return because(Rule.HOME_STAYS)
    if asked.step.origin not in asked.places:
        return because(Rule.NO_PAWN, own=asked.letter, origin=asked.origin)
    return None


def _whole_or_nothing(asked: Asked) -> Reason | None:
    if not asked.plays.search.only_empty:
        return None
    return not_whole(asked.ruleset)


def not_whole(ruleset: RuleSet) -> Reason:
    """Return the reason that a throw or a doublet must be used whole."""
    whole_throw = ruleset.usage == "whole-throw"
    return because(Rule.WHOLE_THROW if whole_throw else Rule.WHOLE_DOUBLET)


def _not_granted(asked: Asked) -> Reason | None:
    if asked.state.closed and not asked.bonus:
        return because(Rule.BONUS_USED)
    if asked.part:
        return _no_such_part(asked)
    if asked.stepper.grant:
        return None if asked.bonus else _not_of_grant(asked)
    kind = next((sign for sign in "+," if sign in asked.step.spent), "")
    if asked.ruleset.total_move == "only" and (kind or asked.one_die):
        return because(Rule.ONE_TOTAL, total=asked.stepper.increments[0])
    if kind == "," and not asked.ruleset.touch_down:
        return because(Rule.NO_TOUCH_DOWN)
    if kind == "+" and asked.step.origin != NEST and asked.ruleset.total_move == "never":
        return because(Rule.NO_TOTAL)
    if asked.ruleset.dice == 1 and asked.one_die:
        return because(Rule.SIX_COUNTS, spaces=asked.stepper.increments[0])
    return _not_open(asked) or (_no_sum(asked) if kind == "+" else None)


def _not_of_grant(asked: Asked) -> Reason | None:
    """Return why a number is not one of the fives that enter; the fives are all it could be."""
    left, fives = asked.state.dice
    if asked.step.origin == NEST:
        if asked.step.spent != "5" or not fives:
            return because(Rule.ONLY_FIVES, **asked.enters)
        return _only_left(left) if left < 5 else None
    if asked.spaces <= GRANT:
        return because(Rule.PART_WRITTEN, part=asked.spaces)
    open_spaces = f"{left} of the {GRANT} spaces"
    return because(Rule.NOT_THROWN, number=asked.step.spent, left=open_spaces)


def _only_left(spaces: int) -> Reason:
    return because(Rule.ONLY_LEFT, left=spaces, are="is" if spaces == 1 else "are")


def _not_open(asked: Asked) -> Reason | None:
    open_numbers = [*asked.state.dice, *asked.state.bonuses]
    if len(asked.numbers) > 1:
        open_numbers = list(asked.state.dice)
    for number in asked.numbers:
        if number not in open_numbers:
            if _underside_to_come(asked, number):
                return because(Rule.UNDERSIDE_LATER, number=number)
            rule = Rule.SPENT if number in asked.stepper.increments else Rule.NOT_THROWN
            return because(rule, number=number, left=listed(open_numbers))
        open_numbers.remove(number)
    return None


def _underside_to_come(asked: Asked, number: int) -> bool:
    stepper = asked.stepper
    granted_later = stepper.doublet and DOUBLET_SPACES[asked.ruleset.doublet_spaces].once_entered
    return granted_later and stepper.grants == 2 and number == 7 - stepper.face


def listed(numbers: list[int]) -> str:
    """Return open increments as words of a reason."""
    return ", ".join(map(str, numbers)) or "nothing"


def _no_sum(asked: Asked) -> Reason | None:
    if not asked.stepper.unlike:
        return because(Rule.DOUBLET_SUM)
    one, other = asked.numbers
    return because(Rule.SUM_WRITTEN, sum=f"{other}+{one}") if one < other else None


def _no_such_part(asked: Asked) -> Reason | None:
    if not asked.stepper.grant:
        return because(Rule.NO_GRANT, dice=" and ".join(map(str, asked.state.dice)) or "spent")
    left, fives = asked.state.dice
    if asked.spaces > left:
        return _only_left(left)
    if asked.step.origin == NEST:
        return because(Rule.PART_ENTERS)
    had_part = sum(1 for code in asked.state.worlds[0] if code & PART)
    if had_part == DOUBLET_SPACES[asked.ruleset.doublet_spaces].sharers:
        return because(Rule.TWO_SHARED)
    here = [c for w in asked.state.worlds for c in w if c >> TAG_BITS == asked.step.origin]
    if all(code & PART for code in here):
        return because(Rule.PART_HAD, origin=asked.origin)
    kept = 5 * fives if NEST in asked.places and asked.ruleset.entry_number_reserved else 0
    return because(Rule.FIVES_KEPT, kept=kept) if asked.spaces > left - kept else None


def _cannot_enter(asked: Asked) -> Reason | None:
    if asked.step.origin != NEST:
        return None
    if asked.bonus:
        return because(Rule.BONUS_ENTERS, **asked.enters)
    if asked.step.target != 0:
        return because(Rule.ENTRY_SPACE)
    return _wrong_number(asked) or _entry_blocked(asked)


def _wrong_number(asked: Asked) -> Reason | None:
    number, spent, entry = asked.ruleset.entry_number, asked.step.spent, asked.entry
    if asked.spaces != number and "+" in spent:
        return because(Rule.OTHER_SUM, spent=spent, spaces=asked.spaces, entry=entry)
    if asked.spaces != number or "," in spent:
        return because(Rule.OTHER_NUMBER, entry=entry, spent=spent, **asked.enters)
    if len(asked.numbers) == 2 and asked.ruleset.entry_by == "die":
        return because(Rule.ENTRY_BY_DIE, entry=entry)
    if len(asked.numbers) == 1 and not asked.stepper.may_enter(number):
        if asked.ruleset.entry_by == "sum":
            return because(Rule.ENTRY_BY_SUM, spaces=number, **asked.enters)
        return because(Rule.UNDERSIDE)
    return None


def _entry_blocked(asked: Asked) -> Reason | None:
    entry = asked.stepper.terrain.entry_bit
    if asked.blocked & entry:
        return because(Rule.ENTRY_BLOCKED, asked.owner(entry), 0, own=asked.letter)
    return None


def _reserved(asked: Asked) -> Reason | None:
    if asked.step.origin == NEST or asked.part or asked.bonus or NEST not in asked.places:
        return None
    if any(map(asked.stepper.reserved, asked.numbers)):
        return because(Rule.RESERVED, entry=asked.entry)
    return None


def _wrong_way(asked: Asked) -> Reason | None:
    """Return what is wrong with the way, seen as a way of so many spaces."""
    if asked.step.origin == NEST:
        return None
    if any(route.target == asked.step.target for route in asked.routes):
        return None
    here, spaces = asked.origin, asked.spaces
    if not asked.routes or (asked.step.target == HOME and not asked.behind):
        to_go = asked.board.spaces_to_go(asked.step.origin)
        return because(Rule.EXACT_COUNT, origin=here, to_go=to_go, spaces=spaces)
    free = [route for route in asked.routes if not route.way & asked.blocked] or asked.routes
    targets = " or ".join(dict.fromkeys(place_text(route.target) for route in free))
    return because(Rule.LEADS_ELSEWHERE, spaces=spaces, origin=here, targets=targets)


def _barred(asked: Asked) -> Reason | None:
    """Return which blockade or held safety space is in the way."""
    if asked.step.origin == NEST:
        return None
    ways = [route for route in asked.routes if route.target == asked.step.target]
    for route in ways:
        if route.way & asked.blocked:
            return _barrier(asked, route)
    return _held(asked, ways) or _touch_down_fails(asked)


def _first_met(asked: Asked, route: Route) -> int:
    """Return the bit of the first blockade on a route, 0 for none."""
    met = route.way & asked.blocked
    nearer = (
        shorter.landed
        for length in range(1, asked.spaces + 1)
        for shorter in asked.lengths[length]
        if shorter.landed & met and not shorter.way & ~route.way and not shorter.passed & met
    )
    return next(nearer, 0)


def _barrier(asked: Asked, route: Route) -> Reason:
    first = _first_met(asked, route)
    if asked.owner(first) != asked.stepper.seat:
        return _standing(asked, Rule.BARRED, first)
    return _standing(asked, Rule.TWO_STAND if first == route.landed else Rule.OWN_BARRED, first)


def _standing(asked: Asked, rule: Rule, bit: int) -> Reason:
    """Return the reason that somebody's pawns stand on a space."""
    place = place_of(asked, bit)
    return because(rule, asked.owner(bit), place, where=where(asked, place))


def _held(asked: Asked, ways: list[Route]) -> Reason | None:
    for route in ways:
        held = route.landed & asked.state.lone & asked.stepper.terrain.safe
        if held:
            return _standing(asked, Rule.SAFETY_HELD, held)
    return None


def _touch_down_fails(asked: Asked) -> Reason | None:
    held = asked.state.lone & asked.stepper.terrain.safe
    touched = any(leg.landed & held for leg in asked.lengths[asked.numbers[0]])
    if "," in asked.step.spent and not touched:
        return because(Rule.NOTHING_TOUCHED, number=asked.numbers[0])
    return None


def _home_in_parts(asked: Asked) -> Reason | None:
    whole = asked.ruleset.doublet_home_whole and asked.spaces < GRANT
    if whole and asked.part and asked.step.target == HOME:
        return because(Rule.HOME_WHOLE)
    return None


def _pair_together(asked: Asked) -> Reason | None:
    if asked.ruleset.pair_rule != "throughout" or asked.successor is not None:
        return None
    partner = asked.beside_own(asked.step.target)
    turned = asked.step._replace(captures=not asked.step.captures)
    legal_but_for_x = any(s.step == turned for s in asked.stepper.successors(asked.state))
    if partner and not legal_but_for_x:
        return because(Rule.PAIR_TOGETHER, asked.stepper.seat, asked.step.target)
    return None


def _wrong_mark(asked: Asked) -> Reason | None:
    turned = asked.step._replace(captures=not asked.step.captures)
    if any(after.step == turned for after in asked.stepper.successors(asked.state)):
        does = "captures nobody" if asked.step.captures else "captures"
        return because(Rule.MARK_WRITTEN, does=does, step=str(turned))
    return None


def _play_falls_short(asked: Asked) -> Reason | None:
    """Return what no play that begins with the step can reach, though it stands on the board."""
    if asked.successor is None:
        return None
    search, goal = asked.plays.search, asked.plays.search.goal
    try:
        reachable = search.reachable(asked.successor.state)
        after = {search.measure(state) for state in reachable if not search.together(state)}
    except TooManyStates:
        return because(Rule.FALLS_SHORT)
    if not after:
        return because(Rule.PAIR_ENDS)
    if asked.bonus and asked.ruleset.bonus_timing == "after-dice" and asked.state.dice:
        return because(Rule.BONUS_FIRST)
    if all(reached.entered < goal.entered for reached in after):
        return because(Rule.MUST_ENTER)
    if search.only_wins:
        return because(Rule.ONLY_WIN)
    if all(reached.spent < goal.spent for reached in after):
        return because(Rule.WASTES_GRANT if asked.stepper.grant else Rule.WASTES)
    if all(reached.faces < goal.faces for reached in after):
        return because(Rule.LOWER_LOST)
    return because(Rule.OVERDUE if asked.plays.overdue else Rule.FALLS_SHORT)


REASONS: tuple[Callable[[Asked], Reason | None], ...] = (
    _no_pawn,
    _not_granted,
    _cannot_enter,
    _reserved,
    _wrong_way,
    _home_in_parts,
    _barred,
    _whole_or_nothing,
    _wrong_mark,
    _pair_together,
    _play_falls_short,
)
