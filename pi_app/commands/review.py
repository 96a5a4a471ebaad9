"""`referee review`: separates luck and skill in a game, and lists the biggest mistakes."""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pi_app import commands
from pi_app.model.advice import ReviewQuestion, ThrowReview
from pi_app.model.reviews import review_questions, sum_reviews
from pi_app.model.tables import has_table
from pi_app.players.review import review_throw
from pi_app.record.games import add_game_to_error, names_in, open_games
from pi_app.texts.words import seat_letter
from rules.lines.jsonl import read_lines

EXPLANATION = (
    "All numbers are in wins of 100 games. Luck: how much better the throws were than average ones."
    "\n"
    "Gave away: how much better the best plays were than the actual plays."
)
NO_TABLE = "no table of weights was trained for its rules yet, so its luck and skill are unknown"
HEADINGS = ("seat", "luck", "gave away")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands.add_game(parser)
    commands.add_json(parser)
    commands.add_journal(parser)


def main(options: argparse.Namespace) -> None:
    with open_games(commands.journal_path(options)) as games, add_game_to_error(options.game):
        record_lines = tuple(read_lines(games.record_lines(options.game)))
    record = record_lines[-1].record
    if not has_table(record.game.ruleset):
        raise commands.UsageError(f"game {options.game} can't be reviewed: {NO_TABLE}")
    questions = review_questions(record)
    reviews = review_throws(questions)
    names = names_in(record_lines[0].fields)
    if options.json:
        print(json.dumps({"game": options.game, **_fields(questions, reviews, names)}))
    else:
        print("\n".join(_report(questions, reviews, names)))


def review_throws(questions: Sequence[ReviewQuestion]) -> list[ThrowReview]:
    """Return the review of each throw, and show the progress meanwhile."""
    reviews = []
    for number, question in enumerate(questions, 1):
        _show_progress(f"{number} of {commands.format_count(len(questions), 'throw')} ")
        reviews.append(review_throw(question))
    _show_progress("\033[K")
    return reviews


def _show_progress(text: str) -> None:
    """Replace the line of the terminal. Do nothing if nobody sees it."""
    if sys.stderr.isatty():
        print(f"\r{text}", end="", file=sys.stderr, flush=True)


def _report(
    questions: Sequence[ReviewQuestion], reviews: Sequence[ThrowReview], names: Mapping[str, str]
) -> Iterator[str]:
    """Yield the table of seats, then each seat's luckiest throws and biggest mistakes."""
    yield EXPLANATION
    yield ""
    seats = sum_reviews(questions, reviews).seats
    letters = [seat_letter(review.seat) for review in seats]
    cells = [
        (f"{letter} {names.get(letter, '')}".rstrip(), f"{one.luck:+z.1f}", f"{one.gave_away:.1f}")
        for letter, one in zip(letters, seats, strict=True)
    ]
    yield from commands.align_columns([HEADINGS, *cells], right_aligned=(1, 2))
    for letter, review in zip(letters, seats, strict=True):
        yield ""
        for kind, n in (("luckiest", review.luckiest), ("unluckiest", review.unluckiest)):
            if n is not None:
                yield f"{letter}'s {kind} throw: {_throw(questions[n])}: {reviews[n].luck:+z.1f}"
        for n in review.dearest:
            played, best = _steps(map(str, questions[n].played)), _steps(reviews[n].best)
            lost = reviews[n].given_away
            yield f"{_throw(questions[n])}: played {played}, gave away {lost:.1f}; best: {best}"


def _fields(
    questions: Sequence[ReviewQuestion], reviews: Sequence[ThrowReview], names: Mapping[str, str]
) -> dict[str, Any]:
    seats = [
        {**one._asdict(), "seat": seat_letter(one.seat), "name": names.get(seat_letter(one.seat))}
        for one in sum_reviews(questions, reviews).seats
    ]
    throws = [
        {
            "turn": question.turn,
            "seat": seat_letter(question.seat),
            "faces": question.throw,
            "luck": review.luck,
            "gave_away": review.given_away,
            "played": list(map(str, question.played)),
            "best": review.best,
        }
        for question, review in zip(questions, reviews, strict=True)
    ]
    return {"seats": seats, "throws": throws}


def _throw(question: ReviewQuestion) -> str:
    faces = "-".join(map(str, question.throw))
    return f"turn {question.turn}, {seat_letter(question.seat)} threw {faces}"


def _steps(steps: Iterable[str]) -> str:
    return " ".join(steps) or "no step"
