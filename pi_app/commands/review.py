"""`referee review`: luck and skill of a game apart, its dearest decisions, its luckiest throws."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence

from pi_app.advice.reviews import (
    ReviewRequest,
    SeatReview,
    ThrowReview,
    review_requests,
    sum_reviews,
)
from pi_app.commands import add_game, add_journal, align_columns, count_of, journal_path
from pi_app.players.review import review_throw
from pi_app.record.games import name_game_in_error, names_in, open_games
from pi_app.texts.words import seat_letter
from rules.jsonl import read_lines

EXPLANATION = (
    "Of 100 wins. Luck is the best play's chance to win less its mean over all throws: 0 is usual."
    "\n"
    "Gave away is the best play's chance less that of the play made: 0 is the best play each time."
)
HEADINGS = ("seat", "luck", "gave away")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_game(parser)
    add_journal(parser)


def main(options: argparse.Namespace) -> None:
    """Print what luck and skill were in a game, over or not."""
    with open_games(journal_path(options)) as games, name_game_in_error(options.game):
        played = tuple(read_lines(games.lines(options.game)))
    asked = review_requests(played[-1].record)
    found = tuple(_found(asked))
    print("\n".join(_report(asked, found, names_in(played[0].said))))


def _found(asked: Sequence[ReviewRequest]) -> Iterator[ThrowReview]:
    """Yield what is found of each throw, telling who waits how far it is."""
    waits = sys.stderr.isatty()
    for n, one in enumerate(asked, 1):
        if waits:
            print(
                f"\r{n} of {count_of(len(asked), 'throw')} ",
                end="",
                file=sys.stderr,
                flush=True,
            )
        yield review_throw(one)
    if waits:
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def _report(
    asked: Sequence[ReviewRequest], found: Sequence[ThrowReview], names: Mapping[str, str]
) -> Iterator[str]:
    yield EXPLANATION
    yield ""
    seats = sum_reviews(asked, found).seats
    called = {one.seat: names.get(seat_letter(one.seat), "") for one in seats}
    cells = [
        (
            f"{seat_letter(one.seat)} {called[one.seat]}".rstrip(),
            f"{one.luck:+.1f}",
            f"{one.gave_away:.1f}",
        )
        for one in seats
    ]
    yield from align_columns([HEADINGS, *cells], right=(1, 2))
    for one in seats:
        yield ""
        yield from _of_seat(one, asked, found)


def _of_seat(
    one: SeatReview, asked: Sequence[ReviewRequest], found: Sequence[ThrowReview]
) -> Iterator[str]:
    """Yield a seat's luckiest and unluckiest throw, then its dearest decisions."""
    seat = seat_letter(one.seat)
    for words, n in (("luckiest", one.luckiest), ("unluckiest", one.unluckiest)):
        if n is not None:
            yield f"{seat}'s {words} throw: {_throw(asked[n])}: {found[n].luck:+.1f}"
    for n in one.dearest:
        played, best = _steps(asked[n].played), _steps(found[n].best)
        yield f"{_throw(asked[n])}: {played} gave away {found[n].given_away:.1f}, best was {best}"


def _throw(one: ReviewRequest) -> str:
    return f"turn {one.turn}, {seat_letter(one.seat)} {'-'.join(map(str, one.throw))}"


def _steps(steps: Sequence[str]) -> str:
    return " ".join(steps) or "to leave the rest"
