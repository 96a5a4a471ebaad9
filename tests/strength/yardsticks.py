"""The players that a value is measured against, and itself, each as what picks among ends."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from pi_app.players.choosing import pick
from pi_app.players.features import RingPawns, feature_extractor
from pi_app.players.grace import grace_value
from pi_app.players.play_ends import PlayEnd
from pi_app.players.thumb import thumb_value
from pi_app.players.value import Judge, Value
from rules import NEST, RuleSet
from rules.position import PAWNS
from tests.strength.games import Picker

NESTED = 30  # spaces that a nested pawn counts as farther than its entry, for who only races


def by_value(ruleset: RuleSet, value: Value, level: str = "strong") -> Picker:
    """Pick as a player of this level at the table."""
    judge, eyes = Judge(value, ruleset), feature_extractor(ruleset)
    return lambda found, seat, chance: pick(eyes, found, seat, judge, level, chance)


def grace(ruleset: RuleSet) -> Picker:
    """Pick as the player that the table falls back on."""
    eyes = feature_extractor(ruleset)

    def worth(end: PlayEnd, seat: int) -> float:
        return grace_value(eyes, end, seat)

    return best_by(worth)


def race(ruleset: RuleSet) -> Picker:
    """Pick what leaves the fewest spaces to go."""
    eyes = feature_extractor(ruleset)

    def spaces(end: PlayEnd, seat: int) -> float:
        return -eyes.seat_features(seat, end.position[seat]).to_go - NESTED * end.position[
            seat
        ].count(NEST)

    return best_by(spaces)


def careful(ruleset: RuleSet) -> Picker:
    """Pick what leaves the fewest throws that capture, and of those what has come farthest."""
    return best_by(_safety(ruleset))


def _safety(ruleset: RuleSet) -> Callable[[PlayEnd, int], tuple[float, ...]]:
    """Return what rates an end: by the throws that capture, then by the spaces to go."""
    eyes = feature_extractor(ruleset)

    def safety(end: PlayEnd, seat: int) -> tuple[float, ...]:
        order = eyes.turn_order(end.position, end.first)
        sides = [eyes.seat_features(other, end.position[other]) for other in order]
        mine = order.index(seat)
        risk = sum(
            found.captures
            for _, other, found in eyes.find_contacts(RingPawns(sides))
            if other == mine
        )
        return -risk, -sides[mine].to_go

    return safety


def thumb(ruleset: RuleSet) -> Picker:
    """Pick by the rule of thumb: bring home, capture, enter, be safest, go on."""
    eyes, careful_by = feature_extractor(ruleset), _safety(ruleset)

    def delight(end: PlayEnd, seat: int) -> tuple[float, ...]:
        own = end.position[seat]
        home = sum(place in eyes.finished for place in own)
        nested = [pawns.count(NEST) for pawns in end.position]
        captured = sum(nested) - nested[seat]
        return home, captured, -nested[seat], *careful_by(end, seat)

    return best_by(delight)


def spaces(ruleset: RuleSet) -> Picker:
    """Pick as bots do that have no table of weights."""
    return best_by(lambda end, seat: thumb_value(ruleset, end.position, seat))


def at_random(found: Sequence[PlayEnd], _: int, chance: float) -> PlayEnd:
    """Pick any."""
    return found[int(chance * len(found))]


def best_by(worth: Callable[[PlayEnd, int], float | tuple[float, ...]]) -> Picker:
    """Pick the first of those that are worth most."""

    def pick(found: Sequence[PlayEnd], seat: int, _: float) -> PlayEnd:
        return max(found, key=lambda end: worth(end, seat))

    return pick


YARDSTICKS: dict[str, Callable[[RuleSet], Picker]] = {
    "grace": grace,
    "race": race,
    "careful": careful,
    "thumb": thumb,
    "spaces": spaces,
    "alone": lambda ruleset: spaces(replace(ruleset, partners=False)),
    "all-home": lambda ruleset: spaces(replace(ruleset, to_win=PAWNS)),
    "random": lambda _: at_random,
}
