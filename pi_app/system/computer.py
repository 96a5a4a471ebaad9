"""Reads which model of the Pi and which system this computer is."""

import platform
from contextlib import suppress
from pathlib import Path

MODEL = Path("/proc/device-tree/model")
RPI_ISSUE = Path("/etc/rpi-issue")  # of pi-gen: "Raspberry Pi reference 2025-05-13"


def read_model(path: Path = MODEL) -> str:
    """Return the model of the Pi in its own words."""
    try:
        return path.read_text(errors="replace").rstrip("\0")
    except OSError as error:
        return f"not a Pi ({error.strerror})"


def read_system(rpi_issue: Path = RPI_ISSUE) -> str:
    """Return the system's name. Raspberry Pi OS calls itself Debian, but for its first issue."""
    name = "a system without a name"
    with suppress(OSError):
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
        name += ", " + rpi_issue.read_text(errors="replace").partition("\n")[0]
    return name
