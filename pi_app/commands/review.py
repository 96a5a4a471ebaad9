"""`referee review`: separates luck and skill in a game, and lists the biggest mistakes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from pi_app.advice.reviews import (
    ReviewRequest,
    ThrowReview,
    review_requests,
    sum_reviews,
)
from pi_app.advice.rollouts import RolledGame, network_line, parse_rollouts
from pi_app.advice.tables import has_table
from pi_app.commands import (
    UsageError,
    add_game,
    add_journal,
    align_columns,
    format_count,
    journal_path,
)
from pi_app.commands.rollouts import RolloutWorker, roll_out_game
from pi_app.players.review import POINTS, review_throw
from pi_app.players.rolled_reviews import (
    RolledReview,
    network_name,
    replace_estimates,
    review_rolled_game,
    sum_margins,
)
from pi_app.players.rollouts import Estimate
from pi_app.record.games import add_game_to_error, names_in, open_games
from pi_app.record.rollouts import RolloutWriter, read_rollouts
from pi_app.texts.words import seat_letter
from rules import parse_game
from rules.jsonl import read_lines

EXPLANATION = (
    "All numbers are in wins of 100 games. Luck: how much better the throws were than average ones."
    "\n"
    "Gave away: how much better the best plays were than the actual plays."
)
ROLLOUTS_EXPLANATION = """\
Rollouts have replaced the estimate of what {ready} of {count} gave away; luck is an estimate.
In a rollout, the strongest bot plays on for every seat until the game is over.
The number after ± is half the width of the 95 % interval.
A smaller loss than that is not a mistake, and does not count."""
NO_TABLE = "no table of weights was trained for its rules yet, so its luck and skill are unknown"
HEADINGS = ("seat", "luck", "gave away")
ROLLED_HEADINGS = ("turn", "seat", "throw", "rollouts", "gave away", "")
STOPPED = "Stopped. The same command goes on from here."
DEFAULT_COUNT = 100
COUNTS = range(10, 2001)
MINUTE_S = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_game(parser)
    parser.add_argument(
        "--rollouts",
        action="store_true",
        help="play the game on many times after each throw, to measure what the throw's play gave "
        "away. This takes hours on a Pi. Ctrl-C stops it and prints the results so far; the same "
        "command goes on from there",
    )
    parser.add_argument(
        "--count",
        type=_parse_count,
        default=DEFAULT_COUNT,
        metavar="COUNT",
        help=f"how many times, from {COUNTS[0]} to {COUNTS[-1]}; default: {DEFAULT_COUNT}. With "
        "four times as many, intervals are half as wide",
    )
    add_journal(parser)


def _parse_count(text: str) -> int:
    if not text.isdecimal() or int(text) not in COUNTS:
        raise argparse.ArgumentTypeError(
            f"write a number from {COUNTS[0]} to {COUNTS[-1]} instead of {text!r}"
        )
    return int(text)


def main(options: argparse.Namespace) -> None:
    """Print luck and skill of each seat, also in a game that is not over."""
    journal = journal_path(options)
    with open_games(journal) as games, add_game_to_error(options.game):
        record_lines = tuple(read_lines(games.record_lines(options.game)))
    record = record_lines[-1].record
    if not has_table(record.game.ruleset):
        raise UsageError(f"game {options.game} can't be reviewed: {NO_TABLE}")
    requests = review_requests(record)
    rolled: dict[int, RolledReview] = {}
    if options.rollouts and requests:
        reviews, rolled = _roll_out(journal, options.game, requests, options.count)
    else:
        reviews = _review(requests, review_throw)
    print("\n".join(_report(requests, reviews, rolled, names_in(record_lines[0].fields))))


def _review(
    requests: Sequence[ReviewRequest], review: Callable[[ReviewRequest], ThrowReview]
) -> list[ThrowReview]:
    """Return the review of each throw, and show the progress meanwhile."""
    reviews = []
    for number, request in enumerate(requests, 1):
        _show_progress(f"{number} of {format_count(len(requests), 'throw')} ")
        reviews.append(review(request))
    _show_progress("\033[K")
    return reviews


def _roll_out(
    journal: Path, number: str, requests: Sequence[ReviewRequest], rolls: int
) -> tuple[list[ThrowReview], dict[int, RolledReview]]:
    """Return the reviews of a game's throws, and those by rollouts as far as they are ready.

    number: of the game. rolls: how many rollouts each play gets, together with those that are kept.
    """
    network = network_name(parse_game(requests[0].thrown_in).ruleset)
    game = parse_rollouts(read_rollouts(journal, number))
    is_new = game.network != network
    writer = RolloutWriter(journal, number, anew=is_new)
    if is_new:
        game = RolledGame(network, {})
        writer.add(network_line(network))
    with closing(RolloutWorker()) as worker:
        reviews = _review(requests, worker.review)
        try:
            for done, count, left_s in roll_out_game(
                worker, requests, reviews, game, writer.add, rolls
            ):
                throws = f"{done} of {format_count(count, 'throw')} rolled out"
                _show_progress(f"{throws}, {_duration(left_s)} left; Ctrl-C stops\033[K")
            _show_progress("\033[K")
        except KeyboardInterrupt:
            _show_progress("\033[K")
            print(STOPPED, file=sys.stderr)
    return reviews, review_rolled_game(requests, game)


def _show_progress(text: str) -> None:
    """Replace the line of the terminal. Do nothing if nobody sees it."""
    if sys.stderr.isatty():
        print(f"\r{text}", end="", file=sys.stderr, flush=True)


def _duration(seconds: float) -> str:
    minutes = round(seconds / MINUTE_S)
    hours = f"{minutes // 60} h " if minutes >= 60 else ""
    return f"about {hours}{minutes % 60} min" if minutes else "less than a minute"


def _report(
    requests: Sequence[ReviewRequest],
    reviews: Sequence[ThrowReview],
    rolled: Mapping[int, RolledReview],
    names: Mapping[str, str],
) -> Iterator[str]:
    """Yield the table of seats, each seat's luckiest throws and biggest mistakes, and the rollouts.

    rolled: the reviews by rollouts, by the index of the throw. names: of players, by letter.
    """
    yield EXPLANATION
    if rolled:
        count = format_count(len(requests), "throw")
        yield ROLLOUTS_EXPLANATION.format(ready=len(rolled), count=count)
    yield ""
    reviews = replace_estimates(reviews, rolled)
    seats, margins = sum_reviews(requests, reviews).seats, sum_margins(requests, rolled)
    letters = [seat_letter(review.seat) for review in seats]
    cells = [
        (
            f"{letter} {names.get(letter, '')}".rstrip(),
            f"{review.luck:+z.1f}",
            _points(review.gave_away, margins.get(review.seat)),
        )
        for letter, review in zip(letters, seats, strict=True)
    ]
    yield from align_columns([HEADINGS, *cells], right_aligned=(1, 2))
    for letter, review in zip(letters, seats, strict=True):
        yield ""
        for kind, n in (("luckiest", review.luckiest), ("unluckiest", review.unluckiest)):
            if n is not None:
                yield f"{letter}'s {kind} throw: {_throw(requests[n])}: {reviews[n].luck:+z.1f}"
        for n in review.dearest:
            played, best = _steps(requests[n].played), _steps(reviews[n].best)
            lost = _points(reviews[n].given_away, rolled[n].behind.margin if n in rolled else None)
            yield f"{_throw(requests[n])}: played {played}, gave away {lost}; best: {best}"
    if rolled:
        yield "\nChances after each play that was rolled out, and what it gave away:\n"
        yield from align_columns(list(_rolled_rows(requests, rolled)), right_aligned=(0, 3))


def _rolled_rows(
    requests: Sequence[ReviewRequest], rolled: Mapping[int, RolledReview]
) -> Iterator[tuple[str, ...]]:
    """Yield the headings and a row for each throw that was rolled out, in the order of the game."""
    seats = sorted({request.seat for request in requests})
    yield (*ROLLED_HEADINGS[:4], *map(seat_letter, seats), *ROLLED_HEADINGS[4:])
    for index, review in sorted(rolled.items()):
        turn, seat, faces = requests[index][:3]
        chances = [_estimate(review.chances[other], POINTS) for other in seats]
        throw = "-".join(map(str, faces))
        mistake = "mistake" if review.is_mistake else ""
        lost = _estimate(review.behind)
        yield str(turn), seat_letter(seat), throw, str(review.rolls), *chances, lost, mistake


def _estimate(estimate: Estimate | None, unit: float = 1.0) -> str:
    """Return an estimate in points, or "-" without one. unit: how many points its 1 is."""
    return _points(unit * estimate.mean, unit * estimate.margin or None) if estimate else "-"


def _points(points: float, margin: float | None) -> str:
    return f"{points:.1f}" if margin is None else f"{points:.1f} ± {margin:.1f}"


def _throw(request: ReviewRequest) -> str:
    faces = "-".join(map(str, request.throw))
    return f"turn {request.turn}, {seat_letter(request.seat)} threw {faces}"


def _steps(steps: Sequence[str]) -> str:
    return " ".join(steps) or "no step"
