"""The rules that a table offers, by name: house rules, then editions. Changes nothing."""

from __future__ import annotations

from pi_app.screens.screen import Message, Text, message
from pi_app.settings.houses import HOUSE_PREFIX, House, is_edition_name, is_name, parse_house
from pi_app.settings.settings import RULESET, Setting, Settings
from pi_app.texts.words import title_of_house_rules
from rules.ruleset import DEFAULT_PRESET, PRESETS, RuleSet

# The editions in the order of NEXT: the default, its maker's older ones, then other makers'. If
# editions have the same rules, only the first is here, and its title names all.
EDITION_NAMES: dict[str, Message] = {
    "royal-2023": message("edition-royal-2023"),
    "sr-1942": message("edition-sr-1942"),
    "sr-1975": message("edition-sr-1975"),
    "tr-1960": message("edition-tr-1960"),
    "tr-1938": message("edition-tr-1938"),
    "pb": message("edition-pb"),
    "mb-india": message("edition-mb-india"),
    "mb-total": message("edition-mb-total"),
    "one-die": message("edition-one-die"),
    "encyclopedia": message("edition-encyclopedia"),
    "sca": message("edition-sca"),
    "findler": message("edition-findler"),
}
EDITIONS: dict[str, RuleSet] = {name: PRESETS[name] for name in EDITION_NAMES}


def house_setting(name: str) -> Setting[House | None]:
    """Return the setting for house rules of this name."""
    return Setting(HOUSE_PREFIX + name, parse_house, None)


def houses(settings: Settings) -> dict[str, House]:
    """Return all house rules that can be read, by name."""
    found = {name: find_house(settings, name) for name in settings.named(HOUSE_PREFIX)}
    return {name: house for name, house in found.items() if house}


def find_house(settings: Settings, name: str) -> House | None:
    """Return the house rules of this name, or None if there are none or they can't be read."""
    if not is_name(name) or is_edition_name(name):
        return None
    return settings.get(house_setting(name))


def offers(settings: Settings) -> dict[str, RuleSet]:
    """Return all rules on offer by name, in the order of NEXT, house rules first."""
    return {name: house.ruleset for name, house in houses(settings).items()} | EDITIONS


def offered_first(settings: Settings, *usual: str | None) -> str:
    """Return the name of the rules to offer first: those chosen last, else the first of `usual`."""
    offered = offers(settings)
    named = (offered_edition(name) for name in (settings.get(RULESET), *usual) if name is not None)
    return next((name for name in named if name in offered), DEFAULT_PRESET)


def offered_edition(name: str) -> str:
    """Return the edition on offer for this one: itself, or one with the same rules."""
    same = (edition for edition, ruleset in EDITIONS.items() if ruleset == PRESETS.get(name))
    return next(same, name)


def edition_title(name: str | None) -> Text:
    """Return the title of rules. name: None for house rules without a name."""
    if name is None:
        return message("house-rules")
    return EDITION_NAMES[offered_edition(name)] if name in PRESETS else title_of_house_rules(name)


def rules_name(settings: Settings, ruleset: RuleSet) -> str | None:
    """Return the name of the rules on offer that are the same, or None."""
    presets_first = PRESETS | offers(settings)
    return next((name for name, rules in presets_first.items() if rules == ruleset), None)
