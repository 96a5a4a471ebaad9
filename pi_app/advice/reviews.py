"""A game that was played as looks, one for each throw, and what is ready of them; judges nothing.

Looks are judged one at a time, in any order, anywhere: they and what is found are numbers and texts
alone. Throws for who begins are left out; one that undo took back and that came again counts once,
as it was played in the end.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from rules import (
    Game,
    Move,
    Phase,
    Position,
    Record,
    Step,
    Stop,
    Throw,
    format_position,
    game_text,
)
from rules.history import PastAction

DEAREST = 3  # decisions of a seat that are told
SEATS = 4

Chances = tuple[float | None, ...]  # of seats 0 to 3, None of those that don't play for it


class ReviewRequest(NamedTuple):
    """One throw at a turn: what was thrown in which game, and what was made of it.

    turn: counted from 1. thrown_in: the game before it, as `rules.game_text`. first_time: whether
    its luck counts, which it does not where a correction let it wait and it was counted before.
    chosen_in: the game in which its play began, "" where that is what the throw made of
    `thrown_in`, and no correction or leaving had it begin anew. played: its steps since then.
    ended: the position after it, "" where it was broken off. first: who threw next, or has won.
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
    """What a look found, in points; best: the steps of the best play, where another was made.

    chances: each seat's after the play, 0 to 1; all None where it was broken off.
    """

    luck: float
    given_away: float
    best: tuple[str, ...]
    chances: Chances


class SeatReview(NamedTuple):
    """One seat's luck and what it gave away, in points, of what is ready.

    dearest: its decisions that gave most away, the dearest first. luckiest, unluckiest: its throws.
    All by their place among the looks.
    """

    seat: int
    luck: float
    gave_away: float
    dearest: tuple[int, ...]
    luckiest: int | None
    unluckiest: int | None


class Review(NamedTuple):
    """What is ready of a game's looks, and how many are."""

    ready: int
    of: int
    seats: tuple[SeatReview, ...]


def json_line(one: ReviewRequest | ThrowReview) -> str:
    """Return a look, or what it found, as one line of JSON."""
    return json.dumps(one)


def parse_review_request(line: str) -> ReviewRequest:
    """Return the look that a line of `json_line` gives."""
    return ReviewRequest(*map(_frozen, json.loads(line)))


def parse_throw_review(line: str) -> ThrowReview:
    """Return what a line of `json_line` says was found."""
    return ThrowReview(*map(_frozen, json.loads(line)))


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


# --- a game becomes looks ----------------------------------------------------------------------


def review_requests(record: Record) -> tuple[ReviewRequest, ...]:
    """Return what there is to look at in a game, over or not, in order."""
    return tuple(map(review_request, throw_contexts(record)))


class ThrowContext(NamedTuple):
    """A look before it is text: the games themselves, None where a look has ""."""

    turn: int
    seat: int
    throw: tuple[int, ...]
    thrown_in: Game
    first_time: bool
    chosen_in: Game | None = None
    played: tuple[Step, ...] = ()
    ended: Position | None = None
    first: int = 0


def review_request(one: ThrowContext) -> ReviewRequest:
    """Return a throw as text, which takes longer than finding it."""
    return ReviewRequest(
        *one[:3],
        game_text(one.thrown_in),
        one.first_time,
        game_text(one.chosen_in) if one.chosen_in else "",
        tuple(map(str, one.played)),
        format_position(one.ended) if one.ended else "",
        one.first,
    )


def throw_contexts(record: Record) -> tuple[ThrowContext, ...]:
    """Return the throws of a game, over or not, in order."""
    return tuple(_thrown(record))


def _thrown(record: Record) -> Iterator[ThrowContext]:
    now: ThrowContext | None = None
    waiting: list[tuple[int, Throw]] = []
    for done, after in _followed(record):
        before, action = done.before, done.action
        if isinstance(action, Throw):
            if before.phase is Phase.THROW:
                known = done.kept and (before.seat, action) in waiting
                if known:
                    waiting.remove((before.seat, action))
                now = ThrowContext(before.turns, before.seat, action.faces, before, not known)
        elif now is None:
            continue
        elif isinstance(action, Move | Stop):
            if isinstance(action, Move):
                now = now._replace(played=(*now.played, action.step))
            if after.phase not in (Phase.MOVE, Phase.PENALTY):
                yield _ended(now, before, after)
                now = None
        elif after.throw:
            now = now._replace(chosen_in=after, played=())
        else:
            waiting.append((before.seat, Throw(now.throw)))
            yield now
            now = None
    if now is not None:
        yield now


def _followed(record: Record) -> Iterator[tuple[PastAction, Game]]:
    """Yield what counts, each with the game after it."""
    for done, following in pairwise(record.past):
        yield done, following.before
    if record.past:
        yield record.past[-1], record.game


def _ended(now: ThrowContext, before: Game, after: Game) -> ThrowContext:
    """Return a throw with the position in which its play ended, and who threw next or has won."""
    first = before.seat if before.seat in after.places else after.seat
    return now._replace(ended=remove_seats(after.position, before.places), first=first)


def remove_seats(position: Position, gone: tuple[int, ...]) -> Position:
    """Return a position without the pawns of some seats."""
    if not gone:
        return position
    a, b, c, d = (() if seat in gone else pawns for seat, pawns in enumerate(position))
    return a, b, c, d


# --- what is ready of them -----------------------------------------------------------------------


def sum_reviews(
    asked: Sequence[ReviewRequest | ThrowContext], found: Sequence[ThrowReview | None]
) -> Review:
    """Return luck and skill of what is ready: `found` has None for a look that is not.

    A seat of which nothing is ready is there, too, with zeros.
    """
    ready = [n for n, one in enumerate(found) if one is not None]
    seats = sorted({one.seat for one in asked})
    return Review(len(ready), len(asked), tuple(_of_seat(seat, asked, found) for seat in seats))


def _of_seat(
    seat: int, asked: Sequence[ReviewRequest | ThrowContext], found: Sequence[ThrowReview | None]
) -> SeatReview:
    own = {
        n: what
        for n, (one, what) in enumerate(zip(asked, found, strict=True))
        if what is not None and one.seat == seat
    }
    dear = sorted((n for n in own if own[n].given_away), key=lambda n: -own[n].given_away)
    thrown = [n for n in own if asked[n].first_time]
    return SeatReview(
        seat,
        sum(what.luck for what in own.values()),
        sum(what.given_away for what in own.values()),
        tuple(dear[:DEAREST]),
        max(thrown, key=lambda n: own[n].luck, default=None),
        min(thrown, key=lambda n: own[n].luck, default=None),
    )


def curve(
    asked: Sequence[ReviewRequest | ThrowContext], chances: Sequence[Chances | None]
) -> tuple[Chances, ...]:
    """Return each seat's chance after each turn whose end is ready.

    `chances` are those after each look, None where it is not ready. A turn in which no play was
    finished is left out.
    """
    after: dict[int, Chances] = {}
    for one, known in zip(asked, chances, strict=True):
        if known is None:
            after.pop(one.turn, None)  # the turn went on
        elif any(chance is not None for chance in known):
            after[one.turn] = known
    return tuple(after[turn] for turn in sorted(after))
