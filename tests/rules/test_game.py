"""The game as a conversation: what each phase allows, where it leads, what is refused."""

import random
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from rules.actions import (
    Action,
    Choose,
    Correct,
    End,
    LastTurn,
    Leave,
    Move,
    PlayOn,
    Stop,
    Throw,
    parse_action,
)
from rules.facts import Lapsed, Over, Won
from rules.game import PHASES, Game, IllegalAction, Phase, at, new_game, next_seat, play
from rules.lines.record import game_text, parse_game
from rules.position import starting_position
from rules.ruleset import PRESETS, RuleSet
from rules.steps import parse_step
from tests.rules.moments import after, placed

ACTIONS: list[Action] = [
    Throw((5, 3)),
    Choose(2),
    Move(parse_step("12-17(5)x")),
    Move(parse_step("N-0(4+1)")),
    Stop(),
    End(),
    Correct("12,3,N,N/-/N,N,N,N/-", 0, 1),
    Leave(2),
    PlayOn(),
    LastTurn(2),
    LastTurn(None),
]


def test_a_part_of_fourteen_that_wins_may_be_all_that_is_used_of_a_whole_throw() -> None:
    rules = replace(PRESETS["tr-1960"], usage="whole-throw", doublet_home_whole=False)
    game = after(placed("H,H,H,r2/-/N,N,N,N/-", rules), "throw 1 1")
    assert (list(map(str, game.steps)), game.may_stop) == (["r2-H(6/14)"], False)
    assert after(game, "move r2-H(6/14)").phase is Phase.OVER


def test_a_grant_of_fourteen_has_what_is_left_of_it() -> None:
    game = placed("20,10,N,N/-/N,N,N,N/-", PRESETS["tr-1938"])
    assert (game.grant_left, after(game, "throw 5 4").grant_left) == (None, None)
    thrown = after(game, "throw 4 4")
    part = after(thrown, f"move {next(step for step in thrown.steps if step.target == 26)}")
    assert (thrown.grant_left, part.grant_left) == (14, 8)


@pytest.mark.parametrize("action", ACTIONS, ids=str)
def test_an_action_reads_back(action: Action) -> None:
    assert parse_action(str(action)) == action


@pytest.mark.parametrize(
    "text",
    ["", "throw", "throw 7", "throw 5  3", "choose", "choose 1 2", "move", "move N", "stop "],
)
def test_a_text_that_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no"):
        parse_action(text)


GAMES = {
    Phase.ORDER: new_game(RuleSet(), (0, 2)),
    Phase.STARTER: new_game(RuleSet(starter="choose"), (0, 2)),
    Phase.THROW: placed("12,3,N,N/-/N,N,N,N/-"),
    Phase.MOVE: after(placed("12,3,N,N/-/N,N,N,N/-"), "throw 5 3"),
    Phase.PENALTY: after(placed("12,3,N,N/-/N,N,N,N/-")._replace(doublets=2), "throw 4 4"),
    Phase.OVER: after(placed("12,3,N,N/-/N,N,N,N/-"), "end"),
}


CORRECTED = {Phase.THROW, Phase.MOVE, Phase.PENALTY, Phase.OVER}
ALLOWED: dict[Phase, dict[type[Action], set[Phase]]] = {
    Phase.ORDER: {
        Throw: {Phase.ORDER, Phase.THROW},
        End: {Phase.OVER},
    },
    Phase.STARTER: {
        Choose: {Phase.THROW},
        End: {Phase.OVER},
    },
    Phase.THROW: {
        Throw: {Phase.MOVE, Phase.PENALTY},
        Correct: CORRECTED,
        Leave: {Phase.THROW, Phase.OVER},
        LastTurn: {Phase.THROW},
        End: {Phase.OVER},
    },
    Phase.MOVE: {
        Move: {Phase.MOVE, Phase.THROW, Phase.OVER},
        Stop: {Phase.THROW, Phase.OVER},
        Correct: CORRECTED,
        Leave: {Phase.MOVE, Phase.THROW, Phase.OVER},
        LastTurn: {Phase.MOVE},
        End: {Phase.OVER},
    },
    Phase.PENALTY: {
        Stop: {Phase.THROW, Phase.OVER},
        Correct: CORRECTED,
        Leave: {Phase.PENALTY, Phase.THROW, Phase.OVER},
        LastTurn: {Phase.PENALTY},
        End: {Phase.OVER},
    },
    Phase.OVER: {PlayOn: {Phase.THROW}},
}


