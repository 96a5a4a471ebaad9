"""What the bridge says to a broker, and when: told by what it publishes and asks."""

import json
from typing import Any

import pytest

from pi_app.mqtt.bridge import RECORDS, Bridge, LocalAnswer, LocalState, Table
from pi_app.mqtt.broker import Connected, Lost, Publication, Received, Taken
from pi_app.mqtt.messages import game_id
from tests.pi_app.mqtt.test_messages import FIRST, ROWS, lines

Said = list[tuple[str, str]]
GAME = {
    "number": "7",
    "row": 235,
    "phase": "move",
    "seat": 3,
    "turn": 67,
    "throws": 70,
    "throw": [5, 4],
    "increments": [{"spaces": 5, "left": 0}, {"spaces": 4, "left": 4}],
    "edition": "royal-2023",
    "seats": [0, 1, 2, 3],
    "position": "54,24,18,0/r5,28,16,10/H,57,N,N/57,10,9,0",
    "to_go": [112, 172, 149, 192],
    "all_to_go": 288,
    "home": [0, 0, 1, 0],
    "finished": [],
    "winners": [],
}
STATE: dict[str, Any] = {
    "game": GAME,
    "board": "standard/counterclockwise/twelve",
    "needs": None,
    "standings": [],
    "doing": "D is to move",
    "rules": "Royal Parcheesi 2023, turn 67",
}
RECORD = "\n".join(lines({**FIRST, "names": {"A": "LUC"}}, ROWS)).encode()
ID = game_id(RECORD.decode().split("\n"))
CONNECTED = Connected(has_session=False)
LOST = Lost("the broker is lost")
AWAY = LocalState(None)


def state(**changes: Any) -> LocalState:
    """Return a state in which something of the game differs."""
    return LocalState({**STATE, "game": {**GAME, **changes}})


def birth(topic: str = "pachisi/status", payload: bytes = b"online") -> Received:
    return Received(topic, payload, retained=False, acknowledge=lambda: None)


class Ends:
    """A bridge with a broker and a table's socket that only note what comes. `t` is the time."""

    def __init__(self, table: Table = Table("pachisi", "kitchen", discovery="")) -> None:  # noqa: B008
        self.said: list[Publication] = []
        self.asked: list[str] = []
        self.bridge = Bridge(table, self._publish, self.asked.append)
        self.t = 100.0

    def _publish(self, message: Publication) -> int:
        self.said.append(message)
        return len(self.said)

    def tell(self, *events: object) -> Said:
        """Tell the bridge, and return what it says to that: topics below the table's, payloads."""
        before = len(self.said)
        for event in events:
            self.bridge.take(event, self.t)
        return [
            (topic.removeprefix("pachisi/kitchen/"), payload.decode())
            for topic, payload, _ in self.said[before:]
        ]

    def topics(self, *events: object) -> list[str]:
        return [topic for topic, _ in self.tell(*events)]

    def wait(self, seconds: float) -> Said:
        self.t += seconds
        return self.tell(None)

    def taken(self, refusal: str = "") -> Said:
        """Tell that the broker has the newest message, or refuses it."""
        return self.tell(Taken(len(self.said), refusal))

    def listed(self, **rows: int) -> list[str]:
        """Answer that these games have ended, `g7` for game 7; return what is asked then."""
        assert self.asked[-1] == RECORDS
        listed = [{"number": key[1:], "ended": 1.0, "rows": count} for key, count in rows.items()]
        self.tell(LocalAnswer(RECORDS, json.dumps(listed).encode()))
        return self.asked[self.asked.index(RECORDS) + 1 :]

    def fetched(self, number: str, record: bytes | None = RECORD) -> list[str]:
        return self.topics(LocalAnswer(f"/games/{number}/record", record))


def both() -> Ends:
    """Return a bridge whose broker and table are there, and whose state is taken."""
    ends = Ends()
    ends.tell(LocalState(STATE), CONNECTED)
    ends.taken()
    return ends


# --- states --------------------------------------------------------------------------------------


def test_a_table_that_is_there_is_online_and_its_state_is_kept_by_the_broker() -> None:
    ends = Ends()
    assert ends.tell(LocalState(STATE)) == []
    said = ends.tell(CONNECTED)
    assert said[0] == ("availability", "online")
    assert said[1][0] == "state"
    assert json.loads(said[1][1])["position"] == GAME["position"]
    assert [message.retained for message in ends.said] == [True, True]


def test_one_state_is_under_way_and_the_newest_waits() -> None:
    ends = Ends()
    ends.tell(LocalState(STATE), CONNECTED)
    assert ends.tell(state(row=236), state(row=237), state(row=238)) == []
    [(topic, payload)] = ends.taken()
    assert (topic, json.loads(payload)["row"]) == ("state", 238)


