"""What the table wants worked out, and what it makes of the answer. Works nothing out itself.

A kind of question is a row of `ASKING`, of `READ` and of `TAKEN`, and in `pi_app.players.working`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from zlib import crc32

from pi_app.advice.hint_reasons import parse_hint_reason
from pi_app.advice.reviews import ThrowReview, json_line, parse_throw_review, review_request
from pi_app.input.events import Question
from pi_app.table.core.state import BotPlan, Odds, Session, Tip
from pi_app.texts.hint_reasons import hint_words
from rules.actions import Action, parse_action
from rules.board import SEATS
from rules.game import Game, Phase, at, play
from rules.position import format_position
from rules.record import game_text


def next_question(session: Session) -> Question | None:
    """Return what the table wants to know now and does not know yet, the most urgent first."""
    return next((asked for ask in ASKING if (asked := ask(session)) is not None), None)


def question_line(question: Question) -> str:
    """Return a question as the worker's line of JSON."""
    kind, of, level = question
    game = game_text(of) if isinstance(of, Game) else json_line(of)
    chance = _chance(of) if kind == "play" and isinstance(of, Game) else 0.0
    return json.dumps({"kind": kind, "game": game, "level": level, "chance": chance})


def _chance(game: Game) -> float:
    """Return a number from 0 up to 1 by the throw: the same one after undo, so that it is no gain.

    It has nothing to do with the dice, which lie already.
    """
    told = f"{format_position(game.thrown_in)} {game.seat} {game.throw} {game.throws}"
    return crc32(told.encode()) / 2**32


def read_answer(question: Question, line: str) -> Any:
    """Return what the session takes of the worker's answer; ValueError where it is none."""
    try:
        return READ[question.kind](question, json.loads(line))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{line[:80]!r} is no answer to a {question.kind}: {error!r}") from None


def _game_of(question: Question) -> Game:
    """Return the game that a question is about, which only one of a review is not."""
    assert isinstance(question.of, Game)
    return question.of


# --- a box's play ----------------------------------------------------------------------------


def bot_choice(session: Session) -> Action | None:
    """Return what the box that has the turn wants to do next, None where none has or knows it."""
    if (
        session.record is None
        or session.plan is None
        or session.plan.level != session.level(session.record.game.seat)
    ):
        return None
    now = session.record.game
    return next((action for game, action in session.plan.steps if game == now), None)


def _ask_for_play(session: Session) -> Question | None:
    """Ask what a box does with its throw; where no step is legal there is nothing to choose."""
    if session.record is None or session.record.game.phase is not Phase.MOVE:
        return None
    how_well = session.level(session.record.game.seat)
    if how_well is None or not session.record.game.steps or bot_choice(session) is not None:
        return None
    return Question("play", session.record.game, how_well)


def _read_play(question: Question, answer: Any) -> BotPlan:
    steps = tuple(_games(_game_of(question), answer["play"]))
    if not steps:
        raise ValueError("a play without any action")
    return BotPlan(question.level, steps)


def _games(game: Game, actions: list[str]) -> Iterator[tuple[Game, Action]]:
    """Yield each action with the game that it is done in; IllegalAction where it can't be."""
    for text in actions:
        action = parse_action(text)
        yield game, action
        game, _ = play(game, action)


def _take_play(session: Session, answer: Any) -> Session:
    return replace(session, plan=answer)


# --- a hint ----------------------------------------------------------------------------------


def _ask_for_hint(session: Session) -> Question | None:
    if (
        session.record is None
        or not session.mode.hints(session)
        or not session.can_hint
        or session.best is not None
    ):
        return None
    return Question("hint", session.record.game)


def _read_hint(question: Question, answer: Any) -> Tip:
    game, action = _game_of(question), parse_action(answer["action"])
    play(game, action)
    return Tip(game, action, hint_words(parse_hint_reason(answer["why"])))


def _take_hint(session: Session, answer: Any) -> Session:
    return replace(session, tip=answer)


# --- luck and skill --------------------------------------------------------------------------


def _ask_for_review(session: Session) -> Question | None:
    """Ask for what is found of the next throw of the game that is over."""
    if (
        session.record is None
        or not session.mode.reviews(session)
        or session.review is None
        or session.review.failed
    ):
        return None
    thrown, n = session.review.thrown, len(session.review.found)
    if session.review.past is not session.record.past or n == len(thrown):
        return None
    return Question("review", review_request(thrown[n]))


def _read_review(question: Question, answer: Any) -> ThrowReview | None:
    return None if answer["found"] is None else parse_throw_review(json.dumps(answer["found"]))


def _take_review(session: Session, answer: Any) -> Session:
    assert session.review is not None
    if answer is None:
        return replace(session, review=session.review._replace(failed=True))
    return replace(session, review=session.review._replace(found=(*session.review.found, answer)))


# --- chances for spectators ------------------------------------------------------------------


def _ask_for_chances(session: Session) -> Question | None:
    """Ask for the chances of the position in which the throw on the table was or will be thrown.

    They stay the same until the play is complete: to rate a throw takes as long as to choose a
    play, and chances that changed with each step would tell what the next one is worth. While a
    throw is shown nothing is asked: the last one for who begins would be told before it is seen.
    """
    if not session.setup.chances or session.record is None or session.mode.shows_throw:
        return None
    if session.record.game.phase not in TURN:
        return None
    game = session.record.game
    before = at(game.ruleset, game.thrown_in, game.seat)
    return (
        None
        if session.odds is not None and session.odds.game == before
        else Question("chances", before)
    )


def _read_chances(question: Question, answer: Any) -> Odds:
    told, game = answer["chances"], _game_of(question)
    if told is None:
        return Odds(game, (None,) * SEATS)
    chances = tuple(None if one is None else float(one) for one in told)
    if len(chances) != SEATS:
        raise ValueError(f"{len(chances)} chances for {SEATS} seats")
    return Odds(game, chances)


def _take_chances(session: Session, answer: Any) -> Session:
    return replace(session, odds=answer._replace(throws=session.playing.game.throws))


TURN = (Phase.THROW, Phase.MOVE, Phase.PENALTY)
ASKING: tuple[Callable[[Session], Question | None], ...] = (
    _ask_for_play,
    _ask_for_hint,
    _ask_for_review,
    _ask_for_chances,
)
READ: dict[str, Callable[[Question, Any], Any]] = {
    "play": _read_play,
    "hint": _read_hint,
    "review": _read_review,
    "chances": _read_chances,
}
TAKEN: dict[str, Callable[[Session, Any], Session]] = {
    "play": _take_play,
    "hint": _take_hint,
    "review": _take_review,
    "chances": _take_chances,
}
