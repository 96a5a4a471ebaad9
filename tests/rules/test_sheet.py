"""Sheets: a record as people read it is the record, both ways, and what is altered is refused."""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rules.lines.jsonl import RecordError
from rules.lines.replay import judge
from rules.lines.sheet import parse_sheet, sheet_lines
from rules.ruleset import PRESETS, written_options
from tests.rules.editions import every_edition_alone
from tests.rules.records import drawn_record

NESTS = "N,N,N,N/-/N,N,N,N/-"
FIRST: dict[str, Any] = {
    "format": "pachisi-record",
    "version": 1,
    "ruleset": "findler",
    "seats": [0, 2],
}
CHOSEN: dict[str, Any] = {"action": "choose 0", "position": NESTS}
THROWN: dict[str, Any] = {"action": "throw 5 3", "position": NESTS, "source": "kernel"}
ODD: tuple[Any, ...] = (
    *("strong", "A", "", " two  words ", 'q"u\\o}te,', "true", "5", "1e5", "NaN", "Zoë", "\u2028"),
    *("\ud800\n", "2026-11-21T18:02:11Z", 5, -0.5, 1e300, True, None, [], {}, [{"a b": ["}", 1]}]),
)


def text_of(lines: list[dict[str, Any]]) -> list[str]:
    written = [json.dumps(line, ensure_ascii=False) for line in lines]
    return [one if one.isprintable() else json.dumps(json.loads(one)) for one in written]


def sheet_of(*lines: dict[str, Any], **first: Any) -> list[str]:
    return list(sheet_lines(text_of([{**FIRST, **first}, *lines])))


def goes_both_ways(lines: list[dict[str, Any]]) -> bool:
    """Whether what is read from a record's sheet is that record, byte for byte."""
    return list(parse_sheet(sheet_lines(text_of(lines)))) == text_of(lines)


def time_of(rng: random.Random) -> str:
    return f"2026-11-{rng.choice('12')}1T18:0{rng.choice('12')}:{rng.randint(10, 59)}.125+00:00"


@every_edition_alone
def test_whatever_a_table_records_is_read_from_its_sheet_again(preset: str) -> None:
    rng = random.Random(f"sheets of {preset}")
    for timed in (False, True):
        lines, _ = drawn_record(rng, preset)
        for line in lines[1:]:
            line.update({"at": time_of(rng)} if timed else {})
            if rng.random() < 0.3:
                line[rng.choice(("by", "n", "a key"))] = rng.choice(ODD)
        assert goes_both_ways(lines)
        sheet = list(sheet_lines(text_of(lines)))
        assert judge(sheet) == judge(text_of(lines))


def test_what_the_first_line_says_is_read_again_whatever_it_is() -> None:
    for value in ODD:
        more = {"preset": value, "names": value, "started": value, "a key": value, "5": value}
        assert goes_both_ways([{**FIRST, **more}])
    house = {**FIRST, "ruleset": {"preset": "pb", "again": "never"}, "seats": [2, 0], "host": 2}
    in_full = {
        **FIRST,
        "ruleset": written_options(PRESETS["pb"]),
        "names": {"C": 'M"a\\', "A": "Ü\n"},
    }
    assert goes_both_ways([house])
    assert goes_both_ways([in_full])


def test_keys_in_another_order_are_the_same_objects() -> None:
    lines = [FIRST, {"at": "now", "source": None, "position": NESTS, "action": "choose 0"}]
    assert list(map(json.loads, parse_sheet(sheet_lines(text_of(lines))))) == lines


def test_house_rules_are_told_option_by_option_in_lines_that_fit() -> None:
    sheet = sheet_of(ruleset=written_options(PRESETS["pb"]))
    tags = [line for line in sheet if line.startswith("[Rules")]
    assert sheet[-len(tags) - 1 :] == [*tags, ""]  # below who plays
    assert tags[0].startswith('[Rules "layout standard, safety twelve, travel counterclockwise,')
    assert max(map(len, tags)) <= 104


