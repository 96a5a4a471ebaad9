"""A process watched by strace, and killed at one of its system calls."""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from signal import SIGKILL

from tests.asked import can_not_run

# What changes a file or a folder, or has it on the disk. `openat` makes files, too.
CALLS = (
    *("openat", "write", "pwrite64", "ftruncate", "fallocate", "fsync", "fdatasync"),
    *("rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat", "mkdir"),
)
ROOT = Path(__file__).parents[1]
Call = tuple[str, int]  # its name, and which of that name it is since the process began


def run_straced(arguments: Sequence[str], *options: str) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments under strace; return how that ended."""
    strace = shutil.which("strace")
    if strace is None:
        can_not_run("strace is not there: apt-get install strace")
    return subprocess.run(
        [strace, "-qq", *options, sys.executable, *arguments],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
        },
        capture_output=True,
        text=True,
        check=False,
    )


def calls_of(
    arguments: Sequence[str], log: Path, after: Callable[[str], bool]
) -> Iterator[tuple[Call, str]]:
    """Yield the system calls of a run with their lines in the log, from the first such line on."""
    done = run_straced(arguments, "-o", str(log), "-e", f"trace={','.join(CALLS)}")
    assert done.returncode == 0, done.stderr
    counts: Counter[str] = Counter()
    begun = False
    for line in log.read_text(errors="replace").splitlines():
        if called := re.match(r"(\w+)\(", line):
            counts[called[1]] += 1
            begun = begun or after(line)
            if begun:
                yield (called[1], counts[called[1]]), line


def kill_at(call: Call, arguments: Sequence[str]) -> None:
    """Run Python with these arguments and kill it before it makes this system call."""
    name, n = call
    done = run_straced(
        arguments, "-e", f"trace={name}", "-e", f"inject={name}:signal=KILL:when={n}"
    )
    assert done.returncode == -SIGKILL, (name, n, done.stderr)
