"""Turns a configuration into the table's buttons, contacts and setup. It opens no device."""

from collections.abc import Mapping

from pi_app.config.keys import Config
from pi_app.model.events import Button, Setup
from pi_app.runtime.debounce import Contact


def button_pins(config: Config) -> dict[int, Button]:
    """Return the button at each pin, by BCM number."""
    buttons: dict[int | None, Button] = {
        panel.ok: Button(panel.seat, "ok") for panel in config.panels
    }
    buttons |= {panel.next: Button(panel.seat, "next") for panel in config.panels}
    buttons |= {config.dome: Button(None, "dome"), config.power: Button(None, "power")}
    return {pin: button for pin, button in buttons.items() if pin is not None}


def initial_contacts(config: Config, levels: Mapping[int, int]) -> dict[int, Contact]:
    """Return the debouncer's contacts at the start. levels: each pin's level, by BCM number."""
    press_dead_s, release_dead_s = config.press_dead_ms / 1000, config.release_dead_ms / 1000
    return {
        pin: Contact(button, press_dead_s, release_dead_s, level=levels[pin])
        for pin, button in button_pins(config).items()
    }


def table_setup(config: Config) -> Setup:
    """Return the facts about the table's build that the session needs."""
    return Setup(
        panels=tuple(panel.seat for panel in config.panels),
        next_buttons=tuple(panel.seat for panel in config.panels if panel.next is not None),
        dome=config.dome is not None,
        rolls=config.chamber_dice_from == "chamber",
        voice=bool(config.voice),
        ruleset=config.ruleset,
        lamps=tuple(panel.seat for panel in config.panels if panel.lamp is not None),
        buzzer=config.buzzer is not None,
        power=config.power is not None,
        chances=config.page_chances,
    )
