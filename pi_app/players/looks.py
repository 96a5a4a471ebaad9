"""A game that was played as looks, one for each throw, and what is ready of them; judges nothing.

Looks are judged one at a time, in any order, anywhere: they and what is found are numbers and texts
alone. Throws for who begins are left out; one that undo took back and that came again counts once,
as it was played in the end.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from pi_app.players.options import without
from rules import (
    Game,
    Move,
    Phase,
    Record,
    Stop,
    Throw,
    format_position,
    game_text,
)
from rules.history import Done

DEAREST = 3  # decisions of a seat that are told
SEATS = 4

Chances = tuple[float | None, ...]  # of seats 0 to 3, None of those that don't play for it


class Look(NamedTuple):
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


class Found(NamedTuple):
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


def line_of(one: Look | Found) -> str:
    """Return a look, or what it found, as one line of JSON."""
    return json.dumps(one)


def parse_look(line: str) -> Look:
    """Return the look that a line of `line_of` gives."""
    return Look(*map(_frozen, json.loads(line)))


def parse_found(line: str) -> Found:
    """Return what a line of `line_of` says was found."""
    return Found(*map(_frozen, json.loads(line)))


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


# --- a game becomes looks ----------------------------------------------------------------------


def looks(record: Record) -> tuple[Look, ...]:
    """Return what there is to look at in a game, over or not, in order."""
    return tuple(_looks(record))


@dataclass(slots=True)
class _Open:
    """A throw whose play is followed."""

    thrown_in: Game
    throw: Throw
    first_time: bool
    chosen_in: Game | None = None
    played: list[str] = field(default_factory=list)

    def closed(self, ended: str = "", first: int = 0) -> Look:
        game = self.thrown_in
        chosen_in = game_text(self.chosen_in) if self.chosen_in else ""
        made = tuple(self.played)
        text, faces = game_text(game), self.throw.faces
        return Look(
            game.turns, game.seat, faces, text, self.first_time, chosen_in, made, ended, first
        )


def _looks(record: Record) -> Iterator[Look]:
    now: _Open | None = None
    waiting: list[tuple[int, Throw]] = []
    for done, after in _followed(record):
        before, action = done.before, done.action
        if isinstance(action, Throw):
            if before.phase is Phase.THROW:
                known = done.kept and (before.seat, action) in waiting
                if known:
                    waiting.remove((before.seat, action))
                now = _Open(before, action, not known)
        elif now is None:
            continue
        elif isinstance(action, Move | Stop):
            now.played += [str(action.step)] if isinstance(action, Move) else []
            if after.phase not in (Phase.MOVE, Phase.PENALTY):
                yield now.closed(*_ending(before, after))
                now = None
        elif after.throw:
            now.chosen_in, now.played = after, []
        else:
            waiting.append((before.seat, now.throw))
            yield now.closed()
            now = None
    if now is not None:
        yield now.closed()


def _followed(record: Record) -> Iterator[tuple[Done, Game]]:
    """Yield what counts, each with the game after it."""
    for done, following in pairwise(record.past):
        yield done, following.before
    if record.past:
        yield record.past[-1], record.game


def _ending(before: Game, after: Game) -> tuple[str, int]:
    """Return the position in which a play ended, as it is judged, and who threw next or has won."""
    first = before.seat if before.seat in after.places else after.seat
    return format_position(without(after.position, before.places)), first


# --- what is ready of them -----------------------------------------------------------------------


def reviewed(asked: Sequence[Look], found: Sequence[Found | None]) -> Review:
    """Return luck and skill of what is ready: `found` has None for a look that is not.

    A seat of which nothing is ready is there, too, with zeros.
    """
    ready = [n for n, one in enumerate(found) if one is not None]
    seats = sorted({one.seat for one in asked})
    return Review(len(ready), len(asked), tuple(_of_seat(seat, asked, found) for seat in seats))


def _of_seat(seat: int, asked: Sequence[Look], found: Sequence[Found | None]) -> SeatReview:
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


def curve(asked: Sequence[Look], chances: Sequence[Chances | None]) -> tuple[Chances, ...]:
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
