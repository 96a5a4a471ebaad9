"""Closes parts one by one: an error in one must not keep the next open, or the power on."""

import logging
from collections.abc import Callable

log = logging.getLogger("referee")


def close_anyway(part: str, close: Callable[[], object]) -> None:
    """Call `close` and log any error. `part` names what is closed, for the log.

    lgpio, for example, raises an error if a level changes while its pin is released.
    """
    try:
        close()
    except Exception as error:
        log.error("%s could not be closed properly: %r", part, error)
