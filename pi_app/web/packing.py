"""Messages as JSON, for the process that puts them into words."""

from typing import Any

from pi_app.model.screens import Message, Seat


def pack(value: Any) -> Any:
    """Return a value of messages as one of dictionaries and lists only; `unpack` reads it back."""
    match value:
        case Message(name, slots):
            return {"$message": name, **{slot: pack(inner) for slot, inner in slots}}
        case Seat(number):
            return {"$seat": number}
        case tuple():
            return {"$list": [pack(member) for member in value]}
        case dict():
            return {key: pack(member) for key, member in value.items()}
        case list():
            return [pack(member) for member in value]
    return value


def unpack(value: Any) -> Any:
    """Return the value from which `pack` made this one."""
    match value:
        case {"$message": str(name), **inner}:
            slots: dict[Any, Any] = dict(inner)
            return Message(name, tuple((slot, unpack(slots[slot])) for slot in slots))
        case {"$seat": number}:
            return Seat(number)
        case {"$list": members}:
            return tuple(unpack(member) for member in members)
        case dict():
            return {key: unpack(member) for key, member in value.items()}
        case list():
            return [unpack(member) for member in value]
    return value
