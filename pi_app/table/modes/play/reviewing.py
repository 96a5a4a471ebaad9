"""What is shown of a game that is over: luck and skill apart, and how the chances went."""

from __future__ import annotations

from dataclasses import replace

from pi_app.advice.reviews import SeatReview, ThrowReview, curve, sum_reviews, throw_contexts
from pi_app.screens.screen import Curve, KeyHint, Message, Seat, Text, TextScreen, message
from pi_app.table.core.state import ReviewState, Session

AT_A_TIME = 10  # throws
MEASURE = message("luck-measure")


def begin_review(session: Session) -> Session:
    """Return the session that knows what to ask of the game that is over."""
    review = _of(session)
    return session if review is session.review else replace(session, review=review)


def luck_screen(session: Session, keys: tuple[KeyHint[Text], ...]) -> TextScreen[Text]:
    """Return each seat's luck, and what it gave away, as far as it is known."""
    review = _of(session)
    found = _shown(review)
    ready = sum_reviews(review.thrown, (*found, *[None] * (len(review.thrown) - len(found))))
    lines = tuple(map(_of_seat, ready.seats)) if ready.ready else ()
    lines = (*lines, *_so_far(review))  # five small ones at most
    return TextScreen(message("luck-and-skill"), lines, keys)


def curve_screen(session: Session, keys: tuple[KeyHint[Text], ...]) -> Curve[Text]:
    """Return how the chances went, as far as that is known."""
    review = _of(session)
    known = [one.chances for one in _shown(review)]
    found = curve(review.thrown, (*known, *[None] * (len(review.thrown) - len(known))))
    turns = len({one.turn for one in review.thrown})
    return Curve(message("chances-to-win"), found, turns, keys)


def _of(session: Session) -> ReviewState:
    if session.review is not None and session.review.past is session.playing.past:
        return session.review
    return ReviewState(session.playing.past, throw_contexts(session.playing))


def _shown(review: ReviewState) -> tuple[ThrowReview, ...]:
    """Return what is shown of what is known: not each throw anew, which nobody could hear out."""
    known = len(review.found)
    return review.found[: known if known == len(review.thrown) else known - known % AT_A_TIME]


def _of_seat(one: SeatReview) -> Message:
    luck, gave = f"{round(one.luck):+d}", round(one.gave_away)
    return message("luck-of", seat=Seat(one.seat), luck=luck, gave=gave)


def _so_far(review: ReviewState) -> tuple[Message, ...]:
    """Return how much is still to be looked at; once all is known, what the numbers count."""
    if review.failed:
        return (message("not-worked-out"),)
    if not review.thrown:
        return (message("no-dice-thrown"),)
    ready, of = len(_shown(review)), len(review.thrown)
    return (MEASURE if ready == of else message("looked-at", ready=ready, count=of),)
