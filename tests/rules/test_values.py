"""A game is a value at any moment: it is pickled, copied, compared and has a key."""

import copy
import pickle
import random
from collections import Counter
from collections.abc import Callable
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.actions import Throw
from rules.game import Game, Phase, new_game, play
from rules.ruleset import PRESETS, RuleSet
from tests.asked import extent
from tests.rules.moments import KINDS, after, any_rules, choices, moments, placed

kinds = pytest.mark.parametrize(("preset", "house"), KINDS[:: extent(11, soak=1)])
seeds = st.integers(0, 2**32)


def plays_on_alike(one: Game, other: Game) -> bool:
    """Whether two games offer the same and answer each action by equal games and equal facts."""
    rng, again = random.Random(1), random.Random(1)
    offered = choices(one, rng)
    return offered == choices(other, again) and all(
        play(one, action) == play(other, action) for action in offered
    )


@pytest.mark.slow
@pytest.mark.soak
@kinds
def test_a_game_is_pickled_at_any_moment_and_plays_on_alike(preset: str, house: str) -> None:
    for game in moments(preset, house):
        loaded = pickle.loads(pickle.dumps(game))
        assert loaded == game
        assert plays_on_alike(loaded, game)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_game_is_copied_at_any_moment(copied: Callable[[Game], Game]) -> None:
    for game in moments("royal-2023", "both, overtaking"):
        assert copied(game) == game
        assert plays_on_alike(copied(game), game)


def test_a_pickled_game_is_short_though_a_throw_was_searched() -> None:
    """The boards' tables, 60 kB and more, are not pickled with it."""
    game = after(placed("40,30,20,10/40,30,20,10/-/-", PRESETS["sca"]), "throw 4 4")
    assert len(game.steps) > 5
    assert len(pickle.dumps(game)) < 2500


@pytest.mark.slow
@given(seed=seeds)
def test_under_house_rules_games_are_pickled_too(seed: int) -> None:
    for game in any_rules(seed):
        loaded = pickle.loads(pickle.dumps(game))
        assert loaded == game
        assert plays_on_alike(loaded, game)


def test_games_that_owe_different_bonuses_differ() -> None:
    """B had one pawn overtaken and one captured, or only the second: it looks the same after."""
    ruleset = RuleSet(overtaking_captures=True)
    two, one = (
        after(placed(f"20,N,N,N/{b}/-/-", ruleset), "throw 3 1", "move 20-23(3)x")
        for b in ("6,5,N,N", "6,N,N,N")
    )
    assert (two.bonuses, one.bonuses) == ((20, 20), (20,))
    assert (two.position, two.made) == (one.position, one.made)
    assert two != one
    assert two.key != one.key


def test_a_key_leaves_out_the_counts() -> None:
    game = after(placed("12,3,N,N/-/N,N,N,N/-", PRESETS["sr-1942"]), "throw 5 3")
    assert game._replace(turns=80, throws=200).key == game.key
    assert hash(game.key) == hash(game._replace(turns=80).key)


def test_a_key_leaves_out_the_order_of_steps_that_come_to_the_same() -> None:
    game = placed("30,20,10,N/-/N,N,N,N/-", RuleSet(doublet_spaces="four"))
    steps = ["move 30-32(2)", "move 20-22(2)", "move 10-15(5)"]
    keys = {after(game, "throw 2 2", *order).key for order in permutations(steps)}
    assert len(keys) == 1
    assert after(game, "throw 1 2").key == after(game, "throw 2 1").key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"seat": 2}, {}),
        ({"doublets": 1}, {}),
        ({"doublets": 1}, {"doublets": 2}),
        ({"places": (2,)}, {}),
        ({"ruleset": PRESETS["pb"]}, {}),
    ],
)
def test_a_key_differs_where_something_else_follows(
    one: dict[str, object], other: dict[str, object]
) -> None:
    game = placed("12,3,N,N/-/N,N,N,N/-", PRESETS["sr-1942"])
    assert game._replace(**one).key != game._replace(**other).key  # type: ignore[arg-type]


def test_doublets_after_the_second_have_one_key_as_have_blockades_overdue() -> None:
    game = placed("12,12,N,N/-/N,N,N,N/-", RuleSet(blockade_limit=2))
    (standing,) = game.standing
    overdue = [game._replace(standing=(standing._replace(turns=n),)).key for n in (1, 2, 3)]
    assert overdue[0] != overdue[1] == overdue[2]
    assert game._replace(doublets=2).key == game._replace(doublets=7).key


@pytest.mark.slow
@given(seed=seeds)
def test_games_with_equal_keys_play_on_to_equal_keys(seed: int) -> None:
    """After every two actions, in each order: what has one key is held against one another."""
    met: dict[object, Game] = {}
    for game in any_rules(seed, actions=4):
        for later in actions_on(actions_on([game])):
            same = met.setdefault(later.key, later)
            rng, again = random.Random(2), random.Random(2)
            for one, other in zip(choices(same, rng), choices(later, again), strict=True):
                (here, facts), (there, others) = play(same, one), play(later, other)
                assert here.key == there.key
                assert facts == others


def actions_on(games: list[Game]) -> list[Game]:
    """Up to 40 games that any action leads to."""
    rng = random.Random(3)
    return [play(game, action)[0] for game in games for action in choices(game, rng)][:40]


def test_a_game_that_has_begun_no_longer_knows_what_was_thrown_for_it() -> None:
    game = new_game(RuleSet(), (0, 2))
    begun = after(game, "throw 5 3", "throw 1 1")
    assert begun.key == after(game, "throw 6 6", "throw 6 5").key
    assert play(begun, Throw((1, 2)))[0].phase is Phase.MOVE


@pytest.mark.slow
def test_the_moments_hold_every_phase_and_plays_half_made() -> None:
    met = [game for kind in KINDS for game in moments(*kind)]
    phases = Counter(game.phase for game in met)
    assert set(phases) == set(Phase)
    assert min(phases.values()) >= 8
    assert sum(bool(game.made) for game in met) > 500
    assert sum(bool(game.bonuses) for game in met) > 100
    assert sum(len(game.order_throws) > 0 for game in met) > 20
    assert sum(len(game.places) > 1 for game in met) > 5
    assert sum(any(standing.turns for standing in game.standing) for game in met) > 100
