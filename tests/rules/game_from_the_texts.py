"""Whole games, from the texts alone: whose throw it is, and what the table must remember.

`from_the_texts` judges each throw. Left out: `blockade_limit`, corrections, and seats that leave.
"""

from __future__ import annotations

from typing import Any

from tests.rules.from_the_texts import (
    COWRIES,
    NEST,
    Board,
    Options,
    Spot,
    State,
    Throw,
    options_of,
    position_of,
    position_text,
)


def in_order(options: Options, first: int, seats: list[int]) -> list[int]:
    """Return the seats in the order of turns, from the first or the next one after it."""
    goes_up = (options["turn_order"] == "right") != (options["travel"] == "clockwise")
    every = [(first + (turn if goes_up else -turn)) % 4 for turn in range(4)]
    return [seat for seat in every if seat in seats]


def opening(options: Options, seats: list[int]) -> str:
    """Return the position in which a game opens."""
    board, out = Board(options), options["start_out"]
    pawns = [board.entry] * out + [NEST] * (4 - out)
    return position_text(board, [pawns if seat in seats else () for seat in range(4)])


def first_seat(options: Options, seats: list[int], throws: list[list[int]]) -> int | None:
    """Return the seat that begins after those throws for it; None where more are needed.

    The first seat by letter throws first, the others in the order of turns. Those tied throw again
    in the same order, of which the texts say nothing.
    """
    waiting, left = in_order(options, min(seats), seats), list(throws)
    while len(waiting) > 1:
        if len(left) < len(waiting):
            return None
        ranks = {seat: rank(options, left.pop(0)) for seat in waiting}
        waiting = [seat for seat in waiting if ranks[seat] == max(ranks.values())]
    return waiting[0]


def rank(options: Options, throw: list[int]) -> int:
    """Return what a throw for who begins counts; the greatest begins."""
    if options["lots"] != "dice":
        return COWRIES[options["lots"]][throw[0]][0]
    return -min(throw) if options["starter"] == "lowest-die" else sum(throw)


class Game:
    """A game from the first turn on: `throw`, then `step` and `stop` as they are offered."""

    def __init__(self, ruleset: str, position: str, seat: int) -> None:
        self.ruleset, self.options = ruleset, options_of(ruleset)
        self.board = Board(self.options)
        self.position, self.seat = position, seat
        self.doublets = self.tries = 0
        self.last: str | None = None
        self.late: dict[Spot, int] = {}
        self.places: list[int] = []
        self.over = False
        self.thrown: Throw | None = None

    def throw(self, dice: list[int]) -> None:
        request = {
            "ruleset": self.ruleset,
            "position": self.position,
            "seat": self.seat,
            "throw": dice,
            "doublets": self.doublets,
            "tries": self.tries,
            "late": self.late,
            "last": self.last,
        }
        self.thrown, self.has_moved = Throw(request), False
        self.states = set[State]() if self.thrown.penalty else {self.thrown.start}

    def offered(self) -> tuple[list[str], bool]:
        """Return the legal steps, and whether the play may end."""
        assert self.thrown is not None
        if self.thrown.penalty:
            return [], True
        may_stop = not self.states.isdisjoint(self.thrown.complete)
        return sorted(self.thrown.offered(self.states)), may_stop

    def step(self, text: str) -> None:
        """Make a step; a play ends by itself where nothing is left to do."""
        assert self.thrown is not None
        self.states, self.has_moved = self.thrown.offered(self.states)[text], True
        self.position = self.thrown.result(next(iter(self.states)))
        self.last = text.partition("-")[2].partition("(")[0]
        spot = self.board.spot(self.seat, self.board.place[self.last])
        shared = self.shared()
        self.late = {on: seat for on, seat in self.late.items() if on in shared and on != spot}
        self.late |= {spot: self.seat} if spot in shared else {}
        if not self.offered()[0]:
            self.stop()

    def stop(self) -> None:
        """End the play, or take the penalty."""
        thrown = self.thrown
        assert thrown is not None
        self.thrown = None
        if thrown.penalty:
            found = thrown.answer()
            self.position, again = found["results"][0], found["again"]
            shared = self.shared()
            self.late = {on: seat for on, seat in self.late.items() if on in shared}
        else:
            end = next(iter(self.states & thrown.complete))
            again = thrown.throws_again(end)
            if thrown.has_won(end):
                self.places.append(self.seat)
                partner = (self.seat + 2) % 4
                self.over = not self.options["partners"] or partner in self.places
        if again:
            self.doublets = self.doublets + 1 if thrown.is_doublet else 0
            self.tries = 0 if self.has_moved else self.tries + 1
        else:
            self.doublets = self.tries = 0
            self.last = None
            if not self.over:
                order = in_order(self.options, self.seat, [*self.playing(), self.seat])
                self.seat = (order[1:] or order)[0]

    def playing(self) -> list[int]:
        seats = enumerate(position_of(self.board, self.position))
        return [seat for seat, own in seats if own and not self.board.has_finished(own)]

    def shared(self) -> set[Spot]:
        """Return the ring spaces on which pawns of different seats stand."""
        there: dict[Spot, set[int]] = {}
        for seat, places in enumerate(position_of(self.board, self.position)):
            for place in filter(self.board.on_ring, places):
                there.setdefault(self.board.spot(seat, place), set()).add(seat)
        return {spot for spot, seats in there.items() if len(seats) > 1}

    def line(self) -> dict[str, Any]:
        """Return what decides how the game goes on, in the keys of a game's line.

        Leaves out what has no effect: what the rule set does not ask for, `tries` with a pawn on
        the ring, `last` at home or in a row.
        """
        own = position_of(self.board, self.position)[self.seat]
        counts_tries = self.options["tries"] == 3 and not any(map(self.board.on_ring, own))
        asks_last = self.options["third_doublet"] == "last-moved"
        knows_late = self.options["entry_captures"] == "full"
        return {
            "position": self.position,
            "seat": self.seat,
            "doublets": min(self.doublets, 2),
            "tries": self.tries if counts_tries else 0,
            "last": self.last if asks_last and self.last and self.last[0] not in "rH" else None,
            "late": sorted([spot, seat] for spot, seat in self.late.items() if knows_late),
            "over": self.over,
            "places": self.places,
        }
