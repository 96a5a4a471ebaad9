"""The adviser: has a process of low priority work out the newest question. Knows no rules.

One that dies, hangs or answers nonsense is started anew and asked again. After that the answer is
the plain one, and for a while nothing is asked of it.
"""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from select import select
from subprocess import Popen
from threading import Event as Bell
from threading import Thread
from time import monotonic
from typing import IO, Any

from pi_app.input.events import Advised, Event, Question
from pi_app.processes import WORKER, started
from pi_app.table.core.advice import asks, question_line, read_answer
from pi_app.table.session import Reply

log = logging.getLogger(__name__)

PATIENCE_S = 10.0  # forty times what the longest takes; on the smallest Pi, which is slower, four
TRIES = 2
REST_S = 60.0  # after all tries have failed
LOOK_S = 5.0  # how often it is looked whether a process that has nothing to do is still there
KILL_S = 1.0  # one that is killed is gone at once, unless it waits for a disk
SLICE_S = 0.05  # how often is looked whether it has thought for too long
CHUNK = 65_536

Answer = Callable[[str], str]
"""What works out the answer to a question's line."""


@dataclass(slots=True)
class AtOnce:
    """Has what the session asks worked out before anything else happens: for a driven clock."""

    put: Callable[[Event], None]
    work: Answer
    asked: Question | None = None

    def __call__(self, reply: Reply, now: float) -> float | None:
        before, self.asked = self.asked, asks(reply.session)
        if self.asked is not None and self.asked != before:
            answer = read_answer(self.asked, self.work(question_line(self.asked)))
            self.put(Advised(self.asked, answer, now))
        return None


class NoAnswer(Exception):
    """A process that gives none; the text says why."""


class Adviser:
    """An output that hands what the session asks to a process, and puts the answer in the inbox.

    put: takes the answer. plainly: works out the answer that is given where the process gives
    none; it runs on the adviser's thread. patience_s: how long it may think.
    """

    def __init__(
        self,
        put: Callable[[Event], None],
        plainly: Answer,
        clock: Callable[[], float] = monotonic,
        command: Sequence[str] = WORKER,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._put = put
        self._plainly = plainly
        self._clock = clock
        self._command = command
        self._patience_s = patience_s
        self._asked: Question | None = None
        self._newest: deque[Question] = deque(maxlen=1)
        self.process: Popen[bytes] | None = None
        self._rests_until = float("-inf")
        self._bell = Bell()
        self._closing = False
        self.thread: Thread | None = None

    def __call__(self, reply: Reply, now: float) -> float | None:
        question = asks(reply.session)
        if question != self._asked:
            self._asked = question
            if question is not None:
                self._ask(question)
        return None

    def _ask(self, question: Question) -> None:
        self._newest.append(question)
        self._bell.set()
        if self.thread is None:
            self.thread = Thread(target=self._run, name="adviser", daemon=True)
            self.thread.start()

    def close(self) -> None:
        """End the process and the thread."""
        self._closing = True
        self._bell.set()
        until = monotonic() + KILL_S
        while self.thread is not None and self.thread.is_alive() and monotonic() < until:
            if (process := self.process) is not None:
                process.kill()  # so that the thread waits for it no longer
            self.thread.join(SLICE_S)

    def _run(self) -> None:
        while not self._closing:
            self._bell.wait(None if self.process is None else LOOK_S)
            self._bell.clear()
            if self.process is not None and self.process.poll() is not None:
                self._end()
            while self._newest and not self._closing:
                self._answer(self._newest.pop())
        self._end()

    def _answer(self, question: Question) -> None:
        """Put the answer in the inbox, if there is one at all."""
        line = question_line(question)
        try:
            answer = self._by_process(question, line)
            if answer is None and not self._closing:
                answer = read_answer(question, self._plainly(line))
        except Exception as error:  # whatever it is, the table plays on
            log.error("nothing answers %s: %r", line, error)
            return
        if answer is not None:
            self._put(Advised(question, answer, self._clock()))

    def _by_process(self, question: Question, line: str) -> Any | None:
        """Return the process's answer, None where it has failed too often."""
        if self._clock() < self._rests_until:
            return None
        for _ in range(TRIES):
            try:
                return read_answer(question, self._told(line))
            except (NoAnswer, OSError, ValueError) as error:
                self._end()
                if self._closing:
                    return None
                log.warning("the adviser is started anew: %s", error)
        self._rests_until = self._clock() + REST_S
        return None

    def _told(self, line: str) -> str:
        """Return the line that the process answers with."""
        if self.process is None:
            self.process = started(self._command)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{line}\n".encode())
        return self._read(self.process.stdout, self._clock() + self._patience_s)

    def _read(self, answers: IO[bytes], until: float) -> str:
        told = b""
        while not told.endswith(b"\n"):
            ready, _, _ = select([answers], [], [], SLICE_S)
            if not ready:
                if self._clock() >= until:
                    raise NoAnswer(f"it has not answered for {self._patience_s:g} s")
                continue
            part = os.read(answers.fileno(), CHUNK)
            if not part:
                raise NoAnswer("it has ended")
            told += part
        return told.decode()

    def _end(self) -> None:
        """Kill the process, and let nothing of it stay."""
        process, self.process = self.process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()
