"""Closes a part so that an error in it never keeps the next part open, or the power on."""

import logging
from collections.abc import Callable

log = logging.getLogger("referee")


def close_anyway(part: str, close: Callable[[], object]) -> None:
    """Close a part; log an error in place of raising it.

    Each library raises its own: lgpio, for one, where a level changes while its pin is let go.
    """
    try:
        close()
    except Exception as error:
        log.error("%s could not be closed properly: %r", part, error)
