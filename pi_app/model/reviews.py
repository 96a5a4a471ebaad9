"""The review of a game: a request for each throw, its result, and their sums. Judges nothing.

Requests and results are numbers and texts only, so a throw can be reviewed anywhere and in any
order. Throws for who begins are left out. A throw that was undone and waited counts once, as it was
played in the end.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from rules import (
    Game,
    Move,
    Phase,
    Position,
    Record,
    RuleSet,
    Step,
    Stop,
    Throw,
    format_position,
    game_text,
)
from rules.history import find_repeats

DEAREST = 3  # decisions of each seat in the report
SEATS = 4

Chances = tuple[float | None, ...]  # of seats 0 to 3, None for those that do not play


def chances_of_sides(ruleset: RuleSet, chances: Chances) -> Chances:
    """Return each seat's chance as players read it: partners have that of their side, not half."""
    if not ruleset.partners:
        return chances
    a, b, c, d = (chance or 0.0 for chance in chances)
    return chances if None in chances else (a + c, b + d, a + c, b + d)


class ReviewRequest(NamedTuple):
    """One throw as text: the game before it, and what the player did with it.

    turn: counted from 1. thrown_in: the game before the throw, as `rules.game_text`. first_time:
    whether its luck counts; it does not if the throw was counted before a correction. chosen_in:
    the game in which its play began, if a correction or a leaving changed it after the throw, else
    "". played: the steps since then. ended: the position after the play, "" if it was broken off.
    first: the seat that threw next, or that has won.
    """

    turn: int
    seat: int
    throw: tuple[int, ...]
    thrown_in: str
    first_time: bool = True
    chosen_in: str = ""
    played: tuple[str, ...] = ()
    ended: str = ""
    first: int = 0


class ThrowReview(NamedTuple):
    """The review of one throw, in points: hundredths of a win.

    best: the steps of the best play, if the player made another. chances: each seat's after the
    play, 0 to 1; all None if it was broken off.
    """

    luck: float
    given_away: float
    best: tuple[str, ...]
    chances: Chances


class SeatReview(NamedTuple):
    """One seat's luck and losses in points, as far as they are ready.

    dearest: its decisions with the greatest losses, the greatest first. luckiest, unluckiest: its
    throws. All of these are indices of requests.
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


def json_line(value: ReviewRequest | ThrowReview) -> str:
    """Return a request or a result as one line of JSON."""
    return json.dumps(value)


def parse_review_request(line: str) -> ReviewRequest:
    """Return the request of a line from `json_line`."""
    return ReviewRequest(*map(_as_tuple, json.loads(line)))


def parse_throw_review(line: str) -> ThrowReview:
    """Return the result of a line from `json_line`."""
    return ThrowReview(*map(_as_tuple, json.loads(line)))


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


# --- from a game to requests -------------------------------------------------------------------


def review_requests(record: Record) -> tuple[ReviewRequest, ...]:
    """Return the throws of a game that can be reviewed, in order, as text."""
    return tuple(map(review_request, throw_contexts(record)))


class ThrowContext(NamedTuple):
    """A request before it is text: it has games and steps, and None instead of ""."""

    turn: int
    seat: int
    throw: tuple[int, ...]
    thrown_in: Game
    first_time: bool
    chosen_in: Game | None = None
    played: tuple[Step, ...] = ()
    ended: Position | None = None
    first: int = 0


def review_request(context: ThrowContext) -> ReviewRequest:
    """Return a throw as text. That takes longer than finding it."""
    return ReviewRequest(
        *context[:3],
        game_text(context.thrown_in),
        context.first_time,
        game_text(context.chosen_in) if context.chosen_in else "",
        tuple(map(str, context.played)),
        format_position(context.ended) if context.ended else "",
        context.first,
    )


def throw_contexts(record: Record) -> tuple[ThrowContext, ...]:
    """Return the throws of a game that can be reviewed, in order. The game may be in progress."""
    return tuple(_contexts(record))


def _contexts(record: Record) -> Iterator[ThrowContext]:
    now: ThrowContext | None = None
    repeats = find_repeats(record.past)
    games_after = (*(done.before for done in record.past[1:]), record.game)
    for index, (done, after) in enumerate(zip(record.past, games_after, strict=False)):
        before, action = done.before, done.action
        if isinstance(action, Throw):
            if before.phase is Phase.THROW:
                is_first = index not in repeats
                now = ThrowContext(before.turns, before.seat, action.faces, before, is_first)
        elif now is None:
            continue
        elif isinstance(action, Move | Stop):
            if isinstance(action, Move):
                now = now._replace(played=(*now.played, action.step))
            if after.phase not in (Phase.MOVE, Phase.PENALTY):
                ended = remove_seats(after.ruleset, after.position, before.places)
                plays_on = after.ruleset.partners and after.phase is not Phase.OVER
                finished = before.seat in after.places and not plays_on
                first = before.seat if finished else after.seat
                yield now._replace(ended=ended, first=first)
                now = None
        elif after.throw:
            now = now._replace(chosen_in=after, played=())
        else:
            yield now
            now = None
    if now is not None:
        yield now


def remove_seats(ruleset: RuleSet, position: Position, gone: tuple[int, ...]) -> Position:
    """Return a position without the pawns of seats that have won.

    With partners they stay: a seat that has finished has a partner who plays on.
    """
    if not gone or ruleset.partners:
        return position
    a, b, c, d = (() if seat in gone else pawns for seat, pawns in enumerate(position))
    return a, b, c, d


# --- from results to sums ------------------------------------------------------------------------


def sum_reviews(
    asked: Sequence[ReviewRequest | ThrowContext], found: Sequence[ThrowReview | None]
) -> Review:
    """Return the luck and skill of each seat, with zeros for a seat without a result yet.

    asked: the requests. found: their results in the same order, None for those that are not ready.
    """
    seats = []
    for seat in sorted({request.seat for request in asked}):
        own = {
            index: result
            for index, (request, result) in enumerate(zip(asked, found, strict=True))
            if result is not None and request.seat == seat
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
    asked: Sequence[ReviewRequest | ThrowContext], chances: Sequence[Chances | None]
) -> tuple[Chances, ...]:
    """Return each seat's chances after each turn whose end is ready.

    asked: the requests. chances: those after each request's play, None if they are not ready. Turns
    without a finished play are left out.
    """
    after: dict[int, Chances] = {}
    for request, known in zip(asked, chances, strict=True):
        if known is None:
            after.pop(request.turn, None)  # the turn went on
        elif any(chance is not None for chance in known):
            after[request.turn] = known
    return tuple(after[turn] for turn in sorted(after))
