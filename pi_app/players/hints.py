"""The best step of the throw on the table, and why; keeps out words and the screen.

Why is told against the best play that the step rules out. Of what both come to, whatever is said is
so by the rules, and of all that is so, that is said which the seat's chance owes most to: how much
it would fall if only this were as after the other play.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pi_app.advice.hint_reasons import HintReason
from pi_app.players.choosing import POINT, RatedPlay, rate
from pi_app.players.features import NAMES, OWN, TURN, Features, SideFeatures, sight_of
from pi_app.players.play_ends import play_ends
from pi_app.players.reach import ALL_THROWS
from pi_app.players.value import HAS_WON, Judge
from rules import (
    HOME,
    NEST,
    Game,
    IllegalAction,
    Move,
    Phase,
    Position,
    Step,
    goes_on,
    play,
    steps_to,
    victims,
)

ONLY = HintReason("only-step")
SAME = HintReason("nothing-lost")  # whatever else there is can follow
ALIKE = HintReason("another-as-good")
BETTER = HintReason("better-in-all")
AS_GOOD = 0.0005  # in chances to win


class Hint(NamedTuple):
    """What is best now: a step, as text, "" where it is to leave the rest; and why."""

    step: str
    why: HintReason


class PlayResult(NamedTuple):
    """What a play comes to: where the pawns are, and what there is to see, by seat.

    hunted: with which throws others capture one of the seat's pawns, hunts: it one of theirs.
    """

    position: Position
    first: int
    seen: dict[int, Features]
    hunted: int
    hunts: int


class HintCase(NamedTuple):
    """The play on the table, the steps of its best way on, and what that comes to and another."""

    game: Game
    steps: tuple[Step, ...]
    best: PlayResult
    other: PlayResult

    @property
    def seat(self) -> int:
        """Whose play it is."""
        return self.game.seat

    def more(self, name: str) -> int:
        """Return how much more of a feature the seat has in the best play's end."""
        n = NAMES.index(name)
        return round(self.best.seen[self.seat][n] - self.other.seen[self.seat][n])


def hint(game: Game, by: Judge | None) -> Hint:
    """Return the best step of the throw on the table; IllegalAction where none can be made.

    Without a judge it is what `grace` would do.
    """
    if game.phase is not Phase.MOVE or not game.steps:
        raise IllegalAction(f"there is nothing to choose: the game is at {game.phase}")
    found = rate(game, by, play_ends(game))
    best = max(found, key=lambda one: one.worth)
    steps = steps_to(game, best.option.ending)
    first = str(steps[0]) if steps else ""
    left = _left_open(game, steps, best)
    others = [one for one in found if one.option[1:] not in left]
    if not others:
        return Hint(first, SAME if len(game.steps) + game.may_stop > 1 else ONLY)
    other = max(others, key=lambda one: one.worth)
    if best.worth - other.worth < (AS_GOOD if by else POINT):
        return Hint(first, ALIKE)
    came = (_came(game, one.option.position, one.option.first) for one in (best, other))
    return Hint(first, _why(by, HintCase(game, steps, *came)))


def _left_open(game: Game, steps: tuple[Step, ...], best: RatedPlay) -> set[tuple[Position, int]]:
    """Return what plays come to that go on with the best step, or with none where that is best."""
    if steps:
        after, _ = play(game, Move(steps[0]))
        if goes_on(game, after):
            return {one[1:] for one in play_ends(after)}
    return {best.option[1:]}


def _came(game: Game, position: Position, first: int) -> PlayResult:
    eyes, seat = sight_of(game.ruleset), game.seat
    order = eyes.order(position, first)
    sides = [eyes.side(position[other]) for other in order]
    mine, hunted, hunts = order.index(seat), 0, 0
    for hunter, other, found in eyes.contacts(sides, order):
        hunted |= found.throws if other == mine else 0
        hunts |= found.throws if hunter == mine else 0
    seen = dict(zip(order, eyes.features(position, order), strict=True))
    return PlayResult(position, first, seen, hunted, hunts)


