"""The players of Pachisi: cowries, the way out, stopping early, and sides."""

import random

import pytest

from pi_app.model.reviews import review_questions
from pi_app.players.bearoff import TURNS, race_of_sides
from pi_app.players.choosing import LEVELS, choose
from pi_app.players.features import FEATURE_NAMES, feature_extractor
from pi_app.players.hints import find_hint
from pi_app.players.play_ends import play_ends
from pi_app.players.review import review_throw
from pi_app.players.tables import load_judge
from rules import (
    NEST,
    PRESETS,
    Game,
    Move,
    Phase,
    Record,
    RuleSet,
    Stop,
    Throw,
    at,
    enter,
    new_game,
    parse_position,
    play,
)
from rules.increments import throws

MITRA, MODERN = PRESETS["pachisi-mitra"], PRESETS["pachisi-modern"]
BOTH = pytest.mark.parametrize("ruleset", [MITRA, MODERN])
WAITING = "N,N,N,N"
NEVER, AT_ONCE = (0.0,) * TURNS, (1.0,) * TURNS


def thrown(ruleset: RuleSet, text: str, up: int, seat: int = 0) -> Game:
    """Return the game with a throw of cowries on the table."""
    return play(at(ruleset, parse_position(text, ruleset), seat), Throw((up,)))[0]


def draw(dice: random.Random) -> Throw:
    """Return a throw of six cowries."""
    return Throw((dice.getrandbits(6).bit_count(),))


def test_pawns_on_the_way_out_see_what_is_ahead_on_the_ring() -> None:
    """B's pawn on ring space 27 is ahead of A's on the way out, and of its nest."""
    extractor = feature_extractor(MITRA)
    position = parse_position(f"3,o7,o1,N/6,N,N,N/{WAITING}/{WAITING}", MITRA)
    found = extractor.compute_features(position, (0, 1, 2, 3))
    mine, theirs = (dict(zip(FEATURE_NAMES, one, strict=True)) for one in found[:2])
    assert [mine[name] for name in ("ahead_14", "ahead_30", "ahead_far")] == [0, 0.75, 0]
    assert [theirs[name] for name in ("behind_30", "nests_20", "nests_far")] == [
        0.75,
        0,
        2.25,
    ]


@BOTH
def test_a_grace_takes_a_pawn_off_the_last_space(ruleset: RuleSet) -> None:
    extractor = feature_extractor(ruleset)
    position = parse_position(f"r7,N,N,N/{WAITING}/{WAITING}/{WAITING}", ruleset)
    found = extractor.compute_features(position, (0, 1, 2, 3))[0][FEATURE_NAMES.index("finish")]
    graces = sum(one.weight for one in throws(ruleset) if one.grace)
    assert found == graces / 64


def test_a_side_finishes_with_its_later_seat() -> None:
    assert race_of_sides([AT_ONCE, NEVER, NEVER, NEVER]) == [0.25] * 4
    assert race_of_sides([AT_ONCE, NEVER, AT_ONCE, AT_ONCE]) == [0.5, 0, 0.5, 0]


def test_partners_share_their_chance() -> None:
    position = parse_position(f"60,20,N,N/{WAITING}/40,N,N,N/10,N,N,N", MODERN)
    found = load_judge(MODERN).chances(position, 1)
    assert sum(found.values()) == pytest.approx(1)
    assert found[0] == found[2] > found[1] == found[3]


def test_a_side_has_won_with_both_of_its_seats() -> None:
    judge = load_judge(MODERN)
    half = parse_position(f"H,H,H,H/{WAITING}/20,N,N,N/r1,r1,N,N", MODERN)
    whole = parse_position(f"H,H,H,H/{WAITING}/H,H,H,H/r1,r1,N,N", MODERN)
    assert 0 < judge.chances(half, 1)[0] < 0.5
    assert judge.chances(whole, 2) == {0: 0.5, 1: 0, 2: 0.5, 3: 0}


def test_after_a_seat_has_finished_the_next_one_throws_and_its_pawns_stay() -> None:
    game = thrown(MODERN, f"H,H,H,r7/{WAITING}/20,N,N,N/{WAITING}", 1)
    done = next(end for end in play_ends(game) if end.ending.wins)
    assert done.position[0] == feature_extractor(MODERN).finished
    assert done.first == 1
    assert feature_extractor(MODERN).find_winners(done.position) == ()


@BOTH
def test_a_play_may_stop_before_it_leaves_a_fort(ruleset: RuleSet) -> None:
    """A's only pawn on the board is safe on 64; two spaces on, three pawns reach it."""
    game = thrown(ruleset, f"64,N,N,N/46,45,N,N/{WAITING}/10,N,N,N", 2)
    assert game.may_stop
    assert choose(game, load_judge(ruleset)) == (Stop(),)


@BOTH
@pytest.mark.parametrize("level", LEVELS)
def test_every_level_brings_pawns_out(ruleset: RuleSet, level: str) -> None:
    dice, judge = random.Random(level), load_judge(ruleset)
    game = at(ruleset, new_game(ruleset, range(4)).position, 0)
    for _ in range(100):
        if game.phase is Phase.OVER:
            break
        game, _ = play(game, draw(dice))
        for action in choose(game, judge, level, dice.random()):
            game, _ = play(game, action)
    assert any(set(pawns) != {NEST} for pawns in game.position)


@BOTH
def test_hints_luck_and_losses_work_to_the_end_of_a_game(ruleset: RuleSet) -> None:
    """From a late position, with seats that play anything at all."""
    late = "H,H,r7,60/H,H,r3,64/H,r7,r7,r1/H,H,r5,62"
    dice, judge = random.Random(1), load_judge(ruleset)
    record = Record(at(ruleset, parse_position(late, ruleset), 0), host=0)
    while record.game.phase is not Phase.OVER:
        game = record.game
        if game.phase is Phase.THROW:
            record, _ = enter(record, draw(dice))
            continue
        assert find_hint(game, judge).step in ["", *map(str, game.steps)] if game.steps else True
        actions: list[Move | Stop] = [*map(Move, game.steps), *[Stop()] * game.may_stop]
        record, _ = enter(record, dice.choice(actions))
    questions = review_questions(record)
    reviews = [review_throw(question) for question in questions]
    assert all(review.given_away >= 0 for review in reviews)
    last = {seat: chance for seat, chance in enumerate(reviews[-1].chances) if chance}
    assert last == dict.fromkeys(record.game.winners, 1)


def test_luck_losses_and_chances_of_partners_are_those_of_their_side() -> None:
    """A could bring its last pawn home by 2, and stopped instead."""
    rules, judge = MODERN, load_judge(MODERN)
    position = parse_position("H,H,H,r6/60,N,N,N/H,H,H,r6/64,N,N,N", rules)
    record, _ = enter(Record(at(rules, position, 0), host=0), Throw((2,)))
    before = record.game
    record, _ = enter(record, Stop())
    (question,) = review_questions(record)
    review = review_throw(question)
    after = judge.chances(position, 1)
    assert review.chances == pytest.approx((2 * after[0], 2 * after[1]) * 2)
    home, _ = play(before, choose(before, judge)[0])
    best = judge.chances(home.position, 1)[0]
    assert review.given_away == pytest.approx(200 * (best - after[0]))
