"""What can come of a game: throws with weights, and complete plays with the games after them."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.actions import Move, Stop
from rules.game import Game, IllegalAction, Phase, at, new_game, play
from rules.increments import throws
from rules.lines.analyse import answer
from rules.plays.grant import GrantStepper
from rules.plays.plays import Plays
from rules.plays.situation import State, Successor
from rules.position import format_position, parse_position
from rules.questions.lookahead import complete_plays
from rules.ruleset import PRESETS, RuleSet
from rules.steps import Step
from tests.rules import draw
from tests.rules.editions import PARCHEESI
from tests.rules.moments import after, any_rules, placed

seeds = st.integers(0, 2**32)


def listed(game: Game) -> dict[str, str]:
    """The complete plays as text, and the position after each."""
    return {
        " ".join(map(str, steps)): format_position(later.position)
        for steps, later in complete_plays(game)
    }


def made(game: Game, steps: tuple[Step, ...]) -> Game:
    """The game after a complete play, its end said where the last step did not end it."""
    throw = game.throws
    for step in steps:
        game, _ = play(game, Move(step))
    standing_there = game.throws == throw and game.phase in (Phase.MOVE, Phase.PENALTY)
    return play(game, Stop())[0] if standing_there else game


# --- throws ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("dice", "count"), [(1, 6), (2, 21)])
def test_throws_are_weighed_as_the_dice_fall(dice: int, count: int) -> None:
    every = [tuple(sorted(faces, reverse=True)) for faces in product(range(1, 7), repeat=dice)]
    found = throws(RuleSet(), dice)
    assert len(found) == count
    assert {one.faces: one.weight for one in found} == {
        faces: every.count(faces) for faces in every
    }
    assert all(one.value == sum(one.faces) and not one.grace for one in found)


@pytest.mark.parametrize("dice", [0, 3, -1])
def test_other_numbers_of_dice_have_no_throws(dice: int) -> None:
    with pytest.raises(ValueError, match=f"no throws of {dice} dice: one or two"):
        throws(RuleSet(), dice)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_game_takes_each_of_its_throws(preset: str) -> None:
    game = new_game(PRESETS[preset], range(4))
    game = after(game, "choose 0") if game.phase is Phase.STARTER else game
    for one in throws(game.ruleset, game.dice):
        assert after(game, f"throw {' '.join(map(str, one.faces))}").throws == 1


def test_a_throw_tells_whether_it_goes_on() -> None:
    doublets = [one.faces for one in throws(PRESETS["parchis-two"]) if one.goes_on]
    assert doublets == [(n, n) for n in range(1, 7)]
    assert [one.faces for one in throws(PRESETS["ludo-uk"]) if one.goes_on] == [(6,)]
    modern = PRESETS["pachisi-modern"]
    assert [one.value for one in throws(modern)] == [25, 10, 2, 3, 4, 5, 6]
    assert [one.weight for one in throws(modern)] == [1, 6, 15, 20, 15, 6, 1]
    assert [one.faces for one in throws(modern) if one.goes_on and one.grace] == [(0,), (1,), (6,)]


# --- complete plays --------------------------------------------------------------------------


def test_the_plays_of_a_throw_are_given_with_the_games_after_them() -> None:
    game = after(placed("12,3,N,N/-/N,N,N,N/-", PRESETS["sr-1942"]), "throw 5 3")
    assert listed(game) == {
        "N-0(5) 0-3(3)": "12,3,3,N/-/N,N,N,N/-",
        "N-0(5) 3-6(3)": "12,6,0,N/-/N,N,N,N/-",
        "N-0(5) 12-15(3)": "15,3,0,N/-/N,N,N,N/-",
    }
    assert {(later.phase, later.seat) for _, later in complete_plays(game)} == {(Phase.THROW, 2)}


def test_of_plays_that_come_to_the_same_one_is_given() -> None:
    game = after(placed("30,10,N,N/-/N,N,N,N/-", RuleSet(entry_by="die")), "throw 2 1")
    assert sorted(listed(game).values()) == [
        "30,13,N,N/-/N,N,N,N/-",
        "31,12,N,N/-/N,N,N,N/-",
        "32,11,N,N/-/N,N,N,N/-",
        "33,10,N,N/-/N,N,N,N/-",
    ]


def test_a_bonus_is_part_of_the_play_that_earned_it() -> None:
    game = after(placed("20,N,N,N/6,N,N,N/-/-", PRESETS["sr-1975"]), "throw 3 1")
    assert listed(game) == {
        "20-23(3)x 23-24(1) 24-44(20)": "44,N,N,N/N,N,N,N/-/-",
        "20-21(1) 21-24(3)": "24,N,N,N/6,N,N,N/-/-",
    }


def test_the_empty_play_is_given_where_nothing_can_be_moved() -> None:
    game = after(placed("N,N,N,N/-/N,N,N,N/-", PRESETS["royal-2023"]), "throw 4 3")
    ((steps, later),) = complete_plays(game)
    assert (steps, later.seat) == ((), 2)


def test_the_empty_play_is_given_beside_others_where_the_seat_may_stop() -> None:
    bonus = after(placed("20,10,N,N/6,N,N,N/-/-", PRESETS["encyclopedia"]), "throw 2 1")
    bonus = after(bonus, "move 20-23(2+1)x")
    assert listed(bonus) == {
        "": "23,10,N,N/N,N,N,N/-/-",
        "23-43(20)": "43,10,N,N/N,N,N,N/-/-",
        "10-30(20)": "30,23,N,N/N,N,N,N/-/-",
    }


def test_all_of_a_grant_is_spent_though_the_entry_is_blocked() -> None:
    free = replace(PRESETS["tr-1960"], entry_required=False)
    game = after(placed("20,N,N,N/-/34,34,N,N/-", free), "throw 3 3")
    assert set(listed(game).values()) == {"34,N,N,N/-/34,34,N,N/-"}


def test_in_the_middle_of_a_play_its_steps_are_those_still_to_make() -> None:
    game = after(placed("12,3,N,N/-/N,N,N,N/-", PRESETS["sr-1942"]), "throw 5 3")
    assert listed(after(game, "move 12-15(3)")) == {"N-0(5)": "15,3,0,N/-/N,N,N,N/-"}


def test_owning_up_is_the_only_play_at_a_penalty() -> None:
    game = placed("12,3,N,N/-/N,N,N,N/-", PRESETS["sr-1942"])._replace(doublets=2)
    assert listed(after(game, "throw 4 4")) == {"": "3,N,N,N/-/N,N,N,N/-"}


def test_a_blockade_that_stood_too_long_is_broken_by_every_play() -> None:
    game = placed("40,20,20,N/-/1,N,N,N/-", RuleSet(blockade_limit=1, again="never"))
    game = after(game, "throw 1 2", "move 40-41(1)", "move 41-43(2)")
    game = after(game, "throw 1 2", "move 1-2(1)", "move 2-4(2)", "throw 1 2")
    assert [place for place in listed(game).values() if "20,20" in place] == []
    assert len(listed(game)) == 4


def test_a_winning_play_ends_the_game() -> None:
    game = after(placed("H,H,H,r6/-/12,N,N,N/-", RuleSet()), "throw 2 2")
    ((steps, later),) = complete_plays(game)
    assert list(map(str, steps)) == ["r6-H(2)"]
    assert (later.phase, later.places) == (Phase.OVER, (0,))


@pytest.mark.parametrize("actions", [(), ("end",)])
def test_without_a_throw_there_are_no_plays_to_list(actions: tuple[str, ...]) -> None:
    game = after(placed("12,3,N,N/-/N,N,N,N/-", RuleSet()), *actions)
    with pytest.raises(
        IllegalAction, match=f"no throw is on the table: the game is at {game.phase}"
    ):
        complete_plays(game)


class Counting(GrantStepper):
    """The same steps; counts how often they are looked for."""

    asked = 0

    def successors(self, state: State) -> Iterator[Successor]:
        self.asked += 1
        return super().successors(state)


def test_plays_are_found_one_by_one() -> None:
    ruleset = PRESETS["tr-1938"]
    game = after(placed("40,30,20,10/40,30,20,10/40,30,20,10/-", ruleset), "throw 6 6")
    stepper = Counting(ruleset, game.position, 0, (6, 6))
    search = Plays(stepper)
    game = game._replace(search=search, reached=search.start)
    plays = complete_plays(game)
    next(plays)
    early = stepper.asked
    assert len(list(plays)) > 100
    assert stepper.asked > 10 * early


@pytest.mark.slow
@given(seed=seeds)
def test_the_steps_lead_to_the_game_and_no_game_comes_twice(seed: int) -> None:
    for game in any_rules(seed, actions=5):
        if game.phase in (Phase.MOVE, Phase.PENALTY):
            plays = list(complete_plays(game))
            assert plays
            assert len({later for _, later in plays}) == len(plays)
            assert all(made(game, steps) == later for steps, later in plays)
            assert (() in [steps for steps, _ in plays]) is game.may_stop


@pytest.mark.slow
@given(seed=seeds, preset=st.sampled_from(list(PARCHEESI)))
def test_the_protocol_lists_the_same_results(seed: int, preset: str) -> None:
    request = draw.request(random.Random(seed), preset) | {"doublets": 2}
    rules = PRESETS[preset]
    game = at(rules, parse_position(request["position"], rules), request["seat"], doublets=2)
    thrown = after(game, f"throw {' '.join(map(str, request['throw']))}")
    assert sorted(set(listed(thrown).values())) == answer(request)["results"]
