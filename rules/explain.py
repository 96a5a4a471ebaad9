"""Explanations: which rule stops a step, found as a `Reason`; `reasons` has the words.

The reasons are asked in the order in which a referee would: the pawn, the increment, the way, the
landing, and last what the whole play must reach.
"""

from collections.abc import Callable

from rules.board import HOME, NEST, ROW, SEAT_LETTERS, Board, Route, place_text
from rules.game import Game, Phase
from rules.plays import Plays, TooManyStates
from rules.reasons import Reason, Rule, because, words
from rules.ruleset import DOUBLET_SPACES, RuleSet
from rules.steps import GRANT, PART, TAG_BITS, State, Step, Stepper, Successor, parse_step

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


def stopped_by(plays: Plays, state: State, step: Step) -> Reason | None:
    """Return why a step is not legal in a state of a play, None where it is."""
    if step in plays.steps(state):
        return None
    asked = _Asked(plays, state, step)
    found = (reason(asked) for reason in REASONS)
    return next(filter(None, found), because(Rule.NOT_AMONG, step=str(step)))


def try_increment(game: Game, place: int, spaces: int, bonus: bool = False) -> Step | Reason:
    """Return a step that the pawn at a place may make with an increment, or why there is none.

    Only while moving. The increment may be a part of what the step spends, and the step may spend
    a part of 14 spaces.
    """
    plays, state = game.plays
    uses = [
        step
        for step in plays.steps(state)
        if step.origin == place and _uses(_Asked(plays, state, step), spaces, bonus)
    ]
    if uses:
        return min(uses, key=lambda step: (step.spent != str(spaces), -_size(step), step))
    step = _first_of(_Asked(plays, state, Step(place, place, str(spaces))), spaces, bonus)
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
        left = _listed([*dice, *game.bonuses])
        return (because(Rule.NOT_THROWN, number=spaces, left=left),)
    if plays.only_empty and plays.stepper.grants > 1:
        return (_not_whole(plays.stepper.ruleset),)
    places = (code >> TAG_BITS for code in reversed(state.worlds[0]))
    tried = (try_increment(game, place, spaces, bonus) for place in places if place != HOME)
    reasons = tuple(reason for reason in tried if isinstance(reason, Reason))
    return reasons or (because(Rule.WASTES),)


def space_name(on: Board, space: int) -> str:
    """Return how players name a ring space: `C's entry`, `3 past C`."""
    seat, past = divmod(space, on.arm)
    return f"{past} past {SEAT_LETTERS[seat]}" if past else f"{SEAT_LETTERS[seat]}'s entry"


