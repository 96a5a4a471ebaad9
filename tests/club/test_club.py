"""A club's evening with real tables, bridges and a broker: it loses no game, whoever is killed."""

import json
import os
import random
import signal
import sys
import time
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from subprocess import PIPE, Popen, run
from urllib.parse import urlsplit

import pytest

from pi_app.club.store import ended_games, open_store
from pi_app.mqtt.__main__ import answer_of
from pi_app.mqtt.messages import game_id, without_names
from tests.asked import extent
from tests.club.evening import ROOT, TABLES, Program, ended_at_last, table_and_bridge
from tests.mosquitto import Mosquitto, mosquitto

KILLS = extent(2, soak=20)
PACE = 0.01, 14  # seconds after each act, and the acts of a game
AT_MOST_S = 60.0


def ended_at(table: Path) -> dict[str, str]:
    """Return the records of a table's ended games by their ids, as its socket gives them."""

    def ask(path: str) -> bytes:
        with answer_of(str(table / "socket"), path) as answer:
            return answer.read()

    records = [
        without_names(ask(f"/games/{game['number']}/record")).decode()
        for game in json.loads(ask("/records?days=7"))
    ]
    return {game_id(record.split("\n")) or "": record for record in records}


def kept(path: Path) -> dict[str, str]:
    with closing(open_store(path)) as store:
        return {game.id: game.record for game in ended_games(store)}


def kill_for_a_while(*programs: Program | Mosquitto) -> None:
    """Kill some programs, the first one first, and start them again in the same order."""
    for program in programs:
        program.kill()
    time.sleep(0.2)
    for program in programs:
        program.start()


@pytest.mark.mosquitto
@pytest.mark.kill
@pytest.mark.soak
def test_each_ended_game_is_kept_once_with_its_newest_rows_whoever_is_killed(
    tmp_path: Path,
) -> None:
    chance, store = random.Random(41), tmp_path / "club.sqlite"
    folders = [tmp_path / name for name in ("attic", "cellar", "kitchen")]
    with mosquitto(tmp_path) as broker:
        club = Program("pi_app", "club", "--broker", f"127.0.0.1:{broker.port}", "--store", store)
        tables = [
            table_and_bridge(folder, broker.port, folder.name, seed, *PACE)
            for seed, folder in enumerate(folders)
        ]
        with ended_at_last([club, *(program for table in tables for program in table)]):
            for _ in range(KILLS):
                time.sleep(chance.random())
                match chance.choice(("table", "bridge", "broker", "club", "club and broker")):
                    case "table":
                        kill_for_a_while(*chance.choice(tables))
                    case "bridge":
                        kill_for_a_while(chance.choice(tables)[1])
                    case "club":
                        kill_for_a_while(club)
                    case "broker":
                        kill_for_a_while(broker)
                    case _:
                        kill_for_a_while(broker, club)
            for folder in folders:
                folder.mkdir(exist_ok=True)  # a table that starts slowly has not made it yet
                (folder / "enough").touch()
            until = time.monotonic() + AT_MOST_S
            while not all((folder / "finished").exists() for folder in folders):
                assert time.monotonic() < until, "the tables do not finish"
                time.sleep(0.1)
            ended = {id: one for folder in folders for id, one in ended_at(folder).items()}
            while kept(store) != ended and time.monotonic() < until:
                time.sleep(0.1)
            assert kept(store) == ended
            assert ended


def test_make_club_needs_only_what_a_table_needs() -> None:
    without = "import sys; sys.modules['pytest'] = None; import tests.club.__main__"
    run([sys.executable, "-c", without], cwd=ROOT, check=True)


@pytest.mark.mosquitto
def test_make_club_shows_eight_tables_that_play_and_a_ctrl_c_ends_all_of_it() -> None:
    mark = {"EVENING": f"test {os.getpid()}"}
    with Popen(
        ["make", "club"],
        cwd=ROOT,
        env=os.environ | mark,
        stdout=PIPE,
        text=True,
        start_new_session=True,
    ) as made:
        try:
            assert made.stdout is not None
            said = next(line for line in made.stdout if line.startswith("http"))
            host = urlsplit(said.split()[0]).netloc
            boards = set[str]()
            with closing(HTTPConnection(host, timeout=30.0)) as connection:
                connection.request("GET", "/stream")
                stream = connection.getresponse()
                while boards < set(TABLES):
                    if (line := stream.readline()).startswith(b"data: "):
                        tiles = json.loads(line.removeprefix(b"data: "))["tables"]
                        boards |= {tile["name"] for tile in tiles if tile["board"]}
            assert boards == set(TABLES)
        finally:
            os.killpg(made.pid, signal.SIGINT)
        made.wait(20.0)
    assert started_with(mark) == []


def started_with(mark: dict[str, str]) -> list[str]:
    """Return the commands of all programs here that have a variable in their environment."""
    [text] = (f"{name}={value}".encode() for name, value in mark.items())
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if text in (process / "environ").read_bytes().split(b"\0"):
                found.append((process / "cmdline").read_text())
    return [command for command in found if command]
