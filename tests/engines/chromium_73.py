"""Chromium 73, as QtWebEngine has it: opens a page, runs scripts in it, presses, and draws it.

Each line that it reads is a list in JSON, a verb and its arguments. Its answer is a list, too: the
value, and what the page has written to the console since the answer before.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

os.environ |= {
    "QT_QPA_PLATFORM": "offscreen",
    "QT_QUICK_BACKEND": "software",
    "QTWEBENGINE_DISABLE_SANDBOX": "1",
}
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-software-rasterizer")

# Qt wants its settings before.
from PyQt5.QtCore import QEventLoop, QPoint, QSocketNotifier, Qt, QUrl  # noqa: E402
from PyQt5.QtTest import QTest  # noqa: E402
from PyQt5.QtWebEngineWidgets import (  # noqa: E402
    QWebEnginePage,
    QWebEngineProfile,
    QWebEngineView,
)
from PyQt5.QtWidgets import QApplication  # noqa: E402


class Page(QWebEnginePage):  # type: ignore[misc]  # Qt's types are not installed
    """A page that remembers what its scripts write to the console."""

    def __init__(self, profile: QWebEngineProfile, view: QWebEngineView) -> None:
        super().__init__(profile, view)
        self.console: list[str] = []

    def javaScriptConsoleMessage(self, level: int, text: str, line: int, source: str) -> None:  # noqa: N802
        self.console.append(f"{text} ({source}:{line})")


class Window:
    """A window, with a profile that is forgotten."""

    def __init__(self, language: str) -> None:
        self.profile = QWebEngineProfile()
        self.profile.setHttpAcceptLanguage(language)
        self.view = QWebEngineView()
        self.page = Page(self.profile, self.view)
        self.view.setPage(self.page)
        self.view.show()

    def open(self, url: str) -> Any:
        return awaited(self.page.loadFinished.connect, lambda: self.page.load(QUrl(url)))

    def resize(self, width: int, height: int) -> None:
        self.view.resize(width, height)

    def run(self, script: str) -> Any:
        return awaited(lambda done: self.page.runJavaScript(script, done))

    def press(self, x: float, y: float) -> None:
        QTest.mousePress(self.view.focusProxy(), Qt.LeftButton, pos=QPoint(round(x), round(y)))

    def release(self, x: float, y: float) -> None:
        QTest.mouseRelease(self.view.focusProxy(), Qt.LeftButton, pos=QPoint(round(x), round(y)))

    def draw(self, path: str) -> Any:
        return self.view.grab().save(path)


def awaited(*steps: Any) -> Any:
    """What the first step's callback is given after the other steps; Qt's events go on."""
    loop, answers = QEventLoop(), []

    def done(answer: Any) -> None:
        answers.append(answer)
        loop.quit()

    first, *others = steps
    first(done)
    for step in others:
        step()
    if not answers:
        loop.exec_()
    return answers[0]


def main() -> None:
    application = QApplication([sys.argv[0], *ARGUMENTS])
    window = Window(sys.argv[1])

    def answer() -> None:
        line = sys.stdin.readline()
        if not line:
            application.quit()
            return
        verb, *arguments = json.loads(line)
        value = getattr(window, verb)(*arguments)
        print(json.dumps([value, window.page.console]), flush=True)
        window.page.console = []

    notifier = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Read)
    notifier.activated.connect(answer)
    application.exec_()
    notifier.setEnabled(False)
    window.view.close()
    window.view.setPage(None)
    sys.stdout.flush()
    os._exit(0)  # Qt's own end can crash, and nothing is kept


if __name__ == "__main__":
    main()
