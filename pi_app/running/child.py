"""A process of ours: begun, asked, ended with all that it has started. Knows no question."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from select import select
from signal import SIGKILL
from subprocess import PIPE, Popen, TimeoutExpired
from time import monotonic
from typing import Any

import pi_app
from pi_app.running.back_off import BackOff
from pi_app.running.newest_value import Newest

NICE = 19  # after all that plays the game
KILL_S = 1.0  # one that is killed is gone at once, unless it waits for a disk or a sound card
SLICE_S = 0.05  # how often it is looked whether it has thought for too long
CHUNK = 65_536
ROOT = Path(pi_app.__file__).parents[1]
# What works out the players' plays. Without `site`, whose modules take memory: it needs the
# standard library alone.
WORKER = (sys.executable, "-SP", "-m", "pi_app.players.working")


def start_process(command: Sequence[str], files: Sequence[int] = ()) -> Popen[bytes]:
    """Return a process of low priority that is told lines, its pipes unbuffered.

    files: the file descriptors that it has of ours, beside its pipes and standard error.
    """
    process = Popen(
        command,
        bufsize=0,
        stdin=PIPE,
        stdout=PIPE,
        env={"PYTHONPATH": str(ROOT), "JOURNAL_STREAM": os.environ.get("JOURNAL_STREAM", "")},
        pass_fds=files,
        process_group=0,  # Ctrl-C is for the table, with which it ends
    )
    with suppress(OSError):  # it then works as quickly as the table
        os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
    return process


class NoAnswer(Exception):
    """A process that gives none; the text says why."""


class Child:
    """A process that is begun when it is wanted, and again after it failed.

    start: begins it, in a process group of its own. back_off: how long it rests after a failure.
    All but `kill` is for one thread. process: None before it is begun and once it is gone.
    """

    def __init__(
        self,
        start: Callable[[], Popen[bytes]],
        back_off: BackOff,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._start = start
        self._back_off = back_off
        self._clock = clock
        self._rests_until = float("-inf")
        self.process: Popen[bytes] | None = None

    @property
    def is_resting(self) -> bool:
        """Whether it failed a short while ago, and is left alone."""
        return self._clock() < self._rests_until

    @property
    def is_running(self) -> bool:
        """Whether it was begun and has not ended."""
        return self.process is not None and self.process.poll() is None

    def begin(self) -> Popen[bytes]:
        """Return the process, begun if it is not there; OSError where that can't be."""
        if self.process is None or not self.is_running:
            self.end()
            self.process = self._start()
        return self.process

    def ask(self, line: str, patience_s: float = float("inf")) -> str:
        """Return the line that it answers with; NoAnswer where it gives none, OSError likewise."""
        process = self.begin()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{line}\n".encode())
        until, told = self._clock() + patience_s, b""
        while not told.endswith(b"\n"):
            if not select([process.stdout], [], [], SLICE_S)[0]:
                if self._clock() >= until:
                    raise NoAnswer(f"it has not answered for {patience_s:g} s")
                continue
            part = os.read(process.stdout.fileno(), CHUNK)
            if not part:
                raise NoAnswer("it has ended")
            told += part
        return told.decode()

    def worked(self) -> None:
        """Note that it does what it is for."""
        self._back_off.worked()

    def failed(self) -> float:
        """End it and let it rest; return for how long."""
        self.end()
        pause = self._back_off.failed()
        self._rests_until = self._clock() + pause
        return pause

    def kill(self) -> None:
        """Kill it with all that it has started; from any thread."""
        process = self.process
        if process is not None and process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, SIGKILL)

    def end(self) -> bool:
        """Kill it and let go of its pipes; return whether it is gone."""
        self.kill()
        if (process := self.process) is None:
            return True
        with suppress(TimeoutExpired):
            process.wait(KILL_S)
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
        if process.returncode is None:
            return False
        self.process = None
        return True


def close(slot: Newest[Any], child: Child) -> None:
    """End a thread that waits for its child: until KILL_S are over, the child is killed."""
    until = monotonic() + KILL_S
    while not slot.close(SLICE_S) and monotonic() < until:
        child.kill()
