"""Many tables in one process, which publish prepared states through the bridge's class `Broker`.

    python -m tests.club.crowd PORT COUNT EVERY

PORT   of the broker
COUNT  of the tables
EVERY  seconds between two states of a table

It says `there` once all are connected and have published a state.
"""

import sys
import time
from itertools import count
from queue import SimpleQueue
from typing import Any

from pi_app.mqtt.broker import Broker, Connected, Login, Publication
from tests.mosquitto import next_of
from tests.pi_app.club.test_tables import PLAYING, bytes_of

POSITIONS = (
    "54,24,18,0/r5,28,16,10/H,57,N,N/57,10,9,0",
    "54,24,18,0/r5,28,16,10/H,57,N,N/57,10,14,0",
    "58,24,18,0/r5,28,16,10/H,57,N,N/57,10,14,0",
)


def main(port: int, tables: int, every_s: float) -> None:
    """Publish until the process is killed."""
    inbox: SimpleQueue[Any] = SimpleQueue()
    names = [f"table-{n}" for n in range(tables)]
    brokers = [Broker(Login("127.0.0.1", port), name, inbox) for name in names]
    for broker in brokers:
        broker.start()
    for _ in brokers:
        next_of(Connected, inbox)
    for broker, name in zip(brokers, names, strict=True):
        broker.publish(Publication(f"pachisi/{name}/availability", b"online", retained=True))
    began = time.monotonic()
    for n in count():
        turn, table = divmod(n, tables)
        state = bytes_of(PLAYING | {"row": turn, "position": POSITIONS[n % len(POSITIONS)]})
        brokers[table].publish(Publication(f"pachisi/{names[table]}/state", state, retained=True))
        if n == tables:
            print("there", flush=True)
            began = time.monotonic() - n * every_s / tables
        if n > tables:
            time.sleep(max(0.0, began + n * every_s / tables - time.monotonic()))
        while not inbox.empty():
            inbox.get()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
