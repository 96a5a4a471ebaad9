"""The adviser: the real worker, and programs that die, hang, talk nonsense or are not there."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue

import pytest

from pi_app.model.advice import AdviceQuestion
from pi_app.model.events import AdviceGiven, DiceDrawn, Event
from pi_app.players.working import answer_as_grace, answer_line
from pi_app.runtime.adviser import LONG_PAUSE_S, Adviser, ImmediateAdviser
from pi_app.settings.settings import Settings
from pi_app.system.child import NICE, ROOT, WORKER
from pi_app.table.core.advice import next_question
from pi_app.table.session import Reply
from tests.pi_app.sitting import Sitting

FOUR = "12,N,N,N/22,5,N,N/3,N,N,N/N,N,N,N"
pytestmark = pytest.mark.slow  # nearly each test starts a process

LONG_S = 60.0  # for what comes at once, on a machine that is busy
BOX_AT_A = Settings({"box.A": "strong"})


def thrown(*faces: int) -> Reply:
    """Return the reply of a table at which a bot has thrown and nobody has told it what to do."""
    table = Sitting(dice=[faces], settings=BOX_AT_A, advise=None)
    table.resume(FOUR, 0, "findler")
    table.throw()
    return table.reply


REPLY = thrown(6, 3)


def question_of(reply: Reply) -> AdviceQuestion:
    question = next_question(reply.session)
    assert question is not None
    return question


def answered(reply: Reply, work: object = answer_line) -> object:
    question = question_of(reply)
    assert callable(work)
    return question.read(work(question.line()))


class Bench:
    """An adviser, what it puts in the inbox, and a clock that stands unless a test moves it on."""

    def __init__(self, folder: Path) -> None:
        self.program = folder / "program"
        self.pipe = folder / "pipe"
        self.inbox: SimpleQueue[Event] = SimpleQueue()
        self.now = 0.0
        self.advisers: list[Adviser] = []
        os.mkfifo(self.pipe)

    def adviser(self, *command: str) -> Adviser:
        """Return an adviser that waits as long as the clock stands."""
        made = Adviser(self.inbox.put, answer_as_grace, lambda: self.now, command or WORKER, LONG_S)
        self.advisers.append(made)
        return made

    def script(self, text: str) -> str:
        """Return a shell script's path; in it `$PIPE` is read by `told`."""
        self.program.write_text(f"#!/bin/sh\nPIPE='{self.pipe}'\n{text}\n")
        self.program.chmod(0o755)
        return str(self.program)

    def told(self) -> str:
        """Wait until the program has written to the pipe and closed it."""
        return self.pipe.read_text()

    def answer(self) -> object:
        event = self.inbox.get(timeout=LONG_S)
        assert isinstance(event, AdviceGiven)
        return event.answer


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    for adviser in made.advisers:
        adviser.close()


def ends_within(pid: int, seconds: float) -> bool:
    """Whether a process ends in so many seconds."""
    try:
        watched = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    ended, _, _ = select.select([watched], [], [], seconds)
    os.close(watched)
    return ended == [watched]


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def pid_of(adviser: Adviser) -> int:
    assert adviser.process is not None
    return adviser.process.pid


def children() -> list[int]:
    """Return the processes that this one has started, those that wait to be looked after too."""
    found = list[int]()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            _, parent = stat.read_text().rpartition(")")[2].split()[:2]
            found += [int(stat.parent.name)] if int(parent) == os.getpid() else []
    return sorted(found)


# --- the real worker -------------------------------------------------------------------------


def test_it_answers_what_the_session_asks(bench: Bench) -> None:
    adviser = bench.adviser()
    assert adviser(REPLY, 0.0) is None
    assert bench.answer() == answered(REPLY)
    assert os.getpriority(os.PRIO_PROCESS, pid_of(adviser)) == NICE
    assert Path(f"/proc/{pid_of(adviser)}/oom_score_adj").read_text() == "1000\n"


def test_nothing_is_started_before_something_is_asked(bench: Bench) -> None:
    before = children()
    adviser = bench.adviser()
    adviser(Sitting().reply, 0.0)
    assert (children(), adviser.process) == (before, None)


def test_the_same_question_is_asked_once_and_again_after_another(bench: Bench) -> None:
    adviser = bench.adviser()
    for _ in range(3):
        adviser(REPLY, 0.0)
    assert bench.answer() == answered(REPLY)
    adviser(thrown(2, 1), 0.0)
    assert bench.answer() == answered(thrown(2, 1))
    adviser(REPLY, 0.0)
    assert bench.answer() == answered(REPLY)
    assert bench.inbox.empty()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_one_that_is_killed_between_two_questions_is_started_anew(
    bench: Bench, number: signal.Signals
) -> None:
    adviser = bench.adviser()
    adviser(REPLY, 0.0)
    bench.answer()
    pid = pid_of(adviser)
    os.kill(pid, number)
    adviser(thrown(2, 1), 0.0)
    assert bench.answer() == answered(thrown(2, 1))
    assert pid_of(adviser) != pid


def test_one_that_is_stopped_is_killed_and_started_anew(bench: Bench) -> None:
    adviser = bench.adviser()
    adviser(REPLY, 0.0)
    bench.answer()
    pid = pid_of(adviser)
    os.kill(pid, signal.SIGSTOP)
    adviser(thrown(2, 1), 0.0)
    while not ends_within(pid, 0.2):
        bench.now += LONG_S
    assert bench.answer() == answered(thrown(2, 1))
    assert is_gone(pid)


