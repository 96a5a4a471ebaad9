"""The outputs at the metal: what sound and brightness, as they are set, make of pin and panel."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from time import sleep
from typing import Any

import pytest
from gpiozero.tones import Tone as Pitch

from pi_app.devices.buttons import pin_factory
from pi_app.devices.buzzer import Buzzer
from pi_app.devices.oled import CONTRAST, DIM, Oled
from pi_app.devices.voice import Voice
from pi_app.display.view import frame
from pi_app.model.events import (
    Address,
    Answer,
    Event,
    Finding,
    LanguageName,
    PageNumber,
    PartChecked,
    Request,
    RequestAnswered,
    Setup,
)
from pi_app.model.screens import DIM_AFTER_S, Motion, Pattern
from pi_app.runtime.outputs import (
    ADDRESS_S,
    DisplayOutput,
    PlacedDisplay,
    RequestOutput,
    SelfTestOutput,
    ToneOutput,
    VoiceOutput,
    post_address,
)
from pi_app.settings.settings import LANGUAGE, Settings
from pi_app.simulate.glass import DummyDisplay
from pi_app.table.core.speech import screen_words
from pi_app.table.modes.setup.requesting import Requesting
from pi_app.table.session import Reply
from pi_app.texts.language import ENGLISH, Language
from pi_app.texts.words import SLOW_DISK
from tests.pi_app.devices.test_oled import I2CBus, contrasts, panel_on
from tests.pi_app.sitting import Sitting
from tests.pi_app.texts.pseudo import longer

PIN = 18


class Bench:
    """A table with a buzzer on a mock pin and a panel on a bus that records what is written."""

    def __init__(self, factory: Any, **settings: str) -> None:
        self.pin = factory.pin(PIN)
        self.bus = I2CBus()
        self.picture = DisplayOutput((PlacedDisplay(panel_on(self.bus)),), stepped=True)
        self.tones = ToneOutput(Buzzer(PIN, factory))
        self.heard: list[str] = []
        self.table = Sitting(watch=self.watch, settings=Settings(settings))
        self.table.begin(0, 2)

    def watch(self, reply: Reply) -> None:
        t = reply.session.t
        self.picture(reply, t)
        self.tones(reply, t)
        if self.pin.frequency is not None:
            note = Pitch.from_frequency(self.pin.frequency).note
            self.heard += [note] if self.heard[-1:] != [note] else []


@pytest.fixture
def factory() -> Iterator[Any]:
    made: Any = pin_factory("mock")
    yield made
    made.reset()


# --- brightness ----------------------------------------------------------------------------------


def test_each_brightness_has_its_own_contrast_and_the_last_is_above_a_resting_screen() -> None:
    levels = [CONTRAST[level] for level in ("bright", "half", "low", "dim")]
    assert levels == sorted(levels, reverse=True) == [0xCF, 0x58, 0x28, 0x10]
    assert DIM == 0x10


@pytest.mark.parametrize(
    ("brightness", "contrast"), [("full", 0xCF), ("half", 0x58), ("low", 0x28)]
)
def test_the_panel_has_the_contrast_of_the_brightness_that_is_set(
    factory: Any, brightness: str, contrast: int
) -> None:
    assert contrasts(Bench(factory, brightness=brightness).bus) == [contrast]


def test_the_press_that_turns_the_brightness_is_seen_at_once(factory: Any) -> None:
    bench = Bench(factory)
    bench.table.choose(0, "setup", "brightness")
    bench.table.choose(0, "brightness")
    bench.table.choose(0, "brightness")
    assert contrasts(bench.bus) == [0xCF, 0x58, 0x28, 0xCF]


def test_a_screen_that_rests_is_dim_however_bright_it_is_else(factory: Any) -> None:
    bench = Bench(factory, brightness="low")
    bench.table.wait(DIM_AFTER_S + 1)
    assert [*dict.fromkeys(contrasts(bench.bus))] == [0x28, 0x10]  # each is sent again and again
    bench.table.ok(0)
    assert contrasts(bench.bus)[-1] == 0x28


@pytest.mark.parametrize(("brightness", "seen"), [("full", [0xCF, 0x58]), ("low", [0x28])])
def test_a_test_picture_is_at_most_half_as_bright(
    factory: Any, brightness: str, seen: list[int]
) -> None:
    """All dots of two large displays at full brightness would take 0.5 A of the Pi's 3.3 V."""
    bench = Bench(factory, brightness=brightness)
    reply = replace(bench.table.reply, screen=Pattern("all-dots"))
    bench.picture(reply, bench.table.t + 1)
    assert contrasts(bench.bus) == seen