def _why(by: Judge | None, case: HintCase) -> HintReason:
    """Return what the best play's end owes most to; without a judge the first that is so."""
    if case.best.position[case.seat] == HAS_WON:
        return HintReason("wins")
    most, found = 0.0, BETTER
    for family in FAMILIES:
        if why := family.tells(case):
            if by is None:
                return why
            owed = _owed(by, case, family)
            most, found = max((most, found), (owed, why), key=lambda one: one[0])
    return found


def _owed(by: Judge, case: HintCase, family: FeatureFamily) -> float:
    """Return how much the seat's chance falls with a family's features as in the other end."""
    mixed = {
        seat: tuple(
            there if name in (family.mine if seat == case.seat else family.theirs) else here
            for name, here, there in zip(NAMES, seen, case.other.seen[seat], strict=True)
        )
        for seat, seen in case.best.seen.items()
    }
    return by.of(case.best.seen)[case.seat] - by.of(mixed)[case.seat]


# --- what may be told, each only where it is so --------------------------------------------------


def _captures(case: HintCase) -> HintReason | None:
    """Only the best play captures these; with its first step, or with one that follows."""
    caught = {seat for seat in case.best.seen if seat != case.seat and _sent_home(case, seat)}
    if not caught:
        return None
    at_once = caught <= {seat for seat, _ in victims(case.game, case.steps[0])}
    return HintReason("captures" if at_once else "captures-later", _in_order(caught))


def _sent_home(case: HintCase, seat: int) -> bool:
    now, best, other = (
        position[seat].count(NEST)
        for position in (case.game.position, case.best.position, case.other.position)
    )
    return best > now and best > other


def _comes_home(case: HintCase) -> HintReason | None:
    if _count(case.best, case.seat, HOME) <= _count(case.other, case.seat, HOME):
        return None
    at_once = case.steps and case.steps[0].target == HOME
    return HintReason("brings-home" if at_once else "brings-home-later")


def _comes_out(case: HintCase) -> HintReason | None:
    if _count(case.best, case.seat, NEST) >= _count(case.other, case.seat, NEST):
        return None
    at_once = case.steps and case.steps[0].origin == NEST
    return HintReason("gets-out" if at_once else "gets-out-later")


def _safer(case: HintCase) -> HintReason | None:
    fewer = case.other.hunted.bit_count() - case.best.hunted.bit_count()
    if fewer > 0:
        return HintReason("safer", many=fewer, of=len(ALL_THROWS[case.game.ruleset.dice]))
    best, other = (
        _feature(came, case.seat, "stake_soon") + _feature(came, case.seat, "stake_later")
        for came in (case.best, case.other)
    )
    return HintReason("less-to-lose") if best < other else None


def _hunts(case: HintCase) -> HintReason | None:
    more = case.best.hunts.bit_count() - case.other.hunts.bit_count()
    return HintReason("more-throws-capture", many=more) if more > 0 else None


def _blocks(case: HintCase) -> HintReason | None:
    now = _side(case.game, case.game.position).pairs[0]
    best, other = (_side(case.game, came.position).pairs[0] for came in (case.best, case.other))
    if shut := _raised(case, "shut_out"):
        return HintReason("shuts-out", _in_order(shut))
    if now & best & ~other:
        return HintReason("keeps-blockade")
    if best & ~now & ~other and best.bit_count() > other.bit_count():
        return HintReason("makes-blockade")
    held = _raised(case, "waits_far")
    return HintReason("in-the-way", _in_order(held)) if held else None


def _keeps_clear(case: HintCase) -> HintReason | None:
    """Tell of no blockade but that fewer of the seat's pawns come up to one."""
    nearer = [name for name in ("waits", "waits_far") if case.more(name) > 0]
    fewer = [name for name in ("waits", "waits_far") if case.more(name) < 0]
    return HintReason("not-stuck") if fewer and not nearer else None


def _clears_entry(case: HintCase) -> HintReason | None:
    return HintReason("clears-entry") if case.more("own_entry") < 0 else None


def _safe_spaces(case: HintCase) -> HintReason | None:
    more = _on_safety(case, case.best) - _on_safety(case, case.other)
    return HintReason("more-on-safe-spaces", many=more) if more > 0 else None


