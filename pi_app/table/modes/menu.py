"""The menu, and what it asks before it ends the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from pi_app.record import history
from pi_app.table.acting import act
from pi_app.table.events import Tone
from pi_app.table.modes.moving_back import put_back
from pi_app.table.modes.why import can_ask, why
from pi_app.table.screen import Page
from pi_app.table.state import MENU_S, Change, Mode, Session
from pi_app.table.words import keys, letter
from rules.actions import End
from rules.game import Phase


@dataclass(frozen=True, slots=True)
class Menu(Mode):
    """One panel drives the menu; untouched it closes and `back` is shown again."""

    driver: int
    back: Mode
    touched: float
    index: int = 0

    def joined(self, s: Session) -> tuple[int, ...]:
        return self.back.joined(s)

    def drivers(self, s: Session) -> tuple[int, ...]:
        return (self.driver,)

    def whose(self, s: Session) -> str:
        return f"{letter(self.driver)} has the menu"

    def items(self, s: Session) -> tuple[str, ...]:
        """Return what the menu offers now, in its words."""
        return tuple(entry.words for entry in self._entries(s))

    def _entries(self, s: Session) -> list[Entry]:
        return [entry for entry in ENTRIES if entry.is_there(s)]

    def ok(self, s: Session, seat: int) -> Change:
        return self._entries(s)[self.index].do(self, s)

    def next(self, s: Session, seat: int) -> Change:
        following = (self.index + 1) % len(self.items(s))
        return Change(s.into(replace(self, index=following, touched=s.t)))

    def menu(self, s: Session, seat: int) -> Change:
        return _close(self, s) if seat == self.driver else s.refuse(self.whose(s))

    def screen(self, s: Session) -> Page:
        hint = keys(s.only(self.driver), "other", "do it")
        title = f"{letter(self.driver)}: menu"
        return Page(title, self.items(s), hint, chosen=self.index)

    def wake_at(self, s: Session) -> float:
        return self.touched + MENU_S

    def pass_time(self, s: Session) -> Change:
        return _close(self, s) if s.t >= self.touched + MENU_S else Change(s)


def _close(menu: Menu, s: Session) -> Change:
    return menu.back.pass_time(s.into(menu.back))


def _undo(menu: Menu, s: Session) -> Change:
    record, row = history.undo(s.playing)
    return Change(put_back(s, record), (row,), tones=(Tone(menu.driver, "press"),))


def _ask_end(menu: Menu, s: Session) -> Change:
    return Change(s.into(ConfirmEnd(replace(menu, touched=s.t))))


def _ask_why(menu: Menu, s: Session) -> Change:
    return Change(s.into(why(s, menu.driver, menu.back)), tones=(Tone(menu.driver, "press"),))


def _undoable(s: Session) -> bool:
    return s.record is not None and s.record.undoable


def _unended(s: Session) -> bool:
    return s.record is not None and s.record.game.phase is not Phase.OVER


def _always(s: Session) -> bool:
    return True


class Entry(NamedTuple):
    """One line of the menu: its words, whether it is there now, and what it does."""

    words: str
    is_there: Callable[[Session], bool]
    do: Callable[[Menu, Session], Change]


ENTRIES = (
    Entry("undo", _undoable, _undo),
    Entry("why not?", can_ask, _ask_why),
    Entry("end game", _unended, _ask_end),
    Entry("back", _always, _close),
)


@dataclass(frozen=True, slots=True)
class FromMenu(Mode):
    """What an entry leads to: its panel goes on driving, NEXT goes back to the menu."""

    menu_before: Menu

    def drivers(self, s: Session) -> tuple[int, ...]:
        return self.menu_before.drivers(s)

    def whose(self, s: Session) -> str:
        return self.menu_before.whose(s)

    def next(self, s: Session, seat: int) -> Change:
        return Change(s.into(replace(self.menu_before, touched=s.t)))

    def menu(self, s: Session, seat: int) -> Change:
        return self.menu_before.menu(s, seat)

    def wake_at(self, s: Session) -> float | None:
        return self.menu_before.wake_at(s)

    def pass_time(self, s: Session) -> Change:
        return self.menu_before.pass_time(s)


@dataclass(frozen=True, slots=True)
class ConfirmEnd(FromMenu):
    """The menu asks again before it ends the game: only holding OK does."""

    def holds_ok(self, s: Session, seat: int) -> bool:
        return True

    def ok(self, s: Session, seat: int) -> Change:
        return s.refuse("hold OK to end")

    def hold_ok(self, s: Session, seat: int) -> Change:
        return act(s, End())

    def screen(self, s: Session) -> Page:
        driver = self.menu_before.driver
        hint = "tap: no, hold: end" if s.only(driver) else "NEXT: no, hold OK: end"
        return Page(f"{letter(driver)}: end game?", ("The game ends now.",), hint)
