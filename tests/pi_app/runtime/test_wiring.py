"""What a configuration means to the table: its buttons, their contacts, what it has."""

from pi_app.config.keys import PanelPins
from pi_app.config.reading import parse_config
from pi_app.model.events import Button, Setup
from pi_app.runtime import wiring

TWO_PANELS = "panel.A.ok = 17\npanel.C.ok = 16\n"


def test_a_table_of_one_button_panels() -> None:
    config = parse_config(
        """
        [table]
        ruleset = "findler"
        [panel.A]
        ok = 17
        [panel.C]
        ok = 16
        next = 20
        lamp = 21
        [pins]
        dome = 23
        power = 4
        press_dead_ms = 30
        """
    )
    assert config.panels == (PanelPins(0, 17), PanelPins(2, 16, 20, 21))
    assert wiring.table_setup(config) == Setup(
        panels=(0, 2), next_buttons=(2,), ruleset="findler", lamps=(2,), buzzer=False
    )
    assert config.lamps == (None, None, 21, None)
    assert wiring.button_pins(config) == {
        17: Button(0, "ok"),
        16: Button(2, "ok"),
        20: Button(2, "next"),
        23: Button(None, "dome"),
        4: Button(None, "power"),
    }
    contacts = wiring.initial_contacts(config, {17: 1, 16: 1, 20: 0, 23: 1, 4: 1})
    assert contacts[20].level == 0
    assert contacts[17].button == Button(0, "ok")
    assert (contacts[17].press_dead_s, contacts[17].release_dead_s) == (0.03, 0.02)


def test_a_chamber_on_usb_is_no_dome_on_a_pin() -> None:
    config = parse_config(TWO_PANELS + 'chamber.port = "/dev/serial/by-id/usb-Pico-if00"')
    assert (wiring.table_setup(config).dome, wiring.table_setup(config).rolls) == (False, False)
    assert wiring.table_setup(parse_config(TWO_PANELS + 'chamber.dice_from = "chamber"')).rolls
