"""Walking the pawns: each place with pawns in turn, to be compared with the cardboard."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from pi_app.table.map import BLINK_S, lit, next_step, steps_since, table_map
from pi_app.table.modes.correcting import Placing, drafted
from pi_app.table.modes.menu import FromMenu
from pi_app.table.screen import Table
from pi_app.table.state import Change, Session
from pi_app.table.who import called
from pi_app.table.words import letter, presses, where_in_brief
from rules.game import Game

BEAT_S = 2.0
WALK_S = 120.0  # players look at the cardboard meanwhile, not at the buttons


class Stop(NamedTuple):
    """One place with the pawns of a seat that stand there."""

    seat: int
    place: int
    pawns: int


def stops(game: Game) -> tuple[Stop, ...]:
    """Return the places with pawns seat by seat, each seat's along its way from the nest."""
    return tuple(
        Stop(seat, place, game.position[seat].count(place))
        for seat in game.seats
        for place in dict.fromkeys(reversed(game.position[seat]))
    )


@dataclass(frozen=True, slots=True)
class Walking(FromMenu):
    """OK goes from stop to stop, as quickly as it is tapped; NEXT corrects the one shown.

    With one button a tap goes on, since there are many stops, and a hold corrects.
    """

    quick: ClassVar[bool] = True

    walk: tuple[Stop, ...]
    since: float
    index: int = 0

    def ok(self, s: Session, seat: int) -> Change:
        return self._correct(s) if s.only(seat) else self._go_on(s)

    def next(self, s: Session, seat: int) -> Change:
        return self._go_on(s) if s.only(seat) else self._correct(s)

    def _go_on(self, s: Session) -> Change:
        if self.index + 1 == len(self.walk):
            return self.menu_before.close(s)
        menu = self.touched_menu(s)
        return Change(s.into(replace(self, menu_before=menu, index=self.index + 1, since=s.t)))

    def _correct(self, s: Session) -> Change:
        stop = self.walk[self.index]
        menu = self.touched_menu(s)
        placing = Placing(menu, drafted(s.playing.game), stop.seat, s.t)
        return Change(s.into(placing.leaving(s, stop.place)))

    def screen(self, s: Session) -> Table:
        game, stop, driver = s.playing.game, self.walk[self.index], self.menu_before.driver
        to_correct, to_go_on = presses(s.only(driver))
        if s.only(driver):
            to_correct, to_go_on = to_go_on, to_correct
        shown = table_map(game, (stop.seat, stop.place), None, lit(self.since, s.t))
        return Table(
            board=replace(shown, seat=driver),
            seat=stop.seat,
            heading=f"{letter(stop.seat)} has",
            dice=(),
            increments=(),
            words=(f"{stop.pawns} pawn{'s' * (stop.pawns > 1)}", _at(game, stop)),
            lead=called(s, stop.seat),
            note=f"{self.index + 1} of {len(self.walk)}",
            keys=(f"{to_go_on}: yes, go on", f"{to_correct}: correct"),
            beat=steps_since(self.since, BEAT_S, s.t),
        )

    def wake_at(self, s: Session) -> float:
        return min(next_step(self.since, BLINK_S, s.t), self.menu_before.touched + WALK_S)

    def pass_time(self, s: Session) -> Change:
        over = s.t >= self.menu_before.touched + WALK_S
        return self.menu_before.close(s) if over else Change(s)


def _at(game: Game, stop: Stop) -> str:
    return where_in_brief(game.ruleset.layout, stop.seat, stop.place)
