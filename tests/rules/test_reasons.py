"""Reasons as values: each rule is met, says whose pawns stand where, and has its words."""

import json
import pickle
import random
from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest

from rules.actions import Move, Throw
from rules.board import HOME, NEST, PLACE_TEXTS, SEAT_LETTERS, place_text
from rules.game import Game, IllegalAction, Phase, at, play
from rules.lines.record import parse_game
from rules.plays.plays import plays_of
from rules.position import parse_position
from rules.questions.explain import explain, try_increment, why_not
from rules.questions.obstacles import find_obstacle
from rules.questions.reasons import Reason, Rule, words
from rules.ruleset import PRESETS, RuleSet, parse_ruleset
from rules.steps import Step, parse_step
from tests.asked import extent
from tests.rules import draw
from tests.rules.claims import Refusal
from tests.rules.editions import RELATIVES
from tests.rules.from_the_texts import Throw as SlowThrow
from tests.rules.from_the_texts import TooManyError
from tests.rules.scenarios import Scenario, read
from tests.rules.test_explain import written

EXPLAINED = read("explain")
# Met under a blockade limit, where a search is cut short, and never: it is there for the reader of
# a reason, who need not ask whether there is one.
ELSEWHERE = {Rule.OVERDUE, Rule.FALLS_SHORT, Rule.NOT_AMONG}


def reason_of(scenario: Scenario) -> Reason | None:
    """Why the last step of a scenario is refused."""
    ruleset = parse_ruleset(scenario["ruleset"])
    position, seat = parse_position(scenario["position"], ruleset), scenario.get("seat", 0)
    *before, refused = map(parse_step, scenario["play"])
    if "doublets" in scenario:
        game, _ = play(at(ruleset, position, seat, scenario["doublets"]), thrown(scenario))
        return why_not(game, refused)
    plays = plays_of(ruleset, position, seat, tuple(scenario["throw"]))
    state = plays.start
    for step in before:
        state = plays.steps(state)[step]
    return find_obstacle(plays, state, refused)


def thrown(scenario: Scenario) -> Throw:
    return Throw(tuple(scenario["throw"]))


def stands(reason: Reason) -> str:
    if reason.seat is None or reason.place is None:
        return ""
    return f"{SEAT_LETTERS[reason.seat]} {place_text(reason.place)}"


def test_a_refused_step_names_its_rule_and_whose_pawns_stand_where() -> None:
    for scenario in EXPLAINED:
        reason = reason_of(scenario)
        assert reason is not None, scenario
        assert reason.rule.name == scenario["rule"], scenario
        assert stands(reason) == scenario.get("stands", ""), scenario


def test_every_rule_is_met() -> None:
    assert {scenario["rule"] for scenario in EXPLAINED} == {
        rule.name for rule in Rule if rule not in ELSEWHERE
    }


def test_a_blockade_that_stood_too_long_is_a_reason() -> None:
    rules = RuleSet(blockade_limit=1)
    position = parse_position("30,12,12,N/-/N,N,N,N/-", rules)
    plays = plays_of(rules, position, 0, (6, 4), overdue=1 << 12)
    state = plays.steps(plays.start)[parse_step("30-36(6)")]
    reason = find_obstacle(plays, state, parse_step("36-40(4)"))
    assert reason == Reason(Rule.OVERDUE)
    assert words(reason) == "a blockade has stood too long and must be broken (house rule)"


def test_where_looking_further_would_take_too_long_the_reason_says_less() -> None:
    rules = PRESETS["sr-1989"]
    position = parse_position("40,30,20,N/-/N,N,N,N/-", rules)
    plays = plays_of(rules, position, 0, (5, 1), most=2)
    assert find_obstacle(plays, plays.start, parse_step("40-45(5)")) == Reason(Rule.FALLS_SHORT)


@pytest.mark.parametrize(
    ("rule", "sources"),
    [
        (Rule.HOME_STAYS, ("S0",)),
        (Rule.SAFETY_HELD, ("S0", "S1", "S2", "S3", "S4", "S5", "S6")),
        (Rule.MUST_ENTER, ("S0", "S4", "S7", "S11")),  # S0 SR v1942, v1989, TR; S4; S7; S11
        (Rule.OTHER_SUM, ("S0", "S1", "S8")),
        (Rule.UNDERSIDE, ("S2",)),  # S2 alone has it
        (Rule.OVERDUE, ()),  # house rule
        (Rule.NOT_THROWN, ()),
    ],
)
def test_a_rule_names_its_sources(rule: Rule, sources: tuple[str, ...]) -> None:
    assert rule.sources == sources


