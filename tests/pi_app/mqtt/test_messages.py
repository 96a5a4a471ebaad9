"""What a table says over MQTT: its topics, a game's id, states and events."""

import json
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from pi_app.mqtt.messages import (
    birth_topics,
    events,
    fit_name,
    game_id,
    parse_topic,
    state_payload,
    without_names,
)
from pi_app.settings.settings import Settings
from pi_app.table.session import Reply
from pi_app.web.spectator_state import spectator_state
from rules.facts import CameHome, Captured, Fact
from rules.game import Phase
from tests.pi_app.sitting import Sitting, thrown
from tests.pi_app.web.tabs import tab_state

ID = "79f5381e34188f0fe33aff1f"


def local(reply: Reply) -> dict[str, Any]:
    """Return what the table's local socket gives."""
    state = tab_state(reply)
    if state["game"]:
        state["game"]["number"] = "7"  # it has one once it is in the journal
    return state


# --- topics --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("topic", "found"),
    [
        ("pachisi/kitchen/state", ("kitchen", "state", "")),
        ("pachisi/london/t_12/availability", ("london/t_12", "availability", "")),
        (f"pachisi/kitchen/record/{ID}", ("kitchen", "record", ID)),
    ],
)
def test_a_table_is_named_by_its_topic(topic: str, found: tuple[str, str, str]) -> None:
    assert parse_topic(topic) == found


@pytest.mark.parametrize(
    "text",
    [
        "pachisi/status",
        "kitchen/state",
        "pachisi/Kitchen/state",
        f"pachisi/{'k' * 33}/state",
        "pachisi/kitchen/set",
        "pachisi/kitchen/state/more",
        "pachisi/<b>/kitchen/state",
        "pachisi/kitchen/record/7",
        "pachisi/kitchen/state\n",
    ],
)
def test_no_other_topic_is_a_tables(text: str) -> None:
    assert parse_topic(text) is None


def test_a_club_says_that_it_is_there_to_its_own_tables_or_to_all() -> None:
    assert birth_topics("pachisi") == ("pachisi/status",)
    assert birth_topics("pachisi/london") == ("pachisi/status", "pachisi/london/status")


@pytest.mark.parametrize(
    ("computer", "name"),
    [
        ("kitchen", "kitchen"),
        ("Club Tisch 3.local", "club-tisch-3"),
        ("日本", "table"),
        ("", "table"),
    ],
)
def test_a_computers_name_is_made_fit_for_a_topic(computer: str, name: str) -> None:
    assert fit_name(computer) == name


# --- the id --------------------------------------------------------------------------------------

FIRST = {"format": "pachisi-record", "seats": [0, 2], "host": 2, "started": "2026-11-21T18:02:11Z"}
ROWS = [{"action": f"throw {n} 1", "position": "-", "at": f"18:0{n}"} for n in range(1, 10)]


def lines(first: dict[str, Any], rows: list[dict[str, Any]]) -> list[str]:
    return [json.dumps(one) for one in (first, *rows)]


def test_a_game_keeps_its_id_whatever_is_added() -> None:
    assert game_id(lines(FIRST, ROWS)) == "b6719bf4bad15ae47f20cd79"
    others = [
        lines(FIRST, ROWS[:8]),
        lines({**FIRST, "names": {"A": "LUC"}, "ruleset": {"new": 1}}, ROWS),
        lines(FIRST, [{**row, "by": "B"} for row in ROWS]),
        ["", *lines(FIRST, ROWS)],
        [json.dumps(json.loads(line), indent=None, sort_keys=True) for line in lines(FIRST, ROWS)],
    ]
    assert {game_id(other) for other in others} == {game_id(lines(FIRST, ROWS))}


@pytest.mark.parametrize("key", ["seats", "host", "started"])
def test_another_first_line_is_another_game(key: str) -> None:
    assert game_id(lines({**FIRST, key: None}, ROWS)) != game_id(lines(FIRST, ROWS))


@pytest.mark.parametrize("key", ["action", "position", "at"])
def test_another_row_is_another_game(key: str) -> None:
    changed = [*ROWS[:7], {**ROWS[7], key: "?"}]
    assert game_id(lines(FIRST, changed)) != game_id(lines(FIRST, ROWS))


def test_a_game_of_fewer_than_eight_rows_is_not_counted() -> None:
    assert game_id(lines(FIRST, ROWS[:7])) is None
    assert game_id([]) is None


@pytest.mark.parametrize("line", ["{", "[]", "7", '"text"'])
def test_what_is_no_record_has_no_id(line: str) -> None:
    with pytest.raises(ValueError, match=r"JSON|Expecting"):
        game_id([line, *lines(FIRST, ROWS)])


def test_names_are_taken_out_of_a_record_and_nothing_else_is_changed() -> None:
    rows = b'{"action":"throw 5 1"}\n'
    assert without_names(b'{"seats": [0], "names": {"A": "L\xc3\x9cC"}}\n' + rows) == (
        b'{"seats": [0]}\n' + rows
    )
    assert without_names(b'{"seats":[0]}\n' + rows) == b'{"seats":[0]}\n' + rows


