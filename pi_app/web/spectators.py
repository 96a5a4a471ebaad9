"""Runs the process that serves the page for spectators, and sends it each newest state.

The process has low priority and never delays the deciding thread: if it is slow, it misses states.
If it dies or hangs, it is started again.
"""

import json
import logging
import os
import sys
from collections.abc import Callable, Sequence
from fcntl import F_SETPIPE_SZ, fcntl
from functools import partial
from pathlib import Path
from select import select
from subprocess import Popen
from threading import Thread
from time import monotonic

from pi_app.system.back_off import doubling_pauses
from pi_app.system.child import AnswerError, Child, close_child, start_process
from pi_app.system.logs import LastComplaints
from pi_app.system.newest_value import Newest
from pi_app.system.notify import Sockets
from pi_app.table.session import Reply
from pi_app.web.packing import pack
from pi_app.web.spectator_state import looks_the_same, spectator_state

log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-P", "-m", "pi_app.web.watching")
SETTLE_S = 0.03  # the display comes first
READ_TIMEOUT_S = 20.0  # the process must read within this time; the smallest Pi starts it in 5 s
# Room for two states, or a page of memory if that is more. So a slow process has few states to
# catch up with, and one that hangs is noticed soon.
PIPE_BYTES = 4096
PAUSE_S = 5.0  # before a new start; it doubles after each failure
MAX_PAUSE_S = 300.0


class Spectators:
    """Takes each reply of a table, and serves the page for spectators on listening sockets.

    sockets: the page's, and the one for programs here. journal: the file with the stored games.
    names: the host names under which browsers may ask for the page. export: see `GameRoutes`.
    command: starts the process, which may read nothing for `patience_s`. pause_s: before the first
    new start.
    """

    def __init__(
        self,
        sockets: Sockets,
        journal: Path,
        names: Sequence[str],
        export: bool = False,
        command: Sequence[str] = COMMAND,
        patience_s: float = READ_TIMEOUT_S,
        pause_s: float = PAUSE_S,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._sockets = [sock for sock in sockets if sock is not None]
        files = ("-" if sock is None else str(sock.fileno()) for sock in sockets)
        whole = (*command, *files, str(journal), str(export), *names)
        start = partial(start_process, whole, [sock.fileno() for sock in self._sockets])
        self._child = Child(start, doubling_pauses(pause_s, MAX_PAUSE_S), clock)
        self._patience_s = patience_s
        self._clock = clock
        self._complaints = LastComplaints()
        self._replies = Newest[Reply]("spectators", self._run)

    @property
    def process(self) -> Popen[bytes] | None:
        return self._child.process

    def watch(self, reply: Reply) -> None:
        """Take the newest reply, unless it looks the same as the last one."""
        before = self._replies.newest
        if before is None or not looks_the_same(before, reply):
            self._replies.put(reply)
            self._replies.start()

    def close(self) -> None:
        close_child(self._replies, self._child)
        for sock in self._sockets:
            sock.close()

    def _run(self) -> None:
        while not self._replies.closed:
            began = self._clock()
            try:
                self._send_states(self._child.begin())
            except Exception as error:  # the game must go on after any error
                if self._clock() > began + MAX_PAUSE_S:  # it had worked long enough
                    self._complaints.clear("page")
                    self._child.note_success()
                self._replies.pause(self._child.note_failure())
                # Only after the pause: at the end of all, the process may end before us.
                if not self._replies.closed and self._complaints.is_new("page", str(error)):
                    log.warning("the page for spectators failed (%s): trying it again", error)
        self._child.end()

    def _send_states(self, process: Popen[bytes]) -> None:
        """Write each newest state until `close_child`. Raises AnswerError if nobody reads it."""
        assert process.stdin is not None
        pipe = process.stdin.fileno()
        os.set_blocking(pipe, False)
        fcntl(pipe, F_SETPIPE_SZ, PIPE_BYTES)

        def ring_at_end() -> None:
            process.wait()
            self._replies.ring()

        Thread(target=ring_at_end, name="spectators' end", daemon=True).start()
        sent = ""
        while not self._replies.closed:
            if process.poll() is not None:
                raise AnswerError(f"it ended with {process.returncode}")
            reply = self._replies.newest
            assert reply is not None
            if (text := json.dumps(pack(spectator_state(reply)))) != sent:
                data = f"{text}\n".encode()
                while data:
                    if not select([], [pipe], [], self._patience_s)[1]:
                        raise AnswerError(f"it has read nothing for {self._patience_s:.0f} s")
                    data = data[os.write(pipe, data) :]
                sent = text
            self._replies.wait()
            self._replies.pause(SETTLE_S)
