"""Rows as tests write them: an entry by its text."""

from pi_app.model.history import Row, parse_new
from rules.history import parse_entry


def recorded(
    action: str,
    position: str,
    source: str | None = None,
    boot: str | None = None,
    n: int | None = None,
    by: str | None = None,
    hint: str | None = None,
) -> Row:
    """Return the row of an entry, or of the start of a game, that a text gives."""
    entry = parse_new(action) if action.startswith("new ") else parse_entry(action)
    return Row(entry, position, source, boot, n, by, hint)
