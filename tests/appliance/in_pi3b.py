"""What is tried on QEMU's Raspberry Pi 3. Prints what held, then switches the machine off."""

import os
import re
import signal
import sys
import time
from pathlib import Path

from tests.appliance.in_vm import CONFIG, active, say, sh, unit, wait_for

DRIVERS = {
    "pinctrl-bcm2835": "3f200000.gpio",
    "i2c-bcm2835": "3f804000.i2c",
    "bcm2835-wdt": "bcm2835-wdt",
}
LAMPS = {"22": "A", "13": "B", "21": "C", "12": "D"}
REVISION = """
import sys
import time
sys.path.insert(0, "/usr/lib/pachisi-referee")
from gpiozero import pi_info
print(pi_info())
"""


def has_its_drivers() -> None:
    for driver, device in DRIVERS.items():
        assert Path(f"/sys/bus/platform/drivers/{driver}/{device}").exists(), driver
    identity = Path("/sys/class/watchdog/watchdog0/identity").read_text().strip()
    assert identity == "Broadcom BCM2835 Watchdog timer", identity
    board = sh("python3", "-c", REVISION)
    assert "3B" in board, board
    say("ok", f"{', '.join(DRIVERS)}, {identity}, {board}")


def goes_on() -> None:
    """The game of the journal goes on; pins and display are opened by the Pi's own drivers."""
    wait_for("READY", active)
    assert " turn " in unit("StatusText"), unit("StatusText")
    log = sh("journalctl", "--unit=referee", "--output=cat")
    assert "can't be reached" not in log, log
    say("ok", f"{unit('StatusText')}, {sh('cat', '/proc/uptime').split()[0]} s after the kernel")


def lit() -> str:
    """Return the seats whose lamp's pin is an output that is high, as the kernel reads it."""
    pins = Path("/sys/kernel/debug/gpio").read_text()
    high = re.findall(r"\(GPIO(\d+) .*\) out hi", pins)
    return "".join(sorted(LAMPS[pin] for pin in high if pin in LAMPS))


def lights_lamps() -> None:
    """The players are asked whether their pawns are in place: their lamps pulse, the others not."""
    seen = set()
    for _ in range(100):
        seen.add(lit())
        time.sleep(0.05)
    assert {"", "AC"} <= seen <= {"", "A", "C", "AC"}, seen
    say("ok", "the lamps of A and C pulse, the others are dark")


def hangs() -> None:
    """A table that stands still is ended by systemd's watchdog; the next one has the same game."""
    before, process = unit("StatusText"), unit("MainPID")
    os.kill(int(process), signal.SIGSTOP)
    wait_for("a restart", lambda: unit("MainPID") not in (process, "0"))
    wait_for("READY after a restart", active)
    assert unit("StatusText") == before
    assert "Watchdog timeout" in sh("journalctl", "--unit=referee", "--output=cat")
    say("ok", f"it hangs: the same game again, {before}")


def self_test(settings: str) -> str:
    """Return what a self test says, without buttons, with more settings than the table has."""
    kept = CONFIG.read_text()
    CONFIG.write_text(kept + settings)
    said = sh("sh", "-c", "referee self-test --wait 0 2>&1")
    CONFIG.write_text(kept)
    return said


def tests_itself() -> None:
    sh("systemctl", "stop", "referee.service")
    said = self_test("")
    assert said.endswith("no faults found"), said
    said = self_test("[display]\ni2c_address = 0x3D\n")
    assert "the display can't be reached (nothing answers at 3d)" in said, said
    say("ok", "the self test finds no fault, and a display that is absent")


def tests_an_sh1106() -> None:
    said = self_test('[display]\ndriver = "sh1106"\n')
    assert said.endswith("no faults found"), said
    sh("systemctl", "start", "referee.service")
    wait_for("READY", active)
    say("ok", "the self test of an SH1106 finds no fault")


STEPS = (has_its_drivers, goes_on, lights_lamps, hangs, tests_itself, tests_an_sh1106)


def main(names: list[str]) -> None:
    """Try the steps that are named, or all."""
    try:
        for step in STEPS:
            if not names or step.__name__ in names:
                say("trying", step.__name__)
                step()
        say("trying", "switches_off")
    except Exception as error:
        say("FAILED", f"{error!r}")
        print(sh("systemctl", "status", "--full", "referee.service"))
        print(sh("journalctl", "--boot", "--lines=60", "--no-pager"))
    sys.stdout.flush()
    sh("systemctl", "poweroff")


if __name__ == "__main__":
    main(sys.argv[1:])
