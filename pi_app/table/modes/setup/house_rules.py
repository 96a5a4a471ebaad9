"""House rules in the menu: players choose, make, change, rename and remove them."""

from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from pi_app.model.events import Tone
from pi_app.model.screens import Message, QrScreen, Screen, Text, TextScreen, message
from pi_app.settings import houses, offers
from pi_app.settings.addresses import MAX_QR_LENGTH
from pi_app.settings.houses import HOUSE_PREFIX, House
from pi_app.settings.offers import find_house, rules_lines
from pi_app.settings.settings import RULESET, Settings
from pi_app.table.core.state import Change, Session
from pi_app.table.modes.menu.menu import (
    BACK,
    Confirm,
    FromMenu,
    Line,
    Looking,
    Menu,
    MenuItem,
    MenuSection,
    opens,
)
from pi_app.table.modes.menu.naming import Naming
from pi_app.texts import rule_words
from pi_app.texts.rule_words import DIFFERENCE_WORDS, OPTION_WORDS, WORDS, value_words
from pi_app.texts.words import next_key, question_title, title_of_house_rules
from rules.ruleset import PRESETS, RuleSet, Value

NEW = "new-house-rules"  # too long for a name of house rules
CHANGE = "change-rules"  # likewise
LINES = 5  # small ones on the display
MAX_SCANNED_LENGTH = 77  # letters of the largest code on a display
MAX_LINE_LENGTH = 100  # letters, which fit on so many lines


def house_rules(session: Session) -> tuple[Line, ...]:
    """Return a section for each of the house rules, and a line that makes new ones."""
    sections = (
        MenuSection(name, title_of_house_rules(name), partial(_rules_lines, name))
        for name in session.settings.named(HOUSE_PREFIX)
    )
    return (*sections, MenuItem(NEW, message("new-rules"), _make_rules))


def rules_to_change(name: str) -> MenuSection:
    """Return the line that changes the rules of this name: the first change makes house rules."""
    words = message("change-rules", rules=offers.edition_title(name))
    return MenuSection(CHANGE, words, partial(_option_lines, name), title=message("house-rules"))


def _rules_lines(name: str, session: Session) -> tuple[Line, ...]:
    is_readable = find_house(session.settings, name) is not None
    key, settings = HOUSE_PREFIX + name, session.settings
    is_ours, is_configured = key in settings.kept, key in settings.first
    lines = [*_option_lines(name, session)] if is_readable else []
    if is_ours and not is_configured and is_readable:
        naming = opens(lambda menu: NamingRules(menu, message("name"), houses.MAX_TYPED_LENGTH))
        lines.append(MenuItem("rename", message("rename"), naming))
    if is_ours:  # readable or not
        lines.append(MenuItem("remove", _removal_words(is_configured), opens(ConfirmRemove)))
    return tuple(lines)


def _house(name: str, session: Session) -> House:
    """Return house rules that the settings hold in readable form, or an edition as such."""
    return find_house(session.settings, name) or House(name, PRESETS[name])


def _removal_words(is_configured: bool) -> Message:
    """Return the label for removing house rules, which resets those that are configured."""
    return message("reset" if is_configured else "remove")


def _option_lines(name: str, session: Session) -> tuple[Line, ...]:
    """Return a line for each option that families change, and a line that opens all."""
    groups = tuple(
        MenuSection(group, words, partial(_listed_lines, name, tuple(OPTION_WORDS[group])))
        for group, words in rule_words.GROUPS.items()
    )
    every = MenuSection("all-options", message("all-options"), groups)
    lines: tuple[Line, ...] = (*_listed_lines(name, rule_words.SHORT_LIST, session), every)
    if house := find_house(session.settings, name):
        show = opens(partial(ShowingRules, house=house))
        lines += (MenuItem("show", message("show-rules"), show),)
    return lines


