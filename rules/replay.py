"""A record judged: each line's action played by the rules, its position compared. Keeps nothing.

The form of a record: rules/RECORDS.md.
"""

from collections.abc import Iterable
from typing import Any

from rules.fields import FieldError, brief, read_json
from rules.game import Game, IllegalAction, Phase
from rules.history import SOURCES, Record, enter, new_record, parse_entry
from rules.position import PositionError, format_position
from rules.ruleset import RuleSetError, parse_ruleset

FORMAT, VERSION = "pachisi-record", 1
BLANKS = " \t\n\r\v\f"


def judge(lines: Iterable[str]) -> dict[str, Any]:
    """Return where a record leads, or what is wrong with its first line that can't be.

    Either `{"actions": n, "position": text, "over": flag, "places": seats}`, or
    `{"error": sentence, "line": number}`, counted from 1. Blank lines are passed over.
    """
    record, actions, number = None, 0, 0
    for number, line in enumerate(lines, 1):
        if not line.strip(BLANKS):
            continue
        try:
            if record is None:
                record = _begun(_object(line))
            else:
                record, actions = _followed(record, _object(line)), actions + 1
        except (FieldError, RuleSetError, PositionError, IllegalAction) as error:
            return {"error": brief(str(error)), "line": number}
    if record is None:
        return {"error": "nothing is there: the first line names format, version, ...", "line": 1}
    return _verdict(record.game, actions)


def _verdict(game: Game, actions: int) -> dict[str, Any]:
    return {
        "actions": actions,
        "position": format_position(game.position),
        "over": game.phase is Phase.OVER,
        "places": list(game.places),
    }


def _object(line: str) -> dict[str, Any]:
    """Return a line's object, whatever keys it has."""
    said = read_json(line)
    if not isinstance(said, dict):
        raise FieldError("a line of a record is an object")
    return said


def _begun(said: dict[str, Any]) -> Record:
    if said.get("format") != FORMAT:
        raise FieldError(f'the first line of a record has "format": "{FORMAT}"')
    if type(said.get("version")) is not int or said["version"] != VERSION:
        raise FieldError(f"version {said.get('version')!r} of the record is not {VERSION}")
    for key in ("ruleset", "seats"):
        if key not in said:
            raise FieldError(f"{key!r} is missing")
    seats = _seats(said["seats"])
    host = said.get("host", min(seats, default=0))
    if type(host) is not int or host not in seats:
        raise FieldError(f"host {host!r} is not one of the seats {seats}")
    joined = (host, *(seat for seat in seats if seat != host))
    return new_record(parse_ruleset(said["ruleset"]), joined)


def _seats(said: object) -> list[int]:
    if not isinstance(said, list) or any(type(seat) is not int for seat in said):
        raise FieldError(f"seats {said!r} is not a list such as [0, 2]")
    if len(set(said)) < len(said):
        raise FieldError(f"seats {said} names a seat twice")
    return said


def _followed(record: Record, said: dict[str, Any]) -> Record:
    action, position = (_text(said, key) for key in ("action", "position"))
    source = said.get("source")
    if source not in (None, *SOURCES):
        raise FieldError(f"source {source!r} is not one of {', '.join(SOURCES)}")
    try:
        entry = parse_entry(action)
    except ValueError as error:
        raise FieldError(str(error)) from None
    after, _ = enter(record, entry, source)
    here = format_position(after.game.position)
    if position != here:
        raise FieldError(f"after {entry} the rules say {here}, not {position}")
    return after


def _text(said: dict[str, Any], key: str) -> str:
    if key not in said:
        raise FieldError(f"{key!r} is missing")
    if not isinstance(said[key], str):
        raise FieldError(f"{key} {said[key]!r} is not a text")
    return str(said[key])
