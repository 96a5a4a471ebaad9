"""A table that was away asks whether to walk the pawns: what its journal knows of its last end."""

import sqlite3
from contextlib import AbstractContextManager, closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from gpiozero import LED

from pi_app.config.keys import DEFAULT
from pi_app.config.reading import load_config
from pi_app.devices.buttons import PinsError, pin_factory
from pi_app.model.events import Button, Down, Tick
from pi_app.model.screens import TextScreen
from pi_app.record.clock import CLOSED, BootTime, closed_text
from pi_app.record.journal import FILE, load
from pi_app.runtime.assembly import Parts, open_table
from pi_app.runtime.dice import KERNEL
from pi_app.runtime.loop import App
from pi_app.simulate.glass import DummyDisplay
from pi_app.simulate.player import SimulatedPlayer
from pi_app.simulate.simulation import open_simulation
from pi_app.table.core.state import ToGame
from pi_app.table.modes.menu.menu import Menu
from pi_app.texts.language import ENGLISH
from pi_app.texts.wording import word_screen
from tests.pi_app.record.journals import commit
from tests.pi_app.sitting import Sitting

CONFIG = load_config(DEFAULT)
NOON = BootTime("b0", 5000.0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder whose journal has a game in which a pawn was moved."""
    players = Sitting(dice=[(5, 1)])
    players.begin(0, 2, ruleset="findler")
    players.ok(0)
    players.throw()
    players.ok(0)
    journal, _ = load(tmp_path / FILE)
    commit(journal, players.rows, 0.0)
    journal.close()
    return tmp_path


def at(folder: Path, moment: BootTime, factory: Any = None) -> AbstractContextManager[App]:
    """Open the table at a moment, stepped by hand."""
    given = Parts(
        factory=factory or pin_factory("mock"),
        devices=(DummyDisplay,),
        folder=folder,
        dice=KERNEL,
        moment=lambda: moment,
        stepped=True,
    )
    return open_table(CONFIG, given)


def after(seconds: float) -> BootTime:
    return NOON._replace(seconds=NOON.seconds + seconds)


def asks(app: App) -> bool:
    screen = word_screen(app.session.mode.show(app.session).screen, ENGLISH)
    return isinstance(screen, TextScreen) and screen.title == "Check the pawns?"


def answer(app: App) -> None:
    app.session = app.session.enter_mode(ToGame())


def kept(folder: Path) -> dict[str, str]:
    journal, _ = load(folder / FILE)
    settings = journal.settings()
    journal.close()
    return settings


def end_well(folder: Path, moment: BootTime = NOON, factory: Any = None) -> None:
    with at(folder, moment, factory) as app:
        answer(app)


def end_badly(folder: Path, moment: BootTime = NOON) -> None:
    with pytest.raises(ZeroDivisionError), at(folder, moment):
        raise ZeroDivisionError


def test_a_game_that_was_never_closed_is_asked_about(folder: Path) -> None:
    with at(folder, NOON) as app:
        assert asks(app)


@pytest.mark.parametrize(
    ("moment", "asked"),
    [(after(59), False), (after(61), True), (BootTime("b1", 5001.0), True)],
)
def test_after_a_good_end_within_a_minute_the_game_goes_on(
    folder: Path, moment: BootTime, asked: bool
) -> None:
    end_well(folder)
    with at(folder, moment) as app:
        assert asks(app) is asked


def test_after_a_bad_end_it_asks_however_soon_it_is_back(folder: Path) -> None:
    end_well(folder)
    end_badly(folder, after(1))
    with at(folder, after(2)) as app:
        assert asks(app)


def test_while_the_table_runs_the_journal_does_not_say_that_it_ended(folder: Path) -> None:
    end_well(folder)
    assert kept(folder) == {CLOSED: closed_text(NOON)}
    end_badly(folder)
    assert kept(folder) == {}


def test_a_question_that_nobody_answered_is_asked_again(folder: Path) -> None:
    with at(folder, NOON) as app:
        assert asks(app)
    with at(folder, after(1)) as app:
        assert asks(app)


def test_a_menu_that_is_open_over_the_question_does_not_answer_it(folder: Path) -> None:
    with at(folder, NOON) as app:
        now = app.session.t
        app.process(Down(Button(0, "next"), now))
        app.process(Tick(now + 1.1))
        assert isinstance(app.session.mode, Menu)
    with at(folder, after(1)) as app:
        assert asks(app)


def test_a_start_that_fails_is_no_end(folder: Path) -> None:
    end_badly(folder)
    factory = pin_factory("mock")
    with LED(CONFIG.lamps[0], pin_factory=factory), pytest.raises(PinsError):
        end_well(folder, after(1), factory)
    with at(folder, after(2)) as app:
        assert asks(app)


@pytest.mark.slow
def test_where_the_journal_takes_nothing_it_is_as_after_a_bad_end(folder: Path) -> None:
    end_well(folder)
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as somebody:
        somebody.execute("BEGIN IMMEDIATE")  # as on a full or locked disk, no commit comes through
        with at(folder, after(1)) as app:
            assert asks(app)
            answer(app)
    assert kept(folder) == {CLOSED: closed_text(NOON)}


def test_on_a_virtual_clock_no_time_passes_between_two_runs(folder: Path) -> None:
    for asked in (True, False):
        with open_simulation(CONFIG, 1, folder) as played:
            assert asks(played.app) is asked
            answer(played.app)


def test_the_player_that_plays_alone_answers_and_plays_on(folder: Path) -> None:
    with open_simulation(CONFIG, 1, folder) as played:
        before = played.app.session.playing.game
        SimulatedPlayer(played, Random(1)).act()
        assert played.app.session.playing.game != before
