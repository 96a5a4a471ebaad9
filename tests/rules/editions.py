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
# Those and their relatives, but for the one with partners, whom nobody leaves.
ALONE = [preset for preset in RELATIVES if not PRESETS[preset]["partners"]]
every_edition_alone = pytest.mark.parametrize("preset", [*EDITIONS, *ALONE])
