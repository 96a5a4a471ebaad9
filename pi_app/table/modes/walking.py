"""Walking the pawns: each place with pawns in turn, to be compared with the cardboard.

After a start that finds the table to have been away, players are asked whether they want to.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from pi_app.table.events import Resume, Tone
from pi_app.table.map import BLINK_S, lit, next_step, steps_since, table_map
from pi_app.table.modes.correcting import Placing, drafted
from pi_app.table.modes.menu import LOOK_S, FromMenu, Line, Menu
from pi_app.table.modes.moving_back import TO_GAME, put_back
from pi_app.table.screen import Key, Page, Table
from pi_app.table.state import Change, Mode, Session
from pi_app.table.texts.message import Text
from pi_app.table.who import called
from pi_app.table.words import keys, letter, presses, where_in_brief
from rules.actions import Correct, Move
from rules.board import NEST
from rules.game import Game, Phase
from rules.history import Record

STANDING = (Phase.THROW, Phase.MOVE, Phase.PENALTY)
BEAT_S = 2.0


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
class Comparing(FromMenu):
    """Is all as on the map? OK says yes and goes back to the game, NEXT goes through the places."""

    stays_s: ClassVar[float] = LOOK_S

    since: float

    def ok(self, s: Session, seat: int) -> Change:
        return self.menu_before.close(s)

    def next(self, s: Session, seat: int) -> Change:
        walk = stops(s.playing.game)
        return Change(s.into(Walking(self.touched_menu(s), walk, s.t)))

    def screen(self, s: Session) -> Table[Text]:
        driver = self.menu_before.driver
        return Table(
            board=replace(table_map(s.playing.game, None, None, lit=False), seat=driver),
            seat=driver,
            heading=f"{letter(driver)} looks",
            dice=(),
            increments=(),
            words=("all as on", "the map?"),
            keys=keys(s.only(driver), "look", "yes"),
            beat=steps_since(self.since, BEAT_S, s.t),
        )

    def wake_at(self, s: Session) -> float:
        return min(next_step(self.since, BEAT_S, s.t), self.closes_at)


@dataclass(frozen=True, slots=True)
class Walking(FromMenu):
    """OK goes from stop to stop, as quickly as it is tapped; NEXT corrects the one shown.

    With one button a tap goes on, since there are many stops, and a hold corrects.
    """

    quick: ClassVar[bool] = True
    stays_s: ClassVar[float] = LOOK_S

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

    def screen(self, s: Session) -> Table[Text]:
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
            keys=(Key(to_go_on, "yes, go on"), Key(to_correct, "correct")),
            beat=steps_since(self.since, BEAT_S, s.t),
        )

    def wake_at(self, s: Session) -> float:
        return min(next_step(self.since, BLINK_S, s.t), self.closes_at)


def _at(game: Game, stop: Stop) -> str:
    return where_in_brief(game.ruleset.layout, stop.seat, stop.place)


@dataclass(frozen=True, slots=True)
class WalkAsked(Mode):
    """Players are asked to walk the pawns: any panel's OK begins it there, NEXT goes on playing.

    tree: the menu that correcting goes back to.
    """

    tree: tuple[Line, ...]

    def drivers(self, s: Session) -> tuple[int, ...]:
        return self.joined(s)

    def whose(self, s: Session) -> str:
        return "walk the pawns?"

    def ok(self, s: Session, seat: int) -> Change:
        menu = Menu(seat, TO_GAME, s.t, self.tree)
        return Change(s.into(Comparing(menu, s.t)), tones=(Tone(seat, "press"),))

    def next(self, s: Session, seat: int) -> Change:
        return Change(s.at_rest(), tones=(Tone(seat, "press"),))

    def screen(self, s: Session) -> Page[Text]:
        only = all(s.only(seat) for seat in self.drivers(s))
        lines = ("I was off. Are the pawns still in place?",)
        return Page("Walk the pawns?", lines, keys(only, "play on", "look"))

    def resting(self, s: Session) -> bool:
        return True


def is_asked(mode: Mode) -> bool:
    """Whether the question is open, on the screen or under a menu that is."""
    while isinstance(mode, Menu | FromMenu):
        mode = mode.back if isinstance(mode, Menu) else mode.menu_before
    return isinstance(mode, WalkAsked)


def resume(s: Session, event: Resume, tree: tuple[Line, ...]) -> Change:
    """Put a game in progress on the table, pawns that undo has moved to be put back first."""
    asked = event.walk and _has_moved(event.record)
    return Change(put_back(s, event.record, WalkAsked(tree) if asked else TO_GAME))


def _has_moved(record: Record) -> bool:
    """Whether there may be a pawn that does not stand where everybody knows: in its nest."""
    if record.game.phase not in STANDING:
        return False
    out = any(place != NEST for pawns in record.game.position for place in pawns)
    return out or any(isinstance(done.action, Move | Correct) for done in record.past)