def test_two_displays_show_a_test_picture_one_after_the_other() -> None:
    buses = I2CBus(), I2CBus()
    output = DisplayOutput(tuple(PlacedDisplay(panel_on(bus)) for bus in buses), stepped=True)
    table = Sitting()
    reply = replace(table.reply, screen=Pattern("all-dots"), motion=Motion(since=10.0))
    assert output(reply, 10.0) == 12.0
    assert [contrasts(bus) for bus in buses] == [[0x58], []]
    assert output(reply, 12.0) == 14.0
    assert [contrasts(bus) for bus in buses] == [[0x58], [0x58]]
    output(reply, 14.0)
    assert [contrasts(bus) for bus in buses] == [[0x58, 0x58], [0x58]]
    assert output(table.reply, 14.5) is None
    assert [contrasts(bus)[-1] for bus in buses] == [0xCF, 0xCF]


def test_a_notice_covers_the_newest_screen_until_the_next_reply() -> None:
    glass = DummyDisplay()
    oled = Oled(lambda: glass, lambda _: None)
    picture = DisplayOutput((PlacedDisplay(oled),), stepped=True)
    table = Sitting()
    covered = frame(table.reply.screen, Motion(notice=SLOW_DISK), table.t).image
    picture(table.reply, table.t)
    before = glass.image.tobytes()
    picture.cover(SLOW_DISK, table.t)
    oled.step(table.t)
    assert glass.image.tobytes() == covered.tobytes()
    picture(table.reply, table.t)
    assert glass.image.tobytes() == before


def find_longer(code: str) -> Language:
    """Return a longer English as German."""
    return longer() if code == "de" else ENGLISH


LANGUAGES = (LanguageName("en", "English"), LanguageName("de", "Deutsch"))

# --- languages -----------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::pi_app.display.lettering.Overflow")  # a third longer
def test_a_display_has_its_own_language_or_that_of_the_table() -> None:
    glasses = DummyDisplay(), DummyDisplay()
    first, second = glasses
    panels = (Oled(lambda: first, lambda _: None), Oled(lambda: second, lambda _: None))
    placed = (PlacedDisplay(panels[0]), PlacedDisplay(panels[1], language="en"))
    picture = DisplayOutput(placed, stepped=True, find=find_longer)
    table = Sitting(Setup(languages=LANGUAGES))
    table.ok(0)
    table.ok(2)

    def languages() -> list[Language]:
        """Return the language of each display."""
        reply = table.reply
        picture(reply, table.t)
        images = {
            frame(reply.screen, reply.motion, table.t, language).image.tobytes(): language
            for language in (longer(), ENGLISH)
        }
        return [images[glass.image.tobytes()] for glass in glasses]

    assert languages() == [ENGLISH, ENGLISH]
    table.session = table.session.set(LANGUAGE, "de")
    table.wait(1.0)
    assert languages() == [longer(), ENGLISH]


