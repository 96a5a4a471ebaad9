"""Keeps what was read of games, such as their summaries, in files next to the journal.

A file may be deleted at any time: then the games are read and checked again. A checksum seals it,
so a damaged file counts as missing, and so does one of another version. The values of each game
have a mark of it, and are kept only as long as the mark is the same.
"""

import json
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from pi_app import __version__
from pi_app.record.files import write_whole
from pi_app.record.imported import IMPORTED_PREFIX

MAX_KEPT = 10_000  # games, the newest ones: their summaries take 2 MB, their counts 3 MB
MAX_BYTES = 10_000_000  # a larger file is not ours


class Summary(NamedTuple):
    """A game in a list of games.

    If rows of a damaged game are missing or changed, its result, duration and throws are unknown.
    """

    number: str  # such as `7`, or `i2` for an imported game
    ruleset: str  # a preset's name, `house rules`, or UNREADABLE_GAME
    seats: tuple[int, ...]  # () if the game can't be read
    names: dict[str, str]  # of the players, by the letters of their seats
    is_over: bool
    winners: tuple[int, ...]  # the first seat that finished, or the side that has won
    start: datetime | None  # None if the clock was not set
    duration_s: float | None  # while the table was on, None if unknown
    throws: int  # without those that undo took back
    is_damaged: bool = False

    @property
    def is_imported(self) -> bool:
        """Whether the game was not played at this table."""
        return self.number.startswith(IMPORTED_PREFIX)


class KeptValues:
    """The values that a file keeps for games, by the games' numbers."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines = _read_lines(path)
        self._is_changed = False

    def find(self, number: str, mark: str) -> list[Any] | None:
        """Return the values of a game if its mark is the same as when they were kept."""
        line = self._lines.get(number, "")
        return json.loads(line[len(mark) :]) if mark and line.startswith(f"{mark} ") else None

    def keep(self, number: str, mark: str, values: Sequence[Any]) -> None:
        """Keep the values of a game. mark: a word that changes if the game changes; "": do not."""
        if not mark:
            return
        text = json.dumps(values, ensure_ascii=False, default=datetime.isoformat)
        self._lines[number] = f"{mark} {text}"
        self._is_changed = True

    def write(self, numbers: Iterable[str]) -> None:
        """Write the values of these games, if there are new ones and the folder is this user's.

        Other users, root too, would leave a file that the table's user can't replace.
        """
        if not self._is_changed:
            return
        kept = [f"{number} {self._lines[number]}" for number in numbers if number in self._lines]
        body = "".join(f"{line}\n" for line in kept[-MAX_KEPT:]).encode()
        with suppress(OSError):
            if self._path.parent.stat().st_uid == os.geteuid():
                write_whole(self._path, f"{_seal(body)}\n".encode() + body)


def parse_summary(number: str, values: Sequence[Any]) -> Summary:
    """Return the summary of a game from its values in JSON, without the number."""
    ruleset, seats, names, is_over, winners, start, *rest = values
    began = datetime.fromisoformat(start) if start else None
    return Summary(number, ruleset, tuple(seats), names, is_over, tuple(winners), began, *rest)


def _read_lines(path: Path) -> dict[str, str]:
    """Return the lines of a file by their first words, {} if the file is not as it was written."""
    with suppress(OSError, UnicodeDecodeError):
        if path.is_file() and path.stat().st_size <= MAX_BYTES:
            seal, _, body = path.read_bytes().partition(b"\n")
            if seal == _seal(body).encode():
                words = (line.partition(" ") for line in body.decode().split("\n"))
                return {number: rest for number, _, rest in words}
    return {}


def _seal(body: bytes) -> str:
    return blake2b(body, digest_size=16, key=__version__.encode()).hexdigest()
