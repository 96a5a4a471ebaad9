"""The tables of weights: which one a rule set plays by, and reading it; keeps out what it is for.

A table is read when it is first asked for. It says itself how it was made.
"""

import json
from functools import lru_cache
from importlib.resources import files

from pi_app.players.features import NAMES
from pi_app.players.value import Judge, Value
from rules import PRESETS, RuleSet, differences

# The tables with weights of their own; any rule set and number of seats plays by the nearest.
TABLES = ("findler-4", "royal-2023-4")


@lru_cache(maxsize=2)
def judge(ruleset: RuleSet, seats: int) -> Judge:
    """Return who judges positions by a rule set and number of seats, by the nearest table."""
    return Judge(table(table_name(ruleset, seats)), ruleset)


def table_name(ruleset: RuleSet, seats: int) -> str:
    """Return the table whose preset differs in the fewest fields, of those for as many seats.

    Three play as four do; where no table is for two, two do, too.
    """
    few = [name for name in TABLES if name.endswith("-2")] if seats == 2 else []
    many = [name for name in TABLES if name.endswith("-4")]
    return min(few + many, key=lambda name: len(differences(PRESETS[name[:-2]], ruleset)))


def table(name: str) -> Value:
    """Return the weights of a table."""
    return parse_table(table_text(name))


def table_text(name: str) -> str:
    """Return a table as it is kept."""
    return (files("pi_app.players") / "tables" / f"{name}.json").read_text(encoding="utf-8")


def parse_table(text: str) -> Value:
    """Return the weights that a table's text gives; ValueError where they are of other features."""
    kept = json.loads(text)
    if tuple(kept["features"]) != NAMES:
        raise ValueError("the table is of other features: make it anew with make train")
    return Value(tuple(map(tuple, kept["weights"])), tuple(kept["biases"]), tuple(kept["counts"]))
