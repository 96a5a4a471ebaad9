"""The tree of the menu: its items, each shown only while it can be done."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from pi_app.model import history
from pi_app.model.events import Request, Tone
from pi_app.model.screens import Text, message
from pi_app.settings.offers import has_printed_numbers
from pi_app.settings.settings import (
    BRIGHTNESS,
    CHILDREN,
    DICE,
    EVENING,
    HINTS,
    NUMBERS,
    VOLUME,
    Brightness,
    DiceFrom,
    Hints,
    Numbers,
    Volume,
)
from pi_app.table.core.acting import rematch
from pi_app.table.core.advice import can_hint, may_ask_hint
from pi_app.table.core.state import Change, Mode, Session
from pi_app.table.modes.care.correcting import Correcting, draft_of
from pi_app.table.modes.care.ending import ConfirmEnd, ConfirmOff
from pi_app.table.modes.care.leaving import BOARD_PHASES, Leaving, seats_of_players
from pi_app.table.modes.care.moving_back import resume_after_undo
from pi_app.table.modes.care.self_test import begin_self_test
from pi_app.table.modes.care.walking import Comparing
from pi_app.table.modes.menu.menu import (
    Line,
    Menu,
    MenuItem,
    MenuSection,
    setting_item,
)
from pi_app.table.modes.play.hinting import show_hint
from pi_app.table.modes.play.score import Scores
from pi_app.table.modes.play.typed_dice import Typing, nothing_typed
from pi_app.table.modes.play.typing_each import awaits_throw, types_every_throw
from pi_app.table.modes.play.why import ask_why, can_ask
from pi_app.table.modes.setup.bots import bot_items
from pi_app.table.modes.setup.house_rules import next_rules_title, rules_to_change
from pi_app.table.modes.setup.joining import Joining, rules_to_choose
from pi_app.table.modes.setup.languages import (
    can_choose_language,
    choose_language,
    language_words,
)
from pi_app.table.modes.setup.players import Players
from pi_app.table.modes.setup.requesting import Requesting
from pi_app.table.modes.setup.showing import ShowingAddress, ShowingVersion, has_page, has_version
from pi_app.texts.words import seat_letter
from rules.game import Phase

# The actions of items.


def _open(mode: Callable[[Menu], Mode]) -> Callable[[Menu, Session], Change]:
    """Return the action of an item that opens a mode."""
    return lambda menu, session: session.lead_to(mode(menu))


def _undo(menu: Menu, session: Session) -> Change:
    record, row = history.undo(session.playing)
    return Change(resume_after_undo(session, record), (row,), tones=(Tone(menu.driver, "press"),))


def _leave_joining(menu: Menu, session: Session) -> Change:
    assert isinstance(menu.back, Joining)  # otherwise the item is hidden
    return menu.back.leave(session, menu.driver)


# When an item is available.


def _is_unfinished(session: Session) -> bool:
    return session.record is not None and session.record.game.phase is not Phase.OVER


def _has_pawns_on_board(session: Session) -> bool:
    return session.record is not None and session.record.game.phase in BOARD_PHASES


def _can_request(request: Request) -> Callable[[Session], bool]:
    return lambda session: request in session.setup.requests


# Whose screen is a child's.


def _child_panels(session: Session) -> str:
    """Return which panels are a child's: "off", "panel" for the driver's own, "table" for all."""
    if all(map(session.seats.is_childs, session.setup.panels)):
        return "table"
    return "panel" if all(map(session.seats.is_childs, session.mode.drivers(session))) else "off"


def _set_next_child_panels(menu: Menu, session: Session) -> Change:
    driver_too = {*session.settings.get(CHILDREN), seat_letter(menu.driver)}
    letters = {
        "off": driver_too,
        "panel": map(seat_letter, session.setup.panels),
        "table": (),
    }[_child_panels(session)]
    after = session.set(CHILDREN, "".join(sorted(letters)))
    return after.lead_to(menu, pressed=menu.driver)


HINT_WORDS: dict[Hints, Text] = {"on": message("on"), "off": message("off")}
NUMBERS_WORDS: dict[Numbers, Text] = {"off": message("off"), "on": message("on")}
CHILD_PANELS_WORDS = {
    "table": message("children-table"),
    "panel": message("children-panel"),
    "off": message("off"),
}
DICE_WORDS: dict[DiceFrom, Text] = {
    "referee": message("dice-of-the-referee"),
    "typed": message("real-dice"),
}
VOLUME_WORDS: dict[Volume, Text] = {
    "on": message("on"),
    "turns-only": message("turns-only"),
    "off": message("off"),
}
BRIGHTNESS_WORDS: dict[Brightness, Text] = {
    "full": message("full"),
    "half": message("half"),
    "low": message("low"),
}

MENU: tuple[Line, ...] = (
    MenuItem(
        "undo",
        message("menu-undo"),
        _undo,
        lambda session: session.record is not None and session.record.undoable,
    ),
    MenuItem(
        "hint",
        message("menu-hint"),
        lambda menu, session: (
            Change(show_hint(session, menu))
            if can_hint(session)
            else session.refuse(message("no-hints-yet"))
        ),
        may_ask_hint,
    ),
    MenuSection(
        "board",
        message("menu-board"),
        (
            MenuItem("walk", message("menu-walk"), _open(Comparing), _has_pawns_on_board),
            MenuItem(
                "correct",
                message("menu-correct"),
                lambda menu, session: session.lead_to(
                    Correcting(menu, draft_of(session.playing.game))
                ),
                _has_pawns_on_board,
            ),
            MenuItem(
                "why",
                message("menu-why"),
                lambda menu, session: session.lead_to(ask_why(session, menu)),
                can_ask,
            ),
            setting_item(HINTS, message("menu-hints"), HINT_WORDS, _has_pawns_on_board),
            MenuItem("watch", message("watch-by-phone"), _open(ShowingAddress), has_page),
        ),
    ),
    MenuSection(
        "dice",
        message("menu-dice"),
        (
            MenuItem(
                "type",
                message("menu-type"),
                lambda menu, session: session.lead_to(
                    Typing(menu, nothing_typed(session.playing.game))
                ),
                lambda session: awaits_throw(session) and not types_every_throw(session),
            ),
            MenuItem(
                "retype",
                message("menu-retype"),
                lambda menu, session: session.lead_to(
                    Typing(menu, nothing_typed(session.playing.past[-1].before), retypes=True)
                ),
                lambda session: session.record is not None and session.record.typed,
            ),
            setting_item(
                DICE,
                message("menu-throw-with"),
                DICE_WORDS,
                lambda session: session.record is None or _is_unfinished(session),
            ),
        ),
    ),
    MenuSection(
        "game",
        message("menu-game"),
        (
            MenuItem(
                "someone-leaves",
                message("menu-someone-leaves"),
                _open(Leaving),
                lambda session: _is_unfinished(session) and bool(seats_of_players(session)),
            ),
            MenuSection("bots", message("menu-bots"), bot_items),
            MenuItem("players", message("players"), _open(Players)),
            MenuItem(
                "leave",
                message("menu-leave"),
                _leave_joining,
                lambda session: session.record is None,
            ),
            MenuSection("next-game", message("menu-next-game"), rules_to_choose, next_rules_title),
            MenuSection("house-rules", message("house-rules"), rules_to_change),
            MenuItem(
                "score",
                message("menu-score"),
                _open(Scores),
                lambda session: bool(session.settings.get(EVENING).scores),
            ),
            MenuItem(
                "rematch",
                message("rematch"),
                lambda menu, session: rematch(session),
                lambda session: (
                    session.record is not None
                    and session.record.game.phase is Phase.OVER
                    and len(session.record.game.seats) > 1
                ),
            ),
            MenuItem("end", message("menu-end"), _open(ConfirmEnd), _is_unfinished),
        ),
    ),
    MenuSection(
        "setup",
        message("menu-setup"),
        (
            setting_item(VOLUME, message("menu-sound"), VOLUME_WORDS),
            setting_item(BRIGHTNESS, message("menu-brightness"), BRIGHTNESS_WORDS),
            MenuItem(
                "language",
                message("menu-language"),
                choose_language,
                can_choose_language,
                value=language_words,
            ),
            MenuItem(
                "children",
                message("menu-children"),
                _set_next_child_panels,
                value=lambda session: CHILD_PANELS_WORDS[_child_panels(session)],
            ),
            setting_item(
                NUMBERS,
                message("menu-numbers"),
                NUMBERS_WORDS,
                lambda session: has_printed_numbers(session.rules),
            ),
            MenuItem(
                "self-test",
                message("menu-self-test"),
                lambda menu, session: Change(begin_self_test(session, menu)),
            ),
            MenuItem(
                "page",
                message("menu-page"),
                lambda menu, session: session.lead_to(
                    Requesting(menu, "page-off" if has_page(session) else "page-on")
                ),
                _can_request("page-on"),
                value=lambda session: message("on") if has_page(session) else message("off"),
            ),
            MenuItem(
                "backup",
                message("menu-backup"),
                _open(lambda menu: Requesting(menu, "backup")),
                _can_request("backup"),
            ),
            MenuItem(
                "restore",
                message("menu-restore"),
                _open(lambda menu: Requesting(menu, "restore")),
                lambda session: session.record is None and _can_request("restore")(session),
            ),
            MenuItem("off", message("menu-off"), _open(ConfirmOff), _can_request("power-off")),
            MenuItem("version", message("version"), _open(ShowingVersion), has_version),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class WholeMenu(Menu):
    """The menu with all its items."""

    tree: ClassVar[tuple[Line, ...]] = MENU
