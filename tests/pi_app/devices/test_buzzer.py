"""The buzzer: what frequency the pin has at which moment."""

from collections.abc import Iterator
from typing import Any, get_args

import pytest
from gpiozero.tones import Tone as Pitch

from pi_app.devices.buttons import pin_factory
from pi_app.devices.buzzer import Buzzer, tune
from pi_app.model.events import Tone, ToneName

PIN = 18


@pytest.fixture
def factory() -> Iterator[Any]:
    made: Any = pin_factory("mock")
    yield made
    made.reset()


def sounding(factory: Any) -> str | None:
    frequency = factory.pin(PIN).frequency
    return None if frequency is None else Pitch.from_frequency(frequency).note


def test_a_tune_is_played_note_by_note_and_ends_silent(factory: Any) -> None:
    buzzer = Buzzer(PIN, factory)
    due = buzzer.play((Tone(1, "turn"),), now=5.0)
    assert (sounding(factory), due) == ("E6", 5.08)
    assert buzzer.step(5.08) == pytest.approx(5.13)
    assert sounding(factory) is None
    assert buzzer.step(5.13) == pytest.approx(5.21)
    assert sounding(factory) == "E6"
    assert buzzer.step(5.21) is None
    assert sounding(factory) is None


def test_tones_follow_each_other(factory: Any) -> None:
    buzzer = Buzzer(PIN, factory)
    due = buzzer.play((Tone(0, "press"), Tone(3, "press")), now=0.0)
    assert sounding(factory) == "C6"
    assert due == 0.03
    assert buzzer.step(0.03) == 0.06
    assert sounding(factory) == "C7"


def test_the_latest_tones_win(factory: Any) -> None:
    buzzer = Buzzer(PIN, factory)
    buzzer.play((Tone(0, "win"),), now=0.0)
    due = buzzer.play((Tone(None, "refused"),), now=0.1)
    assert sounding(factory) == "G5"
    assert due == pytest.approx(0.17)
    assert buzzer.step(0.18) == pytest.approx(0.29)
    assert sounding(factory) == "D5"
    assert buzzer.step(0.3) is None
    assert sounding(factory) is None


def test_no_tones_leave_what_sounds(factory: Any) -> None:
    buzzer = Buzzer(PIN, factory)
    buzzer.play((Tone(2, "press"),), now=0.0)
    assert buzzer.play((), now=0.01) == 0.03
    assert sounding(factory) == "G6"


def test_a_step_that_comes_late_skips_what_is_over(factory: Any) -> None:
    buzzer = Buzzer(PIN, factory)
    buzzer.play((Tone(0, "win"),), now=0.0)
    assert buzzer.step(100.0) is None
    assert sounding(factory) is None


@pytest.mark.parametrize("name", get_args(ToneName))
def test_every_tone_is_within_the_buzzers_range_and_short(name: ToneName, factory: Any) -> None:
    buzzer = Buzzer(PIN, factory)
    for seat in (None, 0, 1, 2, 3):
        buzzer.play((Tone(seat, name),), now=0.0)
        assert sounding(factory) is not None
        assert sum(seconds for _, seconds in tune(Tone(seat, name))) <= 1.2


def test_each_seat_has_a_tone_of_its_own() -> None:
    assert len({tune(Tone(seat, "turn")) for seat in range(4)}) == 4


def test_a_table_without_a_buzzer_is_silent(factory: Any) -> None:
    buzzer = Buzzer(None, factory)
    assert buzzer.play((Tone(0, "win"),), now=0.0) is None
    assert buzzer.step(1.0) is None
    buzzer.close()


def test_closing_silences_it(factory: Any) -> None:
    buzzer = Buzzer(PIN, factory)
    buzzer.play((Tone(0, "win"),), now=0.0)
    buzzer.close()
    assert sounding(factory) is None
    assert buzzer.step(9.0) is None