def test_a_throw_that_names_no_source_is_told_from_one_that_does() -> None:
    nameless = {"action": "throw 5 3", "position": NESTS}
    nobody: dict[str, Any] = {**nameless, "source": None}
    known: list[tuple[dict[str, Any], str, str]] = [
        (THROWN, "kernel 1", "1. A 5-3"),
        (nameless, "unknown 1", "1. A 5-3"),
        (nobody, "unknown 1", "1. A 5-3 {source null}"),
    ]
    for throw, tag, shown in known:
        sheet = sheet_of(CHOSEN, throw)
        assert f'[Dice "{tag}"]' in sheet
        assert sheet[-1] == shown
        assert goes_both_ways([FIRST, CHOSEN, throw])


def test_a_throw_that_comes_again_is_counted_once() -> None:
    undone = {"action": "undo", "position": NESTS}
    sheet = sheet_of(CHOSEN, THROWN, undone, CHOSEN, THROWN)
    assert sheet[3] == '[Dice "kernel 1"]'
    assert sheet[7:] == ["choose A", "1. A 5-3: undo", "choose A", "1. A 5-3 again"]


def test_the_result_says_who_came_in_and_whether_others_play_on() -> None:
    standing = "H,H,H,r7/H,H,H,r6/N,N,N,N/-"
    lines = [
        CHOSEN | {"position": "N,N,N,N/N,N,N,N/N,N,N,N/-"},
        {"action": f"correct {standing} seat 0 doublets 0", "position": standing},
        {"action": "throw 1 3", "position": standing},
        {"action": "move r7-H(1)", "position": "H,H,H,H/H,H,H,r6/N,N,N,N/-"},
    ]
    play_on = {"ruleset": {"preset": "findler", "play_on": True}, "seats": [0, 1, 2]}
    assert '[Result "unfinished"]' in sheet_of(*lines[:3], **play_on)
    assert '[Result "won by A, unfinished"]' in sheet_of(*lines, **play_on)
    end = {"action": "end", "position": lines[3]["position"]}
    assert '[Result "won by A"]' in sheet_of(*lines, end, **play_on)
    assert '[Result "won by A"]' in sheet_of(*lines, seats=[0, 1, 2])
    assert '[Result "ended"]' in sheet_of(*lines[:3], {**end, "position": standing}, **play_on)


def test_of_a_time_only_what_is_new_is_written() -> None:
    times = ("2026-11-21T23:59:58Z", "2026-11-21T23:59:59Z", "2026-11-22T00:00:00Z", "later")
    lines = [{**line, "at": at} for line, at in zip([CHOSEN, THROWN] * 2, times, strict=True)]
    lines[2] = {"action": "undo", "position": NESTS, "at": times[2]}
    lines[3] = {**CHOSEN, "at": times[3]}
    assert sheet_of(*lines)[-3:] == [
        "choose A @ 2026-11-21T23:59:58Z",
        "1. A 5-3: undo @ 59Z 2026-11-22T00:00:00Z",
        "choose A {at later}",
    ]


