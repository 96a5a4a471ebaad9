"""Shows a hint in three levels: the pawn, the step, the reason. The adviser computes the hint."""

from dataclasses import dataclass, replace

from pi_app.model.screens import BoardScreen, KeyHint, Seat, Text, message, table_map
from pi_app.table.core.state import HINT_LEVELS, Change, Session, Tip
from pi_app.table.modes.menu.menu import FromMenu, Menu
from pi_app.table.telling.choices import Choice, ChoiceText, choice_text
from pi_app.texts.words import keys, ok_key, place_words
from rules.actions import Move

# What NEXT shows at each level.
TO_NEXT = (message("do-the-step"), message("why"), message("do-the-pawn"))


@dataclass(frozen=True, slots=True)
class Hinting(FromMenu):
    """One panel asks for a hint. NEXT shows the next level; OK, a hold of NEXT or 30 s close it."""

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
        text = ChoiceText((message("thinking"),))
        hints: tuple[KeyHint[Text], ...] = (ok_key(only, back),)
        if tip is not None:
            text = _hint_text(tip, self.level)
            hints = keys(only, TO_NEXT[HINT_LEVELS.index(self.level)], back)
        viewer = session.seats.facing_seat(game.seat)
        return BoardScreen(
            board=replace(table_map(game, text.origin, text.target, seat=viewer), hand="rests"),
            seat=game.seat,
            heading=message("hint"),
            words=text.words,
            lead=text.lead,
            short_lead=text.short_lead,
            note=text.note,
            keys=hints,
        )


def show_hint(session: Session, menu: Menu, level: str = HINT_LEVELS[0]) -> Session:
    """Return the session in a mode that shows the menu's driver a hint of this level."""
    hints = session.hints.show(session.playing.game, level, session.mode.hints(session))
    return session.enter_mode(Hinting(menu, level), hints=hints)


def _hint_text(tip: Tip, level: str) -> ChoiceText:
    text = ChoiceText((message("unused"),), message("what-is-left"))
    if isinstance(tip.action, Move):
        text = choice_text(tip.game, Choice(tip.action))
    if level == "why":
        return replace(text, lead=message("why"), words=(tip.why,), note="")
    if level == "pawn" and text.origin is not None:
        words = (place_words(tip.game.ruleset, *text.origin),)
        return ChoiceText(words, message("move-this-one"), origin=text.origin)
    return text
