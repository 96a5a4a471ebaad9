"""The menu as it is driven: its lines, and what a line leads to. What is in it: `entries`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple, TypeVar

from pi_app.input.events import Tone
from pi_app.screens.screen import KeyHint, Seat, Text, TextScreen, message
from pi_app.settings.settings import Setting
from pi_app.table.core.state import Change, MenuPlace, Mode, Session, ToMenu
from pi_app.texts.words import hold_key, keys, next_key, question_title

MENU_S = 30.0
LOOK_S = 120.0  # where players look at cardboard, wires or names meanwhile, not at the buttons
FEW = 6  # so that one button comes to a way out by seven presses at most
T = TypeVar("T")
U = TypeVar("U")


def always(session: Session) -> bool:
    """Be there in every session."""
    return True


class MenuItem(NamedTuple):
    """One line of the menu: its words, whether it is there now, and what it does.

    id: what it is known by among its neighbours. value: what is shown behind its words.
    """

    id: str
    words: Text
    is_there: Callable[[Session], bool]
    do: Callable[[Menu, Session], Change]
    value: Callable[[Session], Text] | None = None

    def shown(self, session: Session) -> Text:
        """Return the line as it reads now."""
        return _with_value(self, session)


class MenuSection(NamedTuple):
    """A line of the menu that opens more lines; it is there if one of them is.

    id: what it is known by among its neighbours. entries: the lines, or what makes them of a
    session. value: what is shown behind its words.
    """

    id: str
    words: Text
    entries: tuple[Line, ...] | Callable[[Session], tuple[Line, ...]]
    value: Callable[[Session], Text] | None = None

    def is_there(self, session: Session) -> bool:
        """Whether there is anything in it."""
        return any(line.is_there(session) for line in self.lines(session))

    def lines(self, session: Session) -> tuple[Line, ...]:
        """Return its lines, those that are not there now among them."""
        return self.entries(session) if callable(self.entries) else self.entries

    def shown(self, session: Session) -> Text:
        """Return the line as it reads now."""
        return _with_value(self, session)


Line = MenuItem | MenuSection


def _with_value(line: Line, session: Session) -> Text:
    """Return a line's words, and its value behind them if it has one."""
    if line.value is None:
        return line.words
    return message("line-and-value", line=line.words, value=line.value(session))


def with_way_out(choices: Sequence[T], way: U, only: bool) -> Iterator[T | U]:
    """Yield choices; where only one button goes round them, a way out after every few."""
    for n, choice in enumerate(choices):
        if only and n and n % FEW == 0:
            yield way
        yield choice


def setting_item(
    setting: Setting[T],
    words: Text,
    values: Mapping[T, Text],
    is_there: Callable[[Session], bool] = always,
) -> MenuItem:
    """Return the entry that shows a setting and goes on to its next value at each OK.

    values: all that the setting can be, in order, each with its words.
    """

    def shown(session: Session) -> Text:
        return values[session.settings.get(setting)]

    def turn(menu: Menu, session: Session) -> Change:
        order = list(values)
        following = order[(order.index(session.settings.get(setting)) + 1) % len(order)]
        return Change(
            session.set(setting, following).into(menu), tones=(Tone(menu.driver, "press"),)
        )

    return MenuItem(setting.key, words, is_there, turn, shown)


def _back(menu: Menu, session: Session) -> Change:
    """Close the menu, or go from a section back to its own line."""
    return Change(session.into(menu.opened_from(session))) if menu.path else menu.close(session)


BACK = MenuItem("back", message("do-back"), always, _back)


