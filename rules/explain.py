"""Explanations: which rule stops a step, in one short line with its source (S0 to S4).

The reasons are asked in the order in which a referee would: the pawn, the increment, the way, the
landing, and last what the whole play must reach.
"""

from collections.abc import Callable
from itertools import chain

from rules.board import HOME, NEST, SEAT_LETTERS, Board, Route, place_text
from rules.game import Game, Phase
from rules.plays import Plays
from rules.steps import GRANT, PART, TAG_BITS, State, Step, Stepper, Successor, parse_step


def explain(game: Game, text: str) -> str:
    """Return one line that says why a step is not legal now, or that it is."""
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
    shorts = dict.fromkeys(
        short
        for code in reversed(state.worlds[0])
        for short in [_short(plays, state, code >> TAG_BITS, spaces, bonus)]
        if short
    )
    if plays.only_empty and len(plays.stepper.increments) > 1:
        return f"{spaces}: not all can be used"
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
        return self.step.spent.endswith(f"/{GRANT}")

    @property
    def numbers(self) -> tuple[int, ...]:
        """The increments that the step spends; of a part, its spaces."""
        spent = self.step.spent.removesuffix(f"/{GRANT}")
        return tuple(int(number) for number in spent.replace("+", ",").split(","))

    @property
    def spaces(self) -> int:
        return sum(self.numbers)

    @property
    def bonus(self) -> bool:
        """Whether the step can only be meant to spend a bonus."""
        number = self.numbers[0]
        open_dice = () if self.stepper.grant or self.state.closed else self.state.dice
        return len(self.numbers) == 1 and not self.part and number not in open_dice

    @property
    def blocked(self) -> int:
        return self.stepper.blockades | _pair_bits(self.stepper, self.state)

    @property
    def successor(self) -> Successor | None:
        """The step as board and increments alone allow it."""
        successors = self.stepper.successors(self.state)
        return next((after for after in successors if after.step == self.step), None)


def _pair_bits(stepper: Stepper, state: State) -> int:
    seen = pairs = 0
    for code in state.worlds[0]:
        bit = stepper.setting.bits[code >> TAG_BITS]
        pairs |= seen & bit
        seen |= bit
    return pairs


def _where(asked: _Asked, bit: int) -> str:
    """Return the players' name of the space that a bit stands for."""
    number = bit.bit_length() - 1
    if number >= asked.board.ring:
        return f"on home row {number - asked.board.ring + 1}"
    space = (asked.stepper.seat * asked.board.arm + number) % asked.board.ring
    return f"on {space_name(asked.board, space)}"


def _owner(stepper: Stepper, bit: int) -> str:
    """Return the letter of the seat that stands on the space of a bit."""
    holders = stepper.caught(bit)
    return SEAT_LETTERS[holders[0][0] if holders else stepper.seat]


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
    if asked.part:
        return _no_such_part(asked)
    kind = next((sign for sign in "+," if sign in asked.step.spent), "")
    if asked.stepper.grant and (kind or asked.numbers[0] not in (5, *asked.state.bonuses)):
        return (
            f"the doublet is a grant of {GRANT} spaces: a part is written ({asked.spaces}/{GRANT})"
        )
    if kind == "," and not asked.ruleset.touch_down:
        return "touching down on a held safety space is not in these rules (S0 PB has it)"
    if kind == "+" and asked.step.origin != NEST and asked.ruleset.total_move != "allowed":
        return "each die is a move of its own, the total is not one (S0, S3)"
    return _not_open(asked)


def _not_open(asked: _Asked) -> str | None:
    if asked.state.closed and asked.numbers[0] not in asked.state.bonuses:
        return "the dice come before the bonus, and a bonus has been used (S1, S4)"
    open_numbers = [*asked.state.dice, *asked.state.bonuses]
    if asked.stepper.grant:
        open_numbers = [5, *asked.state.bonuses]
    for number in asked.numbers:
        if number not in open_numbers:
            spent = number in asked.stepper.increments
            left = ", ".join(map(str, open_numbers)) or "nothing"
            return f"{number} is {'spent' if spent else 'not in the throw'}: open is {left}"
        open_numbers.remove(number)
    if "+" in asked.step.spent and not asked.stepper.unlike:
        return "a sum is made of two dice that differ (S0, S1)"
    return None


def _no_such_part(asked: _Asked) -> str | None:
    if not asked.stepper.grant:
        return f"no grant of {GRANT} spaces is open: the dice are {_open_dice(asked)}"
    left, fives = asked.state.dice
    if asked.spaces > left:
        return f"only {left} of the {GRANT} spaces are left"
    takers = {code >> TAG_BITS for code in asked.state.worlds[0] if code & PART}
    whole_pawns = sum(1 for code in asked.state.worlds[0] if code & PART)
    if asked.ruleset.doublet_spaces == "fourteen-two-pawns" and whole_pawns == 2:
        return f"two pawns have shared the {GRANT} spaces already (S0 TR v1960)"
    if asked.step.origin in takers and asked.places.count(asked.step.origin) == 1:
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
    if asked.spaces != entry:
        return f"a pawn enters with {_a(entry)}, not with {asked.step.spent} (S0)"
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
        owner = _owner(asked.stepper, asked.stepper.setting.entry_bit)
        return f"{owner}'s blockade stands on {asked.letter}'s entry (S0, S2, S4)"
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
    routes = asked.stepper.setting.routes[asked.step.origin][asked.spaces]
    shortened = asked.ruleset.stop_behind_blockade and not asked.bonus
    if any(route.target == asked.step.target for route in routes) or shortened:
        return None
    if not routes or asked.step.target == HOME:
        to_go = asked.board.spaces_to_go(asked.step.origin)
        here = place_text(asked.step.origin)
        return (
            f"home is reached by exact count: {here} needs {to_go}, not {asked.spaces} (S0 to S4)"
        )
    return f"{asked.spaces} from {place_text(asked.step.origin)} leads to " + " or ".join(
        place_text(route.target) for route in routes
    )