def test_the_table_of_phases_is_this() -> None:
    table = {
        phase: {action: set(transition.leads_to) for action, transition in allowed.items()}
        for phase, allowed in PHASES.items()
    }
    assert table == ALLOWED


@pytest.mark.parametrize(("phase", "action"), list(product(Phase, ACTIONS)), ids=str)
def test_a_phase_refuses_what_is_not_for_it(phase: Phase, action: Action) -> None:
    game = GAMES[phase]
    assert game.phase is phase
    if type(action) not in ALLOWED[phase]:
        with pytest.raises(IllegalAction, match=f"the game is at {phase}"):
            play(game, action)


@pytest.mark.parametrize(
    ("phase", "text", "said"),
    [
        (Phase.ORDER, "throw 5", "2 dice of 1 to 6 fit"),
        (Phase.THROW, "throw 5 3 1", "2 dice of 1 to 6 fit"),
        (Phase.THROW, "throw 0 3", "2 dice of 1 to 6 fit"),
        (Phase.STARTER, "choose 1", "the seats taken are"),
        (Phase.MOVE, "move 12-17(5)x", "is not legal in 12,3,N,N"),
        (Phase.MOVE, "move 3-9(6)", "is not legal in 12,3,N,N"),
        (Phase.MOVE, "stop", "while a step must be made: N-0"),
    ],
)
def test_an_action_that_breaks_a_rule_is_refused_in_one_sentence(
    phase: Phase, text: str, said: str
) -> None:
    with pytest.raises(IllegalAction, match=said):
        play(GAMES[phase], parse_action(text))


@pytest.mark.parametrize(
    ("phase", "action"),
    [
        (Phase.THROW, Throw((1.0, 2))),  # type: ignore[arg-type]
        (Phase.THROW, Throw((True, 2))),
        (Phase.THROW, Throw([1, 2])),  # type: ignore[arg-type]
        (Phase.THROW, Throw(7)),  # type: ignore[arg-type]
        (Phase.ORDER, Throw(("1", 2))),  # type: ignore[arg-type]
        (Phase.STARTER, Choose(2.0)),  # type: ignore[arg-type]
        (Phase.STARTER, Choose(False)),
    ],
    ids=repr,
)
def test_what_would_not_read_back_is_refused_in_one_sentence(phase: Phase, action: Action) -> None:
    with pytest.raises(IllegalAction, match=r"does not fit: (the faces are|a seat is)") as refused:
        play(GAMES[phase], action)
    assert repr(action) in str(refused.value)


def random_action(game: Game, rng: random.Random) -> Action:
    if game.phase is Phase.STARTER:
        return Choose(rng.choice(game.seats))
    if game.phase in (Phase.ORDER, Phase.THROW):
        return Throw(tuple(rng.randint(1, 6) for _ in range(game.dice)))
    choices = [Move(step) for step in game.steps] + [Stop()] * game.may_stop
    return rng.choice(choices)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_whole_game_goes_only_where_the_table_leads(preset: str) -> None:
    rng, ruleset = random.Random(preset), PRESETS[preset]
    count = 4 if ruleset.partners else 3
    ruleset = replace(ruleset, play_on=not ruleset.partners)
    game = new_game(ruleset, rng.sample(range(4), count))
    actions = 0
    while game.phase is not Phase.OVER and actions < 3000:
        action = random_action(game, rng)
        before, (game, facts) = game, play(game, action)
        assert game.phase in ALLOWED[before.phase][type(action)]
        assert facts
        actions += 1
    if game.phase is Phase.OVER and not ruleset.partners:
        assert sorted(game.places) == list(game.seats)


