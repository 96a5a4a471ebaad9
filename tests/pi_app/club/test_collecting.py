"""The club's collector: what it keeps and refuses, and that it loses nothing, whoever is killed."""

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from pi_app.club.collecting import (
    RefusedRecord,
    birth_topic,
    client_id,
    collect_games,
    collect_states,
    take_record,
)
from pi_app.club.store import ended_games, open_store
from pi_app.club.tables import Tables
from pi_app.mqtt.broker import Broker, Connected, Login, Publication, Received, Taken
from pi_app.mqtt.messages import game_id
from tests.asked import extent
from tests.mosquitto import Mosquitto, mosquitto, next_of
from tests.pi_app.club.ended import Ended, ended_game
from tests.pi_app.club.test_tables import PLAYING, WRONG, bytes_of

GAME = ended_game(1, ends=2)
FIRST, LAST = GAME.records


def edited(record: bytes, line: int, **changed: Any) -> bytes:
    lines = record.splitlines()
    lines[line] = json.dumps(json.loads(lines[line]) | changed).encode()
    return b"".join(one + b"\n" for one in lines)


def id_of(record: bytes) -> str:
    return game_id(record.decode().split("\n")) or ""


# What is kept.


def test_a_record_is_kept_once_and_a_longer_one_in_its_place() -> None:
    with closing(open_store(Path(":memory:"))) as store:
        assert take_record(store, "kitchen", GAME.id, FIRST, 1.0)
        assert not take_record(store, "attic", GAME.id, FIRST, 2.0)
        assert take_record(store, "kitchen", GAME.id, b"\n \n" + LAST, 3.0)
        assert not take_record(store, "kitchen", GAME.id, FIRST, 4.0)
        [game] = ended_games(store)
        assert (game.record, game.received) == (LAST.decode(), 3.0)


LINES = FIRST.splitlines(keepends=True)
NOT_OVER = b"".join(LINES[:-1])
ALTERED = edited(FIRST, 4, action="throw 6 6")
REFUSED = {
    "of another game": (FIRST, ended_game(2).id),
    "of a game that is not over": (NOT_OVER, GAME.id),
    "with an altered throw": (ALTERED, id_of(ALTERED)),
    "with an altered position": (edited(FIRST, 12, position="H,H,H,H/-/N,N,N,N/-"), GAME.id),
    "cut in a line": (FIRST[:-9], GAME.id),
    "cut to seven rows": (b"".join(LINES[:8]), GAME.id),
    "with a line twice": (FIRST + LINES[-1], GAME.id),
    "with an undo at its end": (LAST[: LAST.index(b'"undo"') + 90], GAME.id),
    "of a million empty lines": (b"\n" * 1_000_000, GAME.id),
    "with 100,000 empty lines": (NOT_OVER + b"\n" * 100_000, GAME.id),
    "too large": (FIRST + b" " * 1_000_000, GAME.id),
    "not UTF-8": (b"\xff\xfe" + FIRST, GAME.id),
    "empty": (b"", GAME.id),
    "a number": (b"9" * 5_000, GAME.id),
    "200,000 brackets": (b"[" * 200_000, GAME.id),
    "with 200,000 brackets": (FIRST + b"[" * 200_000, GAME.id),
    "with a number that is none": (FIRST.replace(b'"host": 0', b'"host": NaN'), GAME.id),
    "with seats that are no list": (edited(FIRST, 0, seats={"0": 1}), GAME.id),
    "a sheet": (b'[Record "pachisi-record 1"]\n[Rules "findler"]\n', GAME.id),
    "with a lot to count": (edited(FIRST, 0, seats=[10**4000]), GAME.id),
}


@pytest.mark.parametrize(("record", "id"), REFUSED.values(), ids=REFUSED)
def test_a_record_is_refused_and_a_good_one_after_it_is_kept(record: bytes, id: str) -> None:
    with closing(open_store(Path(":memory:"))) as store:
        with pytest.raises((RefusedRecord, ValueError, RecursionError)):
            take_record(store, "kitchen", id, record, 1.0)
        assert ended_games(store) == []
        assert take_record(store, "kitchen", GAME.id, FIRST, 2.0)


def test_names_come_through_as_they_are() -> None:
    record = edited(FIRST, 0, names={"A": "<script>", "C": "\ud800\0"})
    with closing(open_store(Path(":memory:"))) as store:
        assert take_record(store, "kitchen", GAME.id, record, 1.0)
        assert ended_games(store)[0].record == record.decode()


