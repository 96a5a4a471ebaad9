"""`referee review`: who was lucky, who gave what away, and what would have been best."""

import io
import json
import sys
from pathlib import Path

import pytest

from pi_app.__main__ import main
from pi_app.record.journal import FILE, load
from tests.pi_app.record.journals import commit
from tests.pi_app.record.test_games import rows

CAPTURE_OR_ENTER = "H,40,13,N/-/52,N,N,N/-"
REVIEW = """\
All numbers are in wins of 100 games. Luck: how much better the throws were than average ones.
Gave away: how much better the best plays were than the actual plays.

seat   luck  gave away
A LUC  +9.7       16.1
C      -2.0        0.0

A's luckiest throw: turn 1, A threw 6-5: +9.7
A's unluckiest throw: turn 1, A threw 6-5: +9.7
turn 1, A threw 6-5: played N-0(5) 0-6(6), gave away 16.1; best: 40-46(6) 13-18(5)x 18-38(20)

C's luckiest throw: turn 2, C threw 6-4: -2.0
C's unluckiest throw: turn 2, C threw 6-4: -2.0
"""


def play(folder: Path) -> None:
    """Let A enter a pawn where it could have captured one that has come far."""
    journal, _ = load(folder / FILE)
    entries = (
        *("choose 0", f"correct {CAPTURE_OR_ENTER} seat 0 doublets 0", "throw 6 5"),
        *("move N-0(5)", "move 0-6(6)", "throw 6 4", "move 52-58(6)", "move 58-62(4)"),
    )
    commit(journal, rows("findler", (0, 2), *entries), None, puts=(("player.A", "LUC red"),))
    journal.close()


def test_it_tells_luck_skill_biggest_mistakes_and_luckiest_throws(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(tmp_path)
    main(["review", "1", "--folder", str(tmp_path)])
    told = capsys.readouterr()
    assert told.out == REVIEW
    assert told.err == ""


def test_programs_get_each_throw_and_the_sums_of_each_seat(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(tmp_path)
    main(["review", "1", "--json", "--folder", str(tmp_path)])
    told = json.loads(capsys.readouterr().out)
    a, c = told["seats"]
    assert (told["game"], a["name"], c["name"]) == ("1", "LUC", None)
    assert (a["seat"], a["dearest"], a["luckiest"], a["unluckiest"]) == ("A", [0], 0, 0)
    first = told["throws"][a["dearest"][0]]
    assert (first["turn"], first["seat"], first["faces"]) == (1, "A", [6, 5])
    assert (first["played"], first["best"][0]) == (["N-0(5)", "0-6(6)"], "40-46(6)")
    assert first["gave_away"] == a["gave_away"] == pytest.approx(16.1, abs=0.1)


class Terminal(io.StringIO):
    """What is shown to somebody who waits."""

    def isatty(self) -> bool:
        return True


def test_who_waits_is_told_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(tmp_path)
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    main(["review", "1", "--folder", str(tmp_path)])
    assert shown.getvalue() == "\r1 of 2 throws \r2 of 2 throws \r\033[K"


def test_a_game_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    play(tmp_path)
    with pytest.raises(SystemExit, match="there is no game 7"):
        main(["review", "7", "--folder", str(tmp_path)])
