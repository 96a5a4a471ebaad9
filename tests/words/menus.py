"""The screens of the menus with all that they offer: rules, options, their values, and refusals."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import get_args

from pi_app.model.events import Button, Down, Request, Setup, Up
from pi_app.model.screens import TextScreen, message
from pi_app.settings.houses import offered_values, refusal
from pi_app.settings.settings import Settings
from pi_app.table.core.state import Session
from pi_app.table.modes.menu.menu import Menu, MenuSection
from pi_app.table.modes.setup.house_rules import line_words, what_it_does
from pi_app.table.modes.setup.joining import Joining, RulesMenu
from pi_app.table.modes.whole_menu import WholeMenu
from pi_app.table.session import Reply, handle, new_session
from pi_app.texts.rule_words import WORDS, value_words
from pi_app.texts.words import keys as two_keys
from pi_app.texts.words import next_key, question_title
from rules.ruleset import PRESETS
from tests.pi_app.texts.shown import Shown

DRIVER = 3  # the widest letter
BASES = ("royal-2023", "ludo-uk", "pachisi-mitra")  # together they have all options
PRESS_S = 5.0  # from one press to the next: each screen has been read


@cache
def menu_screens() -> tuple[Shown, ...]:
    """Return the screens that each line of the menus leads to while three players join."""
    found: dict[Shown, None] = {}
    for base in BASES:
        session = new_session(
            Setup(requests=get_args(Request)), Settings({"house.1": f'{{"base":"{base}"}}'})
        )
        joining = Joining(base, (DRIVER, 0, 1))
        for menu in RulesMenu(DRIVER, joining, 0.0), WholeMenu(DRIVER, joining, 0.0):
            found |= dict.fromkeys(_screens_below(session.enter_mode(menu)))
    return tuple(found)


def _screens_below(session: Session) -> Iterator[Shown]:
    """Yield the screens that OK leads to from each line of the menu that is open."""
    menu = session.mode
    assert isinstance(menu, Menu)
    for index, line in enumerate(menu.lines(session)):
        reply = _press_ok(session.enter_mode(replace(menu, index=index)))
        yield Shown(reply.screen, reply.motion.notice)
        if isinstance(line, MenuSection):
            yield from _screens_below(reply.session)


def _press_ok(session: Session) -> Reply:
    ok, t = Button(DRIVER, "ok"), session.t + PRESS_S
    return handle(handle(session, Down(ok, t)).session, Up(ok, t))


@cache
def changes_of_rules() -> tuple[Shown, ...]:
    """Return the screens of all changes of each edition's rules: offered, refused, and made."""
    title, keys = question_title(DRIVER, message("can-not")), (next_key(False, message("do-back")),)
    rules, changed = (question_title(DRIVER, message(one)) for one in ("house-rule", "changed"))
    choosing = two_keys(False, message("do-other"), message("do-this-one"))
    undoing = two_keys(False, message("do-undo"), message("do-go-on"))
    found: dict[Shown, None] = {}
    for ruleset in PRESETS.values():
        for option in WORDS:
            for value in offered_values(ruleset, option)[1:]:
                does, line = what_it_does(ruleset, option, value), line_words(option, value)
                found[Shown(TextScreen(rules, (line, *does), choosing, corner="10/12"))] = None
                if refusal(ruleset, option, value):
                    corner = value_words(option, value)
                    found[Shown(TextScreen(title, does, keys, corner=corner))] = None
                elif does[1:]:
                    found[Shown(TextScreen(changed, (line, *does[1:]), undoing))] = None
    return tuple(found)
