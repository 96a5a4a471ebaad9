"""`referee setup`: prepares a Pi: I2C at 400 kHz, groups for the login user, and MQTT if asked."""

import argparse
import grp
import os
import pwd
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pi_app.commands import UsageError, add_flag
from pi_app.config.keys import CHANGES
from pi_app.config.reading import default_file, load_config
from pi_app.record.files import write_whole

# Parameters of config.txt, each with all its names in the firmware's overlays/README.
I2C_ON = ("i2c_arm", "i2c", "i2c1")
I2C_SPEED = ("i2c_arm_baudrate", "i2c_baudrate", "i2c1_baudrate")
HZ = 400_000
ON_VALUES = ("on", "true", "yes", "1", "")  # a parameter without a value is on
LINES = {I2C_ON: "dtparam=i2c_arm=on", I2C_SPEED: f"dtparam=i2c_arm_baudrate={HZ}"}

# They may use the pins, the display and the chamber, and read the service's games.
GROUPS = ("gpio", "i2c", "spi", "dialout", "pachisi-referee")
BACKUP = "config.txt.before-referee"
LOCAL_SOCKET, MQTT_SERVICE = "pachisi-referee-local.socket", "pachisi-referee-mqtt.service"


class BootParameter(NamedTuple):
    """A parameter of the device tree that config.txt sets, with its line (from 1) and section."""

    line: int
    section: str
    name: str
    value: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_flag(parser, "--dry-run", "only print the changes; does not need root")
    text = "also turn on what tells an MQTT broker of the table, see pi_app/mqtt/README.md"
    add_flag(parser, "--mqtt", text)


def main(options: argparse.Namespace) -> None:
    """Set this Pi up. A second run changes nothing."""
    if options.mqtt and not load_config(default_file()).mqtt_host:
        raise UsageError(f"write the broker under [mqtt] in {CHANGES} first, as mqtt.host")
    for sentence in set_up(this_pi(), options.dry_run):
        print(sentence)
    if options.mqtt:
        print(turn_on_mqtt(_systemctl, options.dry_run))


def turn_on_mqtt(systemctl: Callable[..., None], dry_run: bool = False) -> str:
    """Start what tells a broker of the table, now and whenever the Pi starts. Return a sentence.

    systemctl: runs that program, and raises UsageError if it fails.
    """
    if not dry_run:
        systemctl("enable", LOCAL_SOCKET, MQTT_SERVICE)
        systemctl("try-restart", "referee.service")  # a table gets its sockets when it starts
        systemctl("restart", MQTT_SERVICE)
    would = "would be" if dry_run else "are"
    return f"{LOCAL_SOCKET} and {MQTT_SERVICE} {would} turned on"


def with_fast_i2c(text: str) -> str:
    """Return config.txt with I2C on at 400 kHz for every Pi; the same text if I2C is on already.

    Raises UsageError if manual edits make the result unclear.
    """
    parameters = list(boot_parameters(text))
    _refuse_others([one for one in parameters if one.name in I2C_ON], ON_VALUES)
    _refuse_others([one for one in parameters if one.name in I2C_SPEED], (str(HZ),))
    present = {one.name for one in parameters}
    lines = [line for names, line in LINES.items() if present.isdisjoint(names)]
    if not lines:
        return text
    end = "\r\n" if "\r\n" in text else "\n"
    before = text if text.endswith("\n") or not text else text + end
    sections = [section for line in text.split("\n") if (section := _section(line))]
    head = [] if sections[-1:] == ["all"] else ["[all]"]
    return before + "".join(line + end for line in [*head, *lines])


def _refuse_others(parameters: Sequence[BootParameter], values: Sequence[str]) -> None:
    """Raise UsageError for a parameter with another value, or one that applies only to some Pis."""
    for one in parameters:
        if one.section != "all":
            what = f"sets {one.name} only for [{one.section}]"
        elif one.value not in values:
            what = f"has {one.name}={one.value}"
        else:
            continue
        raise UsageError(
            f"config.txt was edited by hand: its line {one.line} {what}. Write "
            f"{' and '.join(LINES.values())} under [all] instead, or remove that line"
        )


