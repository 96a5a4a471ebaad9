"""Finds the best step of a throw, and the reason for it. It has no words and draws no screens.

The reason compares the best play with the best play that the step rules out. Each candidate is a
fact about the positions in which the two plays end. If several facts are true, the reason is the
one with the greatest effect on the seat's chance. The effect of a fact is the chance that the best
play would lose if only the features of this fact were as in the other play.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pi_app.advice.hint_reasons import HintReason, Kind
from pi_app.players.choosing import POINT, rate
from pi_app.players.features import (
    FEATURE_NAMES,
    OWN_FEATURES,
    TURN_FEATURES,
    Features,
    SeatFeatures,
    feature_extractor,
)
from pi_app.players.play_ends import play_ends
from pi_app.players.reach import ALL_THROWS
from pi_app.players.value import ALL_HOME, Judge
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

ONLY_STEP = HintReason("only-step")
NOTHING_LOST = HintReason("nothing-lost")  # every other play is still possible after the step
EQUALLY_GOOD = HintReason("another-as-good")
BETTER_OVERALL = HintReason("better-in-all")
EQUAL_CHANCES = 0.0005  # chances to win with a smaller difference count as equal


class Hint(NamedTuple):
    """The best step as text, "" if it is best to leave the rest unused; and the reason."""

    step: str
    why: HintReason


class PlayResult(NamedTuple):
    """The end of a play.

    next_seat: the seat that throws next.
    features: each seat's, in the order of `FEATURE_NAMES`.
    throws_against: the throws with which others capture one of the seat's pawns, as bits.
    throws_for: the throws with which the seat captures one of theirs, as bits.
    """

    position: Position
    next_seat: int
    features: dict[int, Features]
    throws_against: int
    throws_for: int


class HintCase(NamedTuple):
    """Two plays to compare: the game before them, the best play's steps, and both ends."""

    game: Game
    steps: tuple[Step, ...]
    best: PlayResult
    other: PlayResult

    @property
    def seat(self) -> int:
        """The seat that plays."""
        return self.game.seat

    def gain(self, name: str) -> int:
        """Return the seat's feature after the best play, less that after the other play."""
        return round(_feature(self.best, self.seat, name) - _feature(self.other, self.seat, name))


def find_hint(game: Game, judge: Judge | None) -> Hint:
    """Return the best step of a throw and its reason. Without a judge it is the step of `grace`.

    Raises IllegalAction if there is no step to choose.
    """
    if game.phase is not Phase.MOVE or not game.steps:
        raise IllegalAction(f"there is nothing to choose: the game is at {game.phase}")
    plays = rate(game, judge, play_ends(game))
    best = max(plays, key=lambda rated: rated.worth)
    steps = steps_to(game, best.option.ending)
    step = str(steps[0]) if steps else ""
    still_possible = {best.option[1:]}
    if steps:
        after, _ = play(game, Move(steps[0]))
        if goes_on(game, after):
            still_possible = {end[1:] for end in play_ends(after)}
    others = [rated for rated in plays if rated.option[1:] not in still_possible]
    if not others:
        has_choice = len(game.steps) + game.may_stop > 1
        return Hint(step, NOTHING_LOST if has_choice else ONLY_STEP)
    other = max(others, key=lambda rated: rated.worth)
    if best.worth - other.worth < (EQUAL_CHANCES if judge else POINT):
        return Hint(step, EQUALLY_GOOD)
    ends = (_result(game, rated.option.position, rated.option.first) for rated in (best, other))
    return Hint(step, _reason(judge, HintCase(game, steps, *ends)))


def _result(game: Game, position: Position, first: int) -> PlayResult:
    extractor, seat = feature_extractor(game.ruleset), game.seat
    order = extractor.turn_order(position, first)
    sides = [extractor.seat_features(position[other]) for other in order]
    mine, throws_against, throws_for = order.index(seat), 0, 0
    for hunter, other, contact in extractor.find_contacts(sides, order):
        throws_against |= contact.throws if other == mine else 0
        throws_for |= contact.throws if hunter == mine else 0
    features = dict(zip(order, extractor.compute_features(position, order), strict=True))
    return PlayResult(position, first, features, throws_against, throws_for)


def _reason(judge: Judge | None, case: HintCase) -> HintReason:
    """Return the reason with the greatest effect; without a judge the first true one."""
    if case.best.position[case.seat] == ALL_HOME:
        return HintReason("wins")
    greatest, reason = 0.0, BETTER_OVERALL
    for family in FAMILIES:
        found = family.find(case)
        if found and judge is None:
            return found
        if found and judge is not None:
            mixed = {
                seat: tuple(
                    there if name in (family.mine if seat == case.seat else family.theirs) else here
                    for name, here, there in zip(
                        FEATURE_NAMES, features, case.other.features[seat], strict=True
                    )
                )
                for seat, features in case.best.features.items()
            }
            chances, mixed_chances = map(judge.chances_of, (case.best.features, mixed))
            effect = chances[case.seat] - mixed_chances[case.seat]
            if effect > greatest:
                greatest, reason = effect, found
    return reason


# --- the facts, each None if it is not true ------------------------------------------------------


def _captures(case: HintCase) -> HintReason | None:
    """Seats of which only the best play captures a pawn, by its first step or a later one."""
    captured = {
        seat
        for seat in case.best.features
        if seat != case.seat
        and _count(case.best, seat, NEST)
        > max(case.game.position[seat].count(NEST), _count(case.other, seat, NEST))
    }
    if not captured:
        return None
    at_once = captured <= {seat for seat, _ in victims(case.game, case.steps[0])}
    return HintReason("captures" if at_once else "captures-later", _in_order(captured))


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
    fewer = case.other.throws_against.bit_count() - case.best.throws_against.bit_count()
    if fewer > 0:
        return HintReason("safer", many=fewer, of=len(ALL_THROWS[case.game.ruleset.dice]))
    best, other = (
        _feature(end, case.seat, "stake_soon") + _feature(end, case.seat, "stake_later")
        for end in (case.best, case.other)
    )
    return HintReason("less-to-lose") if best < other else None


