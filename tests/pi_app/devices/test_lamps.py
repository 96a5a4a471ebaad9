"""The lamps: pins of the mock factory, blinking by a clock of numbers."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from pi_app.devices.buttons import PinsError, pin_factory
from pi_app.devices.lamps import BREATH_S, FAINTEST, PWM_HZ, Lamps
from tests.pi_app.devices.busy_pin import fail_once

PINS = (22, 13, 21, 12)


@pytest.fixture
def factory() -> Iterator[Any]:
    made: Any = pin_factory("mock")
    yield made
    made.reset()


def lit(factory: Any) -> list[int]:
    return [pin for pin in PINS if factory.pin(pin).state]


def test_the_lamps_are_dark_at_first(factory: Any) -> None:
    Lamps(PINS, factory)
    assert lit(factory) == []


def test_a_lamp_is_lit_until_told_otherwise(factory: Any) -> None:
    lamps = Lamps(PINS, factory)
    assert lamps.show(("off", "on", "off", "on"), 0.0) is None
    assert lit(factory) == [13, 12]
    lamps.show(("off", "off", "on", "on"), 0.1)
    assert lit(factory) == [21, 12]


def test_a_blinking_lamp_is_lit_every_first_half_of_a_second(factory: Any) -> None:
    lamps = Lamps(PINS, factory)
    seen = []
    now: float | None = 7.2
    for _ in range(5):
        assert now is not None
        again = lamps.show(("blink", "on", "off", "off"), now)
        seen.append((now, lit(factory)))
        now = again
    assert seen == [
        (7.2, [22, 13]),
        (7.5, [13]),
        (8.0, [22, 13]),
        (8.5, [13]),
        (9.0, [22, 13]),
    ]


def test_a_breathing_lamp_swells_and_fades_and_is_never_off(factory: Any) -> None:
    lamps = Lamps(PINS, factory)
    seen = []
    now: float | None = 6.0
    while now is not None and now < 6.0 + BREATH_S:
        again = lamps.show(("breathe", "on", "off", "off"), now)
        seen.append(factory.pin(22).state)
        now = again
    assert len(seen) == 30
    assert (min(seen), max(seen)) == (FAINTEST, 1.0)
    assert seen[:16] == sorted(seen[:16])
    assert seen[16:] == sorted(seen[16:], reverse=True)


def test_the_winners_lamp_flashes_fewer_than_three_times_a_second(factory: Any) -> None:
    lamps = Lamps(PINS, factory)
    seen = []
    now: float | None = 8.0
    while now is not None and now < 12.0:
        again = lamps.show(("cheer", "off", "off", "off"), now)
        seen.append(bool(factory.pin(22).state))
        now = again
    assert seen[:8] == [True, False, True, False, True, True, True, False]
    flashes = sum(after and not before for before, after in pairwise([False, *seen]))
    assert flashes < 3 * 4


def test_only_a_breathing_lamp_has_pulses(factory: Any) -> None:
    lamps = Lamps(PINS, factory)
    lamps.show(("breathe", "on", "blink", "off"), 0.5)
    assert [factory.pin(pin).frequency for pin in PINS] == [PWM_HZ, None, None, None]
    lamps.show(("on", "off", "off", "off"), 0.6)
    assert [factory.pin(pin).frequency for pin in PINS] == [None] * 4
    assert lit(factory) == [22]


def test_a_lamp_that_breathes_is_off_once_closed(factory: Any) -> None:
    lamps = Lamps(PINS, factory)
    lamps.show(("breathe",) * 4, 0.5)
    pins = [factory.pin(pin) for pin in PINS]
    lamps.close()
    assert [(pin.frequency, pin.function) for pin in pins] == [(None, "input")] * 4


def test_a_seat_without_a_lamp_is_left_out(factory: Any) -> None:
    lamps = Lamps((None, 13, None, None), factory)
    lamps.show(("on", "on", "on", "on"), 0.0)
    assert lit(factory) == [13]


def test_a_pin_is_written_only_when_its_lamp_changes(factory: Any) -> None:
    lamps = Lamps(PINS, factory)
    for tenth in range(30):
        lamps.show(("on", "off", "off", "off"), tenth / 10)
    assert [state.state for state in factory.pin(22).states if state.state] == [1.0]
    lamps.close()


def test_closing_puts_them_out_and_lets_go_of_the_pins(factory: Any) -> None:
    lamps = Lamps(PINS, factory)
    lamps.show(("on", "on", "on", "on"), 0.0)
    lamps.close()
    assert [factory.pin(pin).function for pin in PINS] == ["input"] * 4
    Lamps(PINS, factory).close()


def test_a_pin_that_cannot_be_opened_leaves_none_open(factory: Any) -> None:
    with pytest.raises(PinsError, match="pin 22"):
        Lamps((22, 13, 22, 12), factory)
    Lamps(PINS, factory).close()


def test_a_lamp_that_cannot_be_put_out_keeps_no_other_lit(
    factory: Any, caplog: pytest.LogCaptureFixture
) -> None:
    lamps = Lamps(PINS, factory)
    lamps.show(("on", "on", "on", "on"), 0.0)
    fail_once(factory.pin(22))
    lamps.close()
    assert lit(factory) == []
    assert caplog.messages == [
        "the lamp at GPIO22 could not be closed properly: OSError('GPIO busy')"
    ]
