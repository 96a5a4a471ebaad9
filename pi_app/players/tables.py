"""Loads the tables of weights, each when it is first needed. It does not use them.

Each table names the way in which it was made.
"""

import json
from functools import lru_cache
from pkgutil import get_data
from struct import unpack

from pi_app.model.tables import has_table, table_name
from pi_app.players.features import FEATURE_NAMES, SEATS
from pi_app.players.value import OUTPUTS, Judge, Value
from rules import RuleSet

HALF = 2  # bytes of a number


@lru_cache(maxsize=2)  # to read a table takes 0.7 ms, and each question needs it
def load_judge(ruleset: RuleSet) -> Judge:
    """Return the judge of positions under a rule set. Raises LookupError if it has no table."""
    return Judge(load_table(table_name(ruleset)), ruleset)


def find_judge(ruleset: RuleSet) -> Judge | None:
    """Return the judge of positions under a rule set, or None if no table was trained for it."""
    return load_judge(ruleset) if has_table(ruleset) else None


def load_table(name: str) -> Value:
    return parse_table(table_data(name))


def table_data(name: str) -> bytes:
    data = get_data("pi_app.players", f"tables/{name}.bin")  # importlib.resources takes 1.5 MB
    assert data is not None
    return data


def parse_table(data: bytes) -> Value:
    """Return the network in a table. Raises ValueError if its features are not ours.

    A table is a line of JSON and then all numbers, as half-precision floats with the low byte
    first: the biases, the rows of the features, those of the places, and the counts.
    """
    head, numbers = data.split(b"\n", 1)
    table = json.loads(head)
    if tuple(table["features"]) != FEATURE_NAMES:
        raise ValueError("the table has other features: make a new one with make train")
    hidden = table["hidden"]
    width, end = hidden + OUTPUTS, len(numbers) // HALF - OUTPUTS * hidden
    found = unpack(f"<{len(numbers) // HALF}e", numbers)
    biases, *rows = [found[n : n + width] for n in range(0, end, width)]
    features, places = rows[: len(FEATURE_NAMES)], rows[len(FEATURE_NAMES) :]
    each = len(places) // SEATS
    return Value(
        biases,
        tuple(features),
        tuple(tuple(places[n : n + each]) for n in range(0, len(places), each)),
        tuple(zip(found[end : end + hidden], found[end + hidden :], strict=True)),
    )
