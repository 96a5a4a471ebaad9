"""Reads under-voltage and heat of the Pi from sysfs."""

from contextlib import suppress
from pathlib import Path

from pi_app.model.parts import PowerState

SYS = Path("/sys")
# raspberrypi/linux had this file until 2025 (pull request 6697); its bits are those of `vcgencmd`.
THROTTLED = "devices/platform/soc*/*firmware*/get_throttled"
LOW, SLOWED, HOT = 1 << 0, 1 << 2, 1 << 3
SINCE_START_SHIFT = 16  # the same bits, shifted by this, for any time since the start
# In every kernel since 4.19. The firmware checks every two seconds; 1 means under-voltage.
VOLTAGE, ALARM = "rpi_volt", "in0_lcrit_alarm"
TEMPERATURE = "class/thermal/thermal_zone0/temp"
HOT_CELSIUS = 80.0  # at this the firmware slows the Pi down


def read_supply(sys: Path = SYS) -> PowerState | None:
    """Return the state of the power supply; None on a computer that does not report it."""
    for path in sorted(sys.glob(THROTTLED)):
        if (bits := _number(path, 16)) is not None:
            earlier = bits >> SINCE_START_SHIFT
            hot = SLOWED | HOT
            return PowerState(
                low=bool(bits & LOW),
                hot=bool(bits & hot),
                was_low=bool(earlier & LOW),
                was_hot=bool(earlier & hot),
            )
    meters = (path for path in sys.glob("class/hwmon/*/name") if _text(path) == VOLTAGE)
    alarms = [_number(path.with_name(ALARM)) for path in meters]
    if all(alarm is None for alarm in alarms):
        return None
    return PowerState(low=any(alarms), hot=(read_celsius(sys) or 0) >= HOT_CELSIUS)


def read_celsius(sys: Path = SYS) -> float | None:
    """Return the temperature of the processor in °C; None if the computer does not report it."""
    millidegrees = _number(sys / TEMPERATURE)
    return None if millidegrees is None else millidegrees / 1000


def _text(path: Path) -> str:
    with suppress(OSError):
        return path.read_text().strip()
    return ""


def _number(path: Path, base: int = 10) -> int | None:
    with suppress(ValueError):
        return int(_text(path), base)
    return None
