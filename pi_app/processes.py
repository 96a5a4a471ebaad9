"""How a process of low priority is started that is told lines. Knows none of the lines."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE, Popen

import pi_app

NICE = 19  # after all that plays the game
# Without `site`, whose modules take memory: the worker needs the standard library alone.
WORKER = (sys.executable, "-SP", "-m", "pi_app.players.working")
ROOT = Path(pi_app.__file__).parents[1]


def started(command: Sequence[str], files: Sequence[int] = ()) -> Popen[bytes]:
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
