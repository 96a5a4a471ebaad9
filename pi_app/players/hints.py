"""Finds the best step of a throw, and the reason for it. It does not write texts or draw screens.

To find the reason, it compares the best play with the best play that the step rules out. Each
possible reason is about a difference between the positions at the end of the two plays. If several
reasons are true, it gives the one with the greatest effect. To find the effect, it takes the
features and places after the best play. It replaces those of the reason by what they are after the
other play. The effect is how much the seat's chance falls.
"""

from collections.abc import Callable
from typing import NamedTuple

from pi_app.model.hint_reasons import HintReason, Kind
from pi_app.players.choosing import GRACE_POINT, onward_ends, rate_plays
from pi_app.players.features import (
    DIE_REACH,
    FEATURE_NAMES,
    RingPawns,
    SeatFeatures,
    feature_extractor,
)
from pi_app.players.play_ends import PlayEnd, play_ends
from pi_app.players.reach import all_throws
from pi_app.players.value import Judge, Seen
from rules import (
    NEST,
    ROW,
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
from rules.board import board
from rules.position import PAWNS

ONLY_STEP = HintReason("only-step")
NOTHING_LOST = HintReason("nothing-lost")  # every other play is still possible after the step
ANOTHER_AS_GOOD = HintReason("another-as-good")
BETTER_IN_ALL = HintReason("better-in-all")
NamedFeatures = dict[str, float]  # by `FEATURE_NAMES`, in their order
EQUAL_CHANCES = 0.0005  # two chances to win count as equal if they differ by less


class Hint(NamedTuple):
    """The best step, and the reason for it.

    step: as text, or "" if it is best not to use the rest of the throw.
    """

    step: str
    reason: HintReason


class PlayResult(NamedTuple):
    """The end of a play.

    features: the features of each seat. inputs: the network's inputs for the places of its pawns.
    throws_against: the throws with which others capture one of the seat's pawns, as bits.
    throws_for: the throws with which the seat captures one of theirs, as bits.
    stuck: how many of its pawns have another seat's blockade at most 6 spaces ahead.
    """

    position: Position
    features: dict[int, NamedFeatures]
    inputs: dict[int, tuple[int, ...]]
    throws_against: int
    throws_for: int
    stuck: int


class HintCase(NamedTuple):
    """Two plays to compare.

    game: the game before the plays. steps: the steps of the best play.
    best, other: the results of the best play and of the other play.
    """

    game: Game
    steps: tuple[Step, ...]
    best: PlayResult
    other: PlayResult

    @property
    def seat(self) -> int:
        """The seat that plays."""
        return self.game.seat

    def difference(self, count: Callable[[PlayResult], float]) -> float:
        """Return how much more is counted after the best play than after the other."""
        return count(self.best) - count(self.other)

    def feature_difference(self, *names: str) -> float:
        """Return how much more the seat has of the sum of features after the best play."""
        return self.difference(lambda end: sum(end.features[self.seat][name] for name in names))


def find_hint(game: Game, judge: Judge | None) -> Hint:
    """Return the best step of a throw and its reason. Without a judge, the bot `grace` chooses it.

    Raises IllegalAction if there is no step to choose.
    """
    if game.phase is not Phase.MOVE or not game.steps:
        raise IllegalAction(f"there is nothing to choose: the game is at {game.phase}")
    plays = rate_plays(game, judge, play_ends(game))
    onward = onward_ends(game, [rated_play.end for rated_play in plays])
    best = max((one for one in plays if one.end in onward), key=lambda one: one.worth)
    steps = steps_to(game, best.end.ending)
    step = str(steps[0]) if steps else ""
    still_possible = {best.end.outcome}
    if steps:
        after, _ = play(game, Move(steps[0]))
        if goes_on(game, after):
            still_possible = {end.outcome for end in play_ends(after)}
    others = [rated_play for rated_play in plays if rated_play.end.outcome not in still_possible]
    if not others:
        has_choice = len(game.steps) + game.may_stop > 1
        return Hint(step, NOTHING_LOST if has_choice else ONLY_STEP)
    other = max(others, key=lambda rated_play: rated_play.worth)
    if best.worth - other.worth < (EQUAL_CHANCES if judge else GRACE_POINT):
        return Hint(step, ANOTHER_AS_GOOD)
    results = (_play_result(game, rated_play.end) for rated_play in (best, other))
    return Hint(step, _find_reason(judge, HintCase(game, steps, *results)))


def _play_result(game: Game, play_end: PlayEnd) -> PlayResult:
    position, first = play_end.outcome
    extractor = feature_extractor(game.ruleset)
    order = extractor.turn_order(position, first)
    seats = [extractor.seat_features(seat, position[seat]) for seat in order]
    own_index, throws_against, throws_for = order.index(game.seat), 0, 0
    own, ring_pawns = seats[own_index], RingPawns(seats)
    barriers = ring_pawns.barriers & ~own.barriers
    stuck = sum(barriers >> one.next_space & one.way & DIE_REACH > 0 for one in own.outlooks)
    for hunter, hunted, contact in extractor.find_contacts(ring_pawns):
        throws_against |= contact.throws if hunted == own_index else 0
        throws_for |= contact.throws if hunter == own_index else 0
    computed = extractor.compute_features(position, order)
    features = {
        seat: dict(zip(FEATURE_NAMES, values, strict=True))
        for seat, values in zip(order, computed, strict=True)
    }
    inputs = {seat: one.inputs for seat, one in zip(order, seats, strict=True)}
    return PlayResult(position, features, inputs, throws_against, throws_for, stuck)


def _find_reason(judge: Judge | None, case: HintCase) -> HintReason:
    """Return the true reason with the greatest effect, or the first true one without a judge."""
    if case.seat in feature_extractor(case.game.ruleset).find_winners(case.best.position):
        return HintReason("wins")
    greatest, reason = -1.0, BETTER_IN_ALL
    for possible in POSSIBLE_REASONS:
        candidate = possible.find(case)
        if candidate and judge is None:
            return candidate
        if candidate and judge is not None:
            features, inputs = {}, {}
            for seat, best in case.best.features.items():
                names = possible.own_features if seat == case.seat else possible.other_features
                other, changed = case.other.features[seat], set(names) - {PLACES}
                features[seat] = best | {name: other[name] for name in changed}
                inputs[seat] = (case.other if PLACES in names else case.best).inputs[seat]
            mixed = case.best._replace(features=features, inputs=inputs)
            effect = _chance(judge, case.best, case.seat) - _chance(judge, mixed, case.seat)
            if effect > greatest:
                greatest, reason = effect, candidate
    return reason


# --- one function for each reason; it returns None if the reason is not true ----------------------


def _find_capture(case: HintCase) -> HintReason | None:
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
    return HintReason("captures" if at_once else "captures-later", tuple(sorted(captured)))


def _find_coming_home(case: HintCase) -> HintReason | None:
    finished = feature_extractor(case.game.ruleset).finished
    more = case.difference(lambda end: sum(place in finished for place in end.position[case.seat]))
    at_once = case.steps and case.steps[0].target in finished
    return HintReason("brings-home") if more > 0 and at_once else None


def _find_entry(case: HintCase) -> HintReason | None:
    more = case.difference(lambda end: _count(end, case.seat, NEST))
    at_once = case.steps and case.steps[0].origin == NEST
    return HintReason("gets-out") if more < 0 and at_once else None


def _find_lower_risk(case: HintCase) -> HintReason | None:
    fewer = case.other.throws_against.bit_count() - case.best.throws_against.bit_count()
    if fewer > 0:
        return HintReason("safer", many=fewer, of=len(all_throws(case.game.ruleset)))
    less = case.feature_difference("stake_soon", "stake_later") < 0
    return HintReason("less-to-lose") if less else None


def _find_blockade(case: HintCase) -> HintReason | None:
    if case.game.ruleset.passing == "none":  # each pawn bars the way there
        return None
    before = _seat_features(case.game, case.game.position).barriers
    best, other = (
        _seat_features(case.game, end.position).barriers for end in (case.best, case.other)
    )
    if before & best & ~other:
        return HintReason("keeps-blockade")
    makes_more = best & ~before & ~other and best.bit_count() > other.bit_count()
    return HintReason("makes-blockade") if makes_more else None


def _find_free_way(case: HintCase) -> HintReason | None:
    freer = case.game.ruleset.passing != "none" and case.difference(lambda end: end.stuck) < 0
    return HintReason("not-stuck") if freer else None


def _find_safe_spaces(case: HintCase) -> HintReason | None:
    safe = feature_extractor(case.game.ruleset).safe_bits

    def count_safe(end: PlayResult) -> int:
        outlooks = _seat_features(case.game, end.position).outlooks
        return sum(outlook.bit & safe > 0 for outlook in outlooks)

    return _counted_reason("more-on-safe-spaces", case.difference(count_safe))


def _find_home_row(case: HintCase) -> HintReason | None:
    finished = feature_extractor(case.game.ruleset).finished

    def count_in_row(end: PlayResult) -> int:
        return sum(place > ROW and place not in finished for place in end.position[case.seat])

    if case.difference(count_in_row) > 0:
        return HintReason("into-home-row")
    more = case.feature_difference("finish") * len(all_throws(case.game.ruleset))
    return _counted_reason("more-throws-bring-home", more)


def _find_progress(case: HintCase) -> HintReason | None:
    """Compare the spaces to home of the seat's pawns outside the nest.

    Compare their sums first. If these are equal, compare the last pawn, and then the first pawn.
    """
    to_go = board(case.game.ruleset.layout).to_go
    best, other = (
        sorted(to_go[place] for place in end.position[case.seat] if place != NEST)
        for end in (case.best, case.other)
    )
    if len(best) != len(other):
        return None
    if sum(best) != sum(other):
        return _counted_reason("farther", sum(other) - sum(best))
    if best[-1] < other[-1]:
        return HintReason("brings-last-on")
    return HintReason("brings-first-on") if best[0] < other[0] else None


class PossibleReason(NamedTuple):
    """A possible reason, and the features that belong to it.

    own_features: names of features of the seat that plays, and `PLACES` for those of its pawns.
    other_features: the same of the other seats.
    find: returns the reason, or None if it is not true in a case.
    """

    own_features: tuple[str, ...]
    other_features: tuple[str, ...]
    find: Callable[[HintCase], HintReason | None]


PLACES = "places"
RISKS = ("risk_soon", "stake_soon", "risk_later", "stake_later")
HUNTS = ("hunt_soon", "hunt_later")
BEHIND = ("behind_14", "behind_30", "behind_far", "none_behind", "race_none_behind")
RACE = ("race", "race_not_stuck", "race_free", "race_few", "settled")
STUCK = ("tempo", "tempo_all", "stuck", "all_stuck", "stuck_to_go", "least_tempo", "less_tempo")
HELD = ("held", "leader_held")
POSSIBLE_REASONS = (
    PossibleReason(RACE, (PLACES, *RACE), _find_capture),
    PossibleReason((PLACES, *RACE), RACE, _find_coming_home),
    PossibleReason((PLACES, *RACE), RACE, _find_entry),
    PossibleReason(RISKS, HUNTS, _find_lower_risk),
    PossibleReason(
        HUNTS,
        RISKS,
        lambda case: _counted_reason(
            "more-throws-capture", case.difference(lambda end: end.throws_for.bit_count())
        ),
    ),
    PossibleReason((PLACES, *HELD), STUCK, _find_blockade),
    PossibleReason((PLACES, *STUCK), HELD, _find_free_way),
    PossibleReason((PLACES,), (), _find_safe_spaces),
    PossibleReason((PLACES, "finish"), (), _find_home_row),
    PossibleReason(
        BEHIND,
        (),
        lambda case: _counted_reason("fewer-behind", -PAWNS * case.feature_difference("behind_14")),
    ),
    PossibleReason((PLACES, *RACE), RACE, _find_progress),
)


def _seat_features(game: Game, position: Position) -> SeatFeatures:
    return feature_extractor(game.ruleset).seat_features(game.seat, position[game.seat])


def _chance(judge: Judge, end: PlayResult, seat: int) -> float:
    return judge.chances_of(
        {one: Seen(end.inputs[one], tuple(found.values())) for one, found in end.features.items()}
    )[seat]


def _count(end: PlayResult, seat: int, place: int) -> int:
    return end.position[seat].count(place)


def _counted_reason(kind: Kind, many: float) -> HintReason | None:
    return HintReason(kind, many=round(many)) if round(many) > 0 else None
