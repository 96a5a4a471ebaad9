"""By which rules a game can be begun, by name: house rules, then the presets. Changes nothing."""

from __future__ import annotations

from pi_app.table.houses import PREFIX, House, parse_house, wrong_name
from pi_app.table.settings import RULESET, Setting, Settings
from rules.ruleset import DEFAULT_PRESET, PRESET_TABLE, PRESETS, RuleSet

# The editions as NEXT goes round them: the usual one, its maker's older ones, then other makers'.
# One that is not named here comes last; of those with the same rules the first stands for all.
ORDER = (
    "royal-2023",
    "sr-1942",
    "sr-1989",
    "sr-1975",
    "tr-1960",
    "tr-1938",
    "pb",
    "mb-india",
    "mb-total",
    "one-die",
    "encyclopedia",
    "sca",
    "findler",
)


def _editions() -> dict[str, RuleSet]:
    ordered = dict.fromkeys((*ORDER, *PRESETS))
    first = {PRESETS[name]: name for name in reversed(ordered)}
    return {name: PRESETS[name] for name in ordered if first[PRESETS[name]] == name}


EDITIONS = _editions()


def house_setting(name: str) -> Setting[House | None]:
    """Return the setting that house rules of this name are."""
    return Setting(PREFIX + name, parse_house, None)


def houses(settings: Settings) -> dict[str, House]:
    """Return the house rules that can be read, by name."""
    found = {name: house_named(settings, name) for name in settings.named(PREFIX)}
    return {name: one for name, one in found.items() if one}


def house_named(settings: Settings, name: str) -> House | None:
    """Return the house rules of this name, None if there are none that can be read."""
    return settings.get(house_setting(name)) if wrong_name(name) is None else None


def offers(settings: Settings) -> dict[str, RuleSet]:
    """Return all rules to choose from by name, a family's own first, as NEXT goes round them."""
    return {name: one.ruleset for name, one in houses(settings).items()} | EDITIONS


def offered_first(settings: Settings, *usual: str) -> str:
    """Return the name of the rules that were chosen last, or the first of the usual, if there."""
    offered = offers(settings)
    named = (stands_for(name) for name in (settings.get(RULESET), *usual))
    return next((name for name in named if name in offered), DEFAULT_PRESET)


def stands_for(name: str) -> str:
    """Return the edition that is offered for this one: itself, or one with the same rules."""
    same = (edition for edition, ruleset in EDITIONS.items() if ruleset == PRESETS.get(name))
    return next(same, name)


def title(name: str) -> str:
    """Return what rules are called on the panel: `Selchow & Righter 1942, 1989` for both."""
    if name not in PRESETS:
        return name
    titles = [one.title for one in PRESET_TABLE.values() if one.ruleset == PRESETS[name]]
    return ", ".join([titles[0], *(other.rpartition(" ")[2] for other in titles[1:])])


def name_of(settings: Settings, ruleset: RuleSet) -> str:
    """Return the name of rules, `house rules` where none that are offered are the same."""
    presets_first = PRESETS | offers(settings)
    return next((name for name, one in presets_first.items() if one == ruleset), "house rules")
