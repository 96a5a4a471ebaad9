"""Seeded games that ended: as records, with ends that were taken back."""

import json
import random
from collections.abc import Iterator
from functools import cache
from itertools import count
from typing import NamedTuple

from pi_app.model.history import Row, act, undo
from pi_app.mqtt.messages import game_id
from rules.actions import End
from rules.history import Record, new_record
from rules.ruleset import PRESETS, written_options
from tests.pi_app.record.journal_writer import next_row

FIRST_ROWS = 14  # of a game before its first end


class Ended(NamedTuple):
    """A game: its id, and its record at each of its ends, the newest last."""

    id: str
    records: tuple[bytes, ...]


@cache
def ended_game(seed: int, ends: int = 1) -> Ended:
    """Return a game that its players ended so often; between two ends they played on."""
    chance = random.Random(seed)
    record = new_record(PRESETS["royal-2023"], (0, 2))
    times = (f"2026-11-27T20:{n // 60 % 60:02}:{n % 60:02}Z" for n in count(seed))
    first = {
        "format": "pachisi-record",
        "version": 1,
        "ruleset": written_options(record.game.ruleset),
        "seats": [0, 2],
        "host": 0,
        "started": next(times),
    }
    lines, records = [json.dumps(first)], []
    for _ in range(ends):
        for row in played_rows(record, FIRST_ROWS, chance):
            record, done = row
            lines.append(row_line(done, next(times)))
        record, done, _ = act(record, End())
        lines.append(row_line(done, next(times)))
        records.append("".join(f"{line}\n" for line in lines).encode())
        record, done = undo(record)
        lines.append(row_line(done, next(times)))
    id = game_id(lines)
    assert id is not None
    return Ended(id, tuple(records))


def played_rows(record: Record, count: int, chance: random.Random) -> Iterator[tuple[Record, Row]]:
    for _ in range(count):
        record, row = next_row(record, chance)
        yield record, row


def row_line(row: Row, at: str) -> str:
    optional = {"source": row.source} if row.source else {}
    return json.dumps({"action": str(row.entry), "position": row.position, "at": at, **optional})