@pytest.mark.slow
def test_random_games_of_totals_end() -> None:
    """Of 100 such games the median had 140 throws and the longest 308; before a die that shows 1
    brought a pawn from r7 home, 57 of them never ended.
    """
    for seed in range(50):
        rng, game = random.Random(seed), new_game(PRESETS["mb-total"], (0, 2))
        while game.phase is not Phase.OVER and game.throws < 600:
            game, _ = play(game, random_action(game, rng))
        assert game.phase is Phase.OVER, seed


def test_a_game_is_a_value() -> None:
    one = after(new_game(RuleSet(), (0, 2)), "throw 5 3", "throw 1 1", "throw 5 3")
    other = after(new_game(RuleSet(), (2, 0)), "throw 5 3", "throw 1 1", "throw 5 3")
    assert one == other
    assert (one != other) is False
    assert hash(one) == hash(other)
    assert repr(one) == repr(other)
    assert one != after(one, "move N-0(5)")


def test_a_winning_step_ends_the_game_though_a_doublet_was_thrown() -> None:
    game = after(placed("H,H,H,r6/-/12,N,N,N/-"), "throw 2 2")
    assert game.may_stop is False
    game, facts = play(game, parse_action("move r6-H(2)"))
    assert facts[-2:] == (Won(0, 1), Over((0,)))
    assert game.phase is Phase.OVER


def test_what_nobody_can_use_lapses() -> None:
    game = after(placed("r7,N,N,N/-/12,N,N,N/-"), "throw 1 2")
    game, facts = play(game, parse_action("move r7-H(1)"))
    assert [fact for fact in facts if isinstance(fact, Lapsed)] == [Lapsed(0, 2), Lapsed(0, 10)]
    assert (game.phase, game.seat) == (Phase.THROW, 2)


@pytest.mark.parametrize(
    ("travel", "turn_order", "following"),
    [
        ("counterclockwise", "left", 3),
        ("counterclockwise", "right", 1),
        ("clockwise", "left", 1),
        ("clockwise", "right", 3),
    ],
)
def test_the_turn_passes_to_the_same_hand_on_a_mirrored_board(
    travel: str, turn_order: str, following: int
) -> None:
    game = new_game(RuleSet(travel=travel, turn_order=turn_order), range(4))
    assert next_seat(game, 0) == following


def test_a_blockade_that_stood_its_turns_must_be_broken_if_it_can() -> None:
    game = placed("40,20,20,N/-/1,N,N,N/-", RuleSet(blockade_limit=1, again="never"))
    game = after(game, "throw 1 2", "move 40-41(1)", "move 41-43(2)")
    game = after(game, "throw 1 2", "move 1-2(1)", "move 2-4(2)", "throw 1 2")
    assert game.standing == ((0, 20, 1),)  # once, from the turn in which it was first seen
    assert sorted(map(str, game.steps)) == ["20-21(1)", "20-22(2)", "43-44(1)", "43-45(2)"]
    game = after(game, "move 43-44(1)")
    assert sorted(map(str, game.steps)) == ["20-22(2)"]


def test_an_overdue_blockade_may_stand_where_no_play_breaks_it() -> None:
    """B's blockade is on the space in front of A's, so that A's can't be broken."""
    game = placed("40,20,20,N/30,4,4,N/-/-", RuleSet(blockade_limit=1, again="never"))
    game = after(game, "throw 1 2", "move 40-41(1)", "move 41-43(2)")
    game = after(game, "throw 1 2", "move 30-31(1)", "move 31-33(2)")
    game = after(game, "throw 1 2")
    assert sorted(map(str, game.steps)) == ["43-44(1)", "43-45(2)"]


@pytest.mark.parametrize(
    ("position", "house", "counted"),
    [
        ("20,20,17,17/-/1,N,N,N/-", {}, [17, 20]),
        ("20,20,17,17/-/1,N,N,N/-", {"pairs_on": "safety"}, [17]),
        ("17,17,0,0/-/1,N,N,N/-", {"pairs_on": "own-entry"}, [0]),
        ("20,19,0,N/1,N,N,N/54,34,N,N/1,N,N,N", {"partners": True}, []),
    ],
)
def test_only_pairs_of_a_seat_that_bar_the_way_stand_too_long(
    position: str, house: dict[str, Any], counted: list[int]
) -> None:
    game = placed(position, RuleSet(blockade_limit=1, **house))
    assert [standing.space for standing in game.standing] == counted


