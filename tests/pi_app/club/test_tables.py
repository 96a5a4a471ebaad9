"""The tables of a club: what they say is checked, and who is away is known by the club's clock."""

import json
from collections.abc import Iterable
from typing import Any

import pytest

from pi_app.club.tables import NO_TABLES, SHAPES, Tables, hear, lose_broker, read_state

PLAYING: dict[str, Any] = {
    "v": 1,
    "game": 7,
    "row": 235,
    "phase": "move",
    "seat": 3,
    "turn": 67,
    "throw": [5, 4],
    "increments": [[5, "used"], [4, "open"]],
    "edition": "royal-2023",
    "board": ["standard", "counterclockwise", "twelve"],
    "seats": [0, 1, 2, 3],
    "position": "54,24,18,0/r5,28,16,10/H,57,N,N/57,10,9,0",
    "places": [],
    "winners": [],
    "progress": {"a": 61, "b": 40, "c": 48, "d": 33},
    "running": True,
    "needs": None,
    "words": {"doing": "D moves", "rules": "Royal Parcheesi"},
}
JOINING = PLAYING | {
    "game": None,
    "phase": None,
    "seat": None,
    "edition": None,
    "position": None,
    "progress": {},
    "names": {"a": "Zoë"},
}


def bytes_of(state: dict[str, Any]) -> bytes:
    return json.dumps(state).encode()


def heard(*messages: tuple[str, str, bytes], now: Iterable[int] = range(99)) -> Tables:
    """Return the tables after some messages, one each second from 0."""
    tables = NO_TABLES
    for (name, what, payload), at in zip(messages, now, strict=False):
        tables = hear(tables, name, what, payload, float(at))
    return tables


@pytest.mark.parametrize("state", [PLAYING, JOINING])
def test_a_state_comes_through_with_the_keys_that_are_known(state: dict[str, Any]) -> None:
    expected = {"names": {}, **state}
    del expected["v"]
    assert read_state(bytes_of(state | {"later": [1, 2]})) == expected
    assert set(expected) == set(SHAPES)


DEEP = b"[" * 15_000
WRONG: list[bytes] = [
    b"online",
    b"[]",
    b"NaN",
    b"{}",
    b"\xff\xfe{}",
    DEEP,
    b'{"v":1,"row":' + b"9" * 5_000 + b"}",
    bytes_of(PLAYING)[:-1],
    bytes_of(PLAYING).replace(b"235", b"NaN"),
    bytes_of(PLAYING).replace(b"235", b"1e999"),
    bytes_of(PLAYING) + b" " * 16_000,
    *(
        bytes_of(PLAYING | changed)
        for changed in (
            {"v": 2},
            {"row": "235"},
            {"row": True},
            {"row": -1},
            {"row": 10**9},
            {"row": 1.5},
            {"seat": 4},
            {"seats": [0, 9]},
            {"places": {"0": 1}},
            {"winners": [[0]]},
            {"throw": [1] * 21},
            {"increments": [[5]]},
            {"increments": [["used", 5]]},
            {"board": ["standard", "counterclockwise"]},
            {"board": ["<b>", "counterclockwise", "twelve"]},
            {"board": ["standard", "up", "twelve"]},
            {"board": ["standard", "counterclockwise", "entries-stars"]},
            {"position": "54,24,18,0/r5,28,16,10/H,57,N,N"},
            {"position": "54,24,18,0/r5,28,16,10/H,57,N,N/57,10,9"},
            {"position": "54,24,18,0/r5,28,16,10/H,57,N,N/r99,10,9,0"},
            {"position": "x,24,18,0/-/-/-"},
            {"progress": {"e": 1}},
            {"names": {"a": 5}},
            {"names": {"a": "x" * 501}},
            {"names": {"a": "\ud800"}},
            {"words": {"\udfff": "x"}},
            {"running": 1},
            {"needs": ["disk"]},
        )
    ),
    *(bytes_of({key: PLAYING[key] for key in PLAYING if key != left_out}) for left_out in PLAYING),
]


@pytest.mark.parametrize("payload", WRONG, ids=lambda payload: payload[-60:])
def test_a_wrong_state_marks_its_table_alone_until_a_right_one_comes(payload: bytes) -> None:
    tables = heard(
        ("attic", "state", bytes_of(PLAYING)),
        ("kitchen", "state", bytes_of(PLAYING)),
        ("kitchen", "state", payload),
    )
    assert not tables["kitchen"].readable
    assert tables["kitchen"].state is None
    assert tables["attic"].readable
    assert tables["attic"].state is not None
    again = hear(tables, "kitchen", "state", bytes_of(PLAYING), 5.0)["kitchen"]
    assert again.readable
    assert again.state == tables["attic"].state


def test_a_table_is_away_since_the_broker_said_so_by_the_club_s_own_clock() -> None:
    tables = heard(
        ("attic", "availability", b"online"),
        ("attic", "availability", b"offline"),
        ("attic", "state", bytes_of(PLAYING)),
        ("attic", "availability", b"offline"),
    )
    assert (tables["attic"].availability, tables["attic"].since) == ("offline", 1.0)


@pytest.mark.parametrize("payload", [b"ONLINE", b"\xff", b"x" * 1_000_000, b"null"])
def test_what_is_neither_online_nor_offline_is_not_known(payload: bytes) -> None:
    tables = heard(("attic", "availability", b"online"), ("attic", "availability", payload))
    assert tables["attic"].availability is None


def test_without_a_broker_no_table_is_known_to_be_there() -> None:
    tables = heard(
        ("attic", "availability", b"online"),
        ("attic", "state", bytes_of(PLAYING)),
        ("hall", "availability", b"offline"),
        ("loft", "state", bytes_of(PLAYING)),
    )
    lost = lose_broker(tables, 9.0)
    assert [(table.availability, table.since) for table in lost.values()] == [
        (None, 9.0),
        (None, 9.0),
        (None, 3.0),
    ]
    assert lost["attic"].state == tables["attic"].state


def test_an_empty_message_takes_its_table_away() -> None:
    tables = heard(("attic", "availability", b"online"), ("hall", "availability", b"online"))
    assert list(hear(tables, "attic", "state", b"", 5.0)) == ["hall"]
    assert hear(NO_TABLES, "attic", "state", b"", 5.0) == {}


def test_made_up_names_do_not_fill_the_memory() -> None:
    tables = NO_TABLES
    for n in range(2_001):
        tables = hear(tables, f"table-{n}", "availability", b"online", 0.0)
    assert len(tables) == 2_000
    assert hear(tables, "table-5", "availability", b"offline", 1.0)["table-5"].since == 1.0
