"""The page in Chromium: tables to serve it, and somebody who uses it. No test is in here."""

import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import MappingProxyType

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect

from pi_app.config.keys import DEFAULT
from pi_app.config.reading import load_config
from pi_app.model.events import Tick
from pi_app.model.history import Row
from pi_app.record.files import memory_folder
from pi_app.record.journal import FILE
from pi_app.runtime import wiring
from pi_app.simulate.page import PageServer
from pi_app.simulate.page_state import PageState
from pi_app.simulate.player import SimulatedPlayer
from pi_app.simulate.port import listen, url
from pi_app.simulate.simulation import open_simulation
from pi_app.simulate.touches import Touches
from pi_app.system.notify import Sockets
from pi_app.texts.language import ENGLISH, Language
from pi_app.web.answers import Languages
from pi_app.web.spectators import Spectators
from tests.pi_app.model.texts import recorded

# The headless shell is the same engine without a browser's windows, at half the work for each page.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
KEYS = {"A.ok": "q", "A.next": "w", "B.ok": "o", "C.ok": "e", "D.ok": "u", "dome": " "}
TAP_MS = 60
WAIT_MS = 60_000  # for what comes at once, on a machine that is busy
ANYTHING = re.compile(".")
WIDE: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
SIDEWAYS: ViewportSize = {"width": 844, "height": 390}
TWICE: ViewportSize = {"width": 640, "height": 400}  # 1280x800 at 200 %


def looks_like(picture: Path | Image.Image, shown: bytes) -> bool:
    """Whether a screenshot has the same things at the same places; fonts and words may differ."""
    if isinstance(picture, Path):
        with Image.open(picture) as kept:
            return looks_like(kept, shown)
    with Image.open(BytesIO(shown)) as now:
        colours = (image.convert("RGB").resize((64, 40)).tobytes() for image in (picture, now))
        apart = [abs(one - other) for one, other in zip(*colours, strict=True)]
        return picture.size == now.size and sum(apart) / len(apart) < 10  # of 255


