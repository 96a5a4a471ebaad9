"""What stands on the panel while no table runs: why it can't start, or that it goes off."""

from pi_app.rows.faults import Fault
from pi_app.screens.screen import Text, TextScreen, message
from pi_app.texts.words import FAULTS

SWITCHING_OFF: TextScreen[Text] = TextScreen(
    message("switching-off"),
    (message("do-not-unplug"), message("game-is-kept")),
    hint=message("wait-for-safe"),
)
SAFE_TO_UNPLUG: TextScreen[Text] = TextScreen(
    message("safe-to-unplug"), (message("table-is-off"), message("good-night"))
)

CAN_NOT_START = message("can-not-start")
TRY = message("unplug-and-try")


def wrong_settings(line: str) -> TextScreen[Text]:
    """Return that the configuration has a mistake; line: where the first is, "" if not known."""
    wrong = message("mistake-in-line", line=line) if line else message("mistake")
    return TextScreen(CAN_NOT_START, (wrong,), hint=message("look-check-config"))


def wrong_pins() -> TextScreen[Text]:
    """Return that the pins are taken or named wrongly, which only the builder can mend."""
    return TextScreen(CAN_NOT_START, (message("wrong-pins"),), hint=message("look-journalctl"))


def no_pins() -> TextScreen[Text]:
    """Return that the pins can't be reached now."""
    return TextScreen(CAN_NOT_START, (message("no-pins"),), hint=TRY)


def newer_games(maker: str) -> TextScreen[Text]:
    """Return that the journal was made by a later version, `maker`."""
    return TextScreen(CAN_NOT_START, (message("newer-games"),), hint=message("install", what=maker))


def no_journal(fault: Fault) -> TextScreen[Text]:
    """Return that no game can be kept, and why."""
    return TextScreen(CAN_NOT_START, (message("games-not-kept"), FAULTS[fault]), hint=TRY)
