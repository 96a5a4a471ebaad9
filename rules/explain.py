"""Explanations: which rule stops a step, in one short line with its source (S0 to S4).

The reasons are asked in the order in which a referee would: the pawn, the increment, the way, the
landing, and last what the whole play must reach.
"""

from collections.abc import Callable
from itertools import chain

from rules.board import HOME, NEST, SEAT_LETTERS, Board, Route, place_text
from rules.game import Game, Phase
from rules.plays import Plays, TooManyStates
from rules.steps import GRANT, PART, TAG_BITS, State, Step, Stepper, Successor, parse_step

NOTHING_MOVES = "the third doublet moves nothing (S0 to S4)"


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
    if step in plays.steps(state):
        return f"{step} is legal"
    reasons = (reason(_Asked(plays, state, step)) for reason in REASONS)
    return next(chain(filter(None, reasons), [f"{step} is not among the legal steps"]))


def explain_increment(game: Game, spaces: int, bonus: bool = False) -> str:
    """Return one short line that says why no pawn can use an increment now.

    Each seat's letter stands for its pawns: `5: entry blocked by B`.
    """
    plays, state = game.plays
    dice = [number for number, spent in game.increments if not spent]
    if spaces not in (game.bonuses if bonus else dice):
        return f"{spaces} is not open: open is {_listed([*dice, *game.bonuses])}"
    if plays.only_empty and plays.stepper.grants > 1:
        return f"{spaces}: not all can be used"
    least = 1 if plays.stepper.grant and not bonus else spaces
    shorts = dict.fromkeys(
        short
        for code in reversed(state.worlds[0])
        for short in [_short(plays, state, code >> TAG_BITS, least, bonus)]
        if short
    )
    return f"{spaces}: {'; '.join(list(shorts)[:2]) or 'another choice uses more'}"


def space_name(on: Board, space: int) -> str:
    """Return how players name a ring space: `C's entry`, `3 past C's entry`."""
    seat, past = divmod(space, on.arm)
    return (
        f"{SEAT_LETTERS[seat]}'s entry"
        if past == 0
        else f"{past} past {SEAT_LETTERS[seat]}'s entry"
    )


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

    def owner(self, bit: int) -> str:
        """Return the letter of the seat that stands on the space of a bit."""
        others = self.stepper.caught(bit & (self.stepper.blockades | self.state.lone))
        return SEAT_LETTERS[others[0][0]] if others else self.letter

    def beside_own(self, target: int) -> bool:
        """Whether a pawn that lands there stands beside one of its own."""
        bits = self.stepper.setting.bits
        return any(bits[place] == bits[target] != 0 for place in self.places)

    @property
    def successor(self) -> Successor | None:
        """The step as board and increments alone allow it."""
        successors = self.stepper.successors(self.state)
        return next((after for after in successors if after.step == self.step), None)


def _where(asked: _Asked, bit: int) -> str:
    """Return the players' name of the space that a bit stands for."""
    number = bit.bit_length() - 1
    if number >= asked.board.ring:
        return f"on home row {number - asked.board.ring + 1}"
    space = (asked.stepper.seat * asked.board.arm + number) % asked.board.ring
    return f"on {space_name(asked.board, space)}"


# --- the reasons, in the order in which they are asked ---------------------------------------


def _no_pawn(asked: _Asked) -> str | None:
    if asked.step.origin == HOME:
        return "pawns that are home stay there (S0)"
    if asked.step.origin not in asked.places:
        return f"no pawn of {asked.letter} is at {place_text(asked.step.origin)}"
    return None


def _whole_or_nothing(asked: _Asked) -> str | None:
    if not asked.plays.only_empty:
        return None
    if asked.ruleset.usage == "whole-throw":
        return "the throw is used whole or not at all, and it can't be used whole (S0 some MB)"
    return "a doublet's four increments are all used or none is, and not all can be (S0 SR, S4)"


