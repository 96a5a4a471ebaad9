"""An evening of a club: its tables at one moment, and games that are over. No test is in here."""

import json
import random
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from pi_app.club.store import append_change, keep_record, open_store
from pi_app.club.tables import Tables
from pi_app.mqtt.messages import game_id
from rules.game import Phase
from rules.history import new_record
from rules.lines.replay import judge
from rules.ruleset import PRESETS
from tests.pi_app.club.ended import row_line
from tests.pi_app.club.test_tables import JOINING, PLAYING, bytes_of, heard
from tests.pi_app.record.journal_writer import next_row

POSITIONS = (
    "54,24,18,0/r5,28,16,10/H,57,N,N/57,10,9,0",
    "H,H,r3,12/N,N,N,40/33,20,H,H/5,5,N,60",
    "N,N,N,N/3,N,N,N/H,H,H,N/14,22,N,N",
)
EDITIONS = ("royal-2023", "parchis", "sr-1942")
NAMES = ("Ann", "Ben", "Cat", "Dominique", "Zoë", "Maximilian")


def playing(n: int, **more: Any) -> dict[str, Any]:
    """Return the state of a table that plays."""
    names = {letter: NAMES[(n + m) % len(NAMES)] for m, letter in enumerate("abcd")}
    where = {"position": POSITIONS[n % 3], "edition": EDITIONS[n % 3]}
    return (
        PLAYING | {"seat": n % 4, "phase": ("move", "throw")[n % 2], "names": names} | where | more
    )


def evening(count: int = 12) -> Tables:
    """Return so many tables. 4: has a winner, 5: awaits players, 6: is away, 7: sends nonsense."""
    states = [playing(n) for n in range(1, count + 1)]
    states[3] |= {"phase": "over", "winners": [2], "places": [2], "running": False}
    states[4] = JOINING | {"seats": [0, 2]}
    messages = []
    for n, state in enumerate(states, 1):
        payload = b"[]" if n == 7 else bytes_of(state)
        messages += [(f"table-{n}", "state", payload), (f"table-{n}", "availability", b"online")]
    messages.append(("table-6", "availability", b"offline"))
    return heard(*messages, now=[0] * len(messages))


NINE = datetime(2026, 11, 27, 21).timestamp()
SEATS = (0, 1, 2)


@cache
def won_game(seed: int, ended: float) -> str:
    """Return the record of a game that somebody has won."""
    record, chance = new_record(PRESETS["pop-28"], SEATS), random.Random(seed)
    at = f"{datetime.fromtimestamp(ended, UTC):%Y-%m-%dT%H:%M:%SZ}"
    first = {"format": "pachisi-record", "version": 1, "ruleset": "pop-28"}
    lines = [json.dumps({**first, "seats": list(SEATS), "host": 0, "started": at})]
    while record.game.phase is not Phase.OVER:
        record, row = next_row(record, chance)
        lines.append(row_line(row, at))
    return "\n".join(lines)


def keep_evening(path: Path) -> Iterator[str]:
    """Keep three people, where they sit, and three games, one of yesterday; yield their ids."""
    with closing(open_store(path)) as store:
        for person, name in zip("abc", ("Ann", "Bartholomew", "Cécile"), strict=True):
            append_change(store, {"kind": "person", "person": person, "name": name}, 1.0)
        people = dict(zip("012", "abc", strict=True))
        append_change(store, {"kind": "seating", "table": "oak", "since": 2.0, "people": people}, 2)
        for seed, ended in enumerate((NINE - 86_400, NINE, NINE + 600), 1):
            record = won_game(seed, ended)
            lines = record.split("\n")
            id = game_id(lines) or ""
            keep_record(store, ("oak", "oak", "elm")[seed - 1], id, record, judge(lines), ended)
            yield id