@pytest.mark.parametrize(
    ("tables", "topic"),
    [
        ("pachisi/+", "pachisi/status"),
        ("pachisi/+/+", "pachisi/status"),
        ("pachisi/north/+", "pachisi/north/status"),
        ("pachisi/kitchen", "pachisi/status"),
    ],
)
def test_a_club_says_that_it_is_there_to_its_own_tables(tables: str, topic: str) -> None:
    assert birth_topic(tables) == topic


def test_a_club_keeps_its_name_at_the_broker(tmp_path: Path) -> None:
    name = client_id(tmp_path / "club.sqlite")
    assert client_id(tmp_path / "club.sqlite") == name
    assert client_id(tmp_path / "other.sqlite") != name


# With a broker.


class Publisher(Thread):
    """A table without a game: it publishes records as the bridge does.

    Each at its end; all again after each new connection and when a club says that it is there; one
    after the other. More than the bridge, it sends them in any order, some twice, and old ends.
    """

    def __init__(self, port: int, name: str, seed: int = 0) -> None:
        super().__init__(daemon=True)
        self.ended: list[Ended] = []
        self.inbox: SimpleQueue[Any] = SimpleQueue()
        self._broker = Broker(Login("127.0.0.1", port), name, self.inbox)
        self._name, self._chance = name, random.Random(seed)
        self._waiting: list[Publication] = []
        self._sent: int | None = None

    def run(self) -> None:
        self._broker.start()
        for event in iter(self.inbox.get, None):
            match event:
                case Connected():
                    self._sent = None
                    self._broker.subscribe(["pachisi/status"])
                    self._send_all()
                case Received() as heard:
                    heard.acknowledge()
                    self._send_all()
                case Taken(number, _) if number == self._sent:
                    self._sent = None
                case Ended() as game:
                    self.ended.append(game)
                    self._waiting.append(self._message(game.id, game.records[-1]))
            if self._sent is None and self._waiting:
                self._sent = self._broker.publish(self._waiting.pop())
        self._broker.stop()

    def _send_all(self) -> None:
        newest = [(game.id, game.records[-1]) for game in self.ended]
        every = [(game.id, record) for game in self.ended for record in game.records]
        more = self._chance.choices(every, k=len(every) // 3)
        order = self._chance.sample([*newest, *more], len(newest) + len(more))
        self._waiting = [self._message(*one) for one in order]

    def _message(self, id: str, record: bytes) -> Publication:
        return Publication(f"pachisi/{self._name}/record/{id}", record)


def wait_for(done: Callable[[], bool], seconds: float = 30.0) -> None:
    until = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < until, "it did not come"
        time.sleep(0.02)


def kept(path: Path) -> dict[str, str]:
    with closing(open_store(path)) as store:
        return {game.id: game.record for game in ended_games(store)}


@contextmanager
def collecting(port: int, path: Path, shown: list[Tables]) -> Iterator[None]:
    what = Login("127.0.0.1", port), "pachisi/+"
    games, states = SimpleQueue[Any](), SimpleQueue[Any]()
    threads = [
        Thread(target=collect_games, args=(*what, path, games)),
        Thread(target=collect_states, args=(*what, shown.append, states)),
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for inbox, thread in zip((games, states), threads, strict=True):
            inbox.put(None)
            thread.join()


class Stranger:
    """Publishes whatever somebody likes."""

    def __init__(self, port: int) -> None:
        self._inbox: SimpleQueue[Any] = SimpleQueue()
        self.broker = Broker(Login("127.0.0.1", port), "stranger", self._inbox)
        self.broker.start()
        next_of(Connected, self._inbox)
        self.broker.subscribe(["pachisi/status"])
        next_of(Taken, self._inbox)

    def wait_for_a_club(self) -> None:
        next_of(Received, self._inbox).acknowledge()

    def publish(self, topic: str, payload: bytes) -> None:
        self.broker.publish(Publication(topic, payload, retained="record" not in topic))
        next_of(Taken, self._inbox)


@contextmanager
def stranger(port: int) -> Iterator[Stranger]:
    there = Stranger(port)
    try:
        yield there
    finally:
        there.broker.stop()


@pytest.mark.mosquitto
def test_a_hostile_table_damages_nothing_but_its_own_tile(tmp_path: Path) -> None:
    shown: list[Tables] = []
    path = tmp_path / "club.sqlite"
    with (
        mosquitto(tmp_path) as broker,
        stranger(broker.port) as evil,
        collecting(broker.port, path, shown),
    ):
        evil.wait_for_a_club()
        evil.publish("pachisi/kitchen/availability", b"online")
        evil.publish("pachisi/kitchen/state", bytes_of(PLAYING))
        for payload in (*WRONG, b"x" * 1_000_000):
            evil.publish("pachisi/evil/state", payload)
            evil.publish("pachisi/evil/availability", payload)
        for record, id in REFUSED.values():
            evil.publish(f"pachisi/evil/record/{id}", record)
        for _ in range(25):  # more than a broker sends before the first is acknowledged
            evil.publish("pachisi/evil/state", b"x" * 100_000)
        for name in ("<b>", "a" * 500, "status"):
            evil.publish(f"pachisi/{name}/state", bytes_of(PLAYING))
        evil.publish(f"pachisi/kitchen/record/{GAME.id}", FIRST)
        evil.publish("pachisi/kitchen/state", bytes_of(PLAYING | {"row": 236}))
        wait_for(lambda: bool(kept(path)))
        wait_for(lambda: (shown[-1]["kitchen"].state or {}).get("row") == 236)
        assert shown[-1]["kitchen"].availability == "online"
        assert not shown[-1]["evil"].readable
        assert set(shown[-1]) == {"kitchen", "evil", "status"}
        broker.kill()
        wait_for(lambda: shown[-1]["kitchen"].availability is None)
        broker.start()
    assert kept(path) == {GAME.id: FIRST.decode()}


@pytest.mark.mosquitto
def test_a_game_waits_until_the_disk_takes_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "club.sqlite"
    with (
        closing(open_store(path)) as store,
        mosquitto(tmp_path) as broker,
        stranger(broker.port) as table,
        collecting(broker.port, path, []),
    ):
        table.wait_for_a_club()
        store.execute("ALTER TABLE games RENAME TO gone")
        table.publish(f"pachisi/kitchen/record/{GAME.id}", FIRST)
        wait_for(lambda: "the store can't be written" in caplog.text)
        store.execute("ALTER TABLE gone RENAME TO games")
        wait_for(lambda: bool(ended_games(store)))


@pytest.mark.mosquitto
@pytest.mark.parametrize(("qos", "most"), [(0, 100), (1, 1)])
def test_a_flood_does_not_fill_the_memory(qos: int, most: int, tmp_path: Path) -> None:
    inbox: SimpleQueue[Any] = SimpleQueue()
    with mosquitto(tmp_path) as there:
        login = Login("127.0.0.1", there.port)
        club = Broker(login, "club", inbox, session_s=60, unacknowledged=1)
        club.start()
        next_of(Connected, inbox)
        club.subscribe(["games"])
        next_of(Taken, inbox)
        flood = Client(CallbackAPIVersion.VERSION2)
        flood.connect(login.host, login.port)
        flood.loop_start()
        sent = [flood.publish("games", b"x", qos) for _ in range(300)]
        sent += [flood.publish("games", b"last", 1)]
        sent[-1].wait_for_publish(20.0)
        for _ in range(20):
            next_of(Received, inbox).acknowledge()
            assert inbox.qsize() <= most + 1
        while (heard := next_of(Received, inbox)).payload != b"last":
            heard.acknowledge()
        flood.disconnect()
        flood.loop_stop()
        club.stop()


COMMAND = (sys.executable, "-m", "pi_app", "club", "--broker")


@pytest.mark.mosquitto
@pytest.mark.kill
@pytest.mark.soak
def test_no_game_is_lost_or_counted_twice_whoever_is_killed(tmp_path: Path) -> None:
    chance, path = random.Random(41), tmp_path / "club.sqlite"
    kills = extent(2, soak=15)
    games = [ended_game(seed, ends=1 + seed % 3) for seed in range(2 * kills)]
    with mosquitto(tmp_path) as broker:
        tables = [Publisher(broker.port, f"table-{n}", n) for n in range(4)]
        for table in tables:
            table.start()
        due = iter(games)
        for kill in range(kills):
            club = start_club(broker, path)
            for _ in range(2):
                time.sleep(chance.random() * 1.0)
                chance.choice(tables).inbox.put(next(due))
            time.sleep(chance.random() * 0.5)
            club.kill()
            club.wait()
            if kill % 3 == 1:  # while the club is off, with Debian's settings: all is forgotten
                broker.kill()
                broker.start()
        club = start_club(broker, path)
        wait_for(lambda: path.exists() and len(kept(path)) == len(games), 120.0)
        newest = {game.id: game.records[-1].decode() for game in games}
        wait_for(lambda: kept(path) == newest)
        club.kill()
        club.wait()
        for table in tables:
            table.inbox.put(None)
            table.join()
    assert kept(path) == newest


def start_club(broker: Mosquitto, path: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*COMMAND, f"127.0.0.1:{broker.port}", "--store", str(path)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
        stderr=subprocess.DEVNULL,
    )
