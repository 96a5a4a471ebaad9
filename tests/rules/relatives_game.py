"""Whole games of the relatives, played slowly: whose throw it is and what the table must remember.

The plays of each throw are the brute force's. `blockade_limit` is not modelled.
"""

from typing import Any

from tests.rules import brute_force
from tests.rules.brute_force import (
    NEST,
    ROW,
    Options,
    Pawns,
    Play,
    place_text,
    position_of,
    position_text,
)
from tests.rules.relatives_brute_force import (
    COWRIES,
    RelativesBoard,
    RelativesPlays,
    RelativesTurn,
    is_partner,
    options_of,
    penalized,
)


def in_order(options: Options, first: int, seats: list[int]) -> list[int]:
    """The seats in the order of turns, beginning with the first or the next one after it."""
    step = 1 if options["turn_order"] == "right" else -1
    if options["travel"] == "clockwise":
        step = -1 if options["turn_order"] == "right" else 1
    return [seat for turns in range(4) if (seat := (first + step * turns) % 4) in seats]


def opening(options: Options, seats: list[int]) -> str:
    """The position in which a game opens."""
    pawns = [0] * options["start_out"] + [NEST] * (4 - options["start_out"])
    return position_text(
        RelativesBoard(options), tuple(tuple(pawns) if seat in seats else () for seat in range(4))
    )


def first_seat(options: Options, seats: list[int], throws: list[list[int]]) -> int | None:
    """The seat that begins after those throws for it; None where more are needed.

    The first seat by letter throws first, the others follow in the order of turns; those tied
    throw again.
    """
    waiting, left = in_order(options, min(seats), seats), list(throws)
    while len(waiting) > 1:
        if len(left) < len(waiting):
            return None
        ranks = {seat: rank(options, left.pop(0)) for seat in waiting}
        waiting = [seat for seat in waiting if ranks[seat] == max(ranks.values())]
        waiting = in_order(options, min(waiting), waiting)
    return waiting[0]


def rank(options: Options, throw: list[int]) -> int:
    """What a throw for who begins counts; the greatest begins."""
    cowries = COWRIES.get(options["lots"])
    value = cowries[throw[0]].value if cowries else sum(throw)
    return -value if options["starter"] == "lowest-die" else value


class SlowGame:
    """A game from the first turn on: `throw`, then steps, `stop` where that is allowed."""

    def __init__(self, ruleset: str | Options, position: str, seat: int) -> None:
        self.ruleset, self.options = ruleset, options_of(ruleset)
        self.board = RelativesBoard(self.options)
        self.position, self.seat = position, seat
        self.doublets = self.tries = 0
        self.last: int | None = None
        self.late: tuple[tuple[int, int], ...] = ()
        self.places: list[int] = []
        self.over = False
        self.thrown: list[int] | None = None
        self.made: list[str] = []
        self.penalty: str | None = None

    # What may be done now

    def steps(self) -> list[str]:
        return [] if self.penalty else list(self.offer()["steps"])

    def may_stop(self) -> bool:
        return bool(self.penalty or self.offer()["may_stop"])

    def offer(self) -> dict[str, Any]:
        return brute_force.answer_after(self.plays, self.made)

    def shown(self) -> str:
        """The position now, also in the middle of a play."""
        if self.thrown is None or self.penalty:
            return self.position
        return self.plays.result(self.plays.after(self.made)[0])

    # What is done

    def throw(self, faces: list[int]) -> None:
        self.thrown, self.made = faces, []
        request = {
            "ruleset": self.ruleset,
            "position": self.position,
            "seat": self.seat,
            "throw": faces,
            "tries": self.tries,
            "late": self.late,
            "last": None if self.last is None else place_text(self.last),
        }
        self.turn = RelativesTurn(request)
        self.penalty = brute_force.penalty(self.turn, self.doublets)
        if not self.penalty:
            self.plays = RelativesPlays(self.turn)

    def step(self, text: str) -> None:
        """Make a step; a play ends by itself where nothing is left to do."""
        self.made.append(text)
        if not self.steps():
            self.stop()

    def stop(self) -> None:
        """End the play, or take the penalty."""
        if self.penalty:
            self.take_penalty(self.penalty)
            return
        [end] = [play for play in self.plays.after(self.made) if play in self.plays.complete]
        self.end_play(end)

    def take_penalty(self, kind: str) -> None:
        place = penalized(self.turn, kind)
        found = brute_force.penalty_answer(self.turn, kind, place)
        self.position = found["results"][0]
        self.forget_left_spaces()
        self.pass_on(again=found["again"], moved=False)

    def end_play(self, play: Play) -> None:
        marks = self.plays.marks(play)
        self.position, self.late, self.last = self.plays.result(play), marks.late, marks.last
        if self.plays.won(play):
            self.places.append(self.seat)
            self.over = self.is_over()
        self.pass_on(self.plays.throws_again(play), moved=bool(self.made))

    def pass_on(self, again: bool, moved: bool) -> None:
        """Let the seat throw again, or the next one that still plays."""
        doublet = self.turn.is_doublet()
        self.thrown, self.penalty = None, None
        if again:
            self.doublets = self.doublets + 1 if doublet else 0
            self.tries = 0 if moved else self.tries + 1
            return
        self.doublets, self.tries, self.last = 0, 0, None
        if not self.over:
            order = in_order(self.options, self.seat, [*self.playing(), self.seat])
            self.seat = (order[1:] or order)[0]

    # Who plays

    def pawns(self) -> tuple[Pawns, ...]:
        return position_of(self.position)

    def playing(self) -> list[int]:
        return [
            seat
            for seat, pawns in enumerate(self.pawns())
            if pawns and not self.board.has_finished(pawns)
        ]

    def is_over(self) -> bool:
        if self.options["partners"]:
            return any(is_partner(self.options, self.seat, other) for other in self.places)
        return not self.options["play_on"] or len(self.playing()) == 1

    def forget_left_spaces(self) -> None:
        """Keep who came last only of spaces that pawns of different seats still share."""
        standing: dict[int, set[int]] = {}
        for seat, pawns in enumerate(self.pawns()):
            for place in filter(self.board.on_ring, pawns):
                standing.setdefault(self.board.ring_space(seat, place), set()).add(seat)
        self.late = tuple(
            (space, seat) for space, seat in self.late if len(standing.get(space, ())) > 1
        )


def line(game: SlowGame) -> dict[str, Any]:
    """What decides how a game goes on between two throws, in the keys of a game's line.

    Leaves out what has no effect: `tries` with a pawn on the ring, `last` in the home row or home.
    """
    on_ring = any(map(game.board.on_ring, game.pawns()[game.seat]))
    counts_tries = game.options["tries"] == 3 and not on_ring
    return {
        "position": game.position,
        "seat": game.seat,
        "doublets": min(game.doublets, 2),
        "tries": game.tries if counts_tries else 0,
        "last": None if game.last is None or game.last > ROW else place_text(game.last),
        "late": sorted([list(known) for known in game.late]),
        "over": game.over,
        "places": game.places,
    }
