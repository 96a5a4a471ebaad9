"""The protocol of rules/PROTOCOL.md, as another program talks it."""

import json
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from rules.__main__ import main
from rules.lines.analyse import answer, answer_line, answer_lines
from rules.ruleset import PRESET_TABLE, PRESETS

pytestmark = pytest.mark.slow  # each test looks a throw or two ahead

ASKED: dict[str, Any] = {
    "ruleset": "sr-1942",
    "position": "12,3,N,N/-/N,N,N,N/-",
    "seat": 0,
    "throw": [5, 3],
}


def test_the_example_of_the_rules_is_answered_so() -> None:
    assert answer({**ASKED, "doublets": 0}) == {
        "increments": [5, 3],
        "steps": ["12-15(3)", "3-6(3)", "N-0(5)"],
        "may_stop": False,
        "results": ["12,3,3,N/-/N,N,N,N/-", "12,6,0,N/-/N,N,N,N/-", "15,3,0,N/-/N,N,N,N/-"],
        "again": False,
        "penalty": None,
    }


def test_without_results_neither_they_nor_throwing_again_are_told() -> None:
    steps = ["12-15(3)", "3-6(3)", "N-0(5)"]
    told = {"increments": [5, 3], "steps": steps, "may_stop": False, "penalty": None}
    assert answer({**ASKED, "results": False}) == told
    assert answer({**ASKED, "results": True}) == answer(ASKED)
    third = answer({**ASKED, "throw": [4, 4], "doublets": 2, "results": False})
    assert list(third) == ["increments", "steps", "may_stop", "penalty"]


# More than 250,000 states; with the results listed it took 89 s and 400 MB.
CROWDED: dict[str, Any] = {
    "ruleset": {
        "preset": "tr-1938",
        "overtaking_captures": True,
        "finish_bonus": 10,
        "safety": "none",
        "second_circuit": True,
    },
    "position": "11,7,4,0/61,59,53,47/47,43,39,29/20,18,14,11",
    "seat": 3,
    "throw": [4, 4],
}


# The command, and at its end the seconds that it computed and the most memory that it had, in KiB.
WEIGHED = """
import atexit, pathlib, re, runpy, sys, time
def weigh():
    status = pathlib.Path("/proc/self/status").read_text()
    print(time.process_time(), re.search(r"VmHWM:\\s+(\\d+) kB", status)[1], file=sys.stderr)
atexit.register(weigh)
sys.argv = ["rules", "analyse"]
runpy.run_module("rules", run_name="__main__")
"""


@pytest.mark.slow
def test_what_would_take_too_long_is_null_and_the_rest_is_told() -> None:
    command, asked = [sys.executable, "-c", WEIGHED], json.dumps(CROWDED)
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    said = json.loads(done.stdout)
    assert (said["results"], said["again"]) == (None, None)
    assert (len(said["steps"]), said["may_stop"]) == (56, False)
    seconds, memory = done.stderr.split()
    assert float(seconds) < 20
    assert int(memory) < 200 * 1024


def test_without_results_a_crowded_ring_is_answered_after_few_states() -> None:
    said = answer({**CROWDED, "results": False}, most=1000)
    assert len(said["steps"]) == 56
    full = answer(CROWDED, most=1000)
    assert (full["steps"], full["results"], full["again"]) == (said["steps"], None, None)


def test_steps_that_can_not_be_told_in_so_many_states_are_an_error() -> None:
    asked = {**CROWDED, "results": False}
    assert answer(asked, most=2) == {
        "error": "more than 2 states would have to be visited to find the steps"
    }


def test_results_are_listed_up_to_the_very_number_of_states() -> None:
    visited = 1 + 5 + 7  # states with nothing spent, one die, both; not all of them complete
    assert len(answer(ASKED, most=visited)["results"]) == 3
    assert answer(ASKED, most=visited - 1)["results"] is None


@pytest.mark.parametrize("line", ["\u00a0\n", "\u2028\n", "\u3000", "\x1c\n", "\x85\n"])
def test_a_line_of_other_blanks_than_those_of_ascii_is_answered(line: str) -> None:
    assert [json.loads(said)["error"][:8] for said in answer_lines([line])] == ["not JSON"]


@pytest.mark.parametrize("line", ["", "\n", " \t\r\n", "\v\f\n"])
def test_a_line_of_ascii_white_space_is_passed_over(line: str) -> None:
    assert list(answer_lines([line])) == []


