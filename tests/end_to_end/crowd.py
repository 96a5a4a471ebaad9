"""Who comes to a table's page: watchers that read its stream, and a crowd that pesters it.

python -m tests.end_to_end.crowd watch PORT COUNT
python -m tests.end_to_end.crowd pester PORT

Both are of the lowest priority, as the page's server is: on the machine that plays there are no
phones. `watch` says `there` once all have a state. `pester` says so each time that HANGING
connections hang in half a request, one reads nothing of its stream, and REFUSED requests have been
refused, as fast as they are.
"""

import os
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from selectors import EVENT_READ, DefaultSelector
from subprocess import PIPE, Popen

NAME = "pachisi.local"
HANGING = 200
REFUSED = 500
AT_ONCE = 25  # requests that wait for their refusal
NICE = 19
CHUNK = 65_536
GONE = struct.pack("ii", 1, 0)  # SO_LINGER: nothing is kept of a connection that is closed


def request(path: str, host: str = NAME) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()


def asking(port: int, text: bytes) -> socket.socket:
    """Return a connection that has sent this."""
    client = socket.create_connection(("127.0.0.1", port))
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, GONE)
    client.sendall(text)
    return client


def watch(port: int, count: int) -> None:
    """Read the states of so many streams until they end."""
    streams, told = DefaultSelector(), set[int]()
    for _ in range(count):
        streams.register(asking(port, request("/stream")), EVENT_READ)
    while True:
        for ready, _ in streams.select():
            if not (part := os.read(ready.fd, CHUNK)):
                return
            if b"data: " in part and ready.fd not in told:
                told.add(ready.fd)
                if len(told) == count:
                    print("there", flush=True)


def pester(port: int) -> None:
    """Hang, read nothing and be refused, again and again."""
    while True:
        with ExitStack() as hanging:
            for _ in range(HANGING):
                hanging.enter_context(asking(port, request("/stream")[:20]))
            hanging.enter_context(reading_nothing(port))
            for _ in range(REFUSED // AT_ONCE):
                be_refused(port)
            print("there", flush=True)


def reading_nothing(port: int) -> socket.socket:
    """Return a connection whose stream nobody reads."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", port))
    client.sendall(request("/stream"))
    return client


def be_refused(port: int) -> None:
    """Ask for what another site is called, AT_ONCE times."""
    with ExitStack() as closing:
        asked = [
            closing.enter_context(asking(port, request("/", "evil.example")))
            for _ in range(AT_ONCE)
        ]
        for client in asked:
            said = client.recv(CHUNK)
            assert said.startswith(b"HTTP/1.1 421"), said


@contextmanager
def crowd(*words: object) -> Iterator[Popen[str]]:
    """Have some come, in a process of their own; they are there when this returns."""
    command = [sys.executable, "-m", "tests.end_to_end.crowd", *map(str, words)]
    with Popen(command, stdout=PIPE, text=True) as process:
        try:
            there(process)
            yield process
            assert process.poll() is None, "they have gone"
        finally:
            process.kill()


def there(process: Popen[str]) -> None:
    """Wait until a crowd says that it is there."""
    assert process.stdout is not None
    assert process.stdout.readline() == "there\n", "it has ended"


if __name__ == "__main__":
    os.setpriority(os.PRIO_PROCESS, 0, NICE)
    what, port, *count = sys.argv[1:]
    if what == "watch":
        watch(int(port), int(count[0]))
    else:
        pester(int(port))
