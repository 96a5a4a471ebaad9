"""A Pi's card as one file: a table of two partitions (MBR), the FAT `bootfs`, the ext4 `rootfs`.

Nothing is mounted, so root is not needed. What is done with cards is in tests/appliance/card.py.
"""

import lzma
import shutil
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.appliance.roots import run

MIB = 1 << 20
SECTOR = 512
TABLE = 446  # where the MBR has four entries; its four bytes from 440 on name the disk
ENTRY = struct.Struct("<4xB3xII")  # the type, the first sector, how many sectors
FAT, EXT4 = 0x0C, 0x83  # the types
MARK = b"\x55\xaa"
XZ = b"\xfd7zXZ\x00"
PARTUUID = "5f1c2a3b"
FIRMWARE = (8 * MIB, 512 * MIB)  # pi-gen makes `bootfs` as large, where Raspberry Pi OS has it
SYSTEM_MIB = 1536
CARD = 8 << 30  # the smallest card that systemd/README.md names
GET = (
    "download the newest Raspberry Pi OS Lite (64-bit) from"
    " https://www.raspberrypi.com/software/operating-systems/"
)
INFO = "/var/lib/dpkg/info"
# Files of `rootfs` with words that they must have, and what the image is without them.
NEEDED = (
    ("/usr/lib/os-release", "VERSION_CODENAME=trixie", "a system other than trixie"),
    (f"{INFO}/libc6:arm64.list", "aarch64", "a system of 32 bits"),
    (f"{INFO}/cloud-init.list", "/usr/bin/cloud-init", "older than cloud-init, of November 2025"),
)


@dataclass(frozen=True, slots=True)
class Card:
    """A card, or the image for one."""

    path: Path

    def partitions(self) -> list[tuple[int, int, int]]:
        """Return the type, the first byte and the length of each; [] if there is no MBR."""
        with self.path.open("rb") as file:
            start = file.read(SECTOR)
        if not start.endswith(MARK) or len(start) < SECTOR:
            return []
        entries = ENTRY.iter_unpack(start[TABLE : -len(MARK)])
        return [(kind, first * SECTOR, length * SECTOR) for kind, first, length in entries if kind]

    def _firmware(self) -> str:
        [(_, first, _), _] = self.partitions()
        return f"{self.path}@@{first}"

    def read(self, name: str) -> str:
        """Return the text of a file on `bootfs`."""
        return run("mtype", "-i", self._firmware(), f"::{name}").replace("\r\n", "\n")

    def put(self, files: Mapping[str, str | bytes]) -> None:
        """Write files onto `bootfs`."""
        with TemporaryDirectory() as folder:
            write_all(Path(folder), files)
            written = map(str, Path(folder).iterdir())
            run("mcopy", "-s", "-o", "-i", self._firmware(), *written, "::")

    def system(self, path: str) -> str:
        """Return the text of a file of `rootfs`, or "" if it is not there."""
        [_, (_, first, _)] = self.partitions()
        return run("debugfs", "-R", f"cat {path}", f"{self.path}?offset={first}")

    def copy(self, path: Path) -> "Card":
        run("cp", "--sparse=always", str(self.path), str(path))
        return Card(path)

    def grow(self) -> None:
        """Let `rootfs` fill a card, as the initrd of Raspberry Pi OS does at the first start."""
        [_, (kind, first, _)] = self.partitions()
        length = CARD - first
        system = f"{self.path}?offset={first}"
        run("truncate", f"--size={CARD}", str(self.path))
        run("resize2fs", "-f", system, f"{length >> 10}K")
        with self.path.open("r+b") as file:
            file.truncate(CARD)  # resize2fs has cut the offset's length off, where nothing is yet
            file.seek(TABLE + ENTRY.size)
            file.write(ENTRY.pack(kind, first // SECTOR, length // SECTOR))
        run("e2fsck", "-fn", system)


def write_all(folder: Path, files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)


def make_image(path: Path, firmware: Mapping[str, str], system: Path) -> None:
    """Make an image of these files on `bootfs`, and a folder's, with partitions as in a Pi's."""
    first = sum(FIRMWARE)
    entries = ((FAT, *FIRMWARE), (EXT4, first, SYSTEM_MIB * MIB))
    table = b"".join(ENTRY.pack(kind, at // SECTOR, size // SECTOR) for kind, at, size in entries)
    path.write_bytes(bytes(440) + struct.pack("<I2x", int(PARTUUID, 16)) + table + bytes(32) + MARK)
    with path.open("r+b") as file:
        file.truncate(first + SYSTEM_MIB * MIB)
    at, size = FIRMWARE
    run("mkfs.vfat", "-F32", "-nbootfs", f"--offset={at // SECTOR}", str(path), f"{size >> 10}")
    Card(path).put(firmware)
    options = ("-q", "-t", "ext4", "-L", "rootfs", "-d", str(system), "-E", f"offset={first}")
    run("mke2fs", *options, str(path), f"{SYSTEM_MIB}M")


def open_image(image: Path, folder: Path) -> Card:
    """Return an image of Raspberry Pi OS, unpacked into the folder if it is packed.

    Raises SystemExit with one sentence if it is not what `make card-test` can try.
    """
    if not image.is_file():
        raise SystemExit(f"there is no file {image}: {GET}, and name it with IMAGE=")
    with image.open("rb") as file:
        packed = file.read(len(XZ)) == XZ
    card = Card(_unpack(image, folder / "unpacked.img") if packed else image)
    if fault := _fault_of(card):
        raise SystemExit(f"{image} is {fault}: {GET}")
    return card


def _unpack(image: Path, to: Path) -> Path:
    try:
        with lzma.open(image) as packed, to.open("wb") as file:
            shutil.copyfileobj(packed, file, MIB)
    except (lzma.LZMAError, EOFError):
        raise SystemExit(f"{image} is damaged: {GET}") from None
    return to


def _fault_of(card: Card) -> str:
    """Return what an image is if it can't be tried, else ""."""
    partitions = card.partitions()
    if [kind for kind, _, _ in partitions] != [FAT, EXT4]:
        return "not an image of a Pi's card, with the partitions bootfs (FAT) and rootfs (ext4)"
    _, first, length = partitions[-1]
    if card.path.stat().st_size < first + length:
        return "cut off before its end"
    try:
        card.read("cmdline.txt")
    except AssertionError:
        return "without cmdline.txt in its first partition"
    return next((fault for path, words, fault in NEEDED if words not in card.system(path)), "")
