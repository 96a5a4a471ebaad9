"""A panel on I2C for a real process: stands in for smbus2 on its path, and is seen from outside.

In the folder that METAL names, `panel` holds the pixels that the panel shows, nothing while it is
dark; `stuck` makes the bus hang for as long as it is there, `absent` makes the panel so.
"""

import errno
import os
import time
from pathlib import Path

FOLDER = Path(os.environ["METAL"])
DISPLAY_OFF, DISPLAY_ON = 0xAE, 0xAF
PICTURE = 1024


class i2c_msg:  # noqa: N801
    """A message as the library makes it: here just its bytes."""

    @staticmethod
    def write(address: int, data: list[int]) -> list[int]:
        return data


class SMBus:
    """The bus of one panel."""

    def __init__(self, port: int) -> None:
        self.pixels = bytes(PICTURE)
        self.lit = False

    def write_i2c_block_data(self, address: int, mode: int, data: list[int]) -> None:
        self._wait()
        if data in ([DISPLAY_OFF], [DISPLAY_ON]):
            self.lit = data == [DISPLAY_ON]
            self._shine()

    def i2c_rdwr(self, message: list[int]) -> None:
        self._wait()
        self.pixels = (self.pixels + bytes(message[1:]))[-PICTURE:]
        self._shine()

    def close(self) -> None:
        pass

    def _wait(self) -> None:
        if (FOLDER / "absent").exists():
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        while (FOLDER / "stuck").exists():
            time.sleep(0.01)

    def _shine(self) -> None:
        new = FOLDER / "panel.new"
        new.write_bytes(self.pixels if self.lit else b"")
        new.rename(FOLDER / "panel")
