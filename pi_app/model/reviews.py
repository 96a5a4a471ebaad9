"""The review of a game: a question for each throw, and the sums of the answers. Judges nothing.

Throws for who begins are left out. A throw that was undone and waited counts once, as it was played
in the end.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from pi_app.model.advice import Chances, ReviewQuestion, ThrowReview
from rules import Game, Move, Phase, Position, Record, RuleSet, Stop, Throw, next_seat
from rules.history import find_repeats
from rules.position import has_won

DEAREST = 3  # decisions of each seat in the report


def chances_of_sides(ruleset: RuleSet, chances: Chances) -> Chances:
    """Return each seat's chance as players read it: partners have that of their side, not half."""
    if not ruleset.partners:
        return chances
    a, b, c, d = (chance or 0.0 for chance in chances)
    return chances if None in chances else (a + c, b + d, a + c, b + d)


class SeatReview(NamedTuple):
    """One seat's luck and losses in points, as far as they are ready.

    dearest: its decisions with the greatest losses, the greatest first. luckiest, unluckiest: its
    throws. All of these are indices of questions.
    """

    seat: int
    luck: float
    gave_away: float
    dearest: tuple[int, ...]
    luckiest: int | None
    unluckiest: int | None


class Review(NamedTuple):
    """The sums of a game's review so far. ready, of: so many of so many throws."""

    ready: int
    of: int
    seats: tuple[SeatReview, ...]


def review_questions(record: Record) -> tuple[ReviewQuestion, ...]:
    """Return the throws of a game that can be reviewed, in order. The game may be in progress."""
    return tuple(_questions(record))


def _questions(record: Record) -> Iterator[ReviewQuestion]:
    now: ReviewQuestion | None = None
    repeats = find_repeats(record.past)
    games_after = (*(done.before for done in record.past[1:]), record.game)
    for index, (done, after) in enumerate(zip(record.past, games_after, strict=False)):
        before, action = done.before, done.action
        if isinstance(action, Throw):
            if before.phase is Phase.THROW:
                is_first = index not in repeats
                now = ReviewQuestion(before, before.turns, action.faces, is_first)
        elif now is None:
            continue
        elif isinstance(action, Move | Stop):
            if isinstance(action, Move):
                now = replace(now, played=(*now.played, action.step))
            if after.phase not in (Phase.MOVE, Phase.PENALTY):
                ended = remove_seats(after.ruleset, after.position, before.places)
                yield replace(now, ended=ended, first=_first_after(before, after))
                now = None
        elif after.throw:
            now = replace(now, chosen_in=after, played=())
        else:
            yield now
            now = None
    if now is not None:
        yield now


def _first_after(before: Game, after: Game) -> int:
    """Return the seat that throws after a play, or that has won by it.

    Where the game ends with its last turn, it is who would have thrown next.
    """
    has_finished = has_won(after.ruleset, after.position[before.seat])
    if after.phase is Phase.OVER:
        return before.seat if has_finished else next_seat(before, before.seat)
    return before.seat if has_finished and not after.ruleset.partners else after.seat


def remove_seats(ruleset: RuleSet, position: Position, gone: tuple[int, ...]) -> Position:
    """Return a position without the pawns of seats that have won.

    With partners they stay: a seat that has finished has a partner who plays on.
    """
    if not gone or ruleset.partners:
        return position
    a, b, c, d = (() if seat in gone else pawns for seat, pawns in enumerate(position))
    return a, b, c, d


def sum_reviews(asked: Sequence[ReviewQuestion], found: Sequence[ThrowReview | None]) -> Review:
    """Return the luck and skill of each seat, with zeros for a seat without a result yet.

    asked: the questions. found: their answers in the same order, None for those that are not ready.
    """
    seats = []
    for seat in sorted({question.seat for question in asked}):
        own = {
            index: result
            for index, (question, result) in enumerate(zip(asked, found, strict=True))
            if result is not None and question.seat == seat
        }
        losses = sorted((n for n in own if own[n].given_away), key=lambda n: -own[n].given_away)
        throws = [n for n in own if asked[n].first_time]
        sums = SeatReview(
            seat,
            sum(result.luck for result in own.values()),
            sum(result.given_away for result in own.values()),
            tuple(losses[:DEAREST]),
            max(throws, key=lambda n: own[n].luck, default=None),
            min(throws, key=lambda n: own[n].luck, default=None),
        )
        seats.append(sums)
    return Review(sum(result is not None for result in found), len(asked), tuple(seats))


def curve(
    asked: Sequence[ReviewQuestion], chances: Sequence[Chances | None]
) -> tuple[Chances, ...]:
    """Return each seat's chances after each turn whose end is ready.

    asked: the questions. chances: those after each throw's play, None if they are not ready. Turns
    without a finished play are left out.
    """
    after: dict[int, Chances] = {}
    for question, known in zip(asked, chances, strict=True):
        if known is None:
            after.pop(question.turn, None)  # the turn went on
        elif any(chance is not None for chance in known):
            after[question.turn] = known
    return tuple(after[turn] for turn in sorted(after))
