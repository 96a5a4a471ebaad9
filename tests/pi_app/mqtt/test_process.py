"""The process of `referee mqtt`, between a socket like the table's and a real broker."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from queue import SimpleQueue
from socketserver import ThreadingUnixStreamServer
from typing import Any

import pytest

from pi_app.mqtt.broker import Broker, Connected, Login, Received, Taken
from tests.mosquitto import Mosquitto, mosquitto, next_of
from tests.pi_app.mqtt.test_bridge import ID, RECORD, STATE

LOADED = """
import sys, pi_app.mqtt.__main__
print(*sys.modules)
"""


class Socket(BaseHTTPRequestHandler):
    """Answers as the table's local socket does, with one state and one game that has ended."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        listed = json.dumps([{"number": "7", "ended": 1.0, "rows": 10}]).encode()
        answers = {"/records?days=7": listed, "/games/7/record": RECORD}
        body = answers.get(self.path, b"data: " + json.dumps(STATE).encode() + b"\n\n")
        self.send_response(200)
        if self.path in answers:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        if self.path not in answers:
            self.wfile.flush()
            self.server.ended.wait()  # type: ignore[attr-defined]

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def local_socket(path: Path) -> Iterator[None]:
    with ThreadingUnixStreamServer(str(path), Socket) as server:
        server.ended = threading.Event()  # type: ignore[attr-defined]
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield
        server.ended.set()  # type: ignore[attr-defined]
        server.shutdown()


@contextmanager
def bridge(path: Path, broker: Mosquitto) -> Iterator[subprocess.Popen[bytes]]:
    login, table = ["127.0.0.1", broker.port], ["pachisi", "kitchen"]
    words = [str(path), "", json.dumps(login), json.dumps(table)]
    process = subprocess.Popen([sys.executable, "-m", "pi_app.mqtt", *words])
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.mark.mosquitto
def test_a_table_is_told_to_the_broker_until_its_process_is_killed(tmp_path: Path) -> None:
    inbox: SimpleQueue[Any] = SimpleQueue()
    with mosquitto(tmp_path) as there, local_socket(tmp_path / "socket"):
        listener = Broker(Login("127.0.0.1", there.port), "all", inbox)
        listener.start()
        next_of(Connected, inbox)
        listener.subscribe(["#"])
        next_of(Taken, inbox)
        with bridge(tmp_path / "socket", there):
            heard = [next_of(Received, inbox) for _ in range(4)]
        told = {one.topic: one.payload for one in heard}
        assert list(told) == [
            "homeassistant/device/pachisi_kitchen/config",
            "pachisi/kitchen/availability",
            "pachisi/kitchen/state",
            f"pachisi/kitchen/record/{ID}",
        ]
        assert told["pachisi/kitchen/availability"] == b"online"
        assert json.loads(told["pachisi/kitchen/state"])["game"] == 7
        assert next_of(Received, inbox)[:2] == ("pachisi/kitchen/availability", b"offline")
        listener.stop()


def test_the_process_loads_neither_rules_nor_journal_nor_pages() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True
    )
    loaded = done.stdout.split()
    assert {name.split(".")[1] for name in loaded if name.startswith("pi_app.")} == {
        "mqtt",
        "system",
    }
    assert {"rules", "starlette", "sqlite3", "asyncio"}.isdisjoint(loaded)
