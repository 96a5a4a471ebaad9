"""What the Pi tells of its power: files of sysfs as kernels have them, and none of them."""

from pathlib import Path

import pytest

from pi_app.model.parts import PowerState
from pi_app.system.supply import read_celsius, read_supply

THROTTLED = "devices/platform/soc/soc:firmware/get_throttled"  # until 2025
ALARM = "class/hwmon/hwmon1"
HEAT = "class/thermal/thermal_zone0/temp"


def files(sys: Path, **texts: str) -> None:
    for name, text in texts.items():
        path = sys / {"throttled": THROTTLED, "heat": HEAT}.get(name, f"{ALARM}/{name}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")


BITS = {
    "0": PowerState(),
    "1": PowerState(low=True),
    "50005": PowerState(low=True, hot=True, was_low=True, was_hot=True),
    "50000": PowerState(was_low=True, was_hot=True),
    "80008": PowerState(hot=True, was_hot=True),
    "20002": PowerState(),  # a lower clock alone
}


@pytest.mark.parametrize("bits", BITS)
def test_a_kernel_that_tells_of_throttling_is_believed(tmp_path: Path, bits: str) -> None:
    files(tmp_path, throttled=bits, name="rpi_volt", in0_lcrit_alarm="0")
    assert read_supply(tmp_path) == BITS[bits]


@pytest.mark.parametrize(
    ("alarm", "heat", "told"),
    [
        ("0", "51540", PowerState()),
        ("1", "51540", PowerState(low=True)),
        ("0", "80000", PowerState(hot=True)),
        ("0", "79999", PowerState()),
    ],
)
def test_a_newer_kernel_has_an_alarm_and_a_temperature(
    tmp_path: Path, alarm: str, heat: str, told: PowerState
) -> None:
    files(tmp_path, name="rpi_volt", in0_lcrit_alarm=alarm, heat=heat)
    assert read_supply(tmp_path) == told


def test_the_temperature_is_told_in_degrees(tmp_path: Path) -> None:
    assert read_celsius(tmp_path) is None
    files(tmp_path, heat="48312")
    assert read_celsius(tmp_path) == 48.312


def test_without_a_thermometer_the_alarm_alone_is_told(tmp_path: Path) -> None:
    files(tmp_path, name="rpi_volt", in0_lcrit_alarm="0")
    assert read_supply(tmp_path) == PowerState()


@pytest.mark.parametrize(
    "texts",
    [
        {},
        {"name": "nvme", "in0_lcrit_alarm": "1", "heat": "90000"},
        {"name": "rpi_volt", "in0_lcrit_alarm": "?"},
        {"throttled": "nothing"},
    ],
)
def test_another_computer_tells_nothing(tmp_path: Path, texts: dict[str, str]) -> None:
    files(tmp_path, **texts)
    assert read_supply(tmp_path) is None
