"""Tells a broker what a table does: decides what is published, and when. It can't press or throw.

At a broker "taken" means only that it has a message in its memory. So after each new connection and
each birth message everything is said again, the last days' records too. One state and one record
are under way at a time; of the states the newest waits.
"""

import json
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pi_app import __version__
from pi_app.mqtt import messages
from pi_app.mqtt.broker import STEADY_S, Connected, Lost, Publication, Received, Taken
from pi_app.system.logs import LastComplaints

log = logging.getLogger("referee")

GONE_S = 10.0  # for so long a table may be away that starts again
AGAIN_S = 10.0  # births are answered at most so often
HOUR_S = 3600.0  # then the records are compared again, and refused ones are tried again
MOST_TRIES = 3
MOST_EVENTS = 20  # under way: more are dropped, as a broker that stands still would fill the memory
RECORDS = "/records?days=7"
UNIT = "pachisi-referee-local.socket"
DISCOVERY = Path(__file__).with_name("home_assistant.json")


class Table(NamedTuple):
    """What is published of which table."""

    prefix: str
    name: str
    names: bool = False  # whether the players' names are published
    records: bool = True
    discovery: str = "homeassistant"  # Home Assistant's prefix, "" for none

    @property
    def id(self) -> str:
        """The name of the table at the broker and in Home Assistant."""
        return f"{self.prefix}/{self.name}".replace("/", "_")

    @property
    def births(self) -> list[str]:
        """All topics to which a table listens: who says `online` there has just come."""
        home = [f"{self.discovery}/status"] if self.discovery else []
        return [*home, *messages.birth_topics(self.prefix)]

    def availability(self, is_online: bool) -> Publication:
        """Return the message that says whether the table is there; the will is that it is not."""
        text = messages.ONLINE if is_online else messages.OFFLINE
        return self._about("availability", text.encode(), retained=True)

    def state(self, local: Mapping[str, Any]) -> Publication:
        payload = messages.state_payload(local, self.names)
        return self._about("state", messages.payload_bytes(payload), retained=True)

    def event(self, event: messages.Payload) -> Publication:
        return self._about("event", messages.payload_bytes(event))

    def record(self, record: bytes) -> Publication | None:
        """Return the message with a record; None for a game that does not count."""
        game = messages.game_id(record.decode().split("\n"))
        payload = record if self.names else messages.without_names(record)
        return self._about(f"record/{game}", payload) if game else None

    def device(self) -> Publication:
        """Return the message by which Home Assistant discovers the table."""
        text = DISCOVERY.read_text("utf-8").replace("VERSION", __version__)
        text = text.replace("ID", self.id).replace("TOPIC", f"{self.prefix}/{self.name}")
        topic = f"{self.discovery}/device/{self.id}/config"
        return Publication(topic, text.replace("NAME", self.name).encode(), retained=True)

    def forgotten(self) -> list[Publication]:
        kept = [self._about(what, b"", retained=True) for what in ("availability", "state")]
        return [self.device()._replace(payload=b""), *kept] if self.discovery else kept

    def _about(self, what: str, payload: bytes, retained: bool = False) -> Publication:
        return Publication(f"{self.prefix}/{self.name}/{what}", payload, retained)


class LocalState(NamedTuple):
    """The table's state from its local socket, None while nothing answers there."""

    state: dict[str, Any] | None


class LocalAnswer(NamedTuple):
    """What the local socket has answered to a request, None if it has not."""

    path: str
    body: bytes | None


