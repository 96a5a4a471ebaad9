"""What stands on the panel while no table runs: why it can't start, or that it goes off."""

from pi_app.table.screen import Page
from pi_app.table.texts.message import Text

SWITCHING_OFF = Page(
    "Switching off", ("Don't unplug yet!", "The game is kept."), hint='wait for "Safe to unplug"'
)
SAFE_TO_UNPLUG = Page("Safe to unplug", ("The table is off.", "Good night!"))

CAN_NOT_START = "Can't start"
TRY = "unplug, plug in, try again"


def wrong_settings(line: str) -> Page[Text]:
    """Return that the configuration has a mistake; line: where the first is, "" if not known."""
    where = f" in line {line}" if line else ""
    return Page(
        CAN_NOT_START, (f"A mistake{where} of the settings.",), hint="look: referee check-config"
    )


def wrong_pins() -> Page[Text]:
    """Return that the pins are taken or named wrongly, which only the builder can mend."""
    lines = ("The buttons' pins are taken or wrong.",)
    return Page(CAN_NOT_START, lines, hint="look: journalctl -u referee")


def no_pins() -> Page[Text]:
    """Return that the pins can't be reached now."""
    return Page(CAN_NOT_START, ("The buttons do not answer.",), hint=TRY)


def newer_games(maker: str) -> Page[Text]:
    """Return that the journal was made by a later version, `maker`."""
    return Page(CAN_NOT_START, ("These games need a newer referee.",), hint=f"install {maker}")


def no_journal(why: str) -> Page[Text]:
    """Return that no game can be kept; why: `disk full`."""
    return Page(CAN_NOT_START, ("Games can't be kept:", why), hint=TRY)
