"""A real broker for tests: Debian's Mosquitto on a free port, which a test may kill. No test."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from tests.asked import can_not_run

START_S = 10.0
T = TypeVar("T")


class Mosquitto:
    """A broker on this computer. settings: lines of its configuration, beside Debian's own."""

    def __init__(self, folder: Path, *settings: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self._config = folder / "mosquitto.conf"
        lines = [f"listener {self.port} 127.0.0.1", *settings]
        if not any("allow_anonymous" in line for line in lines):
            lines.append("allow_anonymous true")
        if os.geteuid() == 0:
            lines.append("user root")  # it would become `mosquitto`, who can't write the folder
        lines += ["persistence true", f"persistence_location {folder}/"]
        self._config.write_text("\n".join(lines) + "\n")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        # In a session of its own: a Ctrl-C is not for the broker.
        self._process = subprocess.Popen(
            [program() or can_not_run("install Debian's mosquitto"), "-c", str(self._config)],
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        until = time.monotonic() + START_S
        while time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1.0).close()
            except OSError:
                time.sleep(0.01)
            else:
                return
        raise AssertionError("mosquitto does not start")

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """End it, so that it keeps what it has."""
        assert self._process is not None
        self._process.terminate()
        self._process.wait()


def program() -> str | None:
    """Return the path of Mosquitto, None if it is not installed."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"
    return shutil.which("mosquitto", path=path)


@contextmanager
def mosquitto(folder: Path, *settings: str) -> Iterator[Mosquitto]:
    """Run a broker in this block."""
    broker = Mosquitto(folder, *settings)
    broker.start()
    try:
        yield broker
    finally:
        broker.stop()


def next_of(kind: type[T], inbox: SimpleQueue[Any], seconds: float = 20.0) -> T:
    """Return the next value of a kind from an inbox; others before it are dropped."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        try:
            value = inbox.get(timeout=left)
        except Empty:
            break
        if isinstance(value, kind):
            return value
    raise AssertionError(f"no {kind.__name__} came within {seconds} s")
