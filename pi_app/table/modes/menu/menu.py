"""How players drive the menu and the modes it opens. Its items are in `whole_menu`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

from pi_app.model.screens import KeyHint, Message, Seat, Text, TextScreen, message
from pi_app.settings.settings import Setting
from pi_app.table.core.state import Change, Mode, Session
from pi_app.texts.words import hold_key, keys, next_key, question_title

MENU_S = 30.0
LOOK_S = 120.0  # for modes in which players look at the board or at wires, not at the display
WAY_OUT_EVERY = 6  # choices: one button then reaches a way out with at most seven presses
BACK = message("do-back")
T = TypeVar("T")
U = TypeVar("U")


def always_available(session: Session) -> bool:
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
        return any(line.is_available(session) for line in self.lines(session))

    def lines(self, session: Session) -> tuple[Line, ...]:
        return self.entries(session) if callable(self.entries) else self.entries


Line = MenuItem | MenuSection


def _with_value(line: Line, session: Session) -> Text:
    if line.value is None:
        return line.words
    return message("line-and-value", line=line.words, value=line.value(session))


def with_way_out(choices: Iterable[T], way: U, only: bool) -> Iterator[T | U]:
    """Yield the choices, with the way out after every WAY_OUT_EVERY if the panel has one button."""
    for index, choice in enumerate(choices):
        if only and index and index % WAY_OUT_EVERY == 0:
            yield way
        yield choice


def setting_item(
    setting: Setting[T],
    words: Text,
    values: tuple[Text, ...],
    is_available: Callable[[Session], bool] = always_available,
) -> MenuItem:
    """Return an item that shows a setting, with the words of its values. Each OK sets the next."""

    def show_value(session: Session) -> Text:
        return values[setting.values.index(session.settings.get(setting))]

    def set_next(menu: Menu, session: Session) -> Change:
        index = setting.values.index(session.settings.get(setting)) + 1
        after = session.set(setting, setting.values[index % len(values)])
        return after.lead_to(menu, pressed=menu.driver)

    return MenuItem(setting.key, words, set_next, is_available, show_value)


def opens(mode: Callable[[Menu], Mode]) -> Callable[[Menu, Session], Change]:
    return lambda menu, session: session.lead_to(mode(menu))


# Goes from a section to its own line, or closes the menu.
GO_BACK = MenuItem(
    "back",
    BACK,
    lambda menu, session: (
        session.lead_to(menu.close_section(session)) if menu.path else menu.close(session)
    ),
)


class OnePanel(Mode):
    """A mode that one panel drives. After stays_s without a press it closes.

    root: the menu, which knows the panel, its last press and the mode to return to.
    """

    __slots__ = ()
    stays_s: ClassVar[float] = MENU_S

    @property
    def root(self) -> Menu:
        raise NotImplementedError

    @property
    def closes_at(self) -> float:
        return self.root.touched_at + self.stays_s

    def joined(self, session: Session) -> tuple[int, ...]:
        return self.root.back.joined(session)

    def chosen_rules(self, session: Session) -> str:
        return self.root.back.chosen_rules(session)

    def drivers(self, session: Session) -> tuple[int, ...]:
        return (self.root.driver,)

    def whose(self, session: Session) -> Text:
        return message("has-the-menu", seat=Seat(self.root.driver))

    def menu(self, session: Session, seat: int) -> Change:
        is_own = seat == self.root.driver
        return self.hold_next(session) if is_own else session.refuse(self.whose(session))

    def hold_next(self, session: Session) -> Change:
        """Return the change that a hold of NEXT on the menu's panel makes."""
        return self.root.hold_next(session)

    def wake_at(self, session: Session) -> float | None:
        return self.closes_at

    def pass_time(self, session: Session) -> Change:
        return self.root.close(session) if session.t >= self.closes_at else Change(session)


@dataclass(frozen=True, slots=True)
class Menu(OnePanel):
    """The menu. It has no lines here, for a mode that closes it at once.

    driver: the seat of the panel. back: the mode to return to. touched_at: when the panel was last
    pressed. path: the ids of the open sections, from the outermost. index: of the marked line.
    """

    driver: int
    back: Mode
    touched_at: float
    path: tuple[str, ...] = ()
    index: int = 0

    @property
    def root(self) -> Menu:
        return self

    def section(self, session: Session) -> MenuSection:
        return MenuSection("menu", message("menu"), ())

    def _open_section(self, session: Session) -> MenuSection:
        """Return the open section, an empty one if it has gone."""
        section = self.section(session)
        for name in self.path:
            inner = (line for line in section.lines(session) if isinstance(line, MenuSection))
            gone = MenuSection(name, message("menu"), ())
            section = next((one for one in inner if one.id == name), gone)
        return section

    def lines(self, session: Session) -> tuple[Line, ...]:
        """Return the available lines of the open section."""
        session = session.enter_mode(self)  # a line may depend on the driver
        section = self._open_section(session)
        lines = [line for line in section.lines(session) if line.is_available(session)]
        return (*with_way_out(lines, GO_BACK, self.has_one_button(session)), GO_BACK)

    def ids(self, session: Session) -> tuple[str, ...]:
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

    def hold_next(self, session: Session) -> Change:
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

    def close(self, session: Session) -> Change:
        """Return to the mode from which the menu was opened."""
        return self.back.pass_time(session.enter_mode(self.back))