class Served:
    """`referee simulate`, running, with its journal."""

    def __init__(self, folder: Path, *options: str) -> None:
        command = [sys.executable, "-m", "pi_app", "simulate", *options, "--port", "0", "--folder"]
        self.folder = folder
        self.process = subprocess.Popen(
            [*command, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().split()[0]

    def rows(self) -> list[Row]:
        """Return the rows that are in the journal now."""
        uri = f"{(self.folder / FILE).as_uri()}?mode=ro"
        connection = sqlite3.connect(uri, uri=True)
        found = connection.execute("SELECT action, position, source FROM rows ORDER BY game, n")
        rows = [recorded(*values) for values in found]
        connection.close()
        return rows

    def end(self, number: int = signal.SIGINT) -> tuple[int, str]:
        """End it by a signal; return its exit status and what it complained of."""
        self.process.send_signal(number)
        _, complaints = self.process.communicate(timeout=WAIT_MS / 1000)
        return self.process.returncode, complaints


class Driven:
    """A table on a virtual clock with its page: each run of a test is the same game.

    others: more languages of the page. displays: how many of them show the same screen.
    """

    def __init__(
        self,
        closing: ExitStack,
        seed: int,
        language: Language = ENGLISH,
        others: Languages = MappingProxyType({}),
        displays: int = 1,
    ) -> None:
        folder = Path(closing.enter_context(TemporaryDirectory(dir=memory_folder())))
        self.played = closing.enter_context(open_simulation(load_config(DEFAULT), seed, folder))
        self.player = SimulatedPlayer(self.played, Random(seed))
        self.touches = Touches(wiring.button_pins(load_config(DEFAULT)).values())
        self.newest = PageState(self.touches, *[self.played.glass] * displays)
        app = self.played.app
        app.outputs = (*app.outputs, lambda reply, now: self.newest.watch(reply))
        app.process(Tick(self.played.clock.now))
        sock = closing.enter_context(listen(0))
        self.server = PageServer(
            self.newest,
            self.touches,
            app.inbox.put,
            app.clock,
            sock,
            folder / FILE,
            {"en": language, **others},
        )
        closing.callback(self.server.close)
        self.url = url(sock)
        self.settle()

    def settle(self) -> None:
        """Let dice come to rest and deaf buttons hear."""
        self.played.wait_until(self.played.clock.now + 2.0)


class Watched:
    """A table on a virtual clock, with the spectators' page in a process of its own."""

    def __init__(self, closing: ExitStack, seed: int) -> None:
        folder = Path(closing.enter_context(TemporaryDirectory(dir=memory_folder())))
        self.played = closing.enter_context(open_simulation(load_config(DEFAULT), seed, folder))
        self.player = SimulatedPlayer(self.played, Random(seed))
        sock = closing.enter_context(listen(0))
        self.url = url(sock)
        self.spectators = Spectators(Sockets(sock), folder / FILE, [])
        closing.callback(self.spectators.close)
        app = self.played.app
        app.outputs = (*app.outputs, lambda reply, now: self.spectators.watch(reply))
        app.process(Tick(self.played.clock.now))

    def settle(self) -> None:
        """Let dice come to rest and deaf buttons hear."""
        self.played.wait_until(self.played.clock.now + 2.0)


class Tab:
    """Somebody at the page, by mouse or by keys."""

    def __init__(
        self,
        browser: Browser,
        table: Served | Driven,
        by_keys: bool = False,
        size: ViewportSize = WIDE,
        forced: bool = False,
    ) -> None:
        self.page: Page = browser.new_page(
            viewport=size,
            forced_colors="active" if forced else "none",
            reduced_motion="reduce" if isinstance(table, Driven) else "no-preference",
        )
        self.trouble: list[str] = []
        self.asked: list[str] = []
        self.page.on("pageerror", lambda error: self.trouble.append(str(error)))
        self.page.on("console", lambda line: self.trouble.append(line.text))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.by_keys = by_keys
        self.page.goto(table.url)
        self.display = self.page.locator("#says")
        expect(self.display).to_have_text(ANYTHING)

    @property
    def says(self) -> str:
        """What the display says."""
        return self.display.text_content() or ""

    def button(self, name: str) -> str:
        """Return the selector of a button."""
        return f'[data-button="{name}"]'

    def press(self, button: str) -> None:
        if self.by_keys:
            self.page.keyboard.press(KEYS[button], delay=TAP_MS)
        else:
            self.page.locator(self.button(button)).click(delay=TAP_MS)

    def press_until_said(self, button: str, words: str) -> None:
        self.press(button)
        self.wait_for(words)

    def hold_until_said(self, button: str, words: str) -> None:
        if self.by_keys:
            self.page.keyboard.down(KEYS[button])
            self.wait_for(words)
            self.page.keyboard.up(KEYS[button])
        else:
            self.page.locator(self.button(button)).hover()
            self.page.mouse.down()
            self.wait_for(words)
            self.page.mouse.up()

    def wait_for(self, words: str) -> None:
        expect(self.display).to_have_text(re.compile(re.escape(words)))

    def says_no_more(self, words: str, ms: int = WAIT_MS) -> bool:
        """Wait until the display says something else; return whether it does."""
        try:
            expect(self.display).not_to_have_text(words, timeout=ms)
        except AssertionError:
            return False
        return True

    def press_until_other(self, button: str) -> None:
        """Press until the display says something else: the dome is deaf for a second at first."""
        before = self.says
        for _ in range(60):
            self.press(button)
            if self.says_no_more(before, ms=500):
                return
        raise AssertionError(f"{button} does nothing: {before}")

    def begin(self) -> None:
        """Let A and C join and begin."""
        self.press_until_said("A.ok", "A joined")
        self.press_until_said("C.ok", "C joined")
        self.hold_until_said("A.ok", "press the dome")

    def pawns(self) -> list[str]:
        return sorted(
            self.page.eval_on_selector_all(
                ".pawn", "all => all.map(one => one.dataset.seat + ' ' + one.dataset.place)"
            )
        )

    def happened(self) -> list[str]:
        """Return the lines of what has happened, the newest first."""
        return self.page.locator("#happened li").all_text_contents()

    def play_until(self, done: Callable[[], bool]) -> None:
        """Do what the display asks for."""
        for _ in range(200):
            said = self.says
            if done():
                return
            if "press the dome" in said:
                self.press_until_other("dome")
            elif said[2:].startswith(("moves", "passes", "oh no!")):
                self.press_until_other(f"{said[0]}.ok")
            else:  # dice that tumble
                assert self.says_no_more(said), said
        raise AssertionError(f"the game does not go on: {self.says}")
