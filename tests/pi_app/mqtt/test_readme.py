"""The page about MQTT: its examples are what a table says, and a real broker gives them back."""

import json
import re
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from pi_app.mqtt import __path__ as mqtt
from pi_app.mqtt.bridge import Table
from pi_app.mqtt.broker import Broker, Connected, Login, Publication, Received, Taken
from pi_app.mqtt.messages import events, parse_topic, state_payload
from tests.mosquitto import mosquitto, next_of
from tests.pi_app.mqtt.test_bridge import GAME, RECORD, STATE

TEXT = Path(mqtt[0], "README.md").read_text("utf-8")
STATES, EVENTS = re.findall(r"```json\n(.*?)\n```", TEXT, re.DOTALL)
TOPICS = re.findall(r"^\| `(\S+?)` \| (yes|no) \|", TEXT, re.MULTILINE)
RIGHTS = re.findall(r"```text\n(pattern.*?)\n```", TEXT, re.DOTALL)[0]


def changed(**changes: Any) -> dict[str, Any]:
    """Return the state in which something of the game differs."""
    return {**STATE, "game": {**GAME, **changes}}


def test_the_state_of_the_page_is_what_a_table_says() -> None:
    assert json.loads(STATES) == state_payload(STATE)


def test_the_events_of_the_page_are_what_a_table_says() -> None:
    captured = "24,18,0,N/r5,28,16,10/H,57,N,N/57,14,9,0"
    moved = "54,24,18,0/r5,28,16,10/H,57,N,N/57,14,9,0"
    pairs = [
        (changed(throws=69, row=233, phase="throw"), changed(row=234)),
        (changed(row=234), changed(position=captured)),
        (changed(), changed(row=240, position=moved, home=[0, 0, 1, 2])),
        (changed(), changed(row=260, winners=[3])),
        (STATE, {**STATE, "needs": "disk"}),
    ]
    told = [event for pair in pairs for event in events(*pair)]
    assert told == [json.loads(line) for line in EVENTS.splitlines()]


def test_the_topics_of_the_page_are_those_of_a_table() -> None:
    table = Table("pachisi", "kitchen")
    record = table.record(RECORD)
    assert record is not None
    said = [
        table.availability(True),
        table.state(STATE),
        table.event({}),
        record._replace(topic="pachisi/kitchen/record/79f5381e34188f0fe33aff1f"),
        Publication(table.births[1], b"online"),
        table.device(),
    ]
    assert [(one.topic, "yes" if one.retained else "no") for one in said] == TOPICS
    assert [parse_topic(topic) is not None for topic, _ in TOPICS] == [True] * 4 + [False] * 2


@pytest.mark.mosquitto
def test_with_the_rights_of_the_page_each_message_is_taken_and_read_back(tmp_path: Path) -> None:
    (tmp_path / "acl").write_text(RIGHTS)
    inbox: SimpleQueue[Any] = SimpleQueue()
    heard: SimpleQueue[Any] = SimpleQueue()
    payloads = [b"online", STATES.encode(), EVENTS.encode(), RECORD]
    with mosquitto(tmp_path, f"acl_file {tmp_path}/acl") as there:
        club = Broker(Login("127.0.0.1", there.port, user="club"), "club", heard)
        table = Broker(Login("127.0.0.1", there.port, user="kitchen"), "kitchen", inbox)
        for broker, box in ((club, heard), (table, inbox)):
            broker.start()
            next_of(Connected, box)
        club.subscribe(["pachisi/#"])
        next_of(Taken, heard)
        for (topic, retained), payload in zip(TOPICS, payloads, strict=False):
            table.publish(Publication(topic, payload, retained == "yes"))
            assert next_of(Taken, inbox).refusal == ""
            assert next_of(Received, heard)[:2] == (topic, payload)
        table.publish(Publication("pachisi/garden/state", b"{}"))
        assert next_of(Taken, inbox).refusal == "Not authorized"
        table.subscribe(["pachisi/status"])
        next_of(Taken, inbox)
        club.publish(Publication("pachisi/status", b"online"))
        assert next_of(Received, inbox).payload == b"online"
        club.stop()
        table.stop()
