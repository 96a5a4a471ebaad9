"""A bot: `referee run` in a process of its own, on metal that is faked, with a unit around it."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TextIO

from PIL import Image

from pi_app.config.keys import DEFAULT
from pi_app.config.reading import load_config
from pi_app.display.view import draw
from pi_app.model.screens import Screen
from pi_app.runtime import wiring
from pi_app.simulate.hands import button_name

ROOT = Path(__file__).parents[2]
METAL = Path(__file__).parent / "metal"
PINS = {
    button_name(button): pin for pin, button in wiring.button_pins(load_config(DEFAULT)).items()
}
HANDS_OVER = """
import os, sys
from fcntl import F_DUPFD, fcntl
files = [fcntl(int(file), F_DUPFD, 100) for file in sys.argv[2].split(",")]
for n, file in enumerate(files, 3):
    os.dup2(file, n)
os.closerange(3 + len(files), 1000)
passed = {"LISTEN_FDS": str(len(files)), "LISTEN_FDNAMES": sys.argv[1]}
os.environ.update(LISTEN_PID=str(os.getpid()), **passed)
os.execv(sys.argv[3], sys.argv[3:])
"""
LONG_S = 60.0  # for what comes at once, on a machine that is busy


Files = Mapping[str, socket.socket | TextIO]
NO_FILES: Files = MappingProxyType({})


def hands_over(files: Files) -> tuple[str, ...]:
    """Return what runs a command as systemd does that has socket units (sd_listen_fds(3)).

    files: by their names.
    """
    numbers = ",".join(str(file.fileno()) for file in files.values())
    return (sys.executable, "-c", HANDS_OVER, ":".join(files), numbers) if files else ()


class Service:
    """One start of the table. The folder is journal, metal and runtime directory in one.

    files: the sockets that are handed over, by name. names: by which the page may be asked for, as
    TOML. runner: the command that runs the table's own, which it is given as arguments.
    log: the file that its log goes to.
    """

    def __init__(
        self,
        folder: Path,
        settings: str = "",
        watchdog_s: float = 0.0,
        files: Files = NO_FILES,
        names: str = "[]",
        runner: tuple[str, ...] = (),
        log: int = subprocess.PIPE,
        language: str = "en",  # named, so nothing is asked first
    ) -> None:
        self.folder = folder
        self.config = folder / "referee.toml"
        shipped = DEFAULT.read_text().replace("/var/lib/pachisi-referee", str(folder / "games"))
        shipped = shipped.replace("names = []", f"names = {names}")
        shipped = shipped.replace('language = ""', f'language = "{language}"')
        self.config.write_text(shipped + settings)
        self.unit = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.unit.bind(str(folder / "unit"))
        self.unit.settimeout(LONG_S)
        self.run = folder / "run"
        self.run.mkdir()
        self.told: list[str] = []
        command = (sys.executable, "-m", "pi_app", "run", "--config", str(self.config))
        self.process = subprocess.Popen(
            [*runner, *hands_over(files), *command],
            pass_fds=[file.fileno() for file in files.values()],
            env={
                **os.environ,
                "PYTHONPATH": f"{METAL}:{ROOT}",
                "METAL": str(folder),
                "NOTIFY_SOCKET": str(folder / "unit"),
                "WATCHDOG_USEC": str(int(1e6 * watchdog_s)),
                "RUNTIME_DIRECTORY": str(self.run),
                "LG_WD": str(self.run),
            },
            stderr=log,
            text=True,
        )

    def expect(self, word: str) -> str:
        """Wait until systemd is told this."""
        while not (said := self.unit.recv(1000).decode()).startswith(word):
            self.told.append(said)
        self.told.append(said)
        return said

    def words_until_quiet(self, seconds: float) -> int:
        """Return how much systemd is told before it is told nothing for so long."""
        self.unit.settimeout(seconds)
        for words in range(1000):
            try:
                self.unit.recv(1000)
            except TimeoutError:
                return words
        raise AssertionError("it is never quiet")

    def metal(self, word: str) -> None:
        """Tell the pins' stand-in something."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.sendto(word.encode(), str(self.folder / "pins"))

    def down(self, button: str) -> None:
        self.metal(f"{PINS[button]} 0")

    def up(self, button: str) -> None:
        self.metal(f"{PINS[button]} 1")

    def end(self, number: int = signal.SIGTERM) -> int:
        """Send a signal; return the exit status."""
        self.process.send_signal(number)
        return self.status()

    def status(self) -> int:
        """Wait for the end; return the exit status."""
        return self.process.wait(LONG_S)

    def complaint(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.read()

    def children(self) -> list[int]:
        """Return the processes that it has started and that are there."""
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return [int(child) for task in tasks for child in task.read_text().split()]

    def shows(self, screen: Screen) -> bool:
        """Whether the panel shows this screen now."""
        return (
            self.pixels() is not None
            and on_glass(self.pixels() or b"").tobytes() == draw(screen).tobytes()
        )

    def pixels(self) -> bytes | None:
        """Return what the panel shows: None where none was ever lit, nothing while it is dark."""
        panel = self.folder / "panel"
        return panel.read_bytes() if panel.exists() else None

    def wait_for_request(self) -> Path:
        end = time.monotonic() + LONG_S
        request = self.run / "power-off"
        while not request.exists():
            assert time.monotonic() < end, "no request to switch off came"
            time.sleep(0.01)
        return request

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.process.stderr is not None:
            self.process.stderr.close()
        self.unit.close()


def on_glass(pixels: bytes) -> Image.Image:
    """The picture in the controller's memory: eight pages of 128 columns of eight bits."""
    image = Image.new("1", (128, 64))
    for place, byte in enumerate(pixels):
        page, column = divmod(place, 128)
        for bit in range(8):
            image.putpixel((column, page * 8 + bit), byte >> bit & 1)
    return image
