"""What is to be said, as a value: which text, and what goes into it. Has no words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat, 0 to 3, of which every language says the letter."""

    number: int


@dataclass(frozen=True, slots=True)
class Message:
    """A text by its id, and what goes into its slots; false where there is nothing to say.

    id: a `msgid` of the catalogs. slots: each one's name and value, by name. A text is what
    somebody typed, or a file's name: it is said as it is. Several values are said in a row.
    """

    id: str = ""
    slots: tuple[tuple[str, Value], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.id)


Value = int | str | Seat | Message | tuple["Value", ...]
Text = Message | str  # a text is said as it is
NOTHING = Message()


def message(name: str, /, **slots: Value) -> Message:
    """Return the message of this id with these values in its slots."""
    return Message(name, tuple(sorted(slots.items())))
