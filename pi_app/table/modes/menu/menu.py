"""How players drive the menu and the modes it opens. Its items are in `whole_menu`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

from pi_app.model.screens import KeyHint, Seat, Text, TextScreen, message
from pi_app.settings.settings import Setting
from pi_app.table.core.state import Change, Mode, Session
from pi_app.texts.words import hold_key, keys, next_key, question_title

MENU_S = 30.0
LOOK_S = 120.0  # for modes in which players look at the board or at wires, not at the display
WAY_OUT_EVERY = 6  # choices: one button then reaches a way out with at most seven presses
T = TypeVar("T")
U = TypeVar("U")


def always_available(session: Session) -> bool:
    """Whether an item is available that is in the menu of each session."""
    return True


class MenuItem(NamedTuple):
    """A line of the menu that does something.

    id: unique in its section. words: of the line. do: what OK does. is_available: whether the line
    is shown now. value: shown after the words.
    """

    id: str
    words: Text
    do: Callable[[Menu, Session], Change]
    is_available: Callable[[Session], bool] = always_available
    value: Callable[[Session], Text] | None = None


class MenuSection(NamedTuple):
    """A line of the menu that opens more lines. It is available if one of these is.

    id: unique in its section. words: of the line. entries: the lines, or a function that returns
    them for a session. value: shown after the words. about: the lines are shown one at a time, each
    with what this returns for its id, which is None if it is not one of several choices. title:
    over the lines, the words if None.
    """

    id: str
    words: Text
    entries: tuple[Line, ...] | Callable[[Session], tuple[Line, ...]]
    value: Callable[[Session], Text] | None = None
    about: Callable[[Session, str], tuple[Text, ...] | None] | None = None
    title: Text | None = None

    def is_available(self, session: Session) -> bool:
        """Whether one of its lines is available."""
        return any(line.is_available(session) for line in self.lines(session))

    def lines(self, session: Session) -> tuple[Line, ...]:
        """Return all its lines, available or not."""
        return self.entries(session) if callable(self.entries) else self.entries


Line = MenuItem | MenuSection


def _with_value(line: Line, session: Session) -> Text:
    """Return a line's words, with its value after them if it has one."""
    if line.value is None:
        return line.words
    return message("line-and-value", line=line.words, value=line.value(session))


def with_way_out(choices: Sequence[T], way: U, only: bool) -> Iterator[T | U]:
    """Yield the choices.

    only: the panel has one button, and gets the way out after every WAY_OUT_EVERY choices.
    """
    for index, choice in enumerate(choices):
        if only and index and index % WAY_OUT_EVERY == 0:
            yield way
        yield choice


def setting_item(
    setting: Setting[T],
    words: Text,
    values: Mapping[T, Text],
    is_available: Callable[[Session], bool] = always_available,
) -> MenuItem:
    """Return an item that shows a setting. Each OK sets the next value.

    words: of the line. values: all values of the setting in order, each with its words.
    is_available: whether the line is shown in a session.
    """

    def show_value(session: Session) -> Text:
        return values[session.settings.get(setting)]

    def set_next(menu: Menu, session: Session) -> Change:
        order = list(values)
        following = order[(order.index(session.settings.get(setting)) + 1) % len(order)]
        return session.set(setting, following).lead_to(menu, pressed=menu.driver)

    return MenuItem(setting.key, words, set_next, is_available, value=show_value)


def opens(mode: Callable[[Menu], Mode]) -> Callable[[Menu, Session], Change]:
    """Return the action of an item that opens a mode."""
    return lambda menu, session: session.lead_to(mode(menu))


# Goes from a section to its own line, or closes the menu.
BACK = MenuItem(
    "back",
    message("do-back"),
    lambda menu, session: (
        session.lead_to(menu.close_section(session)) if menu.path else menu.close(session)
    ),
)


