"""By which rules a game can be begun, by name: house rules, then the presets. Changes nothing."""

from __future__ import annotations

from pi_app.table.houses import PREFIX, House, parse_house, wrong_name
from pi_app.table.settings import RULESET, Setting, Settings
from rules.ruleset import DEFAULT_PRESET, PRESETS, RuleSet, preset_title


def house_setting(name: str) -> Setting[House | None]:
    """Return the setting that house rules of this name are."""
    return Setting(PREFIX + name, parse_house, None)


def houses(settings: Settings) -> dict[str, House]:
    """Return the house rules that can be read, by name."""
    found = {name: settings.get(house_setting(name)) for name in settings.named(PREFIX)}
    return {name: one for name, one in found.items() if one and wrong_name(name) is None}


def offers(settings: Settings) -> dict[str, RuleSet]:
    """Return all rules to choose from, in the order in which NEXT goes round them.

    After the usual preset, which is the last, a family finds its own first.
    """
    return {name: one.ruleset for name, one in houses(settings).items()} | PRESETS


def offered_first(settings: Settings, *usual: str) -> str:
    """Return the name of the rules that were chosen last, or the first of the usual, if there."""
    named = (settings.get(RULESET), *usual)
    return next((name for name in named if name in offers(settings)), DEFAULT_PRESET)


def title(name: str) -> str:
    """Return what rules are called on the panel."""
    return preset_title(name) if name in PRESETS else name


def name_of(settings: Settings, ruleset: RuleSet) -> str:
    """Return the name of rules, `house rules` where none that are offered are the same."""
    presets_first = PRESETS | offers(settings)
    return next((name for name, one in presets_first.items() if one == ruleset), "house rules")
