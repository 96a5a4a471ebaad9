"""Why a step is the best: which reason, and its details as values. Has no words."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, get_args

from rules.board import SEATS

# What ends in `-later` comes true by a step of the same play that follows.
Kind = Literal[
    "only-step",
    "nothing-lost",
    "another-as-good",
    "better-in-all",
    "wins",
    "captures",
    "captures-later",
    "brings-home",
    "brings-home-later",
    "gets-out",
    "gets-out-later",
    "safer",
    "less-to-lose",
    "more-throws-capture",
    "shuts-out",
    "keeps-blockade",
    "makes-blockade",
    "in-the-way",
    "not-stuck",
    "clears-entry",
    "more-on-safe-spaces",
    "into-home-row",
    "more-throws-bring-home",
    "fewer-behind",
    "farther",
    "brings-last-on",
    "brings-first-on",
    "throws-again",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
OF_SEATS: frozenset[Kind] = frozenset({"captures", "captures-later", "shuts-out", "in-the-way"})


class HintReason(NamedTuple):
    """A reason. seats: whom it is about. many: how many pawns, spaces or throws, of so many."""

    kind: Kind
    seats: tuple[int, ...] = ()
    many: int = 0
    of: int = 0


def parse_hint_reason(told: Any) -> HintReason:
    """Return a reason as JSON has it, a list of its four values; ValueError where it is none."""
    try:
        kind, seats, *numbers = told
        many, of = numbers
        seats = tuple(seats)
    except (TypeError, ValueError):
        raise ValueError(f"{told!r} is no reason: it is kind, seats, many and of") from None
    named = set(seats) <= set(range(SEATS)) and bool(seats) == (kind in OF_SEATS)
    whole = all(type(one) is int and one >= 0 for one in (*seats, *numbers))
    if kind not in KINDS or not named or not whole:
        raise ValueError(f"{told!r} is no reason that the players give")
    return HintReason(kind, seats, many, of)