def test_closed_it_leaves_nothing_behind(bench: Bench) -> None:
    before = children()
    adviser = bench.adviser()
    adviser(REPLY, 0.0)
    bench.answer()
    assert len(children()) == len(before) + 1
    adviser.close()
    assert children() == before


def test_closed_while_it_waits_it_waits_no_longer(bench: Bench) -> None:
    adviser = bench.adviser(bench.script('echo $$ > "$PIPE"; exec sleep 1000'))
    adviser(REPLY, 0.0)
    pid = int(bench.told())
    adviser.close()
    assert is_gone(pid)
    assert bench.inbox.empty()


OWNER = """
import sys
from pi_app.runtime.adviser import Adviser
from pi_app.players.working import answer_as_grace
from tests.pi_app.runtime.test_adviser import LONG_S, REPLY, pid_of
tell_pid = lambda event: print(pid_of(adviser), flush=True)
adviser = Adviser(tell_pid, answer_as_grace, timeout_s=LONG_S)
adviser(REPLY, 0.0)
sys.stdin.read()
"""


def test_a_table_that_is_killed_takes_its_worker_with_it() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", OWNER],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as table:
        assert table.stdout is not None
        worker = int(table.stdout.readline())
        table.kill()
        assert ends_within(worker, LONG_S)


# --- programs that are no worker -------------------------------------------------------------


DIES = 'read line; echo $$ > "$PIPE"; exit 3'
HANGS = 'read line; echo $$ > "$PIPE"; exec sleep 1000'
NONSENSE = {
    "no JSON": "while read line; do echo hello; done",
    "not legal": "while read line; do echo '[\"move 3-9(6)\"]'; done",
    "no UTF-8": "while read line; do printf '\\377\\n'; done",
}


@pytest.mark.parametrize("text", [*NONSENSE.values(), "exit 3"], ids=[*NONSENSE, "dies"])
def test_after_two_tries_the_bot_plays_by_grace(bench: Bench, text: str) -> None:
    adviser = bench.adviser(bench.script(text))
    adviser(REPLY, 0.0)
    assert bench.answer() == answered(REPLY, answer_as_grace)


def test_one_that_hangs_twice_has_the_bot_play_by_grace(bench: Bench) -> None:
    adviser = bench.adviser(bench.script(HANGS))
    adviser(REPLY, 0.0)
    for _ in range(2):
        pid = int(bench.told())
        while not ends_within(pid, 0.2):
            bench.now += LONG_S
    assert bench.answer() == answered(REPLY, answer_as_grace)


def test_a_program_that_is_missing_has_the_bot_play_by_grace(bench: Bench) -> None:
    adviser = bench.adviser("/nowhere/program")
    adviser(REPLY, 0.0)
    assert bench.answer() == answered(REPLY, answer_as_grace)


def test_each_try_is_a_process_of_its_own_and_none_stays(bench: Bench) -> None:
    adviser = bench.adviser(bench.script(DIES))
    adviser(REPLY, 0.0)
    pids = set[int]()
    while len(pids) < 2:
        pids.update(map(int, bench.told().split()))  # one line, or both at once
    bench.answer()
    assert all(map(is_gone, pids))


def test_after_it_has_failed_it_is_not_tried_for_a_while(bench: Bench) -> None:
    adviser = bench.adviser(bench.script("exit 3"))
    adviser(REPLY, 0.0)
    bench.answer()
    bench.script('echo begun > "$PIPE"; exit 3')
    bench.now = LONG_PAUSE_S - 0.1
    adviser(thrown(2, 1), 0.0)
    assert bench.answer() == answered(thrown(2, 1), answer_as_grace)
    bench.now = LONG_PAUSE_S
    adviser(REPLY, 0.0)
    assert set(bench.told().split()) == {"begun"}  # once, or for its second try, too


def test_an_answer_that_comes_in_pieces_is_read_whole(bench: Bench) -> None:
    line = answer_line(question_of(REPLY).line())
    adviser = bench.adviser(
        bench.script(f"read line; printf '{line[:9]}'; sleep 0.05; echo '{line[9:]}'; cat")
    )
    adviser(REPLY, 0.0)
    assert bench.answer() == answered(REPLY)


def test_where_the_plain_answer_fails_too_the_table_plays_on(bench: Bench) -> None:
    def fails(line: str) -> str:
        bench.inbox.put(DiceDrawn((), line, 0.0))
        raise RuntimeError(line)

    adviser = Adviser(bench.inbox.put, fails, lambda: bench.now, ["/nowhere/program"])
    bench.advisers.append(adviser)
    for reply in (REPLY, thrown(2, 1)):
        adviser(reply, 0.0)
        assert bench.inbox.get(timeout=LONG_S) == DiceDrawn((), question_of(reply).line(), 0.0)


# --- at once ---------------------------------------------------------------------------------


def test_where_the_clock_is_driven_it_answers_before_anything_else(bench: Bench) -> None:
    at_once = ImmediateAdviser(bench.inbox.put, answer_line)
    at_once(REPLY, 3.0)
    at_once(REPLY, 3.0)
    assert bench.inbox.get() == AdviceGiven(question_of(REPLY), answered(REPLY), 3.0)
    assert bench.inbox.empty()
