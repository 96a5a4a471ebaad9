"""What the table asks the adviser, and how an answer changes the session. Computes no advice.

Each kind of question has an entry in `ASKING`, a case in `read_answer` and in `take_answer`, and a
function in `pi_app.players.working`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from zlib import crc32

from pi_app.advice.hint_reasons import parse_hint_reason
from pi_app.advice.reviews import json_line, parse_throw_review, review_request
from pi_app.input.events import Question
from pi_app.table.core.state import BotPlan, Odds, Session, Tip
from pi_app.texts.hint_reasons import hint_words
from rules.actions import Action, parse_action
from rules.board import SEATS
from rules.game import Game, Phase, at, play
from rules.position import format_position
from rules.record import game_text


def open_questions(session: Session) -> Question | None:
    """Return the most urgent question that the table has now, or None."""
    return next((question for ask in ASKING if (question := ask(session)) is not None), None)


def question_line(question: Question) -> str:
    """Return a question as one line of JSON for the adviser.

    A play's `chance` is a number from 0 up to 1 that a weak bot chooses by. It depends only on the
    throw and what came before it, so that a bot plays the same again after an undo.
    """
    kind, subject, level = question
    chance = 0.0
    if kind == "play" and isinstance(subject, Game):
        thrown_in = format_position(subject.thrown_in)
        throw = f"{thrown_in} {subject.seat} {subject.throw} {subject.throws}"
        chance = crc32(throw.encode()) / 2**32
    game = game_text(subject) if isinstance(subject, Game) else json_line(subject)
    return json.dumps({"kind": kind, "game": game, "level": level, "chance": chance})


def read_answer(question: Question, line: str) -> Any:
    """Return the value of the adviser's line, for `take_answer`.

    A play is a `BotPlan`, a hint a `Tip`, chances are `Odds`. A review is a `ThrowReview`, or None
    if the throw could not be reviewed. Raises ValueError if the line does not answer the question.
    """
    try:
        answer = json.loads(line)
        match question.kind:
            case "play":
                steps = tuple(_plan_steps(_game_of(question), answer["play"]))
                if not steps:
                    raise ValueError("a play without any action")
                return BotPlan(question.level, steps)
            case "hint":
                game, action = _game_of(question), parse_action(answer["action"])
                play(game, action)
                return Tip(game, action, hint_words(parse_hint_reason(answer["why"])))
            case "review":
                found = answer["found"]
                return None if found is None else parse_throw_review(json.dumps(found))
            case "chances":
                return _read_chances(_game_of(question), answer["chances"])
        raise KeyError(question.kind)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{line[:80]!r} is no answer to a {question.kind}: {error!r}") from None


def _game_of(question: Question) -> Game:
    """Return the game of a question that is not about a review."""
    assert isinstance(question.of, Game)
    return question.of


def _plan_steps(game: Game, actions: list[str]) -> Iterator[tuple[Game, Action]]:
    """Yield each action with the game before it. Raises IllegalAction."""
    for text in actions:
        action = parse_action(text)
        yield game, action
        game, _ = play(game, action)


def _read_chances(game: Game, chances: list[float | None] | None) -> Odds:
    if chances is None:
        return Odds(game, (None,) * SEATS)
    by_seat = tuple(None if chance is None else float(chance) for chance in chances)
    if len(by_seat) != SEATS:
        raise ValueError(f"{len(by_seat)} chances for {SEATS} seats")
    return Odds(game, by_seat)


def take_answer(session: Session, question: Question, answer: Any) -> Session:
    """Return the session with an answer, which `read_answer` returned for this question."""
    match question.kind:
        case "play":
            return replace(session, plan=answer)
        case "hint":
            return replace(session, tip=answer)
        case "chances":
            return replace(session, odds=answer._replace(throws=session.playing.game.throws))
    assert session.review is not None
    if answer is None:
        return replace(session, review=session.review._replace(failed=True))
    return replace(session, review=session.review._replace(found=(*session.review.found, answer)))


def bot_choice(session: Session) -> Action | None:
    """Return what the bot whose turn it is does next; None without a bot or before its answer."""
    if (
        session.record is None
        or session.plan is None
        or session.plan.level != session.level(session.record.game.seat)
    ):
        return None
    now = session.record.game
    return next((action for game, action in session.plan.steps if game == now), None)


def _ask_for_play(session: Session) -> Question | None:
    """Ask what a bot does with its throw, unless it has no legal step and so nothing to choose."""
    if session.record is None or session.record.game.phase is not Phase.MOVE:
        return None
    level = session.level(session.record.game.seat)
    if level is None or not session.record.game.steps or bot_choice(session) is not None:
        return None
    return Question("play", session.record.game, level)


def _ask_for_hint(session: Session) -> Question | None:
    if (
        session.record is None
        or not session.mode.hints(session)
        or not session.can_hint
        or session.best is not None
    ):
        return None
    return Question("hint", session.record.game)


def _ask_for_review(session: Session) -> Question | None:
    """Ask for the review of the next throw of a finished game."""
    if (
        session.record is None
        or not session.mode.reviews(session)
        or session.review is None
        or session.review.failed
    ):
        return None
    throws, reviewed = session.review.thrown, len(session.review.found)
    if session.review.past is not session.record.past or reviewed == len(throws):
        return None
    return Question("review", review_request(throws[reviewed]))


def _ask_for_chances(session: Session) -> Question | None:
    """Ask for the chances in the position before the throw on the table.

    They stay the same until the play is complete: to rate a throw takes as long as to choose a
    play, and chances that changed with each step would reveal what the next one is worth. While
    the screen shows a throw nothing is asked: the chances would reveal the last throw for who
    begins before anybody has seen it.
    """
    if not session.setup.chances or session.record is None or session.mode.shows_throw:
        return None
    if session.record.game.phase not in TURN:
        return None
    game = session.record.game
    before = at(game.ruleset, game.thrown_in, game.seat)
    if session.odds is not None and session.odds.game == before:
        return None
    return Question("chances", before)


TURN = (Phase.THROW, Phase.MOVE, Phase.PENALTY)
# What the table asks, the most urgent first.
ASKING: tuple[Callable[[Session], Question | None], ...] = (
    _ask_for_play,
    _ask_for_hint,
    _ask_for_review,
    _ask_for_chances,
)
