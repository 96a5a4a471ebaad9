"""All editions as the parameters of a test: `make check` takes four of them, `make test` all."""

import pytest

from rules.ruleset import PRESETS

# Two that differ most in how bonuses and doublets are used, and the two whose plays are shortest.
QUICK = ("royal-2023", "findler", "mb-total", "one-die")
EDITIONS = [
    pytest.param(preset, marks=[] if preset in QUICK else [pytest.mark.slow]) for preset in PRESETS
]
every_edition = pytest.mark.parametrize("preset", EDITIONS)
