"""A record as lines of JSON: each is read, played by the rules and its position compared.

The form of a record: RECORDS.md.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from .fields import FieldError, brief, read_json
from .game import IllegalAction
from .history import Record, enter, new_record, parse_entry
from .position import PositionError, format_position
from .ruleset import RuleSetError, parse_ruleset

FORMAT, VERSION = "pachisi-record", 1
BLANKS = " \t\n\r\v\f"


class RecordError(ValueError):
    """A record that can't be: one sentence on its first line that is wrong, counted from 1."""

    def __init__(self, sentence: str, line: int) -> None:
        super().__init__(f"line {line}: {sentence}")
        self.sentence, self.line = sentence, line


class Played(NamedTuple):
    """What was read up to here: the line's number, all it says, and the record after it."""

    line: int
    said: dict[str, Any]
    record: Record


def read_lines(lines: Iterable[str]) -> Iterator[Played]:
    """Yield the first line of a record and each action; RecordError at what can't be.

    Blank lines are passed over.
    """
    record = None
    for number, line in enumerate(lines, 1):
        if not line.strip(BLANKS):
            continue
        with told_at(number):
            said = _object(line)
            record = begun(said) if record is None else _followed(record, said)
        yield Played(number, said, record)
    if record is None:
        raise RecordError("nothing is there: the first line names format, version, ...", 1)


@contextmanager
def told_at(line: int) -> Iterator[None]:
    """Tell what is wrong as an error of this line."""
    try:
        yield
    except (FieldError, RuleSetError, PositionError, IllegalAction) as error:
        raise RecordError(brief(str(error)), line) from None
    except RecursionError:
        raise RecordError("its keys hold lists in lists, too many to be read", line) from None


def _object(line: str) -> dict[str, Any]:
    """Return a line's object, whatever keys it has."""
    said = read_json(line)
    if not isinstance(said, dict):
        raise FieldError("a line of a record is an object")
    return said


# --- the first line ------------------------------------------------------------------------------


def _check_format(said: dict[str, Any]) -> None:
    if said.get("format") != FORMAT:
        raise FieldError(f'the first line of a record has "format": "{FORMAT}"')


def _check_version(said: dict[str, Any]) -> None:
    if type(said.get("version")) is not int or said["version"] != VERSION:
        raise FieldError(f"version {said.get('version')!r} of the record is not {VERSION}")


def _check_ruleset(said: dict[str, Any]) -> None:
    parse_ruleset(_named(said, "ruleset"))


def _check_seats(said: dict[str, Any]) -> None:
    seats = _named(said, "seats")
    if not isinstance(seats, list) or any(type(seat) is not int for seat in seats):
        raise FieldError(f"seats {seats!r} is not a list such as [0, 2]")
    if len(set(seats)) < len(seats):
        raise FieldError(f"seats {seats} names a seat twice")


def _check_host(said: dict[str, Any]) -> None:
    seats = said["seats"]
    host = said.get("host", min(seats, default=0))
    if type(host) is not int or host not in seats:
        raise FieldError(f"host {host!r} is not one of the seats {seats}")


CHECKS: dict[str, Callable[[dict[str, Any]], None]] = {
    "format": _check_format,
    "version": _check_version,
    "ruleset": _check_ruleset,
    "seats": _check_seats,
    "host": _check_host,
}


def begun(said: dict[str, Any]) -> Record:
    """Return the record that the first line's keys begin."""
    for check in CHECKS.values():
        check(said)
    seats = said["seats"]
    host = said.get("host", min(seats, default=0))
    joined = (host, *(seat for seat in seats if seat != host))
    return new_record(parse_ruleset(said["ruleset"]), joined)


def _named(said: dict[str, Any], key: str) -> Any:
    if key not in said:
        raise FieldError(f"{key!r} is missing")
    return said[key]


# --- every other line ----------------------------------------------------------------------------


def _followed(record: Record, said: dict[str, Any]) -> Record:
    action, position = (_text(said, key) for key in ("action", "position"))
    after = entered(record, action, said.get("source"))
    here = format_position(after.game.position)
    if position != here:
        raise FieldError(f"after {action} the rules say {here}, not {position}")
    return after


def entered(record: Record, action: str, source: Any) -> Record:
    """Return the record after an action's text with its dice from this source."""
    try:
        entry = parse_entry(action)
    except ValueError as error:
        raise FieldError(str(error)) from None
    return enter(record, entry, source)[0]


def _text(said: dict[str, Any], key: str) -> str:
    if not isinstance(_named(said, key), str):
        raise FieldError(f"{key} {said[key]!r} is not a text")
    return str(said[key])
