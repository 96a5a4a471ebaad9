"""The voice: has a program speak the newest text, in its own time. Makes no words."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from signal import SIGKILL
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from threading import Event, Thread
from time import monotonic

LONGEST_S = 60.0  # the longest screen takes 20 s to speak; a program that takes longer hangs
LOOK_S = 0.5  # how often it is looked whether the program has ended
KILL_S = 1.0  # one that is killed is gone at once, unless its sound card keeps it
REMEDY = "install it by `sudo apt-get install espeak-ng`, and look after [voice] and the sound card"


def espeak(program: str, speed: int) -> tuple[str, ...]:
    """Return the command that speaks English from its input at so many words a minute."""
    return program, "-v", "en", "-s", str(speed), "--stdin"


def pronounced(text: str) -> str:
    """Return a text in which seat A is not read as an article: a clause ends after the letter."""
    return re.sub(r"\bA (?=[a-z])", "A, ", text)


class Voice:
    """Speaks the newest text by a program; one that is missing, fails or hangs stops nobody.

    command: the program with its options; it reads the text from its input, and is killed when
    there is a newer one. report: told one sentence when it fails, None when it speaks again.
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
        self._newest: deque[str] = deque(maxlen=1)
        self._process: Popen[bytes] | None = None
        self._until = 0.0
        self._failed = False
        self._changed = Event()
        self._closing = False
        self._thread = Thread(target=self._run, name="voice", daemon=True)

    def say(self, text: str) -> None:
        """Want this text spoken instead of any other; never waits."""
        self._newest.append(text)
        self._changed.set()

    def start(self) -> None:
        """Speak from a thread of its own from now on."""
        self._thread.start()

    def step(self, now: float) -> None:
        """Begin what is newest in place of what is spoken; end what has ended or hangs."""
        if self._newest:
            if self._silenced():
                self._begin(self._newest.pop(), now)
        elif self._process is not None and (status := self._process.poll()) is not None:
            self._process = None
            self._note(f"{self._command[0]} ended with {status}" if status else None)
        elif self._process is not None and now >= self._until:
            self._note(f"{self._command[0]} has not ended for {LONGEST_S:g} s")
            self._silenced()

    def close(self) -> None:
        """Be silent and end the thread."""
        self._closing = True
        self._changed.set()
        if self._thread.ident is not None:
            self._thread.join(2 * KILL_S)
        self._silenced()

    def _run(self) -> None:
        while not self._closing:
            self._changed.wait(None if self._process is None else LOOK_S)
            self._changed.clear()
            if not self._closing:
                self.step(self._clock())

    def _begin(self, text: str, now: float) -> None:
        try:
            self._process = Popen(
                self._command,
                bufsize=0,
                stdin=PIPE,
                stdout=DEVNULL,
                stderr=DEVNULL,
                process_group=0,
            )
        except OSError as error:
            self._note(f"{self._command[0]}: {error.strerror}")
            return
        self._until = now + LONGEST_S
        assert self._process.stdin is not None
        with self._process.stdin as words, suppress(BrokenPipeError):
            words.write(f"{pronounced(text)}\n".encode())

    def _silenced(self) -> bool:
        """Kill what is being spoken, with all that it has started; return whether it is gone."""
        if self._process is not None and self._process.poll() is None:
            os.killpg(self._process.pid, SIGKILL)
            with suppress(TimeoutExpired):
                self._process.wait(KILL_S)
        if self._process is not None and self._process.returncode is not None:
            self._process = None
        return self._process is None

    def _note(self, trouble: str | None) -> None:
        """Report a failure once, and that it is over."""
        if trouble is not None and not self._failed:
            self._report(f"the voice can't speak ({trouble}): {REMEDY}")
        elif trouble is None and self._failed:
            self._report(None)
        self._failed = trouble is not None
