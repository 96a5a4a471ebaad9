"""The advice protocol, line by line."""

import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pi_app.players.advising import ADVICE_KEYS, advice_line
from rules.lines.analyse import answer, answer_lines
from tests.rules import draw
from tests.rules.editions import every_edition

ROOT = Path(__file__).parents[3]
FINDLER = {"ruleset": "findler", "position": "N,N,N,N/-/N,N,N,N/-", "seat": 0}
CHOICE = {
    "ruleset": "findler",
    "position": "43,30,12,1/40,30,9,N/r2,44,20,3/H,50,22,7",
    "seat": 0,
    "throw": [6, 4],
}


def advice(**request: Any) -> dict[str, Any]:
    return advice_line(json.dumps(request))


@pytest.mark.parametrize(
    "position",
    ["N,N,N,N/N,N,N,N/N,N,N,N/N,N,N,N", "40,12,N,N/38,N,N,N/3,N,N,N/-", CHOICE["position"]],
)
def test_the_chances_that_are_told_sum_to_1_in_all_digits(position: str) -> None:
    for seat in (0, 1, 2):
        said = advice(ruleset="findler", position=position, seat=seat)
        assert sum(said["chances"].values()) == pytest.approx(1, abs=1e-9)


def test_where_nothing_can_be_moved_the_empty_play_is_told() -> None:
    assert advice(**FINDLER, throw=[6, 3])["play"] == []


def test_a_third_doublet_is_owned_up_to() -> None:
    at_home = {**FINDLER, "position": "H,H,H,40/-/60,60,50,N/-"}
    said = advice(**at_home, throw=[4, 4], doublets=2)
    assert said["play"] == []
    assert said["chances"]["A"] < advice(**at_home)["chances"]["A"]


def test_who_wins_by_the_play_has_won() -> None:
    winning = {**FINDLER, "position": "H,H,H,r7/-/N,N,N,N/-"}
    assert advice(**winning, throw=[3, 1]) == {
        "play": ["r7-H(1)"],
        "chances": {"A": 1.0, "C": 0.0},
    }


def test_a_level_that_varies_plays_the_same_for_the_same_seed_and_otherwise_not() -> None:
    plays = [str(advice(**CHOICE, level="easy", seed=seed)["play"]) for seed in range(12)]
    assert plays == [str(advice(**CHOICE, level="easy", seed=seed)["play"]) for seed in range(12)]
    assert len(set(plays)) > 1


def test_the_strong_level_is_the_one_that_is_meant_where_none_is_named() -> None:
    assert advice(**CHOICE) == advice(**CHOICE, level="strong", seed=7)


def test_steps_that_are_made_already_begin_the_play() -> None:
    best = advice(**CHOICE)
    assert advice(**CHOICE, play=best["play"][:1], results=False) == best
    other = advice(**CHOICE, play=["1-7(6)"])
    assert other["play"][0] == "1-7(6)"
    assert answer({**CHOICE, "play": other["play"]})["may_stop"]


@every_edition
def test_what_is_advised_is_a_play_that_the_rules_list(preset: str) -> None:
    rng = random.Random(preset)
    for _ in range(15):
        request = draw.request(rng, preset)
        said, rules = advice(**request), answer(request)
        assert "error" not in said
        if rules["penalty"]:
            assert said["play"] == []
            continue
        after = answer({**request, "play": said["play"]})
        assert after["may_stop"]
        assert set(after["results"]) <= set(rules["results"])


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"ruleset": "sr-2000"}, "there is no preset 'sr-2000'"),
        ({"position": "N"}, "has 1 seats"),
        ({"seat": 1}, "seat 1 is empty"),
        ({"throw": [7, 1]}, "a die that is not 1 to 6"),
        ({"level": "god"}, "level 'god' is not one of child, easy, club, strong"),
        ({"level": "god" * 100_000}, "is not one of child, easy, club, strong"),
        ({"seed": -1}, "seed -1 is not a whole number"),
        ({"hurry": True}, "unknown key 'hurry'"),
        ({"results": 1}, "results 1 is neither true nor false"),
        ({"play": ["N-0(5)"]}, "play has steps, but 'throw' is missing"),
        ({"throw": [5, 3], "play": ["N-0(3)"]}, "play: N-0(3) is not legal: "),
        ({"throw": [4, 4], "doublets": 2, "play": ["0-4(4)"]}, "play: 0-4(4) is not legal: "),
        ({"position": "N,N,N,N/-/-/-"}, "has one seat: at least two play"),
    ],
)
def test_a_line_that_can_t_be_used_is_answered_by_what_is_wrong(
    wrong: dict[str, Any], words: str
) -> None:
    error = advice(**{**FINDLER, **wrong})["error"]
    assert words in error
    assert len(error) < 500


README = ROOT / "pi_app/players/README.md"
EXAMPLES = "".join(
    re.findall(r"^```json\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S)
).splitlines()


@pytest.mark.parametrize(
    ("line", "answered"), list(zip(EXAMPLES[::2], EXAMPLES[1::2], strict=True))
)
def test_an_example_is_answered_so(line: str, answered: str) -> None:
    assert list(answer_lines([line], advice_line)) == [answered]


def test_the_examples_name_each_key() -> None:
    named = {key for line in EXAMPLES[::2] for key in json.loads(line)}
    assert named == {*ADVICE_KEYS} - {"results"}


def test_blank_lines_are_skipped_and_wrong_ones_stop_nothing() -> None:
    answers = list(answer_lines(["\n", "{\n", json.dumps(FINDLER)], advice_line))
    assert ["error" in json.loads(line) for line in answers] == [True, False]


def test_the_command_answers_line_by_line() -> None:
    said = subprocess.run(
        [sys.executable, "-m", "pi_app.players", "advise"],
        input=json.dumps({**FINDLER, "throw": [5, 3]}) + "\n",
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(said.stdout) == advice(**FINDLER, throw=[5, 3])
