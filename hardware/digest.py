"""Digests of the lists and programs from which the files of this folder are made."""

from hashlib import sha256

from hardware.lists import HERE

DIGEST_FILE = "made-from.txt"
SOURCES = ("bom.csv", "pins.csv", "*.py")


def compute_digest() -> str:
    """Return a line for each source with its SHA-256 and its name."""
    files = sorted({file for pattern in SOURCES for file in HERE.glob(pattern)})
    lines = (f"{sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
    return "".join(lines)
