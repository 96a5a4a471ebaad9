"""Parses the text of a configuration: keys, values and lines. It checks no value."""

import os
import re
import stat
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pi_app.model.errors import UserError
from rules.errors import brief

MAX_BYTES = 64_000  # of a file: ten times the shipped one
MAX_LINE_LENGTH = 1000  # characters: the time for a key of many parts grows with their square

FIRST_DISPLAY, SECOND_DISPLAY = "display", "display 2"  # in a file both have the same name

Mistake = tuple[str, str]  # the key, and a sentence about it


class ConfigError(UserError):
    """The configuration can't be used. Each mistake has a sentence."""

    def __init__(self, sentences: list[str]) -> None:
        self.sentences = tuple(map(brief, sentences))
        super().__init__("\n".join(self.sentences))


def read_text(path: Path) -> str:
    """Return a file's text. Raises ConfigError if it is unreadable, too long, or not UTF-8."""
    try:
        # Without O_NONBLOCK, opening a pipe would wait for its writer.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError(0, "not a file but a pipe or a device")
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        denied = isinstance(error, PermissionError)
        readable = f"make it readable by `sudo chmod a+r {path}`, or " if denied else ""
        what = f"{path} can't be read ({error.strerror}): {readable}name another file"
        raise ConfigError([what]) from None
    if len(data) > MAX_BYTES:
        raise ConfigError([f"{path} is longer than {MAX_BYTES // 1000} kB: name another file"])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError([f"{path} is not text in UTF-8: save it as such"]) from None


def parse_values(text: str) -> dict[str, object]:
    """Return the value of each key in a text, by full name. Raises ConfigError if not TOML."""
    lines = text.splitlines()
    if too_long := [n for n, line in enumerate(lines, 1) if len(line) > MAX_LINE_LENGTH]:
        what = f"longer than {MAX_LINE_LENGTH} characters: break it or take it out"
        raise ConfigError([f"line {too_long[0]}: {what}"])
    try:
        return dict(_leaves(tomllib.loads(text)))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        sentence = _declared_twice(str(error), lines)
        if sentence is None:
            message = str(error)
            place = re.search(r" \(at (?:line (\d+)|end of document).*\)", message)
            line = f"line {place[1]}" if place and place[1] else "last line"
            what = message[: place.start()] if place else message
            sentence = f"{line}: not TOML ({what[:1].lower()}{what[1:]}): correct this first"
        raise ConfigError([sentence]) from None


def _leaves(table: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, object]]:
    """Yield every key by its full name, with its value. An empty table is a value, too.

    within: the full name of the table, with a dot. A second [[display]] gets a name of its own.
    """
    for name, value in table.items():
        match value:
            case [dict()] | [dict(), dict()] if (within, name) == ("", FIRST_DISPLAY):
                yield from _leaves(dict(zip((FIRST_DISPLAY, SECOND_DISPLAY), value, strict=False)))
            case dict() if value:
                yield from _leaves(value, f"{within}{name}.")
            case _:
                yield f"{within}{name}", value


def _header(line: str) -> str | None:
    """Return the table that a line begins, such as `panel.A` for [panel.A], or None."""
    match = re.match(r"\s*\[+([^\[\]]+)\]", line)
    return _name(match[1]) if match else None


def _name(written: str) -> str:
    return re.sub(r"[\s\"']", "", written)


def with_line_numbers(mistakes: Iterable[Mistake], text: str) -> Iterator[tuple[int, str]]:
    """Yield the number of the line of each mistake, and its sentence. text: the configuration."""
    lines: dict[str, int] = {}  # the line that first names each table and key, by its plain name
    table, second = "", _name(SECOND_DISPLAY)
    for n, line in enumerate(text.splitlines(), 1):
        if header := _header(line):
            again = header == FIRST_DISPLAY in lines
            key = table = second if again else header
        elif name := re.match(r"\s*([^=#]+?)\s*=", line):
            key = f"{table}.{_name(name[1])}" if table else _name(name[1])
        else:
            continue
        for end in (*(at.start() for at in re.finditer(r"\.", key)), len(key)):
            lines.setdefault(key[:end], n)
    lines.setdefault(second, lines.get(FIRST_DISPLAY, 1))  # one line may have both
    for key, what in mistakes:
        place = _name(key)
        while place and place not in lines:
            place = place.rpartition(".")[0]
        yield lines.get(place, 1), what


def _declared_twice(message: str, lines: list[str]) -> str | None:
    """Return a sentence for tomllib's message about a repeated table, None for any other."""
    found = re.match(r"Cannot (?:declare .* twice|overwrite a value) \(at line (\d+),", message)
    if found is None:
        return None
    *above, line = lines[: int(found[1])]
    table = _header(line)
    places = [n for n, other in enumerate(above, 1) if table and _header(other) == table]
    if not places:  # the table has another form, such as `display = {}`
        return None
    two = ", or [[display]] in both places where there are two" if table == FIRST_DISPLAY else ""
    what = f"[{table}] is there already, in line {places[0]}: write its keys below that line{two}"
    return f"line {found[1]}: {what}"