def test_a_play_asks_for_the_state_after_its_steps() -> None:
    said = answer({**ASKED, "play": ["12-15(3)"]})
    assert said["steps"] == ["N-0(5)"]
    assert said["results"] == ["15,3,0,N/-/N,N,N,N/-"]
    assert said["increments"] == [5, 3]
    assert answer({**ASKED, "play": ["12-15(3)", "N-0(5)"]})["may_stop"] is True


def test_throwing_again_is_a_list_where_results_differ() -> None:
    asked = {"ruleset": "findler", "position": "H,H,r7,60/-/N,N,N,N/-", "seat": 0, "throw": [1, 1]}
    said = answer(asked)
    won, one_left, none_home = (
        "H,H,H,H/-/N,N,N,N/-",
        "H,H,H,r4/-/N,N,N,N/-",
        "H,H,r7,r5/-/N,N,N,N/-",
    )
    assert said["results"] == [won, one_left, none_home]
    assert said["again"] == [one_left, none_home]


def test_a_part_of_fourteen_that_wastes_the_rest_is_listed_where_its_bonus_wins() -> None:
    said = answer(
        {
            "ruleset": {"preset": "tr-1938", "safety": "none"},
            "position": "H,H,H,48/34,N,N,N/-/-",
            "seat": 0,
            "throw": [3, 3],
        }
    )
    assert said["steps"] == ["48-51(3/14)x", "48-62(14/14)"]
    assert said["results"] == ["H,H,H,62/34,N,N,N/-/-", "H,H,H,H/N,N,N,N/-/-"]


@pytest.mark.parametrize(
    ("ruleset", "again", "penalty", "result"),
    [
        ("sr-1942", False, "nearest-home", "3,N,N,N/-/N,N,N,N/-"),
        ("tr-1960", False, "forfeit", "12,3,N,N/-/N,N,N,N/-"),
        (
            {"preset": "tr-1960", "third_doublet": "no-move"},
            True,
            "no-move",
            "12,3,N,N/-/N,N,N,N/-",
        ),
        ("encyclopedia", False, "nearest-home", "3,N,N,N/-/N,N,N,N/-"),
    ],
)
def test_the_third_doublet_is_answered_by_its_penalty(
    ruleset: object, again: bool, penalty: str, result: str
) -> None:
    asked = {**ASKED, "ruleset": ruleset, "throw": [4, 4], "doublets": 5}
    assert answer(asked) == {
        "increments": [],
        "steps": [],
        "may_stop": True,
        "results": [result],
        "again": again,
        "penalty": penalty,
    }


BAD = {
    "{": "not JSON",
    "[" * 100_000: "not JSON",
    "1" * 5000: "not JSON",
    "[]": "a request is an object",
    "null": "a request is an object",
    "{}": "'ruleset' is missing",
}


@pytest.mark.parametrize(("line", "said"), BAD.items(), ids=range(len(BAD)))
def test_a_line_that_is_no_request_is_answered_by_an_error(line: str, said: str) -> None:
    assert said in answer_line(line)["error"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"colour": 1}, "unknown key 'colour': keys are ruleset"),
        ({"ruleset": "nobody"}, "there is no preset 'nobody'"),
        ({"ruleset": {"preset": "pb", "fun": 1}}, "no field 'fun'"),
        ({"ruleset": {"preset": "pb", "dice": 1}}, "impossible together"),
        ({"position": 5}, "position 5 is not a string"),
        ({"position": "12,3/-/-/-"}, "seat 0 has 2 pawns"),
        ({"seat": 1}, "seat 1 is empty in 12,3"),
        ({"seat": 4}, "seat 4 is not a number from 0 to 3"),
        ({"seat": True}, "seat True is not a number"),
        ({"seat": "0"}, "seat '0' is not a number"),
        ({"position": "H,H,H,H/-/N,N,N,N/-"}, "seat 0 has won"),
        ({"throw": [5]}, "throw [5] is not a list of 2 dice"),
        ({"throw": [5, 7]}, "a die that is not 1 to 6: 7"),
        ({"throw": [5, 1.0]}, "a die that is not 1 to 6: 1.0"),
        ({"throw": "53"}, "throw '53' is not a list of 2 dice"),
        ({"doublets": -1}, "doublets -1 is not a whole number"),
        ({"doublets": None}, "doublets None is not a whole number"),
        ({"results": 0}, "results 0 is neither true nor false"),
        ({"play": "N-0(5)"}, "is not a list of steps"),
        ({"play": [5]}, "is not a list of steps"),
        ({"play": ["N-5"]}, "'N-5' is not a step"),
        ({"play": ["12-17(5)"]}, "12-17(5) is not legal: as many pawns must enter as can (S0"),
        ({"throw": [4, 4], "doublets": 2, "play": ["12-16(4)"]}, "the third doublet moves nothing"),
    ],
)
def test_a_request_that_can_not_be_used_says_what_is_wrong(
    changed: dict[str, object], said: str
) -> None:
    assert said in answer({**ASKED, **changed})["error"]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("yes", "entry_required can't be 'yes': it is one of false, true"),
        (1, "entry_required can't be 1: it is one of false, true"),
    ],
)
def test_an_option_of_yes_and_no_is_told_as_one_writes_it(value: object, said: str) -> None:
    asked = {**ASKED, "ruleset": {"preset": "pb", "entry_required": value}}
    assert answer(asked) == {"error": said}


