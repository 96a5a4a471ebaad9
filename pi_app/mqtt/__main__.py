"""The process of `referee mqtt`, which replaces that command: it loads only what it needs.

    python -m pi_app.mqtt LOCAL PASSWORD LOGIN TABLE

LOCAL     path of the table's local socket (pi_app/web/STATE.md); "" to forget the table
PASSWORD  path of the file with the password, "" for none
LOGIN     a `Login` as a list in JSON, without its password
TABLE     a `Table` as a list in JSON
"""

import json
import logging
import os
import random
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from pathlib import Path
from queue import Empty, SimpleQueue
from socket import AF_UNIX, socket
from threading import Thread
from time import monotonic, sleep
from typing import Any

from pi_app.mqtt.bridge import Bridge, LocalAnswer, LocalState, Table
from pi_app.mqtt.broker import Broker, Connected, Login, Lost, Taken
from pi_app.system.logs import log_handler
from pi_app.system.notify import this_unit

STREAM = "/stream"
SILENT_S = 25.0  # a stream is connected again when nothing came for so long, as STATE.md asks
AGAIN_S = 2.0
LONGEST = 1_000_000  # bytes of a state
SPREAD_S = 2.0


@contextmanager
def answer_of(socket_path: str, path: str) -> Iterator[HTTPResponse]:
    """Ask the table's local socket. Raises OSError or HTTPException if it has no answer."""
    with closing(HTTPConnection("localhost")) as connection:
        connection.sock = socket(AF_UNIX)
        connection.sock.settimeout(SILENT_S)
        connection.sock.connect(socket_path)
        connection.request("GET", path)
        answer = connection.getresponse()
        if answer.status != 200:
            raise HTTPException(answer.status)
        yield answer


def read_states(socket_path: str, put: Callable[[LocalState], None]) -> None:
    """Put each state of the stream, and None when it ends; then connect again, for ever."""
    while True:
        with suppress(OSError, HTTPException, ValueError), answer_of(socket_path, STREAM) as stream:
            while line := stream.readline(LONGEST):
                if line.startswith(b"data: "):
                    put(LocalState(json.loads(line.removeprefix(b"data: "))))
        put(LocalState(None))
        sleep(AGAIN_S)


def read_answer(socket_path: str, put: Callable[[LocalAnswer], None], path: str) -> None:
    body = None
    with suppress(OSError, HTTPException), answer_of(socket_path, path) as answer:
        body = answer.read()
    put(LocalAnswer(path, body))


def run(socket_path: str, login: Login, table: Table) -> None:
    """Tell a broker of the table, until the process is ended."""
    inbox: SimpleQueue[Any] = SimpleQueue()
    broker = Broker(login, table.id, inbox, table.availability(False))
    broker.start()
    Thread(target=read_states, args=(socket_path, inbox.put), daemon=True).start()
    requests = ThreadPoolExecutor(1)

    def ask(path: str) -> None:
        requests.submit(read_answer, socket_path, inbox.put, path)

    bridge = Bridge(table, broker.publish, ask, random.uniform(0.0, SPREAD_S))
    this_unit().ready()
    while True:
        try:
            event = inbox.get(timeout=1.0)
        except Empty:
            event = None
        if isinstance(event, Connected):
            broker.subscribe(table.births)
        bridge.take(event, monotonic())


def forget(login: Login, table: Table) -> None:
    """Make a broker and Home Assistant forget the table. Exit with a sentence if it can't."""
    inbox: SimpleQueue[Any] = SimpleQueue()
    broker = Broker(login, table.id, inbox)
    broker.start()
    left = {-1}
    while left:
        match inbox.get():
            case Connected():
                left = {broker.publish(message) for message in table.forgotten()}
            case Taken(number, ""):
                left.discard(number)
            case Lost(why) | Taken(_, why):
                raise SystemExit(f"referee: {why}")
    broker.stop()


def main() -> None:
    logging.basicConfig(
        level=logging.INFO, handlers=[log_handler(sys.stderr, os.environ.get("JOURNAL_STREAM"))]
    )
    socket_path, password_file, login_text, table_text = sys.argv[1:]
    login, table = Login(*json.loads(login_text)), Table(*json.loads(table_text))
    if password_file:
        login = login._replace(password=Path(password_file).read_text("utf-8").strip())
    if socket_path:
        run(socket_path, login, table)
    else:
        forget(login, table)


if __name__ == "__main__":
    main()