def _not_granted(asked: _Asked) -> str | None:
    if asked.state.closed and not asked.bonus:
        return "the dice come before the bonus, and a bonus has been used (S1, S4)"
    if asked.part:
        return _no_such_part(asked)
    if asked.stepper.grant:
        return None if asked.bonus else _not_of_grant(asked)
    kind = next((sign for sign in "+," if sign in asked.step.spent), "")
    if asked.ruleset.total_move == "only" and (kind or asked.one_die):
        total = asked.stepper.increments[0]
        return f"both dice are one increment of {total}, written ({total}) (S0 some MB)"
    if kind == "," and not asked.ruleset.touch_down:
        return "touching down on a held safety space is not in these rules (S0 PB has it)"
    if kind == "+" and asked.step.origin != NEST and asked.ruleset.total_move == "never":
        return "each die is a move of its own, the total is not one (S0, S3)"
    if asked.ruleset.dice == 1 and asked.one_die:
        return f"a six counts {asked.stepper.increments[0]} once all are in (S0)"
    return _not_open(asked) or (_no_sum(asked) if kind == "+" else None)


def _not_of_grant(asked: _Asked) -> str | None:
    """Return why a number is not one of the fives that enter; the fives are all it could be."""
    left, fives = asked.state.dice
    if asked.step.origin == NEST:
        if asked.step.spent != "5" or not fives:
            return f"of the {GRANT} spaces only the fives of a double five bring a pawn in (S0 TR)"
        return _only_left(left) if left < 5 else None
    if asked.spaces <= GRANT:
        part = f"({asked.spaces}/{GRANT})"
        return f"the doublet is a grant of {GRANT} spaces: a part is written {part}"
    return f"{asked.step.spent} is not in the throw: open is {left} of the {GRANT} spaces"


def _only_left(spaces: int) -> str:
    return f"only {spaces} of the {GRANT} spaces {'is' if spaces == 1 else 'are'} left"


def _not_open(asked: _Asked) -> str | None:
    open_numbers = [*asked.state.dice, *asked.state.bonuses]
    if len(asked.numbers) > 1:
        open_numbers = list(asked.state.dice)
    for number in asked.numbers:
        if number not in open_numbers:
            if _underside_to_come(asked, number):
                return f"{number} is an underside, not granted until the nest is empty (S0, S3, S4)"
            spent = number in asked.stepper.increments
            left = _listed(open_numbers)
            return f"{number} is {'spent' if spent else 'not in the throw'}: open is {left}"
        open_numbers.remove(number)
    return None


def _underside_to_come(asked: _Asked, number: int) -> bool:
    stepper = asked.stepper
    granted_later = stepper.doublet and asked.ruleset.doublet_spaces == "four-when-entered"
    return granted_later and stepper.grants == 2 and number == 7 - stepper.face


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers)) or "nothing"


def _no_sum(asked: _Asked) -> str | None:
    if not asked.stepper.unlike:
        return "a sum is made of two dice that differ (S0, S1)"
    one, other = asked.numbers
    return f"a sum is written larger first: ({other}+{one})" if one < other else None


def _no_such_part(asked: _Asked) -> str | None:
    if not asked.stepper.grant:
        return f"no grant of {GRANT} spaces is open: the dice are {_open_dice(asked)}"
    left, fives = asked.state.dice
    if asked.spaces > left:
        return _only_left(left)
    if asked.step.origin == NEST:
        return f"a part of the {GRANT} spaces never brings a pawn in (S0 TR)"
    had_part = sum(1 for code in asked.state.worlds[0] if code & PART)
    if asked.ruleset.doublet_spaces == "fourteen-two-pawns" and had_part == 2:
        return f"two pawns have shared the {GRANT} spaces already (S0 TR v1960)"
    here = [c for w in asked.state.worlds for c in w if c >> TAG_BITS == asked.step.origin]
    if all(code & PART for code in here):
        return f"the pawn at {place_text(asked.step.origin)} has had its part already (S0 TR)"
    kept = 5 * fives if NEST in asked.places and asked.ruleset.entry_number_reserved else 0
    if asked.spaces > left - kept:
        return f"{kept} spaces are reserved for entering with the fives (S0 TR)"
    return None


def _open_dice(asked: _Asked) -> str:
    return " and ".join(map(str, asked.state.dice)) or "spent"


def _cannot_enter(asked: _Asked) -> str | None:
    if asked.step.origin != NEST:
        return None
    if asked.bonus:
        return "a bonus never brings a pawn in (S0, S3)"
    if asked.step.target != 0:
        return "from the nest a pawn goes to its entry space, step 0 (S0)"
    return _wrong_number(asked) or _entry_blocked(asked)