HUGE = "9" * 1_000_000


@pytest.mark.parametrize(
    "changed",
    [{"position": HUGE}, {HUGE: 1}, {"ruleset": HUGE}, {"play": [HUGE]}, {"throw": [1] * 100_000}],
    ids=["position", "key", "ruleset", "play", "throw"],
)
def test_a_huge_request_is_answered_by_one_short_sentence(changed: dict[str, object]) -> None:
    assert len(answer({**ASKED, **changed})["error"]) < 500


@pytest.mark.parametrize("key", ["ruleset", "position", "seat", "throw", "play", "colour"])
def test_any_value_anywhere_is_answered_by_an_error_in_ascii(key: str) -> None:
    nan, inf, huge = float("nan"), float("inf"), 10**4000
    for value in (nan, inf, 1.0, True, None, "1", [1], {"seat": 1}, "\ud800", huge):
        said = json.dumps(answer_line(json.dumps({**ASKED, key: value})))
        assert said.startswith('{"error": "'), value
        assert said.isascii(), value


@pytest.mark.parametrize("doublets", [2, 3, 10**4000])
def test_more_doublets_than_two_count_as_two(doublets: int) -> None:
    asked = {**ASKED, "throw": [4, 4], "doublets": doublets}
    assert answer(asked)["penalty"] == "nearest-home"


