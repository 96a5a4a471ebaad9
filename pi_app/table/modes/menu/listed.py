"""Lines of which one is chosen, in what the menu leads to. Decides nothing by itself."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pi_app.screens.screen import Text, TextScreen, message
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.menu.menu import FromMenu, with_way_out
from pi_app.texts.words import keys

BACK = message("do-back")


@dataclass(frozen=True, slots=True)
class Listed(FromMenu):
    """Lines of which one is chosen: NEXT goes round them, holding it goes back.

    With one button the last line goes back, and one after every few.
    """

    index: int = 0

    def lines(self, session: Session) -> tuple[Text, ...]:
        """Return the lines but for the one that goes back."""
        raise NotImplementedError

    def choose(self, session: Session, index: int) -> Change:
        """Return what a line leads to; the session is back in the menu."""
        raise NotImplementedError

    def title(self, session: Session) -> Text:
        """Return what is chosen here."""
        raise NotImplementedError

    def shown(self, session: Session) -> tuple[Text, ...]:
        """Return all lines."""
        only = session.only(self.menu_before.driver)
        return (*with_way_out(self.lines(session), BACK, only), *([BACK] if only else []))

    def ok(self, session: Session, seat: int) -> Change:
        if self.shown(session)[self.index] == BACK:
            return self.out(session)
        index = self.index - self.shown(session)[: self.index].count(BACK)
        return self.choose(session.into(self.touched_menu(session)), index)

    def next(self, session: Session, seat: int) -> Change:
        following = (self.index + 1) % len(self.shown(session))
        return Change(
            session.into(replace(self, menu_before=self.touched_menu(session), index=following))
        )

    def hold_next(self, session: Session) -> Change:
        return self.out(session)

    def screen(self, session: Session) -> TextScreen[Text]:
        does = keys(
            session.only(self.menu_before.driver), message("do-other"), message("do-this-one")
        )
        return TextScreen(self.title(session), self.shown(session), does, chosen=self.index)
