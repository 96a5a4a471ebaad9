"""The fields of a line of JSON, read and checked. Does not depend on their meaning."""

import json
from collections.abc import Collection
from math import isfinite
from typing import Any

from ..board import NEST, SEATS, board, parse_place
from ..errors import InputError
from ..memory import Late, Memory, find_sharers, keep_start
from ..position import PAWNS, Pawns, Position, format_position, has_won, parse_position
from ..ruleset import LOTS, RuleSet, RuleSetError, parse_ruleset

BLANKS = " \t\n\r\v\f"  # ASCII white space; a line of any other blanks is not empty
BYTE_ORDER_MARK = "\ufeff"  # with which some editors begin a text in UTF-8


class FieldError(InputError):
    """A line that can't be used: one sentence that says what is wrong and where."""


def _read_finite(word: str) -> float:
    number = float(word)
    if not isfinite(number):
        raise FieldError(f"{word} is not a number of JSON: write a finite one")
    return number


# Python's own decoder accepts NaN, Infinity and 1e999, but what it writes for them is not JSON.
DECODER = json.JSONDecoder(parse_float=_read_finite, parse_constant=_read_finite)


def read_json(line: str) -> object:
    """Return the value of a line of JSON. Raises FieldError if the line is not JSON."""
    if line.startswith(BYTE_ORDER_MARK):
        raise FieldError("it begins with a byte order mark: save it as UTF-8 without one")
    try:
        return DECODER.decode(line)
    except FieldError:
        raise
    except (ValueError, RecursionError) as error:
        raise FieldError(f"not JSON: {error}") from None


def read_object(
    value: object, what: str, known: Collection[str], required: Collection[str]
) -> dict[str, Any]:
    """Return a value if it is an object with only known keys and with all required keys.

    what: how an error names the object, with an article.
    Raises FieldError if the value is another one.
    """
    if not isinstance(value, dict):
        raise FieldError(f'{what} is an object such as {{"ruleset": "pb", ...}}')
    unknown = [key for key in value if key not in known]
    if unknown:
        raise FieldError(f"unknown key {unknown[0]!r}: keys are {', '.join(known)}")
    missing = [key for key in required if key not in value]
    if missing:
        raise FieldError(f"{missing[0]!r} is missing")
    return value


def read_position(text: object, ruleset: RuleSet) -> Position:
    """Return the position in a text. Raises FieldError or PositionError if it is wrong."""
    if not isinstance(text, str):
        raise FieldError(f"position {text!r} is not a string such as 'N,N,N,N/-/N,N,N,N/-'")
    return parse_position(text, ruleset)


def read_seat(seat: object, position: Position) -> int:
    """Return a seat that has pawns."""
    if type(seat) is not int or seat not in range(SEATS):
        raise FieldError(f"seat {seat!r} is not a number from 0 to 3")
    if not position[seat]:
        raise FieldError(f"seat {seat} is empty in {format_position(position)}")
    return seat


def read_playing_seat(seat: object, position: Position, ruleset: RuleSet) -> int:
    """Return a seat that has pawns still to bring home."""
    number = read_seat(seat, position)
    if has_won(ruleset, position[number]):
        many = "all" if ruleset.to_win == PAWNS else "enough of"
        raise FieldError(f"seat {number} has won: {many} its pawns are home")
    return number


def read_throw(throw: object, dice: int, ruleset: RuleSet) -> tuple[int, ...]:
    """Return the faces of so many dice, or the number of mouths up."""
    table, are_dice = LOTS[ruleset.lots], ruleset.lots == "dice"
    if not isinstance(throw, list) or len(throw) != dice:
        what = f"{dice} dice" if are_dice else "one number of mouths up"
        raise FieldError(f"throw {throw!r} is not a list of {what}")
    for face in throw:
        if type(face) is not int or face not in table:
            what = "die" if are_dice else "number"
            raise FieldError(
                f"throw {throw!r} has a {what} that is not {min(table)} to 6: {face!r}"
            )
    return tuple(throw)


def remembered_keys(fields: object) -> tuple[str, ...]:
    """Return the keys for a memory that the rule set of an object asks for.

    Returns all of them if the rule set is wrong, so that the error is about the rule set.
    """
    if isinstance(fields, dict) and "ruleset" in fields:
        try:
            return parse_ruleset(fields["ruleset"]).remembers
        except RuleSetError:
            return Memory._fields
    return ()


def read_memory(fields: dict[str, Any], ruleset: RuleSet, position: Position, seat: int) -> Memory:
    """Return what an object has of a game's memory, in the keys that `RuleSet.remembers` names.

    position, seat: where the pawns are when the seat throws.
    """
    late = _read_late("late", fields.get("late", []), ruleset, position)
    tries = read_whole_number("tries", fields.get("tries", 0))
    if tries >= ruleset.tries:
        raise FieldError(
            f"tries {tries} is too many: a turn has at most {ruleset.tries} throws without a step, "
            "this throw included"
        )
    last = _read_last(fields["last"], position[seat]) if "last" in fields else None
    began, began_late = position, late
    if "began" in fields:
        began = read_position(fields["began"], ruleset)
        taken = [[bool(pawns), has_won(ruleset, pawns)] for pawns in (*began, *position)]
        if taken[:SEATS] != taken[SEATS:]:
            raise FieldError("began has other seats, or others that have won, than the position")
    if "began_late" in fields:
        began_late = _read_late("began_late", fields["began_late"], ruleset, began)
    return keep_start(Memory(late, last, tries), position, began, began_late)


def _read_late(key: str, late: Any, ruleset: RuleSet, position: Position) -> Late:
    on = board(ruleset.layout)
    if not isinstance(late, list) or any(
        not isinstance(item, list) or [type(number) for number in item] != [int] * 2
        for item in late
    ):
        raise FieldError(f"{key} {late!r} is not a list of [ring space, seat]")
    for space, who in late:
        if who not in find_sharers(on, position, space):
            raise FieldError(f"{key}: seat {who} shares no ring space {space} with another seat")
    if len({space for space, _ in late}) < len(late):
        raise FieldError(f"{key} {late} names a ring space twice")
    return tuple(sorted((space, who) for space, who in late))


def _read_last(value: object, pawns: Pawns) -> int | None:
    """Return the place of the pawn that moved last, one of a seat's `pawns`."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise FieldError(f"last {value!r} is not a place in quotes, such as '12'")
    try:
        place = parse_place(value)
    except ValueError as error:
        raise FieldError(f"last: {error}") from None
    if place == NEST or place not in pawns:
        raise FieldError(f"last {value!r} is not a place where the seat has a pawn that has moved")
    return place


def read_whole_number(name: str, value: object) -> int:
    """Return a number that is 0 or more."""
    if type(value) is not int or value < 0:
        raise FieldError(f"{name} {value!r} is not a whole number, 0 or more")
    return value


def read_flag(name: str, value: object) -> bool:
    """Return True or False."""
    if not isinstance(value, bool):
        raise FieldError(f"{name} {value!r} is neither true nor false")
    return value


def read_steps(play: object) -> list[str]:
    """Return the texts of a play's steps, which may be any texts."""
    if not isinstance(play, list) or not all(isinstance(step, str) for step in play):
        raise FieldError(f"play {play!r} is not a list of steps such as ['12-15(3)']")
    return play
