"""Records judged: every line is played by the rules, and the first that can't be is told."""

import json
import math
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rules.game import Phase
from rules.lines.replay import judge
from rules.position import format_position
from tests.asked import extent
from tests.rules.editions import every_edition_alone
from tests.rules.records import drawn_record

BEGUN = "N,N,N,N/-/N,N,N,N/-"
ENTERED = "0,N,N,N/-/N,N,N,N/-"
FIRST = {"format": "pachisi-record", "version": 1, "ruleset": "findler", "seats": [0, 2]}
CHOSEN = {"action": "choose 0", "position": BEGUN}


def sheet() -> list[str]:
    return ['[Record "pachisi-record 1"]', '[Rules "findler"]', '[Seats "A C"]']


def record_of(*lines: dict[str, Any]) -> list[str]:
    return [json.dumps(line) for line in (FIRST, *lines)]


@pytest.mark.parametrize(
    ("lines", "number", "why"),
    [
        ([], 1, "the record is empty"),
        (["{}"], 1, "format"),
        (["5"], 1, "not a JSON object"),
        (["{"], 1, "not JSON"),
        ([json.dumps({**FIRST, "version": 2})], 1, "version 2"),
        ([f"\ufeff{json.dumps(FIRST)}"], 1, "it begins with a byte order mark: save it as UTF-8"),
        (['\ufeff[Record "pachisi-record 1"]'], 1, "it begins with a byte order mark"),
        ([json.dumps({**FIRST, "seats": [0]})], 1, "two to four"),
        ([json.dumps({**FIRST, "seats": [0, 2, 0]})], 1, "twice"),
        ([json.dumps({**FIRST, "seats": "0,2"})], 1, "not a list"),
        ([json.dumps({**FIRST, "host": 1})], 1, "host 1"),
        ([json.dumps({**FIRST, "ruleset": "nobody"})], 1, "nobody"),
        (record_of({"action": "choose 0"}), 2, "'position' is missing"),
        (record_of({"action": 5, "position": BEGUN}), 2, "action 5 is not a string"),
        (record_of({"action": "jump", "position": BEGUN}), 2, "is not an action"),
        (record_of({"action": "undo", "position": BEGUN}), 2, "no choice has been confirmed"),
        (record_of(CHOSEN, {"action": "throw 5 3", "position": ENTERED}), 3, "the position is N,N"),
        (
            record_of(CHOSEN, {"action": "throw 5 3", "position": BEGUN, "source": "sleeve"}),
            3,
            "source 'sleeve'",
        ),
        ([*record_of(CHOSEN), "", "{}"], 4, "'action' is missing"),
        (record_of({**CHOSEN, "n": math.nan}), 2, "NaN is not a number of JSON"),
        (record_of({**CHOSEN, "n": [math.inf]}), 2, "Infinity is not a number of JSON"),
        ([*record_of(), '{"n": 1e999}'], 2, "1e999 is not a number of JSON"),
        ([*sheet(), '[Also "n NaN"]'], 4, "NaN is not a number of JSON"),
        ([*sheet(), '[Also "n [-Infinity]"]'], 4, "-Infinity is not a number of JSON"),
    ],
)
def test_the_first_line_that_can_not_be_is_told(lines: list[str], number: int, why: str) -> None:
    verdict = judge(lines)
    assert verdict["line"] == number
    assert why in verdict["error"]


def test_a_throw_made_a_second_time_is_told() -> None:
    throw = {"action": "throw 6 4", "position": BEGUN}
    other = {"action": "throw 5 5", "position": BEGUN}
    undone = {"action": "undo", "position": BEGUN}
    assert judge(record_of(CHOSEN, throw, undone, CHOSEN, throw))["actions"] == 5
    assert judge(record_of(CHOSEN, throw, undone, CHOSEN, other)) == {
        "error": "throw 5 5 does not fit: seat 0 has thrown, throw 6 4",
        "line": 6,
    }


@pytest.mark.soak
@every_edition_alone
def test_whatever_a_table_records_is_judged_to_stand_so(preset: str) -> None:
    rng = random.Random(f"records of {preset}")
    for _ in range(extent(3, soak=6)):
        lines, record = drawn_record(rng, preset)
        assert judge(map(json.dumps, lines)) == {
            "actions": len(lines) - 1,
            "position": format_position(record.game.position),
            "over": record.game.phase is Phase.OVER,
            "places": list(record.game.places),
        }


# --- the command ---------------------------------------------------------------------------------


def replay(*arguments: str, text: str = "") -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "rules", "replay", *arguments],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_a_record_is_judged_from_a_file_or_standard_input(tmp_path: Path) -> None:
    text = "\n".join(record_of(CHOSEN))
    (tmp_path / "game.jsonl").write_text(text)
    verdict = f'{{"actions": 1, "position": "{BEGUN}", "over": false, "places": []}}\n'
    assert replay(str(tmp_path / "game.jsonl")) == (0, verdict, "")
    assert replay(text=text) == (0, verdict, "")
    assert replay(text="nothing")[0] == 1


def test_a_file_that_can_not_be_read_is_one_sentence(tmp_path: Path) -> None:
    status, out, err = replay(str(tmp_path / "nothing"))
    assert (status, out) == (2, "")
    assert err.startswith("rules: ")
    assert "can't be read (No such file or directory): name another file" in err
