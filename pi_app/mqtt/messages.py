"""What a table says over MQTT: topics, payloads and a game's id. It knows no broker and no time.

pi_app/mqtt/README.md has an example of each message.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from itertools import islice
from typing import Any

VERSION = 1  # of each payload that is a JSON object, as its `v`
ONLINE, OFFLINE = "online", "offline"  # what `availability` and births say
LETTERS = "abcd"
LONGEST_NAME = 32
FIRST_ROWS = 8  # which make a game's id
ID_BYTES = 12
NAME = rf"[a-z0-9_-]{{1,{LONGEST_NAME}}}"
KIND = r"availability|state|event|record/[0-9a-f]{24}"
TOPIC = re.compile(rf"[^/\n]+/({NAME}(?:/{NAME})*)/({KIND})")

Payload = dict[str, Any]


def parse_topic(topic: str) -> tuple[str, str, str] | None:
    """Return a table's name, what the topic is about, and a game's id; None for other topics.

    `pachisi/kitchen/state` is of `kitchen`, and `pachisi/CLUB/kitchen/record/ID` of `CLUB/kitchen`.
    The id is "" unless the topic is about a record.
    """
    if found := TOPIC.fullmatch(topic):
        what, _, game = found[2].partition("/")
        return found[1], what, game
    return None


def birth_topics(prefix: str) -> tuple[str, ...]:
    """Return where clubs say that they are there: `pachisi/status`, then `pachisi/CLUB/status`."""
    levels = prefix.split("/")
    return tuple("/".join([*levels[:n], "status"]) for n in range(1, len(levels) + 1))


def fit_name(name: str) -> str:
    """Return the name of a table in topics for the name of its computer."""
    short = re.sub(r"[^a-z0-9_-]+", "-", name.partition(".")[0].lower()).strip("-")
    return short[:LONGEST_NAME] or "table"


def payload_bytes(payload: Payload) -> bytes:
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()


# --- records -------------------------------------------------------------------------------------


def game_id(lines: Iterable[str]) -> str | None:
    """Return the id of the game of a record (rules/RECORDS.md); None if it has less than 8 rows.

    A record only grows, so its id never changes. It is the same for an import or a backup at
    another table, and with or without names.

    Raises ValueError or RecursionError if one of the first lines is not a JSON object.
    """
    first_lines = islice((line for line in lines if line.strip()), 1 + FIRST_ROWS)
    objects = [json.loads(line) for line in first_lines]
    if not all(isinstance(one, dict) for one in objects):
        raise ValueError("a line of the record is not a JSON object")
    if len(objects) <= FIRST_ROWS:
        return None
    first, *rows = objects
    made_of = [
        [first.get(key) for key in ("seats", "host", "started")],
        *([row.get(key) for key in ("action", "position", "at")] for row in rows),
    ]
    text = json.dumps(made_of, sort_keys=True, separators=(",", ":"))
    return blake2b(text.encode(), digest_size=ID_BYTES).hexdigest()


def without_names(record: bytes) -> bytes:
    """Return a record without its players' names, which are in its first line."""
    first, newline, rows = record.partition(b"\n")
    fields = json.loads(first)
    if fields.pop("names", None) is None:
        return record
    return json.dumps(fields, ensure_ascii=False).encode() + newline + rows


# --- states and events, made of what the table's local socket gives (pi_app/web/STATE.md) --------

NO_GAME: Payload = {
    **dict.fromkeys(("game", "phase", "seat", "edition", "position")),
    **dict.fromkeys(("row", "turn"), 0),
    **{key: [] for key in ("throw", "increments", "seats", "places", "winners")},
    "progress": {},
    "running": False,
}


def state_payload(local: Mapping[str, Any], names: bool = False) -> Payload:
    """Return the payload of `state`. names: whether the players' names are in it."""
    called = {
        LETTERS[one["seat"]]: one["called"]
        for one in local["standings"]
        if one["called"] != one["who"]  # who has no name is called by the letter
    }
    doing = local["doing"]
    for one in () if names else local["standings"]:
        doing = doing.replace(one["who"], LETTERS[one["seat"]].upper())
    return {
        "v": VERSION,
        **(_game(local["game"]) if local["game"] else NO_GAME),
        "board": local["board"].split("/"),
        "needs": local.get("needs"),
        "words": {"doing": doing, "rules": local["rules"]},
        **({"names": called} if names else {}),
    }


def _game(game: Mapping[str, Any]) -> Payload:
    all_to_go = game["all_to_go"]
    return {
        "game": game["number"] and int(game["number"]),
        **{key: game[key] for key in ("row", "phase", "seat", "turn", "throw")},
        "increments": [
            [one["left"] or one["spaces"], "open" if one["left"] else "used"]
            for one in game["increments"]
        ],
        **{key: game[key] for key in ("edition", "seats", "position")},
        "places": game["finished"],
        "winners": game["winners"],
        **{key: game[key] for key in ("last_turn", "played_on", "ties") if key in game},
        "progress": {
            LETTERS[seat]: 100 * (all_to_go - game["to_go"][seat]) // all_to_go
            for seat in game["seats"]
        },
        "running": game["phase"] != "over",
    }


def events(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Payload]:
    """Yield the payload of each `event` from one local state to a later one of the same table.

    States may be missing between them, so some events are never told. Undo is no event.
    """
    yield from _events_of_game(before["game"], after["game"])
    needs = after.get("needs")
    if needs and needs != before.get("needs"):
        yield {"v": VERSION, "event_type": "needs", "needs": needs}


def _events_of_game(
    before: Mapping[str, Any] | None, after: Mapping[str, Any] | None
) -> Iterator[Payload]:
    if not before or not after or before["number"] != after["number"]:
        return
    seat, rows = before["seat"], after["row"]

    def event(kind: str, **more: Any) -> Payload:
        where = {"game": after["number"] and int(after["number"]), "row": rows}
        return {"v": VERSION, "event_type": kind, **where, **more}

    if after["throws"] > before["throws"]:
        yield event("throw", seat=seat, throw=after["throw"])
    was, now = (state["position"].split("/") for state in (before, after))
    if rows > before["row"] and was[seat] != now[seat]:
        for other in set(after["seats"]) - {seat}:
            for _ in range(now[other].count("N") - was[other].count("N")):
                yield event("captured", seat=other, by=seat)
        if after["home"][seat] > before["home"][seat]:
            yield event("home", seat=seat, pawns=after["home"][seat])
    if after["winners"] and not before["winners"]:
        yield event("won", seat=after["winners"][0], winners=after["winners"])
