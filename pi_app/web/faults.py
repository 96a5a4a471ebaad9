"""Logs each fault of the page's server once, in one line."""

import asyncio
import logging
from typing import Any

log = logging.getLogger(__name__)


class FaultLog(logging.Filter):
    """Logs each fault once: those outside of requests, and those that uvicorn logs."""

    def __init__(self) -> None:
        super().__init__()
        self._logged: set[str] = set()

    def of_loop(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Log a fault, as the exception handler of an event loop."""
        self._log(context["message"], context.get("exception"))

    def filter(self, record: logging.LogRecord) -> bool:
        """Let an entry pass that is not a fault; log a fault here instead."""
        if record.levelno < logging.WARNING:
            return True
        self._log(record.getMessage(), record.exc_info[1] if record.exc_info else None)
        return False

    def _log(self, message: str, error: BaseException | None) -> None:
        fault = " ".join((str(error) or repr(error) if error else message).split())
        if fault not in self._logged:
            self._logged.add(fault)
            log.warning("the page goes on after a fault: %s", fault)
