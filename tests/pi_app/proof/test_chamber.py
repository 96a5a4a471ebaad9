"""The step in which the dice chamber is unplugged: a real connection, to a chamber on a pty."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event, Lock, Thread

import pytest

from pi_app.proof import measures
from tests.end_to_end.lit_table import Local
from tests.pi_app.devices.gadget import Gadget, Pump, wait_for
from tests.pi_app.proof.person import Person


class Plug:
    """The chamber's USB plug, with a chamber behind it that runs on a thread."""

    def __init__(self, folder: Path) -> None:
        self.pump = Pump(Gadget(folder), Local(1, 0))
        self.lock, self.ended, self.is_in = Lock(), Event(), True

    def run(self) -> None:
        while not self.ended.is_set():
            with self.lock:
                if self.is_in:
                    self.pump.step()
                else:
                    self.ended.wait(0.005)

    def pull(self) -> None:
        with self.lock:
            self.is_in = False
            self.pump.gadget.unplug()

    def put_in(self) -> str:
        with self.lock:
            self.pump.gadget.plug()
            self.is_in = True
        return ""


@contextmanager
def plugged(folder: Path) -> Iterator[Plug]:
    plug = Plug(folder)
    thread = Thread(target=plug.run)
    thread.start()
    try:
        yield plug
    finally:
        plug.ended.set()
        thread.join()


def test_the_chamber_is_pulled_at_rest_and_while_the_dice_run(tmp_path: Path) -> None:
    with plugged(tmp_path) as plug:
        person = Person(tmp_path, {})
        person.config = replace(person.config, chamber=str(plug.pump.gadget.path), dome=None)
        person.answers |= {"Plug it in again": plug.put_in, "dice show 6 and 1": "y"}

        def say(text: str) -> None:
            person.said.append(text)
            if "Pull the chamber's plug" in text:
                plug.pull()
            if "Pull the plug while" in text:
                Thread(target=pull_later, args=(plug,)).start()

        person.print_text = say
        person.do("about", "chamber")
    assert person.file.steps["about"]["firmware"] == "0.2.0"
    assert "e661" not in person.file.path.read_text()  # its serial number
    assert set(person.file.steps["chamber"].values()) == {True}


def test_a_chamber_that_does_not_answer_is_told(tmp_path: Path) -> None:
    person = Person(tmp_path, {})
    person.config = replace(person.config, chamber=str(tmp_path / "nowhere"))
    person.answer_s = 0.1
    person.do("chamber")
    assert any("Check the chamber's plug" in text for text in person.said)
    assert [*person.file.faults()] == ["chamber: no answer at all"]


def test_a_plug_that_is_not_pulled_is_no_fault_of_the_chamber(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measures, "MOST_THROWS", 2)
    with plugged(tmp_path) as plug:
        person = Person(tmp_path, {})
        person.config = replace(person.config, chamber=str(plug.pump.gadget.path), dome=None)
        person.do("chamber")
    assert "    the plug was not pulled: begin the step again" in person.said
    assert person.file.steps == {}


def pull_later(plug: Plug) -> None:
    """Pull the plug once the dice run: their lights are others than those before."""
    before = plug.pump.lights
    wait_for(lambda: plug.pump.lights != before)
    plug.pull()
