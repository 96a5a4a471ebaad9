"""The screens of a review after a game: each seat's luck and loss, and its chances by turn."""

from pi_app.model.advice import ThrowReview
from pi_app.model.reviews import SeatReview, curve, review_questions, sum_reviews
from pi_app.model.screens import Curve, KeyHint, Message, Seat, Text, TextScreen, message
from pi_app.model.tables import has_table
from pi_app.table.core.state import ReviewState, Session

REFRESH_EVERY_THROWS = 10


def luck_screen(session: Session, keys: tuple[KeyHint[Text], ...]) -> TextScreen[Text]:
    """Return the screen with each seat's luck and loss in the throws reviewed so far."""
    review = review_of(session)
    total = sum_reviews(review.thrown, _reviews_to_show(review))
    seats = map(_seat_line, total.seats if total.ready else ())
    if not has_table(session.playing.game.ruleset):
        last_line = message("no-luck-yet")
    elif review.failed:
        last_line = message("not-worked-out")
    elif not total.of:
        last_line = message("no-dice-thrown")
    elif total.ready < total.of:
        last_line = message("looked-at", ready=total.ready, count=total.of)
    else:
        last_line = message("luck-measure")
    lines = (*seats, last_line)  # at most five in the small font
    return TextScreen(message("luck-and-skill"), lines, keys)


def _seat_line(seat: SeatReview) -> Message:
    """Return a seat's luck and loss: `A: luck +3, gave away 2`."""
    points = round(seat.luck)
    luck = message("minus" if points < 0 else "plus", number=abs(points))
    return message("luck-of", seat=Seat(seat.seat), luck=luck, gave=round(seat.gave_away))


def curve_screen(session: Session, keys: tuple[KeyHint[Text], ...]) -> Curve[Text]:
    """Return the screen with the chances over the turns reviewed so far."""
    review = review_of(session)
    known = [one if one is None else one.chances for one in _reviews_to_show(review)]
    chances = curve(review.thrown, known)
    turns = len({throw.turn for throw in review.thrown})
    partners = session.playing.game.ruleset.partners
    return Curve(message("chances-to-win"), chances, turns, keys, partners)


def review_of(session: Session) -> ReviewState:
    """Return the review of the session's finished game; one that it has goes on."""
    if session.review is not None and session.review.past is session.playing.past:
        return session.review
    return ReviewState(session.playing.past, review_questions(session.playing))


def _reviews_to_show(review: ReviewState) -> tuple[ThrowReview | None, ...]:
    """Return the review of each throw, None for those that are not to be shown yet.

    Their number rises in steps of REFRESH_EVERY_THROWS, because the voice can't speak the screen
    again after every throw.
    """
    found, count = len(review.found), len(review.thrown)
    shown = found if found == count else found - found % REFRESH_EVERY_THROWS
    return (*review.found[:shown], *[None] * (count - shown))