class Bridge:
    """Decides what is said of a table.

    publish, ask: publishes a message and returns its number; sends a request to the local socket.
    spread_s: how long to wait after a birth, so that many tables do not answer at once.
    """

    def __init__(
        self,
        table: Table,
        publish: Callable[[Publication], int],
        ask: Callable[[str], None],
        spread_s: float = 0.0,
    ) -> None:
        self._table, self._publish, self._ask, self._spread_s = table, publish, ask, spread_s
        self._complaints = LastComplaints()
        self._connected_at: float | None = None
        self._again_at: float | None = None  # when to say everything again
        self._said_at = -AGAIN_S  # when everything was said
        self._listed_at = 0.0
        self._local: dict[str, Any] | None = None
        self._gone_at = 0.0
        self._told_online: bool | None = None
        self._told_state: Publication | None = None
        self._under_way: dict[int, str] = {}  # what each message is that is not yet taken
        self._record = ""  # the number of the game that is asked for, or whose record is under way
        self._rows = 0  # of that game: it may have more now
        self._waiting: dict[str, int] = {}  # rows of the games to publish, by their numbers
        self._taken: dict[str, int] = {}  # rows of the games that this connection's broker has
        self._tries = Counter[str]()  # failures by the numbers of games

    def take(self, event: object, now: float) -> None:
        """Take what has happened; None if only time has passed. now: in seconds of any clock."""
        match event:
            case Connected():
                self._connected_at = self._again_at = now
            case Lost(why):
                self._take_lost(why)
            case Taken(number, refusal):
                self._take_taken(self._under_way.pop(number, "subscription"), refusal)
            case Received(topic, b"online") if topic in self._table.births:
                self._again_at = max(now, self._said_at + AGAIN_S) + self._spread_s
            case LocalState(state):
                self._take_local(state, now)
            case LocalAnswer(path, None) if path == RECORDS:
                self._listed_at = now + AGAIN_S - HOUR_S
            case LocalAnswer(path, body):
                self._take_answer(path, body)
        if self._connected_at is not None:
            self._go_on(now, self._connected_at)

    def _take_lost(self, why: str) -> None:
        self._complain("broker", f"{why}; trying again")
        self._connected_at = None
        if "record" in self._under_way.values():
            self._tries[self._record] += 1
        self._record, self._waiting, self._under_way = "", {}, {}

    def _take_taken(self, what: str, refusal: str) -> None:
        if refusal:
            refused = f"record of game {self._record}" if what == "record" else what
            self._complain(refused, f"the broker refuses the {refused}: {refusal}")
        if what != "record":
            return
        number, self._record = self._record, ""
        if not refusal:
            self._taken[number] = self._rows
            del self._tries[number]
        else:
            self._tries[number] += 1
            if self._tries[number] < MOST_TRIES:
                self._waiting.setdefault(number, self._rows)

    def _take_local(self, state: dict[str, Any] | None, now: float) -> None:
        before, self._local = self._local, state
        if state is None:
            self._gone_at = now if before else self._gone_at
            return
        if self._complaints.clear("table"):
            log.info("the table answers again")
        if _ended(before) != _ended(state):
            self._listed_at = -HOUR_S
        if before and self._connected_at is not None:
            for event in messages.events(before, state):
                if len(self._under_way) < MOST_EVENTS:
                    self._say("event", self._table.event(event))

    def _take_answer(self, path: str, body: bytes | None) -> None:
        if path == RECORDS:
            games = {one["number"]: one["rows"] for one in json.loads(body or b"[]")}
            said = {**self._taken, self._record: self._rows}
            due = [one for one in games if said.get(one) != games[one]]
            due = [one for one in due if self._tries[one] < MOST_TRIES]
            self._waiting = {one: games[one] for one in sorted(due, key=self._tries.__getitem__)}
        elif path == _record_path(self._record) and self._connected_at is not None:
            if message := self._table.record(body) if body else None:
                self._say("record", message)
            else:
                self._record = ""

    def _go_on(self, now: float, since: float) -> None:
        """Say what is due. since: when the connection began."""
        if now > since + STEADY_S and self._complaints.clear("broker"):
            log.info("the connection to the broker works again")
        if self._again_at is not None and now >= self._again_at:
            self._again_at, self._said_at, self._listed_at = None, now, -HOUR_S
            self._told_online = self._told_state = None
            # Who has come just now may have missed the record that is under way: it is due again.
            self._record, self._waiting, self._taken = "", {}, {}
            self._under_way = {n: what for n, what in self._under_way.items() if what != "record"}
            if self._table.discovery:
                self._say("device", self._table.device())
        is_online = self._local is not None
        is_sure = is_online or now >= max(since, self._gone_at) + GONE_S
        if is_sure and is_online != self._told_online:
            self._told_online = is_online
            self._say("availability", self._table.availability(is_online))
            if not is_online:
                self._complain("table", f"the table does not answer: is {UNIT} enabled?")
        if self._local and "state" not in self._under_way.values():
            state = self._table.state(self._local)
            if state != self._told_state:
                self._told_state = state
                self._say("state", state)
        if self._local and self._table.records:
            self._ask_for_records(now)

    def _ask_for_records(self, now: float) -> None:
        if now >= self._listed_at + HOUR_S:
            if self._listed_at > 0:
                self._tries.clear()
            self._listed_at = now
            self._ask(RECORDS)
        if not self._record and self._waiting:
            self._record = next(iter(self._waiting))
            self._rows = self._waiting.pop(self._record)
            self._ask(_record_path(self._record))

    def _say(self, what: str, message: Publication) -> None:
        self._under_way[self._publish(message)] = what

    def _complain(self, part: str, sentence: str) -> None:
        if self._complaints.is_new(part, sentence):
            log.warning(sentence)


def _record_path(number: str) -> str:
    return f"/games/{number}/record"


def _ended(state: Mapping[str, Any] | None) -> tuple[object, ...]:
    """Return what differs once a game has ended, or has ended again after an undo."""
    game = state["game"] if state else None
    if not game:
        return (bool(state),)
    over = game["phase"] == "over"
    return game["number"], over, game["row"] if over else 0
