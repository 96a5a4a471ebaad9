"""Asks systemd to switch the computer off, by a file that a path unit waits for. No root needed."""

from __future__ import annotations

import time
from pathlib import Path

from pi_app.errors import UserError

REQUEST = "power-off"  # systemd/referee-poweroff.path names it, too
TIMEOUT_S = 5.0  # a request that nobody took for so long is none any more
POLL_S = 0.02


class PowerOffError(UserError):
    """The computer can't be switched off from here: one sentence with what to do."""


def request_power_off(folder: Path, taken_s: float = TIMEOUT_S) -> None:
    """Ask, and stay until the request is taken, for our folder goes when we do.

    folder: our RUNTIME_DIRECTORY. PowerOffError where nobody takes it; it is then taken back.
    """
    request = folder / REQUEST
    try:
        request.touch()
        end = time.monotonic() + taken_s
        while request.exists() and time.monotonic() < end:
            time.sleep(POLL_S)
        if not request.exists():
            return
        request.unlink(missing_ok=True)
    except OSError as error:
        raise PowerOffError(f"switching off can't be asked for: {error}") from error
    raise PowerOffError(
        f"nobody took {request}: start referee-poweroff.path, or switch off by `sudo poweroff`"
    )