def _listed_lines(name: str, options: tuple[str, ...], session: Session) -> tuple[Line, ...]:
    ruleset = _house(name, session).ruleset
    offered = ((option, houses.offered_values(ruleset, option)) for option in options)
    return tuple(_option_line(name, ruleset, one, *values) for one, values in offered if values[1:])


def _option_line(name: str, ruleset: RuleSet, option: str, now: Value, *others: Value) -> Line:
    """Return the line of an option. It opens the other values, then the one that is set."""
    values = {str(value): value for value in (*others, now)}

    def about(session: Session, text: str) -> tuple[Text, ...] | None:
        return what_it_does(ruleset, option, values[text]) if text in values else None

    def lines(session: Session) -> tuple[Line, ...]:
        return tuple(
            MenuItem(text, line_words(option, value), partial(_set_option, name, option, value))
            for text, value in values.items()
        )

    words, title = value_words(option, now), message("house-rule")
    return MenuSection(option, WORDS[option].name, lines, lambda session: words, about, title)


def line_words(option: str, value: Value) -> Message:
    return message("line-and-value", line=WORDS[option].name, value=value_words(option, value))


def what_it_does(ruleset: RuleSet, option: str, value: Value) -> tuple[Text, ...]:
    """Return what a value of an option does, and what else changes with it; or why it can't be."""
    if why := houses.refusal(ruleset, option, value):
        return (why,)
    return (DIFFERENCE_WORDS[option][value], *_carried_words(ruleset, option, value))


def _carried_words(ruleset: RuleSet, option: str, value: Value) -> tuple[Text, ...]:
    """Return a line with what changes with an option, another one for a long rest, or none."""
    carried = houses.carried_changes(ruleset, option, value).items()
    words = tuple(DIFFERENCE_WORDS[other][new] for other, new in carried)
    if len(words) > 3:
        rest = message("and-so-many-more", count=len(words) - 2)
        return message("and-also", changes=words[:2]), rest
    return (message("and-also", changes=words),) if words else ()


def _make_rules(menu: Menu, session: Session) -> Change:
    """Copy the next game's rules to new house rules, and choose these for the next game."""
    model, name = menu.chosen_rules(session), houses.free_name(session.settings.named(HOUSE_PREFIX))
    after = _store_rules(session, name, _house(model, session)).set(RULESET, name)
    session, menu = _replace_next_rules(model, name, after, menu)
    menu = menu.open_sections(session, *menu.path, name)
    return session.lead_to(menu, pressed=menu.driver)


def _set_option(name: str, option: str, value: Value, menu: Menu, session: Session) -> Change:
    house = _house(name, session)
    if why := houses.refusal(house.ruleset, option, value):
        return _refuse_rules(menu, session, value_words(option, value), why)
    ruleset, after, before = houses.change_rules(house.ruleset, option, value), session, menu
    if ruleset != house.ruleset:
        names = session.settings.named(HOUSE_PREFIX)
        own = name if name in names else houses.free_name(names)
        after = _store_rules(session, own, House(house.base, ruleset))
        after, menu = _replace_next_rules(name, own, after, menu)
    following = menu.close_section(after)
    if also := _carried_words(house.ruleset, option, value):
        said = (line_words(option, value), *also)
        return after.lead_to(Changed(following, said, (before, session.settings)))
    return after.lead_to(following, pressed=menu.driver)


def _refuse_rules(menu: Menu, session: Session, what: Text, *why: Text) -> Change:
    return Change(session.enter_mode(RefusedRules(menu, what, why)), tones=(Tone(None, "refused"),))


def _store_rules(session: Session, name: str, rules: House | None) -> Session:
    return session.set(offers.house_setting(name), rules)


def _replace_next_rules(old: str, new: str, session: Session, menu: Menu) -> tuple[Session, Menu]:
    """Return session and menu with the new rules for the next game, if it had the old ones."""
    if session.settings.get(RULESET) == old:
        session = session.set(RULESET, new)
    if menu.back.chosen_rules(session) == old:
        menu = replace(menu, back=menu.back.with_rules(new))
    return session, menu


