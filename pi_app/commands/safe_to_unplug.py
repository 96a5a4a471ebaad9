"""`referee safe-to-unplug`: shows "Safe to unplug" if all disks are read-only.

systemd runs it last, with systemd/safe-to-unplug. Then the disks are read-only, so it can't write
a file.
"""

import argparse
from pathlib import Path

from pi_app.commands import UsageError, add_config, add_file
from pi_app.commands.last_screen import leave_on_displays
from pi_app.table.telling.last_pages import SAFE_TO_UNPLUG

MOUNTS = Path("/proc/self/mounts")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_config(parser)
    add_file(parser, "--mounts", f"the list of mounts; default: {MOUNTS}", default=MOUNTS)


def main(options: argparse.Namespace) -> None:
    """Show the screen. Raises UsageError if a disk is writable, or the screen can't be shown."""
    if writable := writable_mounts(options.mounts.read_text()):
        raise UsageError(f"not safe to unplug: {', '.join(writable)} can still be written")
    leave_on_displays(SAFE_TO_UNPLUG, options.config)


def writable_mounts(mounts: str) -> list[str]:
    """Return the mount points of all writable disks. mounts: a text as in proc_mounts(5)."""
    fields = (line.split() for line in mounts.splitlines())
    return [
        where
        for device, where, _kind, options, *_ in fields
        if device.startswith("/dev/") and "rw" in options.split(",")
    ]
