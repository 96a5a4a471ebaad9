"""Modes that the menu opens to choose one of several things. They decide what a choice does."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pi_app.model.screens import Text, TextScreen, message
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.menu.menu import FromMenu, with_way_out
from pi_app.texts.words import keys

BACK = message("do-back")


@dataclass(frozen=True, slots=True)
class Choosing(FromMenu):
    """NEXT goes to the next of several choices, and from the last to the first.

    A hold of NEXT goes back. index: of the choice that is shown.
    """

    index: int = field(default=0, kw_only=True)

    def options(self, session: Session) -> Sequence[object]:
        """Return the choices in order."""
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

    def lines(self, session: Session) -> tuple[Text, ...]:
        """Return the lines without those that go back."""
        raise NotImplementedError

    def choose(self, session: Session, index: int) -> Change:
        """Return what the line with this index does. The session is already back in the menu."""
        raise NotImplementedError

    def title(self, session: Session) -> Text:
        """Return the title of the list."""
        raise NotImplementedError

    def options(self, session: Session) -> tuple[Text, ...]:
        """Return the lines with those that go back."""
        only = self.has_one_button(session)
        return (*with_way_out(self.lines(session), BACK, only), *([BACK] if only else []))

    def ok(self, session: Session, seat: int) -> Change:
        lines = self.options(session)
        if lines[self.index] == BACK:
            return self.go_back(session)
        index = self.index - lines[: self.index].count(BACK)
        return self.choose(session.enter_mode(self.touched_menu(session)), index)

    def screen(self, session: Session) -> TextScreen[Text]:
        hints = keys(self.has_one_button(session), message("do-other"), message("do-this-one"))
        return TextScreen(self.title(session), self.options(session), hints, chosen=self.index)
