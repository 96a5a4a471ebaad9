"""What is best and why: the step is one that may be made, and the reason is plainly so."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.model.hint_reasons import HintReason
from pi_app.players.features import finished_pawns
from pi_app.players.hints import ANOTHER_AS_GOOD, NOTHING_LOST, ONLY_STEP, Hint, find_hint
from pi_app.players.tables import find_judge, load_judge
from rules import (
    NEST,
    PRESETS,
    Game,
    IllegalAction,
    Move,
    Phase,
    Stop,
    Throw,
    at,
    new_game,
    parse_action,
    parse_position,
    play,
)
from rules.board import board
from rules.position import Pawns, Position
from tests.asked import extent
from tests.rules.editions import PARCHEESI, every_edition
from tests.rules.moments import any_rules, moments, walk

FINDLER = PRESETS["findler"]
CAPTURE_OR_ENTER = "H,40,13,N/N,N,N,N/52,N,N,N/N,N,N,N"


def best(game: Game) -> Hint:
    return find_hint(game, find_judge(game.ruleset))


def thrown(preset: str, text: str, faces: tuple[int, ...], *made: str, seat: int = 0) -> Game:
    ruleset = PRESETS[preset]
    game, _ = play(at(ruleset, parse_position(text, ruleset), seat), Throw(faces))
    for step in made:
        game, _ = play(game, parse_action(f"move {step}"))
    return game


WHY = [
    # By rule set, position, seat, throw: the best step, and why.
    ("findler", "H,H,H,r4/-/N,N,N,N/-", 0, (4, 1), "r4-H(4)", HintReason("wins")),
    ("findler", CAPTURE_OR_ENTER, 0, (6, 5), "13-18(5)x", HintReason("captures", (2,))),
    # From 47, where the six ends, the three captures B's pawn on its 33, which is A's 50.
    (
        "findler",
        "41,23,0,N/H,r6,33,23/N,N,N,N/29,7,0,N",
        0,
        (3, 6),
        "41-47(6)",
        HintReason("captures-later", (1,)),
    ),
    (
        "findler",
        "63,45,34,0/H,25,N,N/H,H,r5,r4/H,H,N,N",
        2,
        (3, 5),
        "r5-H(3)",
        HintReason("brings-home"),
    ),
    ("findler", "20,16,N,N/-/N,N,N,N/-", 0, (4, 1), "N-0(4+1)", HintReason("gets-out")),
    # C is on A's 10: on 16 ten throws fewer capture than on 14 or 15.
    (
        "findler",
        "16,12,N,N/-/44,N,N,N/-",
        0,
        (2, 1),
        "16-18(2)",
        HintReason("safer", many=10, of=36),
    ),
    (
        "findler",
        "46,14,14,5/49,34,18,0/11,3,3,0/r7,29,24,21",
        0,
        (4, 1),
        "5-9(4)",
        HintReason("less-to-lose"),
    ),
    (
        *("findler", "H,51,24,0/-/H,42,33,6/-", 0, (5, 6)),
        *("24-30(6)", HintReason("more-throws-capture", many=14)),
    ),
    (
        *("findler", "26,N,N,N/16,15,3,0/23,0,0,N/27,0,0,N", 2, (2, 3)),
        *("23-26(3)", HintReason("keeps-blockade")),
    ),
    (
        *("findler", "H,62,31,0/-/r6,33,0,N/-", 2, (4, 1)),
        *("N-0(4+1)", HintReason("makes-blockade")),
    ),
    # B's blockade on its 0 is D's 34. D's pawn on 25 stays away from it.
    (
        *("findler", "H,57,49,0/14,0,0,N/H,H,H,0/H,58,35,25", 3, (5, 1)),
        *("35-40(5)", HintReason("not-stuck")),
    ),
    (
        "findler",
        "33,20,N,N/-/N,N,N,N/-",
        0,
        (1, 3),
        "20-23(3)",
        HintReason("more-on-safe-spaces", many=1),
    ),
    (
        *("findler", "H,r7,0,N/H,58,52,14/H,54,0,N/H,r6,0,N", 2, (1, 3)),
        *("54-57(3)", HintReason("more-on-safe-spaces", many=2)),
    ),
    (
        *("findler", "H,r7,r4,60/r7,14,6,0/58,24,7,0/11,0,N,N", 0, (5, 1)),
        *("60-r2(5)", HintReason("more-throws-bring-home", many=4)),
    ),
    (
        *("findler", "35,35,33,28/-/53,45,17,0/-", 0, (1, 2)),
        *("28-30(2)", HintReason("fewer-behind", many=1)),
    ),
    (
        *("royal-2023", "H,33,33,32/-/H,60,0,0/-", 2, (6, 3)),
        *("60-r3(6)", HintReason("into-home-row")),
    ),
    (
        "findler",
        "32,24,24,N/H,19,19,0/r6,r3,30,15/r7,54,54,26",
        1,
        (5, 5),
        "0-5(5)",
        HintReason("farther", many=1),
    ),
    ("findler", "H,H,r1,7/-/H,H,H,23/-", 0, (6, 5), "7-13(6)", HintReason("brings-last-on")),
    (
        *("findler", "0,N,N,N/N,N,N,N/16,7,0,0/16,0,0,N", 3, (2, 1)),
        *("16-18(2)", HintReason("brings-first-on")),
    ),
    ("findler", "N,N,N,N/-/N,N,N,N/-", 0, (6, 5), "N-0(5)", ONLY_STEP),
    # Both end on 3 and 1, whichever goes first.
    ("findler", "0,0,N,N/-/30,20,N,N/-", 0, (3, 1), "0-3(3)", NOTHING_LOST),
    ("royal-2023", "20,2,0,0/-/32,17,N,N/-", 0, (3, 4), "2-6(4)", ANOTHER_AS_GOOD),
]


@pytest.mark.parametrize(("preset", "text", "seat", "faces", "step", "why"), WHY)
def test_the_best_step_and_why(
    preset: str, text: str, seat: int, faces: tuple[int, ...], step: str, why: HintReason
) -> None:
    game = thrown(preset, text, faces, seat=seat)
    assert find_hint(game, load_judge(game.ruleset)) == (step, why)


def test_the_middle_of_a_play_has_hints_of_its_own() -> None:
    text = "N,N,N,N/15,13,0,N/23,0,N,N/16,0,N,N"
    captured = thrown("findler", text, (6, 1), "0-6(6)x", seat=3)
    assert best(captured) == ("6-7(1)", HintReason("safer", many=15, of=36))
    bonus = thrown("royal-2023", "12,0,0,N/10,N,N,N/0,0,N,N/N,N,N,N", (3, 5), "N-0(5)", seat=1)
    assert best(bonus) == ("10-13(3)", HintReason("more-on-safe-spaces", many=1))


def test_to_leave_the_rest_may_be_best() -> None:
    """The bonus for coming home would take the last pawn from a safe space to before four."""
    text = "H,H,r7,23/19,16,14,N/3,0,N,N/-"
    game = thrown("encyclopedia", text, (6, 1), "23-29(6)", "r7-H(1)")
    assert game.may_stop
    assert best(game) == ("", HintReason("safer", many=36, of=36))


def test_where_there_is_no_judge_it_is_what_grace_does_with_what_is_so_first() -> None:
    """What enters has 29 spaces less to go, as it counts them; 20 and 16 go five."""
    game = thrown("findler", "20,16,N,N/-/N,N,N,N/-", (4, 1))
    assert find_hint(game, None) == ("N-0(4+1)", HintReason("gets-out"))


@pytest.mark.parametrize("phase", [Phase.THROW, Phase.PENALTY])
def test_there_is_none_where_no_step_can_be_made(phase: Phase) -> None:
    game = at(FINDLER, parse_position("10,N,N,N/-/N,N,N,N/-", FINDLER), 0, 2)
    if phase is Phase.PENALTY:
        game, _ = play(game, Throw((3, 3)))
    with pytest.raises(IllegalAction, match=f"the game is at {phase}"):
        best(game)


def count_places(pawns: Pawns, places: Pawns) -> int:
    """Return how many pawns are on some places."""
    return sum(place in places for place in pawns)


def check(game: Game) -> None:
    """Who does what hints say plays a whole play, and gets what they promise."""
    begun, promised = game, list[tuple[Position, HintReason]]()
    while game.phase is Phase.MOVE and game.steps and game.throws == begun.throws:
        step, why = best(game)
        promised.append((game.position, why))
        game, _ = play(game, parse_action(f"move {step}") if step else Stop())
    seat, after = begun.seat, game.position
    for before, why in promised:
        match why.kind:
            case "captures" | "captures-later":
                caught = {s for s in range(4) if after[s].count(NEST) > before[s].count(NEST)}
                assert caught - {seat} >= set(why.seats)
            case "brings-home" | "wins":
                home = finished_pawns(begun.ruleset)
                assert count_places(after[seat], home) > count_places(before[seat], home)
            case "gets-out":
                assert after[seat].count(NEST) < before[seat].count(NEST)
            case "keeps-blockade":
                assert any(
                    min(after[seat].count(place), before[seat].count(place)) >= 2
                    for place in after[seat]
                )


@every_edition
def test_what_hints_promise_comes_true(preset: str) -> None:
    for game in moments(preset, "", actions=4):
        check(game)


@settings(max_examples=extent(8, soak=15), deadline=None)
@given(seed=st.integers(0, 2**32))
def test_so_under_any_rules(seed: int) -> None:
    for game in any_rules(seed, actions=3):
        if sum(map(bool, game.position)) > 1:  # the bots know no game of one seat
            check(game)


@pytest.mark.soak
@pytest.mark.parametrize("preset", sorted(set(PRESETS) - set(PARCHEESI)))
def test_what_hints_promise_in_other_games_comes_true(preset: str) -> None:
    dice = random.Random(preset)
    for game in walk(new_game(PRESETS[preset], (0, 1, 2, 3)), dice, actions=extent(200, soak=400)):
        check(game)


@pytest.mark.parametrize(
    ("preset", "position", "face"),
    [
        ("ludo-dk", "20,6,N,N/-/43,34,34,N/-", 2),  # the other step is 6-N
        ("ludo-dk", "39,20,N,N/-/24,24,17,N/-", 4),  # 39-N(4)x captures on a star before
        ("petits-chevaux", "54,10,N,N/-/23,N,N,N/-", 3),  # 54-53(3)
    ],
)
def test_a_step_back_is_never_best_while_another_step_goes_on(
    preset: str, position: str, face: int
) -> None:
    game = thrown(preset, position, (face,))
    to_go = board(game.ruleset.layout).to_go
    step = next(step for step in game.steps if str(step) == best(game).step)
    assert len(game.steps) == 2
    assert to_go[step.target] < to_go[step.origin]


def test_pairs_of_an_indian_ludo_are_never_called_blockades() -> None:
    """An immune pair may be passed."""
    ruleset, dice = PRESETS["ludo-india"], random.Random(1)
    game, kinds = at(ruleset, parse_position("/".join(["40,20,5,N"] * 4), ruleset), 0), set()
    for _ in range(60):
        game, _ = play(game, Throw((dice.randint(1, 6),)))
        if game.phase is Phase.MOVE and game.steps:
            kinds.add(best(game).reason.kind)
        while game.phase in (Phase.MOVE, Phase.PENALTY):
            game, _ = play(game, Move(dice.choice(game.steps)) if game.steps else Stop())
    assert kinds
    assert not kinds & {"makes-blockade", "keeps-blockade", "not-stuck"}
