"""What goes wrong in the page's server, told once in one line each. Mends nothing."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

log = logging.getLogger(__name__)


class FaultLog(logging.Filter):
    """Tells each fault once: those that no request caused, and those of uvicorn's own log."""

    def __init__(self) -> None:
        super().__init__()
        self._told: set[str] = set()

    def of_loop(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Tell what an event loop's exception handler is told."""
        self._tell(context["message"], context.get("exception"))

    def filter(self, record: logging.LogRecord) -> bool:
        """Let what is no fault through."""
        if record.levelno < logging.WARNING:
            return True
        self._tell(record.getMessage(), record.exc_info[1] if record.exc_info else None)
        return False

    def _tell(self, message: str, error: BaseException | None) -> None:
        what = " ".join((str(error) or repr(error) if error else message).split())
        if what not in self._told:
            self._told.add(what)
            log.warning("the page goes on after a fault: %s", what)