def test_a_reason_is_a_value() -> None:
    barred = Reason(Rule.BARRED, 2, 13, (("where", "on 13 past A"),))
    assert pickle.loads(pickle.dumps(barred)) == barred
    assert hash(barred) == hash(pickle.loads(pickle.dumps(barred)))
    assert words(barred) == "C's blockade on 13 past A bars the way (S0 to S4, S7 to S9)"


def test_why_not_is_asked_of_a_game() -> None:
    game = moving("sr-1989", "10,N,N,N/-/47,47,N,N/-", 6, 2)
    assert why_not(game, parse_step("10-12(2)")) is None
    reason = why_not(game, parse_step("10-16(6)"))
    assert reason is not None
    assert (reason.rule, reason.seat, reason.place) == (Rule.BARRED, 2, 13)
    with pytest.raises(IllegalAction, match="no throw is on the table"):
        why_not(at(game.ruleset, game.position, 0), parse_step("10-16(6)"))


def moving(ruleset: str, position: str, *faces: int) -> Game:
    rules = PRESETS[ruleset]
    return play(at(rules, parse_position(position, rules), 0), Throw(faces))[0]


# --- what a pawn could do with an increment ----------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "position", "faces", "place", "spaces", "answer"),
    [
        ("sr-1989", "10,N,N,N/-/47,47,N,N/-", (6, 2), 10, 2, "10-12(2)"),
        ("sr-1989", "10,N,N,N/-/47,47,N,N/-", (6, 2), 10, 6, Rule.BARRED),
        ("sr-1989", "10,N,N,N/-/47,N,N,N/-", (3, 1), 10, 3, "10-13(3)x"),
        ("royal-2023", "10,N,N,N/-/47,N,N,N/-", (5, 3), 10, 3, "10-13(3)x"),
        ("royal-2023", "10,8,N,N/-/49,N,N,N/-", (5, 5), 10, 5, Rule.MUST_ENTER),
        ("sr-1989", "N,N,N,N/-/N,N,N,N/-", (4, 1), NEST, 4, "N-0(4+1)"),
        ("sr-1989", "N,N,N,N/-/34,34,N,N/-", (4, 1), NEST, 4, Rule.ENTRY_BLOCKED),
        ("sr-1989", "r5,N,N,N/-/N,N,N,N/-", (6, 4), 105, 6, Rule.EXACT_COUNT),
        ("tr-1938", "20,10,N,N/-/N,N,N,N/-", (5, 5), 20, 14, "20-24(4/14)"),
        ("tr-1938", "20,10,N,N/-/N,N,N,N/-", (5, 5), NEST, 14, "N-0(5)"),
        ("tr-1938", "20,10,N,N/-/N,N,N,N/-", (4, 4), NEST, 14, Rule.ONLY_FIVES),
        ("tr-1938", "10,9,N,N/-/47,47,N,N/-", (6, 1), 10, 6, "10-12(6)"),
        ("tr-1938", "10,N,N,N/-/47,47,N,N/-", (6, 1), 10, 6, Rule.WASTES),
        ("mb-total", "H,H,H,r7/-/N,N,N,N/-", (3, 1), 107, 4, "r7-H(1)"),
        ("one-die", "40,9,3,1/-/N,N,N,N/-", (6,), 40, 7, "40-47(7)"),
        ("sr-1989", "H,20,N,N/-/N,N,N,N/-", (6, 4), HOME, 6, Rule.HOME_STAYS),
        ("sr-1989", "H,20,N,N/-/N,N,N,N/-", (6, 4), HOME, 99, Rule.HOME_STAYS),
        ("ludo-de", "r4,20,N,N/-/N,N,N,N/-", (3,), 104, 3, Rule.HOME_STAYS),
        ("ludo-de", "r4,20,N,N/-/N,N,N,N/-", (3,), HOME, 3, Rule.NO_PAWN),
        ("sr-1989", "20,N,N,N/-/N,N,N,N/-", (6, 4), 21, 6, Rule.NO_PAWN),
        ("sr-1989", "20,N,N,N/-/N,N,N,N/-", (6, 4), 20, 99, Rule.NOT_THROWN),
        ("tr-1938", "20,N,N,N/-/N,N,N,N/-", (6, 4), 20, -1, Rule.NOT_THROWN),
    ],
)
def test_a_pawn_with_an_increment_has_a_step_or_a_reason(
    ruleset: str, position: str, faces: tuple[int, ...], place: int, spaces: int, answer: str | Rule
) -> None:
    tried = try_increment(moving(ruleset, position, *faces), place, spaces)
    assert (str(tried) if isinstance(tried, Step) else tried.rule) == answer


