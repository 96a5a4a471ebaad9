"""The rules that a table offers, by name: house rules, then editions. Changes nothing."""

from functools import lru_cache

from pi_app.model.editions import EDITION_TABLE
from pi_app.model.events import Setup
from pi_app.model.screens import Text, message
from pi_app.settings.houses import HOUSE_PREFIX, House, is_edition_name, is_name, parse_house
from pi_app.settings.settings import LANGUAGE, RULESET, Setting, Settings
from pi_app.texts.language import BENCHES, COWRIES, GOAL, LADDER, SIXES, STARS
from pi_app.texts.rule_words import DIFFERENCE_WORDS
from pi_app.texts.words import title_of_house_rules
from rules.board import board
from rules.ruleset import DEFAULT_PRESET, PRESET_TABLE, PRESETS, RuleSet, differences

OWN = "own"  # the family of house rules
_FIRST = {PRESETS[name]: name for name in reversed(EDITION_TABLE)}  # of those with the same rules
EDITIONS = {name: PRESETS[name] for name in EDITION_TABLE if _FIRST[PRESETS[name]] == name}
FAMILIES: dict[str, tuple[str, ...]] = {
    family: tuple(name for name in EDITIONS if EDITION_TABLE[name].family == family)
    for family, *_ in EDITION_TABLE.values()
}


def house_setting(name: str) -> Setting[House | None]:
    return Setting(HOUSE_PREFIX + name, parse_house, None)


def houses(settings: Settings) -> dict[str, House]:
    """Return all house rules that can be read, by name."""
    names = settings.named(HOUSE_PREFIX)
    return {name: house for name in names if (house := find_house(settings, name))}


def find_house(settings: Settings, name: str) -> House | None:
    """Return the house rules of this name, or None if there are none or they can't be read."""
    if not is_name(name) or is_edition_name(name):
        return None
    return settings.get(house_setting(name))


def all_rules(settings: Settings) -> dict[str, RuleSet]:
    """Return all rules on offer by name, in the order of NEXT, house rules first."""
    return {name: house.ruleset for name, house in houses(settings).items()} | EDITIONS


def offered_first(settings: Settings, setup: Setup, last: str | None = None) -> str:
    """Return the name of the rules to offer first.

    They are those chosen last, else `last`, else those of the configuration, else the edition of
    the table's language. last: the name of the rules of the last game.
    """
    offered = all_rules(settings)
    usual = (settings.get(RULESET), last or "", setup.ruleset, own_edition(settings, setup))
    return next((name for name in map(offered_edition, usual) if name in offered), DEFAULT_PRESET)


def own_edition(settings: Settings, setup: Setup) -> str:
    """Return the edition that players of the table's language know best; "" for the default."""
    editions = {language.code: language.edition for language in setup.languages}
    return editions.get(settings.get(LANGUAGE), "")


def offered_edition(name: str) -> str:
    """Return the edition on offer for this one: itself, or one with the same rules."""
    return _FIRST[PRESETS[name]] if name in PRESETS else name


def family_of(settings: Settings, name: str) -> str:
    """Return the family of rules on offer: `OWN` for house rules."""
    return OWN if find_house(settings, name) else EDITION_TABLE[name].family


@lru_cache
def nearest_house(ruleset: RuleSet) -> House:
    """Return these rules as made from the edition from which they differ in the fewest options."""
    near = min(EDITIONS, key=lambda name: len(differences(EDITIONS[name], ruleset)))
    return House(near, ruleset)


def nearest_family(ruleset: RuleSet) -> str:
    """Return the family of the edition from which these rules differ in the fewest options."""
    return EDITION_TABLE[nearest_house(ruleset).base].family


def has_printed_numbers(ruleset: RuleSet) -> bool:
    """Whether the spaces of the board of these rules have numbers, as on a board for Parchís."""
    near = nearest_house(ruleset).base
    return EDITION_TABLE[near].numbered and ruleset.layout == PRESETS[near].layout


def idioms_of(ruleset: RuleSet) -> tuple[str, ...]:
    """Return the idioms of players of these rules, the most special first."""
    special = {
        GOAL: board(ruleset.layout).is_goal,
        LADDER: ruleset.row_by == "ladder",
        COWRIES: ruleset.throws_shells,
        BENCHES: ruleset.captures == "passing" and ruleset.layout == "standard",
        STARS: ruleset.stars == "jump",
        nearest_family(ruleset): True,
        SIXES: ruleset.dice == 1,
    }
    return tuple(idiom for idiom, fits in special.items() if fits)


def names_in_family(settings: Settings, family: str) -> tuple[str, ...]:
    return tuple(houses(settings)) if family == OWN else FAMILIES[family]


def edition_title(name: str | None) -> Text:
    """Return the title of rules. name: None for house rules without a name."""
    if name is None:
        return message("house-rules")
    if (edition := offered_edition(name)) in EDITIONS:
        return message(f"edition-{edition}")
    return PRESET_TABLE[name].title if name in PRESETS else title_of_house_rules(name)


def rules_lines(house: House, most: int) -> tuple[Text, ...]:
    """Return the edition of house rules and what differs from it, in so many lines at most."""
    changes = house.changes
    words = [by_value[changes[one]] for one, by_value in DIFFERENCE_WORDS.items() if one in changes]
    lines: list[Text] = [edition_title(house.base), *words]
    if len(lines) > most:
        lines[most - 1 :] = [message("and-so-many-more", count=len(lines) - most + 1)]
    return tuple(lines)


def rules_name(settings: Settings, ruleset: RuleSet) -> str | None:
    """Return the name of the rules on offer that are the same, or None."""
    presets_first = PRESETS | all_rules(settings)
    return next((name for name, rules in presets_first.items() if rules == ruleset), None)