@pytest.mark.parametrize(
    ("there", "instead", "number", "why"),
    [
        ("record 1", "record 2", 1, "version 2"),
        ("[Record", "[Recrod", 1, 'begins with [Record "pachisi-record 1"]'),
        ('"findler"', '"nobody"', 2, "nobody"),
        ('"findler"', "findler", 2, "is not a tag"),
        ('"A C"', '"A E"', 3, "'E' is not a seat"),
        ('"A C"', '"A"', 3, "two to four"),
        ("[Seats", "[Chairs", 3, "there is no tag Chairs"),
        ('[Dice "kernel 1"]', '[Also "seats 5"]', 4, "said before"),
        ("kernel 1", "kernel 2", 4, 'it is [Dice "kernel 1"]'),
        ("kernel 1", "sleeve 1", 9, "source 'sleeve'"),
        ("unfinished", "won by A", 5, "unfinished"),
        ("3,N,N,N", "4,N,N,N", 6, 'it is [Position "3,N,N,N/-/N,N,N,N/-"]'),
        ("choose A", "choose B", 8, "choose 1 does not fit"),
        ("choose A", "choose 0", 8, "by the rules it is 'choose A'"),
        ("1. A", "2. A", 9, "by the rules it is '1. A"),
        ("A 5-3", "C 5-3", 9, "by the rules it is '1. A"),
        ("5-3", "5-4", 9, "move 0-3(3) is not legal"),
        ("5-3", "5 3", 9, "does not fit"),
        ("5-3", "5-3 again", 9, "not '1. A 5-3 again"),
        ("N-0(5)", "N-0(5)x", 9, "move N-0(5)x is not legal"),
        ("N-0(5)", "N-0", 9, "is not an action"),
        (" {by Mia}", " {by {]}", 9, "is not a value"),
        (" {by Mia}", " {5 Mia}", 9, "is not key value"),
        (" {by Mia}", " {action end}", 9, "by the rules it is"),
        (" 0-3(3)", " 0-3(3) @ 12Z", 9, "3 actions and 1 times"),
        (" N-0(5) {by Mia} 0-3(3)", " @ 12Z 13Z", 9, "1 actions and 2 times"),
    ],
)
def test_a_sheet_that_was_altered_is_refused(
    there: str, instead: str, number: int, why: str
) -> None:
    steps = [("move N-0(5)", "0,N,N,N/-/N,N,N,N/-"), ("move 0-3(3)", "3,N,N,N/-/N,N,N,N/-")]
    moves = [{"action": action, "position": position} for action, position in steps]
    sheet = "\n".join(sheet_of(CHOSEN, THROWN, {**moves[0], "by": "Mia"}, moves[1]))
    assert there in sheet
    verdict = judge(sheet.replace(there, instead, 1).split("\n"))
    assert verdict["line"] == number
    assert why in verdict["error"]


def test_a_record_that_can_not_be_has_no_sheet() -> None:
    with pytest.raises(RecordError, match=r"line 3: throw 5 does not fit") as told:
        sheet_of(CHOSEN, {**THROWN, "action": "throw 5"})
    assert told.value.line == 3


def test_no_sheet_that_was_damaged_is_more_than_one_sentence() -> None:
    rng = random.Random("damaged sheets")
    signs = ("", "", "0", "A", "x", "{", "}", '"', "\\", ",", " ", "[", "\n", "@", "é", "(", ":")
    for preset in ("findler", "one-die"):
        lines, _ = drawn_record(rng, preset)
        lines[3] |= {"by": "x y", "at": "2026-11-21T18:02:11Z"}
        whole = "\n".join(sheet_lines(text_of(lines)))
        for _ in range(150):
            at = rng.randrange(len(whole))
            damaged = whole[:at] + rng.choice(signs) + whole[at + rng.choice((0, 1, 99999)) :]
            verdict = judge(damaged.split("\n"))
            if "error" in verdict:
                assert 1 <= verdict["line"] <= damaged.count("\n") + 1
            else:
                assert judge(parse_sheet(damaged.split("\n"))) == verdict


def test_the_command_turns_one_form_into_the_other(tmp_path: Path) -> None:
    lines = text_of([{**FIRST, "names": {"A": "Zoë"}}, CHOSEN, THROWN])
    (tmp_path / "game.jsonl").write_text("\n".join(lines), encoding="utf-8")
    told = [sys.executable, "-m", "rules", "sheet"]
    command = [*told, str(tmp_path / "game.jsonl")]
    sheet = subprocess.run(command, capture_output=True, check=True).stdout
    assert sheet.decode().splitlines() == list(sheet_lines(lines))
    back = subprocess.run(told, input=sheet, capture_output=True, check=True).stdout
    assert back.decode().splitlines() == lines
    refused = subprocess.run(told, input=b"{", capture_output=True, check=False)
    assert (refused.returncode, refused.stdout) == (1, b"")
    assert refused.stderr.startswith(b"rules: line 1: not JSON")
