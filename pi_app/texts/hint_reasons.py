"""The reasons for a hint as messages. Computes no reason."""

from pi_app.model.hint_reasons import HintReason
from pi_app.model.screens import Message, Seat, Value, message


def hint_words(why: HintReason) -> Message:
    """Return the message for a reason, with what it counts."""
    slots: dict[str, Value] = {
        "seats": tuple(map(Seat, why.seats)),
        "count": why.many,
        "throws": why.of,
    }
    return message(f"why-{why.kind}", **{name: value for name, value in slots.items() if value})
