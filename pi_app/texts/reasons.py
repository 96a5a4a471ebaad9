"""Reasons as short messages: why a step is not legal, or the best. Finds no reason."""

from pi_app.model.hint_reasons import HintReason
from pi_app.model.screens import Message, Seat, Value, message
from pi_app.texts.words import side_words
from rules.board import SEAT_LETTERS
from rules.increments import GRANT
from rules.questions.reasons import Reason, Rule

OWN_BLOCKADE = message("reason-own-blockade")
OTHER_USES_MORE = message("reason-other-uses-more")
# The other rules never stop a step that a panel offers, only one that somebody writes.
SHORT_REASONS: dict[Rule, Message] = {
    Rule.BONUS_USED: message("reason-too-late"),
    Rule.TWO_SHARED: message("reason-two-had-some"),
    Rule.PART_HAD: message("reason-had-its-part"),
    Rule.FIVES_KEPT: message("reason-kept-for-entering"),
    Rule.RESERVED: message("reason-kept-for-entering"),
    Rule.UNDERSIDE: message("reason-underside"),
    Rule.EXACT_COUNT: message("reason-too-far"),
    Rule.HOME_WHOLE: message("reason-home-needs-all", spaces=GRANT),
    Rule.TWO_STAND: OWN_BLOCKADE,
    Rule.OWN_BARRED: OWN_BLOCKADE,
    Rule.WHOLE_THROW: message("reason-all-or-none"),
    Rule.WHOLE_DOUBLET: message("reason-all-four"),
    Rule.PAIR_TOGETHER: message("reason-pair"),
    Rule.PAIR_ENDS: message("reason-pair"),
    Rule.BONUS_FIRST: message("reason-dice-first"),
    Rule.MUST_ENTER: message("reason-must-enter"),
    Rule.ONLY_WIN: message("reason-only-a-win"),
    Rule.WASTES_GRANT: OTHER_USES_MORE,
    Rule.WASTES: OTHER_USES_MORE,
    Rule.FALLS_SHORT: OTHER_USES_MORE,
    Rule.LOWER_LOST: message("reason-higher-first"),
    Rule.MUST_CAPTURE: message("reason-must-capture"),
    Rule.OVERDUE: message("reason-break-first"),
    Rule.ONE_STANDS: message("reason-own-pawn"),
    Rule.GOAL_PASSED: message("reason-own-pawn"),
    Rule.FOOT_COUNT: message("reason-past-foot"),
    Rule.PARTNER_STANDS: message("reason-partner"),
    Rule.FULL: message("reason-full"),
    Rule.OPEN_FIRST: message("reason-open-first"),
    Rule.CLEAR_FIRST: message("reason-clear-first"),
    Rule.GRACE_MOVES: message("reason-grace-enters"),
    Rule.GRACE_ENTERS: message("reason-grace-enters"),
}


def short_reason(reason: Reason) -> Message:
    """Return a reason as a short message. Different rules may have the same one."""
    details = dict(reason.details)
    match reason.rule:
        case (
            Rule.ONLY_FIVES
            | Rule.BONUS_ENTERS
            | Rule.OTHER_NUMBER
            | Rule.ENTRY_BY_SUM
            | Rule.LOTS_ENTER
        ):
            numbers = tuple(str(details["enters"]).split(", "))
            if details.get("by_sum"):
                return message("reason-only-sum-enters", number=numbers[0])
            if len(numbers) > 1:
                return message("reason-only-these-enter", numbers=numbers)
            return message("reason-only-enters", number=numbers[0])
        case Rule.ONLY_LEFT:
            return message("reason-only-left", count=details["left"])
        case Rule.ENTRY_BLOCKED if reason.seat is not None:
            if SEAT_LETTERS[reason.seat] == details["own"]:
                return OWN_BLOCKADE
            return message("reason-entry-blocked", seat=Seat(reason.seat))
        case Rule.LADDER:
            return message("reason-ladder", number=details["number"])
        case Rule.NOT_PASSED if reason.seat is not None:
            if SEAT_LETTERS[reason.seat] == details["own"]:
                return SHORT_REASONS[Rule.GOAL_PASSED]
            return message("reason-not-passed", seat=Seat(reason.seat))
        case Rule.BENCH_PASSED if reason.seat is not None:
            return message("reason-bench", seat=Seat(reason.seat))
        case Rule.BARRED if reason.seat is not None:
            return message("reason-blocked", seat=Seat(reason.seat))
        case Rule.TOGETHER if reason.seat is not None:
            return message("reason-blocked", seat=side_words((reason.seat, reason.seat + 2)))
        case Rule.SAFETY_HELD if reason.seat is not None:
            return message("reason-safe", seat=Seat(reason.seat))
        case Rule.PAIR_SAFE if reason.seat is not None:
            return message("reason-pair-safe", seat=Seat(reason.seat))
    return SHORT_REASONS.get(reason.rule, message("reason-not-allowed"))


def hint_words(why: HintReason) -> Message:
    """Return the message for a hint's reason, with what it counts."""
    seats: tuple[Value, ...] = tuple(map(Seat, why.seats))
    slots: dict[str, Value] = {"seats": seats, "count": why.many, "throws": why.of}
    return message(f"why-{why.kind}", **{name: value for name, value in slots.items() if value})
