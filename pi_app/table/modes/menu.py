"""The menu as it is driven: its lines, and what a line leads to. What is in it: `entries`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from pi_app.table.screen import Page
from pi_app.table.state import Change, MenuPlace, Mode, Session
from pi_app.table.words import keys, letter

MENU_S = 30.0


class Entry(NamedTuple):
    """One line of the menu: its words, whether it is there now, and what it does."""

    words: str
    is_there: Callable[[Session], bool]
    do: Callable[[Menu, Session], Change]


class Section(NamedTuple):
    """A line of the menu that opens more lines; it is there if one of them is."""

    words: str
    entries: tuple[Entry, ...]

    def is_there(self, s: Session) -> bool:
        """Whether there is anything in it."""
        return any(entry.is_there(s) for entry in self.entries)


def always(s: Session) -> bool:
    """Whether an entry is there that always is."""
    return True


def _back(menu: Menu, s: Session) -> Change:
    """Close the menu, or go from a section back to where it was opened."""
    if not menu.section:
        return menu.close(s)
    sections = [line.words for line in menu.lines(s, "")]
    index = sections.index(menu.section)
    return Change(s.into(replace(menu, section="", index=index, touched=s.t)))


BACK = Entry("back", always, _back)


@dataclass(frozen=True, slots=True)
class Menu(Mode):
    """One panel drives the menu; untouched it closes and `back` is shown again.

    section: the words of the section that is open, "" for the menu itself.
    """

    driver: int
    back: Mode
    touched: float
    tree: tuple[Entry | Section, ...]
    section: str = ""
    index: int = 0

    def joined(self, s: Session) -> tuple[int, ...]:
        return self.back.joined(s)

    def drivers(self, s: Session) -> tuple[int, ...]:
        return (self.driver,)

    def whose(self, s: Session) -> str:
        return f"{letter(self.driver)} has the menu"

    def lines(self, s: Session, section: str) -> tuple[Entry | Section, ...]:
        """Return what the menu, or one of its sections, offers now."""
        inside: tuple[Entry | Section, ...] = self.tree
        for line in self.tree:
            if isinstance(line, Section) and line.words == section:
                inside = line.entries
        return (*(line for line in inside if line.is_there(s)), BACK)

    def words(self, s: Session) -> tuple[str, ...]:
        """Return the lines that are shown now."""
        return tuple(line.words for line in self.lines(s, self.section))

    def ok(self, s: Session, seat: int) -> Change:
        line = self.lines(s, self.section)[self.index]
        if isinstance(line, Section):
            return Change(s.into(replace(self, section=line.words, index=0, touched=s.t)))
        if line is not BACK:
            s = replace(s, menu_place=MenuPlace(turn_of(s), self.section, self.index))
        return line.do(replace(self, touched=s.t), s)

    def next(self, s: Session, seat: int) -> Change:
        following = (self.index + 1) % len(self.words(s))
        return Change(s.into(replace(self, index=following, touched=s.t)))

    def menu(self, s: Session, seat: int) -> Change:
        return self.close(s) if seat == self.driver else s.refuse(self.whose(s))

    def screen(self, s: Session) -> Page:
        hint = keys(s.only(self.driver), "other", "do it")
        title = f"{letter(self.driver)}: {self.section or 'menu'}"
        return Page(title, self.words(s), hint, chosen=self.index)

    def wake_at(self, s: Session) -> float:
        return self.touched + MENU_S

    def pass_time(self, s: Session) -> Change:
        return self.close(s) if s.t >= self.wake_at(s) else Change(s)

    def close(self, s: Session) -> Change:
        """Return to what was there before the menu."""
        return self.back.pass_time(s.into(self.back))


def opened(s: Session, driver: int, back: Mode, tree: tuple[Entry | Section, ...]) -> Menu:
    """Return the menu, open where it was last used within the turn if that is still there."""
    menu = Menu(driver, back, s.t, tree)
    place = s.menu_place
    if place is None or place.turn != turn_of(s):
        return menu
    there = not place.section or place.section in [line.words for line in menu.lines(s, "")]
    if not there or place.line >= len(menu.lines(s, place.section)):
        return menu
    return replace(menu, section=place.section, index=place.line)


def turn_of(s: Session) -> tuple[int, int] | None:
    """Return which turn of a game this is, None while there is no game."""
    return None if s.record is None else (s.record.game.turns, s.record.game.seat)


@dataclass(frozen=True, slots=True)
class FromMenu(Mode):
    """What an entry leads to: its panel goes on driving, NEXT goes back to the menu."""

    menu_before: Menu

    def joined(self, s: Session) -> tuple[int, ...]:
        return self.menu_before.joined(s)

    def drivers(self, s: Session) -> tuple[int, ...]:
        return self.menu_before.drivers(s)

    def whose(self, s: Session) -> str:
        return self.menu_before.whose(s)

    def touched_menu(self, s: Session) -> Menu:
        """Return the menu as it was, touched now: what it leads to stays open for longer."""
        return replace(self.menu_before, touched=s.t)

    def next(self, s: Session, seat: int) -> Change:
        return Change(s.into(self.touched_menu(s)))

    def menu(self, s: Session, seat: int) -> Change:
        return self.menu_before.menu(s, seat)

    def wake_at(self, s: Session) -> float | None:
        return self.menu_before.wake_at(s)

    def pass_time(self, s: Session) -> Change:
        return self.menu_before.pass_time(s)
