"""Rollouts are kept line by line beside the journal, and half a line costs only itself."""

from pathlib import Path

import pytest

from pi_app.advice.rollouts import (
    RolloutPlay,
    chances_line,
    network_line,
    parse_rollouts,
    plays_line,
)
from pi_app.record.rollouts import RolloutWriter, read_rollouts
from pi_app.record.trouble import JournalError

PLAY = RolloutPlay(("r7-H(1)",), "H,H,H,r6/-/H,H,H,r7/-", 2, 0, False, 42)
LINES = (
    network_line("findler-4 0000abcd"),
    plays_line("aaaa", [PLAY, PLAY]),
    chances_line("aaaa", 1, 0, [(1.0, None, 0.0, None)]),
    chances_line("aaaa", 1, 1, [(0.25, None, 0.75, None)]),
)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def test_lines_are_kept_until_somebody_begins_anew(journal: Path) -> None:
    assert read_rollouts(journal, "7") == ()
    for line in LINES[:3]:
        RolloutWriter(journal, "7", anew=line == LINES[0]).add(line)
    assert read_rollouts(journal, "7") == LINES[:3]
    assert read_rollouts(journal, "8") == ()
    RolloutWriter(journal, "7", anew=True)
    assert read_rollouts(journal, "7") == ()


def test_lines_are_read_as_the_rollouts_of_each_throw() -> None:
    game = parse_rollouts(LINES)
    assert game.network == "findler-4 0000abcd"
    assert game.throws["aaaa"].plays == (PLAY, PLAY)
    assert game.throws["aaaa"].chances == ([], [(1.0, None, 0.0, None), (0.25, None, 0.75, None)])
    assert game.throws["aaaa"].chances_of(2) == {0: [], 1: [0.0, 0.75]}


def test_half_a_line_after_a_power_cut_costs_only_itself(journal: Path) -> None:
    writer = RolloutWriter(journal, "7", anew=True)
    for line in LINES[:3]:
        writer.add(line)
    [file] = (journal.parent / "rollouts").iterdir()
    file.write_bytes(file.read_bytes()[:-9])
    RolloutWriter(journal, "7", anew=False).add(LINES[2])
    assert parse_rollouts(read_rollouts(journal, "7")) == parse_rollouts(LINES[:3])


@pytest.mark.parametrize(
    "line",
    [
        LINES[2],  # twice the same rollouts
        chances_line("aaaa", 1, 5, [(1.0, None, 0.0, None)]),
        chances_line("aaaa", 2, 0, [(1.0, None, 0.0, None)]),
        chances_line("bbbb", 0, 0, [(1.0, None, 0.0, None)]),
        '{"throw": "aaaa", "play": 0, "begin": 0, "chances": null}',
        chances_line("aaaa", 0, 0, [(1.0, None)]),
        '{"throw": "aaaa", "play": 0, "begin": 0, "chances": [["1", null, "x", null]]}',
        '{"throw": "aaaa", "plays": [1]}',
        "[]",
        "null",
        "{",
    ],
)
def test_a_line_that_does_not_follow_is_left_out(line: str) -> None:
    assert parse_rollouts([*LINES[:3], line]) == parse_rollouts(LINES[:3])


def test_a_folder_that_can_not_be_written_is_one_sentence(journal: Path) -> None:
    (journal.parent / "rollouts").write_text("in the way")
    with pytest.raises(JournalError, match=r"7\.jsonl can't be written \(.+\): use sudo, or free"):
        RolloutWriter(journal, "7", anew=True)
