"""Rolls out the throws of a game in a process of low priority. It prints nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import monotonic
from typing import Any, NamedTuple

from pi_app.advice.reviews import Chances, ReviewRequest, ThrowReview, json_line, parse_throw_review
from pi_app.advice.rollouts import (
    RolledGame,
    RolledThrow,
    RolloutPlay,
    RolloutRequest,
    chances_line,
    parse_play,
    plays_line,
    request_line,
    throw_key,
)
from pi_app.errors import UserError
from pi_app.players.rollouts import ROUND, next_candidate
from pi_app.running.back_off import BackOff
from pi_app.running.child import WORKER, AnswerError, Child, start_process
from rules import parse_game, ruleset_text


class WorkerError(UserError):
    """The process that plays the rollouts has failed."""


class RolloutProgress(NamedTuple):
    """How far the rollouts are. throws, of: so many of so many. left_s: the time left, at most."""

    throws: int
    of: int
    left_s: float


class RolloutWorker:
    """The process that reviews and rolls out. It starts with the first question.

    command: starts it. All questions raise WorkerError if it fails twice.
    """

    def __init__(self, command: Sequence[str] = WORKER) -> None:
        self._child = Child(partial(start_process, command), BackOff(0.0))

    def review(self, request: ReviewRequest) -> ThrowReview:
        """Return the network's review of a throw."""
        return parse_throw_review(json.dumps(self._ask("review", json_line(request))["found"]))

    def plays_to_roll(self, request: ReviewRequest) -> tuple[RolloutPlay, ...]:
        """Return the plays of a throw that are to be rolled out, that which was made first."""
        return tuple(map(parse_play, self._ask("candidates", json_line(request))["candidates"]))

    def roll_out(self, request: RolloutRequest) -> list[Chances]:
        """Return the seats' chances at the end of each rollout."""
        return list(map(tuple, self._ask("rollouts", request_line(request))["chances"]))

    def close(self) -> None:
        """End the process."""
        self._child.end()

    def _ask(self, kind: str, subject: str) -> dict[str, Any]:
        question = json.dumps({"kind": kind, "game": subject})
        try:
            try:
                answer = json.loads(self._child.ask(question))
            except (AnswerError, OSError):  # in so many hours, something may kill it once
                self._child.end()
                answer = json.loads(self._child.ask(question))
        except (AnswerError, OSError, ValueError) as error:
            raise WorkerError(
                f"the process that plays the rollouts has failed ({error}): the rollouts so far are"
                " kept; run the command again"
            ) from error
        assert isinstance(answer, dict)
        return answer


def roll_out_game(
    worker: RolloutWorker,
    requests: Sequence[ReviewRequest],
    reviews: Sequence[ThrowReview],
    game: RolledGame,
    add_line: Callable[[str], None],
    rolls: int,
    clock: Callable[[], float] = monotonic,
) -> Iterator[RolloutProgress]:
    """Roll out the throws of a game, `rolls` times each play, and yield the progress.

    requests, reviews: of the throws; the reviews decide the order. game: what is known already, to
    which the results are added. add_line: keeps a line of `pi_app.advice.rollouts`.
    """
    throws = []
    for request, review in zip(requests, reviews, strict=True):
        key = throw_key(request)
        if key not in game.throws:
            plays = worker.plays_to_roll(request)
            game.throws[key] = RolledThrow(plays, tuple([] for _ in plays))
            add_line(plays_line(key, plays))
        if game.throws[key].plays:  # the play was not broken off
            throws.append((_order(review, game.throws[key]), request, game.throws[key]))
    throws.sort(key=lambda throw: throw[0])
    begun, played = clock(), 0
    for done, (_, request, throw) in enumerate(throws):
        ruleset = ruleset_text(parse_game(request.thrown_in).ruleset)
        while (index := next_candidate(throw.chances_of(request.seat), rolls)) is not None:
            key, play, begin = throw_key(request), throw.plays[index], len(throw.chances[index])
            count = min(ROUND, rolls - begin)
            found = worker.roll_out(RolloutRequest(ruleset, play, key, begin, count))
            throw.chances[index].extend(found)
            add_line(chances_line(key, index, begin, found))
            played += play.length * count
            left = sum(_length_left(other, rolls) for _, _, other in throws[done:])
            left_s = (clock() - begun) * left / played if played else 0.0
            yield RolloutProgress(done, len(throws), left_s)


def _order(review: ThrowReview, throw: RolledThrow) -> tuple[bool, float]:
    """Return a key that sorts decisions before other throws, and great stakes before small ones."""
    return len(throw.plays) == 1, -(review.given_away + abs(review.luck))


def _length_left(throw: RolledThrow, rolls: int) -> int:
    return sum(
        play.length * max(0, rolls - len(found))
        for play, found in zip(throw.plays, throw.chances, strict=True)
    )
