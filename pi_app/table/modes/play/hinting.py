"""Shows a hint in three levels: the pawn, the step, the reason. The adviser computes the hint."""

from dataclasses import dataclass, replace

from pi_app.model.screens import BoardScreen, Seat, Text, message, table_map
from pi_app.table.core.hints import HINT_LEVELS, Tip
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.menu.menu import FromMenu, Menu
from pi_app.table.telling.choices import Choice, choice_text
from pi_app.texts.words import keys, ok_key, place_words
from rules.actions import Move

# The label of the NEXT key at each level.
NEXT_LABELS = {
    "pawn": message("do-the-step"),
    "step": message("why"),
    "why": message("do-the-pawn"),
}


@dataclass(frozen=True, slots=True)
class Hinting(FromMenu):
    """One panel asks for a hint, and NEXT shows the next level.

    OK closes the hint. So does a hold of NEXT, or 30 s without a press.
    """

    level: str = HINT_LEVELS[0]

    def hints(self, session: Session) -> bool:
        return True

    def whose(self, session: Session) -> Text:
        return message("asks-for-a-hint", seat=Seat(self.driver))

    def ok(self, session: Session, seat: int) -> Change:
        return self.menu_before.close(session)

    def next(self, session: Session, seat: int) -> Change:
        if session.hints.tip_for(session.playing.game) is None:
            return Change(session)
        level = HINT_LEVELS[(HINT_LEVELS.index(self.level) + 1) % len(HINT_LEVELS)]
        return Change(show_hint(session, self.touched_menu(session), level))

    def hold_next(self, session: Session) -> Change:
        return self.menu_before.close(session)

    def screen(self, session: Session) -> BoardScreen[Text]:
        game, only, back = session.playing.game, self.has_one_button(session), message("do-back")
        tip = session.hints.tip_for(game)
        board = replace(table_map(game, seat=session.seats.facing_seat(game.seat)), hand="rests")
        shown: BoardScreen[Text] = BoardScreen(board, game.seat, message("hint"))
        if tip is None:
            return replace(shown, words=(message("thinking"),), keys=(ok_key(only, back),))
        hints = keys(only, NEXT_LABELS[self.level], back)
        return replace(_add_hint(shown, tip, self.level), keys=hints)


def show_hint(session: Session, menu: Menu, level: str = HINT_LEVELS[0]) -> Session:
    """Return the session in a mode that shows the menu's driver a hint of this level."""
    hints = session.hints.show(session.playing.game, level, session.mode.hints(session))
    return session.enter_mode(Hinting(menu, level), hints=hints)


def _add_hint(screen: BoardScreen[Text], tip: Tip, level: str) -> BoardScreen[Text]:
    if level == "why":
        step = _add_hint(screen, tip, "step")
        return replace(step, lead=message("why"), words=(tip.why,), note="")
    if not isinstance(tip.action, Move):
        return replace(screen, lead=message("what-is-left"), words=(message("unused"),))
    text = choice_text(tip.game, Choice(tip.action), dome=True)
    if level == "pawn":
        words = (place_words(tip.game.ruleset, tip.game.seat, tip.action.step.origin),)
        board = replace(screen.board, origin=text.origin)
        return replace(screen, board=board, lead=message("move-this-one"), words=words)
    return replace(
        screen,
        board=replace(screen.board, origin=text.origin, target=text.target),
        lead=text.lead,
        short_lead=text.short_lead,
        words=text.words,
        note=text.note,
    )
