"""The text of a configuration: its keys with their values, and their lines. Checks no value."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pi_app.config.keys import FIRST, SECOND
from pi_app.errors import UserError

LONGEST = 64_000  # bytes of a file: ten times the one that is shipped
LONGEST_LINE = 1000  # characters: what a key of 50,000 parts costs grows with their square

Wrong = tuple[str, str]  # the key, and what is wrong with it in one sentence


class ConfigError(UserError):
    """A configuration that can't be used: all that is wrong with it, a sentence each."""

    def __init__(self, sentences: list[str]) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = tuple(sentences)


def text_of(path: Path) -> str:
    """Return a file's text; ConfigError for what is none, or too long to be a configuration."""
    try:
        data = _bytes(path)
    except OSError as error:
        denied = isinstance(error, PermissionError)
        readable = f"make it readable by `sudo chmod a+r {path}`, or " if denied else ""
        what = f"{path} can't be read ({error.strerror}): {readable}name another file"
        raise ConfigError([what]) from None
    if len(data) > LONGEST:
        raise ConfigError([f"{path} is longer than {LONGEST // 1000} kB: name another file"])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError([f"{path} is not text in UTF-8: save it as such"]) from None


def _bytes(path: Path) -> bytes:
    """Return a file's first bytes, one more than are allowed; never waits for a pipe."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(0, "not a file but a pipe or a device")
        return file.read(LONGEST + 1)


def values_in(text: str) -> dict[str, object]:
    """Return what a text says of each key, by its name in full; ConfigError where it is no TOML."""
    lines = text.splitlines()
    if long := [n for n, line in enumerate(lines, 1) if len(line) > LONGEST_LINE]:
        what = f"longer than {LONGEST_LINE} characters: break it or take it out"
        raise ConfigError([f"line {long[0]}: {what}"])
    try:
        return dict(_leaves(tomllib.loads(text)))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        told = _declared_twice(str(error), lines) or _syntax_error(str(error))
        raise ConfigError([told]) from None


def _leaves(table: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, object]]:
    """Yield every key by its name in full with its value; an empty table is a value.

    Where [[display]] stands twice, the second is a table of its own name.
    """
    for name, value in table.items():
        if not within and name == FIRST and _are_displays(value):
            yield from _leaves(dict(zip((FIRST, SECOND), value, strict=False)))
        elif isinstance(value, dict) and value:
            yield from _leaves(value, f"{within}{name}.")
        else:
            yield f"{within}{name}", value


def _are_displays(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) in (1, 2)
        and all(isinstance(one, dict) for one in value)
    )


def _lines(texts: list[str]) -> dict[str, int]:
    """Return the line in which each table and key is first named, by `_name` of it."""
    lines: dict[str, int] = {}
    table, second = "", _name(SECOND)
    for n, line in enumerate(texts, 1):
        if header := _header(line):
            again = header == FIRST in lines
            key = table = second if again else header
        elif name := re.match(r"\s*([^=#]+?)\s*=", line):
            key = f"{table}.{_name(name[1])}" if table else _name(name[1])
        else:
            continue
        for end in (*(at.start() for at in re.finditer(r"\.", key)), len(key)):
            lines.setdefault(key[:end], n)
    return {second: lines.get(FIRST, 1)} | lines  # both may stand in one line


def _header(line: str) -> str | None:
    """The table that a line begins: `panel.A` for [panel.A]."""
    found = re.match(r"\s*\[+([^\[\]]+)\]", line)
    return _name(found[1]) if found else None


def _name(written: str) -> str:
    return re.sub(r"[\s\"']", "", written)


def with_line_numbers(wrong: Iterable[Wrong], text: str) -> Iterator[tuple[int, str]]:
    """Yield what is wrong, each sentence after the line that it is about."""
    lines = _lines(text.splitlines())
    for key, what in wrong:
        place = _name(key)
        while place and place not in lines:
            place = place.rpartition(".")[0]
        yield lines.get(place, 1), what


def _declared_twice(message: str, lines: list[str]) -> str | None:
    """Return what tomllib's message says of a table, None where it speaks of something else."""
    found = re.match(r"Cannot (?:declare .* twice|overwrite a value) \(at line (\d+),", message)
    if found is None:
        return None
    *above, line = lines[: int(found[1])]
    table = _header(line)
    places = [n for n, other in enumerate(above, 1) if table and _header(other) == table]
    if not places:  # it is written in another way, as `display = {}`
        return None
    two = ", or [[display]] in both places where there are two" if table == FIRST else ""
    what = f"[{table}] is there already, in line {places[0]}: write its keys below that line{two}"
    return f"line {found[1]}: {what}"


def _syntax_error(message: str) -> str:
    place = re.search(r" \(at (?:line (\d+)|end of document).*\)", message)
    line = f"line {place[1]}" if place and place[1] else "last line"
    what = message[: place.start()] if place else message
    return f"{line}: not TOML ({what[:1].lower()}{what[1:]}): correct this first"
