"""An eye on a service's display: sees each new picture as it comes, without polling."""

from __future__ import annotations

import socket
from pathlib import Path
from types import TracebackType

from tests.end_to_end.service import LONG_S


class Eye:
    """Looks at the panel of the service in a folder, from before it starts."""

    def __init__(self, folder: Path) -> None:
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._line.bind(str(folder / "eye"))
        self._line.settimeout(LONG_S)

    def __enter__(self) -> Eye:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, what: BaseException | None, at: TracebackType | None
    ) -> None:
        self._line.close()

    def blink(self) -> None:
        """Forget what was shown until now."""
        self._line.setblocking(False)
        try:
            while self._line.recv(100):
                pass
        except BlockingIOError:
            self._line.settimeout(LONG_S)

    def see(self) -> None:
        """Wait for the next picture that was not yet seen."""
        self._line.recv(100)
