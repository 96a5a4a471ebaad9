"""The editions of Parcheesi and their relatives; `make check` takes four of the former."""

import pytest

from tests.rules.from_the_texts import PRESETS

PARCHEESI, RELATIVES = tuple(PRESETS)[:13], tuple(PRESETS)[13:]
# Two that differ most in how bonuses and doublets are used, and the two whose plays are shortest.
QUICK = ("royal-2023", "findler", "mb-total", "one-die")
EDITIONS = [
    pytest.param(preset, marks=[] if preset in QUICK else [pytest.mark.slow])
    for preset in PARCHEESI
]
every_edition = pytest.mark.parametrize("preset", EDITIONS)
