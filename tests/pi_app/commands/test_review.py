"""`referee review`: who was lucky, who gave what away, and what would have been best."""

import io
import json
import shlex
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from pi_app.__main__ import main
from pi_app.advice.reviews import review_requests
from pi_app.advice.rollouts import RolledGame, parse_rollouts, throw_key
from pi_app.commands.rollouts import RolloutWorker, WorkerError, roll_out_game
from pi_app.players.review import review_throw
from pi_app.record.journal import FILE, load
from pi_app.running.child import WORKER
from tests.pi_app.players.test_review import played
from tests.pi_app.record.test_games import rows

CAPTURE_OR_ENTER = "H,40,13,N/-/52,N,N,N/-"
REVIEW = """\
All numbers are in wins of 100 games. Luck: how much better the throws were than average ones.
Gave away: how much better the best plays were than the actual plays.

seat   luck  gave away
A LUC  +4.5        7.8
C      -0.6        0.0

A's luckiest throw: turn 1, A threw 6-5: +4.5
A's unluckiest throw: turn 1, A threw 6-5: +4.5
turn 1, A threw 6-5: played N-0(5) 0-6(6), gave away 7.8; best: 13-18(5)x 18-24(6) 40-60(20)

C's luckiest throw: turn 2, C threw 6-4: -0.6
C's unluckiest throw: turn 2, C threw 6-4: -0.6
"""


def play(folder: Path) -> None:
    """Let A enter a pawn where it could have captured one that has come far."""
    journal, _ = load(folder / FILE)
    entries = (
        *("choose 0", f"correct {CAPTURE_OR_ENTER} seat 0 doublets 0", "throw 6 5"),
        *("move N-0(5)", "move 0-6(6)", "throw 6 4", "move 52-58(6)", "move 58-62(4)"),
    )
    journal.append(rows("findler", (0, 2), *entries), None, puts=(("player.A", "LUC red"),))
    journal.close()


def test_it_tells_luck_skill_biggest_mistakes_and_luckiest_throws(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(tmp_path)
    main(["review", "1", "--folder", str(tmp_path)])
    told = capsys.readouterr()
    assert told.out == REVIEW
    assert told.err == ""


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


# --- rollouts ------------------------------------------------------------------------------------

# B is far from home, so that the chances are not exact and need rollouts.
TWO_LEFT = "H,H,r7,r6/N,N,N,N/H,H,H,r7/-"
BLUNDER = ("throw 2 1", "move r6-r7(1)", "throw 3 2", "stop", "throw 6 4", "stop")
NEXT_TURN = ("throw 5 4", "stop", "throw 1 6", "move r7-H(1)")
ROLLED = """\
All numbers are in wins of 100 games. Luck: how much better the throws were than average ones.
Gave away: how much better the best plays were than the actual plays.
Rollouts have replaced the estimate of what 5 of 5 throws gave away; luck is an estimate.
In a rollout, the strongest bot plays on for every seat until the game is over.
The number after ± is half the width of the 95 % interval.
A smaller loss than that is not a mistake, and does not count.

seat   luck    gave away
A     +48.2  75.0 ± 23.2
B      +0.0          0.0
C      +7.6          0.0

A's luckiest throw: turn 1, A threw 2-1: +59.3
A's unluckiest throw: turn 4, A threw 5-4: -11.2
turn 1, A threw 2-1: played r6-r7(1), gave away 75.0 ± 23.2; best: r6-H(2) r7-H(1)

B's luckiest throw: turn 3, B threw 6-4: +0.0
B's unluckiest throw: turn 3, B threw 6-4: +0.0

C's luckiest throw: turn 5, C threw 1-6: +18.8
C's unluckiest throw: turn 2, C threw 3-2: -11.3

Chances after each play that was rolled out, and what it gave away:

turn  seat  throw  rollouts  A            B           C            gave away
   1  A     2-1          20  25.0 ± 18.2  0.0 ± 11.1  75.0 ± 18.2  75.0 ± 23.2  mistake
   2  C     3-2          20  25.0 ± 18.2  0.0 ± 11.1  75.0 ± 18.2  0.0
   3  B     6-4          20  25.0 ± 18.2  0.0 ± 11.1  75.0 ± 18.2  0.0
   4  A     5-4          20  25.0 ± 18.2  0.0 ± 11.1  75.0 ± 18.2  0.0
   5  C     1-6          20  0.0          0.0         100.0        0.0
"""
DEAREST = "turn 1, A threw 2-1: played r6-r7(1), gave away 75.0 ± 23.2; best: r6-H(2) r7-H(1)"


def blunder(folder: Path, after: tuple[str, ...] = (*BLUNDER[2:], *NEXT_TURN)) -> None:
    """Let A move a pawn in the home row where it could have come home with both, and lose."""
    journal, _ = load(folder / FILE)
    entries = ("choose 0", f"correct {TWO_LEFT} seat 0 doublets 0", *BLUNDER[:2])
    journal.append(rows("findler", (0, 1, 2), *entries, *after), None)
    journal.close()


@pytest.fixture(scope="module")
def worker() -> Iterator[RolloutWorker]:
    working = RolloutWorker()
    yield working
    working.close()


def kept(folder: Path) -> list[str]:
    return (folder / "rollouts" / "1.jsonl").read_text().splitlines()


def roll_out(folder: Path, count: int = 20) -> str:
    """Return what the command prints."""
    with redirect_stdout(io.StringIO()) as printed:
        main(["review", "1", "--rollouts", "--count", str(count), "--folder", str(folder)])
    return printed.getvalue()


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the lines that one run keeps of the game with A's blunder."""
    folder = tmp_path_factory.mktemp("uninterrupted")
    blunder(folder)
    roll_out(folder)
    return kept(folder)


def test_rollouts_say_what_a_mistake_cost_and_more_of_them_go_on_from_there(
    tmp_path: Path, uninterrupted: list[str]
) -> None:
    blunder(tmp_path)
    (tmp_path / "rollouts").mkdir()
    (tmp_path / "rollouts" / "1.jsonl").write_text("".join(f"{line}\n" for line in uninterrupted))
    printed = roll_out(tmp_path, 30)
    assert "   1  A     2-1          30  " in printed
    assert kept(tmp_path)[: len(uninterrupted)] == uninterrupted


class Impatient(Terminal):
    """Somebody who presses Ctrl-C when this many lines of progress have been shown."""

    def __init__(self, shown: int) -> None:
        super().__init__()
        self.left = shown

    def write(self, text: str) -> int:
        if "rolled out" in text:
            if self.left == 0:
                raise KeyboardInterrupt
            self.left -= 1
        return super().write(text)


def test_ctrl_c_prints_what_is_ready_and_the_next_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, uninterrupted: list[str]
) -> None:
    blunder(tmp_path)
    shown = Impatient(5)  # rounds of 10: 4 of the first decision, then 1 of another throw
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", shown)
        stopped = roll_out(tmp_path)
    progress = "\r1 of 5 throws rolled out, less than a minute left; Ctrl-C stops"
    assert progress in shown.getvalue()
    assert shown.getvalue().endswith("Stopped. The same command goes on from here.\n")
    assert "what 2 of 5 throws gave away" in stopped
    assert DEAREST in stopped
    assert roll_out(tmp_path) == ROLLED
    assert kept(tmp_path) == uninterrupted


