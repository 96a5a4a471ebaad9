"""Home Assistant's own code takes our device. `make soak ONLY=home-assistant` runs this.

HOME_ASSISTANT is the Python of an environment that has it.
"""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from pi_app.mqtt.bridge import Table
from pi_app.mqtt.messages import state_payload
from tests.pi_app.mqtt.test_bridge import GAME, STATE

JUDGE = Path(__file__).with_name("judge.py")
DEVICE = json.loads(Table("pachisi", "kitchen").device().payload)


def judged(*messages: Any, states: list[Any] | None = None) -> list[Any]:
    """Return what Home Assistant makes of messages and states."""
    texts = [one if isinstance(one, str) else json.dumps(one) for one in messages]
    done = subprocess.run(
        [os.environ["HOME_ASSISTANT"], str(JUDGE)],
        input=json.dumps({"messages": texts, "states": states or []}),
        capture_output=True,
        text=True,
        check=True,
    )
    return list(json.loads(done.stdout))


def component(name: str, **changes: Any) -> dict[str, Any]:
    """Return our device with something of a component changed; None removes it."""
    changed = {**DEVICE["components"][name], **changes}
    kept = {key: value for key, value in changed.items() if value is not None}
    return {**DEVICE, "components": {**DEVICE["components"], name: kept}}


def test_home_assistant_takes_every_key_of_every_component() -> None:
    [device] = judged(DEVICE)
    assert device.keys() == DEVICE["components"].keys()
    assert {name: one["dropped"] for name, one in device.items() if one["dropped"]} == {}


def test_our_templates_make_a_state_of_each_moment_of_a_table() -> None:
    playing = state_payload(STATE)
    over = state_payload(
        {**STATE, "needs": "disk", "game": {**GAME, "phase": "over", "seats": [3]}}
    )
    joining = state_payload({**STATE, "game": None})
    [device] = judged(DEVICE, states=[playing, over, joining])
    assert {name: one["states"] for name, one in device.items()} == {
        "turn": ["D", "nobody", "nobody"],
        "doing": ["D is to move"] * 3,
        "throw": ["5 4", "5 4", ""],
        "edition": ["royal-2023", "royal-2023", ""],
        "seat_a": ["61", "0", "0"],
        "seat_b": ["40", "0", "0"],
        "seat_c": ["48", "0", "0"],
        "seat_d": ["33", "33", "0"],
        "running": ["ON", "OFF", "OFF"],
        "fault": ["OFF", "ON", "OFF"],
        "event": [],
    }
    assert {"D", "nobody"} <= set(device["turn"]["options"])


def test_home_assistant_refuses_a_bad_message() -> None:
    without_origin = {key: value for key, value in DEVICE.items() if key != "origin"}
    assert (
        judged(
            without_origin,
            "{",
            component("fault", device_class="trouble"),
            component("turn", unique_id=None),
            component("event", event_types=None),
        )
        == [None] * 5
    )


def test_a_key_that_home_assistant_does_not_know_is_noticed() -> None:
    [device] = judged(component("turn", colour="red"))
    assert device["turn"]["dropped"] == ["colour"]
