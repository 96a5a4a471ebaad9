"""House rules in the menu: players choose, make, change, rename and remove them."""

from dataclasses import dataclass, replace
from functools import partial

from pi_app.model.events import Tone
from pi_app.model.screens import Message, Text, TextScreen, message
from pi_app.settings.houses import (
    HOUSE_PREFIX,
    MAX_TYPED_LENGTH,
    House,
    free_name,
    is_edition_name,
    is_name,
    offered_values,
    refusal,
)
from pi_app.settings.offers import find_house, house_setting, offers
from pi_app.settings.settings import RULESET
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.menu.menu import (
    Confirm,
    FromMenu,
    Line,
    Menu,
    MenuItem,
    MenuSection,
    opens,
)
from pi_app.table.modes.menu.naming import Naming
from pi_app.table.modes.setup.joining import Joining
from pi_app.texts.rule_words import GROUPS, OPTION_WORDS, WORDS, value_words
from pi_app.texts.words import next_key, question_title, title_of_house_rules
from rules.ruleset import PRESETS, RuleSetError, Value

# The lines of the menu.

NEW = "new-house-rules"  # too long for a name of house rules


def rules_to_change(session: Session) -> tuple[Line, ...]:
    """Return a section for each of the house rules, and a line that makes new ones."""
    sections = (
        MenuSection(name, title_of_house_rules(name), partial(_rules_lines, name))
        for name in session.settings.named(HOUSE_PREFIX)
    )
    return (*sections, MenuItem(NEW, message("new-rules"), _make_rules))


def _rules_lines(name: str, session: Session) -> tuple[Line, ...]:
    """Return the lines of one set of house rules: groups of options, rename, remove."""
    is_readable = find_house(session.settings, name) is not None
    is_ours, is_configured = (
        HOUSE_PREFIX + name in texts for texts in (session.settings.kept, session.settings.first)
    )
    lines: list[Line] = []
    for group, words in GROUPS.items() if is_readable else ():
        lines.append(MenuSection(group, words, partial(_group_lines, name, group)))
    if is_ours and not is_configured and is_readable:
        naming = opens(lambda menu: NamingRules(menu, message("name"), MAX_TYPED_LENGTH))
        lines.append(MenuItem("rename", message("rename"), naming))
    if is_ours:  # readable or not
        lines.append(MenuItem("remove", _removal_words(is_configured), opens(ConfirmRemove)))
    return tuple(lines)


def _house(name: str, session: Session) -> House:
    """Return house rules that the settings hold in readable form."""
    house = find_house(session.settings, name)
    assert house is not None, name
    return house


def _removal_words(is_configured: bool) -> Message:
    """Return the label for removing house rules, which resets those that are configured."""
    return message("reset") if is_configured else message("remove")


def _group_lines(name: str, group: str, session: Session) -> tuple[Line, ...]:
    """Return a line for each option of a group that can be changed."""
    ruleset = _house(name, session).ruleset
    offered = {option: offered_values(ruleset, option) for option in OPTION_WORDS[group]}
    lines = (_option_line(name, option, values) for option, values in offered.items() if values[1:])
    return tuple(lines)


def _option_line(name: str, option: str, values: tuple[Value, ...]) -> Line:
    """Return the line of an option.

    It sets the other value if there is only one; otherwise it opens a line for each value.
    """
    words = WORDS[option].name

    def show_value(session: Session) -> Text:
        return value_words(option, getattr(_house(name, session).ruleset, option))

    if len(values) == 2:
        other = partial(_set_option, name, option, values[1])
        return MenuItem(option, words, other, value=show_value)
    lines = tuple(
        MenuItem(str(value), value_words(option, value), partial(_set_option, name, option, value))
        for value in values
    )
    return MenuSection(option, words, lines, show_value)


# What the lines do.


def _return_to_menu(menu: Menu, session: Session) -> Change:
    return session.lead_to(menu, pressed=menu.driver)