def _barred(asked: _Asked) -> str | None:
    """Return which blockade or held safety space is in the way."""
    if asked.step.origin == NEST:
        return None
    lengths = asked.stepper.setting.routes[asked.step.origin]
    shown: list[Route] = [r for r in lengths[asked.spaces] if r.target == asked.step.target]
    for route in shown or lengths[asked.spaces]:
        met = route.way & asked.blocked
        if met:
            return _barrier(asked, route, met)
    held = _held(asked, shown or list(lengths[asked.spaces]))
    return held or _touch_down_fails(asked)


def _barrier(asked: _Asked, route: Route, met: int) -> str:
    first = next(
        nearer.landed
        for length in range(1, asked.spaces + 1)
        for nearer in asked.stepper.setting.routes[asked.step.origin][length]
        if nearer.landed & met and not nearer.passed & met
    )
    own = not asked.stepper.caught(first)
    owner = f"{asked.letter}'s own" if own else f"{_owner(asked.stepper, first)}'s"
    if first == route.landed and own:
        return f"two pawns of {asked.letter} stand {_where(asked, first)} already (S0, S4)"
    return f"{owner} blockade {_where(asked, first)} bars the way (S0 to S4)"


def _held(asked: _Asked, routes: list[Route]) -> str | None:
    if "," in asked.step.spent:
        return None
    for route in routes:
        held = route.landed & asked.state.lone & asked.stepper.setting.safe
        if held:
            owner = _owner(asked.stepper, held)
            return f"{owner} holds the safety space {_where(asked, held)} (S0, S2 to S4)"
    return None


def _touch_down_fails(asked: _Asked) -> str | None:
    if "," in asked.step.spent and asked.successor is None:
        return "it may only touch a safety space that an opponent holds and go on at once (S0 PB)"
    return None


def _home_in_parts(asked: _Asked) -> str | None:
    whole = asked.ruleset.doublet_home_whole and asked.spaces < GRANT
    if whole and asked.part and asked.step.target == HOME:
        return f"a doublet brings a pawn home only with all {GRANT} spaces (S0 TR)"
    return None


def _pair_together(asked: _Asked) -> str | None:
    if asked.ruleset.pair_rule != "throughout" or asked.successor is not None:
        return None
    partner = asked.step.target in asked.places
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


def _play_falls_short(asked: _Asked) -> str | None:
    """Return what no play that begins with the step can reach, though it stands on the board."""
    if asked.successor is None:
        return None
    plays, goal = asked.plays, asked.plays.goal
    after = list(plays.reachable(asked.successor.state))
    if plays.exhaust or all(map(plays.together, after)):
        return "a blockade's two pawns may not end together elsewhere (S3)"
    if asked.bonus and asked.ruleset.bonus_timing == "after-dice" and asked.state.dice:
        return "a bonus comes after the dice, and a die can still be used (S1, S4)"
    if all(plays.measure(state).entered < goal.entered for state in after):
        return "as many pawns must enter as can (S0 SR v1942, v1989, TR; S4)"
    if all(plays.measure(state).spent < goal.spent for state in after):
        return "it would waste an increment: another play uses more (S0, S1, S3, S4)"
    if all(plays.measure(state).faces < goal.faces for state in after):
        return "the lower number is the one to be lost, not the higher (S1)"
    if plays.overdue:
        return "a blockade has stood too long and must be broken (house rule)"
    return "no play that may be completed begins so: it would waste what was thrown (S0, S4)"


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
    routes = asked.stepper.setting.routes[place][spaces]
    if not routes:
        return "too far for home"
    met = routes[0].way & asked.blocked
    if met:
        first = met & -met if met & (met - 1) else met
        own = not asked.stepper.caught(first)
        return "own blockade" if own else f"blocked by {_owner(asked.stepper, first)}"
    held = routes[0].landed & state.lone & asked.stepper.setting.safe
    if held:
        return f"safe: {_owner(asked.stepper, held)} is there"
    return "pair can't move on" if routes[0].target in asked.places else None


def _short_entry(asked: _Asked, bonus: bool) -> str | None:
    if bonus or not asked.stepper.may_enter(asked.numbers[0]):
        return f"{asked.ruleset.entry_number} to enter"
    if asked.blocked & asked.stepper.setting.entry_bit:
        return f"entry blocked by {_owner(asked.stepper, asked.stepper.setting.entry_bit)}"
    return None
