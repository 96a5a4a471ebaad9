"""A panel on I2C for a real process: stands in for smbus2 on its path, and is seen from outside.

In the folder that METAL names, `panel` holds the pixels that the panel shows, nothing while it is
dark, and the socket `eye` is sent a datagram whenever that changes; `stuck` makes the bus hang for
as long as it is there, `absent` makes the panel so. These are the names for a panel at 0x3C; for
one at 0x3D they are `panel-3d` and so on.
"""

import errno
import os
import socket
import time
from contextlib import suppress
from pathlib import Path

FOLDER = Path(os.environ["METAL"])
DISPLAY_OFF, DISPLAY_ON = 0xAE, 0xAF
PICTURE = 1024
FIRST = 0x3C


class i2c_msg:  # noqa: N801
    """A message as the library makes it: here just its bytes."""

    @staticmethod
    def write(address: int, data: list[int]) -> tuple[int, list[int]]:
        return address, data


class SMBus:
    """The bus of one panel."""

    def __init__(self, port: int) -> None:
        self.pixels = bytes(PICTURE)
        self.lit = False

    def write_i2c_block_data(self, address: int, mode: int, data: list[int]) -> None:
        self._wait(address)
        if data in ([DISPLAY_OFF], [DISPLAY_ON]):
            self.lit = data == [DISPLAY_ON]
            self._shine(address)

    def i2c_rdwr(self, message: tuple[int, list[int]]) -> None:
        address, data = message
        self._wait(address)
        self.pixels = (self.pixels + bytes(data[1:]))[-PICTURE:]
        self._shine(address)

    def close(self) -> None:
        pass

    def _wait(self, address: int) -> None:
        if _file("absent", address).exists():
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        while _file("stuck", address).exists():
            time.sleep(0.01)

    def _shine(self, address: int) -> None:
        panel = _file("panel", address)
        new = panel.with_suffix(".new")
        new.write_bytes(self.pixels if self.lit else b"")
        new.rename(panel)
        _tell(_file("eye", address))


def _tell(eye: Path) -> None:
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.setblocking(False)  # one that does not look holds nobody up
        line.sendto(b"changed", str(eye))


def _file(name: str, address: int) -> Path:
    return FOLDER / (name if address == FIRST else f"{name}-{address:02x}")