def _blocks(case: HintCase) -> HintReason | None:
    now = _side(case.game, case.game.position).blockades[0]
    best, other = (_side(case.game, end.position).blockades[0] for end in (case.best, case.other))
    if shut_out := _seats_with_more(case, "shut_out"):
        return HintReason("shuts-out", _in_order(shut_out))
    if now & best & ~other:
        return HintReason("keeps-blockade")
    if best & ~now & ~other and best.bit_count() > other.bit_count():
        return HintReason("makes-blockade")
    blocked = _seats_with_more(case, "waits_far")
    return HintReason("in-the-way", _in_order(blocked)) if blocked else None


def _keeps_clear(case: HintCase) -> HintReason | None:
    """Fewer of the seat's pawns wait behind a blockade, near or far, and nowhere more."""
    gains = [case.gain(name) for name in ("waits", "waits_far")]
    return HintReason("not-stuck") if min(gains) < 0 and max(gains) <= 0 else None


def _safe_spaces(case: HintCase) -> HintReason | None:
    safe = feature_extractor(case.game.ruleset).safe_bits
    sides = [_side(case.game, end.position) for end in (case.best, case.other)]
    best, other = (
        (side.lone[0] & safe).bit_count() + 2 * (side.blockades[0] & safe).bit_count()
        for side in sides
    )
    return _if_more("more-on-safe-spaces", best - other)


def _home_row(case: HintCase) -> HintReason | None:
    if case.gain("row") > 0:
        return HintReason("into-home-row")
    throws = ALL_THROWS[case.game.ruleset.dice]
    best, other = (_feature(end, case.seat, "finish") for end in (case.best, case.other))
    return _if_more("more-throws-bring-home", round((best - other) * len(throws)))


def _farther(case: HintCase) -> HintReason | None:
    """The spaces that the seat's pawns on the board have still to go, then the last, the first."""
    extractor = feature_extractor(case.game.ruleset)
    best, other = (
        sorted(extractor.to_go(place) for place in end.position[case.seat] if place != NEST)
        for end in (case.best, case.other)
    )
    if sum(best) != sum(other):
        return _if_more("farther", sum(other) - sum(best))
    if len(best) != len(other):
        return None
    if best[-1] < other[-1]:
        return HintReason("brings-last-on")
    return HintReason("brings-first-on") if best[0] < other[0] else None


class FeatureFamily(NamedTuple):
    """Features that belong to one fact.

    mine: names of the seat's own features. theirs: names of the other seats' features.
    find: returns the fact as a reason, or None if it is not true of a case.
    """

    mine: tuple[str, ...]
    theirs: tuple[str, ...]
    find: Callable[[HintCase], HintReason | None]


NESTS = ("nest_1", "nest_2", "nest_3", "nest_4")
RISKS = ("risk_soon", "stake_soon", "risk_later", "stake_later")
HUNTS = ("hunt_soon", "hunt_later")
FAMILIES = (
    FeatureFamily((), OWN_FEATURES, _captures),
    FeatureFamily(("home_1", "home_2", "home_3"), (), _comes_home),
    FeatureFamily((*NESTS, "arm_1", "safe", "lone"), (), _comes_out),
    FeatureFamily(RISKS, HUNTS, _safer),
    FeatureFamily(
        HUNTS,
        RISKS,
        lambda case: _if_more(
            "more-throws-capture",
            case.best.throws_for.bit_count() - case.other.throws_for.bit_count(),
        ),
    ),
    FeatureFamily(
        ("blockades", "holds", "holds_far", "shuts_out"),
        ("waits", "waits_far", "shut_out"),
        _blocks,
    ),
    FeatureFamily(("waits", "waits_far"), ("holds", "holds_far"), _keeps_clear),
    FeatureFamily(
        ("own_entry",),
        (),
        lambda case: HintReason("clears-entry") if case.gain("own_entry") < 0 else None,
    ),
    FeatureFamily(("safe", "lone"), (), _safe_spaces),
    FeatureFamily(("row", "finish"), (), _home_row),
    FeatureFamily(("hunters",), (), lambda case: _if_more("fewer-behind", -case.gain("hunters"))),
    FeatureFamily(("to_go", "arm_1", "arm_2", "arm_3", "arm_4"), (), _farther),
    FeatureFamily(
        TURN_FEATURES,
        TURN_FEATURES,
        lambda case: (
            HintReason("throws-again")
            if case.best.next_seat == case.seat != case.other.next_seat
            else None
        ),
    ),
)


def _side(game: Game, position: Position) -> SeatFeatures:
    return feature_extractor(game.ruleset).seat_features(position[game.seat])


def _feature(end: PlayResult, seat: int, name: str) -> float:
    return end.features[seat][FEATURE_NAMES.index(name)]


def _seats_with_more(case: HintCase, name: str) -> set[int]:
    """Return the other seats of which a feature is greater after the best play."""
    return {
        seat
        for seat in case.best.features
        if seat != case.seat and _feature(case.best, seat, name) > _feature(case.other, seat, name)
    }


def _count(end: PlayResult, seat: int, place: int) -> int:
    return end.position[seat].count(place)


def _if_more(kind: Kind, many: int) -> HintReason | None:
    return HintReason(kind, many=many) if many > 0 else None


def _in_order(seats: set[int]) -> tuple[int, ...]:
    return tuple(sorted(seats))
