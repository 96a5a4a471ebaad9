"""`referee setup`: a Pi's own settings for the table: I2C at 400 kHz, the login user's groups."""

from __future__ import annotations

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

from pi_app.commands import UsageError
from pi_app.record.files import write_whole

# What the firmware is to do; each parameter's names in the firmware's own overlays/README.
I2C_ON = ("i2c_arm", "i2c", "i2c1")
I2C_SPEED = ("i2c_arm_baudrate", "i2c_baudrate", "i2c1_baudrate")
HZ = 400_000
ON_VALUES = ("on", "true", "yes", "1", "")  # a parameter without a value is on
LINES = {I2C_ON: "dtparam=i2c_arm=on", I2C_SPEED: f"dtparam=i2c_arm_baudrate={HZ}"}

GROUPS = ("gpio", "i2c", "spi", "dialout")  # who may reach pins, display and chamber
BACKUP = "config.txt.before-referee"


class BootParameter(NamedTuple):
    """A parameter of the device tree as config.txt sets it: in which line, from 1, and section."""

    line: int
    section: str
    name: str
    value: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "--dry-run", action="store_true", help="only say what would be done; needs no root"
    )


def main(options: argparse.Namespace) -> None:
    """Set this Pi up; a second time changes nothing."""
    for sentence in set_up(this_pi(), options.dry_run):
        print(sentence)


# The text of config.txt.


def with_fast_i2c(text: str) -> str:
    """Return config.txt with I2C on at 400 kHz for every Pi; the same text if it is so already.

    UsageError where it was edited by hand so that what it comes to can't be told for sure.
    """
    found = {names: _set(text, names) for names in LINES}
    _refuse(found[I2C_ON], ON_VALUES)
    _refuse(found[I2C_SPEED], (str(HZ),))
    lines = [line for names, line in LINES.items() if not found[names]]
    if not lines:
        return text
    end = "\r\n" if "\r\n" in text else "\n"
    before = text if text.endswith("\n") or not text else text + end
    sections = [said for line in text.split("\n") if (said := _section(line))]
    head = [] if sections[-1:] == ["all"] else ["[all]"]
    return before + "".join(line + end for line in [*head, *lines])


def _refuse(settings: Sequence[BootParameter], values: Sequence[str]) -> None:
    for one in settings:
        if one.section != "all":
            what = f"sets {one.name} for [{one.section}] alone"
        elif one.value not in values:
            what = f"has {one.name}={one.value}"
        else:
            continue
        raise UsageError(
            f"config.txt was edited by hand: its line {one.line} {what}. Change it to your liking, "
            f"so that {' and '.join(LINES.values())} stand under [all], or take that line away"
        )


def _set(text: str, names: Sequence[str]) -> list[BootParameter]:
    return [one for one in boot_parameters(text) if one.name in names]


def boot_parameters(text: str) -> Iterator[BootParameter]:
    """Yield each parameter that config.txt sets; UsageError where it includes another file."""
    section = "all"
    for number, line in enumerate(text.split("\n"), 1):
        said = line.strip()
        section = _section(said) or section
        if said.split()[:1] == ["include"]:
            raise UsageError(
                f"config.txt was edited by hand: its line {number} includes another file, which is "
                f"not read here. Add {' and '.join(LINES.values())} under [all] yourself"
            )
        key, _, parameters = said.partition("=")
        if key.strip() in ("dtparam", "device_tree_param"):
            for parameter in parameters.split(","):
                name, _, value = parameter.partition("=")
                yield BootParameter(number, section, name.strip(), value.strip().lower())


def _section(line: str) -> str | None:
    """The section that a line begins: `all` for [all]."""
    said = line.strip()
    return said[1:-1].strip().lower() if said[:1] == "[" and said[-1:] == "]" else None


# The machine.


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What is changed, and by whom.

    configs: where config.txt may be, the first that is there counts. clock: the file that tells
    the running bus's speed in Hz, four bytes, the highest first. user: who logs in, None if that is
    nobody but root. groups: those of the system, with their members. join: adds a user to groups.
    """

    configs: Sequence[Path]
    clock: Path
    root: bool
    user: str | None
    groups: dict[str, Sequence[str]]
    join: Callable[[str, Sequence[str]], None]


def this_pi() -> Machine:
    """Return the machine that this runs on."""
    return Machine(
        configs=(Path("/boot/firmware/config.txt"), Path("/boot/config.txt")),
        clock=Path("/sys/class/i2c-adapter/i2c-1/of_node/clock-frequency"),
        root=os.geteuid() == 0,
        user=_login_user(),
        groups={group.gr_name: tuple(group.gr_mem) for group in grp.getgrall()},
        join=_join,
    )


def set_up(machine: Machine, dry_run: bool = False) -> Iterator[str]:
    """Do what is missing and yield a sentence for each; UsageError where something is in doubt."""
    if not (machine.root or dry_run):
        raise UsageError("setup changes the system: run `sudo referee setup`, or add --dry-run")
    path = next((path.resolve() for path in machine.configs if path.is_file()), None)
    if path is None:
        raise UsageError(
            f"{machine.configs[0]} is not there: is this Raspberry Pi OS? Nothing was changed"
        )
    text = path.read_bytes().decode("latin-1")  # whatever it is, it comes back byte for byte
    wanted = with_fast_i2c(text)
    would, kept = ("would be ", "would be kept") if dry_run else ("", "is kept")
    if wanted != text:
        if not dry_run:
            replace_config(path, wanted)
        yield f"{path}: I2C {would}switched on at 400 kHz; as it was at first it {kept} as {BACKUP}"
    joined = _missing(machine)
    if joined and machine.user:
        if not dry_run:
            machine.join(machine.user, joined)
        yield f"{machine.user} {would}added to the groups {', '.join(joined)}"
    if not machine.user:
        yield "no login user is known, so nobody was added to groups: use sudo from your own login"
    if wanted == text and not joined:
        yield _nothing_to_do(machine, path)
    elif dry_run:
        yield "a reboot would be needed for this to count"
    else:
        yield "reboot for this to count: sudo reboot"


def _nothing_to_do(machine: Machine, path: Path) -> str:
    if has_fast_i2c(machine.clock):
        return f"nothing to change: {path} and the groups are as they should be"
    return f"set up already, in {path} and the groups; reboot for it to count: sudo reboot"


def has_fast_i2c(clock: Path) -> bool:
    """Whether the running system has the display's bus at 400 kHz."""
    with suppress(OSError):
        return int.from_bytes(clock.read_bytes(), "big") == HZ
    return False


def replace_config(path: Path, text: str) -> None:
    """Replace config.txt, at once or not at all; keep the one that was there first, once."""
    backup = path.with_name(BACKUP)
    if not backup.exists():
        write_whole(backup, path.read_bytes())
    write_whole(path, text.encode("latin-1"))


def _missing(machine: Machine) -> tuple[str, ...]:
    """The groups that are there without the login user."""
    return tuple(
        name
        for name in GROUPS
        if machine.user and name in machine.groups and machine.user not in machine.groups[name]
    )


def _login_user() -> str | None:
    name = os.environ.get("SUDO_USER") or pwd.getpwuid(os.getuid()).pw_name
    return None if name == "root" else name


def _join(user: str, groups: Sequence[str]) -> None:
    done = subprocess.run(
        ["usermod", "--append", "--groups", ",".join(groups), user],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise UsageError(f"{user} can't be added to groups: {done.stderr.strip()}")
