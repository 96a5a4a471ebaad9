"""Shows a club on this computer: a broker, eight tables that play, and the page. Ctrl-C ends all.

make club
python -m tests.club SECONDS    pauses so long after each throw or step, instead of PAUSE_S
"""

import signal
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

from tests.club.evening import TABLES, Program, ended_at_last, table_and_bridge
from tests.mosquitto import mosquitto, program

PAUSE_S = 1.5


def main(pause_s: float = PAUSE_S) -> None:
    """Run the evening until SIGINT or SIGTERM, or until one of its programs ends."""
    if program() is None:
        raise SystemExit("make club needs a broker: install Debian's mosquitto")
    stopped = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    with TemporaryDirectory() as name, mosquitto(Path(name)) as broker:
        print("Ctrl-C ends the club and its tables; nothing is kept", flush=True)
        folder, at = Path(name), f"127.0.0.1:{broker.port}"
        store = folder / "club.sqlite"
        programs = [Program("pi_app", "club", "--broker", at, "--store", store, "--page", 0)]
        with ended_at_last(programs):
            for seed, table in enumerate(TABLES):
                programs += table_and_bridge(folder / table, broker.port, table, seed, pause_s)
            while not stopped.wait(0.5):
                for one in programs:
                    if one.process.poll() is not None:
                        raise SystemExit(f"a program has ended: {one.process.args!r}")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
