"""What a broker costs a table, and what 200 tables cost a club: a press, a row, and memory."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from queue import SimpleQueue
from random import Random
from subprocess import PIPE
from tempfile import TemporaryDirectory
from threading import Thread

from pi_app.config.keys import DEFAULT
from pi_app.config.reading import load_config
from pi_app.record.journal import FILE
from pi_app.simulate.player import SimulatedPlayer
from pi_app.simulate.port import listen_locally
from pi_app.simulate.simulation import open_simulation
from pi_app.system.notify import Sockets
from pi_app.web.spectators import Spectators
from rules.game import Phase
from tests.asked import in_short
from tests.bench.bars import BROKER
from tests.bench.measure import (
    MEMORY,
    Measured,
    median_ratio,
    percentile,
    resident_megabytes,
)
from tests.bench.page import ROUNDS, a_table, compared
from tests.club.evening import Program, bridge_of, ended_at_last
from tests.mosquitto import mosquitto, program
from tests.pi_app.mqtt.test_broker import certificate

TABLES = in_short(200, 5)
EVERY_S = 3.8  # a table's states: 1,066 of a game that takes 67 min
RUNS, ACTS = 3, in_short(60, 3)
GAPS_S = (0.1, 0.3)


def bench_a_broker() -> Iterator[Measured]:
    """A table's press and memory with a broker, and a club with 200 tables."""
    if program() is None:
        yield from (Measured(name, None, "install Debian's mosquitto") for name in BROKER)
        return
    yield from measure_a_press()
    yield from measure_a_club()


def measure_a_press() -> Iterator[Measured]:
    """From press to picture with a bridge and a broker over TLS, in that without, by turns.

    Each press changes what the bridge gets, but not what it publishes.
    """
    pairs = list[tuple[float, float]]()
    with TemporaryDirectory(dir=MEMORY) as name:
        folder = Path(name)
        certificate(folder)
        files = f"certfile {folder}/cert.pem", f"keyfile {folder}/key.pem"
        local = folder / "socket"
        with (
            mosquitto(folder, *files) as broker,
            listen_locally(local) as sock,
            a_table() as bare,
            a_table(local=sock) as told,
        ):
            login = "localhost", broker.port, str(folder / "cert.pem")
            bridge = bridge_of(local, login, "kitchen")
            with ended_at_last([bridge]):
                for _ in range(ROUNDS):
                    pairs += zip(told.presses(), bare.presses(), strict=True)
                held = resident_megabytes(bridge.process.pid)
                [page] = told.service.children()
                server = resident_megabytes(page)
    yield from compared("press to picture with a broker, percentile {}, in that without", pairs)
    yield Measured("resident memory of a bridge with TLS, MB", held, "")
    yield Measured("resident memory of the page's server behind a bridge, MB", server, "")


def measure_a_club() -> Iterator[Measured]:
    """From a committed row to the club's page while 200 tables play, in that of one, by turns.

    One table is real, with its bridge; the others publish prepared states.
    """
    pairs = list[tuple[float, float]]()
    with TemporaryDirectory(dir=MEMORY) as name, ExitStack() as closing:
        folder = Path(name)
        broker = closing.enter_context(mosquitto(folder))
        at = f"127.0.0.1:{broker.port}"
        words = ("--broker", at, "--store", folder / "club.sqlite", "--page", 0)
        club = Program("pi_app", "club", *words, stdout=PIPE)
        bridge = bridge_of(folder / "socket", ("127.0.0.1", broker.port), "real")
        closing.enter_context(ended_at_last([club, bridge]))
        table = closing.enter_context(timed_table(folder, club.said()))
        for _ in range(RUNS):
            alone = table.milliseconds()
            with crowd(broker.port):
                pairs += zip(table.milliseconds(), alone, strict=True)
                held = resident_megabytes(club.process.pid)
    ours, theirs = zip(*pairs, strict=True)
    note = (
        f"{percentile(ours, 99):.0f} ms, median {percentile(ours, 50):.0f}; of one table "
        f"{percentile(theirs, 99):.0f}, median {percentile(theirs, 50):.0f}; of {len(ours)}"
    )
    name = "row to the club's page, 200 tables, percentile 99, in that of one"
    yield Measured(name, median_ratio(pairs, 99), note)
    yield Measured("resident memory of a club with 200 tables, MB", held, "")


@contextmanager
def crowd(port: int) -> Iterator[None]:
    """Have the other tables play in this block."""
    many = Program("tests.club.crowd", port, TABLES - 1, EVERY_S, stdout=PIPE)
    with ended_at_last([many]):
        assert many.said() == "there"
        yield


class TimedTable:
    """A table, and the club's page on which it is. rows, tiles: when each came."""

    def __init__(
        self, player: SimulatedPlayer, rows: list[float], tiles: SimpleQueue[float]
    ) -> None:
        self._player, self._rows, self._tiles = player, rows, tiles
        self._gaps = Random(1)

    def milliseconds(self) -> list[float]:
        """Play, and return the times from row to page, of acts with one row that the page shows."""
        found = list[float]()
        while len(found) < ACTS:
            time.sleep(self._gaps.uniform(*GAPS_S))
            while not self._tiles.empty():
                self._tiles.get()
            self._rows.clear()
            if self._player.game.phase is Phase.OVER:
                self._player.begin((0, 1, 2, 3))
                continue
            self._player.act()
            self._player.settle()  # the dice have tumbled
            if len(self._rows) == 1:
                found.append(1000 * (self._tiles.get(timeout=10.0) - self._rows[0]))
        return found


@contextmanager
def timed_table(folder: Path, address: str) -> Iterator[TimedTable]:
    """Give a table in a folder, with its local socket, and a tab that looks at the club's page."""
    rows, tiles = list[float](), SimpleQueue[float]()

    def look() -> None:
        host = address.removeprefix("http://").rstrip("/")
        with closing(HTTPConnection(host)) as connection:
            connection.request("GET", "/stream")
            for line in connection.getresponse():
                if b'"name": "real"' in line:
                    tiles.put(time.perf_counter())

    spectators = Spectators(Sockets(local=listen_locally(folder / "socket")), folder / FILE, ())
    with (
        closing(spectators),
        open_simulation(
            load_config(DEFAULT),
            1,
            folder,
            lambda row: rows.append(time.perf_counter()),
            watch=spectators.watch,
        ) as played,
    ):
        Thread(target=look, daemon=True).start()
        player = SimulatedPlayer(played, Random(1))
        player.begin((0, 1, 2, 3))
        tiles.get(timeout=30.0)
        yield TimedTable(player, rows, tiles)