def _on_safety(case: HintCase, came: PlayResult) -> int:
    side, safe = _side(case.game, came.position), sight_of(case.game.ruleset).safe
    return (side.lone[0] & safe).bit_count() + 2 * (side.pairs[0] & safe).bit_count()


def _home_row(case: HintCase) -> HintReason | None:
    if case.more("row") > 0:
        return HintReason("into-home-row")
    throws = ALL_THROWS[case.game.ruleset.dice]
    best, other = (_feature(came, case.seat, "finish") for came in (case.best, case.other))
    more = round((best - other) * len(throws))
    return HintReason("more-throws-bring-home", many=more) if more > 0 else None


def _fewer_hunters(case: HintCase) -> HintReason | None:
    fewer = -case.more("hunters")
    return HintReason("fewer-behind", many=fewer) if fewer > 0 else None


def _farther(case: HintCase) -> HintReason | None:
    to_go = [_to_go(case, came) for came in (case.best, case.other)]
    best, other = map(sum, to_go)
    if best != other:
        return HintReason("farther", many=other - best) if best < other else None
    (*_, first), (*_, second) = to_go
    if len(to_go[0]) != len(to_go[1]):
        return None
    if first < second:
        return HintReason("brings-last-on")
    return HintReason("brings-first-on") if to_go[0][0] < to_go[1][0] else None


def _to_go(case: HintCase, came: PlayResult) -> list[int]:
    """Return the spaces to go of the seat's pawns on the board, the fewest first."""
    eyes = sight_of(case.game.ruleset)
    return sorted(eyes.to_go(place) for place in came.position[case.seat] if place != NEST)


def _again(case: HintCase) -> HintReason | None:
    both = case.best.first, case.other.first
    return HintReason("throws-again") if both[0] == case.seat != both[1] else None


class FeatureFamily(NamedTuple):
    """Features that belong together, the seat's own and those of others, and their reason.

    tells: the reason that is so of a case, None where there is none.
    """

    mine: tuple[str, ...]
    theirs: tuple[str, ...]
    tells: Callable[[HintCase], HintReason | None]


NESTS = ("nest_1", "nest_2", "nest_3", "nest_4")
RISKS = ("risk_soon", "stake_soon", "risk_later", "stake_later")
HUNTS = ("hunt_soon", "hunt_later")
FAMILIES = (
    FeatureFamily((), OWN, _captures),
    FeatureFamily(("home_1", "home_2", "home_3"), (), _comes_home),
    FeatureFamily((*NESTS, "arm_1", "safe", "lone"), (), _comes_out),
    FeatureFamily(RISKS, HUNTS, _safer),
    FeatureFamily(HUNTS, RISKS, _hunts),
    FeatureFamily(
        ("blockades", "holds", "holds_far", "shuts_out"),
        ("waits", "waits_far", "shut_out"),
        _blocks,
    ),
    FeatureFamily(("waits", "waits_far"), ("holds", "holds_far"), _keeps_clear),
    FeatureFamily(("own_entry",), (), _clears_entry),
    FeatureFamily(("safe", "lone"), (), _safe_spaces),
    FeatureFamily(("row", "finish"), (), _home_row),
    FeatureFamily(("hunters",), (), _fewer_hunters),
    FeatureFamily(("to_go", "arm_1", "arm_2", "arm_3", "arm_4"), (), _farther),
    FeatureFamily(TURN, TURN, _again),
)


def _side(game: Game, position: Position) -> SideFeatures:
    return sight_of(game.ruleset).side(position[game.seat])


def _feature(came: PlayResult, seat: int, name: str) -> float:
    return came.seen[seat][NAMES.index(name)]


def _raised(case: HintCase, name: str) -> set[int]:
    """Return the other seats of which a feature is more after the best play."""
    return {
        seat
        for seat in case.best.seen
        if seat != case.seat and _feature(case.best, seat, name) > _feature(case.other, seat, name)
    }


def _count(came: PlayResult, seat: int, place: int) -> int:
    return came.position[seat].count(place)


def _in_order(seats: set[int]) -> tuple[int, ...]:
    return tuple(sorted(seats))
