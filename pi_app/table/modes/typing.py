"""Real dice thrown by hand are typed in, die by die. Draws nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pi_app.table.acting import act
from pi_app.table.map import steps_since, table_map
from pi_app.table.modes.menu import FromMenu
from pi_app.table.modes.thrown import record_throw
from pi_app.table.screen import Die, Table
from pi_app.table.state import Change, Session
from pi_app.table.who import turn
from pi_app.table.words import presses
from rules.actions import Throw
from rules.history import TYPED, Retype

BEAT_S = 2.0
FACES = 6
MENU = 7  # where one button goes round the faces, the menu comes after them
WHICH = ("first die", "second die")


@dataclass(frozen=True, slots=True)
class Typing(FromMenu):
    """NEXT counts a die's face up, OK goes on to the next die and at last confirms them all.

    again: the throw on the table was typed in, and is typed anew.
    """

    dice: int
    since: float
    again: bool = False
    faces: tuple[int, ...] = ()
    face: int = 1

    @property
    def typed(self) -> bool:
        """Whether every die is typed in, so that only the confirming is left."""
        return len(self.faces) == self.dice

    def ok(self, s: Session, seat: int) -> Change:
        if self.face == MENU:
            return replace(self, face=1).over(s)
        if not self.typed:
            return self._with(s, faces=(*self.faces, self.face), face=1)
        if self.again:
            return act(s, Retype(self.faces))
        return record_throw(s, Throw(self.faces), TYPED)

    def next(self, s: Session, seat: int) -> Change:
        if self.typed:
            return self._with(s, faces=(), face=1)
        last = MENU if s.only(seat) else FACES
        return self._with(s, face=self.face % last + 1)

    def _with(self, s: Session, **fields: object) -> Change:
        menu = self.touched_menu(s)
        return Change(s.into(replace(self, menu_before=menu, since=s.t, **fields)))  # type: ignore[arg-type]

    def screen(self, s: Session) -> Table:
        game, driver = s.playing.game, self.menu_before.driver
        to_next, to_do = presses(s.only(driver))
        menu = self.face == MENU
        faces = self.faces if self.typed or menu else (*self.faces, self.face)
        does = ("no, again", "yes") if self.typed else ("count up", "open it" if menu else "go on")
        which = "menu" if menu else "all right?" if self.typed else WHICH[len(self.faces)]
        return Table(
            board=replace(table_map(game, None, None, lit=False), seat=driver),
            seat=game.seat,
            heading=turn(s, game.seat, "throws"),
            dice=tuple(map(Die, faces)),
            increments=(),
            words=(which if self.dice > 1 or self.typed or menu else "the die",),
            keys=(f"{to_next}: {does[0]}", f"{to_do}: {does[1]}"),
            beat=steps_since(self.since, BEAT_S, s.t),
        )

    def wake_at(self, s: Session) -> float:
        beat = self.since + (steps_since(self.since, BEAT_S, s.t) + 1) * BEAT_S
        return min(beat, self.menu_before.wake_at(s))
