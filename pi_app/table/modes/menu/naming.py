"""Players enter a name with buttons: first a group of letters, then a letter. Stores nothing."""

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, NamedTuple

from pi_app.model.screens import Message, Text, TextScreen, message
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.menu.menu import LOOK_S, Choosing, Menu, with_way_out
from pi_app.texts.words import keys

DIGITS = "0123456789"
SHOWN = 6  # letters of a group, in large letters
GROUPS = ("ABCDEF", "GHIJK", "LMNOP", "QRSTU", "VWXYZ", DIGITS)  # each fits in large letters

Effect = Literal["open", "take", "others", "done", "delete", "menu"]


class NamingChoice(NamedTuple):
    """What OK can do: the large text, its effect, OK's label, and the group that it opens."""

    shown: Text
    effect: Effect
    label: Message
    group: str = ""


DONE = NamingChoice(message("name-done"), "done", message("do-that-is-it"))
DELETE = NamingChoice(message("name-delete"), "delete", message("do-take-one-off"))
NONE = NamingChoice(message("name-none"), "done", message("do-that-is-it"))
MENU = NamingChoice(message("menu"), "menu", message("do-go-back"))
OTHERS = NamingChoice(message("name-others"), "others", message("do-go-back"))


@dataclass(frozen=True, slots=True)
class Naming(Choosing):
    """NEXT goes to the next group, OK opens it; then NEXT goes to the next letter, OK takes it.

    A hold of NEXT goes back to the menu; on a one-button panel the last choice does.

    title: what is named. length: the most letters. text: the letters so far. group: the open group,
    "" if none is. optional: the name may be empty. has_extra_letters: the letters of the table's
    language come after those of English.
    """

    stays_s: ClassVar[float] = LOOK_S
    has_extra_letters: ClassVar[bool] = False

    title: Message
    length: int
    text: str = ""
    group: str = ""
    optional: bool = False

    def store_name(self, session: Session, menu: Menu) -> Change:
        """Store the text as the name, and return to the menu or go on."""
        raise NotImplementedError

    def groups(self, session: Session) -> tuple[str, ...]:
        letters = {one.code: one.letters for one in session.setup.languages}
        extra = letters.get(session.language) if self.has_extra_letters else ""
        return (*GROUPS, extra) if extra else GROUPS

    def options(self, session: Session) -> tuple[NamingChoice, ...]:
        only = self.has_one_button(session)
        listed = [NamingChoice(one, "take", message("do-this-one")) for one in self.group]
        if self.group:
            listed.append(OTHERS)
        else:
            for group in self.groups(session) if len(self.text) < self.length else ():
                shown = message("digits") if group == DIGITS else group[:SHOWN]
                listed.append(NamingChoice(shown, "open", message("do-open"), group))
            listed += (DONE, DELETE) if self.text else (NONE,) if self.optional else ()
        return (*with_way_out(listed, MENU, only), *((MENU,) if only else ()))

    def ok(self, session: Session, seat: int) -> Change:
        option = self.options(session)[self.index]
        match option.effect:
            case "open":
                return self._update(session, group=option.group)
            case "take":
                assert isinstance(option.shown, str)
                return self._update(session, text=self.text + option.shown, group="")
            case "others":
                groups = [one.group for one in replace(self, group="").options(session)]
                return self._update(session, group="", index=groups.index(self.group))
            case "delete":
                shorter = replace(self, text=self.text[:-1])  # another OK deletes the next letter
                index = shorter.options(session).index(DELETE) if shorter.text else 0
                return self._update(session, index, text=shorter.text)
            case "menu":
                return self.go_back(session)
        return self.store_name(session, self.touched_menu(session))

    def _update(self, session: Session, index: int = 0, **fields: str) -> Change:
        return session.lead_to(self.touched(session, index=index, **fields))

    def screen(self, session: Session) -> TextScreen[Text]:
        options = self.options(session)
        option = options[self.index]
        hints = keys(self.has_one_button(session), message("do-other"), option.label)
        corner = f"{self.index + 1}/{len(options)}"
        so_far = message("named-so-far", what=self.title, text=self.text)
        title = so_far if self.text else message("what-is-it", what=self.title)
        return TextScreen(title, (), hints, corner=corner, large=option.shown)
