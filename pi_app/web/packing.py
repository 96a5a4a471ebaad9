"""Messages as JSON, for the process that puts them into words."""

from typing import Any

from pi_app.model.screens import Message, Seat


def pack(value: Any) -> Any:
    """Return a value of messages as JSON has it. `unpack`, as an object hook, reads it back."""
    match value:
        case Message(name, slots):
            return {"$message": name, **pack(dict(slots))}
        case Seat(number):
            return {"$seat": number}
        case tuple():
            return {"$list": [pack(member) for member in value]}
        case dict():
            return {key: pack(member) for key, member in value.items()}
        case list():
            return [pack(member) for member in value]
    return value


def unpack(found: dict[str, Any]) -> Any:
    """Return the value from which `pack` made this object of JSON."""
    match found:
        case {"$message": str(name), **slots}:
            return Message(name, tuple(slots.items()))
        case {"$seat": number}:
            return Seat(number)
        case {"$list": members}:
            return tuple(members)
    return found
