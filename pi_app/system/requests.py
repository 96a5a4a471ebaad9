"""Asks systemd for what needs root: makes a file that a path unit waits for. Needs no root."""

import logging
import time
from collections.abc import Callable
from pathlib import Path

from pi_app.model.errors import UserError
from pi_app.model.events import Answer, Request

log = logging.getLogger(__name__)

ANSWER = "answer"  # the file in which a unit answers
TAKEN_S = 5.0  # after this a request is withdrawn
ANSWERED_S = 100.0  # a unit has 90 s
POLL_S = 0.02


class RequestError(UserError):
    """Nobody takes a request. The text says what to do."""


def make_request(folder: Path, request: Request, timeout_s: float = TAKEN_S) -> None:
    """Make a request, and wait until systemd takes it.

    folder: our RUNTIME_DIRECTORY, which is removed when we end. Raises RequestError, and withdraws
    the request, if nobody takes it within `timeout_s`.
    """
    file = folder / request
    try:
        file.touch()
        if wait_until(lambda: not file.exists(), timeout_s):
            return
        file.unlink(missing_ok=True)
    except OSError as error:
        raise RequestError(f"{request} can't be requested: {error}") from error
    raise RequestError(f"nobody took {file}: start referee-request@{request}.path")


def ask(
    folder: Path, request: Request, timeout_s: float = TAKEN_S, answered_s: float = ANSWERED_S
) -> Answer:
    """Make a request, and return the answer of the unit that takes it. This may take a minute."""
    file = folder / ANSWER
    try:
        file.unlink(missing_ok=True)
        make_request(folder, request, timeout_s)
        if wait_until(file.exists, answered_s):
            return Answer.parse(file.read_text())
    except RequestError as error:
        log.warning("%s", error)
        return Answer("not-taken")
    except (OSError, ValueError) as error:
        log.warning("the answer to %s can't be read: %r", request, error)
    return Answer("failed")


def wait_until(holds: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not (held := holds()) and time.monotonic() < end:
        time.sleep(POLL_S)
    return held
