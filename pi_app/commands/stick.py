"""`referee stick`: copies a backup onto the USB stick that is plugged in, or back. Run as root.

It opens no journal: its units do that before or after, as the table's user.
"""

import argparse
import json
import logging
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from errno import ENOSPC, EROFS
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from pi_app.commands import add_flag
from pi_app.model.events import Answer, Result
from pi_app.record.files import sync, write_new
from pi_app.record.journal import FILE

log = logging.getLogger(__name__)

NAME = "pachisi-referee"  # of the folder on the stick
ABOUT = "about.txt"  # in the folder: what `referee backup` has printed
FILE_SYSTEMS = ("vfat", "exfat", "ext4")
PLUGGED_IN = ("/media/", "/run/media/")  # where a desktop mounts sticks; the system uses the rest
LSBLK = ("lsblk", "--json", "--tree", "--output", "PATH,TRAN,FSTYPE,RO,MOUNTPOINTS")
RESULT_OF: Mapping[int | None, Result] = {ENOSPC: "full", EROFS: "read-only"}


class Stick(NamedTuple):
    """The file system of a USB stick: its device and its type."""

    device: str
    type: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, help="the folder to copy")
    add_flag(parser, "--restore", "copy the last backup's journal back")
    parser.add_argument("answer", type=Path, help="the file to write the answer to")


def main(options: argparse.Namespace) -> None:
    """Copy the folder, and write an answer for the table; none if there are games to restore."""
    work = partial(fetch_journal if options.restore else back_up, options.folder)
    answer = use_stick(work, list_disks, mounted)
    if answer is not None:
        half = options.answer.with_suffix(".half")
        half.unlink(missing_ok=True)
        write_new(half, str(answer).encode())  # never through a link: the folder is the table's
        half.replace(options.answer)


def use_stick(
    work: Callable[[Path], Answer | None],
    list_disks: Callable[[], bytes],
    mount: Callable[[Stick], AbstractContextManager[Path]],
) -> Answer | None:
    """Return the answer of `work`, which gets the stick's folder, or why it can't be done.

    list_disks: returns what LSBLK prints. mount: mounts a stick for a block, and gives its folder.
    """
    try:
        found = find_stick(list_disks())
        if not isinstance(found, Stick):
            return Answer(found)
        with mount(found) as stick:
            return work(stick)
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        log.warning("the stick can't be used: %r", error)
        return Answer(RESULT_OF.get(getattr(error, "errno", None), "failed"))


def back_up(folder: Path, stick: Path) -> Answer:
    """Copy a folder onto a stick, unless it has no games: they would replace some."""
    [games] = re.findall(r"contains (\d+) game", (folder / ABOUT).read_text())
    if games == "0":
        return Answer("no-games")
    replace_backup(stick, folder)
    return Answer("done", int(games))


def fetch_journal(folder: Path, stick: Path) -> Answer | None:
    """Copy the journal of a stick's backup into a folder."""
    for name in (NAME, f"{NAME}.old"):
        if (journal := stick / name / FILE).is_file():
            shutil.copyfile(journal, folder / FILE, follow_symlinks=False)
            return None
    return Answer("no-backup")


def list_disks() -> bytes:
    """Return all disks, as LSBLK prints them."""
    return subprocess.run(LSBLK, capture_output=True, check=True).stdout


def find_stick(listed: bytes) -> Stick | Result:
    """Return the only USB stick, or why there is not one that can be written."""
    disks = [disk for disk in json.loads(listed)["blockdevices"] if disk["tran"] == "usb"]
    parts = [part for disk in disks if not _is_used(disk) for part in disk.get("children", [disk])]
    known = [part for part in parts if part["fstype"] in FILE_SYSTEMS]
    if len(known) != 1:
        return "two-sticks" if known else "unknown-format" if parts else "no-stick"
    if known[0]["ro"]:
        return "read-only"
    return Stick(known[0]["path"], known[0]["fstype"])


def _is_used(disk: Mapping[str, Any]) -> bool:
    """Whether the system itself uses a disk: a Pi may start from one, or keep its games there."""
    places = [place for part in (disk, *disk.get("children", [])) for place in part["mountpoints"]]
    return any(place and not place.startswith(PLUGGED_IN) for place in places)


@contextmanager
def mounted(stick: Stick) -> Iterator[Path]:
    """Mount a stick in this block. After the block, everything is on it."""
    with TemporaryDirectory() as point:
        options = ("-t", stick.type, "-o", "nosuid,nodev,noexec")
        subprocess.run(["mount", *options, stick.device, point], check=True)
        try:
            yield Path(point)
        finally:
            subprocess.run(["umount", point], check=True)


def replace_backup(stick: Path, folder: Path) -> None:
    """Copy a folder onto a stick, in place of the last backup.

    The stick may be pulled at any moment: it has the new backup or the last one, complete, with
    the usual name or, between two renamings, with ".old" after it.
    """
    current, new, old = (stick / f"{NAME}{ending}" for ending in ("", ".new", ".old"))
    if old.exists() and not current.exists():
        old.rename(current)
    for rest in (new, old):
        if rest.exists():
            shutil.rmtree(rest)
    new.mkdir()
    try:
        for source in sorted(folder.rglob("*")):  # a folder comes before what is in it
            target = new / source.relative_to(folder)
            target.mkdir() if source.is_dir() else write_new(target, source.read_bytes())
    except OSError:
        shutil.rmtree(new, ignore_errors=True)  # a full stick has room again
        raise
    sync(stick)
    if current.exists():
        current.rename(old)
        sync(stick)
    new.rename(current)
    sync(stick)
    shutil.rmtree(old, ignore_errors=True)
