"""The editions of Parcheesi as parameters: `make check` takes four of them, `make test` all."""

import pytest

from tests.rules import brute_force

PARCHEESI = tuple(brute_force.PRESETS)
# Two that differ most in how bonuses and doublets are used, and the two whose plays are shortest.
QUICK = ("royal-2023", "findler", "mb-total", "one-die")
EDITIONS = [
    pytest.param(preset, marks=[] if preset in QUICK else [pytest.mark.slow])
    for preset in PARCHEESI
]
every_edition = pytest.mark.parametrize("preset", EDITIONS)