def test_a_state_that_says_the_same_is_not_said_again() -> None:
    ends = both()
    assert ends.tell(LocalState({**STATE, "dice": "tumble"})) == []


def test_a_table_that_is_away_for_long_is_offline_and_online_when_it_is_back() -> None:
    ends = both()
    assert ends.tell(AWAY) == []
    assert ends.wait(9.0) == []
    assert ends.wait(2.0) == [("availability", "offline")]
    assert ends.topics(LocalState(STATE)) == ["availability"]


def test_a_table_that_starts_again_soon_is_never_offline() -> None:
    ends = both()
    ends.tell(AWAY)
    ends.wait(5.0)
    ends.tell(LocalState(STATE))
    assert ends.wait(60.0) == []


def test_after_a_new_connection_all_is_said_again_and_nothing_while_there_is_none() -> None:
    ends = both()
    assert ends.tell(LOST, state(row=236)) == []
    assert ends.topics(CONNECTED) == ["availability", "state"]


# --- births --------------------------------------------------------------------------------------


@pytest.mark.parametrize("topic", ["homeassistant/status", "pachisi/status"])
def test_who_has_just_come_hears_all_again(topic: str) -> None:
    ends = Ends(Table("pachisi", "kitchen"))
    ends.tell(LocalState(STATE), CONNECTED)
    ends.taken()
    ends.t += 60.0
    device = "homeassistant/device/pachisi_kitchen/config"
    assert ends.topics(birth(topic)) == [device, "availability", "state"]
    assert ends.asked == [RECORDS, RECORDS]


def test_births_are_answered_once_in_ten_seconds_and_the_last_is_never_left_out() -> None:
    ends = both()
    ends.t += 60.0
    assert ends.topics(birth()) == ["availability", "state"]
    ends.taken()
    ends.t += 1.0
    assert ends.tell(birth(), birth()) == []
    assert ends.wait(8.5) == []
    assert [topic for topic, _ in ends.wait(1.0)] == ["availability", "state"]


@pytest.mark.parametrize(
    "message",
    [birth(payload=b"offline"), birth("pachisi/kitchen/set"), birth("pachisi/garden/status")],
)
def test_nothing_else_is_heard(message: Received) -> None:
    ends = both()
    ends.t += 60.0
    assert ends.tell(message) == []


# --- records -------------------------------------------------------------------------------------


def test_records_of_the_last_days_are_said_one_after_the_other_without_names() -> None:
    ends = both()
    assert ends.listed(g7=10, g5=10) == ["/games/7/record"]
    assert ends.fetched("7") == [f"record/{ID}"]
    assert b"LUC" not in ends.said[-1].payload
    assert ends.asked[-1] == "/games/7/record"
    ends.taken()
    assert ends.asked[-1] == "/games/5/record"
    ends.fetched("5")
    ends.taken()
    assert ends.asked.count(RECORDS) == 1


def test_names_are_in_a_record_only_where_the_configuration_says_so() -> None:
    ends = Ends(Table("pachisi", "kitchen", names=True, discovery=""))
    ends.tell(LocalState(STATE), CONNECTED)
    ends.listed(g7=10)
    ends.fetched("7")
    assert ends.said[-1].payload == RECORD


def test_an_end_that_is_taken_back_and_comes_again_is_said_again() -> None:
    ends = both()
    ends.listed(g7=10)
    ends.fetched("7")
    ends.taken()
    ends.tell(state(phase="over", row=260))
    assert ends.asked[-1] == RECORDS
    assert ends.listed(g7=10).count("/games/7/record") == 1
    ends.tell(state(phase="move", row=261), state(phase="over", row=262))
    assert ends.listed(g7=12).count("/games/7/record") == 2


def test_an_end_that_comes_again_while_the_earlier_one_is_under_way_is_said_again() -> None:
    ends = both()
    ends.listed(g7=10)
    ends.fetched("7")
    under_way = len(ends.said)
    ends.tell(state(phase="over", row=262))
    ends.listed(g7=12)
    ends.tell(Taken(under_way, ""))
    assert ends.asked[-1] == "/games/7/record"
    assert ends.asked.count("/games/7/record") == 2


def test_after_a_new_connection_and_a_birth_taken_records_are_said_again() -> None:
    ends = both()
    for again in (CONNECTED, birth()):
        ends.t += 60.0
        ends.tell(again)
        asked = len(ends.asked)
        assert ends.listed(g7=10)[-1] == "/games/7/record"
        assert len(ends.asked) == asked + 1
        ends.fetched("7")
        ends.taken()


