"""Switches the computer off: makes a file that a systemd path unit waits for. Needs no root."""

import time
from pathlib import Path

from pi_app.model.errors import UserError

REQUEST = "power-off"  # systemd/referee-poweroff.path names it too
TIMEOUT_S = 5.0  # after this the request is withdrawn
POLL_S = 0.02


class PowerOffError(UserError):
    """The computer can't be switched off from here. The text says what to do."""


def request_power_off(folder: Path, timeout_s: float = TIMEOUT_S) -> None:
    """Request it, and wait until systemd takes the request: the folder is removed when we end.

    folder: our RUNTIME_DIRECTORY. Raises PowerOffError, and withdraws the request, if nobody takes
    it within `timeout_s`.
    """
    request = folder / REQUEST
    try:
        request.touch()
        end = time.monotonic() + timeout_s
        while request.exists() and time.monotonic() < end:
            time.sleep(POLL_S)
        if not request.exists():
            return
        request.unlink(missing_ok=True)
    except OSError as error:
        raise PowerOffError(f"the computer can't be switched off: {error}") from error
    raise PowerOffError(
        f"nobody took {request}: start referee-poweroff.path, or switch off by `sudo poweroff`"
    )