@dataclass(frozen=True, slots=True)
class Menu(Mode):
    """One panel drives the menu; untouched it closes and `back` is shown again.

    tree: all its lines; this one has none, and is closed again by what it leads to. path: the
    sections that are open by their ids, each within the one before.
    """

    tree: ClassVar[tuple[Line, ...]] = ()

    driver: int
    back: Mode
    touched: float
    path: tuple[str, ...] = ()
    index: int = 0

    def joined(self, session: Session) -> tuple[int, ...]:
        return self.back.joined(session)

    def drivers(self, session: Session) -> tuple[int, ...]:
        return (self.driver,)

    def whose(self, session: Session) -> Text:
        return message("has-the-menu", seat=Seat(self.driver))

    def lines(self, session: Session) -> tuple[Line, ...]:
        """Return what the menu offers now, or the section of it that is open."""
        session = session.into(self)  # what is there may depend on who drives it
        section = self._open(session)
        there = [line for line in section.lines(session) if line.is_there(session)]
        return (*with_way_out(there, BACK, session.only(self.driver)), BACK)

    def _open(self, session: Session) -> MenuSection:
        """Return the section that is open; one with no lines where it is not there any more."""
        section = MenuSection("menu", message("menu"), self.tree)
        for name in self.path:
            inside = (one for one in section.lines(session) if isinstance(one, MenuSection))
            gone = MenuSection(name, message("menu"), ())
            section = next((one for one in inside if one.id == name), gone)
        return section

    def ids(self, session: Session) -> tuple[str, ...]:
        """Return the ids of the lines that are there now."""
        return tuple(line.id for line in self.lines(session))

    def at(self, session: Session, *path: str, line: str = "") -> Menu:
        """Return the menu, touched now, with these sections open and this line marked, if there."""
        menu = replace(self, path=path, index=0, touched=session.t)
        ids = menu.ids(session)
        return replace(menu, index=ids.index(line)) if line in ids else menu

    def where_last_used(self, session: Session) -> Menu:
        """Return the menu, open where it was last used within the turn if that is still there."""
        place = session.menu_place
        if place is None or place.turn != turn_number(session):
            return self
        there = self.at(session, *place.path, line=place.line)
        return there if there.ids(session)[there.index] == place.line else self

    def opened_from(self, session: Session) -> Menu:
        """Return the menu as it was when the section that is open was chosen."""
        return self.at(session, *self.path[:-1], line=self.path[-1])

    def ok(self, session: Session, seat: int) -> Change:
        line = self.lines(session)[self.index]
        if isinstance(line, MenuSection):
            return Change(session.into(self.at(session, *self.path, line.id)))
        if line is not BACK:
            session = replace(
                session, menu_place=MenuPlace(turn_number(session), self.path, line.id)
            )
        return line.do(replace(self, touched=session.t), session)

    def next(self, session: Session, seat: int) -> Change:
        following = (self.index + 1) % len(self.lines(session))
        return Change(session.into(replace(self, index=following, touched=session.t)))

    def menu(self, session: Session, seat: int) -> Change:
        if seat != self.driver:
            return session.refuse(self.whose(session))
        return (
            Change(session.into(self.at(session, line=self.path[0])))
            if self.path
            else self.close(session)
        )

    def screen(self, session: Session) -> TextScreen[Text]:
        does = keys(session.only(self.driver), message("do-other"), message("do-it"))
        title = question_title(self.driver, self._open(session.into(self)).words)
        shown = tuple(line.shown(session) for line in self.lines(session))
        return TextScreen(title, shown, does, chosen=self.index)

    def wake_at(self, session: Session) -> float:
        return self.touched + MENU_S

    def pass_time(self, session: Session) -> Change:
        return self.close(session) if session.t >= self.wake_at(session) else Change(session)

    def close(self, session: Session) -> Change:
        """Return to what was there before the menu."""
        return self.back.pass_time(session.into(self.back))


def turn_number(session: Session) -> tuple[int, int] | None:
    """Return which turn of a game this is, None while there is no game."""
    return None if session.record is None else (session.record.game.turns, session.record.game.seat)


@dataclass(frozen=True, slots=True)
class FromMenu(Mode):
    """What an entry leads to: its panel goes on driving, NEXT goes back to where it was opened.

    stays_s: for how long, untouched. before: what this was opened from, None for the menu itself.
    """

    stays_s: ClassVar[float] = MENU_S

    menu_before: Menu
    before: FromMenu | None = field(default=None, kw_only=True)

    @property
    def closes_at(self) -> float:
        """When it closes, untouched."""
        return self.menu_before.touched + self.stays_s

    def joined(self, session: Session) -> tuple[int, ...]:
        return self.menu_before.joined(session)

    def drivers(self, session: Session) -> tuple[int, ...]:
        return self.menu_before.drivers(session)

    def whose(self, session: Session) -> Text:
        return self.menu_before.whose(session)

    def touched_menu(self, session: Session) -> Menu:
        """Return the menu as it was, touched now: what it leads to stays open for longer."""
        return replace(self.menu_before, touched=session.t)

    def over(self, session: Session) -> Change:
        """Return the menu at its top, opened over this: closed, it comes back to this."""
        return Change(session.into(ToMenu(self.menu_before.driver, self, top=True)))

    def out(self, session: Session) -> Change:
        """Return what this was opened from, still at the line that led here."""
        menu = self.touched_menu(session)
        return Change(session.into(replace(self.before, menu_before=menu) if self.before else menu))

    def next(self, session: Session, seat: int) -> Change:
        return self.out(session)

    def menu(self, session: Session, seat: int) -> Change:
        return (
            self.hold_next(session)
            if seat == self.menu_before.driver
            else session.refuse(self.whose(session))
        )

    def hold_next(self, session: Session) -> Change:
        """Its panel held NEXT."""
        return self.menu_before.menu(session, self.menu_before.driver)

    def shown_since(self, session: Session) -> float:
        return self.menu_before.touched

    def wake_at(self, session: Session) -> float | None:
        return self.closes_at

    def pass_time(self, session: Session) -> Change:
        return self.menu_before.close(session) if session.t >= self.closes_at else Change(session)


@dataclass(frozen=True, slots=True)
class Confirm(FromMenu):
    """The menu asks again: only holding OK does it, NEXT goes back."""

    def holds_ok(self, session: Session, seat: int) -> bool:
        return True

    def keys(self, session: Session, does: Text) -> tuple[KeyHint[Text], ...]:
        """Return what to press: NEXT `no`, hold OK `end`."""
        only = session.only(self.menu_before.driver)
        return next_key(only, message("do-no")), hold_key(only, does)