@dataclass(frozen=True, slots=True)
class FromMenu(OnePanel):
    """A mode that the menu has opened. OK and NEXT go back.

    menu_before: the menu that opened it. mode_before: the mode that opened it, None if that is the
    menu itself.
    """

    menu_before: Menu
    mode_before: FromMenu | None = field(default=None, kw_only=True)

    @property
    def root(self) -> Menu:
        return self.menu_before

    @property
    def driver(self) -> int:
        return self.menu_before.driver

    def touched(self, session: Session, **fields: Any) -> Self:
        """Return this mode with these fields, touched now, so that it stays open for longer."""
        return replace(self, menu_before=self.touched_menu(session), **fields)

    def touched_menu(self, session: Session) -> Menu:
        return replace(self.menu_before, touched_at=session.t)

    def go_back(self, session: Session) -> Change:
        """Return to the menu or mode that opened this one, at the line that led here."""
        menu, mode = self.touched_menu(session), self.mode_before
        return session.lead_to(replace(mode, menu_before=menu) if mode else menu)

    def ok(self, session: Session, seat: int) -> Change:
        return self.go_back(session)

    def next(self, session: Session, seat: int) -> Change:
        return self.go_back(session)

    def shown_since(self, session: Session) -> float:
        return self.menu_before.touched_at

    def text_screen(
        self,
        session: Session,
        title: Text,
        lines: tuple[Text, ...],
        by_next: Text = BACK,
        by_ok: Text | None = None,
        corner: Text = "",
    ) -> TextScreen[Text]:
        """Return a text screen for the driver. by_next, by_ok: what the buttons are said to do."""
        only = self.has_one_button(session)
        hints = (next_key(only, by_next),) if by_ok is None else keys(only, by_next, by_ok)
        return TextScreen(question_title(self.driver, title), lines, hints, corner=corner)


@dataclass(frozen=True, slots=True)
class Looking(FromMenu):
    """It stays longer: players look at the board, at wires or at a phone, not at the display."""

    stays_s: ClassVar[float] = LOOK_S


@dataclass(frozen=True, slots=True)
class Confirm(FromMenu):
    """Asks before something is done. Only a hold of OK confirms it; NEXT goes back."""

    too_short: ClassVar[Message]  # the answer to a short OK

    def holds_ok(self, session: Session, seat: int) -> bool:
        return True

    def ok(self, session: Session, seat: int) -> Change:
        return session.refuse(self.too_short)

    def keys(self, session: Session, does: Text) -> tuple[KeyHint[Text], ...]:
        """Return the key hints: NEXT `no`, hold OK `end`."""
        only = self.has_one_button(session)
        return next_key(only, message("do-no")), hold_key(only, does)


@dataclass(frozen=True, slots=True)
class Choosing(FromMenu):
    """NEXT goes through several choices, round and round; a hold of NEXT goes back."""

    index: int = field(default=0, kw_only=True)

    def options(self, session: Session) -> Sequence[object]:
        raise NotImplementedError

    def next(self, session: Session, seat: int) -> Change:
        following = (self.index + 1) % len(self.options(session))
        return session.lead_to(self.touched(session, index=following))

    def hold_next(self, session: Session) -> Change:
        return self.go_back(session)


@dataclass(frozen=True, slots=True)
class LineList(Choosing):
    """Players choose one of several lines.

    On a one-button panel the last line goes back, and so does one after every WAY_OUT_EVERY lines.
    """

    def title(self, session: Session) -> Text:
        raise NotImplementedError

    def lines(self, session: Session) -> Mapping[Any, Text]:
        """Return the words of each choice, without those that go back."""
        raise NotImplementedError

    def choose(self, session: Session, chosen: Any) -> Change:
        """Return what a choice does. The session is already back in the menu."""
        raise NotImplementedError

    def options(self, session: Session) -> tuple[object, ...]:
        """Return the choices, and BACK for each line that goes back."""
        only = self.has_one_button(session)
        return (*with_way_out(self.lines(session), BACK, only), *([BACK] if only else []))

    def ok(self, session: Session, seat: int) -> Change:
        chosen = self.options(session)[self.index]
        if chosen == BACK:
            return self.go_back(session)
        return self.choose(session.enter_mode(self.touched_menu(session)), chosen)

    def screen(self, session: Session) -> TextScreen[Text]:
        words = self.lines(session)
        lines = tuple(words.get(choice, BACK) for choice in self.options(session))
        hints = keys(self.has_one_button(session), message("do-other"), message("do-this-one"))
        return TextScreen(self.title(session), lines, hints, chosen=self.index)
