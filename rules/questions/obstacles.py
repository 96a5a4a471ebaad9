"""Obstacles: finds the rule that stops a step, as a `Reason`. The words are in `reasons`."""

from collections.abc import Iterator

from ..board import NEST, SEAT_LETTERS, place_text
from ..increments import GRACE, GRANT
from ..plays.plays import Plays
from ..plays.search import TooManyStates
from ..plays.situation import CLOSED, NO_ENTRY, OPENED, State
from ..plays.worlds import PART, TAG_BITS
from ..ruleset import DOUBLET_SPACES, LOTS, RuleSet
from ..steps import Step
from .question import Question
from .reasons import Reason, Rule, because

OF_PAIRS = (Rule.BARRED, Rule.OWN_BARRED, Rule.TWO_STAND, Rule.ENTRY_BLOCKED, Rule.PAIR_SAFE)


def find_obstacle(plays: Plays, state: State, step: Step) -> Reason | None:
    """Return why a step is not legal in a state of a play, or None if it is legal."""
    if step in plays.steps(state):
        return None
    reasons = _check_in_order(Question(plays, state, step))
    return next(filter(None, reasons), because(Rule.NOT_AMONG, step=str(step)))


def _check_in_order(question: Question) -> Iterator[Reason | None]:
    """Yield the answer of each rule, in the order in which a person would check them.

    First the pawn, then the increment, the way, the landing, and last what the whole play must
    reach. Each rule may take for granted that those before it have found nothing.
    """
    step, ruleset = question.step, question.ruleset
    if step.origin == question.board.end:
        yield because(Rule.HOME_STAYS)
    if step.origin not in question.places:
        yield because(Rule.NO_PAWN, own=question.letter, origin=question.origin)
    yield _check_increment(question)
    yield _check_lots(question)
    if step.origin == NEST and ruleset.entry_by != "lots":
        yield _check_entry(question)
    else:
        yield _check_way(question)
        in_parts = question.is_part and question.spaces < GRANT
        if ruleset.doublet_home_whole and in_parts and step.target in question.board.home:
            yield because(Rule.HOME_WHOLE)
        yield _check_landing(question)
    if question.plays.search.only_empty:
        yield must_be_whole(ruleset)
    turned = step._replace(captures=not step.captures)
    successors = list(question.stepper.successors(question.state))
    if any(after.step == turned for after in successors):
        does = "captures nobody" if step.captures else "captures"
        yield because(Rule.MARK_WRITTEN, does=does, step=str(turned))
    bits = question.stepper.terrain.bits
    if made := next((after for after in successors if after.step == step), None):
        yield _check_play(question, made.state)
    elif ruleset.pair_rule == "throughout" and any(
        bits[place] == bits[step.target] != 0 for place in question.places
    ):
        yield because(Rule.PAIR_TOGETHER, question.stepper.seat, step.target)


def must_be_whole(ruleset: RuleSet) -> Reason:
    """Return the reason that a throw or a doublet must be used whole."""
    whole_throw = ruleset.usage == "whole-throw"
    return because(Rule.WHOLE_THROW if whole_throw else Rule.WHOLE_DOUBLET)


def list_numbers(numbers: list[int]) -> str:
    """Return open increments as words of a reason."""
    return ", ".join(map(str, numbers)) or "nothing"


# --- the increment -------------------------------------------------------------------------------