def test_a_bonus_is_an_increment_too() -> None:
    game = moving("findler", "r6,10,N,N/-/47,N,N,N/-", 3, 1)
    game, _ = play(game, Move(parse_step("10-13(3)x")))
    assert try_increment(game, 13, 20, bonus=True) == parse_step("13-33(20)")
    tried = try_increment(game, NEST, 20, bonus=True)
    assert isinstance(tried, Reason)
    assert tried.rule is Rule.BONUS_ENTERS


# --- drawn -------------------------------------------------------------------------------------


def drawn(rng: random.Random, count: int) -> list[Game]:
    """Games with a throw on the table, by house rules, some steps into the play."""
    games: list[Game] = []
    while len(games) < count:
        request = draw.request(rng, draw.house_rules(rng))
        game = parse_game(json.dumps(request))
        if game.phase is Phase.MOVE:
            games.append(some_steps_on(game, rng))
    return games


def some_steps_on(game: Game, rng: random.Random) -> Game:
    while game.steps and rng.random() < 0.5:
        after, _ = play(game, Move(rng.choice(sorted(game.steps))))
        if after.phase is not Phase.MOVE:
            break
        game = after
    return game


@pytest.mark.soak
def test_every_refused_step_has_a_reason_whose_words_are_the_line_that_explains_it() -> None:
    for game in drawn(random.Random(9), extent(30, soak=300)):
        plays, state = game.plays
        for step in written(plays.stepper, state):
            reason = why_not(game, step)
            assert (reason is None) == (step in game.steps)
            if reason is not None:
                assert words(reason) == explain(game, str(step))
                assert reason.rule is not Rule.NOT_AMONG


@pytest.mark.soak
def test_a_pawn_has_a_reason_only_where_no_step_spends_the_increment() -> None:
    for game in drawn(random.Random(10), extent(100, soak=1000)):
        dice = [(spaces, False) for spaces, spent in game.increments if not spent]
        for spaces, bonus in [*dice, *((spaces, True) for spaces in game.bonuses)]:
            for place in set(game.position[game.seat]) - {HOME}:
                tried = try_increment(game, place, spaces, bonus)
                alike = [s for s in game.steps if (s.origin, s.spent) == (place, str(spaces))]
                if isinstance(tried, Reason):
                    assert alike == []
                else:
                    assert tried in game.steps
                    assert tried.origin == place
                    assert tried in alike or not alike


LUDO = {"S9", "S10", "S11", "S12", "S13", "S14", "S15"}
OTHERS = {"parchis": {"S7", "S8"}, "pachisi": {"S5", "S6"}}
# What no source of the relatives says: rulings, and that a touch-down is a rule of others.
UNSAID = {Rule.HOME_STAYS, Rule.PAIR_TOGETHER, Rule.WASTES, Rule.NO_TOUCH_DOWN}


@pytest.mark.soak
@pytest.mark.parametrize("preset", RELATIVES)
def test_a_reason_in_a_game_of_a_family_cites_a_source_of_that_family(preset: str) -> None:
    rng, family = random.Random(preset), OTHERS.get(preset.partition("-")[0], LUDO)
    for refusal in refusals(rng, extent(30, soak=200), preset):
        sources = set(refusal.reason.rule.sources)
        assert not sources or sources & family or refusal.reason.rule in UNSAID, refusal


def refusals(rng: random.Random, count: int, preset: str | None = None) -> Iterator[Refusal]:
    """Refused steps of drawn plays, two of each rule at most; None means house rules."""
    for _ in range(count):
        ruleset = preset or draw.house_rules(rng)
        request = draw.request(rng, ruleset) | {"doublets": 0}
        try:
            slow = SlowThrow(request, 400)
        except TooManyError:
            continue
        game = some_steps_on(parse_game(json.dumps(request)), rng)
        made, met = list(map(str, game.made)), Counter[Rule]()
        steps = sorted(written(game.plays[0].stepper, game.plays[1]) - set(game.steps))
        for step in rng.sample(steps, len(steps)):
            reason = why_not(game, step)
            assert reason is not None
            met[reason.rule] += 1
            if met[reason.rule] <= 2:
                yield Refusal(request, slow, made, step, reason)


def test_every_place_and_number_has_a_step_or_a_reason() -> None:
    for preset in PRESETS:
        request = draw.request(random.Random(preset), preset) | {"doublets": 0}
        game = parse_game(json.dumps(request))
        for place, spaces, bonus in product(PLACE_TEXTS, (-1, 0, 1, 5, 14, 99), (False, True)):
            assert isinstance(try_increment(game, place, spaces, bonus), Step | Reason)


@pytest.mark.soak
def test_the_rule_that_a_reason_names_stops_the_step() -> None:
    met = set[Rule]()
    for refusal in refusals(random.Random(11), extent(100, soak=1500)):
        assert refusal.holds, refusal
        met.add(refusal.reason.rule)
    assert len(met) > 20  # 30 or 31: a new edition changes what is drawn
