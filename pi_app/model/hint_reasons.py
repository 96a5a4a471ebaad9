"""The reasons why a step is the best, as values. Has no words."""

from typing import Any, Literal, NamedTuple, get_args

from rules.board import SEATS

Kind = Literal[
    "only-step",
    "nothing-lost",
    "another-as-good",
    "better-in-all",
    "wins",
    "captures",
    "captures-later",  # by a later step of the same play
    "brings-home",
    "gets-out",
    "safer",
    "less-to-lose",
    "more-throws-capture",
    "keeps-blockade",
    "makes-blockade",
    "not-stuck",
    "more-on-safe-spaces",
    "into-home-row",
    "more-throws-bring-home",
    "fewer-behind",
    "farther",
    "brings-last-on",
    "brings-first-on",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
KINDS_WITH_SEATS: frozenset[Kind] = frozenset({"captures", "captures-later"})


class HintReason(NamedTuple):
    """A reason. seats: whom it is about. many, of: so many of so many pawns, spaces or throws."""

    kind: Kind
    seats: tuple[int, ...] = ()
    many: int = 0
    of: int = 0


def parse_hint_reason(values: Any) -> HintReason:
    """Return the reason in a JSON list of four values. Raises ValueError for any other value."""
    try:
        kind, seats, *numbers = values
        many, of = numbers
        seats = tuple(seats)
    except (TypeError, ValueError):
        raise ValueError(f"{values!r} is not a reason: write kind, seats, many and of") from None
    has_seats = set(seats) <= set(range(SEATS)) and bool(seats) == (kind in KINDS_WITH_SEATS)
    is_counted = all(type(number) is int and number >= 0 for number in (*seats, *numbers))
    if kind not in KINDS or not has_seats or not is_counted:
        raise ValueError(f"{values!r} is not a reason for a hint")
    return HintReason(kind, seats, many, of)
