"""What is in the menu: a list of entries, each there only if what it does can be done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pi_app.input.events import Tone
from pi_app.rows import history
from pi_app.screens.screen import Text, message
from pi_app.settings.settings import (
    BRIGHTNESS,
    CHILDREN,
    DICE,
    EVENING,
    HINTS,
    VOLUME,
    Brightness,
    DiceFrom,
    Hints,
    Volume,
)
from pi_app.table.core.acting import rematch
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.care.correcting import Correcting, draft_of
from pi_app.table.modes.care.ending import ConfirmEnd, ConfirmOff
from pi_app.table.modes.care.leaving import Leaving
from pi_app.table.modes.care.moving_back import resume_after_undo
from pi_app.table.modes.care.self_test import begin_self_test
from pi_app.table.modes.care.walking import STANDING, Comparing
from pi_app.table.modes.menu.menu import Line, Menu, MenuItem, MenuSection, always, setting_item
from pi_app.table.modes.play.hinting import hinting
from pi_app.table.modes.play.score import Scores
from pi_app.table.modes.play.typing import Typed, Typing
from pi_app.table.modes.play.typing_each import awaits_throw, types_every_throw
from pi_app.table.modes.play.why import asking_why, can_ask
from pi_app.table.modes.setup.bots import bot_items
from pi_app.table.modes.setup.house_rules import next_rules_title, rules_to_change, rules_to_choose
from pi_app.table.modes.setup.joining import Joining
from pi_app.table.modes.setup.players import Players
from pi_app.table.modes.setup.showing_address import ShowingAddress, has_page
from pi_app.texts.words import seat_letter
from rules.game import Phase


def _undo(menu: Menu, session: Session) -> Change:
    record, row = history.undo(session.playing)
    return Change(resume_after_undo(session, record), (row,), tones=(Tone(menu.driver, "press"),))


def _walk(menu: Menu, session: Session) -> Change:
    return Change(session.into(Comparing(menu)))


def _correct(menu: Menu, session: Session) -> Change:
    return Change(session.into(Correcting(menu, draft_of(session.playing.game))))


def _ask_why(menu: Menu, session: Session) -> Change:
    return Change(session.into(asking_why(session, menu)))


def _hint(menu: Menu, session: Session) -> Change:
    return Change(hinting(session, menu))


def _type_once(menu: Menu, session: Session) -> Change:
    return Change(session.into(Typing(menu, Typed(session.playing.game.dice))))


def _type_again(menu: Menu, session: Session) -> Change:
    return Change(session.into(Typing(menu, Typed(len(session.playing.game.throw)), again=True)))


def _leave_joining(menu: Menu, session: Session) -> Change:
    assert isinstance(menu.back, Joining)  # else the entry is not there
    return menu.back.leave(session, menu.driver)


def _leave(menu: Menu, session: Session) -> Change:
    return Change(session.into(Leaving(menu)))


def _players(menu: Menu, session: Session) -> Change:
    return Change(session.into(Players(menu)))


def _score(menu: Menu, session: Session) -> Change:
    return Change(session.into(Scores(menu)))


def _rematch(menu: Menu, session: Session) -> Change:
    return rematch(session)


def _ask_end(menu: Menu, session: Session) -> Change:
    return Change(session.into(ConfirmEnd(menu)))


def _ask_off(menu: Menu, session: Session) -> Change:
    return Change(session.into(ConfirmOff(menu)))


def _test(menu: Menu, session: Session) -> Change:
    return Change(begin_self_test(session, menu))


def _look_on(menu: Menu, session: Session) -> Change:
    assert session.setup.page is not None  # else the entry is not there
    return Change(session.into(ShowingAddress(menu, session.setup.page)))


def _can_hint(session: Session) -> bool:
    return session.can_hint


def _undoable(session: Session) -> bool:
    return session.record is not None and session.record.undoable


def _unended(session: Session) -> bool:
    return session.record is not None and session.record.game.phase is not Phase.OVER


def _standing(session: Session) -> bool:
    return session.record is not None and session.record.game.phase in STANDING


def _can_leave_joining(session: Session) -> bool:
    """Whether one button only has joined: with two, a short OK leaves."""
    return session.record is None and all(map(session.only, session.mode.drivers(session)))


def _can_type_once(session: Session) -> bool:
    return awaits_throw(session) and not types_every_throw(session)


def _typed(session: Session) -> bool:
    return session.record is not None and session.record.typed and bool(session.playing.game.throw)


def _scored(session: Session) -> bool:
    return bool(session.settings.get(EVENING).scores)


def _can_play_again(session: Session) -> bool:
    over = session.record is not None and session.record.game.phase is Phase.OVER
    return over and len(session.playing.game.seats) > 1


def _begins_or_goes_on(session: Session) -> bool:
    return session.record is None or _unended(session)


def _children(session: Session) -> str:
    """Return for whom the screen is a child's: nobody, whoever drives the menu, or all."""
    if all(map(session.is_childs, session.setup.panels)):
        return "table"
    return "panel" if all(map(session.is_childs, session.mode.drivers(session))) else "off"


