"""Has a process of low priority serve the page for who looks on, and tells it each newest state.

It never holds up who decides: a state that it is too slow for is left out. One that dies or hangs
is started anew.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Callable, Sequence
from fcntl import F_SETPIPE_SZ, fcntl
from functools import partial
from pathlib import Path
from select import select
from socket import socket
from subprocess import Popen
from threading import Thread
from time import monotonic

from pi_app.logs import Once
from pi_app.public.spectator_state import looks_the_same
from pi_app.running.back_off import doubling_pauses
from pi_app.running.child import Child, close, start_process
from pi_app.running.newest_value import Newest
from pi_app.table.session import Reply
from pi_app.texts.language import Language
from pi_app.web.drawing import spectator_page

log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-P", "-m", "pi_app.web.watching")
SETTLE_S = 0.03  # first the picture that a press asked for
READ_TIMEOUT_S = 20.0  # how long it may take no states: on the smallest Pi it takes five to begin
# Two states, or a page of memory where that is more: who is slow has few to catch up with, and who
# hangs is soon found out.
PIPE_BYTES = 4096
PAUSE_S = 5.0  # between an end and the next start; after each end twice as long
MAX_PAUSE_S = 300.0


class ProcessFailed(Exception):
    """The process has ended, or takes no states; the text says which."""


class Spectators:
    """Sees each reply of a table, and serves what is to be seen of it on a listening socket.

    journal: the file whose games are shown; names: by which browsers may ask for the page;
    language: of all words on it.
    """

    def __init__(
        self,
        sock: socket,
        journal: Path,
        names: Sequence[str],
        language: Language,
        command: Sequence[str] = COMMAND,
        patience_s: float = READ_TIMEOUT_S,
        pause_s: float = PAUSE_S,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._sock = sock
        self._language = language
        whole = (*command, str(sock.fileno()), str(journal), language.code, *names)
        start = partial(start_process, whole, (sock.fileno(),))
        self._child = Child(start, doubling_pauses(pause_s, MAX_PAUSE_S), clock)
        self._patience_s = patience_s
        self._clock = clock
        self._once = Once()
        self._replies = Newest[Reply]("spectators", self._run)

    @property
    def process(self) -> Popen[bytes] | None:
        """The process that serves the page, None where there is none."""
        return self._child.process

    def watch(self, reply: Reply) -> None:
        """Take the newest reply; what only blinks is no news."""
        before = self._replies.newest
        if before is None or not looks_the_same(before, reply):
            self._replies.put(reply)
            self._replies.start()

    def close(self) -> None:
        """End the page."""
        close(self._replies, self._child)
        self._sock.close()

    def _run(self) -> None:
        while not self._replies.closed:
            began = self._clock()
            try:
                self._tell(self._child.begin())
            except Exception as error:  # whatever it is, the game goes on
                if self._clock() > began + MAX_PAUSE_S:  # it had served well
                    self._once.well("page")
                    self._child.worked()
                self._replies.pause(self._child.failed())
                self._say(error)  # not before: where all is ended, it may end before us
        self._child.end()

    def _say(self, error: Exception) -> None:
        if not self._replies.closed and self._once.ill("page", str(error)):
            log.warning("the page for who looks on is not there (%s): it is tried again", error)

    def _tell(self, process: Popen[bytes]) -> None:
        """Write each newest state, until we close; Silent where nobody reads it."""
        assert process.stdin is not None
        pipe = process.stdin.fileno()
        os.set_blocking(pipe, False)
        fcntl(pipe, F_SETPIPE_SZ, PIPE_BYTES)
        Thread(target=self._await_end, args=(process,), name="spectators' end", daemon=True).start()
        told = ""
        while not self._replies.closed:
            if process.poll() is not None:
                raise ProcessFailed(f"it ended with {process.returncode}")
            reply = self._replies.newest
            assert reply is not None
            if (text := json.dumps(spectator_page(reply, self._language))) != told:
                self._write(pipe, f"{text}\n".encode())
                told = text
            self._replies.wait()
            self._replies.pause(SETTLE_S)

    def _await_end(self, process: Popen[bytes]) -> None:
        process.wait()
        self._replies.ring()

    def _write(self, pipe: int, data: bytes) -> None:
        while data:
            if not select([], [pipe], [], self._patience_s)[1]:
                raise ProcessFailed(f"it has taken nothing for {self._patience_s:.0f} s")
            data = data[os.write(pipe, data) :]