def run(*arguments: str, given: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    command = [sys.executable, "-m", "rules", *arguments]
    return subprocess.run(command, input=given, capture_output=True, timeout=60, check=False)


def test_the_command_answers_every_line_in_order_whatever_stands_in_between() -> None:
    good = json.dumps(ASKED).encode()
    given = b"\n".join([good, b"", b"   ", b"\xff\xfe{", b"nonsense", good]) + b"\n"
    answers = [json.loads(line) for line in run("analyse", given=given).stdout.splitlines()]
    assert ["error" in said for said in answers] == [False, True, True, False]


def test_a_line_ends_at_its_line_feed_or_where_the_input_ends() -> None:
    good = json.dumps(ASKED).encode()
    given = good + b"\r\n\r\n" + good.replace(b", ", b",\r") + b"\n" + good
    answers = [json.loads(line) for line in run("analyse", given=given).stdout.splitlines()]
    assert ["error" in said for said in answers] == [False, False, False]


def test_the_command_ends_quietly_when_nobody_reads_on() -> None:
    given = (json.dumps(ASKED).encode() + b"\n") * 5000
    command = f"{shlex.quote(sys.executable)} -m rules analyse | head -n 1"
    done = subprocess.run(command, shell=True, input=given, capture_output=True, check=False)
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == b""


def test_the_command_answers_as_soon_as_input_pauses() -> None:
    command = [sys.executable, "-m", "rules", "analyse"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(json.dumps(ASKED) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["increments"] == [5, 3]
        process.stdin.close()
        assert process.wait(timeout=60) == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has it")
@pytest.mark.parametrize("arguments", ["analyse", "show pb", "compare pb sca"])
def test_an_answer_that_can_not_be_written_is_one_sentence_and_status_1(arguments: str) -> None:
    command = f"{shlex.quote(sys.executable)} -m rules {arguments} > /dev/full"
    given = json.dumps(ASKED).encode() + b"\n"
    done = subprocess.run(command, shell=True, input=given, capture_output=True, check=False)
    assert done.returncode == 1
    assert done.stderr == b"rules: can't go on: No space left on device\n"


def printed(*arguments: str) -> list[str]:
    """The lines that the command prints."""
    with redirect_stdout(StringIO()) as out:
        assert main(arguments) == 0
    return out.getvalue().splitlines()


def rows_and_below(lines: list[str]) -> tuple[list[str], list[str]]:
    """The lines that begin a row of a table, and those below the table."""
    end = len(lines) - lines[::-1].index("")
    return [line for line in lines[: end - 1] if line[:4].strip()], lines[end:]


def test_show_prints_every_option_beside_its_default() -> None:
    shown = printed("show", "sr-1942")
    [row] = [line for line in rows_and_below(shown)[0] if "entry_required" in line]
    assert row.split()[:4] == ["*", "entry_required", "yes", "no"]
    words = " ".join(" ".join(shown).split())
    assert "whether as many pawns as possible must enter (S0 SR v1942, v1989, TR; S4)" in words


TABLES = [("show",), *(("show", name) for name in PRESETS), ("compare", "tr-1960", "findler")]


def test_a_table_fits_100_columns_and_says_below_what_its_sources_are() -> None:
    for arguments in TABLES:
        shown = printed(*arguments)
        assert max(map(len, shown)) <= 100, arguments
        sources = re.split(r" (?=S\d+: )", " ".join(rows_and_below(shown)[1]))
        told = [one.split(":")[0] for one in sources]
        assert told == [f"S{n}" for n in range(len(told))], arguments
        assert {preset.source.split()[0] for preset in PRESET_TABLE.values()} <= set(told), (
            arguments
        )


def test_show_lists_the_presets() -> None:
    shown, _ = rows_and_below(printed("show"))
    assert [line.split()[0] for line in shown] == list(PRESETS)
    [royal] = [line.split() for line in shown if line.startswith("royal-2023")]
    assert royal == ["royal-2023", "Royal", "Parcheesi", "2023", "S4"]


def test_compare_prints_where_two_rule_sets_differ() -> None:
    shown, _ = rows_and_below(printed("compare", "sr-1942", "royal-2023"))
    assert [line.split()[:3] for line in shown[1:]] == [["bonus_timing", "any", "after-dice"]]
    [alike] = printed("compare", "sr-1942", "sr-1989")
    assert "same rules" in alike


@pytest.mark.parametrize("name", ["sr-1942", "one-die"])
def test_show_begins_with_what_the_preset_stands_for_and_its_source(name: str) -> None:
    lines = {
        "sr-1942": "sr-1942: Selchow & Righter 1942 (S0 SR v1942)",
        "one-die": "one-die: one die (S0)",
    }
    assert printed("show", name)[:2] == [lines[name], ""]


HOUSE = '{"preset": "sr-1942", "again": "never"}'


def test_show_takes_house_rules() -> None:
    first, _, head, *rows = printed("show", HOUSE)
    assert first == 'house rules: {"preset": "sr-1942", "again": "never"}'
    assert head.split()[:4] == ["option", "house", "rules", "default"]
    marked = [row.split()[1:4] for row in rows if row.startswith("*")]
    assert ["again", "never", "always"] in marked
    assert ["entry_required", "yes", "no"] in marked


def test_compare_takes_house_rules() -> None:
    for pair in [("sr-1942", HOUSE), ("{}", '{"again": "never"}')]:
        shown, _ = rows_and_below(printed("compare", *pair))
        assert [line.split()[:3] for line in shown[1:]] == [["again", "always", "never"]]
    alike = printed("compare", "pb", '{"preset": "pb"}')
    assert alike == ["pb and house rules are the same rules."]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("show", "sr-1943"), "there is no preset 'sr-1943'"),
        (("compare", "pb", "sr-1943"), "there is no preset 'sr-1943'"),
        (("show", '{"again": "nevr"}'), "again can't be 'nevr': it is one of always"),
        (("show", '{"dice": 1}'), "impossible together: dice 1, entry_by die-or-sum"),
        (("compare", "pb", '{"fun": 1}'), "ruleset has no field 'fun'"),
        (("compare", "pb", '{"again": '), "not JSON: Expecting value"),
        (("show", "[]"), "there is no preset '[]'"),
    ],
)
def test_rules_that_can_not_be_are_refused_in_one_sentence(
    arguments: tuple[str, ...], said: str
) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stderr.decode().startswith(f"rules: {said}")
    assert done.stderr.decode().count("\n") == 1


def test_with_no_stream_for_faults_none_is_printed_among_the_answers() -> None:
    command = f"{shlex.quote(sys.executable)} -m rules show nothing 2>&-"
    done = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
