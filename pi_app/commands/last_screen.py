"""Shows the screen that a command leaves on the displays."""

from pathlib import Path

from pi_app.commands import UsageError, table_language
from pi_app.config.reading import load_sound_part
from pi_app.devices.buttons import pin_factory
from pi_app.devices.oled import open_device
from pi_app.model.screens import Screen
from pi_app.runtime.outputs import show_and_leave
from pi_app.texts.language import find_language


def leave_on_displays(screen: Screen, config: Path) -> None:
    """Show a screen that stays on the displays, in their languages or the table's.

    Only the display part of the configuration must be right. Only SPI displays need pins. Raises
    UserError if no display shows the screen.
    """
    sound, usual = load_sound_part(config), table_language(config)
    languages = [
        find_language(display.language.replace("-", "_")) if display.language else usual
        for display in sound.displays
    ]
    has_spi = any(display.bus == "spi" for display in sound.displays)
    pins = pin_factory(sound.pin_factory) if has_spi else None
    openers = [open_device(display, pins) for display in sound.displays]
    if trouble := show_and_leave(screen, openers, languages):
        raise UsageError(trouble)