def _children_are(session: Session) -> Text:
    return CHILDREN_ARE[_children(session)]


def _turn_children(menu: Menu, session: Session) -> Change:
    own = {*session.settings.get(CHILDREN), seat_letter(menu.driver)}
    following = {"off": own, "panel": map(seat_letter, session.setup.panels), "table": ()}[
        _children(session)
    ]
    after = session.set(CHILDREN, "".join(sorted(following)))
    return Change(after.into(menu), tones=(Tone(menu.driver, "press"),))


def _can_go_off(session: Session) -> bool:
    return session.setup.off


HINTS_ARE: dict[Hints, Text] = {"on": message("on"), "off": message("off")}
CHILDREN_ARE = {
    "table": message("children-table"),
    "panel": message("children-panel"),
    "off": message("off"),
}
THROWN_WITH: dict[DiceFrom, Text] = {
    "referee": message("dice-of-the-box"),
    "typed": message("real-dice"),
}
SOUNDS: dict[Volume, Text] = {
    "on": message("on"),
    "turns-only": message("turns-only"),
    "off": message("off"),
}
BRIGHTNESS_IS: dict[Brightness, Text] = {
    "full": message("full"),
    "half": message("half"),
    "low": message("low"),
}

MENU: tuple[Line, ...] = (
    MenuItem("undo", message("menu-undo"), _undoable, _undo),
    MenuSection(
        "board",
        message("menu-board"),
        (
            MenuItem("walk", message("menu-walk"), _standing, _walk),
            MenuItem("correct", message("menu-correct"), _standing, _correct),
            MenuItem("why", message("menu-why"), can_ask, _ask_why),
            setting_item(HINTS, message("menu-hints"), HINTS_ARE, _standing),
            MenuItem("watch", message("watch-by-phone"), has_page, _look_on),
        ),
    ),
    MenuSection(
        "dice",
        message("menu-dice"),
        (
            MenuItem("type", message("menu-type"), _can_type_once, _type_once),
            MenuItem("retype", message("menu-retype"), _typed, _type_again),
            setting_item(DICE, message("menu-throw-with"), THROWN_WITH, _begins_or_goes_on),
        ),
    ),
    MenuSection(
        "game",
        message("menu-game"),
        (
            MenuItem("leave", message("menu-leave"), _can_leave_joining, _leave_joining),
            MenuItem("someone-leaves", message("menu-someone-leaves"), _unended, _leave),
            MenuSection("boxes", message("menu-boxes"), bot_items),
            MenuItem("players", message("players"), always, _players),
            MenuSection("next-game", message("menu-next-game"), rules_to_choose, next_rules_title),
            MenuSection("house-rules", message("house-rules"), rules_to_change),
            MenuItem("score", message("menu-score"), _scored, _score),
            MenuItem("rematch", message("rematch"), _can_play_again, _rematch),
            MenuItem("end", message("menu-end"), _unended, _ask_end),
        ),
    ),
    MenuItem("hint", message("menu-hint"), _can_hint, _hint),
    MenuSection(
        "box",
        message("menu-box"),
        (
            setting_item(VOLUME, message("menu-sound"), SOUNDS),
            setting_item(BRIGHTNESS, message("menu-brightness"), BRIGHTNESS_IS),
            MenuItem("children", message("menu-children"), always, _turn_children, _children_are),
            MenuItem("self-test", message("menu-self-test"), always, _test),
            MenuItem("off", message("menu-off"), _can_go_off, _ask_off),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class WholeMenu(Menu):
    """The menu with all that is in it."""

    tree: ClassVar[tuple[Line, ...]] = MENU
