"""The adviser: a process of low priority answers the session's newest question.

If the process dies, hangs or answers nonsense, the adviser restarts it and asks again. If it fails
twice, the adviser computes a simple answer itself, and leaves the process alone for PAUSE_S.
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

ANSWER_TIMEOUT_S = 10.0  # 40 times the slowest measured answer; 4 times on the smallest Pi
PAUSE_S = 60.0
PAUSES_S = (0.0, PAUSE_S)  # it is started twice before the long pause
IDLE_CHECK_S = 5.0  # how often to check that an idle process still runs

AnswerFunction = Callable[[str], str]
"""A function that takes a question as a line of text and returns its answer as text."""


@dataclass(slots=True)
class ImmediateAdviser:
    """An adviser that answers at once, on the deciding thread. For a simulated clock."""

    put: Callable[[Event], None]
    answer: AnswerFunction
    question: AdviceQuestion | None = None

    def __call__(self, reply: Reply, now: float) -> float | None:
        before, self.question = self.question, next_question(reply.session)
        if self.question is not None and self.question != before:
            answer = read_answer(self.question, self.answer(question_line(self.question)))
            self.put(AdviceGiven(self.question, answer, now))
        return None


class Adviser:
    """An output that sends the session's question to a process, and posts the answer.

    put: takes the event with the answer. fallback: computes an answer, on the adviser's thread, if
    the process fails. clock: monotonic seconds. command: starts the process. timeout_s: how long
    the process may take for an answer.
    """

    def __init__(
        self,
        put: Callable[[Event], None],
        fallback: AnswerFunction,
        clock: Callable[[], float] = monotonic,
        command: Sequence[str] = WORKER,
        timeout_s: float = ANSWER_TIMEOUT_S,
    ) -> None:
        self._put = put
        self._fallback = fallback
        self._clock = clock
        self._timeout_s = timeout_s
        self._question: AdviceQuestion | None = None
        self._child = Child(partial(start_process, command), BackOff(*PAUSES_S), clock)
        self._questions = Newest[AdviceQuestion]("adviser", self._run)

    @property
    def process(self) -> Popen[bytes] | None:
        """The running process, or None."""
        return self._child.process

    def __call__(self, reply: Reply, now: float) -> float | None:
        question = next_question(reply.session)
        if question != self._question:
            self._question = question
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
                self._post_answer(question)
        self._child.end()

    def _post_answer(self, question: AdviceQuestion) -> None:
        """Put the answer, if any, into the inbox."""
        line = question_line(question)
        try:
            answer = self._ask_process(question, line)
            if answer is None and not self._questions.closed:
                answer = read_answer(question, self._fallback(line))
        except Exception as error:  # the game must go on after any error
            log.error("could not answer %s: %r", line, error)
            return
        if answer is not None:
            self._put(AdviceGiven(question, answer, self._clock()))

    def _ask_process(self, question: AdviceQuestion, line: str) -> Any | None:
        """Return the process's answer, or None if it failed too often."""
        while not self._child.is_resting:
            try:
                answer = read_answer(question, self._child.ask(line, self._timeout_s))
            except (NoAnswer, OSError, ValueError) as error:
                self._child.failed()
                if self._questions.closed:
                    return None
                log.warning("restarting the adviser's process: %s", error)
            else:
                self._child.worked()
                return answer
        return None
