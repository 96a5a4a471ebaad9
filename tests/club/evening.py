"""An evening of a club on this computer: starts and ends its tables, their bridges, and the club.

Each is a process in a session of its own: a Ctrl-C ends none of them, so whoever started them can
end them in order.
"""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen

ROOT = Path(__file__).parents[2]
TABLES = ("attic", "balcony", "cellar", "den", "garden", "kitchen", "lounge", "porch")
END_S = 10.0


class Program:
    """A module of Python that runs with its arguments, and may be killed and started again."""

    def __init__(self, *words: object, stdout: int | None = None) -> None:
        self._command = [sys.executable, "-P", "-m", *map(str, words)]
        self._stdout = stdout
        self.start()

    def start(self) -> None:
        """Start it."""
        path = {"PYTHONPATH": str(ROOT)}
        self.process = Popen(
            self._command, env=os.environ | path, stdout=self._stdout, start_new_session=True
        )

    def said(self) -> str:
        """Return the next line that it prints, if `stdout` is a pipe."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().decode().strip()

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait()


def table_and_bridge(
    folder: Path, port: int, name: str, seed: int, *pace: object
) -> tuple[Program, Program]:
    """Start a table that plays by itself, and its bridge. pace: see the module of the table."""
    bridge = bridge_of(folder / "socket", ("127.0.0.1", port), name)
    return Program("tests.club.table", folder, seed, *pace), bridge


def bridge_of(local: Path, login: Sequence[object], name: str) -> Program:
    """Start the bridge of the table with a local socket. login: as in `Login`."""
    return Program("pi_app.mqtt", local, "", json.dumps(login), json.dumps(("pachisi", name)))


@contextmanager
def ended_at_last(programs: Sequence[Program]) -> Iterator[None]:
    """End all of some programs after this block. Their children end with them."""
    try:
        yield
    finally:
        for program in programs:
            program.process.terminate()
        for program in programs:
            program.process.wait(END_S)
            if program.process.stdout is not None:
                program.process.stdout.close()
