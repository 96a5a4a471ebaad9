"""The rules by which a game can be begun, by name: house rules, then editions. Changes nothing."""

from __future__ import annotations

from pi_app.screens.screen import Message, Text, message
from pi_app.settings.houses import PREFIX, House, is_edition_name, is_name, parse_house
from pi_app.settings.settings import RULESET, Setting, Settings
from pi_app.texts.words import title_of_house_rules
from rules.ruleset import DEFAULT_PRESET, PRESETS, RuleSet

# The editions in the order of NEXT: the usual one, its maker's older ones, then other makers'. Of
# those with the same rules the first stands for all, and its name tells them all.
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
    """Return the setting that house rules of this name are."""
    return Setting(PREFIX + name, parse_house, None)


def houses(settings: Settings) -> dict[str, House]:
    """Return the house rules that can be read, by name."""
    found = {name: find_house(settings, name) for name in settings.named(PREFIX)}
    return {name: one for name, one in found.items() if one}


def find_house(settings: Settings, name: str) -> House | None:
    """Return the house rules of this name, None if there are none that can be read."""
    if not is_name(name) or is_edition_name(name):
        return None
    return settings.get(house_setting(name))


def offers(settings: Settings) -> dict[str, RuleSet]:
    """Return all rules to choose from by name, a family's own first, as NEXT goes round them."""
    return {name: one.ruleset for name, one in houses(settings).items()} | EDITIONS


def offered_first(settings: Settings, *usual: str | None) -> str:
    """Return the name of the rules that were chosen last, or the first of the usual, if there."""
    offered = offers(settings)
    named = (offered_edition(name) for name in (settings.get(RULESET), *usual) if name is not None)
    return next((name for name in named if name in offered), DEFAULT_PRESET)


def offered_edition(name: str) -> str:
    """Return the edition that is offered for this one: itself, or one with the same rules."""
    same = (edition for edition, ruleset in EDITIONS.items() if ruleset == PRESETS.get(name))
    return next(same, name)


def edition_title(name: str | None) -> Text:
    """Return what rules are called on the panel; None is the name of rules that have none."""
    if name is None:
        return message("house-rules")
    return EDITION_NAMES[offered_edition(name)] if name in PRESETS else title_of_house_rules(name)


def rules_name(settings: Settings, ruleset: RuleSet) -> str | None:
    """Return the name of rules, None where none that are offered are the same."""
    presets_first = PRESETS | offers(settings)
    return next((name for name, one in presets_first.items() if one == ruleset), None)