@dataclass(frozen=True, slots=True)
class NamingRules(Naming):
    """Asks for another name of the house rules that are open in the menu."""

    def store_name(self, session: Session, menu: Menu) -> Change:
        name, text = menu.path[-1], self.text
        if text != name and text in (*session.settings.named(HOUSE_PREFIX), *PRESETS):
            return _refuse_rules(menu, session, text, message("rules-there"))
        if not houses.is_name(text) or houses.is_edition_name(text):
            return _refuse_rules(menu, session, text, message("name-of-an-edition"))
        after = _store_rules(session.unset(HOUSE_PREFIX + name), text, _house(name, session))
        after, menu = _replace_next_rules(name, text, after, menu)
        menu = menu.open_sections(after, *menu.path[:-1], text, line="rename")
        return after.lead_to(menu, pressed=menu.driver)


@dataclass(frozen=True, slots=True)
class Changed(FromMenu):
    """Says what changed together. OK goes on; NEXT restores the menu and the settings before."""

    said: tuple[Text, ...]
    undone_to: tuple[Menu, Settings]

    def next(self, session: Session, seat: int) -> Change:
        menu, before = self.undone_to
        return replace(session, settings=before).lead_to(replace(menu, touched_at=session.t))

    def screen(self, session: Session) -> TextScreen[Text]:
        does = message("do-undo"), message("do-go-on")
        return self.text_screen(session, message("changed"), self.said, *does)


@dataclass(frozen=True, slots=True)
class ShowingRules(Looking):
    """Shows house rules in words. OK shows them as a code for phones with a line to type.

    A long line does not fit beside its code: OK once more shows it.
    """

    house: House
    number: int = 0  # of the screen

    def ok(self, session: Session, seat: int) -> Change:
        if self.number + 1 == len(self._screens(session)):
            return self.go_back(session)
        return session.lead_to(self.touched(session, number=self.number + 1))

    def screen(self, session: Session) -> Screen:
        return self._screens(session)[self.number]

    def _screens(self, session: Session) -> tuple[Screen, ...]:
        line, title = self.house.line, message("house-rules")
        back = next_key(self.has_one_button(session), BACK)
        rules = rules_lines(self.house, LINES)
        words = self.text_screen(session, title, rules, BACK, message("do-code"))
        if len(line) <= MAX_QR_LENGTH:
            return words, QrScreen(line.upper(), message("scan-or-type"), line, back)
        long = message("line-too-long"), message("page-has-the-line")
        typed = (line,) if len(line) <= MAX_LINE_LENGTH else long
        text = self.text_screen(session, title, typed)
        if len(line) > MAX_SCANNED_LENGTH:
            return words, text
        return words, QrScreen(line.upper(), message("scan"), "", back), text


@dataclass(frozen=True, slots=True)
class RefusedRules(FromMenu):
    """Shows what was refused and why. Any press goes back to the menu."""

    what: Text
    why: tuple[Text, ...]

    def screen(self, session: Session) -> TextScreen[Text]:
        return self.text_screen(session, message("can-not"), self.why, corner=self.what)


@dataclass(frozen=True, slots=True)
class ConfirmRemove(Confirm):
    too_short: ClassVar[Message] = message("hold-to-remove")

    @property
    def name(self) -> str:
        return self.menu_before.path[-1]

    def hold_ok(self, session: Session, seat: int) -> Change:
        after = session.unset(HOUSE_PREFIX + self.name)
        is_configured = self.name in offers.all_rules(after.settings)
        new = self.name if is_configured else after.next_rules
        after, menu = _replace_next_rules(self.name, new, after, self.touched_menu(session))
        return after.lead_to(menu.open_sections(after, *menu.path[:-1]), pressed=menu.driver)

    def screen(self, session: Session) -> TextScreen[Text]:
        does = _removal_words(HOUSE_PREFIX + self.name in session.settings.first)
        title = question_title(self.driver, message("what-is-it", what=does))
        return TextScreen(title, (title_of_house_rules(self.name),), self.keys(session, does))
