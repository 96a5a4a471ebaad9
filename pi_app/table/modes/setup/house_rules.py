"""House rules in the menu: chosen for the next game, made, changed, named, removed. Plays none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from pi_app.input.events import Tone
from pi_app.screens.screen import Message, Text, TextScreen, message
from pi_app.settings.houses import (
    MAX_TYPED_LENGTH,
    PREFIX,
    House,
    free_name,
    is_edition_name,
    is_name,
)
from pi_app.settings.offers import edition_title, find_house, house_setting, offers
from pi_app.settings.settings import RULESET
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.menu.menu import (
    Confirm,
    FromMenu,
    Line,
    Menu,
    MenuItem,
    MenuSection,
    always,
)
from pi_app.table.modes.menu.naming import Naming
from pi_app.table.modes.setup.joining import Joining
from pi_app.texts.rule_words import (
    GROUPS,
    OPTION_WORDS,
    REFUSALS,
    WORDS,
    option_values,
    value_words,
)
from pi_app.texts.words import next_key, question_title, title_of_house_rules
from rules.ruleset import PRESETS, RuleSetError, Value

# What the menu has: lines made of what the session knows.

NEW = "new-house-rules"  # no name of house rules is as long


def rules_to_choose(session: Session) -> tuple[Line, ...]:
    """Return all rules for the next game, those that it has now first; NEXT does it for joining."""
    names = list(offers(session.settings))
    at = names.index(session.next_rules)
    listed = names[at:] + names[:at]
    return tuple(
        MenuItem(name, edition_title(name), _playing, partial(_choose, name)) for name in listed
    )


def rules_to_change(session: Session) -> tuple[Line, ...]:
    """Return the house rules, and what makes new ones."""
    made = (
        MenuSection(name, title_of_house_rules(name), partial(_one, name))
        for name in session.settings.named(PREFIX)
    )
    return (*made, MenuItem(NEW, message("new-rules"), always, _make))


def _one(name: str, session: Session) -> tuple[Line, ...]:
    groups = (
        MenuSection(group, words, partial(_group, name, group)) for group, words in GROUPS.items()
    )
    ours, theirs = PREFIX + name in session.settings.kept, PREFIX + name in session.settings.first
    can_be_read = _can_be_read(name, session)
    can_be_renamed = ours and not theirs and can_be_read
    return (
        *(groups if can_be_read else ()),  # what can't be read may be removed
        MenuItem("rename", message("rename"), lambda session: can_be_renamed, _ask_name),
        MenuItem("remove", _removal(theirs), lambda session: ours, _ask_remove),
    )


def _can_be_read(name: str, session: Session) -> bool:
    return find_house(session.settings, name) is not None


def _house(name: str, session: Session) -> House:
    """Return house rules that can be read."""
    house = find_house(session.settings, name)
    assert house is not None, name
    return house


def _removal(theirs: bool) -> Message:
    """Return what removing house rules is called. theirs: the configuration has them, too."""
    return message("as-at-first") if theirs else message("remove")


def _group(name: str, group: str, session: Session) -> tuple[Line, ...]:
    return tuple(_option(name, option, session) for option in OPTION_WORDS[group])


def _option(name: str, option: str, session: Session) -> Line:
    """Return the line of an option, which turns it where there is one other value, else opens."""
    words, shown = WORDS[option].name, partial(_value, name, option)
    _, *others = option_values(option, getattr(_house(name, session).ruleset, option))
    if len(others) == 1:
        return MenuItem(option, words, always, partial(_take, name, option, others[0]), shown)
    return MenuSection(option, words, partial(_values, name, option), shown)


def _values(name: str, option: str, session: Session) -> tuple[Line, ...]:
    now = getattr(_house(name, session).ruleset, option)
    return tuple(
        MenuItem(
            str(value), value_words(option, value), always, partial(_take, name, option, value)
        )
        for value in option_values(option, now)
    )


def _value(name: str, option: str, session: Session) -> Text:
    return value_words(option, getattr(_house(name, session).ruleset, option))


def next_rules_title(session: Session) -> Text:
    """Return what the rules of the next game are called."""
    return edition_title(session.next_rules)


def _playing(session: Session) -> bool:
    return session.record is not None


# What they do.


def _done(menu: Menu, session: Session) -> Change:
    return Change(session.into(menu), tones=(Tone(menu.driver, "press"),))


def _choose(name: str, menu: Menu, session: Session) -> Change:
    return _done(menu.opened_from(session), session.set(RULESET, name))


def _make(menu: Menu, session: Session) -> Change:
    """Make house rules of those of the next game, which has them from now on."""
    joining = menu.back if isinstance(menu.back, Joining) else None
    like = joining.ruleset if joining else session.next_rules
    made = find_house(session.settings, like) or House(like, PRESETS[like])
    name = free_name(session.settings.named(PREFIX))
    session, menu = _instead(like, name, _kept(session, name, made).set(RULESET, name), menu)
    return _done(menu.at(session, *menu.path, name), session)


def _take(name: str, option: str, value: Value, menu: Menu, session: Session) -> Change:
    now = _house(name, session)
    try:
        ruleset = replace(now.ruleset, **{option: value})  # type: ignore[arg-type]
    except RuleSetError as error:
        return _refused(menu, session, value_words(option, value), REFUSALS[error.together])
    after = session if ruleset == now.ruleset else _kept(session, name, House(now.base, ruleset))
    return _done(menu.opened_from(after) if menu.path[-1] == option else menu, after)


def _ask_name(menu: Menu, session: Session) -> Change:
    return Change(session.into(NamingRules(menu, message("name"), MAX_TYPED_LENGTH)))


def _rename(menu: Menu, session: Session, text: str) -> Change:
    name = menu.path[-1]
    if text != name and text in (*session.settings.named(PREFIX), *PRESETS):
        return _refused(menu, session, text, message("rules-there"))
    if not is_name(text) or is_edition_name(text):
        return _refused(menu, session, text, message("name-of-an-edition"))
    after = _kept(session.unset(PREFIX + name), text, _house(name, session))
    after, menu = _instead(name, text, after, menu)
    return _done(menu.at(after, *menu.path[:-1], text, line="rename"), after)


def _ask_remove(menu: Menu, session: Session) -> Change:
    return Change(session.into(ConfirmRemove(menu)))


def _refused(menu: Menu, session: Session, what: Text, why: Text) -> Change:
    return Change(session.into(RefusedRules(menu, what, why)), tones=(Tone(None, "refused"),))


def _kept(session: Session, name: str, rules: House | None) -> Session:
    return session.set(house_setting(name), rules)


def _instead(old: str, new: str, session: Session, menu: Menu) -> tuple[Session, Menu]:
    """Return session and menu in which the next game has the new rules where it had the old."""
    if session.settings.get(RULESET) == old:
        session = session.set(RULESET, new)
    if isinstance(menu.back, Joining) and menu.back.ruleset == old:
        menu = replace(menu, back=replace(menu.back, ruleset=new))
    return session, menu


# What they ask and show.


@dataclass(frozen=True, slots=True)
class NamingRules(Naming):
    """Another name for the house rules that are open in the menu."""

    def named(self, session: Session, menu: Menu) -> Change:
        return _rename(menu, session, self.text)


@dataclass(frozen=True, slots=True)
class RefusedRules(FromMenu):
    """What was not taken, and why; any press goes back to the menu."""

    what: Text
    why: Text

    def ok(self, session: Session, seat: int) -> Change:
        return self.next(session, seat)

    def screen(self, session: Session) -> TextScreen[Text]:
        driver = self.menu_before.driver
        back = next_key(session.only(driver), message("do-back"))
        title = question_title(driver, message("can-not"))
        return TextScreen(title, (self.why,), (back,), corner=self.what)


@dataclass(frozen=True, slots=True)
class ConfirmRemove(Confirm):
    """The menu asks again before it removes house rules: only holding OK does."""

    @property
    def name(self) -> str:
        """The house rules that it is about."""
        return self.menu_before.path[-1]

    def ok(self, session: Session, seat: int) -> Change:
        return session.refuse(message("hold-to-remove"))

    def hold_ok(self, session: Session, seat: int) -> Change:
        after = session.unset(PREFIX + self.name)
        there = self.name in offers(after.settings)
        new = self.name if there else after.next_rules
        after, menu = _instead(self.name, new, after, self.touched_menu(session))
        return _done(menu.at(after, *menu.path[:-1]), after)

    def screen(self, session: Session) -> TextScreen[Text]:
        yes = _removal(PREFIX + self.name in session.settings.first)
        title = question_title(self.menu_before.driver, message("what-is-it", what=yes))
        return TextScreen(title, (title_of_house_rules(self.name),), self.keys(session, yes))