def _check_increment(question: Question) -> Reason | None:
    """Return why the throw does not grant what the step spends, or no more."""
    stepper, ruleset = question.stepper, question.ruleset
    if question.state.marks & CLOSED and not question.is_bonus:
        return because(Rule.BONUS_USED)
    if question.is_part:
        return _check_part(question)
    if stepper.grant:
        return None if question.is_bonus else _check_five(question)
    if question.goes_off and question.is_ungranted_die:
        return because(Rule.SPENT, number=1, left="nothing") if not question.state.dice else None
    sign = next((sign for sign in "+," if sign in question.step.spent), "")
    if ruleset.total_move == "only" and (sign or question.is_ungranted_die):
        return because(Rule.ONE_TOTAL, total=stepper.increments[0])
    if sign == "," and not ruleset.touch_down:
        return because(Rule.NO_TOUCH_DOWN)
    if sign == "+" and question.step.origin != NEST and ruleset.total_move == "never":
        return because(Rule.NO_TOTAL)
    if ruleset.dice == 1 and question.is_ungranted_die:
        once = "" if ruleset.counts_double else " once all are in"
        return because(Rule.SIX_COUNTS, spaces=stepper.increments[0], once=once)
    reason = _check_open(question)
    if reason is None and sign == "+":
        one, other = question.numbers
        if not stepper.unlike:
            return because(Rule.DOUBLET_SUM)
        if one < other:
            return because(Rule.SUM_WRITTEN, sum=f"{other}+{one}")
    return reason


def _check_open(question: Question) -> Reason | None:
    stepper = question.stepper
    open_numbers = [*question.state.dice, *question.state.bonuses]
    if len(question.numbers) > 1:
        open_numbers = list(question.state.dice)
    for number in question.numbers:
        if number in open_numbers:
            open_numbers.remove(number)
            continue
        grants_later = DOUBLET_SPACES[question.ruleset.doublet_spaces].once_entered
        is_underside = stepper.doublet and stepper.grants == 2 and number == 7 - stepper.face
        if grants_later and is_underside:
            return because(Rule.UNDERSIDE_LATER, number=number)
        rule = Rule.SPENT if number in stepper.increments else Rule.NOT_THROWN
        return because(rule, number=number, left=list_numbers(open_numbers))
    return None


def _check_lots(question: Question) -> Reason | None:
    """Return why the pawn can't use a number of a throw of cowries at all."""
    stepper, ruleset, origin = question.stepper, question.ruleset, question.step.origin
    if not ruleset.throws_shells or len(question.numbers) > 1:
        return None
    if origin == NEST and not stepper.may_enter(question.spaces, question.state):
        if GRACE in stepper.increments:
            return because(Rule.GRACE_ENTERS)
        values = sorted(lot.value for lot in LOTS[ruleset.lots].values() if lot.grace)
        return because(Rule.LOTS_ENTER, enters=list_numbers(values))
    if question.spaces == GRACE and origin != NEST and not question.goes_off:
        return because(Rule.GRACE_MOVES)
    return None


def _check_part(question: Question) -> Reason | None:
    state, ruleset = question.state, question.ruleset
    if not question.stepper.grant:
        return because(Rule.NO_GRANT, dice=" and ".join(map(str, state.dice)) or "spent")
    left, fives = state.dice
    if question.spaces > left:
        return _only_left(left)
    if question.step.origin == NEST:
        return because(Rule.PART_ENTERS)
    parts_taken = sum(1 for code in state.worlds[0] if code & PART)
    if parts_taken == DOUBLET_SPACES[ruleset.doublet_spaces].sharers:
        return because(Rule.TWO_SHARED)
    pawns = [code for world in state.worlds for code in world]
    if all(code & PART for code in pawns if code >> TAG_BITS == question.step.origin):
        return because(Rule.PART_HAD, origin=question.origin)
    kept = 5 * fives if NEST in question.places and ruleset.entry_number_reserved else 0
    return because(Rule.FIVES_KEPT, kept=kept) if question.spaces > left - kept else None


def _check_five(question: Question) -> Reason | None:
    """Return why a number can't be spent of 14 spaces: only one of the fives that enter can."""
    left, fives = question.state.dice
    if question.step.origin == NEST:
        if question.step.spent != "5" or not fives:
            return because(Rule.ONLY_FIVES, **question.entry_details)
        return _only_left(left) if left < 5 else None
    if question.spaces <= GRANT:
        return because(Rule.PART_WRITTEN, part=question.spaces)
    open_spaces = f"{left} of the {GRANT} spaces"
    return because(Rule.NOT_THROWN, number=question.step.spent, left=open_spaces)