def test_rollouts_of_another_network_begin_anew(tmp_path: Path, uninterrupted: list[str]) -> None:
    blunder(tmp_path)
    assert uninterrupted[0].startswith('{"network": "findler-4 ')
    (tmp_path / "rollouts").mkdir()
    older = ['{"network": "findler-4 older"}', *uninterrupted[1:-2]]
    (tmp_path / "rollouts" / "1.jsonl").write_text("\n".join(older))
    assert roll_out(tmp_path) == ROLLED
    assert kept(tmp_path) == uninterrupted


def test_the_decisions_come_first_and_of_them_the_most_exciting(worker: RolloutWorker) -> None:
    """A has nothing to choose, C could have won, and A could have come home with one pawn."""
    entries = ("throw 5 4", "stop", "throw 2 1", "move r6-r7(1)", "throw 1 3", "move r6-r7(1)")
    requests = review_requests(played("H,H,r7,r6/-/H,H,r7,r6/-", *entries))
    reviews, lines = list(map(review_throw, requests)), list[str]()
    game = RolledGame("", {})
    assert list(roll_out_game(worker, requests, reviews, game, lines.append, 10))
    rolled = [json.loads(line)["throw"] for line in lines if "chances" in line]
    first, second, third = map(throw_key, requests)
    assert list(dict.fromkeys(rolled)) == [second, third, first]
    assert parse_rollouts(lines) == game


def test_the_time_left_follows_from_the_time_so_far(worker: RolloutWorker) -> None:
    requests = review_requests(played("H,H,H,r7/N,N,N,N/H,H,H,r7/-", "throw 5 4", "stop"))
    reviews, lines = list(map(review_throw, requests)), list[str]()
    game = RolledGame("", {})
    times = iter([100.0, 106.0, 112.0, 118.0])  # the beginning, then the end of each round
    progress = roll_out_game(worker, requests, reviews, game, lines.append, 30, lambda: next(times))
    assert list(progress) == [(0, 1, 12.0), (0, 1, 6.0), (0, 1, 0.0)]


def test_a_process_that_fails_is_one_sentence() -> None:
    failing = RolloutWorker((sys.executable, "-c", "pass"))
    with pytest.raises(WorkerError, match="the process that plays the rollouts has failed"):
        failing.review(review_requests(played(TWO_LEFT, *BLUNDER[:2]))[0])
    failing.close()


def test_a_process_that_is_killed_once_is_started_again(tmp_path: Path) -> None:
    killed = tmp_path / "killed"
    script = f"test -e {killed} && exec {shlex.join(WORKER)}; touch {killed}"
    worker = RolloutWorker(("sh", "-c", script))
    request = review_requests(played(TWO_LEFT, *BLUNDER[:2]))[0]
    assert worker.review(request) == review_throw(request)
    worker.close()


@pytest.mark.parametrize("count", ["9", "2001", "many", "-1"])
def test_a_count_has_its_bounds(count: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["review", "1", "--rollouts", f"--count={count}"])
    assert f"write a number from 10 to 2000 instead of '{count}'" in capsys.readouterr().err
