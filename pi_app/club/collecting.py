"""Takes what tables publish: ended games into the store, states into memory. It shows nothing.

Each has a connection of its own: a broker waits once some messages are not acknowledged, and no
state may wait until games are judged. A game is acknowledged after its commit; so is what we
refuse, or it would come for ever.
"""

import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import takewhile
from pathlib import Path
from queue import SimpleQueue
from secrets import token_hex
from time import monotonic, sleep, time
from typing import Any

from pi_app.club.store import Store, keep_record, kept_lines, open_store
from pi_app.club.tables import NO_TABLES, Tables, hear, lose_broker
from pi_app.mqtt.broker import Broker, Connected, Login, Lost, Publication, Received, Taken
from pi_app.mqtt.messages import ONLINE, game_id, parse_topic
from pi_app.record.files import write_whole
from pi_app.system.logs import RateLimit
from rules.lines.replay import judge

log = logging.getLogger("referee")

MAX_RECORD_BYTES = 1_000_000  # the longest seen has 60,000
# Of a message that is larger, Mosquitto 2.0.11 sends neither itself nor, at last, any other.
LARGEST = 2**28 - 1  # the largest of MQTT; see pi_app/club/README.md
SESSION_S = 7 * 24 * 3600
DISK_PAUSE_S = 1.0
COMPLAIN_EVERY_S = 24 * 3600.0

Inbox = SimpleQueue[Any]


class RefusedRecord(Exception):
    """Why a record is not kept, after the words "a record that"."""


def take_record(store: Store, table: str, id: str, payload: bytes, received: float) -> bool:
    """Keep the game of a record; return whether it is new, or longer than what was kept.

    id: what the topic says. Raises RefusedRecord, or any other exception for what is no record.
    After sqlite3.Error the same record can be kept later.
    """
    if len(payload) > MAX_RECORD_BYTES:
        raise RefusedRecord("is too large")
    record = payload.decode().lstrip()
    lines = record.split("\n")
    if game_id(lines) != id:
        raise RefusedRecord("is not of the game that its topic names")
    if sum(1 for line in lines if line.strip()) <= 1 + kept_lines(store, id):
        return False  # a repeat costs no judging
    judged = judge(lines)
    if not judged.get("over"):
        raise RefusedRecord("breaks the rules, or is of a game that is not over")
    return keep_record(store, table, id, record, judged, received)


def birth_topic(tables: str) -> str:
    """Return where the club says that it is there. tables: their topics, as in `pachisi/+`."""
    return "/".join([*takewhile("+".__ne__, tables.split("/")[:-1]), "status"])


def collect_games(login: Login, tables: str, path: Path, inbox: Inbox) -> None:
    """Keep the ended games of tables, until the inbox has None. Raises StoreError.

    tables: their topics, as in `pachisi/+`. path: of the store.
    """
    limit, subscribed, is_new = RateLimit(COMPLAIN_EVERY_S), None, True

    def complain(sentence: str) -> None:
        if limit.allows(sentence, monotonic()):
            log.warning("%s", sentence)

    with closing(open_store(path)) as store:
        # One at a time: after each acknowledgement Mosquitto 2.0.11 sends as many as may be open.
        broker = Broker(login, client_id(path), inbox, None, SESSION_S, LARGEST, unacknowledged=1)
        broker.start()
        for event in iter(inbox.get, None):
            match event:
                case Connected(has_session):
                    # A broker that was full has dropped games that came while we were not there.
                    is_new = is_new or not has_session
                    subscribed = broker.subscribe([f"{tables}/record/+"])
                case Taken(_, refusal) if refusal:
                    complain(f"{login} refuses what the club asks ({refusal})")
                case Taken(number) if number == subscribed and is_new:
                    is_new = False
                    broker.publish(Publication(birth_topic(tables), ONLINE.encode()))
                case Lost(why):
                    complain(f"{why}: the club tries again")
                case Received(topic, payload):
                    _keep_or_refuse(store, topic, payload, complain)
                    event.acknowledge()
        broker.stop()


def _keep_or_refuse(
    store: Store, topic: str, payload: bytes, complain: Callable[[str], None]
) -> None:
    table, _, id = parse_topic(topic) or ("", "", "")
    while True:
        try:
            if take_record(store, table, id, payload, time()):
                log.info("table %s: game %s is over", table, id)
            return
        except sqlite3.Error as error:
            complain(f"the store can't be written ({error}): the club tries again")
            sleep(DISK_PAUSE_S)
        except Exception as error:  # whatever a stranger sends, the next record counts
            why = str(error) if isinstance(error, RefusedRecord) else "can't be read"
            complain(f"table {table} has sent a record that {why}")
            return


def collect_states(login: Login, tables: str, show: Callable[[Tables], None], inbox: Inbox) -> None:
    """Give the tables as they are now to `show` after each change, until the inbox has None."""
    live = NO_TABLES
    broker = Broker(login, f"pachisi-club-{token_hex(8)}", inbox, largest=LARGEST)
    broker.start()
    for event in iter(inbox.get, None):
        match event:
            case Connected():
                live = NO_TABLES  # all that the broker has retained comes now
                broker.subscribe([f"{tables}/state", f"{tables}/availability"])
            case Lost():
                live = lose_broker(live, monotonic())
                show(live)
            case Received(topic, payload):
                event.acknowledge()
                if found := parse_topic(topic):
                    live = hear(live, *found[:2], payload, monotonic())
                    show(live)
    broker.stop()


def client_id(path: Path) -> str:
    """Return the club's name at the broker, which has a session for it. path: of the store."""
    file = path.with_suffix(".client")
    if not file.exists():
        write_whole(file, f"pachisi-club-{token_hex(8)}".encode())
    return file.read_text()
