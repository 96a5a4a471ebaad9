"""The screens of a review after a game: each seat's luck and loss, and the chances over time."""

from __future__ import annotations

from dataclasses import replace

from pi_app.advice.reviews import ThrowReview, curve, sum_reviews, throw_contexts
from pi_app.screens.screen import Curve, KeyHint, Seat, Text, TextScreen, message
from pi_app.table.core.state import ReviewState, Session

REFRESH_EVERY = 10  # throws


def begin_review(session: Session) -> Session:
    """Return the session with a review of its finished game, the one that it has if it has one."""
    review = _review_of(session)
    return session if review is session.review else replace(session, review=review)


def luck_screen(session: Session, keys: tuple[KeyHint[Text], ...]) -> TextScreen[Text]:
    """Return the screen with each seat's luck and loss, as far as they are known."""
    review = _review_of(session)
    known = _known_reviews(review)
    total = sum_reviews(review.thrown, (*known, *[None] * (len(review.thrown) - len(known))))
    seats = [
        message(
            "luck-of",
            seat=Seat(one.seat),
            luck=f"{round(one.luck):+d}",
            gave=round(one.gave_away),
        )
        for one in (total.seats if total.ready else ())
    ]
    ready, count = len(known), len(review.thrown)
    if review.failed:
        last = message("not-worked-out")
    elif not count:
        last = message("no-dice-thrown")
    elif ready < count:
        last = message("looked-at", ready=ready, count=count)
    else:
        last = message("luck-measure")
    lines = (*seats, last)  # at most five in the small font
    return TextScreen(message("luck-and-skill"), lines, keys)


def curve_screen(session: Session, keys: tuple[KeyHint[Text], ...]) -> Curve[Text]:
    """Return the screen with the chances over the turns, as far as they are known."""
    review = _review_of(session)
    known = [one.chances for one in _known_reviews(review)]
    chances = curve(review.thrown, (*known, *[None] * (len(review.thrown) - len(known))))
    turns = len({one.turn for one in review.thrown})
    return Curve(message("chances-to-win"), chances, turns, keys)


def _review_of(session: Session) -> ReviewState:
    if session.review is not None and session.review.past is session.playing.past:
        return session.review
    return ReviewState(session.playing.past, throw_contexts(session.playing))


def _known_reviews(review: ReviewState) -> tuple[ThrowReview, ...]:
    """Return the reviews to show.

    They grow by REFRESH_EVERY throws: the voice could not keep up with every single one.
    """
    known = len(review.found)
    return review.found[: known if known == len(review.thrown) else known - known % REFRESH_EVERY]
