"""What is in the menu: a list of entries, each there only if what it does can be done."""

from __future__ import annotations

from pi_app.record import history
from pi_app.table.events import Tone
from pi_app.table.modes.correcting import Correcting, drafted
from pi_app.table.modes.ending import ConfirmEnd, ConfirmOff
from pi_app.table.modes.house_rules import chosen_title, to_change, to_choose
from pi_app.table.modes.menu import Entry, Line, Menu, Section, turned
from pi_app.table.modes.moving_back import put_back
from pi_app.table.modes.typing import Typing
from pi_app.table.modes.walking import Walking, stops
from pi_app.table.modes.why import can_ask, why
from pi_app.table.settings import BRIGHTNESS, BRIGHTNESSES, VOLUME, VOLUMES
from pi_app.table.state import Change, Session
from rules.game import Phase

STANDING = (Phase.THROW, Phase.MOVE, Phase.PENALTY)


def _undo(menu: Menu, s: Session) -> Change:
    record, row = history.undo(s.playing)
    return Change(put_back(s, record), (row,), tones=(Tone(menu.driver, "press"),))


def _walk(menu: Menu, s: Session) -> Change:
    return Change(s.into(Walking(menu, stops(s.playing.game), s.t)))


def _correct(menu: Menu, s: Session) -> Change:
    return Change(s.into(Correcting(menu, drafted(s.playing.game))))


def _ask_why(menu: Menu, s: Session) -> Change:
    return Change(s.into(why(s, menu)))


def _type_once(menu: Menu, s: Session) -> Change:
    return Change(s.into(Typing(menu, s.playing.game.dice, s.t)))


def _type_again(menu: Menu, s: Session) -> Change:
    return Change(s.into(Typing(menu, len(s.playing.game.throw), s.t, again=True)))


def _ask_end(menu: Menu, s: Session) -> Change:
    return Change(s.into(ConfirmEnd(menu)))


def _ask_off(menu: Menu, s: Session) -> Change:
    return Change(s.into(ConfirmOff(menu)))


def _undoable(s: Session) -> bool:
    return s.record is not None and s.record.undoable


def _unended(s: Session) -> bool:
    return s.record is not None and s.record.game.phase is not Phase.OVER


def _standing(s: Session) -> bool:
    return s.record is not None and s.record.game.phase in STANDING


def _to_be_thrown(s: Session) -> bool:
    throwing = s.record is not None and s.record.game.phase in (Phase.ORDER, Phase.THROW)
    return throwing and s.playing.ready is None


def _typed(s: Session) -> bool:
    return s.record is not None and s.record.typed and bool(s.playing.game.throw)


def _can_go_off(s: Session) -> bool:
    return s.setup.off


MENU: tuple[Line, ...] = (
    Entry("undo", _undoable, _undo),
    Section(
        "board",
        (
            Entry("walk the pawns", _standing, _walk),
            Entry("correct pawns", _standing, _correct),
            Entry("why not?", can_ask, _ask_why),
        ),
    ),
    Section(
        "dice",
        (
            Entry("type a throw", _to_be_thrown, _type_once),
            Entry("type it again", _typed, _type_again),
        ),
    ),
    Section(
        "game",
        (
            Section("next game", to_choose, chosen_title),
            Section("house rules", to_change),
            Entry("end game", _unended, _ask_end),
        ),
    ),
    Section(
        "box",
        (
            turned(VOLUME, VOLUMES),
            turned(BRIGHTNESS, BRIGHTNESSES),
            Entry("shut down", _can_go_off, _ask_off),
        ),
    ),
)
