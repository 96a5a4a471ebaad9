"""The reasons for a hint as messages. Computes no reason."""

from __future__ import annotations

from collections.abc import Callable

from pi_app.advice.hint_reasons import HintReason, Kind
from pi_app.screens.screen import Message, Seat, message


def hint_words(why: HintReason) -> Message:
    """Return the message for a reason."""
    text = TEXTS[why.kind]
    return text if isinstance(text, Message) else text(why)


def _seats(why: HintReason) -> tuple[Seat, ...]:
    return tuple(map(Seat, why.seats))


TEXTS: dict[Kind, Message | Callable[[HintReason], Message]] = {
    "only-step": message("why-only-step"),
    "nothing-lost": message("why-nothing-lost"),
    "another-as-good": message("why-another-as-good"),
    "better-in-all": message("why-better-in-all"),
    "wins": message("why-wins"),
    "captures": lambda why: message("why-captures", seats=_seats(why)),
    "captures-later": lambda why: message("why-captures-later", seats=_seats(why)),
    "brings-home": message("why-brings-home"),
    "gets-out": message("why-gets-out"),
    "safer": lambda why: message("why-safer", count=why.many, throws=why.of),
    "less-to-lose": message("why-less-to-lose"),
    "more-throws-capture": lambda why: message("why-more-throws-capture", count=why.many),
    "keeps-blockade": message("why-keeps-blockade"),
    "makes-blockade": message("why-makes-blockade"),
    "not-stuck": message("why-not-stuck"),
    "more-on-safe-spaces": lambda why: message("why-more-on-safe-spaces", count=why.many),
    "into-home-row": message("why-into-home-row"),
    "more-throws-bring-home": lambda why: message("why-more-throws-bring-home", count=why.many),
    "fewer-behind": lambda why: message("why-fewer-behind", count=why.many),
    "farther": lambda why: message("why-farther", count=why.many),
    "brings-last-on": message("why-brings-last-on"),
    "brings-first-on": message("why-brings-first-on"),
}