def test_a_correction_in_another_seats_turn_forgets_a_blockade_that_it_parts() -> None:
    game = placed("20,N,N,N/-/10,10,3,N/-", RuleSet(blockade_limit=1, again="never"), seat=2)
    game = after(game, "throw 1 3", "move 3-6(3)", "move 6-7(1)")
    assert game.standing == ((2, 44, 1),)
    game = after(game, "correct 20,N,N,N/-/10,8,7,N/- seat 0 doublets 0")
    assert game.standing == ()
    assert parse_game(game_text(game)) == game
    game = after(game, "throw 1 3", "move 20-21(1)", "move 21-24(3)")
    game = after(game, "throw 1 2", "move 8-10(2)", "move 7-8(1)")
    assert game.standing == ()  # the new blockade counts from C's next turn


@pytest.mark.parametrize("position", ["12,N,N,N/-/-/-", "12,N,N,N/H,H,H,H/-/-"])
def test_who_plays_alone_in_a_position_can_not_leave(position: str) -> None:
    game = placed(position, RuleSet(play_on=True))
    with pytest.raises(IllegalAction, match="leave 0 does not fit: no other seat plays"):
        play(game, Leave(0))


@pytest.mark.parametrize("seats", [(), (1,), (0, 4), (0, 0)])
def test_a_game_takes_two_to_four_seats(seats: tuple[int, ...]) -> None:
    with pytest.raises(IllegalAction, match="two to four"):
        new_game(RuleSet(), seats)


@pytest.mark.parametrize("seats", [(True, 2), (0, 2.0), (0, None), (0, "C"), ([0], 2)])
def test_a_seat_is_an_int(seats: tuple[Any, ...]) -> None:
    with pytest.raises(IllegalAction, match="two to four"):
        new_game(RuleSet(), seats)


@pytest.mark.parametrize(
    ("seat", "doublets", "why"),
    [
        (0, -3, "-3 doublets can't have been thrown: an int of 0 or more can"),
        (0, True, "True doublets can't have been thrown: an int of 0 or more can"),
        (False, 0, "seat False can't throw in N,N,N,N/-/N,N,N,N/-: a seat is an int from 0 to 3"),
        (2.0, 0, "seat 2.0 can't throw in N,N,N,N/-/N,N,N,N/-: a seat is an int from 0 to 3"),
    ],
)
def test_a_position_is_taken_up_by_a_seat_that_has_thrown_no_doublet_or_some(
    seat: Any, doublets: Any, why: str
) -> None:
    with pytest.raises(IllegalAction) as refused:
        at(RuleSet(), starting_position((0, 2)), seat, doublets)
    assert str(refused.value) == why


def test_a_blockade_broken_by_one_throw_and_formed_by_the_next_counts_anew() -> None:
    game = placed("40,20,20,17/-/1,N,N,N/-", RuleSet(blockade_limit=1))
    game = after(game, "throw 1 2", "move 40-41(1)", "move 41-43(2)")
    game = after(game, "throw 1 2", "move 1-2(1)", "move 2-4(2)")
    game = after(game, "throw 3 3", "move 20-23(3)", "move 43-46(3)")
    game = after(game, "throw 3 1", "move 17-20(3)", "move 46-47(1)")
    game = after(game, "throw 1 2", "move 4-5(1)", "move 5-7(2)", "throw 1 2")
    assert sorted(map(str, game.steps)) == [
        "20-21(1)",
        "20-22(2)",
        "23-24(1)",
        "23-25(2)",
        "47-48(1)",
        "47-49(2)",
    ]
    assert sorted(map(str, after(game, "move 47-48(1)").steps)) == [
        "20-22(2)",
        "23-25(2)",
        "48-50(2)",
    ]
