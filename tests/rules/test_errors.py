"""An error stays short, however long the input is that it quotes."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from rules.actions import Choose, Correct, Move, parse_action
from rules.board import parse_place
from rules.errors import LONGEST, InputError
from rules.game import play
from rules.history import parse_entry
from rules.lines.analyse import answer_line
from rules.lines.record import parse_game
from rules.lines.replay import judge
from rules.lines.sheet import parse_sheet
from rules.position import parse_position
from rules.questions.explain import explain
from rules.ruleset import RuleSet, parse_ruleset
from rules.steps import Step, parse_step
from tests.rules.moments import after, placed

LONG = "7" * 100_000
GAME = after(placed("12,3,N,N/-/N,N,N,N/-"), "throw 5 3")
FIRST = {"format": "pachisi-record", "version": 1, "ruleset": "pb", "seats": [0, 2]}
REQUEST = {"ruleset": "parchis", "position": "12,3,N,N/-/N,N,N,N/-", "seat": 0, "throw": [5]}
KEYS = ("doublets", "play", "results", "late", "last", "turns", "phase", LONG)

REFUSING: dict[str, Callable[[], object]] = {
    "a place": lambda: parse_place(LONG),
    "a step": lambda: parse_step(f"12-17({LONG})"),
    "an action": lambda: parse_action(f"throw {LONG}"),
    "an entry": lambda: parse_entry(f"retype {LONG}"),
    "a rule set": lambda: parse_ruleset(LONG),
    "an option": lambda: parse_ruleset({LONG: 1}),
    "its value": lambda: RuleSet(layout=LONG),
    "a position": lambda: parse_position(f"12,{LONG},N,N/-/-/-", RuleSet()),
    "a position of many seats": lambda: parse_position("/" * 100_000, RuleSet()),
    "a choice": lambda: play(GAME, Choose(LONG)),  # type: ignore[arg-type]
    "a move": lambda: play(GAME, Move(Step(12, 17, LONG))),
    "a correction": lambda: play(GAME, Correct(LONG, 0)),
    "a sheet": lambda: list(parse_sheet(['[Format "pachisi-record 1"]', LONG])),
}


@pytest.mark.parametrize("name", REFUSING)
def test_an_error_quotes_only_the_ends_of_a_long_input(name: str) -> None:
    with pytest.raises(InputError) as refusal:
        REFUSING[name]()
    assert len(str(refusal.value)) < LONGEST + 10


@pytest.mark.parametrize("value", [LONG, [LONG], {LONG: 1}, [[0, LONG]]], ids=type)
def test_whatever_key_of_a_line_has_a_long_value_the_error_is_short(value: Any) -> None:
    for key in (*REQUEST, *KEYS):
        line = json.dumps(REQUEST | {key: value})
        assert len(answer_line(line)["error"]) < LONGEST + 10, key
        with pytest.raises(InputError) as refusal:
            parse_game(line)
        assert len(str(refusal.value)) < LONGEST + 10, key


@pytest.mark.parametrize(
    "line", [f"1e{LONG}", LONG, f'"{LONG}', f'{{"seat": -1e{LONG}}}', "[" * 9999]
)
def test_a_long_line_that_is_no_json_has_a_short_error(line: str) -> None:
    assert len(answer_line(line)["error"]) < LONGEST + 10
    assert len(judge([line])["error"]) < LONGEST + 10


@pytest.mark.parametrize("key", [*FIRST, "host", "action", "position", "source"])
def test_whatever_key_of_a_record_has_a_long_value_the_error_is_short(key: str) -> None:
    begins = key in (*FIRST, "host")
    long = {key: LONG}
    choice = {"action": "choose 0", "position": "N,N,N,N/-/N,N,N,N/-"}
    lines = [FIRST | long] if begins else [FIRST, choice | long]
    assert len(judge(map(json.dumps, lines))["error"]) < LONGEST + 10


def test_a_long_text_that_is_no_step_is_explained_in_one_short_line() -> None:
    assert len(explain(GAME, LONG)) < LONGEST + 10
