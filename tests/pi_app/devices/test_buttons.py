"""Buttons: pins of gpiozero's mock factory pressed like fingers would."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from pi_app.devices.buttons import Buttons, PinsError, PinsUnavailable, lgpio_thread, pin_factory
from pi_app.model.events import Edge
from tests.pi_app.devices.busy_pin import fail_once

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def no_folder_for_lgpio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LG_WD", str(tmp_path))


@pytest.fixture
def factory() -> Iterator[Any]:
    made = pin_factory("mock")
    yield made
    made.reset()


@pytest.fixture
def edges() -> list[Edge]:
    return []


def buttons_on(factory: Any, edges: list[Edge], *pins: int) -> Buttons:
    ticks = iter(range(100))
    return Buttons(pins, edges.append, factory, clock=lambda: float(next(ticks)))


def test_press_and_release_are_two_edges_stamped_by_the_clock(
    factory: Any, edges: list[Edge]
) -> None:
    buttons = buttons_on(factory, edges, 17, 27)
    factory.pin(27).drive_low()
    factory.pin(27).drive_high()
    factory.pin(17).drive_low()
    assert edges == [Edge(27, 0, 0.0), Edge(27, 1, 1.0), Edge(17, 0, 2.0)]
    buttons.close()


def test_an_edge_that_is_reported_late_has_the_time_at_which_the_level_changed(
    factory: Any, edges: list[Edge]
) -> None:
    factory.ticks = lambda: 8.0
    buttons = Buttons([17], edges.append, factory, clock=lambda: 100.0)
    factory.pin(17).when_changed(7.5, 0)
    factory.pin(17).when_changed(7.75, 1)
    assert edges == [Edge(17, 0, 99.5), Edge(17, 1, 99.75)]
    buttons.close()


def test_an_edge_from_the_future_has_the_present_time(factory: Any, edges: list[Edge]) -> None:
    buttons = Buttons([17], edges.append, factory, clock=lambda: 100.0)
    factory.pin(17).when_changed(factory.ticks() + 1e9, 0)
    assert edges == [Edge(17, 0, 100.0)]
    buttons.close()


def test_bounce_is_handed_on_raw(factory: Any, edges: list[Edge]) -> None:
    buttons = buttons_on(factory, edges, 17)
    for _ in range(3):
        factory.pin(17).drive_low()
        factory.pin(17).drive_high()
    assert [edge.level for edge in edges] == [0, 1, 0, 1, 0, 1]
    buttons.close()


def test_a_mock_pin_that_is_pressed_for_days_remembers_only_the_latest_states(factory: Any) -> None:
    pin = factory.pin(17)
    for _ in range(1000):
        pin.drive_low()
        pin.drive_high()
    assert len(pin.states) == 100
    assert pin.states[-1].state


def test_each_pin_is_pulled_up_without_the_librarys_debouncing(
    factory: Any, edges: list[Edge]
) -> None:
    buttons = buttons_on(factory, edges, 17)
    assert factory.pin(17).pull == "up"
    assert factory.pin(17).bounce is None
    buttons.close()


def test_an_edge_that_the_library_lost_is_read_from_the_pin(
    factory: Any, edges: list[Edge]
) -> None:
    buttons = buttons_on(factory, edges, 17, 27)
    factory.pin(17).edges = "none"
    factory.pin(17).drive_low()
    assert edges == []
    assert buttons.levels() == {17: 0, 27: 1}
    assert buttons.read() == (Edge(17, 0, 0.0), Edge(27, 1, 0.0))


def test_closing_lets_go_of_the_pins(factory: Any, edges: list[Edge]) -> None:
    buttons_on(factory, edges, 17).close()
    factory.pin(17).drive_low()
    assert edges == []
    buttons_on(factory, edges, 17)


def test_a_pin_that_cannot_be_closed_is_logged_once_and_keeps_no_other_open(
    factory: Any, edges: list[Edge], caplog: pytest.LogCaptureFixture
) -> None:
    buttons = buttons_on(factory, edges, 17, 27)
    fail_once(factory.pin(17))
    buttons.close()
    assert caplog.messages == ["pin 17 could not be closed properly: OSError('GPIO busy')"]
    buttons_on(factory, edges, 27)


def test_a_pin_that_cannot_be_opened_leaves_none_open(factory: Any, edges: list[Edge]) -> None:
    with pytest.raises(PinsError, match="pin 17"):
        buttons_on(factory, edges, 17, 27, 17)
    buttons_on(factory, edges, 17, 27)


def test_alive_tells_whether_the_librarys_thread_lives(factory: Any, edges: list[Edge]) -> None:
    thread = Thread(target=lambda: None)
    buttons = Buttons([17], edges.append, factory, notifier=thread)
    thread.start()
    thread.join()
    assert not buttons.alive()
    buttons.close()
    assert Buttons([17], edges.append, factory).alive()


def test_the_notify_thread_is_found_where_lgpio_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert lgpio_thread() is None
    (tmp_path / "lgpio.py").write_text("import threading\n_notify_thread = threading.Thread()\n")
    monkeypatch.syspath_prepend(tmp_path)
    import lgpio

    try:
        assert lgpio_thread() is lgpio._notify_thread
    finally:
        del sys.modules["lgpio"]


@pytest.mark.parametrize(("name", "module"), [("lgpio", "lgpio.py"), ("rpigpio", "RPi.py")])
def test_a_library_that_does_not_work_is_one_sentence_and_no_other_factory(
    name: str, module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / module).write_text("raise RuntimeError('no peripherals here')")
    with pytest.raises(PinsError) as raised:
        pin_factory(name)
    assert f"can't be reached by {name} (no peripherals here)" in str(raised.value)
    assert "`referee simulate`" in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(("error", "away"), [("ImportError", False), ("OSError", True)])
def test_a_library_that_is_not_there_is_for_good_and_pins_that_are_not_may_come(
    error: str, away: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "lgpio.py").write_text(f"raise {error}('not here')")
    with pytest.raises(PinsError) as raised:
        pin_factory("lgpio")
    assert isinstance(raised.value, PinsUnavailable) == away


@pytest.mark.parametrize("name", ["lgpio", "rpigpio"])
def test_lgpio_makes_its_files_in_a_folder_that_is_gone_afterwards(
    name: str, tmp_path: Path
) -> None:
    for module in ("lgpio.py", "RPi.py"):
        (tmp_path / module).write_text("raise ImportError('not here')")
    program = f"""
import os
from pi_app.devices.buttons import PinsError, pin_factory
try:
    pin_factory({name!r})
except PinsError:
    folder = os.environ["LG_WD"]
    open(os.path.join(folder, ".lgd-nfy0"), "w").close()
    print(folder)
"""
    run_in = tmp_path / "run"
    run_in.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": f"{tmp_path}:{ROOT}", "RUNTIME_DIRECTORY": str(run_in)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(done.stdout.strip()).parent == run_in
    assert list(run_in.iterdir()) == []


def test_no_room_for_lgpios_files_is_not_blamed_on_the_library(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("LG_WD", raising=False)
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path / "nowhere"))
    with pytest.raises(PinsError, match="no folder can be made for lgpio's files"):
        pin_factory("lgpio")
