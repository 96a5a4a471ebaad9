"""A child process: started, asked, and ended with all that it has started itself."""

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from select import select
from signal import SIGKILL
from subprocess import PIPE, Popen, TimeoutExpired
from time import monotonic
from typing import Any

import pi_app
from pi_app.system.back_off import BackOff
from pi_app.system.newest_value import Newest

NICE = 19  # below everything that the game needs
KILL_S = 1.0  # a killed process ends at once, unless it waits for a disk or a sound card
SLICE_S = 0.05  # how often to check for a timeout
CHUNK = 65_536
ROOT = Path(pi_app.__file__).parents[1]
# Computes plays, hints and reviews. Without `site`, to save memory: it needs only the standard
# library.
WORKER = (sys.executable, "-SP", "-m", "pi_app.players.working")


def start_process(command: Sequence[str], files: Sequence[int] = ()) -> Popen[bytes]:
    """Start a process of low priority, with unbuffered pipes to its standard input and output.

    files: our file descriptors that it inherits, beside standard error.
    """
    process = Popen(
        command,
        bufsize=0,
        stdin=PIPE,
        stdout=PIPE,
        env={"PYTHONPATH": str(ROOT), "JOURNAL_STREAM": os.environ.get("JOURNAL_STREAM", "")},
        pass_fds=files,
        process_group=0,  # Ctrl-C is for the table, which then ends this
    )
    with suppress(OSError):  # then it has normal priority
        os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
    with suppress(OSError):  # then any process may be ended if memory runs out
        Path(f"/proc/{process.pid}/oom_score_adj").write_text("1000", encoding="ascii")
    return process


class AnswerError(Exception):
    """A process does not answer or does not read. The text says why."""


@dataclass(eq=False)
class Child:
    """A process that starts when it is needed, and again after a failure.

    Only `kill` may be called from several threads.
    """

    start: Callable[[], Popen[bytes]]  # starts it, in a process group of its own
    back_off: BackOff  # the pauses after failures
    clock: Callable[[], float] = monotonic
    process: Popen[bytes] | None = None  # None before the start and after the end
    _paused_until: float = float("-inf")

    @property
    def is_paused(self) -> bool:
        return self.clock() < self._paused_until

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def begin(self) -> Popen[bytes]:
        """Return the process; start it if it is not running. Raises OSError if that fails."""
        if self.process is None or not self.is_running:
            self.end()
            self.process = self.start()
        return self.process

    def ask(self, line: str, timeout_s: float = float("inf")) -> str:
        """Send a line and return the line that the process answers.

        Raises AnswerError or OSError if it ends or does not answer within `timeout_s`.
        """
        process = self.begin()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{line}\n".encode())
        until, answer = self.clock() + timeout_s, b""
        while not answer.endswith(b"\n"):
            if not select([process.stdout], [], [], SLICE_S)[0]:
                if self.clock() >= until:
                    raise AnswerError(f"it has not answered within {timeout_s:g} s")
                continue
            part = os.read(process.stdout.fileno(), CHUNK)
            if not part:
                raise AnswerError("it has ended")
            answer += part
        return answer.decode()

    def note_success(self) -> None:
        self.back_off.worked()

    def note_failure(self) -> float:
        """Note a failure and end the process. Return the length of the pause in seconds."""
        self.end()
        pause = self.back_off.failed()
        self._paused_until = self.clock() + pause
        return pause

    def kill(self) -> None:
        """Kill the process and all that it has started. May be called from any thread."""
        process = self.process
        if process is not None and process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, SIGKILL)

    def end(self) -> bool:
        """Kill the process and close its pipes. Return whether it is gone."""
        self.kill()
        if (process := self.process) is None:
            return True
        with suppress(TimeoutExpired):
            process.wait(KILL_S)
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
        if process.returncode is None:
            return False
        self.process = None
        return True


def close_child(slot: Newest[Any], child: Child) -> None:
    """End a thread that waits for its child: kill the child until the thread ends, or KILL_S."""
    until = monotonic() + KILL_S
    while not slot.close(SLICE_S) and monotonic() < until:
        child.kill()
