"""The adviser asks a low-priority process for the plays, hints and chances that the session needs.

If the process dies, hangs or gives an invalid answer, the adviser restarts it and asks again. If it
fails twice, the adviser computes a simple answer itself, and does not start the process again for
LONG_PAUSE_S.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from subprocess import Popen
from time import monotonic
from typing import Any

from pi_app.model.advice import AdviceQuestion
from pi_app.model.events import AdviceGiven, Event
from pi_app.system.back_off import BackOff
from pi_app.system.child import WORKER, AnswerError, Child, close_child, start_process
from pi_app.system.newest_value import Newest
from pi_app.table.core.advice import next_question
from pi_app.table.session import Reply

log = logging.getLogger(__name__)

# The slowest measured answer took about 0.25 s, and on the smallest Pi it takes about 2.5 s.
ANSWER_TIMEOUT_S = 10.0
LONG_PAUSE_S = 60.0
RESTART_PAUSES_S = (0.0, LONG_PAUSE_S)  # the process gets two starts before the long pause
IDLE_CHECK_S = 5.0  # how often to check that an idle process still runs

AnswerFunction = Callable[[str], str]
"""A function that takes a question as a line of text and returns its answer as text."""


@dataclass(slots=True)
class ImmediateAdviser:
    """An adviser that answers at once, on the thread that calls it.

    It is used with a simulated clock.
    """

    put_event: Callable[[Event], None]
    compute_answer: AnswerFunction
    question: AdviceQuestion | None = None

    def __call__(self, reply: Reply, now: float) -> float | None:
        previous_question, self.question = self.question, next_question(reply.session)
        if self.question is not None and self.question != previous_question:
            answer = self.question.read(self.compute_answer(self.question.line()))
            self.put_event(AdviceGiven(self.question, answer, now))
        return None


@dataclass(eq=False)
class Adviser:
    """An output that sends the session's question to a process, and posts the answer.

    put_event: takes the event with the answer.
    fallback: computes an answer if the process fails. It runs on the adviser's thread.
    clock: monotonic seconds.
    command: starts the process.
    timeout_s: how long the process may take for an answer.
    """

    put_event: Callable[[Event], None]
    fallback: AnswerFunction
    clock: Callable[[], float] = monotonic
    command: Sequence[str] = WORKER
    timeout_s: float = ANSWER_TIMEOUT_S
    _question: AdviceQuestion | None = None

    def __post_init__(self) -> None:
        start = partial(start_process, self.command)
        self._child = Child(start, BackOff(*RESTART_PAUSES_S), self.clock)
        self._newest_question = Newest[AdviceQuestion]("adviser", self._run)

    @property
    def process(self) -> Popen[bytes] | None:
        return self._child.process

    def __call__(self, reply: Reply, now: float) -> float | None:
        question = next_question(reply.session)
        if question != self._question:
            self._question = question
            if question is not None:
                self._newest_question.put(question)
                self._newest_question.start()
        return None

    def close(self) -> None:
        close_child(self._newest_question, self._child)

    def _run(self) -> None:
        while not self._newest_question.closed:
            self._newest_question.wait(None if self.process is None else IDLE_CHECK_S)
            if not self._child.is_running:
                self._child.end()
            while (
                not self._newest_question.closed
                and (question := self._newest_question.take()) is not None
            ):
                self._post_answer(question)
        self._child.end()

    def _post_answer(self, question: AdviceQuestion) -> None:
        """Compute the answer. Put it into the inbox, unless the adviser closes meanwhile."""
        line = question.line()
        try:
            answer = self._ask_process(question, line)
            if answer is None and not self._newest_question.closed:
                answer = question.read(self.fallback(line))
        except Exception as error:  # the game must go on after any error
            log.error("could not answer %s: %r", line, error)
            return
        if answer is not None:
            self.put_event(AdviceGiven(question, answer, self.clock()))

    def _ask_process(self, question: AdviceQuestion, line: str) -> Any | None:
        """Return the process's answer, or None if it failed too often."""
        while not self._child.is_paused:
            try:
                answer = question.read(self._child.ask(line, self.timeout_s))
            except (AnswerError, OSError, ValueError) as error:
                self._child.note_failure()
                if self._newest_question.closed:
                    return None
                log.warning("restarting the adviser's process: %s", error)
            else:
                self._child.note_success()
                return answer
        return None
