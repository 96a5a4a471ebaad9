"""The questions to the bots' process, as values and as lines of JSON. It answers none.

The table sends a question's `line`, the process reads it with `parse_question` and answers with a
line, and the table reads that with the question's `read`.
"""

import json
from dataclasses import dataclass, fields
from typing import Any, NamedTuple
from zlib import crc32

from pi_app.model.hint_reasons import HintReason, parse_hint_reason
from rules import (
    Action,
    Game,
    Position,
    Step,
    format_position,
    game_text,
    parse_action,
    parse_game,
    play,
)
from rules.board import SEATS

Chances = tuple[float | None, ...]  # of seats 0 to 3, None for those that do not play


class ThrowReview(NamedTuple):
    """The review of one throw, in points: hundredths of a win.

    best: the steps of the best play, if the player made another. chances: each seat's after the
    play, 0 to 1; all None if it was broken off.
    """

    luck: float
    given_away: float
    best: tuple[str, ...]
    chances: Chances


@dataclass(frozen=True, slots=True)
class AdviceQuestion:
    """What all questions have. Each kind has a `parse`, which turns an answer from JSON."""

    game: Game

    def line(self) -> str:
        """Return the question as one line of JSON, for `parse_question`."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        games = {n: json.loads(game_text(v)) for n, v in values.items() if isinstance(v, Game)}
        return json.dumps({"question": type(self).__name__, **values, **games})

    def read(self, line: str) -> Any:
        """Return the answer in a line. Raises ValueError if it does not answer the question."""
        try:
            return self.parse(json.loads(line))
        except (TypeError, AttributeError) as error:
            raise ValueError(
                f"{line[:80]!r} does not answer a {type(self).__name__}: {error!r}"
            ) from None

    def parse(self, answer: Any) -> Any:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class BotQuestion(AdviceQuestion):
    """How does a bot of this level go on? `["move N-0(5)", "stop"]`, to the end of the play."""

    level: str

    @property
    def chance(self) -> float:
        """A number from 0 up to 1 that a weak bot chooses by.

        It depends only on the throw and what came before it, so that a bot plays the same again
        after an undo.
        """
        game = self.game
        throw = f"{format_position(game.thrown_in)} {game.seat} {game.throw} {game.throws}"
        return crc32(throw.encode()) / 2**32

    def parse(self, answer: Any) -> tuple[tuple[Game, Action], ...]:
        """Return each action, with the game before it."""
        actions, game = [], self.game
        for action in map(parse_action, answer):
            actions.append((game, action))
            game, _ = play(game, action)
        if not actions:
            raise ValueError("a play without any action")
        return tuple(actions)


class HintQuestion(AdviceQuestion):
    """What is best, and why? `["move N-0(5)", ["safer", [], 10, 36]]`, with a `HintReason`."""

    __slots__ = ()

    def parse(self, answer: Any) -> tuple[Action, HintReason]:
        text, why = answer
        action = parse_action(text)
        play(self.game, action)
        return action, parse_hint_reason(why)


class ChancesQuestion(AdviceQuestion):
    """What are the chances before a throw? `[0.4, null, 0.6, null]`; null alone if unknown."""

    __slots__ = ()

    def parse(self, answer: Any) -> Chances:
        if answer is None:
            return (None,) * SEATS
        chances = tuple(None if chance is None else float(chance) for chance in answer)
        if len(chances) != SEATS:
            raise ValueError(f"{len(chances)} chances for {SEATS} seats")
        return chances


@dataclass(frozen=True, slots=True)
class ReviewQuestion(AdviceQuestion):
    """How lucky was a throw, and what did its play give away? A `ThrowReview`; null if unknown.

    game: before the throw. turn: counted from 1. first_time: whether its luck counts; it does not
    if the throw was counted before a correction. chosen_in: the game in which its play began, if a
    correction or a leaving changed it after the throw. played: the steps since then. ended: the
    position after the play, None if it was broken off. first: the seat that threw next, or that has
    won.
    """

    turn: int
    throw: tuple[int, ...]
    first_time: bool
    chosen_in: Game | None = None
    played: tuple[Step, ...] = ()
    ended: Position | None = None
    first: int = 0

    @property
    def seat(self) -> int:
        """The seat that threw."""
        return self.game.seat

    def parse(self, answer: Any) -> ThrowReview | None:
        if answer is None:
            return None
        luck, given_away, best, chances = answer
        return ThrowReview(luck, given_away, tuple(best), tuple(chances))


KINDS = {
    kind.__name__: kind for kind in (BotQuestion, HintQuestion, ChancesQuestion, ReviewQuestion)
}


def parse_question(line: str) -> AdviceQuestion:
    """Return the question of a line. Raises any exception if the line is not a question."""
    values = json.loads(line)
    kind = KINDS[values.pop("question")]
    return kind(**{name: _parse_field(name, value) for name, value in values.items()})


def _parse_field(name: str, value: Any) -> Any:
    match name, value:
        case _, dict():
            return parse_game(json.dumps(value))
        case "throw", _:
            return tuple(value)
        case "played", _:
            return tuple(Step(*step) for step in value)
        case "ended", list():
            return tuple(map(tuple, value))
    return value
