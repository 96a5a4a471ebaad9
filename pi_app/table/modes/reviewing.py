"""What is shown of a game that is over: luck and skill apart, and how the chances went."""

from __future__ import annotations

from dataclasses import replace

from pi_app.players.looks import SeatReview, curve, looks, reviewed
from pi_app.table.screen import Curve, Page
from pi_app.table.state import Reviewed, Session
from pi_app.table.words import letter, many


def begun(s: Session) -> Session:
    """Return the session that knows what to ask of the game that is over."""
    game = s.playing.game
    if s.review is not None and s.review.over == game:
        return s
    return replace(s, review=Reviewed(game, looks(s.playing)))


def luck(s: Session, hint: str) -> Page:
    """Return each seat's luck, and what it gave away, as far as it is known."""
    review = _of(s)
    ready = reviewed(review.looks, (*review.found, *[None] * _missing(review)))
    lines = tuple(map(_of_seat, ready.seats)) if ready.ready else ()
    return Page("Luck and skill", (*lines, *_so_far(review)), hint)


def curve_shown(s: Session, hint: str) -> Curve:
    """Return how the chances went, as far as that is known."""
    review = _of(s)
    known = [one.chances for one in review.found]
    found = curve(review.looks, (*known, *[None] * _missing(review)))
    return Curve("Chances to win", found, len({one.turn for one in review.looks}), hint)


def _of(s: Session) -> Reviewed:
    game = s.playing.game
    known = s.review is not None and s.review.over == game
    return s.review if known and s.review else Reviewed(game, ())


def _missing(review: Reviewed) -> int:
    return len(review.looks) - len(review.found)


def _of_seat(one: SeatReview) -> str:
    return f"{letter(one.seat)}: luck {round(one.luck):+d}, gave away {round(one.gave_away)}"


def _so_far(review: Reviewed) -> tuple[str, ...]:
    """Return how much is still to be looked at, nothing once all is known."""
    if review.failed:
        return ("can't be worked out now",)
    if not review.looks:
        return ("no dice were thrown",)
    ready, of = len(review.found), many(len(review.looks), "throw")
    return () if ready == len(review.looks) else (f"{ready} of {of} looked at",)