def _make_rules(menu: Menu, session: Session) -> Change:
    """Copy the next game's rules to new house rules, and choose these for the next game."""
    model = menu.chosen_rules(session)
    rules = find_house(session.settings, model) or House(model, PRESETS[model])
    name = free_name(session.settings.named(HOUSE_PREFIX))
    after = _store_rules(session, name, rules).set(RULESET, name)
    session, menu = _replace_next_rules(model, name, after, menu)
    return _return_to_menu(menu.open_sections(session, *menu.path, name), session)


def _set_option(name: str, option: str, value: Value, menu: Menu, session: Session) -> Change:
    house = _house(name, session)
    try:
        ruleset = replace(house.ruleset, **{option: value})  # type: ignore[arg-type]
    except RuleSetError as error:
        why = refusal(house.ruleset, option, value, error.together)
        return _refuse_rules(menu, session, value_words(option, value), *why)
    after = session
    if ruleset != house.ruleset:
        after = _store_rules(session, name, House(house.base, ruleset))
    return _return_to_menu(menu.close_section(after) if menu.path[-1] == option else menu, after)


def _refuse_rules(menu: Menu, session: Session, what: Text, *why: Text) -> Change:
    return Change(session.enter_mode(RefusedRules(menu, what, why)), tones=(Tone(None, "refused"),))


def _store_rules(session: Session, name: str, rules: House | None) -> Session:
    return session.set(house_setting(name), rules)


def _replace_next_rules(old: str, new: str, session: Session, menu: Menu) -> tuple[Session, Menu]:
    """Return session and menu with the new rules for the next game, if it had the old ones."""
    if session.settings.get(RULESET) == old:
        session = session.set(RULESET, new)
    if isinstance(menu.back, Joining) and menu.back.ruleset == old:
        menu = replace(menu, back=replace(menu.back, ruleset=new))
    return session, menu


# The modes that the lines open.


@dataclass(frozen=True, slots=True)
class NamingRules(Naming):
    """Asks for another name of the house rules that are open in the menu."""

    def store_name(self, session: Session, menu: Menu) -> Change:
        name, text = menu.path[-1], self.text
        if text != name and text in (*session.settings.named(HOUSE_PREFIX), *PRESETS):
            return _refuse_rules(menu, session, text, message("rules-there"))
        if not is_name(text) or is_edition_name(text):
            return _refuse_rules(menu, session, text, message("name-of-an-edition"))
        after = _store_rules(session.unset(HOUSE_PREFIX + name), text, _house(name, session))
        after, menu = _replace_next_rules(name, text, after, menu)
        menu = menu.open_sections(after, *menu.path[:-1], text, line="rename")
        return _return_to_menu(menu, after)


@dataclass(frozen=True, slots=True)
class RefusedRules(FromMenu):
    """Shows what was refused and why. Any press goes back to the menu."""

    what: Text
    why: tuple[Text, ...]

    def screen(self, session: Session) -> TextScreen[Text]:
        back = next_key(self.has_one_button(session), message("do-back"))
        title = question_title(self.driver, message("can-not"))
        return TextScreen(title, self.why, (back,), corner=self.what)


@dataclass(frozen=True, slots=True)
class ConfirmRemove(Confirm):
    """Asks before the open house rules are removed."""

    @property
    def name(self) -> str:
        """The name of the house rules."""
        return self.menu_before.path[-1]

    def ok(self, session: Session, seat: int) -> Change:
        return session.refuse(message("hold-to-remove"))

    def hold_ok(self, session: Session, seat: int) -> Change:
        after = session.unset(HOUSE_PREFIX + self.name)
        is_configured = self.name in offers(after.settings)
        new = self.name if is_configured else after.next_rules
        after, menu = _replace_next_rules(self.name, new, after, self.touched_menu(session))
        return _return_to_menu(menu.open_sections(after, *menu.path[:-1]), after)

    def screen(self, session: Session) -> TextScreen[Text]:
        does = _removal_words(HOUSE_PREFIX + self.name in session.settings.first)
        title = question_title(self.driver, message("what-is-it", what=does))
        return TextScreen(title, (title_of_house_rules(self.name),), self.keys(session, does))
