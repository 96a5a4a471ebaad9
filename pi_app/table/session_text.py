"""The session as one line of text, and back: a test can read what a log has. Decides nothing.

The text is a Python expression made of values: `state.Session(setup=events.Setup(), mode=...)`. It
leaves out fields that have their default. A game is written as `rules.record.game_text` does.
"""

import ast
import sys
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from enum import Enum
from functools import cache
from math import inf
from typing import Any, get_args, get_origin, get_type_hints

import pi_app.table.session  # noqa: F401  it imports every mode
from pi_app.settings.settings import EVENING, PLAYERS, Settings
from pi_app.table.core.state import Mode, Session
from pi_app.table.modes.menu.naming import Naming
from rules.game import Game
from rules.lines.record import game_text, parse_game

KEYS_WITH_NAMES = (*(setting.key for setting in PLAYERS), EVENING.key)  # players' names


def without_names(session: Session) -> Session:
    """Return the session without any player's name, for a log that others read."""
    kept, first = (
        {key: text for key, text in texts.items() if key not in KEYS_WITH_NAMES}
        for texts in (session.settings.kept, session.settings.first)
    )
    mode = _without_name(session.mode)
    return replace(session, mode=mode, settings=Settings(kept, first), whisper=None, reading=None)


def _without_name(mode: Any) -> Any:
    """Return a mode, and the modes inside it, without a name that is being entered."""
    within = {
        field.name: _without_name(value)
        for field in fields(mode)
        if isinstance(value := getattr(mode, field.name), Mode)
    }
    entered = {"text": ""} if isinstance(mode, Naming) else {}
    return replace(mode, **within, **entered)


def session_text(session: Session) -> str:
    """Return a session as one line of text that `parse_session` reads back."""
    return _text(session)


def parse_session(text: str) -> Session:
    """Return the session that a text describes. Raises ValueError if it describes none."""
    try:
        session = _value(ast.parse(text, mode="eval").body)
    except (SyntaxError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"{text[:60]!r} is not a session: {error!r}") from None
    if not isinstance(session, Session):
        raise ValueError(f"{text[:60]!r} is not a session, but a {type(session).__name__}")
    return session


def _text(value: Any) -> str:
    if isinstance(value, Game):
        return f"game({game_text(value)!r})"
    if isinstance(value, Enum):
        return f"{_name(type(value))}.{value.name}"
    if is_dataclass(value) or hasattr(value, "_fields"):
        defaults = dict(_defaults(type(value)))
        values = ((name, getattr(value, name)) for name in defaults)
        changed = (f"{name}={_text(field)}" for name, field in values if field != defaults[name])
        return f"{_name(type(value))}({', '.join(changed)})"
    if isinstance(value, tuple):
        return f"({''.join(f'{_text(member)}, ' for member in value)})"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key!r}: {_text(member)}" for key, member in value.items()) + "}"
    return repr(value)


def _defaults(kind: Any) -> Iterator[tuple[str, Any]]:
    """Yield the name of each field of a class with its default, or with MISSING."""
    if not is_dataclass(kind):
        for name in kind._fields:
            yield name, kind._field_defaults.get(name, MISSING)
        return
    for field in fields(kind):
        default = field.default if field.default_factory is MISSING else field.default_factory()
        if field.init:
            yield field.name, default


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
        if not isinstance(kind, type) or _name(kind) in found:
            continue
        if issubclass(kind, Mode):
            left += kind.__subclasses__()
            if getattr(sys.modules[kind.__module__], kind.__name__, None) is not kind:
                continue  # `dataclass(slots=True)` made another class of it
        if is_dataclass(kind) or hasattr(kind, "_fields"):
            left += get_type_hints(kind).values()
        if is_dataclass(kind) or hasattr(kind, "_fields") or issubclass(kind, Enum):
            found[_name(kind)] = kind
    return found


def _name(kind: type) -> str:
    """Return the name of a class in a text, with its module's last word: `events.Setup`."""
    return f"{kind.__module__.rpartition('.')[2]}.{kind.__name__}"
