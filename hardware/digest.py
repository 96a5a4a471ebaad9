"""The digests of the lists and programs that the files of this folder were made from."""

from hashlib import sha256

from hardware.lists import HERE

NAME = "made-from.txt"
SOURCES = ("bom.csv", "pins.csv", "*.py")


def digest() -> str:
    """Return a line for each source: its SHA-256 and its name."""
    files = sorted({file for pattern in SOURCES for file in HERE.glob(pattern)})
    lines = (f"{sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
    return "".join(lines)