def _wrong_number(asked: _Asked) -> str | None:
    entry = asked.ruleset.entry_number
    if asked.spaces != entry and "+" in asked.step.spent:
        return f"{asked.step.spent} makes {asked.spaces}: a pawn enters with {_a(entry)} (S0, S1)"
    if asked.spaces != entry or "," in asked.step.spent:
        return f"a pawn enters with {_a(entry)}, not with {asked.step.spent} (S0 to S4)"
    if len(asked.numbers) == 2 and asked.ruleset.entry_by == "die":
        return f"a pawn enters with {_a(entry)} on one die, not with a sum (S0)"
    if len(asked.numbers) == 1 and not asked.stepper.may_enter(entry):
        if asked.ruleset.entry_by == "sum":
            return f"a pawn enters with a sum of {entry}, not with one die (S0)"
        return "the underside of a die does not bring a pawn in (S2 alone has it)"
    return None


def _a(number: int) -> str:
    return f"an {number}" if number in (8, 11) else f"a {number}"


def _entry_blocked(asked: _Asked) -> str | None:
    if asked.blocked & asked.stepper.setting.entry_bit:
        owner = asked.owner(asked.stepper.setting.entry_bit)
        return f"{owner}'s blockade stands on {asked.letter}'s entry (S0, S1, S2, S4)"
    return None


def _reserved(asked: _Asked) -> str | None:
    if asked.step.origin == NEST or asked.part or asked.bonus or NEST not in asked.places:
        return None
    if any(map(asked.stepper.reserved, asked.numbers)):
        entry = asked.ruleset.entry_number
        return f"{_a(entry)} is reserved for entering while the nest holds a pawn (S0 SR v1975, TR)"
    return None


def _wrong_way(asked: _Asked) -> str | None:
    """Return what is wrong with the way, seen as a way of so many spaces."""
    if asked.step.origin == NEST:
        return None
    if any(route.target == asked.step.target for route in asked.routes):
        return None
    here, origin = place_text(asked.step.origin), asked.step.origin
    if not asked.routes or (asked.step.target == HOME and not asked.behind):
        to_go = asked.board.spaces_to_go(origin)
        return (
            f"home is reached by exact count: {here} needs {to_go}, not {asked.spaces} (S0 to S4)"
        )
    free = [route for route in asked.routes if not route.way & asked.blocked] or asked.routes
    targets = dict.fromkeys(place_text(route.target) for route in free)
    return f"{asked.spaces} from {here} leads to {' or '.join(targets)}"


def _barred(asked: _Asked) -> str | None:
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


def _barrier(asked: _Asked, route: Route) -> str:
    first = _first_met(asked, route)
    owner, where = asked.owner(first), _where(asked, first)
    if owner != asked.letter:
        return f"{owner}'s blockade {where} bars the way (S0 to S4)"
    if first == route.landed:
        return f"two pawns of {owner} stand {where} already (S0, S4)"
    return f"{owner}'s own blockade {where} bars the way (S0 to S4)"


def _held(asked: _Asked, ways: list[Route]) -> str | None:
    for route in ways:
        held = route.landed & asked.state.lone & asked.stepper.setting.safe
        if held:
            owner = asked.owner(held)
            return f"{owner} holds the safety space {_where(asked, held)} (S0 to S4)"
    return None


def _touch_down_fails(asked: _Asked) -> str | None:
    held = asked.state.lone & asked.stepper.setting.safe
    touched = any(leg.landed & held for leg in asked.lengths[asked.numbers[0]])
    if "," in asked.step.spent and not touched:
        first = asked.numbers[0]
        return f"nobody holds a safety space {first} further, so these are two steps (S0 PB)"
    return None


def _home_in_parts(asked: _Asked) -> str | None:
    whole = asked.ruleset.doublet_home_whole and asked.spaces < GRANT
    if whole and asked.part and asked.step.target == HOME:
        return f"a doublet brings a pawn home only with all {GRANT} spaces (S0 TR)"
    return None


def _pair_together(asked: _Asked) -> str | None:
    if asked.ruleset.pair_rule != "throughout" or asked.successor is not None:
        return None
    partner = asked.beside_own(asked.step.target)
    turned = asked.step._replace(captures=not asked.step.captures)
    legal_but_for_x = any(s.step == turned for s in asked.stepper.successors(asked.state))
    if partner and not legal_but_for_x:
        return "a blockade's two pawns may not stand together again elsewhere (S0, S1, S3, S4)"
    return None


