"""The voice: lets a program speak the newest text, on a thread of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from subprocess import DEVNULL, PIPE, Popen
from time import monotonic

from pi_app.running.back_off import BackOff
from pi_app.running.child import KILL_S, Child
from pi_app.running.newest_value import Newest

TIMEOUT_S = 60.0  # the longest screen takes 20 s to speak; a program that takes longer hangs
POLL_S = 0.5  # how often to check whether the program has ended
REMEDY = "install it with `sudo apt-get install espeak-ng`, and check [voice] and the sound card"


def espeak_command(program: str, speed: int) -> tuple[str, ...]:
    """Return the command that speaks English text from its input. speed: words per minute."""
    return program, "-v", "en", "-s", str(speed), "--stdin"


def separate_seat_a(text: str) -> str:
    """Return a text with a comma after seat A, so that the voice does not read it as an article."""
    return re.sub(r"\bA (?=[a-z])", "A, ", text)


class Voice:
    """Speaks the newest text. A program that is missing, fails or hangs stops nobody.

    command: the program with its options. It reads the text from its input, and is killed when a
    newer text comes. report: called with a sentence when it fails, with None when it works again.
    """

    def __init__(
        self,
        command: Sequence[str],
        report: Callable[[str | None], None],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._command = command
        self._report = report
        self._clock = clock
        self._program = Child(
            lambda: Popen(
                command, bufsize=0, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL, process_group=0
            ),
            BackOff(0.0),
            clock,
        )
        self._until = 0.0
        self._failed = False
        self._texts = Newest[str]("voice", self._run)

    def say(self, text: str) -> None:
        """Speak this text instead of any other. Returns at once."""
        self._texts.put(text)

    def start(self) -> None:
        """Start the thread that speaks."""
        self._texts.start()

    def step(self, now: float) -> None:
        """Begin the newest text, or end a program that has finished or hangs. now: seconds."""
        process = self._program.process
        if self._texts.newest is not None:
            if self._program.end() and (text := self._texts.take()) is not None:
                self._until = now + TIMEOUT_S
                try:
                    process = self._program.begin()
                except OSError as error:
                    self._set_trouble(f"{self._command[0]}: {error.strerror}")
                    return
                assert process.stdin is not None
                with process.stdin as words, suppress(BrokenPipeError):
                    words.write(f"{separate_seat_a(text)}\n".encode())
        elif process is not None and (status := process.poll()) is not None:
            self._program.end()
            self._set_trouble(f"{self._command[0]} ended with {status}" if status else None)
        elif process is not None and now >= self._until:
            self._set_trouble(f"{self._command[0]} has not ended within {TIMEOUT_S:g} s")
            self._program.end()

    def close(self) -> None:
        """Stop speaking and end the thread."""
        self._texts.close(2 * KILL_S)
        self._program.end()

    def _run(self) -> None:
        while not self._texts.closed:
            self._texts.wait(None if self._program.process is None else POLL_S)
            if not self._texts.closed:
                self.step(self._clock())

    def _set_trouble(self, trouble: str | None) -> None:
        """Report the first of several failures, and the first success after them."""
        if trouble is not None and not self._failed:
            self._report(f"the voice can't speak ({trouble}): {REMEDY}")
        elif trouble is None and self._failed:
            self._report(None)
        self._failed = trouble is not None