def test_a_record_that_was_under_way_at_a_birth_is_said_again_to_who_has_come() -> None:
    ends = both()
    ends.listed(g7=10)
    ends.fetched("7")
    under_way = len(ends.said)
    ends.t += 60.0
    ends.tell(birth())
    ends.listed(g7=10)
    ends.tell(Taken(under_way, ""))
    assert ends.asked[-1] == "/games/7/record"
    assert ends.fetched("7") == [f"record/{ID}"]


def test_a_record_that_the_broker_refuses_three_times_is_left_out_until_an_hour_later() -> None:
    ends = both()
    ends.listed(g7=10, g5=10)
    for _ in range(3):
        ends.fetched("7")
        ends.taken("Not authorized")
        if ends.asked[-1] == "/games/5/record":
            ends.fetched("5")
            ends.taken()
    assert ends.asked.count("/games/7/record") == 3
    assert ends.asked.count("/games/5/record") == 1
    ends.wait(3601.0)
    assert ends.listed(g7=10, g5=10)[-1] == "/games/7/record"


def test_a_record_at_which_the_broker_ends_the_connection_does_not_keep_the_others_back() -> None:
    ends = both()
    for asked in ("7", "5"):
        ends.listed(g7=10, g5=10)
        ends.fetched(asked)
        ends.tell(LOST, CONNECTED)
    ends.listed(g7=10, g5=10)
    ends.fetched("7")
    ends.tell(LOST, CONNECTED)
    ends.listed(g7=10, g5=10)
    ends.fetched("5")
    ends.taken()
    assert ends.asked[-1] == "/games/7/record"


def test_a_game_of_few_rows_and_one_that_the_table_cannot_give_are_passed_over() -> None:
    ends = both()
    ends.listed(g7=3, g6=10, g5=10)
    assert ends.fetched("7", b'{"seats": [0]}\n{"action": "end"}') == []
    assert ends.fetched("6", None) == []
    assert ends.fetched("5") == [f"record/{ID}"]


def test_a_list_that_the_table_could_not_give_is_asked_for_again() -> None:
    ends = both()
    ends.tell(LocalAnswer(RECORDS, None))
    ends.wait(9.0)
    assert ends.asked == [RECORDS]
    ends.wait(2.0)
    assert ends.asked == [RECORDS, RECORDS]


def test_an_answer_that_comes_after_the_connection_is_lost_is_dropped() -> None:
    ends = both()
    ends.listed(g7=10)
    ends.tell(LOST)
    assert ends.fetched("7") == []


def test_without_records_nothing_is_asked() -> None:
    ends = Ends(Table("pachisi", "kitchen", records=False, discovery=""))
    ends.tell(LocalState(STATE), CONNECTED, state(phase="over"))
    assert ends.asked == []


# --- events, faults and what is forgotten --------------------------------------------------------


def test_an_event_is_said_once_and_not_kept() -> None:
    ends = both()
    said = ends.tell(state(row=236, throws=71, throw=[1, 1]))
    assert said[0][0] == "event"
    assert json.loads(said[0][1])["throw"] == [1, 1]
    assert ends.said[-2].retained is False


def test_a_broker_that_stands_still_gets_no_endless_events() -> None:
    ends = both()
    for row in range(100):
        ends.tell(state(row=236 + row, throws=71 + row))
    assert len(ends.said) < 30


def test_a_failure_is_said_once_and_once_that_it_works_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO", "referee")
    ends = Ends()
    ends.tell(LocalState(STATE), LOST, LOST, CONNECTED, LOST, CONNECTED)
    ends.wait(29.0)
    assert caplog.messages == ["the broker is lost; trying again"]
    ends.wait(2.0)
    ends.wait(2.0)
    assert caplog.messages[1:] == ["the connection to the broker works again"]


def test_what_is_wrong_with_the_table_or_refused_is_said_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO", "referee")
    ends = Ends()
    ends.tell(CONNECTED)
    ends.wait(11.0)
    ends.wait(11.0)
    ends.tell(LocalState(STATE))
    ends.taken("Not authorized")
    ends.listed(g7=10, g5=10)
    for number in ("7", "5", "7", "5"):
        ends.fetched(number)
        ends.taken("Not authorized")
    assert caplog.messages == [
        "the table does not answer: is pachisi-referee-local.socket enabled?",
        "the table answers again",
        "the broker refuses the state: Not authorized",
        "the broker refuses the record of game 7: Not authorized",
        "the broker refuses the record of game 5: Not authorized",
    ]


def test_what_is_forgotten_is_what_the_broker_has_kept() -> None:
    table = Table("pachisi/london", "kitchen")
    assert table.forgotten() == [
        Publication("homeassistant/device/pachisi_london_kitchen/config", b"", True),
        Publication("pachisi/london/kitchen/availability", b"", True),
        Publication("pachisi/london/kitchen/state", b"", True),
    ]
