"""A hint: which pawn, then which step, then why. What is best was worked out elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pi_app.screens.screen import BoardScreen, Seat, Text, message, table_map
from pi_app.table.core.state import HINT_LEVELS, Change, Session, Tip
from pi_app.table.modes.menu.menu import FromMenu, Menu
from pi_app.table.telling.choices import Choice, choice_text
from pi_app.texts.words import keys, ok_key, place_words
from rules.actions import Move

FOLLOWS = {"pawn": message("do-the-step"), "step": message("why"), "why": message("do-the-pawn")}


@dataclass(frozen=True, slots=True)
class Hinting(FromMenu):
    """One panel asks: NEXT asks for more and goes round, all else and 30 s untouched go back."""

    how_far: str = HINT_LEVELS[0]

    def hints(self, session: Session) -> bool:
        return True

    def whose(self, session: Session) -> Text:
        return message("asks-for-a-hint", seat=Seat(self.menu_before.driver))

    def ok(self, session: Session, seat: int) -> Change:
        return self.menu_before.close(session)

    def next(self, session: Session, seat: int) -> Change:
        if session.best is None:
            return Change(session)
        farther = HINT_LEVELS[(HINT_LEVELS.index(self.how_far) + 1) % len(HINT_LEVELS)]
        return Change(hinting(session, self.touched_menu(session), farther))

    def held(self, session: Session) -> Change:
        return self.menu_before.close(session)

    def screen(self, session: Session) -> BoardScreen[Text]:
        best, only = session.best, session.only(self.menu_before.driver)
        if best is None:
            back = ok_key(only, message("do-back"))
            return replace(self._table(session), words=(message("thinking"),), keys=(back,))
        does = keys(only, FOLLOWS[self.how_far], message("do-back"))
        return replace(TOLD[self.how_far](self._table(session), best), keys=does)

    def _table(self, session: Session) -> BoardScreen[Text]:
        """Return the screen as far as it says nothing of what is best."""
        game = session.playing.game
        shown = table_map(game, None, None, seat=session.seen_by(game.seat))
        return BoardScreen(
            board=replace(shown, hand="rests"),
            seat=game.seat,
            heading=message("hint"),
            dice=(),
            increments=(),
            words=(),
        )


def hinting(session: Session, menu: Menu, how_far: str = HINT_LEVELS[0]) -> Session:
    """Return the session in which the menu's panel asks so far."""
    return session.hint_as_far(how_far).into(Hinting(menu, how_far))


def _pawn(table: BoardScreen[Text], best: Tip) -> BoardScreen[Text]:
    game = best.game
    if not isinstance(best.action, Move):
        return _leaving(table)
    origin = best.action.step.origin
    words = (place_words(game.ruleset.layout, game.seat, origin),)
    shown = replace(table.board, origin=(game.seat, origin))
    return replace(table, board=shown, lead=message("move-this-one"), words=words)


def _step(table: BoardScreen[Text], best: Tip) -> BoardScreen[Text]:
    if not isinstance(best.action, Move):
        return _leaving(table)
    told = choice_text(best.game, Choice(best.action), dome=True)
    shown = replace(table.board, origin=told.origin, target=told.target)
    return replace(
        table,
        board=shown,
        lead=told.lead,
        short_lead=told.short_lead,
        words=told.words,
        note=told.note,
    )


def _leaving(table: BoardScreen[Text]) -> BoardScreen[Text]:
    return replace(table, lead=message("what-is-left"), words=(message("unused"),))


def _why(table: BoardScreen[Text], best: Tip) -> BoardScreen[Text]:
    return replace(_step(table, best), lead=message("why"), words=(best.why,), note="")


TOLD = {"pawn": _pawn, "step": _step, "why": _why}