def _only_left(spaces: int) -> Reason:
    return because(Rule.ONLY_LEFT, left=spaces, are="is" if spaces == 1 else "are")


# --- the way and the landing ---------------------------------------------------------------------


def _check_entry(question: Question) -> Reason | None:
    if question.is_bonus:
        return because(Rule.BONUS_ENTERS, **question.entry_details)
    if question.step.target != 0:
        return because(Rule.ENTRY_SPACE)
    ruleset, spent, entry = question.ruleset, question.step.spent, question.entry
    spaces, stepper = question.spaces, question.stepper
    enters = spaces in question.entry_numbers
    if not enters and "+" in spent:
        return because(Rule.OTHER_SUM, spent=spent, spaces=spaces, entry=entry)
    if not enters or "," in spent:
        return because(Rule.OTHER_NUMBER, entry=entry, spent=spent, **question.entry_details)
    if len(question.numbers) == 2 and ruleset.entry_by == "die":
        return because(Rule.ENTRY_BY_DIE, entry=entry)
    if len(question.numbers) == 1 and not stepper.may_enter(spaces, question.state):
        if ruleset.entry_by == "sum":
            return because(Rule.ENTRY_BY_SUM, spaces=spaces, **question.entry_details)
        return because(Rule.UNDERSIDE)
    bit = stepper.terrain.entry_bit
    if stepper.find_entry(question.state, question.bars) != NO_ENTRY:
        return None
    if question.blockades & bit:
        return _name_pawns(question, Rule.ENTRY_BLOCKED, bit, own=question.letter)
    return _explain_held(question, bit)


def _check_way(question: Question) -> Reason | None:
    """Return why the numbers may not move a pawn, or why they don't lead to the step's target."""
    step, routes, spaces = question.step, question.routes, question.spaces
    only_enters = any(map(question.stepper.is_reserved, question.numbers))
    if only_enters and NEST in question.places and not (question.is_part or question.is_bonus):
        return because(Rule.RESERVED, entry=question.entry)
    if question.barred_walks or any(route.target == step.target for route in routes):
        return None
    routes = routes or list(question.routes_of(spaces))
    by_ladder = question.ruleset.row_by == "ladder"
    if by_ladder and not routes:
        return _explain_ladder(question)
    is_end = step.target == question.board.end and not question.routes_behind
    if question.ruleset.overshoot == "stop" and not by_ladder and (is_end or not routes):
        to_go = question.board.spaces_to_go(step.origin)
        return because(Rule.EXACT_COUNT, origin=question.origin, to_go=to_go, spaces=spaces)
    free = [route for route in routes if not route.way & question.blockades] or routes
    targets = " or ".join(dict.fromkeys(place_text(route.target) for route in free))
    return because(Rule.LEADS_ELSEWHERE, spaces=spaces, origin=question.origin, targets=targets)


def _check_landing(question: Question) -> Reason | None:
    """Return which blockade bars the way, or why the pawn may not land."""
    ways = [route for route in question.routes if route.target == question.step.target]
    for walk, bit in () if ways else question.barred_walks:
        if not walk.passed & bit:
            return _explain_held(question, bit)
        rule = Rule.NOT_PASSED if question.ruleset.passing == "none" else Rule.GOAL_PASSED
        rule = Rule.BENCH_PASSED if bit & question.stepper.terrain.benches else rule
        return _name_pawns(question, rule, bit, own=question.letter)
    held = question.held
    for route in ways:
        if met := route.way & question.blockades:
            shorter_ways = (  # to the first blockade on the way
                shorter.landed
                for length in range(1, question.spaces + 1)
                for shorter in question.routes_of(length)
                if shorter.landed & met and not (shorter.way & ~route.way or shorter.passed & met)
            )
            bit = next(shorter_ways, met & -met)
            if question.owners(bit)[0] != question.stepper.seat:
                return _name_pawns(question, Rule.BARRED, bit)
            if not bit & question.stepper.own_blockades(question.state):
                return _name_pawns(question, Rule.GOAL_PASSED, bit)
            rule = Rule.TWO_STAND if bit == route.landed else Rule.OWN_BARRED
            return _name_pawns(question, rule, bit)
    for route in ways:
        if route.landed & held:
            return _explain_held(question, route.landed)
    first = question.numbers[0]
    touches = any(leg.landed & held & question.state.lone for leg in question.routes_of(first))
    if "," in question.step.spent and not touches:
        return because(Rule.NOTHING_TOUCHED, number=first)
    return None


