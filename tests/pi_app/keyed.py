"""Keys as tests write them: `OK: go on`. No test is in here."""

from pi_app.model.screens import KeyHint


def key(text: str) -> KeyHint[str]:
    """Return what to press and what that does: what is before the colon, and after it."""
    press, _, does = text.partition(": ")
    return KeyHint(press, does)


def keyed(*texts: str) -> tuple[KeyHint[str], ...]:
    """Return several keys."""
    return tuple(map(key, texts))