class _Asked:
    """A step asked about: what it names, and what the play has open."""

    def __init__(self, plays: Plays, state: State, step: Step) -> None:
        self.plays, self.state, self.step = plays, state, step
        self.stepper: Stepper = plays.stepper
        self.ruleset = plays.stepper.ruleset
        self.board = plays.stepper.setting.board
        self.places = [code >> TAG_BITS for code in state.worlds[0]]
        self.letter = SEAT_LETTERS[plays.stepper.seat]

    @property
    def part(self) -> bool:
        """Whether the step spends a part of a 14-space grant."""
        return self.step.spent.endswith(f"/{GRANT}")

    @property
    def numbers(self) -> tuple[int, ...]:
        """The increments that the step spends; of a part, its spaces."""
        spent = self.step.spent.removesuffix(f"/{GRANT}")
        return tuple(int(number) for number in spent.replace("+", ",").split(","))

    @property
    def spaces(self) -> int:
        """How many spaces the step's increments make together."""
        return sum(self.numbers)

    @property
    def one_die(self) -> bool:
        """Whether the step spends a number that a die shows, though it is not granted."""
        shown, open_ = self.stepper.faces, (*self.stepper.increments, *self.state.bonuses)
        return len(self.numbers) == 1 and self.spaces in shown and self.spaces not in open_

    @property
    def bonus(self) -> bool:
        """Whether the step spends a bonus, and not a die that is open."""
        open_dice = () if self.stepper.grant or self.state.closed else self.state.dice
        spent = self.step.spent
        return spent in map(str, self.state.bonuses) and spent not in map(str, open_dice)

    @property
    def blocked(self) -> int:
        """The spaces on which two pawns stand, as bits."""
        return self.stepper.blockades | self.stepper.own_blockades(self.state)

    @property
    def lengths(self) -> tuple[tuple[Route, ...], ...]:
        """The routes from where the step begins, by the number of spaces."""
        return self.stepper.setting.routes[self.step.origin]

    @property
    def routes(self) -> list[Route]:
        """The routes that the step's spaces may take, blocked or not."""
        return [*self.lengths[self.spaces], *self.behind]

    @property
    def behind(self) -> list[Route]:
        """The routes that stop behind a blockade, where these rules have that."""
        if self.bonus or not self.ruleset.stop_behind_blockade:
            return []
        blocked, lengths = self.blocked, self.lengths
        return [
            short
            for length in range(2, self.spaces + 1)
            for longer in lengths[length]
            if longer.landed & blocked and not longer.passed & blocked
            for short in lengths[length - 1]
            if short.way == longer.passed
        ]

    @property
    def origin(self) -> str:
        """Where the step begins, as text."""
        return place_text(self.step.origin)

    @property
    def entry(self) -> str:
        """The number that enters: `a 5`."""
        number = self.ruleset.entry_number
        return f"an {number}" if number in (8, 11) else f"a {number}"

    @property
    def enters(self) -> dict[str, int]:
        """What brings a pawn in, as details of a reason: the number, and whether as a sum."""
        by_sum = self.ruleset.entry_by == "sum" and self.ruleset.total_move != "only"
        return {"enters": self.ruleset.entry_number, "by_sum": by_sum}

    def owner(self, bit: int) -> int:
        """Return the seat that stands on the space of a bit."""
        others = self.stepper.caught(bit & (self.stepper.blockades | self.state.lone))
        return others[0][0] if others else self.stepper.seat

    def beside_own(self, target: int) -> bool:
        """Whether a pawn that lands there stands beside one of its own."""
        bits = self.stepper.setting.bits
        return any(bits[place] == bits[target] != 0 for place in self.places)

    @property
    def successor(self) -> Successor | None:
        """The step as board and increments alone allow it."""
        successors = self.stepper.successors(self.state)
        return next((after for after in successors if after.step == self.step), None)


def _place(asked: _Asked, bit: int) -> int:
    """Return the place of a bit, as the step's seat counts it."""
    number = bit.bit_length() - 1
    return number if number < asked.board.ring else ROW + 1 + number - asked.board.ring


def _where(asked: _Asked, place: int) -> str:
    """Return the players' name of a place on the board."""
    if place > ROW:
        return f"on home row {place - ROW}"
    space = (asked.stepper.seat * asked.board.arm + place) % asked.board.ring
    return f"on {space_name(asked.board, space)}"


# --- the reasons, in the order in which they are asked ---------------------------------------


def _no_pawn(asked: _Asked) -> Reason | None:
    if asked.step.origin == HOME:
        return because(Rule.HOME_STAYS)
    if asked.step.origin not in asked.places:
        return because(Rule.NO_PAWN, own=asked.letter, origin=asked.origin)
    return None


def _whole_or_nothing(asked: _Asked) -> Reason | None:
    if not asked.plays.only_empty:
        return None
    return _not_whole(asked.ruleset)


def _not_whole(ruleset: RuleSet) -> Reason:
    whole_throw = ruleset.usage == "whole-throw"
    return because(Rule.WHOLE_THROW if whole_throw else Rule.WHOLE_DOUBLET)


def _not_granted(asked: _Asked) -> Reason | None:
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


def _not_of_grant(asked: _Asked) -> Reason | None:
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


