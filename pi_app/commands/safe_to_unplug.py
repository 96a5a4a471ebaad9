"""`referee safe-to-unplug`: say so on the display, once nothing can be written any more.

systemd runs it last of all, by systemd/safe-to-unplug, the root read-only: it writes nothing.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from pi_app.commands import UsageError, add_config, leave_on_displays
from pi_app.table.telling.last_pages import SAFE_TO_UNPLUG

MOUNTS = Path("/proc/self/mounts")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_config(parser, installed=True)
    parser.add_argument(
        "--mounts",
        type=Path,
        default=MOUNTS,
        metavar="FILE",
        help=f"what is mounted, by default {MOUNTS}",
    )


def main(options: argparse.Namespace) -> None:
    """Draw the page and leave it on; UsageError where it is not true or can't be drawn."""
    if still := writable_mounts(options.mounts.read_text()):
        raise UsageError(f"not safe to unplug: {', '.join(still)} can still be written")
    if trouble := leave_on_displays(SAFE_TO_UNPLUG, options.config):
        raise UsageError(trouble)


def writable_mounts(mounts: str) -> list[str]:
    """Return where disks and cards can be written, given the text of proc_mounts(5)."""
    fields = (line.split() for line in mounts.splitlines())
    return [
        where
        for device, where, _kind, options, *_ in fields
        if device.startswith("/dev/") and "rw" in options.split(",")
    ]
