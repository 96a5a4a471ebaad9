"""Loads the tables of weights, each when it is first needed. It does not use them.

Each table names the way in which it was made.
"""

import json
from functools import lru_cache
from pkgutil import get_data

from pi_app.players.features import FEATURE_NAMES
from pi_app.players.value import Judge, Value
from rules import PRESETS, RuleSet, differences

# The table for each preset: its own, or that of a similar one. House rules use the table of the
# preset that differs in the fewest fields. All tables were learned with four seats and serve fewer.
TABLES_BY_PRESET = {
    "sr-1942": "royal-2023-4",
    "sr-1989": "royal-2023-4",
    "sr-1975": "royal-2023-4",
    "pb": "findler-4",
    "mb-india": "royal-2023-4",
    "mb-total": "mb-total-4",
    "tr-1938": "royal-2023-4",
    "tr-1960": "royal-2023-4",
    "one-die": "findler-4",
    "encyclopedia": "findler-4",
    "sca": "findler-4",
    "findler": "findler-4",
    "royal-2023": "royal-2023-4",
}


@lru_cache(maxsize=2)  # to read a table takes 0.7 ms, and each question needs it
def load_judge(ruleset: RuleSet) -> Judge:
    """Return the judge of positions under a rule set."""
    return Judge(load_table(table_name(ruleset)), ruleset)


def table_name(ruleset: RuleSet) -> str:
    """Return the name of the table for a rule set."""
    nearest = min(TABLES_BY_PRESET, key=lambda name: len(differences(PRESETS[name], ruleset)))
    return TABLES_BY_PRESET[nearest]


def load_table(name: str) -> Value:
    """Return the network in a table, by the table's name."""
    return parse_table(table_text(name))


def table_text(name: str) -> str:
    """Return the JSON text of a table, by its name."""
    data = get_data("pi_app.players", f"tables/{name}.json")  # importlib.resources takes 1.5 MB
    assert data is not None
    return data.decode()


def parse_table(text: str) -> Value:
    """Return the network in a table's text. Raises ValueError if its features are not ours."""
    table = json.loads(text)
    if tuple(table["features"]) != FEATURE_NAMES:
        raise ValueError("the table has other features: make a new one with make train")
    return Value(
        tuple(map(tuple, table["weights"])),
        tuple(table["biases"]),
        tuple(table["counts"]),
        tuple(table["direct"]),
    )
