"""A record as lines of JSON: reads each line, plays it by the rules and compares the position.

The form of a record: RECORDS.md.
"""

from collections.abc import Iterable, Iterator
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
    """A record that can't be: one sentence about its first wrong line.

    sentence: without the line. line: its number, counted from 1.
    """

    def __init__(self, sentence: str, line: int) -> None:
        super().__init__(f"line {line}: {sentence}")
        self.sentence, self.line = sentence, line


class RecordLine(NamedTuple):
    """A line of a record: its number, its object, and the record up to here."""

    line: int
    said: dict[str, Any]
    record: Record


def read_lines(lines: Iterable[str]) -> Iterator[RecordLine]:
    """Yield the first line of a record and then each action; RecordError at the first wrong line.

    Blank lines are passed over.
    """
    record = None
    for number, line in enumerate(lines, 1):
        if not line.strip(BLANKS):
            continue
        with name_line(number):
            said = read_json(line)
            if not isinstance(said, dict):
                raise FieldError("a line of a record is an object")
            if record is None:
                record = begin_record(said)
            else:
                for key in ("action", "position"):
                    if not isinstance(_require(said, key), str):
                        raise FieldError(f"{key} {said[key]!r} is not a text")
                action, position = said["action"], said["position"]
                record = enter_text(record, action, said.get("source"))
                here = format_position(record.game.position)
                if position != here:
                    raise FieldError(f"after {action} the rules say {here}, not {position}")
        yield RecordLine(number, said, record)
    if record is None:
        raise RecordError("nothing is there: the first line names format, version, ...", 1)


@contextmanager
def name_line(number: int) -> Iterator[None]:
    """Turn whatever is found wrong into a RecordError at this line."""
    try:
        yield
    except (FieldError, RuleSetError, PositionError, IllegalAction) as error:
        raise RecordError(brief(str(error)), number) from None
    except RecursionError:
        raise RecordError("its keys hold lists in lists, too many to be read", number) from None


# --- the first line ------------------------------------------------------------------------------


def check_first_line(said: dict[str, Any]) -> Iterator[str]:
    """Yield each key of a record's first line before checking its value; FieldError if it is wrong.

    So a caller that asks for one key after the other knows which key an error is about.
    """
    yield "format"
    if said.get("format") != FORMAT:
        raise FieldError(f'the first line of a record has "format": "{FORMAT}"')
    yield "version"
    if type(said.get("version")) is not int or said["version"] != VERSION:
        raise FieldError(f"version {said.get('version')!r} of the record is not {VERSION}")
    yield "ruleset"
    parse_ruleset(_require(said, "ruleset"))
    yield "seats"
    seats = _require(said, "seats")
    if not isinstance(seats, list) or any(type(seat) is not int for seat in seats):
        raise FieldError(f"seats {seats!r} is not a list such as [0, 2]")
    if len(set(seats)) < len(seats):
        raise FieldError(f"seats {seats} names a seat twice")
    yield "host"
    host = said.get("host", min(seats, default=0))
    if type(host) is not int or host not in seats:
        raise FieldError(f"host {host!r} is not one of the seats {seats}")


def begin_record(said: dict[str, Any]) -> Record:
    """Return the record that a first line begins; FieldError or RuleSetError if it can't."""
    for _ in check_first_line(said):
        pass
    seats = said["seats"]
    host = said.get("host", min(seats, default=0))
    joined = (host, *(seat for seat in seats if seat != host))
    return new_record(parse_ruleset(said["ruleset"]), joined)


def _require(said: dict[str, Any], key: str) -> Any:
    if key not in said:
        raise FieldError(f"{key!r} is missing")
    return said[key]


# --- every other line ----------------------------------------------------------------------------


def enter_text(record: Record, action: str, source: Any) -> Record:
    """Return the record after an action given as text; `source` is where its dice came from.

    FieldError if the text is not an action, IllegalAction if the action or the source does not fit.
    """
    try:
        entry = parse_entry(action)
    except ValueError as error:
        raise FieldError(str(error)) from None
    return enter(record, entry, source)[0]
