"""The session as one line of text for the log, which a test can read back. Decides nothing.

The text is a Python expression made of values: `state.Session(setup=events.Setup(), mode=...)`. It
leaves out fields that have their default. A game is written as `rules.record.game_text` does.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from enum import Enum
from typing import Any

from pi_app.settings.settings import EVENING, PLAYERS, Settings
from pi_app.table.core.state import Mode, Session
from pi_app.table.modes.menu.naming import Naming
from rules.game import Game
from rules.lines.record import game_text

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


def session_text(value: Any) -> str:
    """Return a session, or a value in it, as one line of text."""
    if isinstance(value, Game):
        return f"game({game_text(value)!r})"
    if isinstance(value, Enum):
        return f"{name_in_text(type(value))}.{value.name}"
    if is_dataclass(value) or hasattr(value, "_fields"):
        defaults = _defaults(type(value))
        changed = [name for name in defaults if getattr(value, name) != defaults[name]]
        values = (f"{name}={session_text(getattr(value, name))}" for name in changed)
        return f"{name_in_text(type(value))}({', '.join(values)})"
    if isinstance(value, tuple):
        return f"({''.join(f'{session_text(member)}, ' for member in value)})"
    if isinstance(value, Mapping):
        pairs = (f"{key!r}: {session_text(member)}" for key, member in value.items())
        return f"{{{', '.join(pairs)}}}"
    return repr(value)


def _defaults(kind: Any) -> dict[str, Any]:
    """Return the default of each field of a class, by name; MISSING if it has none."""
    if not is_dataclass(kind):
        return {name: kind._field_defaults.get(name, MISSING) for name in kind._fields}
    return {
        field.name: field.default if field.default_factory is MISSING else field.default_factory()
        for field in fields(kind)
        if field.init
    }


def name_in_text(kind: type) -> str:
    """Return the name of a class in a text, with its module's last word: `events.Setup`."""
    return f"{kind.__module__.rpartition('.')[2]}.{kind.__name__}"
