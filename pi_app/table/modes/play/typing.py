"""Real dice thrown by hand are typed in, die by die. Draws nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pi_app.screens.screen import BoardScreen, Die, Seat, Text, message, table_map
from pi_app.table.core.acting import act
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.menu.menu import FromMenu
from pi_app.table.modes.play.showing_throw import record_throw
from pi_app.texts.words import keys
from rules.actions import Throw
from rules.history import TYPED, Retype

FACES = 6
TO_MENU = 7  # where one button goes round the faces, the menu comes after them
WHICH = (message("first-die"), message("second-die"))


@dataclass(frozen=True, slots=True)
class Typed:
    """What is typed in so far of so many dice: the faces of some, and that of the next."""

    dice: int
    faces: tuple[int, ...] = ()
    face: int = 1

    @property
    def whole(self) -> bool:
        """Whether every die is typed in."""
        return len(self.faces) == self.dice

    @property
    def at_menu(self) -> bool:
        """Whether one button has gone on past the last face, to the menu."""
        return self.face == TO_MENU

    def counted(self, only: bool) -> Typed:
        """Return it with the next face up. only: with one button."""
        return replace(self, face=self.face % (TO_MENU if only else FACES) + 1)

    def confirmed(self) -> Typed:
        """Return it with the next die's face typed in."""
        return replace(self, faces=(*self.faces, self.face), face=1)

    def screen(self, session: Session, driver: int) -> BoardScreen[Text]:
        """Return what this panel sees of it."""
        game = session.playing.game
        faces = self.faces if self.at_menu else (*self.faces, self.face)
        which = WHICH[len(self.faces)] if self.dice > 1 else message("the-die")
        does = message("do-open-it") if self.at_menu else message("do-go-on")
        return BoardScreen(
            board=replace(table_map(game, None, None, still=True), seat=driver),
            seat=game.seat,
            heading=session.turn(game.seat, message("throws", seat=Seat(game.seat))),
            dice=tuple(map(Die, faces)),
            increments=(),
            words=(message("menu") if self.at_menu else which,),
            keys=keys(session.only(driver), message("do-count-up"), does),
        )


@dataclass(frozen=True, slots=True)
class Typing(FromMenu):
    """NEXT counts a die's face up, OK goes on to the next die; the last one's is the throw.

    again: the throw on the table was typed in, and is typed anew.
    """

    typed: Typed
    again: bool = False

    def ok(self, session: Session, seat: int) -> Change:
        if self.typed.at_menu:
            return self.go_back(session)
        typed = self.typed.confirmed()
        if not typed.whole:
            return self._with(session, typed)
        if self.again:
            return act(session, Retype(typed.faces))
        return record_throw(session, Throw(typed.faces), TYPED)

    def next(self, session: Session, seat: int) -> Change:
        return self._with(session, self.typed.counted(session.only(seat)))

    def _with(self, session: Session, typed: Typed) -> Change:
        return Change(
            session.into(replace(self, menu_before=self.touched_menu(session), typed=typed))
        )

    def screen(self, session: Session) -> BoardScreen[Text]:
        return self.typed.screen(session, self.menu_before.driver)
