"""Runs `referee` as somebody who may read the journal's folder and not write there.

As a process of its own it takes the place of the user nobody, once all is imported: the interpreter
may lie where only root looks. It needs root; the rest of us take the right to write away.
"""

import encodings.utf_8_sig  # noqa: F401  what is imported late is imported now
import gzip  # noqa: F401
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path

from pi_app.config.keys import DEFAULT
from tests.asked import can_not_run

ROOT = Path(__file__).parents[2]
NOBODY = 65534


def referee(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a command of `referee` as another user; without root, as this one."""
    if os.getuid() == 0 and not all(folder.stat().st_mode & 0o001 for folder in DEFAULT.parents):
        can_not_run(f"{DEFAULT} lies where only root looks: put the checkout elsewhere")
    return subprocess.run(
        [sys.executable, "-m", "tests.pi_app.stranger", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=100,
        check=False,
    )


@contextmanager
def readable_folder() -> Iterator[Path]:
    """Give a folder which another user may read."""
    with tempfile.TemporaryDirectory("-referee") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Let nobody but root write in a folder, nor to its files."""
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)
    try:
        yield
    finally:
        folder.chmod(0o755)
        for file in folder.iterdir():
            file.chmod(0o644)


def state(folder: Path) -> dict[str, tuple[bytes, int, int]]:
    """Return all that could be changed in a folder: each file's bytes, mode and time."""
    return {
        file.name: (file.read_bytes(), file.stat().st_mode, file.stat().st_mtime_ns)
        for file in folder.iterdir()
        if stat.S_ISREG(file.stat().st_mode)
    }


if __name__ == "__main__":
    from pi_app.__main__ import main, make_parser

    make_parser()  # loads every command
    metadata.version("gpiozero")  # imports what it needs
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    main(sys.argv[1:])
