"""A game as one line of text: it reads back at any moment, and a bad line is refused plainly."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.game import Phase, new_game
from rules.lines.record import GameError, game_text, parse_game
from rules.ruleset import PRESETS, RuleSet
from tests.asked import extent
from tests.rules.moments import KINDS, after, any_rules, moments, placed

seeds = st.integers(0, 2**32)


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize(("preset", "house"), KINDS[:: extent(11, soak=1)])
def test_a_game_reads_back_at_any_moment(preset: str, house: str) -> None:
    for game in moments(preset, house):
        text = game_text(game)
        assert "\n" not in text
        assert parse_game(text) == game
        assert game_text(parse_game(text)) == text


@pytest.mark.slow
@settings(max_examples=extent(40, soak=400))
@given(seed=seeds)
def test_under_house_rules_a_game_reads_back_after_every_action(seed: int) -> None:
    for game in any_rules(seed, actions=20):
        again = parse_game(game_text(game))
        assert again == game
        assert again.key == game.key


# --- what a line looks like ------------------------------------------------------------------


def test_a_game_in_the_middle_of_a_play_tells_the_throw_and_the_steps_since() -> None:
    game = after(placed("12,3,N,N/-/N,N,N,N/-", PRESETS["sr-1942"]), "throw 5 3", "move 12-15(3)")
    assert json.loads(game_text(game)) == {
        "ruleset": "sr-1942",
        "position": "12,3,N,N/-/N,N,N,N/-",
        "seat": 0,
        "throw": [5, 3],
        "play": ["12-15(3)"],
        "turns": 1,
        "throws": 1,
    }


def test_a_tie_is_told_by_who_has_thrown_and_who_has_still_to() -> None:
    game = after(new_game(PRESETS["royal-2023"], range(4)), "throw 5 3", "throw 1 1")
    game = after(game, "throw 4 4", "throw 6 2", "throw 2 1")
    assert json.loads(game_text(game)) == {
        "ruleset": "royal-2023",
        "position": "N,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N",
        "seat": 2,
        "phase": "order",
        "to_order": [2, 1],
        "order_throws": [[0, [2, 1]]],
        "turns": 0,
        "throws": 5,
    }


def test_a_line_written_by_hand_needs_three_keys() -> None:
    line = '{"ruleset": "sr-1942", "position": "12,3,N,N/-/N,N,N,N/-", "seat": 0}'
    assert parse_game(line) == placed("12,3,N,N/-/N,N,N,N/-", PRESETS["sr-1942"])


def test_a_request_of_the_protocol_is_a_game() -> None:
    line = (
        '{"ruleset": "sr-1942", "position": "12,3,N,N/-/N,N,N,N/-", "seat": 0, '
        '"throw": [5, 3], "doublets": 0, "play": ["N-0(5)"]}'
    )
    assert sorted(map(str, parse_game(line).steps)) == ["0-3(3)", "12-15(3)", "3-6(3)"]


def test_places_left_out_are_those_of_the_seats_that_are_home() -> None:
    line = '{"ruleset": "pb", "position": "H,H,H,H/3,N,N,N/N,N,N,N/H,H,H,H", "seat": 1}'
    assert parse_game(line).places == (0, 3)
    assert parse_game(line[:-1] + ', "places": [3, 0]}').places == (3, 0)


def test_a_game_played_on_to_its_end_names_the_last_seat_too() -> None:
    game = after(
        placed("H,H,H,r6/12,N,N,N/-/-", RuleSet(play_on=True)), "throw 2 2", "move r6-H(2)"
    )
    assert (game.phase, game.places) == (Phase.OVER, (0, 1))
    assert json.loads(game_text(game))["places"] == [0, 1]
    assert parse_game(game_text(game)) == game


# --- bad lines -------------------------------------------------------------------------------

TURN: dict[str, Any] = {
    "ruleset": {"preset": "sr-1942", "blockade_limit": 2},
    "position": "20,20,N,N/H,H,H,H/12,3,N,N/H,H,H,H",
    "seat": 2,
    "throw": [5, 3],
}
ORDER: dict[str, Any] = {
    "ruleset": "royal-2023",
    "position": "N,N,N,N/-/N,N,N,N/N,N,N,N",
    "seat": 3,
    "phase": "order",
    "to_order": [3, 2],
    "order_throws": [[0, [5, 3]]],
}
OVER: dict[str, Any] = {
    "ruleset": {"play_on": True},
    "position": "H,H,H,H/-/12,3,N,N/H,H,H,H",
    "seat": 3,
    "phase": "over",
    "places": [3, 0, 2],
}


@pytest.mark.parametrize("good", [TURN, ORDER, OVER])
def test_the_lines_to_be_spoilt_are_good(good: dict[str, Any]) -> None:
    assert parse_game(json.dumps(good)).seats


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "not JSON: Expecting value: line 1 column 1"),
        ("royal-2023", "not JSON"),
        ('{"ruleset": "pb",}', "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("1" * 5000, "not JSON"),
        ('{"turns": NaN}', "NaN is not a number of JSON: write a finite one"),
        ('{"turns": -Infinity}', "-Infinity is not a number of JSON: write a finite one"),
        ('{"turns": 1e999}', "1e999 is not a number of JSON: write a finite one"),
        ("null", "a game is an object"),
        ("[]", "a game is an object"),
        ("{}", "'ruleset' is missing"),
    ],
)
def test_a_line_that_is_no_object_is_refused(line: str, said: str) -> None:
    with pytest.raises(GameError, match=said):
        parse_game(line)


@pytest.mark.parametrize(
    ("good", "spoilt", "said"),
    [
        (TURN, {"colour": "red"}, "unknown key 'colour': keys are ruleset, position, seat"),
        (TURN, {"ruleset": "nobody"}, "there is no preset 'nobody'"),
        (TURN, {"ruleset": {"again": 1}}, "again can't be 1"),
        (TURN, {"ruleset": None}, "ruleset None is neither"),
        (TURN, {"position": None}, "position None is not a string"),
        (TURN, {"position": "20,20,N/-/-/-"}, "seat 0 has 3 pawns"),
        (TURN, {"seat": 4}, "seat 4 is not a number from 0 to 3"),
        (TURN, {"seat": 1}, "seat 1 has won"),
        (TURN, {"seat": True}, "seat True is not a number"),
        (TURN, {"phase": "move"}, "phase 'move' is not order, starter or over"),
        (TURN, {"phase": ["over"]}, r"phase \['over'\] is not order"),
        (TURN, {"to_order": [0]}, "'to_order' does not fit a game at a turn"),
        (TURN, {"doublets": -1}, "doublets -1 is not a whole number"),
        (TURN, {"doublets": 1.0}, "doublets 1.0 is not a whole number"),
        (TURN, {"throw": [5]}, r"throw \[5\] is not a list of 2 dice"),
        (TURN, {"throw": [5, 7]}, "a die that is not 1 to 6: 7"),
        (TURN, {"throw": None}, "throw None is not a list"),
        (TURN, {"play": "N-0(5)"}, "is not a list of steps"),
        (TURN, {"play": ["N-5"]}, "play: N-5 is not legal: 'N-5' is not a step"),
        (TURN, {"play": ["12-15(3)", "N-0(5)"]}, r"play: N-0\(5\) ends the play: write the game"),
        (TURN, {"play": ["12-17(5)"]}, r"play: 12-17\(5\) is not legal: as many pawns must enter"),
        (
            TURN,
            {"throw": [4, 4], "doublets": 2, "play": ["3-7(4)"]},
            "play: 3-7.* third doublet moves",
        ),
        (TURN, {"places": [1]}, r"places \[1\] are not the seats that have finished: \[1, 3\]"),
        (TURN, {"places": [1, 3, 3]}, "are not the seats that have finished"),
        (TURN, {"places": 1}, "places: 1 is not a list of seats"),
        (TURN, {"standing": 5}, "standing 5 is not a list"),
        (TURN, {"standing": [[0, 20]]}, r"standing: \[0, 20\] is not \[seat, space, turns\]"),
        (TURN, {"standing": [[0, 21, 1]]}, "names no blockade of seat 0 on ring space 21"),
        (TURN, {"standing": [[9, 20, 1]]}, "names no blockade of seat 9"),
        (TURN, {"standing": [[0, 20, -1]]}, "turns of standing -1 is not a whole number"),
        (TURN, {"standing": [[0, 20, 1], [0, 20, 2]]}, "names a blockade twice"),
        (TURN, {"ruleset": "sr-1942", "standing": []}, "the rule set has no blockade_limit"),
        (TURN, {"turns": "many"}, "turns 'many' is not a whole number"),
        (TURN, {"throws": -3}, "throws -3 is not a whole number"),
        (ORDER, {"throw": [5, 3]}, "'throw' does not fit a game at order"),
        (ORDER, {"ruleset": "findler"}, "phase 'order' does not fit starter 'choose'"),
        (ORDER, {"phase": "starter"}, "'to_order' does not fit a game at starter"),
        (ORDER, {"position": "N,N,N,N/-/-/-", "seat": 0}, "two to four"),
        (ORDER, {"position": "12,N,N,N/-/N,N,N,N/N,N,N,N"}, "at order nobody has begun"),
        (ORDER, {"seat": 2}, "seat 2 is not next: seat 3 is"),
        (ORDER, {"to_order": []}, r"name seats \[0\]: two or more throw, in the order \[0, 3, 2\]"),
        (ORDER, {"to_order": [2, 3]}, r"name seats \[0, 2, 3\]"),
        (ORDER, {"to_order": [3, 3]}, r"name seats \[0, 3, 3\]"),
        (ORDER, {"to_order": [3, 1]}, r"name seats \[0, 3, 1\]"),
        (ORDER, {"to_order": [3, 2.0]}, "to_order: .* is not a list of seats"),
        (ORDER, {"order_throws": [[True, [5, 3]]]}, "order_throws: .* is not a list of seats"),
        (ORDER, {"order_throws": [[0, [5]]]}, r"throw \[5\] is not a list of 2 dice"),
        (ORDER, {"order_throws": [5]}, r"order_throws \[5\] is not a list of \[seat, throw\]"),
        (OVER, {"places": [0, 2, 3]}, "are not the seats that have finished"),
        (OVER, {"places": "all"}, "places: 'all' is not a list of seats"),
        (OVER, {"ruleset": {}}, "are not the seats that have finished"),
        (OVER, {"seat": 1}, "seat 1 is empty"),
        (OVER, {"doublets": 0}, "'doublets' does not fit a game at over"),
    ],
)
def test_a_bad_line_is_refused_with_its_place_and_reason(
    good: dict[str, Any], spoilt: dict[str, Any], said: str
) -> None:
    with pytest.raises(GameError, match=said) as refusal:
        parse_game(json.dumps(good | spoilt))
    assert "\n" not in str(refusal.value)


def test_steps_without_a_throw_are_refused() -> None:
    line = {key: value for key, value in TURN.items() if key != "throw"}
    with pytest.raises(GameError, match="play has steps, but 'throw' is missing"):
        parse_game(json.dumps(line | {"play": ["N-0(5)"]}))


# --- mutated lines ---------------------------------------------------------------------------


def refused_or_read(line: str) -> bool:
    """Whether a line is refused; a game that is read must read back."""
    try:
        game = parse_game(line)
    except GameError:
        return True
    assert parse_game(game_text(game)) == game
    return False


MARKS = '0123456789NHr,/-"[]{}: +()xabetr\u0663\ud800\x00'


def with_a_mark_changed(text: str, rng: random.Random) -> str:
    here = rng.randrange(len(text))
    there = here + rng.choice((0, 0, 1, 1, 2))
    return text[:here] + rng.choice(("", rng.choice(MARKS), rng.choice(MARKS))) + text[there:]


STRANGE = [
    None,
    True,
    -1,
    0,
    1,
    4,
    7,
    2.5,
    10**30,
    "",
    "over",
    "0",
    [],
    [0],
    [[0, 1]],
    {},
    {"a": 1},
]


def with_a_value_changed(value: Any, rng: random.Random) -> Any:
    """The same with one value in it replaced, doubled or dropped."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(list(value))
        return value | {key: with_a_value_changed(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.8:
        index = rng.randrange(len(value))
        changed = with_a_value_changed(value[index], rng)
        middle = rng.choice(([], [changed], [changed], [value[index]] * 2))
        return [*value[:index], *middle, *value[index + 1 :]]
    return rng.choice(STRANGE)


@pytest.mark.slow
@settings(max_examples=extent(75, soak=300))
@given(seed=seeds)
def test_a_mutated_line_is_read_or_refused_and_nothing_else_is_raised(seed: int) -> None:
    rng = random.Random(seed)
    lines = [game_text(rng.choice(any_rules(seed))), *map(json.dumps, (TURN, ORDER, OVER))]
    for line in lines:
        refused_or_read(with_a_mark_changed(line, rng))
        refused_or_read(json.dumps(with_a_value_changed(json.loads(line), rng)))


def test_of_the_mutated_lines_some_are_refused_and_some_are_read() -> None:
    rng = random.Random(1)
    for mutated in (with_a_mark_changed, with_a_value_changed):
        lines: list[Any] = [json.dumps(TURN) if mutated is with_a_mark_changed else TURN] * 300
        spoilt = [mutated(line, rng) for line in lines]
        refused = sum(refused_or_read(s if isinstance(s, str) else json.dumps(s)) for s in spoilt)
        assert 100 < refused < 295
