"""A hint: which pawn, then which step, then why. What is best was worked out elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, replace
from textwrap import wrap

from pi_app.table.choices import choice_of
from pi_app.table.map import BLINK_S, lit, next_step, steps_since, table_map
from pi_app.table.modes.menu import FromMenu, Menu
from pi_app.table.modes.play import BEAT_S
from pi_app.table.screen import Key, Table
from pi_app.table.state import Change, Session, Tip
from pi_app.table.texts.message import Text
from pi_app.table.tips import HOW_FAR, asked, tip
from pi_app.table.who import seen_by
from pi_app.table.words import keys, letter, presses, where_in_brief
from rules.actions import Move

WORDS_LETTERS = 10  # fit in a large line beside the map
MOST_WORDS = 3  # large lines
FOLLOWS = {"pawn": "the step", "step": "why?", "why": "the pawn"}


@dataclass(frozen=True, slots=True)
class Hinting(FromMenu):
    """One panel asks: NEXT asks for more and goes round, all else and 30 s untouched go back."""

    how_far: str = HOW_FAR[0]

    def hints(self, s: Session) -> bool:
        return True

    def whose(self, s: Session) -> str:
        return f"{letter(self.menu_before.driver)} asks for a hint"

    def ok(self, s: Session, seat: int) -> Change:
        return self.menu_before.close(s)

    def next(self, s: Session, seat: int) -> Change:
        if tip(s) is None:
            return Change(s)
        farther = HOW_FAR[(HOW_FAR.index(self.how_far) + 1) % len(HOW_FAR)]
        return Change(hinting(s, self.touched_menu(s), farther))

    def held(self, s: Session) -> Change:
        return self.menu_before.close(s)

    def screen(self, s: Session) -> Table[Text]:
        best, only = tip(s), s.only(self.menu_before.driver)
        if best is None:
            back = Key(presses(only)[1], "back")
            return replace(self._table(s), words=("thinking",), keys=(back,))
        does = keys(only, FOLLOWS[self.how_far], "back")
        return replace(TOLD[self.how_far](self._table(s), best), keys=does)

    def _table(self, s: Session) -> Table[Text]:
        """Return the screen as far as it says nothing of what is best."""
        game, since = s.playing.game, self.menu_before.touched
        shown = table_map(game, None, None, lit(since, s.t))
        return Table(
            board=replace(shown, hand="rests", seat=seen_by(s, game.seat)),
            seat=game.seat,
            heading="Hint",
            dice=(),
            increments=(),
            words=(),
            beat=steps_since(since, BEAT_S, s.t),
        )

    def wake_at(self, s: Session) -> float:
        return min(self.closes_at, next_step(self.menu_before.touched, BLINK_S, s.t))


def hinting(s: Session, menu: Menu, how_far: str = HOW_FAR[0]) -> Session:
    """Return the session in which the menu's panel asks so far."""
    return asked(s, how_far).into(Hinting(menu, how_far))


def _pawn(table: Table[Text], best: Tip) -> Table[Text]:
    game = best.game
    if not isinstance(best.action, Move):
        return _leaving(table)
    origin = best.action.step.origin
    words = (where_in_brief(game.ruleset.layout, game.seat, origin),)
    shown = replace(table.board, origin=(game.seat, origin))
    return replace(table, board=shown, lead="move this one:", words=words)


def _step(table: Table[Text], best: Tip) -> Table[Text]:
    if not isinstance(best.action, Move):
        return _leaving(table)
    choice = choice_of(best.game, best.action)
    shown = replace(table.board, origin=choice.origin, target=choice.target)
    return replace(table, board=shown, lead=choice.lead, words=choice.words, note=choice.note)


def _leaving(table: Table[Text]) -> Table[Text]:
    return replace(table, lead="what is left:", words=("not used",))


def _why(table: Table[Text], best: Tip) -> Table[Text]:
    words = tuple(wrap(best.why, WORDS_LETTERS, break_long_words=False))
    table = _step(table, best)
    if len(words) <= MOST_WORDS:
        return replace(table, lead="why?", words=words, note="")
    return replace(table, lead="why?", words=(), note=best.why)


TOLD = {"pawn": _pawn, "step": _step, "why": _why}
