"""Reasons: the rule that stops a step, as a value with words. `obstacles` finds it."""

import re
from enum import Enum
from typing import NamedTuple

from ..board import SEAT_LETTERS
from ..increments import GRANT

RANGE = re.compile(r"S(\d+) to S(\d+)")  # of sources


class Rule(Enum):
    """What may stop a step: a line of words, and the source of the rule.

    A `Reason` fills in the braces. A line without a source is not a rule of the game: it says what
    is wrong with the step as it was written.
    """

    HOME_STAYS = "pawns that are home stay there", "S0"
    NO_PAWN = "no pawn of {own} is at {origin}"
    BONUS_USED = "the dice come before the bonus, and a bonus has been used", "S1, S4"
    ONE_TOTAL = "both dice are one increment of {total}, written ({total})", "S0 some MB"
    NO_TOUCH_DOWN = ("touching down on a held safety space is not in these rules", "S0 PB has it")
    NO_TOTAL = "each die is a move of its own, the total is not one", "S0, S3"
    SIX_COUNTS = "a six counts {spaces}{once}", "S0, S15"
    UNDERSIDE_LATER = "{number} is an underside, not granted until the nest is empty", "S0, S3, S4"
    SPENT = "{number} is spent: open is {left}"
    NOT_THROWN = "{number} is not in the throw: open is {left}"
    DOUBLET_SUM = "a sum is made of two dice that differ", "S0, S1"
    SUM_WRITTEN = "a sum is written larger first: ({sum})"
    ONLY_FIVES = f"of the {GRANT} spaces only the fives of a double five bring a pawn in", "S0 TR"
    ONLY_LEFT = f"only {{left}} of the {GRANT} spaces {{are}} left"
    PART_WRITTEN = f"the doublet is a grant of {GRANT} spaces: a part is written ({{part}}/{GRANT})"
    NO_GRANT = f"no grant of {GRANT} spaces is open: the dice are {{dice}}"
    PART_ENTERS = f"a part of the {GRANT} spaces never brings a pawn in", "S0 TR"
    TWO_SHARED = f"two pawns have shared the {GRANT} spaces already", "S0 TR v1960"
    PART_HAD = "the pawn at {origin} has had its part already", "S0 TR"
    FIVES_KEPT = "{kept} spaces are reserved for entering with the fives", "S0 TR"
    BONUS_ENTERS = "a bonus never brings a pawn in", "S0, S3, S7"
    ENTRY_SPACE = "from the nest a pawn goes to its entry space, step 0", "S0"
    OTHER_SUM = "{spent} makes {spaces}: a pawn enters with {entry}", "S0, S1, S8"
    OTHER_NUMBER = "a pawn enters with {entry}, not with {spent}", "S0 to S4, S7 to S15"
    ENTRY_BY_DIE = "a pawn enters with {entry} on one die, not with a sum", "S0"
    ENTRY_BY_SUM = "a pawn enters with a sum of {spaces}, not with one die", "S0"
    UNDERSIDE = "the underside of a die does not bring a pawn in", "S2 alone has it"
    ENTRY_BLOCKED = "{seat}'s blockade stands on {own}'s entry", "S0, S1, S2, S4, S7, S9"
    RESERVED = "{entry} is reserved for entering while the nest holds a pawn", "S0 SR v1975, TR"
    EXACT_COUNT = (
        "home is reached by exact count: {origin} needs {to_go}, not {spaces}",
        "S0 to S4, S6 to S12",
    )
    FOOT_COUNT = (
        "the foot of the ladder is reached by exact count: {origin} needs {to_go}, not {spaces}",
        "house rule",
    )
    LADDER = "on the ladder only a {number} moves this pawn", "S13"
    LEADS_ELSEWHERE = "{spaces} from {origin} leads to {targets}"
    HOME_WHOLE = f"a doublet brings a pawn home only with all {GRANT} spaces", "S0 TR"
    BARRED = "{seat}'s blockade {where} bars the way", "S0 to S4, S7 to S9"
    TWO_STAND = "two pawns of {seat} stand {where} already", "S0, S4, S7, S8"
    ONE_STANDS = "a pawn of {seat} stands {where} already", "S11 to S13"
    PARTNER_STANDS = "your partner's pawn stands there", "house rule"
    TOGETHER = "{seat} and {other} together bar the way {where}", "house rule"
    FULL = "two pawns stand {where} already", "S7, S8"
    PAIR_SAFE = "{seat}'s pawns {where} are together, and so they are safe", "S5, S10, S14"
    GOAL_PASSED = "{seat}'s pawn {where} can't be passed there", "S11"
    NOT_PASSED = "{seat}'s pawn {where} can't be passed", "S13"
    BENCH_PASSED = "two pawns of {seat} {where} can't be passed", "S15"
    LOTS_ENTER = "this throw brings no pawn in: only {enters} can", "S5, S6"
    GRACE_MOVES = "a grace only brings a pawn in, or takes one off the last square", "S6"
    GRACE_ENTERS = "of this throw only the 1 of its grace brings a pawn in", "S6"
    OWN_BARRED = "{seat}'s own blockade {where} bars the way", "S0 to S4, S7, S8"
    SAFETY_HELD = "{seat} holds the safety space {where}", "S0 to S6"
    NOTHING_TOUCHED = (
        "nobody holds a safety space {number} further, so these are two steps",
        "S0 PB",
    )
    WHOLE_THROW = "the throw is used whole or not at all, and it can't be used whole", "S0 some MB"
    WHOLE_DOUBLET = (
        "a doublet's four increments are all used or none is, and not all can be",
        "S0 SR, S4",
    )
    MARK_WRITTEN = "the step {does}: it is written {step}"
    PAIR_TOGETHER = (
        "a blockade's two pawns may not stand together again elsewhere",
        "S0, S1, S3, S4",
    )
    PAIR_ENDS = "a blockade's two pawns may not end together elsewhere", "S3"
    BONUS_FIRST = "a bonus comes after the dice, and a die can still be used", "S1, S4"
    MUST_ENTER = "as many pawns must enter as can", "S0 SR v1942, v1989, TR; S4; S7; S11"
    OPEN_FIRST = "a doublet must open a blockade, and a pawn of one can move", "S7, S8"
    CLEAR_FIRST = "the pawn on the entry must move first while the nest holds a pawn", "S11"
    ONLY_WIN = "the throw can't be used whole, so only a play that wins may be made", "S0 some MB"
    WASTES_GRANT = f"it would waste some of the {GRANT} spaces: another play uses more", "S0 TR"
    WASTES = "it would waste an increment: another play uses more", "S0, S1, S3, S4"
    LOWER_LOST = "the lower number is the one to be lost, not the higher", "S1"
    MUST_CAPTURE = "a capture must be made", "house rule"
    OVERDUE = "a blockade has stood too long and must be broken", "house rule"
    FALLS_SHORT = (
        "no play that may be completed begins so: it would waste what was thrown",
        "S0, S4",
    )
    THIRD_DOUBLET = "the third doublet moves nothing", "S0 to S4, S7, S8, S10, S15"
    NOT_AMONG = "{step} is not among the legal steps"

    def __init__(self, line: str, source: str = "") -> None:
        self.line, self.source = line, source

    @property
    def sources(self) -> tuple[str, ...]:
        """Which of the sources have the rule; `()` if it is not a rule of theirs."""
        named = RANGE.sub(
            lambda ends: " ".join(f"S{n}" for n in range(int(ends[1]), int(ends[2]) + 1)),
            self.source,
        )
        return tuple(re.findall(r"\bS\d+\b", named))


class Reason(NamedTuple):
    """Why a step is not legal: the rule, and this case of it."""

    rule: Rule
    seat: int | None = None  # whose pawns are in the way, if any; the first of two that share
    place: int | None = None  # where they are, as the moving seat counts its places
    details: tuple[tuple[str, str | int], ...] = ()  # the other values that the words name

    def fill(self, text: str) -> str:
        """Return a text of the rule with its braces filled in for this case."""
        letter = {} if self.seat is None else {"seat": SEAT_LETTERS[self.seat]}
        return text.format(**letter, **dict(self.details))


def because(
    rule: Rule, seat: int | None = None, place: int | None = None, **details: str | int
) -> Reason:
    """Return a reason, its details given by name."""
    return Reason(rule, seat, place, tuple(details.items()))


def words(reason: Reason) -> str:
    """Return one line that says why a step is not legal, with its source."""
    source = reason.rule.source
    return reason.fill(reason.rule.line) + (f" ({source})" if source else "")