def _wrong_mark(asked: _Asked) -> str | None:
    turned = asked.step._replace(captures=not asked.step.captures)
    if any(after.step == turned for after in asked.stepper.successors(asked.state)):
        what = "captures nobody" if asked.step.captures else "captures"
        return f"the step {what}: it is written {turned}"
    return None


FALLS_SHORT = "no play that may be completed begins so: it would waste what was thrown (S0, S4)"


def _play_falls_short(asked: _Asked) -> str | None:
    """Return what no play that begins with the step can reach, though it stands on the board."""
    if asked.successor is None:
        return None
    plays, goal = asked.plays, asked.plays.goal
    try:
        reachable = plays.reachable(asked.successor.state)
        after = {plays.measure(state) for state in reachable if not plays.together(state)}
    except TooManyStates:
        return FALLS_SHORT
    if not after:
        return "a blockade's two pawns may not end together elsewhere (S3)"
    if asked.bonus and asked.ruleset.bonus_timing == "after-dice" and asked.state.dice:
        return "a bonus comes after the dice, and a die can still be used (S1, S4)"
    if all(reached.entered < goal.entered for reached in after):
        return "as many pawns must enter as can (S0 SR v1942, v1989, TR; S4)"
    if plays.only_wins:
        return "the throw can't be used whole, so only a play that wins may be made (S0 some MB)"
    if all(reached.spent < goal.spent for reached in after):
        if asked.stepper.grant:
            return f"it would waste some of the {GRANT} spaces: another play uses more (S0 TR)"
        return "it would waste an increment: another play uses more (S0, S1, S3, S4)"
    if all(reached.faces < goal.faces for reached in after):
        return "the lower number is the one to be lost, not the higher (S1)"
    if plays.overdue:
        return "a blockade has stood too long and must be broken (house rule)"
    return FALLS_SHORT


Reason = Callable[[_Asked], str | None]
REASONS: tuple[Reason, ...] = (
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


# --- short words for the screen --------------------------------------------------------------


def _short(plays: Plays, state: State, place: int, spaces: int, bonus: bool) -> str | None:
    """Return in two or three words why the pawn at a place can't use an increment."""
    if place == HOME:
        return None
    asked = _Asked(plays, state, Step(place, place, str(spaces)))
    if place == NEST:
        return _short_entry(asked, bonus)
    if not bonus and NEST in asked.places and asked.stepper.reserved(spaces):
        return "kept for entering"
    routes = asked.lengths[spaces]
    reasons = (_short_way(asked, route) for route in routes)
    return next(filter(None, reasons), None) if routes else "too far for home"


def _short_way(asked: _Asked, route: Route) -> str | None:
    met = _first_met(asked, route)
    if met:
        owner = asked.owner(met)
        return "own blockade" if owner == asked.letter else f"blocked by {owner}"
    held = route.landed & asked.state.lone & asked.stepper.setting.safe
    if held:
        return f"safe: {asked.owner(held)} is there"
    if route.target == HOME:
        return f"home needs all {GRANT}" if asked.stepper.grant else None
    return "pair can't move on" if asked.beside_own(route.target) else None


def _short_entry(asked: _Asked, bonus: bool) -> str | None:
    stepper, entry = asked.stepper, asked.ruleset.entry_number
    by_sum = stepper.unlike and asked.ruleset.entry_by != "die" and sum(stepper.increments) == entry
    five = stepper.grant and asked.state.dice[1] and stepper.may_enter(entry)
    if bonus or not (by_sum or five or stepper.may_enter(asked.numbers[0])):
        return _short_number(asked)
    if asked.blocked & stepper.setting.entry_bit:
        return f"entry blocked by {asked.owner(stepper.setting.entry_bit)}"
    return None


def _short_number(asked: _Asked) -> str:
    entry = asked.ruleset.entry_number
    if asked.ruleset.entry_by == "sum" and asked.ruleset.total_move != "only":
        return f"only a sum of {entry} enters"
    underside = asked.numbers[0] == entry and asked.stepper.doublet
    return "underside: no entry" if underside else f"only {_a(entry)} enters"
