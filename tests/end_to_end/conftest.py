"""What the tests of the page share: a browser, and tables that are served."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from shutil import copytree

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from pi_app.config.keys import DEFAULT
from pi_app.config.reading import load_config
from pi_app.record.clock import CLOSED, boot_time, closed_text
from pi_app.record.journal import FILE, load
from pi_app.simulate.player import SimulatedPlayer
from pi_app.simulate.simulation import open_simulation
from tests.asked import can_not_run
from tests.end_to_end.old import OldBrowser
from tests.end_to_end.page import ARGUMENTS, CHROMIUM, WAIT_MS, Driven, Served
from tests.pi_app.record.journals import commit


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """The browser with no page open; those that a test opens are closed, or they go on drawing."""
    yield chromium
    for context in chromium.contexts:
        context.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        can_not_run(
            "no chromium on this machine, so the page was not tested: "
            "install chromium-headless-shell"
        )
    expect.set_options(timeout=WAIT_MS)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield launched
        launched.close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    table = Served(tmp_path)
    yield table
    if table.process.poll() is None:
        assert table.end() == (0, "")


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A table that is just switched on, for tests in which nobody presses anything."""
    table = Served(tmp_path_factory.mktemp("seen"))
    yield table
    assert table.rows() == []
    assert table.end() == (0, "")


@pytest.fixture(scope="session")
def played_on(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a game in progress, a step of it offered."""
    folder = tmp_path_factory.mktemp("played_on")
    with open_simulation(load_config(DEFAULT), 2, folder, lambda row: None) as played:
        player = SimulatedPlayer(played, Random(2))
        player.begin((0, 2))
        while player.game.throws < 40 or not player.game.steps:
            player.act()
    return folder


@pytest.fixture
def midgame(tmp_path: Path, played_on: Path) -> Iterator[Served]:
    """A table that is switched on again, with a game in progress, a step of it offered."""
    copytree(played_on, tmp_path, dirs_exist_ok=True)
    journal, _ = load(tmp_path / FILE)
    commit(journal, (), 0.0, puts=((CLOSED, closed_text(boot_time())),))  # else it asks for a walk
    journal.close()
    table = Served(tmp_path)
    yield table
    if table.process.poll() is None:
        assert table.end() == (0, "")


@pytest.fixture
def driven() -> Iterator[Driven]:
    with ExitStack() as closing:
        yield Driven(closing, seed=2)


@pytest.fixture(scope="session")
def window() -> Iterator[OldBrowser]:
    window = OldBrowser()
    yield window
    window.close()


@pytest.fixture
def old(window: OldBrowser) -> Iterator[OldBrowser]:
    """A browser whose pages have written nothing to the console."""
    window.console.clear()
    yield window
    window.open("about:blank")
    assert window.console == []