def _explain_ladder(question: Question) -> Reason:
    """Return which number moves a pawn on the ladder or brings it to the foot."""
    place, board = question.step.origin, question.board
    if place < board.last:
        to_go = board.to_go[place] - board.to_go[board.last]
        spaces, origin = question.spaces, question.origin
        return because(Rule.FOOT_COUNT, origin=origin, to_go=to_go, spaces=spaces)
    lengths = question.stepper.terrain.routes[place]
    return because(Rule.LADDER, number=next(n for n, routes in enumerate(lengths) if routes))


def _explain_held(question: Question, bit: int) -> Reason:
    """Return why a pawn may pass the space of a bit, but not land there."""
    stepper, limit = question.stepper, question.stepper.terrain.own_limit
    here, pairs, _ = stepper.own_side(question.state)
    all_own = question.owners(bit) == (stepper.seat,)
    if here & bit and limit == 1:
        return _name_pawns(question, Rule.ONE_STANDS if all_own else Rule.PARTNER_STANDS, bit)
    if pairs & bit and limit == 2:
        return _name_pawns(question, Rule.TWO_STAND if all_own else Rule.FULL, bit)
    if stepper.opponents.pairs & ~stepper.opponents.lone & bit:
        return _name_pawns(question, Rule.PAIR_SAFE, bit)
    enters = question.step.origin == NEST and question.ruleset.entry_captures == "lone"
    is_shared = enters or stepper.terrain.shared_limit
    return _name_pawns(question, Rule.FULL if is_shared else Rule.SAFETY_HELD, bit)


def _name_pawns(question: Question, rule: Rule, bit: int, **details: str) -> Reason:
    """Return the reason that the pawns on the space of a bit are in the way."""
    place, (seat, *partner) = question.place_of(bit), question.owners(bit)
    if partner and rule in OF_PAIRS:
        rule, details = Rule.TOGETHER, {"other": SEAT_LETTERS[partner[0]]}
    if rule is not Rule.ENTRY_BLOCKED:
        details["where"] = question.where(place)
    return because(rule, seat, place, **details)


# --- the whole play ------------------------------------------------------------------------------


def _check_play(question: Question, after_step: State) -> Reason:
    """Return what no play can reach that begins with the step, though the board allows it."""
    search, goal = question.plays.search, question.plays.search.goal
    try:
        states = search.reachable(after_step)
        after = {search.measure(state) for state in states if not search.ends_together(state)}
    except TooManyStates:
        return because(Rule.FALLS_SHORT)
    if not after:
        return because(Rule.PAIR_ENDS)
    if question.is_bonus and question.ruleset.bonus_timing == "after-dice" and question.state.dice:
        return because(Rule.BONUS_FIRST)
    after = {measure for measure in after if measure.entered == goal.entered}
    if not after:
        return because(Rule.MUST_ENTER)
    left_open = goal.duty & OPENED and not any(measure.duty & OPENED for measure in after)
    after = {measure for measure in after if measure.duty == goal.duty}
    if not after:
        return because(Rule.OPEN_FIRST if left_open else Rule.CLEAR_FIRST)
    if search.only_wins:
        return because(Rule.ONLY_WIN)
    if search.captures and search.most_captured(after_step)[0] >= 0:
        return because(Rule.MUST_CAPTURE)
    if all(measure.spent < goal.spent for measure in after):
        return because(Rule.WASTES_GRANT if question.stepper.grant else Rule.WASTES)
    if all(measure.faces < goal.faces for measure in after):
        return because(Rule.LOWER_LOST)
    return because(Rule.OVERDUE if question.plays.overdue else Rule.FALLS_SHORT)
