"""STATE.md as another program reads it: every state has the keys and types in its tables."""

import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain, pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pi_app.model.events import Setup
from pi_app.settings.settings import Settings
from pi_app.table.session import Reply
from pi_app.web import __path__ as web
from rules.game import Phase
from tests.pi_app.sitting import Sitting, enter_rows, thrown
from tests.pi_app.web.tabs import tab_state

DOCUMENT = Path(web[0], "STATE.md")
ROW = re.compile(r"\| `(\w+)` \| (.*?) \| .+ \|")
SIMPLE = {"integer": (int,), "number": (int, float), "text": (str,), "boolean": (bool,)}


@cache
def tables() -> dict[str, dict[str, str]]:
    """Return the type of each key, by the heading of its table."""
    _, *parts = re.split(r"^## ", DOCUMENT.read_text("utf-8"), flags=re.MULTILINE)
    found = {part.split("\n")[0]: dict(ROW.findall(part)) for part in parts}
    return {heading: keys for heading, keys in found.items() if keys}


def faults(value: Any, kind: str, at: str = "") -> Iterator[str]:
    """Yield what of a value is not of a type of the document, each with its place."""
    kinds = re.split(r" or (?![^\[]*\])", kind)
    if len(kinds) > 1:
        tries = [list(faults(value, one, at)) for one in kinds]
        yield from [] if [] in tries else tries[0]
    elif kind.startswith("["):
        if not isinstance(value, list):
            yield f"{at} is no list: {value!r}"
            return
        yield from chain(*(faults(one, kind[1:-1], f"{at}[{n}]") for n, one in enumerate(value)))
    elif kind in tables():
        if not isinstance(value, dict):
            yield f"{at} is no object: {value!r}"
            return
        rare = {key for key, one in tables()[kind].items() if one.endswith(" or missing")}
        differs = tables()[kind].keys() ^ value.keys()
        yield from (f"{at}: {key}" for key in sorted(differs - rare))
        shared = tables()[kind].keys() & value.keys()
        yield from chain(
            *(faults(value[key], tables()[kind][key], f"{at}.{key}") for key in shared)
        )
    elif kind == "missing":
        yield f"{at} is there"
    elif kind == "null":
        if value is not None:
            yield f"{at} is not null: {value!r}"
    elif type(value) not in SIMPLE[kind]:
        yield f"{at} is no {kind}: {value!r}"


def state_of(reply: Reply) -> dict[str, Any]:
    """Return a reply's state, whose every key is as the document says."""
    state: dict[str, Any] = json.loads(json.dumps(tab_state(reply)))
    assert list(faults(state, "state")) == []
    return state


def test_a_key_that_is_missing_new_or_of_another_type_is_found() -> None:
    state = state_of(Sitting().reply)
    wrong = {**state, "who": ["A"], "chances": [0.5], "new": 1}
    del wrong["doing"]
    assert sorted(faults(wrong, "state")) == [
        ".chances[0] is no integer: 0.5",
        ".who[0] is no integer: 'A'",
        ": doing",
        ": new",
    ]


@pytest.mark.parametrize("edition", ["royal-2023", "tr-1938", "pachisi-modern"])
def test_each_state_of_a_game_has_the_keys_of_the_document(edition: str) -> None:
    states: list[dict[str, Any]] = []
    dice, faces = Random(3), 7 if edition == "pachisi-modern" else 6
    table = Sitting(
        Setup(chances=True),
        dice=iter(lambda: (dice.randint(7 - faces, 6), dice.randint(1, 6)), ()),
        watch=lambda reply: states.append(state_of(reply)),
        settings=Settings({"player.A": "LUC red", "box.C": "club"}),
    )
    table.begin(0, 1, 2, 3, ruleset=edition)
    while table.game.throws < 12 and table.game.phase is not Phase.OVER:
        if table.game.phase in (Phase.ORDER, Phase.THROW):
            table.throw()
        else:
            table.ok(table.game.seat)
            table.wait(3.0)  # for a bot
    games = [state["game"] for state in states if state["game"]]
    rows = [game["row"] for game in games]
    assert (rows, rows[-1]) == (sorted(rows), len(table.rows) - 1)
    assert {game["edition"] for game in games} == {edition}
    assert {game["phase"] for game in games} >= {"order", "throw", "move"}
    for before, now in pairwise(states):
        tumble = [die["tumbling"] for die in now["dice"]]
        if any(tumble) and not any(die["tumbling"] for die in before["dice"]):
            differs = {key for key in now if now[key] != before[key]}
            assert differs <= {"dice", "thrown", "doing"}  # and the dice show nothing
            assert {die.get("face", 1) + die.get("up", 0) for die in now["dice"]} == {1}


def test_what_is_used_of_a_throw_has_nothing_left() -> None:
    table = thrown("30,12,N,N/1,N,N,N/N,N,N,N/-", (6, 2), "findler")
    table.ok(0)
    game = state_of(table.reply)["game"]
    assert game["increments"] == [
        {"spaces": 6, "left": 0},
        {"spaces": 2, "left": 2},
        {"spaces": 20, "left": 20},
    ]
    assert (game["throw"], game["seat"], game["to_go"][3]) == ([6, 2], 0, None)


def enter(table: Sitting, *entries: str) -> dict[str, Any]:
    """Return the state after entries that no press has made."""
    enter_rows(table, *entries)
    return state_of(table.reply)


def test_a_last_round_is_told_until_it_is_over_then_who_share_a_place() -> None:
    table = Sitting()
    table.resume("N,N,N,N/-/N,N,N,N/-", 0, "findler")
    assert not {"last_turn", "played_on", "ties"} & state_of(table.reply)["game"].keys()
    state = enter(table, "last-turn C")
    assert state["game"]["last_turn"] == 2
    assert state["rules"] == "Findler's course rules, turn 1, last round: C is last"
    state = enter(table, *2 * ("throw 2 1", "stop"))
    assert (state["game"]["ties"], state["game"]["winners"], state["who"]) == (
        [[0, 2]],
        [0, 2],
        [0, 2],
    )
    assert [one["far"][:3] for one in state["standings"]] == ["1st", "1st"]
    assert "last round" not in state["rules"]


def test_playing_on_is_told() -> None:
    table = Sitting()
    table.resume("H,H,H,r7/N,N,N,N/N,N,N,N/-", 0, "findler")
    state = enter(table, "throw 1 2", "move r7-H(1)", "play-on")
    assert (state["game"]["played_on"], state["game"]["winners"], state["who"]) == (
        True,
        [0],
        [2],
    )
