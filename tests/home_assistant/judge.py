"""Judges a discovery message by Home Assistant's own code. Runs in its own environment.

It reads {"messages": [text, ...], "states": [object, ...]} from standard input. For each message it
prints what Home Assistant takes of each component, and what our templates make of each state; null
if it refuses the message or a component.
"""

import asyncio
import json
import logging
import sys
import tempfile
from importlib import import_module
from typing import Any

from homeassistant.components.mqtt import discovery
from homeassistant.core import HomeAssistant
from homeassistant.helpers import frame
from homeassistant.helpers.template import Template


def judge(hass: HomeAssistant, message: str, states: list[Any]) -> dict[str, Any] | None:
    """Return the components of a message, each with its keys and states; None if refused."""
    device = discovery._parse_device_payload(hass, message, "pachisi_kitchen", None)
    if not device:
        return None
    judged = {}
    for name, component in device["components"].items():
        discovery._merge_common_device_options(component, device)
        common = {"device": device["device"], "origin": device["origin"]}
        platform = import_module(f"homeassistant.components.mqtt.{component.pop('platform')}")
        try:
            taken = platform.DISCOVERY_SCHEMA({**component, **common})
        except platform.vol.Invalid:
            return None
        template = taken.get("value_template")
        judged[name] = {
            "dropped": sorted(component.keys() - {str(key) for key in taken}),
            "options": taken.get("options"),
            "states": [rendered(template, state) for state in states] if template else [],
        }
    return judged


def rendered(template: Template, state: Any) -> Any:
    """Return what a sensor shows of a state."""
    payload = json.dumps(state)
    return template.async_render_with_possible_json_value(payload, "template failed")


async def main() -> None:
    """Judge what standard input has."""
    logging.basicConfig(stream=sys.stderr)
    asked = json.load(sys.stdin)
    with tempfile.TemporaryDirectory() as folder:
        hass = HomeAssistant(folder)
        frame.async_setup(hass)
        json.dump([judge(hass, one, asked["states"]) for one in asked["messages"]], sys.stdout)


asyncio.run(main())
