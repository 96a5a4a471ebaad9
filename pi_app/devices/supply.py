"""What the Pi tells of its power by sysfs: under-voltage and heat. No pin, no thread."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from pi_app.input.parts import Supply

SYS = Path("/sys")
# raspberrypi/linux had this file until 2025 (pull request 6697); its bits are those of `vcgencmd`.
THROTTLED = "devices/platform/soc*/*firmware*/get_throttled"
LOW, SLOWED, HOT = 1 << 0, 1 << 2, 1 << 3
SINCE_START_SHIFT = 16  # by so much the same bits are shifted that tell of any time since the start
# Every kernel since 4.19 has this; 1 while the firmware's last look, two seconds ago, found it low.
VOLTAGE, ALARM = "rpi_volt", "in0_lcrit_alarm"
TEMPERATURE = "class/thermal/thermal_zone0/temp"
HOT_MILLIDEGREES = 80_000  # thousandths of a degree: from there on the firmware slows the Pi


def read_supply(sys: Path = SYS) -> Supply | None:
    """Return what the Pi tells of its power, None where it tells nothing, as on another computer.

    sys: where sysfs is.
    """
    for path in sorted(sys.glob(THROTTLED)):
        if (bits := _number(path, 16)) is not None:
            return _of_bits(bits)
    alarms = [
        _number(path.with_name(ALARM)) for path in sys.glob("class/hwmon/*/name") if _is_ours(path)
    ]
    told = [alarm for alarm in alarms if alarm is not None]
    if not told:
        return None
    return Supply(low=any(told), hot=(_number(sys / TEMPERATURE) or 0) >= HOT_MILLIDEGREES)


def _of_bits(bits: int) -> Supply:
    hot = SLOWED | HOT
    since = bits >> SINCE_START_SHIFT
    return Supply(bool(bits & LOW), bool(bits & hot), bool(since & LOW), bool(since & hot))


def _is_ours(name: Path) -> bool:
    with suppress(OSError):
        return name.read_text().strip() == VOLTAGE
    return False


def _number(path: Path, base: int = 10) -> int | None:
    with suppress(OSError, ValueError):
        return int(path.read_text(), base)
    return None