def _not_open(asked: _Asked) -> Reason | None:
    open_numbers = [*asked.state.dice, *asked.state.bonuses]
    if len(asked.numbers) > 1:
        open_numbers = list(asked.state.dice)
    for number in asked.numbers:
        if number not in open_numbers:
            if _underside_to_come(asked, number):
                return because(Rule.UNDERSIDE_LATER, number=number)
            rule = Rule.SPENT if number in asked.stepper.increments else Rule.NOT_THROWN
            return because(rule, number=number, left=_listed(open_numbers))
        open_numbers.remove(number)
    return None


def _underside_to_come(asked: _Asked, number: int) -> bool:
    stepper = asked.stepper
    granted_later = stepper.doublet and DOUBLET_SPACES[asked.ruleset.doublet_spaces].once_entered
    return granted_later and stepper.grants == 2 and number == 7 - stepper.face


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers)) or "nothing"


def _no_sum(asked: _Asked) -> Reason | None:
    if not asked.stepper.unlike:
        return because(Rule.DOUBLET_SUM)
    one, other = asked.numbers
    return because(Rule.SUM_WRITTEN, sum=f"{other}+{one}") if one < other else None


def _no_such_part(asked: _Asked) -> Reason | None:
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


def _cannot_enter(asked: _Asked) -> Reason | None:
    if asked.step.origin != NEST:
        return None
    if asked.bonus:
        return because(Rule.BONUS_ENTERS, **asked.enters)
    if asked.step.target != 0:
        return because(Rule.ENTRY_SPACE)
    return _wrong_number(asked) or _entry_blocked(asked)


def _wrong_number(asked: _Asked) -> Reason | None:
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


def _entry_blocked(asked: _Asked) -> Reason | None:
    entry = asked.stepper.setting.entry_bit
    if asked.blocked & entry:
        return because(Rule.ENTRY_BLOCKED, asked.owner(entry), 0, own=asked.letter)
    return None


def _reserved(asked: _Asked) -> Reason | None:
    if asked.step.origin == NEST or asked.part or asked.bonus or NEST not in asked.places:
        return None
    if any(map(asked.stepper.reserved, asked.numbers)):
        return because(Rule.RESERVED, entry=asked.entry)
    return None


def _wrong_way(asked: _Asked) -> Reason | None:
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


def _barred(asked: _Asked) -> Reason | None:
    """Return which blockade or held safety space is in the way."""
    if asked.step.origin == NEST:
        return None
    ways = [route for route in asked.routes if route.target == asked.step.target]
    for route in ways:
        if route.way & asked.blocked:
            return _barrier(asked, route)
    return _held(asked, ways) or _touch_down_fails(asked)


def _first_met(asked: _Asked, route: Route) -> int:
    """Return the bit of the first blockade on a route, 0 for none."""
    met = route.way & asked.blocked
    nearer = (
        shorter.landed
        for length in range(1, asked.spaces + 1)
        for shorter in asked.lengths[length]
        if shorter.landed & met and not shorter.way & ~route.way and not shorter.passed & met
    )
    return next(nearer, 0)


def _barrier(asked: _Asked, route: Route) -> Reason:
    first = _first_met(asked, route)
    if asked.owner(first) != asked.stepper.seat:
        return _standing(asked, Rule.BARRED, first)
    return _standing(asked, Rule.TWO_STAND if first == route.landed else Rule.OWN_BARRED, first)


def _standing(asked: _Asked, rule: Rule, bit: int) -> Reason:
    """Return the reason that somebody's pawns stand on a space."""
    place = _place(asked, bit)
    return because(rule, asked.owner(bit), place, where=_where(asked, place))


def _held(asked: _Asked, ways: list[Route]) -> Reason | None:
    for route in ways:
        held = route.landed & asked.state.lone & asked.stepper.setting.safe
        if held:
            return _standing(asked, Rule.SAFETY_HELD, held)
    return None


def _touch_down_fails(asked: _Asked) -> Reason | None:
    held = asked.state.lone & asked.stepper.setting.safe
    touched = any(leg.landed & held for leg in asked.lengths[asked.numbers[0]])
    if "," in asked.step.spent and not touched:
        return because(Rule.NOTHING_TOUCHED, number=asked.numbers[0])
    return None


