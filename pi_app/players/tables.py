"""Loads the tables of weights, each when it is first needed. It does not use them.

Each table names the way in which it was made.
"""

import json
from functools import lru_cache
from pkgutil import get_data

from pi_app.model.tables import has_table, table_name
from pi_app.players.features import FEATURE_NAMES
from pi_app.players.value import Judge, Value
from rules import RuleSet


@lru_cache(maxsize=2)  # to read a table takes 0.7 ms, and each question needs it
def load_judge(ruleset: RuleSet) -> Judge:
    """Return the judge of positions under a rule set. Raises LookupError if it has no table."""
    return Judge(load_table(table_name(ruleset)), ruleset)


def find_judge(ruleset: RuleSet) -> Judge | None:
    """Return the judge of positions under a rule set, or None if no table was trained for it."""
    return load_judge(ruleset) if has_table(ruleset) else None


def load_table(name: str) -> Value:
    return parse_table(table_text(name))


def table_text(name: str) -> str:
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
