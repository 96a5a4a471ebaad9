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
    asks_late,
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


Measure = tuple[Any, ...]


def measure(board: Board, places: list[int]) -> Measure:
    """Return by what places are counted, the least first."""
    to_go = [0 if board.is_home(on) else board.home - on * (on != NEST) for on in places]
    return -board.count_home(places), sum(to_go), sorted(to_go)


class Game:
    """A game from the first turn on: `throw`, then `step` and `stop` as they are offered.

    Between them, `play_on` after a win, and `end_after` a seat's turn.
    """

    def __init__(self, ruleset: str | Options, position: str, seat: int) -> None:
        self.ruleset, self.options = ruleset, options_of(ruleset)
        self.board = Board(self.options)
        self.position, self.seat = position, seat
        self.doublets = self.tries = 0
        self.last: str | None = None
        self.late: dict[Spot, int] = {}
        self.began, self.began_late = position, self.late
        self.last_turn: int | None = None
        self.played_on = False
        self.places: list[int] = []
        self.ties: list[list[int]] = []
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
            "began": self.began,
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
            late = self.began_late if thrown.penalty == "undo-turn" else self.late
            shared = self.shared()
            self.late = {on: seat for on, seat in late.items() if on in shared}
        else:
            end = next(iter(self.states & thrown.complete))
            again = thrown.throws_again(end)
            if thrown.has_won(end):
                self.win()
        if again:
            self.doublets = self.doublets + 1 if thrown.is_doublet else 0
            self.tries = 0 if self.has_moved else self.tries + 1
        else:
            self.pass_on()

    def win(self) -> None:
        self.places.append(self.seat)
        if self.options["partners"]:
            self.over = (self.seat + 2) % 4 in self.places
        else:
            self.over = len(self.playing()) < 2 or not self.options["play_on"]
        if self.over and self.options["play_on"] and self.last_turn is None:
            self.places += self.playing()

    def pass_on(self) -> None:
        """Let the next seat begin its turn, or end the game after the last one."""
        self.doublets = self.tries = 0
        self.last = None
        order, playing = in_order(self.options, self.seat, self.taken())[1:], self.playing()
        following = next((seat for seat in order if seat in playing), self.seat)
        passed = [self.seat, *order[: order.index(following) if following in order else None]]
        self.over = self.over or self.last_turn in passed
        if self.over and self.last_turn is not None:
            self.count_places()
        if not self.over:
            self.seat = following
            self.began, self.began_late = self.position, self.late

    def end_after(self, seat: int | None) -> None:
        """Let the game end when the seat's running or next turn is over; None takes it back."""
        assert not self.over
        assert seat is None or seat in self.playing()
        self.last_turn = seat

    def may_play_on(self) -> bool:
        plays_on, sides = self.options["play_on"], self.options["partners"]
        is_won = self.over and self.places != [] and self.last_turn is None
        return is_won and not plays_on and not sides and len(self.playing()) > 1

    def play_on(self) -> None:
        """Go on for the places, as if the rule set had said so from the first."""
        assert self.may_play_on()
        self.options = self.options | {"play_on": True}
        named = {"preset": self.ruleset} if isinstance(self.ruleset, str) else self.ruleset
        self.ruleset = named | {"play_on": True}
        seats = list(position_of(self.board, self.position))
        seats[self.seat] = tuple(self.board.left_behind(seats[self.seat]))
        self.position = position_text(self.board, seats)
        shared = self.shared()
        self.late = {on: seat for on, seat in self.late.items() if on in shared}
        self.over, self.played_on = False, True
        self.pass_on()

    def count_places(self) -> None:
        """Place the seats behind those that have won, or both sides where neither has."""
        seats = position_of(self.board, self.position)
        ranks = {seat: measure(self.board, list(seats[seat])) for seat in self.taken()}
        if self.options["partners"] and not any({a, a + 2} <= {*self.places} for a in (0, 1)):
            sides = [measure(self.board, [*seats[a], *seats[a + 2]]) for a in (0, 1)]
            self.places = [
                seat
                for a in sorted((0, 1), key=lambda a: sides[a])
                for seat in sorted((a, a + 2), key=lambda seat: ranks[seat])
            ]
            self.ties = [[0, 1, 2, 3]] if sides[0] == sides[1] else []
            return
        left = [seat for seat in self.taken() if seat not in self.places]
        self.places += sorted(left, key=lambda seat: ranks[seat])
        equal = [[seat for seat in left if ranks[seat] == ranks[one]] for one in left]
        self.ties = [group for one, group in zip(left, equal, strict=True) if group[0] == one]
        self.ties = sorted(group for group in self.ties if len(group) > 1)

    def taken(self) -> list[int]:
        seats = enumerate(position_of(self.board, self.position))
        return [seat for seat, own in seats if own]

    def playing(self) -> list[int]:
        """Return the seats that have not won."""
        return [seat for seat in self.taken() if seat not in self.places]

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
        the ring, `last` at home, in a row or back in the nest.
        """
        own = position_of(self.board, self.position)[self.seat]
        counts_tries = self.options["tries"] == 3 and not any(map(self.board.on_ring, own))
        asks_last = self.options["third_doublet"] == "last-moved"
        knows_late = asks_late(self.options) and (not self.over or self.may_play_on())
        undoes = self.options["third_doublet"] == "undo-turn" and not self.over
        return {
            "position": self.position,
            "seat": self.seat,
            "doublets": min(self.doublets, 2),
            "tries": min(self.tries, 2) if counts_tries else 0,
            "last": self.last if asks_last and self.last and self.last[0] not in "rHN" else None,
            "late": sorted([spot, seat] for spot, seat in self.late.items() if knows_late),
            "over": self.over,
            "places": self.places,
            "ties": self.ties,
            "began": self.began if undoes else self.position,
            "last_turn": self.last_turn,
            "played_on": self.played_on,
        }