@dataclass(frozen=True, slots=True)
class Menu(Mode):
    """One panel drives the menu. After MENU_S without a press it closes.

    tree: all its lines; this class has none, for a mode that closes it at once. driver: the seat of
    the panel. back: the mode to return to. touched_at: when the panel was last pressed. path: the
    ids of the open sections, from the outermost. index: of the marked line.
    """

    tree: ClassVar[tuple[Line, ...]] = ()

    driver: int
    back: Mode
    touched_at: float
    path: tuple[str, ...] = ()
    index: int = 0

    def joined(self, session: Session) -> tuple[int, ...]:
        return self.back.joined(session)

    def chosen_rules(self, session: Session) -> str:
        return self.back.chosen_rules(session)

    def drivers(self, session: Session) -> tuple[int, ...]:
        return (self.driver,)

    def whose(self, session: Session) -> Text:
        return message("has-the-menu", seat=Seat(self.driver))

    def lines(self, session: Session) -> tuple[Line, ...]:
        """Return the available lines of the open section."""
        session = session.enter_mode(self)  # a line may depend on the driver
        section = self._open_section(session)
        lines = [line for line in section.lines(session) if line.is_available(session)]
        return (*with_way_out(lines, BACK, self.has_one_button(session)), BACK)

    def section(self, session: Session) -> MenuSection:
        """Return the outermost section."""
        return MenuSection("menu", message("menu"), self.tree)

    def _open_section(self, session: Session) -> MenuSection:
        """Return the open section, an empty one if it has gone."""
        section = self.section(session)
        for name in self.path:
            inner = (line for line in section.lines(session) if isinstance(line, MenuSection))
            empty = MenuSection(name, message("menu"), ())
            section = next((one for one in inner if one.id == name), empty)
        return section

    def ids(self, session: Session) -> tuple[str, ...]:
        """Return the ids of the lines of the open section."""
        return tuple(line.id for line in self.lines(session))

    def open_sections(self, session: Session, *path: str, line: str = "") -> Menu:
        """Return the menu, touched now, with these sections open and, if present, a line marked."""
        menu = replace(self, path=path, index=0, touched_at=session.t)
        ids = menu.ids(session)
        return replace(menu, index=ids.index(line)) if line in ids else menu

    def close_section(self, session: Session) -> Menu:
        """Return the menu at the line of the section that is open now."""
        return self.open_sections(session, *self.path[:-1], line=self.path[-1])

    def ok(self, session: Session, seat: int) -> Change:
        line = self.lines(session)[self.index]
        if isinstance(line, MenuSection):
            return session.lead_to(self.open_sections(session, *self.path, line.id))
        return line.do(replace(self, touched_at=session.t), session)

    def next(self, session: Session, seat: int) -> Change:
        following = (self.index + 1) % len(self.lines(session))
        return session.lead_to(replace(self, index=following, touched_at=session.t))

    def menu(self, session: Session, seat: int) -> Change:
        if seat != self.driver:
            return session.refuse(self.whose(session))
        if not self.path:
            return self.close(session)
        return session.lead_to(self.open_sections(session, line=self.path[0]))

    def screen(self, session: Session) -> TextScreen[Text]:
        section = self._open_section(session.enter_mode(self))
        title = question_title(self.driver, section.title or section.words)
        lines, only = self.lines(session), self.has_one_button(session)
        if section.about is None:
            words = tuple(_with_value(line, session) for line in lines)
            hints = keys(only, message("do-other"), message("do-it"))
            return TextScreen(title, words, hints, chosen=self.index)
        marked = lines[self.index]
        about = {line.id: section.about(session, line.id) for line in lines}
        choices = [name for name, below in about.items() if below is not None]
        return TextScreen(
            title,
            (_with_value(marked, session), *(about[marked.id] or ())),
            keys(only, message("do-other"), message("do-this-one")),
            corner=f"{choices.index(marked.id) + 1}/{len(choices)}" if marked.id in choices else "",
        )

    def wake_at(self, session: Session) -> float:
        return self.touched_at + MENU_S

    def pass_time(self, session: Session) -> Change:
        return self.close(session) if session.t >= self.wake_at(session) else Change(session)

    def close(self, session: Session) -> Change:
        """Return to the mode from which the menu was opened."""
        return self.back.pass_time(session.enter_mode(self.back))


@dataclass(frozen=True, slots=True)
class FromMenu(Mode):
    """A mode that the menu has opened. The menu's panel drives it, and OK and NEXT go back.

    stays_s: how long it stays without a press. menu_before: the menu that opened it. mode_before:
    the mode that opened it, None if that is the menu itself.
    """

    stays_s: ClassVar[float] = MENU_S

    menu_before: Menu
    mode_before: FromMenu | None = field(default=None, kw_only=True)

    @property
    def driver(self) -> int:
        """The seat of the panel that drives the menu and what it opens."""
        return self.menu_before.driver

    @property
    def closes_at(self) -> float:
        """When it closes without a press."""
        return self.menu_before.touched_at + self.stays_s

    def joined(self, session: Session) -> tuple[int, ...]:
        return self.menu_before.joined(session)

    def chosen_rules(self, session: Session) -> str:
        return self.menu_before.chosen_rules(session)

    def drivers(self, session: Session) -> tuple[int, ...]:
        return (self.driver,)

    def whose(self, session: Session) -> Text:
        return self.menu_before.whose(session)

    def touched(self, session: Session, **fields: Any) -> Self:
        """Return this mode with these fields, touched now, so that it stays open for longer."""
        return replace(self, menu_before=self.touched_menu(session), **fields)

    def touched_menu(self, session: Session) -> Menu:
        """Return the menu as it was, touched now."""
        return replace(self.menu_before, touched_at=session.t)

    def go_back(self, session: Session) -> Change:
        """Return to the menu or mode that opened this one, at the line that led here."""
        menu, mode = self.touched_menu(session), self.mode_before
        return session.lead_to(replace(mode, menu_before=menu) if mode else menu)

    def ok(self, session: Session, seat: int) -> Change:
        return self.go_back(session)

    def next(self, session: Session, seat: int) -> Change:
        return self.go_back(session)

    def menu(self, session: Session, seat: int) -> Change:
        if seat != self.driver:
            return session.refuse(self.whose(session))
        return self.hold_next(session)

    def hold_next(self, session: Session) -> Change:
        """The menu's panel held NEXT."""
        return self.menu_before.menu(session, self.driver)

    def shown_since(self, session: Session) -> float:
        return self.menu_before.touched_at

    def wake_at(self, session: Session) -> float | None:
        return self.closes_at

    def pass_time(self, session: Session) -> Change:
        return self.menu_before.close(session) if session.t >= self.closes_at else Change(session)


@dataclass(frozen=True, slots=True)
class Confirm(FromMenu):
    """Asks before something is done. Only a hold of OK confirms it; NEXT goes back."""

    def holds_ok(self, session: Session, seat: int) -> bool:
        return True

    def keys(self, session: Session, does: Text) -> tuple[KeyHint[Text], ...]:
        """Return the key hints: NEXT `no`, hold OK `end`."""
        only = self.has_one_button(session)
        return next_key(only, message("do-no")), hold_key(only, does)