def boot_parameters(text: str) -> Iterator[BootParameter]:
    """Yield each parameter that config.txt sets. Raises UsageError if the text includes a file."""
    section = "all"
    for number, line in enumerate(text.split("\n"), 1):
        section = _section(line) or section
        if line.split()[:1] == ["include"]:
            raise UsageError(
                f"config.txt was edited by hand: its line {number} includes another file, which "
                f"setup does not read. Add {' and '.join(LINES.values())} under [all] yourself"
            )
        key, _, parameters = line.partition("=")
        if key.strip() in ("dtparam", "device_tree_param"):
            for parameter in parameters.split(","):
                name, _, value = parameter.partition("=")
                yield BootParameter(number, section, name.strip(), value.strip().lower())


def _section(line: str) -> str | None:
    """Return the section that a line begins: `all` for [all]. None for any other line."""
    text = line.strip()
    return text[1:-1].strip().lower() if text[:1] == "[" and text[-1:] == "]" else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    configs: Sequence[Path]  # of config.txt; setup changes the first that exists
    bus_speed_file: Path  # with the bus's current speed in Hz, as a big-endian 32-bit number
    root: bool
    user: str | None  # the login user; None if only root is known
    groups: dict[str, Sequence[str]]  # of the system, with their members
    add_to_groups: Callable[[str, Sequence[str]], None]


def this_pi() -> Machine:
    login = os.environ.get("SUDO_USER") or pwd.getpwuid(os.getuid()).pw_name
    return Machine(
        configs=(Path("/boot/firmware/config.txt"), Path("/boot/config.txt")),
        bus_speed_file=Path("/sys/class/i2c-adapter/i2c-1/of_node/clock-frequency"),
        root=os.geteuid() == 0,
        user=None if login == "root" else login,
        groups={group.gr_name: tuple(group.gr_mem) for group in grp.getgrall()},
        add_to_groups=_add_to_groups,
    )


def set_up(machine: Machine, dry_run: bool = False) -> Iterator[str]:
    """Change what is missing, and yield a sentence for each change.

    Raises UsageError without root, or if the result would be unclear. dry_run: change nothing.
    """
    if not (machine.root or dry_run):
        raise UsageError("setup changes the system: run `sudo referee setup`, or add --dry-run")
    path = next((path.resolve() for path in machine.configs if path.is_file()), None)
    if path is None:
        raise UsageError(
            f"can't find {machine.configs[0]}: setup needs Raspberry Pi OS. Nothing was changed"
        )
    text = path.read_bytes().decode("latin-1")  # which keeps every byte
    wanted = with_fast_i2c(text)
    would, kept = ("would be ", "would be kept") if dry_run else ("", "is kept")
    if wanted != text:
        if not dry_run:
            backup = path.with_name(BACKUP)
            if not backup.exists():
                write_whole(backup, path.read_bytes())
            write_whole(path, wanted.encode("latin-1"))
        yield f"{path}: I2C {would}turned on at 400 kHz; the original file {kept} as {BACKUP}"
    missing = tuple(
        name
        for name in GROUPS
        if machine.user and name in machine.groups and machine.user not in machine.groups[name]
    )
    if missing and machine.user:
        if not dry_run:
            machine.add_to_groups(machine.user, missing)
        yield f"{machine.user} {would}added to the groups {', '.join(missing)}"
    if not machine.user:
        yield "the login user is unknown, so nobody was added to groups: use sudo in your own login"
    if wanted != text or missing:
        yield "this would need a reboot" if dry_run else "reboot to apply this: sudo reboot"
    elif has_fast_i2c(machine.bus_speed_file):
        yield f"nothing to change: {path} and the groups are right already"
    else:
        yield f"{path} and the groups are set up already; reboot to apply this: sudo reboot"


def has_fast_i2c(bus_speed_file: Path) -> bool:
    """Whether the display's bus runs at 400 kHz now. bus_speed_file: see `Machine`."""
    with suppress(OSError):
        return int.from_bytes(bus_speed_file.read_bytes(), "big") == HZ
    return False


def _add_to_groups(user: str, groups: Sequence[str]) -> None:
    _run(f"{user} can't be added to groups", "usermod", "-aG", ",".join(groups), user)


def _systemctl(*words: str) -> None:
    _run(f"systemctl {' '.join(words)} failed", "systemctl", *words)


def _run(failed: str, *command: str) -> None:
    """Run a command. Raises UsageError if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise UsageError(f"{failed}: {done.stderr.strip()}")
