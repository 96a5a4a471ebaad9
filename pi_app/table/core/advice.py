"""What the table wants worked out, and what it makes of the answer. Works nothing out itself.

A kind of question is a row of `ASKING`, of `READ` and of `TAKEN`, and in `pi_app.players.working`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from zlib import crc32

from pi_app.advice.looks import Found, line_of, look_of, parse_found
from pi_app.advice.whys import parse_why
from pi_app.input.events import Question
from pi_app.table.core.state import Odds, Plan, Session, Tip
from pi_app.texts.whys import told
from rules.actions import Action, parse_action
from rules.board import SEATS
from rules.game import Game, Phase, at, play
from rules.position import format_position
from rules.record import game_text


def asks(s: Session) -> Question | None:
    """Return what the table wants to know now and does not know yet, the most urgent first."""
    return next((asked for ask in ASKING if (asked := ask(s)) is not None), None)


def question_line(question: Question) -> str:
    """Return a question as the worker's line of JSON."""
    kind, of, level = question
    game = game_text(of) if isinstance(of, Game) else line_of(of)
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


def planned(s: Session) -> Action | None:
    """Return what the box that has the turn wants to do next, None where none has or knows it."""
    if s.record is None or s.plan is None or s.plan.level != s.level(s.record.game.seat):
        return None
    now = s.record.game
    return next((action for game, action in s.plan.steps if game == now), None)


def _ask_for_play(s: Session) -> Question | None:
    """Ask what a box does with its throw; where no step is legal there is nothing to choose."""
    if s.record is None or s.record.game.phase is not Phase.MOVE:
        return None
    how_well = s.level(s.record.game.seat)
    if how_well is None or not s.record.game.steps or planned(s) is not None:
        return None
    return Question("play", s.record.game, how_well)


def _read_play(question: Question, answer: Any) -> Plan:
    steps = tuple(_games(_game_of(question), answer["play"]))
    if not steps:
        raise ValueError("a play without any action")
    return Plan(question.level, steps)


def _games(game: Game, actions: list[str]) -> Iterator[tuple[Game, Action]]:
    """Yield each action with the game that it is done in; IllegalAction where it can't be."""
    for text in actions:
        action = parse_action(text)
        yield game, action
        game, _ = play(game, action)


def _take_play(s: Session, answer: Any) -> Session:
    return replace(s, plan=answer)


# --- a hint ----------------------------------------------------------------------------------


def _ask_for_hint(s: Session) -> Question | None:
    if s.record is None or not s.mode.hints(s) or not s.can_hint or s.best is not None:
        return None
    return Question("hint", s.record.game)


def _read_hint(question: Question, answer: Any) -> Tip:
    game, action = _game_of(question), parse_action(answer["action"])
    play(game, action)
    return Tip(game, action, told(parse_why(answer["why"])))


def _take_hint(s: Session, answer: Any) -> Session:
    return replace(s, tip=answer)


# --- luck and skill --------------------------------------------------------------------------


def _ask_for_review(s: Session) -> Question | None:
    """Ask for what is found of the next throw of the game that is over."""
    if s.record is None or not s.mode.reviews(s) or s.review is None or s.review.failed:
        return None
    thrown, n = s.review.thrown, len(s.review.found)
    if s.review.past is not s.record.past or n == len(thrown):
        return None
    return Question("review", look_of(thrown[n]))


def _read_review(question: Question, answer: Any) -> Found | None:
    return None if answer["found"] is None else parse_found(json.dumps(answer["found"]))


def _take_review(s: Session, answer: Any) -> Session:
    assert s.review is not None
    if answer is None:
        return replace(s, review=s.review._replace(failed=True))
    return replace(s, review=s.review._replace(found=(*s.review.found, answer)))


# --- chances for spectators ------------------------------------------------------------------


def _ask_for_chances(s: Session) -> Question | None:
    """Ask for the chances of the position in which the throw on the table was or will be thrown.

    They stay the same until the play is complete: to rate a throw takes as long as to choose a
    play, and chances that changed with each step would tell what the next one is worth. While a
    throw is shown nothing is asked: the last one for who begins would be told before it is seen.
    """
    if not s.setup.chances or s.record is None or s.mode.shows_throw:
        return None
    if s.record.game.phase not in TURN:
        return None
    game = s.record.game
    before = at(game.ruleset, game.thrown_in, game.seat)
    return None if s.odds is not None and s.odds.game == before else Question("chances", before)


def _read_chances(question: Question, answer: Any) -> Odds:
    told, game = answer["chances"], _game_of(question)
    if told is None:
        return Odds(game, (None,) * SEATS)
    chances = tuple(None if one is None else float(one) for one in told)
    if len(chances) != SEATS:
        raise ValueError(f"{len(chances)} chances for {SEATS} seats")
    return Odds(game, chances)


def _take_chances(s: Session, answer: Any) -> Session:
    return replace(s, odds=answer._replace(throws=s.playing.game.throws))


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
