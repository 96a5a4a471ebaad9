"""The adviser: has a process of low priority work out the newest question. Knows no rules.

One that dies, hangs or answers nonsense is started anew and asked again. After that the answer is
the plain one, and for a while nothing is asked of it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from subprocess import Popen
from time import monotonic
from typing import Any

from pi_app.input.events import AdviceGiven, AdviceQuestion, Event
from pi_app.running.back_off import BackOff
from pi_app.running.child import WORKER, Child, NoAnswer, close, start_process
from pi_app.running.newest_value import Newest
from pi_app.table.core.advice import next_question, question_line, read_answer
from pi_app.table.session import Reply

log = logging.getLogger(__name__)

ANSWER_TIMEOUT_S = (
    10.0  # forty times what the longest takes; on the smallest Pi, which is slower, four
)
PAUSE_S = 60.0
PAUSES_S = (0.0, PAUSE_S)  # it is tried twice before it rests
IDLE_CHECK_S = 5.0  # how often it is looked whether a process that has nothing to do is still there

AnswerFunction = Callable[[str], str]
"""What works out the answer to a question's line."""


@dataclass(slots=True)
class ImmediateAdviser:
    """Has what the session asks worked out before anything else happens: for a driven clock."""

    put: Callable[[Event], None]
    work: AnswerFunction
    asked: AdviceQuestion | None = None

    def __call__(self, reply: Reply, now: float) -> float | None:
        before, self.asked = self.asked, next_question(reply.session)
        if self.asked is not None and self.asked != before:
            answer = read_answer(self.asked, self.work(question_line(self.asked)))
            self.put(AdviceGiven(self.asked, answer, now))
        return None


class Adviser:
    """An output that hands what the session asks to a process, and puts the answer in the inbox.

    put: takes the answer. plainly: works out the answer that is given where the process gives
    none; it runs on the adviser's thread. patience_s: how long it may think.
    """

    def __init__(
        self,
        put: Callable[[Event], None],
        plainly: AnswerFunction,
        clock: Callable[[], float] = monotonic,
        command: Sequence[str] = WORKER,
        patience_s: float = ANSWER_TIMEOUT_S,
    ) -> None:
        self._put = put
        self._plainly = plainly
        self._clock = clock
        self._patience_s = patience_s
        self._asked: AdviceQuestion | None = None
        self._child = Child(partial(start_process, command), BackOff(*PAUSES_S), clock)
        self._questions = Newest[AdviceQuestion]("adviser", self._run)

    @property
    def process(self) -> Popen[bytes] | None:
        """The process, None where there is none."""
        return self._child.process

    def __call__(self, reply: Reply, now: float) -> float | None:
        question = next_question(reply.session)
        if question != self._asked:
            self._asked = question
            if question is not None:
                self._questions.put(question)
                self._questions.start()
        return None

    def close(self) -> None:
        """End the process and the thread."""
        close(self._questions, self._child)

    def _run(self) -> None:
        while not self._questions.closed:
            self._questions.wait(None if self.process is None else IDLE_CHECK_S)
            if not self._child.is_running:
                self._child.end()
            while not self._questions.closed and (question := self._questions.take()) is not None:
                self._answer(question)
        self._child.end()

    def _answer(self, question: AdviceQuestion) -> None:
        """Put the answer in the inbox, if there is one at all."""
        line = question_line(question)
        try:
            answer = self._by_process(question, line)
            if answer is None and not self._questions.closed:
                answer = read_answer(question, self._plainly(line))
        except Exception as error:  # whatever it is, the table plays on
            log.error("nothing answers %s: %r", line, error)
            return
        if answer is not None:
            self._put(AdviceGiven(question, answer, self._clock()))

    def _by_process(self, question: AdviceQuestion, line: str) -> Any | None:
        """Return the process's answer, None where it has failed too often."""
        while not self._child.is_resting:
            try:
                answer = read_answer(question, self._child.ask(line, self._patience_s))
            except (NoAnswer, OSError, ValueError) as error:
                self._child.failed()
                if self._questions.closed:
                    return None
                log.warning("the adviser is started anew: %s", error)
            else:
                self._child.worked()
                return answer
        return None
