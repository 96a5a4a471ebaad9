"""A name is entered with the buttons: first a group of letters, then the letter. Keeps nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, NamedTuple

from pi_app.screens.screen import Message, Text, TextScreen, message
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.menu.menu import LOOK_S, FromMenu, Menu, with_way_out
from pi_app.texts.words import keys

DIGITS = "0123456789"
GROUPS = ("ABCDEF", "GHIJK", "LMNOP", "QRSTU", "VWXYZ", DIGITS)  # as wide as can stand large

Does = Literal["open", "take", "others", "done", "delete", "menu"]


class NamingChoice(NamedTuple):
    """What OK can be pressed for: what stands large, what it does, and what OK says."""

    shown: Text
    does: Does
    says: Message


DONE = NamingChoice(message("name-done"), "done", message("do-that-is-it"))
DELETE = NamingChoice(message("name-delete"), "delete", message("do-take-one-off"))
NONE = NamingChoice(message("name-none"), "done", message("do-that-is-it"))
MENU = NamingChoice(message("menu"), "menu", message("do-go-back"))
OTHERS = NamingChoice(message("name-others"), "others", message("do-go-back"))


def _group(letters: str) -> NamingChoice:
    shown: Text = message("digits") if letters == DIGITS else letters
    return NamingChoice(shown, "open", message("do-open"))


@dataclass(frozen=True, slots=True)
class Naming(FromMenu):
    """NEXT goes round groups of letters, OK opens one; then likewise its letters.

    title: what is named. length: the most letters. text: the letters so far. optional: no letter at
    all can be confirmed, too. Holding NEXT goes back to the menu; with one button the last choice
    does.
    """

    stays_s: ClassVar[float] = LOOK_S

    title: Message
    length: int
    text: str = ""
    group: str = ""
    index: int = 0
    optional: bool = False

    def named(self, session: Session, menu: Menu) -> Change:
        """Return what the text leads to, which is the name from now on."""
        raise NotImplementedError

    def options(self, session: Session) -> tuple[NamingChoice, ...]:
        """Return what OK can be pressed for, in order."""
        only = session.only(self.menu_before.driver)
        listed = self._of_group() if self.group else self._of_groups()
        return (*with_way_out(listed, MENU, only), *((MENU,) if only else ()))

    def _of_group(self) -> tuple[NamingChoice, ...]:
        return (*(NamingChoice(one, "take", message("do-this-one")) for one in self.group), OTHERS)

    def _of_groups(self) -> tuple[NamingChoice, ...]:
        more = GROUPS if len(self.text) < self.length else ()
        return (
            *map(_group, more),
            *((DONE, DELETE) if self.text else (NONE,) if self.optional else ()),
        )

    def ok(self, session: Session, seat: int) -> Change:
        option = self.options(session)[self.index]
        match option.does:
            case "open":
                return self._with(session, group=GROUPS[self.index])
            case "take":
                assert isinstance(option.shown, str)
                return self._with(session, text=self.text + option.shown, group="")
            case "others":
                return self._with(session, group="", index=GROUPS.index(self.group))
            case "delete":
                return self._deleted(session)
            case "menu":
                return self.out(session)
        return self.named(session, self.touched_menu(session))

    def _deleted(self, session: Session) -> Change:
        """Take the last letter off; the next one goes by another press of OK."""
        shorter = replace(self, text=self.text[:-1])
        again = (shorter.options(session).index(DELETE),) if shorter.text else ()
        return self._with(session, *again, text=shorter.text)

    def next(self, session: Session, seat: int) -> Change:
        following = (self.index + 1) % len(self.options(session))
        return self._with(session, index=following)

    def hold_next(self, session: Session) -> Change:
        return self.out(session)

    def _with(self, session: Session, index: int = 0, **fields: str) -> Change:
        after = replace(self, menu_before=self.touched_menu(session), index=index, **fields)  # type: ignore[arg-type]
        return Change(session.into(after))

    def screen(self, session: Session) -> TextScreen[Text]:
        options = self.options(session)
        option = options[self.index]
        does = keys(session.only(self.menu_before.driver), message("do-other"), option.says)
        which = f"{self.index + 1}/{len(options)}"
        begun = message("named-so-far", what=self.title, text=self.text)
        title = begun if self.text else message("what-is-it", what=self.title)
        return TextScreen(title, (), does, corner=which, large=option.shown)
