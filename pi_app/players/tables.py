"""The tables of weights: which one a rule set plays by, and reading it; keeps out what it is for.

A table is read when it is first asked for. It says itself how it was made.
"""

import json
from functools import lru_cache
from pkgutil import get_data

from pi_app.players.features import NAMES
from pi_app.players.value import Judge, Value
from rules import PRESETS, RuleSet, differences

# By which table each preset is played, its own or a near one's; a house rule by that of the preset
# that differs in the fewest fields. All were learned with four seats, and serve for fewer.
PLAYS_BY = {
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


@lru_cache(maxsize=2)  # reading the table takes 0.7 ms, and each question asks for it
def judge(ruleset: RuleSet) -> Judge:
    """Return who judges positions by a rule set."""
    return Judge(load_table(table_name(ruleset)), ruleset)


def table_name(ruleset: RuleSet) -> str:
    """Return the name of the table that a rule set is played by."""
    near = min(PLAYS_BY, key=lambda name: len(differences(PRESETS[name], ruleset)))
    return PLAYS_BY[near]


def load_table(name: str) -> Value:
    """Return the weights of a table."""
    return parse_table(table_text(name))


def table_text(name: str) -> str:
    """Return a table as it is kept."""
    found = get_data("pi_app.players", f"tables/{name}.json")  # importlib.resources takes 1.5 MB
    assert found is not None
    return found.decode()


def parse_table(text: str) -> Value:
    """Return the weights that a table's text gives; ValueError where they are of other features."""
    kept = json.loads(text)
    if tuple(kept["features"]) != NAMES:
        raise ValueError("the table is of other features: make it anew with make train")
    return Value(tuple(map(tuple, kept["weights"])), tuple(kept["biases"]), tuple(kept["counts"]))