def _home_in_parts(asked: _Asked) -> Reason | None:
    whole = asked.ruleset.doublet_home_whole and asked.spaces < GRANT
    if whole and asked.part and asked.step.target == HOME:
        return because(Rule.HOME_WHOLE)
    return None


def _pair_together(asked: _Asked) -> Reason | None:
    if asked.ruleset.pair_rule != "throughout" or asked.successor is not None:
        return None
    partner = asked.beside_own(asked.step.target)
    turned = asked.step._replace(captures=not asked.step.captures)
    legal_but_for_x = any(s.step == turned for s in asked.stepper.successors(asked.state))
    if partner and not legal_but_for_x:
        return because(Rule.PAIR_TOGETHER, asked.stepper.seat, asked.step.target)
    return None


def _wrong_mark(asked: _Asked) -> Reason | None:
    turned = asked.step._replace(captures=not asked.step.captures)
    if any(after.step == turned for after in asked.stepper.successors(asked.state)):
        does = "captures nobody" if asked.step.captures else "captures"
        return because(Rule.MARK_WRITTEN, does=does, step=str(turned))
    return None


def _play_falls_short(asked: _Asked) -> Reason | None:
    """Return what no play that begins with the step can reach, though it stands on the board."""
    if asked.successor is None:
        return None
    plays, goal = asked.plays, asked.plays.goal
    try:
        reachable = plays.reachable(asked.successor.state)
        after = {plays.measure(state) for state in reachable if not plays.together(state)}
    except TooManyStates:
        return because(Rule.FALLS_SHORT)
    if not after:
        return because(Rule.PAIR_ENDS)
    if asked.bonus and asked.ruleset.bonus_timing == "after-dice" and asked.state.dice:
        return because(Rule.BONUS_FIRST)
    if all(reached.entered < goal.entered for reached in after):
        return because(Rule.MUST_ENTER)
    if plays.only_wins:
        return because(Rule.ONLY_WIN)
    if all(reached.spent < goal.spent for reached in after):
        return because(Rule.WASTES_GRANT if asked.stepper.grant else Rule.WASTES)
    if all(reached.faces < goal.faces for reached in after):
        return because(Rule.LOWER_LOST)
    return because(Rule.OVERDUE if plays.overdue else Rule.FALLS_SHORT)


REASONS: tuple[Callable[[_Asked], Reason | None], ...] = (
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


# --- what a pawn could do with an increment --------------------------------------------------


def _uses(asked: _Asked, spaces: int, bonus: bool) -> bool:
    """Whether a legal step spends an increment; where one was thrown, dice can spend no other."""
    if asked.bonus or bonus:
        return asked.bonus == bonus and asked.spaces == spaces
    return asked.stepper.increments == (spaces,) or spaces in asked.numbers


def _size(step: Step) -> int:
    """Return how many of 14 spaces a step spends, 0 for any other."""
    return int(step.spent.partition("/")[0]) if "/" in step.spent else 0


def _first_of(asked: _Asked, spaces: int, bonus: bool) -> Step:
    """Return the step to be explained: of a nest with what might enter, of a grant one space."""
    stepper, place = asked.stepper, asked.step.origin
    grant = stepper.grant and not bonus
    if place == NEST:
        return Step(NEST, 0, "5" if grant else _entering(asked, spaces, bonus))
    routes = asked.lengths[1] if grant else [*asked.behind, *asked.lengths[spaces]]
    target = routes[0].target if routes else HOME
    return Step(place, target, f"1/{GRANT}" if grant else str(spaces))


def _entering(asked: _Asked, spaces: int, bonus: bool) -> str:
    """Return the sum that an increment is a part of where that enters, else the increment."""
    dice, rules = asked.state.dice, asked.ruleset
    by_sum = asked.stepper.unlike and rules.entry_by != "die" and sum(dice) == rules.entry_number
    return "+".join(map(str, dice)) if by_sum and not bonus and len(dice) == 2 else str(spaces)
