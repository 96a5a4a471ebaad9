"""The screens of a referee that is being installed, can't start or switches off. Reads nothing."""

from pi_app.model.parts import Fault
from pi_app.model.screens import Text, TextScreen, message
from pi_app.texts.words import FAULTS

INSTALLING: TextScreen[Text] = TextScreen(
    message("installing"), (message("do-not-unplug"),), hint=message("restarts-by-itself")
)
INSTALLATION_WAITS: TextScreen[Text] = TextScreen(
    message("installation-waits"),
    (message("card-file-says-why"),),
    hint=message("goes-on-by-itself"),
)
INSTALLATION_STOPPED: TextScreen[Text] = TextScreen(
    message("installation-stopped"), (message("card-file-says-why"),), hint=message("read-card")
)

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
# Pins that are in use or do not exist, so that only the builder can help; pins out of reach now.
WRONG_PINS: TextScreen[Text] = TextScreen(
    CAN_NOT_START, (message("wrong-pins"),), hint=message("look-journalctl")
)
NO_PINS: TextScreen[Text] = TextScreen(CAN_NOT_START, (message("no-pins"),), hint=TRY)


def wrong_settings(line: str) -> TextScreen[Text]:
    """Return the screen for a wrong configuration. line: of the first mistake, "" if not known."""
    wrong = message("mistake-in-line", line=line) if line else message("mistake")
    return TextScreen(CAN_NOT_START, (wrong,), hint=message("look-check-config"))


def newer_games(maker: str) -> TextScreen[Text]:
    """Return the screen for a journal made by a later version, `maker`."""
    return TextScreen(CAN_NOT_START, (message("newer-games"),), hint=message("install", what=maker))


def no_journal(fault: Fault) -> TextScreen[Text]:
    """Return the screen for a journal that can't be opened, with the reason."""
    return TextScreen(CAN_NOT_START, (message("games-not-kept"), FAULTS[fault]), hint=TRY)
