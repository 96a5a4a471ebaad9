"""Reads the text of a session back, as a log has it."""

import ast
import sys
from dataclasses import is_dataclass
from enum import Enum
from functools import cache
from math import inf
from typing import Any, get_args, get_origin, get_type_hints

import pi_app.table.session  # noqa: F401  it imports every mode
from pi_app.table.core.state import Mode, Session
from pi_app.table.session_text import name_in_text
from rules.lines.record import parse_game


def parse_session(text: str) -> Session:
    """Return the session that a text describes. Raises ValueError if it describes none."""
    try:
        session = _value(ast.parse(text, mode="eval").body)
    except (SyntaxError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"{text[:60]!r} is not a session: {error!r}") from None
    if not isinstance(session, Session):
        raise ValueError(f"{text[:60]!r} is not a session, but a {type(session).__name__}")
    return session


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Call(func=ast.Name(id="game"), args=[ast.Constant(value=str() as text)]):
            return parse_game(text)
        case ast.Call(func=ast.Attribute() as name, args=[], keywords=keywords):
            arguments = {keyword.arg: _value(keyword.value) for keyword in keywords if keyword.arg}
            return _kinds()[ast.unparse(name)](**arguments)
        case ast.Attribute(value=ast.Attribute() as name, attr=member):
            return _kinds()[ast.unparse(name)][member]
        case ast.Tuple(elts=elements):
            return tuple(map(_value, elements))
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            return {_value(key): _value(value) for key, value in pairs if key}
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.Name(id="inf"):
            return inf
        case ast.Constant(value=value):
            return value
    raise ValueError(f"{ast.unparse(node)} can not be a value in a session")


@cache
def _kinds() -> dict[str, Any]:
    """Return every class that a session can contain, by its name in a text."""
    found: dict[str, Any] = {}
    left: list[Any] = [Session]
    while left:
        hint = left.pop()
        left += get_args(hint)
        kind = get_origin(hint) or hint
        if not isinstance(kind, type) or name_in_text(kind) in found:
            continue
        if issubclass(kind, Mode):
            left += kind.__subclasses__()
            if getattr(sys.modules[kind.__module__], kind.__name__, None) is not kind:
                continue  # `dataclass(slots=True)` made another class of it
        if is_dataclass(kind) or hasattr(kind, "_fields"):
            left += get_type_hints(kind).values()
        if is_dataclass(kind) or hasattr(kind, "_fields") or issubclass(kind, Enum):
            found[name_in_text(kind)] = kind
    return found
