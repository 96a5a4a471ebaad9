"""What the table asks the adviser, and how an answer changes the session. Computes no advice.

Each kind of question has its conditions in `next_question`, a case in `read_answer` and in
`take_answer`, and a function in `pi_app.players.working`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from zlib import crc32

from pi_app.model.events import AdviceQuestion
from pi_app.model.hint_reasons import parse_hint_reason
from pi_app.model.reviews import json_line, parse_throw_review, review_request
from pi_app.model.tables import has_table
from pi_app.table.core.state import BotPlan, Odds, Session, Tip
from pi_app.texts.hint_reasons import hint_words
from rules.actions import Action, parse_action
from rules.board import SEATS
from rules.game import Game, Phase, at, play
from rules.lines.record import game_text
from rules.position import format_position

TURN = (Phase.THROW, Phase.MOVE, Phase.PENALTY)


def next_question(session: Session) -> AdviceQuestion | None:
    """Return the most urgent question that the session has now, or None."""
    if session.record is None:
        return None
    game, review = session.record.game, session.review
    level = session.level(game.seat)
    if game.phase is Phase.MOVE and level and game.steps and bot_choice(session) is None:
        return AdviceQuestion("play", game, level)
    if not has_table(game.ruleset):
        return None
    if session.mode.hints(session) and session.can_hint and session.best_tip is None:
        return AdviceQuestion("hint", game)
    if session.mode.reviews(session) and review is not None and not review.failed:
        reviewed = len(review.found)
        if review.past is session.record.past and reviewed != len(review.thrown):
            return AdviceQuestion("review", review_request(review.thrown[reviewed]))
    # While the screen shows a throw, the chances would reveal the last throw for who begins.
    if session.setup.chances and game.phase in TURN and not session.mode.shows_throw:
        # The position before the throw: its chances stay the same until the play is complete. To
        # rate a throw takes as long as to choose a play, and chances that changed with each step
        # would reveal what the next one is worth.
        before = at(game.ruleset, game.thrown_in, game.seat)
        if session.odds is None or session.odds.game != before:
            return AdviceQuestion("chances", before)
    return None


def question_line(question: AdviceQuestion) -> str:
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


def read_answer(question: AdviceQuestion, line: str) -> Any:
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
                chances = answer["chances"]
                if chances is None:
                    return Odds(_game_of(question), (None,) * SEATS)
                by_seat = tuple(None if chance is None else float(chance) for chance in chances)
                if len(by_seat) != SEATS:
                    raise ValueError(f"{len(by_seat)} chances for {SEATS} seats")
                return Odds(_game_of(question), by_seat)
        raise KeyError(question.kind)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(
            f"{line[:80]!r} does not answer a {question.kind} question: {error!r}"
        ) from None


def _game_of(question: AdviceQuestion) -> Game:
    """Return the game of a question that is not about a review."""
    assert isinstance(question.of, Game)
    return question.of


def _plan_steps(game: Game, actions: list[str]) -> Iterator[tuple[Game, Action]]:
    """Yield each action with the game before it. Raises IllegalAction."""
    for text in actions:
        action = parse_action(text)
        yield game, action
        game, _ = play(game, action)


def take_answer(session: Session, question: AdviceQuestion, answer: Any) -> Session:
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
