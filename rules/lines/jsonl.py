"""Reads a record, which is lines of JSON. RECORDS.md describes the format.

The reader plays each action under the rules. The position after it must equal the position in the
record.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from ..errors import InputError
from ..history import Record, enter, new_record, parse_entry
from ..position import format_position
from ..ruleset import parse_ruleset
from .fields import BLANKS, FieldError, read_json

FORMAT, VERSION = "pachisi-record", 1


class RecordError(InputError):
    """A record is wrong. The text is one sentence about its first wrong line.

    sentence: the text without the line number. line: the line number, counted from 1.
    """

    def __init__(self, sentence: str, line: int) -> None:
        super().__init__(f"line {line}: {sentence}")
        self.sentence, self.line = sentence, line


class RecordLine(NamedTuple):
    """A line of a record: its number, its JSON object, and the record after this line."""

    line: int
    fields: dict[str, Any]
    record: Record


def read_lines(lines: Iterable[str]) -> Iterator[RecordLine]:
    """Yield a RecordLine for each line of a record that is not blank.

    Raises RecordError at the first wrong line.
    """
    record = None
    for number, line in enumerate(lines, 1):
        if not line.strip(BLANKS):
            continue
        with add_line_number(number):
            fields = read_json(line)
            if not isinstance(fields, dict):
                raise FieldError("this line is not a JSON object")
            if record is None:
                record = begin_record(fields)
            else:
                for key in ("action", "position"):
                    if not isinstance(_require(fields, key), str):
                        raise FieldError(f"{key} {fields[key]!r} is not a string")
                action, position = fields["action"], fields["position"]
                record = add_action(record, action, fields.get("source"))
                expected_position = format_position(record.game.position)
                if position != expected_position:
                    raise FieldError(
                        f"after {action} the position is {expected_position} by the rules, "
                        f"but the record has {position}"
                    )
        yield RecordLine(number, fields, record)
    if record is None:
        raise RecordError(
            "the record is empty: its first line must have format, version, ruleset and seats", 1
        )


@contextmanager
def add_line_number(number: int) -> Iterator[None]:
    """If the block raises an error about its input, raise a RecordError for this line."""
    try:
        yield
    except InputError as error:
        raise RecordError(str(error), number) from None
    except RecursionError:
        raise RecordError("this line has lists or objects nested too deeply", number) from None


# --- the first line ------------------------------------------------------------------------------


def check_each_key(fields: dict[str, Any]) -> Iterator[str]:
    """Yield each key of a record's first line, and then check its value.

    Raises FieldError or RuleSetError if a value is wrong. The last key yielded is the wrong one.
    """
    yield "format"
    if fields.get("format") != FORMAT:
        raise FieldError(
            f'format {fields.get("format")!r} is not "{FORMAT}", so this is not a record'
        )
    yield "version"
    if type(fields.get("version")) is not int or fields["version"] != VERSION:
        raise FieldError(
            f"the record has version {fields.get('version')!r}, but must have {VERSION}"
        )
    yield "ruleset"
    parse_ruleset(_require(fields, "ruleset"))
    yield "seats"
    seats = _require(fields, "seats")
    if not isinstance(seats, list) or any(type(seat) is not int for seat in seats):
        raise FieldError(f"seats {seats!r} is not a list such as [0, 2]")
    if len(set(seats)) < len(seats):
        raise FieldError(f"seats {seats} has a seat twice")
    yield "host"
    host = fields.get("host", min(seats, default=0))
    if type(host) is not int or host not in seats:
        raise FieldError(f"host {host!r} is not one of the seats {seats}")


def begin_record(fields: dict[str, Any]) -> Record:
    """Return a new record from its first line.

    Raises FieldError, RuleSetError or IllegalAction if the line is wrong.
    """
    for _ in check_each_key(fields):
        pass
    seats = fields["seats"]
    host = fields.get("host", min(seats, default=0))
    joined_seats = (host, *(seat for seat in seats if seat != host))
    return new_record(parse_ruleset(fields["ruleset"]), joined_seats)


def _require(fields: dict[str, Any], key: str) -> Any:
    if key not in fields:
        raise FieldError(f"{key!r} is missing")
    return fields[key]


# --- every other line ----------------------------------------------------------------------------


def add_action(record: Record, text: str, source: Any) -> Record:
    """Return the record after an action.

    text: the action. source: where its dice came from.
    Raises InputError if the text is not an action, the rules do not allow the action, or the source
    is unknown.
    """
    return enter(record, parse_entry(text), source)[0]
