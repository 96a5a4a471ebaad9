"""Keeps the rollouts of games: a file of lines for each game, in a folder next to the journal.

This module does not read what the lines mean. Rollouts can be made anew, so a power cut may cost
the last lines.
"""

from pathlib import Path

from pi_app.record.trouble import JournalError

FOLDER = "rollouts"  # in the journal's folder


def read_rollouts(journal: Path, number: str) -> tuple[str, ...]:
    """Return the lines that are kept of a game, () if there are none or they can't be read."""
    try:
        text = _file(journal, number).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    return tuple(text.splitlines())


class RolloutWriter:
    """Adds lines to those that are kept of a game.

    journal: the path. number: the game's. anew: whether to delete the lines of before.
    """

    def __init__(self, journal: Path, number: str, anew: bool) -> None:
        self._path = _file(journal, number)
        if anew:
            self._write("w", "")
        elif self._path.read_bytes()[-1:] not in (b"", b"\n"):  # a power cut left half a line
            self.add("")

    def add(self, line: str) -> None:
        """Add a line. Raises JournalError if the file can't be written."""
        self._write("a", f"{line}\n")

    def _write(self, mode: str, text: str) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open(mode, encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise JournalError(
                f"{self._path} can't be written ({error.strerror}): use sudo, or free some space"
            ) from error


def _file(journal: Path, number: str) -> Path:
    return journal.parent / FOLDER / f"{number}.jsonl"
