"""The tree of the menu: its items, each shown only while it can be done."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pi_app.model import history
from pi_app.model.events import Request, Tone
from pi_app.model.screens import Text, message
from pi_app.settings import settings
from pi_app.settings.offers import edition_title, has_printed_numbers
from pi_app.table.core.acting import rematch
from pi_app.table.core.advice import BOARD_PHASES, can_hint, may_ask_hint
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.care.correcting import Correcting, draft_of
from pi_app.table.modes.care.ending import ConfirmEnd, ConfirmOff
from pi_app.table.modes.care.leaving import Leaving, seats_of_players
from pi_app.table.modes.care.moving_back import resume_after_undo
from pi_app.table.modes.care.self_test import begin_self_test
from pi_app.table.modes.care.walking import Comparing
from pi_app.table.modes.menu.menu import (
    Line,
    Menu,
    MenuItem,
    MenuSection,
    always_available,
    opens,
    setting_item,
)
from pi_app.table.modes.play import typed_dice
from pi_app.table.modes.play.hinting import show_hint
from pi_app.table.modes.play.last_round import last_round_items, last_round_words
from pi_app.table.modes.play.score import Scores
from pi_app.table.modes.play.typed_dice import awaits_throw, types_every_throw
from pi_app.table.modes.play.why import AskingWhy, can_ask, stopped_first
from pi_app.table.modes.setup.bots import bot_items
from pi_app.table.modes.setup.house_rules import house_rules
from pi_app.table.modes.setup.joining import Joining, rules_to_choose
from pi_app.table.modes.setup.languages import can_choose_language, choose_language, language_words
from pi_app.table.modes.setup.players import Players
from pi_app.table.modes.setup.requesting import Requesting, ShowingAddress, ShowingVersion, has_page
from pi_app.texts.words import seat_letter
from rules.game import Phase

# The actions of items.


def _undo(menu: Menu, session: Session) -> Change:
    record, row = history.undo(session.playing)
    return Change(resume_after_undo(session, record), (row,), tones=(Tone(menu.driver, "press"),))


def _hint(menu: Menu, session: Session) -> Change:
    if not can_hint(session):
        return session.refuse(message("no-hints-yet"))
    return Change(show_hint(session, menu))


def _correct(menu: Menu, session: Session) -> Change:
    return session.lead_to(Correcting(menu, draft_of(session.playing.game)))


def _ask_why(menu: Menu, session: Session) -> Change:
    return session.lead_to(AskingWhy(menu, stopped_first(session.playing.game)))


def _type(menu: Menu, session: Session) -> Change:
    return session.lead_to(typed_dice.Typing(menu, typed_dice.nothing_typed(session.playing.game)))


def _retype(menu: Menu, session: Session) -> Change:
    before = typed_dice.nothing_typed(session.playing.past[-1].before)
    return session.lead_to(typed_dice.Typing(menu, before, retypes=True))


def _leave_joining(menu: Menu, session: Session) -> Change:
    assert isinstance(menu.back, Joining)  # otherwise the item is hidden
    return menu.back.leave(session, menu.driver)


def _switch_page(menu: Menu, session: Session) -> Change:
    return session.lead_to(Requesting(menu, "page-off" if has_page(session) else "page-on"))


# When an item is available.


def _is_unfinished(session: Session) -> bool:
    return session.phase not in (None, Phase.OVER)


def _has_pawns_on_board(session: Session) -> bool:
    return session.phase in BOARD_PHASES


def _can_rematch(session: Session) -> bool:
    return session.phase is Phase.OVER and len(session.playing.game.seats) > 1


def _can_request(request: Request) -> Callable[[Session], bool]:
    return lambda session: request in session.setup.requests


def _child_panels(session: Session) -> str:
    """Return which panels are a child's: "off", "panel" for the driver's own, "table" for all."""
    if all(map(session.seats.is_childs, session.setup.panels)):
        return "table"
    return "panel" if all(map(session.seats.is_childs, session.mode.drivers(session))) else "off"


def _set_next_child_panels(menu: Menu, session: Session) -> Change:
    driver_too = {*session.settings.get(settings.CHILDREN), seat_letter(menu.driver)}
    everybody = map(seat_letter, session.setup.panels)
    letters = {"off": driver_too, "panel": everybody, "table": ()}[_child_panels(session)]
    after = session.set(settings.CHILDREN, "".join(sorted(letters)))
    return after.lead_to(menu, pressed=menu.driver)


ON, OFF = message("on"), message("off")
CHILD_WORDS = {"table": message("children-table"), "panel": message("children-panel"), "off": OFF}


def _item(
    name: str,
    do: Callable[[Menu, Session], Change],
    is_available: Callable[[Session], bool] = always_available,
    value: Callable[[Session], Text] | None = None,
) -> MenuItem:
    """Return an item whose words are `menu-` and its name."""
    return MenuItem(name, message(f"menu-{name}"), do, is_available, value)


def _section(name: str, *lines: Line) -> MenuSection:
    """Return a section whose words are `menu-` and its name."""
    return MenuSection(name, message(f"menu-{name}"), lines)


MENU: tuple[Line, ...] = (
    _item("undo", _undo, lambda session: session.record is not None and session.record.undoable),
    _item("hint", _hint, may_ask_hint),
    _section(
        "board",
        _item("walk", opens(Comparing), _has_pawns_on_board),
        _item("correct", _correct, _has_pawns_on_board),
        _item("why", _ask_why, can_ask),
        setting_item(settings.HINTS, message("menu-hints"), (ON, OFF), _has_pawns_on_board),
        MenuItem("watch", message("watch-by-phone"), opens(ShowingAddress), has_page),
    ),
    _section(
        "dice",
        _item(
            "type",
            _type,
            lambda session: awaits_throw(session) and not types_every_throw(session),
        ),
        _item(
            "retype", _retype, lambda session: session.record is not None and session.record.typed
        ),
        setting_item(
            settings.DICE,
            message("menu-throw-with"),
            (message("dice-of-the-referee"), message("real-dice")),
            lambda session: session.phase is not Phase.OVER,
        ),
    ),
    _section(
        "game",
        _item(
            "someone-leaves",
            opens(Leaving),
            lambda session: _is_unfinished(session) and bool(seats_of_players(session)),
        ),
        MenuSection("bots", message("menu-bots"), bot_items),
        MenuItem("players", message("players"), opens(Players)),
        _item("leave", _leave_joining, lambda session: session.record is None),
        MenuSection(
            "next-game",
            message("menu-next-game"),
            rules_to_choose,
            lambda session: edition_title(session.next_rules),
        ),
        MenuSection("house-rules", message("house-rules"), house_rules),
        _item(
            "score",
            opens(Scores),
            lambda session: bool(session.settings.get(settings.EVENING).scores),
        ),
        MenuItem(
            "rematch", message("rematch"), lambda menu, session: rematch(session), _can_rematch
        ),
        _item("end", opens(ConfirmEnd), _is_unfinished),
    ),
    _section(
        "setup",
        setting_item(settings.VOLUME, message("menu-sound"), (ON, message("turns-only"), OFF)),
        setting_item(
            settings.BRIGHTNESS,
            message("menu-brightness"),
            (message("full"), message("half"), message("low")),
        ),
        _item("language", choose_language, can_choose_language, language_words),
        _item(
            "children",
            _set_next_child_panels,
            value=lambda session: CHILD_WORDS[_child_panels(session)],
        ),
        setting_item(
            settings.TURN_LIMIT,
            message("menu-turn-limit"),
            (
                OFF,
                message("in-seconds", count=30),
                message("in-one-minute"),
                message("in-two-minutes"),
            ),
        ),
        setting_item(
            settings.LATE_TURN,
            message("menu-late-turn"),
            (message("late-remind"), message("late-move")),
            lambda session: session.settings.get(settings.TURN_LIMIT) != "off",
        ),
        setting_item(
            settings.NUMBERS,
            message("menu-numbers"),
            (OFF, ON),
            lambda session: has_printed_numbers(session.rules),
        ),
        _item("self-test", lambda menu, session: Change(begin_self_test(session, menu))),
        _item(
            "page",
            _switch_page,
            _can_request("page-on"),
            lambda session: ON if has_page(session) else OFF,
        ),
        _item("backup", opens(partial(Requesting, request="backup")), _can_request("backup")),
        _item(
            "restore",
            opens(partial(Requesting, request="restore")),
            lambda session: session.record is None and _can_request("restore")(session),
        ),
        _item("off", opens(ConfirmOff), _can_request("power-off")),
        MenuItem(
            "version",
            message("version"),
            opens(ShowingVersion),
            lambda session: bool(session.setup.version),
        ),
    ),
    MenuSection("last-round", message("menu-last-round"), last_round_items, last_round_words),
)


@dataclass(frozen=True, slots=True)
class WholeMenu(Menu):
    def section(self, session: Session) -> MenuSection:
        return MenuSection("menu", message("menu"), MENU)
