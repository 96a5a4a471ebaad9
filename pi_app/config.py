"""The configuration: one TOML file read into one frozen value. Opens no pin, port or panel."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Display:
    """The panel and how it is connected; see referee.toml for each field."""

    driver: Literal["ssd1306", "ssd1309", "sh1106"] = "ssd1306"
    bus: Literal["i2c", "spi"] = "i2c"
    i2c_port: int = 1
    i2c_address: int = 0x3C
    rotation: Literal[0, 180] = 0
    spi_port: int = 0
    spi_device: int = 0
    spi_mhz: int = 8
    dc: int = 24
    reset: int = 25
