"""The tables of a club as they are now, as values. It keeps nothing, and knows no broker.

Anybody may publish anything, so a state is checked here, and trusted from here on.
"""

import json
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from pi_app.mqtt.messages import LETTERS, OFFLINE, ONLINE, VERSION
from rules.board import BOARDS, SEATS, board, parse_place
from rules.position import PAWNS
from rules.ruleset import OPTIONS

MAX_STATE_BYTES = 16_000  # a state of four seats has 700
MAX_TABLES = 2_000  # so names that a stranger makes up fill neither the memory nor the page
MAX_ITEMS, MAX_LETTERS, MAX_NUMBER = 20, 500, 10**9
HALF_CHARACTER = re.compile("[\ud800-\udfff]")  # JSON can write it, UTF-8 can't

# What the keys of a state may be. A tuple has alternatives, a list and a dict what is in them.
SHAPES = {
    key: shape
    for keys, shape in {
        "row turn": int,
        "game seat": (int, None),
        "phase edition position needs": (str, None),
        "throw seats places winners": [int],
        "increments": [[(int, str)]],
        "board": [str],
        "progress": {str: int},
        "words names": {str: str},
        "running": bool,
    }.items()
    for key in keys.split()
}

State = Mapping[str, Any]


class LiveTable(NamedTuple):
    """A table as the club sees it.

    name: `kitchen`, or `CLUB/kitchen`. state: with the keys of SHAPES (pi_app/mqtt/README.md); None
    if it has sent none. readable: false if we can't read the newest. availability: online,
    offline, or None while the club does not know; since: when that began, in seconds of the club's
    own clock.
    """

    name: str
    state: State | None = None
    readable: bool = True
    availability: str | None = None
    since: float = 0.0


Tables = Mapping[str, LiveTable]
NO_TABLES: Tables = MappingProxyType({})


def hear(tables: Tables, name: str, what: str, payload: bytes, now: float) -> Tables:
    """Return the tables after a message. An empty message takes its table away.

    what: `state` or `availability`. now: in seconds of the club's own clock.
    """
    if not payload:
        return {other: table for other, table in tables.items() if other != name}
    if name not in tables and len(tables) >= MAX_TABLES:
        return tables
    table = tables.get(name, LiveTable(name, since=now))
    if what == "state":
        try:
            table = table._replace(state=read_state(payload), readable=True)
        except Exception:  # whatever a stranger sends, only this table suffers
            table = table._replace(state=None, readable=False)
    else:
        text = payload.decode(errors="replace")
        told = text if text in (ONLINE, OFFLINE) else None
        if told != table.availability:
            table = table._replace(availability=told, since=now)
    return {**tables, name: table}


def lose_broker(tables: Tables, now: float) -> Tables:
    """Return the tables while the club has no broker: nobody knows whether they are there."""
    return {
        name: table._replace(availability=None, since=now) if table.availability else table
        for name, table in tables.items()
    }


def read_state(payload: bytes) -> State:
    """Return a checked state, with the keys of SHAPES alone. Raises any exception for others."""
    if len(payload) > MAX_STATE_BYTES:
        raise ValueError("it is too large")
    said = {"names": {}, **json.loads(payload.decode())}
    state = {key: said[key] for key in SHAPES}
    wrong = [key for key, shape in SHAPES.items() if not _fits(state[key], shape)]
    layout, travel, safety, *stars = state["board"]
    where = [part.split(",") for part in (state["position"] or "-/-/-/-").split("/")]
    played = [part for part in where if part != ["-"]]
    places = {*board(layout).to_go}
    seats = {state["seat"] or 0, *state["seats"], *state["places"], *state["winners"]}
    if (
        wrong
        or said["v"] != VERSION
        or travel not in OPTIONS["travel"].values
        or safety not in BOARDS[layout].safety
        or stars not in ([], ["jump"])
        or len(where) != SEATS
        or any(len(part) != PAWNS or not places >= set(map(parse_place, part)) for part in played)
        or not seats <= set(range(SEATS))
        or not {*state["progress"], *state["names"]} <= {*LETTERS}
        or any([*map(type, one)] != [int, str] for one in state["increments"])
    ):
        raise ValueError(f"it says what can't be: {wrong}")
    return state


def _fits(value: Any, shape: Any) -> bool:
    if isinstance(shape, tuple):
        return any(_fits(value, one) for one in shape)
    if isinstance(shape, list) and isinstance(value, list):
        return len(value) <= MAX_ITEMS and all(_fits(one, shape[0]) for one in value)
    if isinstance(shape, dict) and isinstance(value, dict):
        return _fits([*value], [str]) and _fits([*value.values()], [shape[str]])
    if shape is str and isinstance(value, str):
        return len(value) <= MAX_LETTERS and not HALF_CHARACTER.search(value)
    if shape is int and type(value) is int:
        return 0 <= value < MAX_NUMBER
    return value is None if shape is None else shape is bool and isinstance(value, bool)
