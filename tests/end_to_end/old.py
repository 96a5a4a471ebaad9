"""Somebody with an old browser: drives Chromium 73. No test is in here."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from tests.asked import can_not_run
from tests.core import ROOT
from tests.end_to_end.page import WAIT_MS

LOOK_S = 0.02
CENTRE = """(() => {
    const { left, top, width, height } = document.querySelector(%s).getBoundingClientRect();
    return [left + width / 2, top + height / 2]; })()"""


class OldBrowser:
    """A window of Chromium 73."""

    def __init__(self, language: str = "en") -> None:
        if find_spec("PyQt5") is None:
            can_not_run("no old browser: make .venv/checks installs it, on x86-64 alone")
        self.console: list[str] = []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.engines.chromium_73", language],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )

    def ask(self, *request: Any) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{json.dumps(request)}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            can_not_run(f"the old browser has ended: {self.process.communicate()[1]}")
        value, console = json.loads(line)
        self.console += console
        return value

    def open(self, url: str, width: int = 1280, height: int = 800) -> None:
        self.ask("resize", width, height)
        assert self.ask("open", url), url

    def run(self, script: str) -> Any:
        return self.ask("run", script)

    def wait_for(self, script: str, wanted: Any) -> None:
        """Wait until a script's value is the one that is wanted."""
        until = monotonic() + WAIT_MS / 1000
        while (value := self.run(script)) != wanted:
            assert monotonic() < until, (script, value, self.console)
            sleep(LOOK_S)

    def press(self, selector: str) -> None:
        self.ask("press", *self.run(CENTRE % json.dumps(selector)))

    def release(self, selector: str) -> None:
        self.ask("release", *self.run(CENTRE % json.dumps(selector)))

    def draw(self, path: Path) -> None:
        assert self.ask("draw", str(path))

    def close(self) -> None:
        self.process.communicate()