def test_the_voice_speaks_the_language_of_the_table(tmp_path: Path) -> None:
    spoken = tmp_path / "spoken"
    command = f'cat > "{spoken}.$0"; mv "{spoken}.$0" "{spoken}"'
    voice = Voice(lambda language: ("/bin/sh", "-c", command, language), print)
    output = VoiceOutput(voice, find_longer)
    table = Sitting(Setup(languages=LANGUAGES))
    texts = []
    for code in ("", "de"):
        table.session = table.session.set(LANGUAGE, code)
        table.wait(1.0)
        output(table.reply, table.t)
        voice.step(0.0)
        while not spoken.exists():
            sleep(0.01)
        texts.append(spoken.read_text())
        spoken.unlink()
        voice.step(1.0)
    voice.close()
    assert texts == [
        f"{screen_words(table.reply.screen, language)}\n" for language in (ENGLISH, longer())
    ]


# --- what a self test looks after ----------------------------------------------------------------


def test_a_check_that_fails_keeps_none_of_the_others_away(caplog: pytest.LogCaptureFixture) -> None:
    good, told = Finding("power", True, "power is good"), list[Event]()

    def broken() -> Finding:
        raise OSError("no such sensor")

    table = Sitting()
    table.begin(0, 2)
    checks = SelfTestOutput((broken, lambda: good), told.append, lambda: 0.0, stepped=True)
    table.choose(0, "setup", "self-test")
    checks(table.reply, 0.0)
    assert told == [PartChecked(good, 0.0)]
    assert "no such sensor" in caplog.text


# --- sound ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sound", "heard"),
    [
        ("on", ["C6", "G6", "C6", "G5", "D5"]),
        ("turns-only", ["C6"]),
        ("off", []),
    ],
)
def test_what_is_heard_of_joining_a_game_that_begins_and_a_press_out_of_turn(
    factory: Any, sound: str, heard: list[str]
) -> None:
    bench = Bench(factory, sound=sound)
    bench.table.ok(2)
    assert bench.heard == heard


def test_the_press_that_turns_the_sound_off_is_not_heard_and_none_after_it(factory: Any) -> None:
    bench = Bench(factory, sound="turns-only")
    bench.table.choose(0, "setup", "sound")
    bench.heard.clear()
    bench.table.hold_next(0)
    bench.table.ok(2)
    bench.table.choose(0, "game", "end")
    bench.table.hold_ok(0)
    bench.table.hold_ok(0)
    assert bench.table.tones[-1].name == "turn"
    assert bench.heard == []
    assert bench.pin.frequency is None


def test_a_confirmed_request_is_made_once_and_its_answer_posted() -> None:
    table, posted, made = Sitting(Setup(requests=("page-on",))), SimpleQueue[Event](), list[str]()

    def ask(request: Request) -> Answer:
        made.append(request)
        return Answer("failed")

    output = RequestOutput(ask, posted.put, lambda: 9.0)
    table.ok(0)
    table.choose(0, "setup", "page")
    output(table.reply, table.t)
    assert made == []
    table.read(0)
    table.ok(0)
    output(table.reply, table.t)
    output(table.reply, table.t + 1.0)
    mode = table.session.mode
    assert isinstance(mode, Requesting)
    assert posted.get(timeout=60.0) == RequestAnswered(Answer("failed"), mode.made_at or 0.0, 9.0)
    assert made == ["page-on"]


def test_the_pages_numeric_address_is_asked_for_only_while_its_screen_is_shown() -> None:
    table, posted = Sitting(Setup(page=Address("pachisi.local", known=True))), list[Event]()
    output = partial(post_address, lambda: "192.168.1.7", posted.append)
    table.ok(0)
    assert output(table.reply, table.t) is None
    table.choose(0, "board", "watch")
    assert output(table.reply, table.t) == table.t + ADDRESS_S
    assert posted == [PageNumber("192.168.1.7", table.t)]
    table.tell(posted[0])
    output(table.reply, table.t)
    assert len(posted) == 1
    post_address(lambda: "", posted.append, table.reply, table.t)
    assert posted[1:] == [PageNumber("", table.t)]