# --- states --------------------------------------------------------------------------------------

NAMES = Settings({"player.A": "LUC red"})


def test_a_state_is_the_game_in_ids_and_numbers_with_words_beside_them() -> None:
    table = thrown("30,12,N,N/1,N,N,N/N,N,N,N/-", (6, 2), "findler")
    assert state_payload(local(table.reply)) == {
        "v": 1,
        "game": 7,
        "row": 1,
        "phase": "move",
        "seat": 0,
        "turn": 1,
        "throw": [6, 2],
        "increments": [[6, "open"], [2, "open"]],
        "edition": "findler",
        "board": ["standard", "counterclockwise", "twelve"],
        "seats": [0, 1, 2],
        "position": "30,12,N,N/1,N,N,N/N,N,N,N/-",
        "places": [],
        "winners": [],
        "progress": {"a": 15, "b": 0, "c": 0},
        "running": True,
        "needs": None,
        "words": {"doing": "A is to move", "rules": "Findler's course rules, turn 1"},
    }


def test_while_players_join_there_is_no_game() -> None:
    state = state_payload(local(Sitting().reply))
    assert (state["game"], state["running"], state["progress"]) == (None, False, {})
    assert state["words"]["doing"] == "players join"


def test_names_are_told_only_where_the_configuration_says_so() -> None:
    table = Sitting(dice=[(3, 3)], settings=NAMES)
    table.begin(0, 1)
    without, named = (
        state_payload(local(table.reply)),
        state_payload(local(table.reply), names=True),
    )
    assert "LUC" not in json.dumps(without)
    assert without["words"]["doing"] == "A throws to see who begins"
    assert named["names"] == {"a": "LUC"}
    assert named["words"]["doing"] == "A LUC throws to see who begins"


# --- events --------------------------------------------------------------------------------------


def test_the_events_of_a_game_are_its_throws_captures_pawns_home_and_its_winner() -> None:
    dice = Random(3)
    states: list[dict[str, Any]] = []
    table = Sitting(dice=iter(lambda: (dice.randint(1, 6), dice.randint(1, 6)), ()))
    facts: dict[int, Sequence[Fact]] = {}

    def watch(reply: Reply) -> None:
        if reply.session.record is not None:
            state = spectator_state(reply)
            states.append({**state, "game": {**state["game"], "number": "7"}})
            facts.update({told.number: told.facts for told in reply.session.record.told})

    table.watch = watch
    table.begin(0, 1, 2, 3, ruleset="findler")
    while table.game.throws < 60 and table.game.phase is not Phase.OVER:
        if table.game.phase in (Phase.ORDER, Phase.THROW):
            table.throw()
        else:
            table.ok(table.game.seat)
    told = [event for pair in pairwise(states) for event in events(*pair)]
    kinds = Counter(event["event_type"] for event in told)
    assert kinds["throw"] == table.game.throws
    happened = Counter(type(fact) for entry in facts.values() for fact in entry)
    assert kinds["captured"] == happened[Captured] > 0
    assert kinds["home"] == happened[CameHome]
    assert all(event["game"] == 7 and event["v"] == 1 for event in told)


def test_who_captures_comes_home_and_wins_is_told() -> None:
    table = thrown("H,H,H,r7/45,45,7,N/H,3,N,N/-", (1, 6), "findler")
    before = local(table.reply)
    while table.game.phase is not Phase.OVER:
        table.ok(0)
    told = [(event["event_type"], event["seat"]) for event in events(before, local(table.reply))]
    assert told == [("home", 0), ("won", 0)]


def test_what_is_taken_back_is_no_event() -> None:
    table = thrown("30,12,N,N/1,N,N,N/36,N,N,N/-", (6, 2), "findler")
    first = local(table.reply)
    table.ok(0)
    moved = local(table.reply)
    kinds = [event["event_type"] for event in events(first, moved)]
    table.choose(0, "undo")
    table.ok(0)
    undone = local(table.reply)
    assert undone["game"]["position"] == first["game"]["position"], "else nothing was taken back"
    assert (kinds, list(events(moved, undone))) == (["captured"], [])


def test_a_table_that_needs_a_hand_says_so_once() -> None:
    well = {**local(Sitting().reply), "needs": None}
    full = {**well, "needs": "disk"}
    assert list(events(well, full)) == [{"v": 1, "event_type": "needs", "needs": "disk"}]
    assert [*events(full, full), *events(full, well)] == []


def test_another_game_is_no_event() -> None:
    one = local(thrown("30,12,N,N/1,N,N,N/N,N,N,N/-", (6, 2), "findler").reply)
    other = {**one, "game": {**one["game"], "number": "8", "throws": 20}}
    assert list(events(one, other)) == []
