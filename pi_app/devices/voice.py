"""The voice: lets a program speak the newest text, on a thread of its own."""

import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from subprocess import DEVNULL, PIPE, Popen
from time import monotonic

from pi_app.system.back_off import BackOff
from pi_app.system.child import CHUNK, KILL_S, Child
from pi_app.system.newest_value import Newest

TIMEOUT_S = 60.0  # the longest screen takes 20 s to speak; a program that takes longer hangs
POLL_S = 0.5  # how often to check whether the program has ended
SAID_BYTES = 1000  # of the program's errors that are kept; its last line counts
# espeak-ng's voices for languages without a country; each other code is the name of its voice.
VOICES = {"en": "en-us", "fr": "fr-fr"}
REMEDY = "install it with `sudo apt-get install espeak-ng`, and check [voice] and the sound card"
ADDRESS = re.compile(r"\d+(\.\d+){3}(:\d+)?")  # of a page


def espeak_command(program: str, speed: int, device: str, language: str) -> tuple[str, ...]:
    """Return the command that speaks text of a language from its input.

    speed: words per minute. device: ALSA's name of a sound device, "" for the system's default.
    language: its code as in HTML.
    """
    on_device = ("-d", device) if device else ()
    voice = VOICES.get(language, language.lower())
    return program, "-v", voice, "-s", str(speed), *on_device, "--stdin"


def spoken_text(text: str) -> str:
    """Return a text as it is given to the voice.

    A comma after seat A keeps the voice from reading "A throws" as "a throws", "A lance" as "has
    thrown", "A lança" as "the spear". An address is read in groups: most voices take it for one
    number, with points between the thousands.
    """
    grouped = ADDRESS.sub(lambda found: re.sub("[.:]", ", ", found[0]), text)
    return re.sub(r"\bA (?=\w)", "A, ", grouped)


class Voice:
    """Speaks the newest text. A program that is missing, fails or hangs stops nobody.

    command: returns the program with its options for a language. It reads the text from its input,
    and is killed when a newer text comes. report: called with a sentence when it fails, with None
    when it works again. speaks: whether the last text that came to its end was spoken; None before.
    """

    def __init__(
        self, command: Callable[[str], Sequence[str]], report: Callable[[str | None], None]
    ) -> None:
        self._command: Sequence[str] = ()
        self._command_for = command
        self._report = report
        self._program = Child(
            lambda: Popen(
                self._command, bufsize=0, stdin=PIPE, stdout=DEVNULL, stderr=PIPE, process_group=0
            ),
            BackOff(0.0),
        )
        self._until = 0.0
        self._said = b""  # the end of what the program has written to its standard error
        self.speaks: bool | None = None
        self._texts = Newest[tuple[str, str]]("voice", self._run)

    def say(self, text: str, language: str = "en") -> None:
        """Speak this text instead of any other. Returns at once. language: its code as in HTML."""
        self._texts.put((text, language))

    def start(self) -> None:
        self._texts.start()

    def step(self, now: float) -> None:
        """Begin the newest text, or end a program that has finished or hangs. now: seconds."""
        process = self._program.process
        if process is not None:
            status = process.poll()  # before the last errors are read
            self._read_errors(process)
            if status is not None:
                self._set_trouble(self._trouble(status))
                self._program.end()
            elif self._texts.newest is None and now >= self._until:
                self._set_trouble(f"{self._command[0]} has not ended within {TIMEOUT_S:g} s")
                self._program.end()
        if self._texts.newest is not None and self._program.end() and (new := self._texts.take()):
            self._begin(*new, now)

    def _begin(self, text: str, language: str, now: float) -> None:
        self._command = self._command_for(language)
        self._until = now + TIMEOUT_S
        self._said = b""
        try:
            process = self._program.begin()
        except OSError as error:
            self._set_trouble(f"{self._command[0]}: {error.strerror}")
            return
        assert process.stdin is not None
        assert process.stderr is not None
        os.set_blocking(process.stderr.fileno(), False)
        with process.stdin as words, suppress(BrokenPipeError):
            words.write(f"{spoken_text(text)}\n".encode())

    def _read_errors(self, process: Popen[bytes]) -> None:
        assert process.stderr is not None
        while new := process.stderr.read(CHUNK):
            self._said = (self._said + new)[-SAID_BYTES:]

    def _trouble(self, status: int) -> str | None:
        """Return why the program that has ended has not spoken, None if it has.

        Without a sound card espeak-ng ends with 0, and its last line begins with "error".
        """
        last = self._said.decode(errors="replace").strip().rpartition("\n")[2]
        if status:
            return f"{self._command[0]} ended with {status}" + (f": {last}" if last else "")
        return f"{self._command[0]}: {last}" if last.casefold().startswith("error") else None

    def close(self) -> None:
        self._texts.close(2 * KILL_S)
        self._program.end()

    def _run(self) -> None:
        while not self._texts.closed:
            self._texts.wait(None if self._program.process is None else POLL_S)
            if not self._texts.closed:
                self.step(monotonic())

    def _set_trouble(self, trouble: str | None) -> None:
        """Report the first of several failures, and the first success after them."""
        had_failed, self.speaks = self.speaks is False, trouble is None
        if trouble is not None and not had_failed:
            self._report(f"the voice can't speak ({trouble}): {REMEDY}")
        elif trouble is None and had_failed:
            self._report(None)
