"""What stands on the panel while no table runs: why it can't start, or that it goes off."""

from pi_app.rows.faults import Fault
from pi_app.screens.screen import Page, Text, message
from pi_app.texts.words import FAULTS

SWITCHING_OFF: Page[Text] = Page(
    message("switching-off"),
    (message("do-not-unplug"), message("game-is-kept")),
    hint=message("wait-for-safe"),
)
SAFE_TO_UNPLUG: Page[Text] = Page(
    message("safe-to-unplug"), (message("table-is-off"), message("good-night"))
)

CAN_NOT_START = message("can-not-start")
TRY = message("unplug-and-try")


def wrong_settings(line: str) -> Page[Text]:
    """Return that the configuration has a mistake; line: where the first is, "" if not known."""
    wrong = message("mistake-in-line", line=line) if line else message("mistake")
    return Page(CAN_NOT_START, (wrong,), hint=message("look-check-config"))


def wrong_pins() -> Page[Text]:
    """Return that the pins are taken or named wrongly, which only the builder can mend."""
    return Page(CAN_NOT_START, (message("wrong-pins"),), hint=message("look-journalctl"))


def no_pins() -> Page[Text]:
    """Return that the pins can't be reached now."""
    return Page(CAN_NOT_START, (message("no-pins"),), hint=TRY)


def newer_games(maker: str) -> Page[Text]:
    """Return that the journal was made by a later version, `maker`."""
    return Page(CAN_NOT_START, (message("newer-games"),), hint=message("install", what=maker))


def no_journal(fault: Fault) -> Page[Text]:
    """Return that no game can be kept, and why."""
    return Page(CAN_NOT_START, (message("games-not-kept"), FAULTS[fault]), hint=TRY)
