"""The editions of Parcheesi as parameters: `make check` takes four of them, `make test` all."""

import pytest

PARCHEESI = (
    *("sr-1942", "sr-1989", "sr-1975", "pb", "mb-india", "mb-total", "tr-1938", "tr-1960"),
    *("one-die", "encyclopedia", "sca", "findler", "royal-2023"),
)
# Two that differ most in how bonuses and doublets are used, and the two whose plays are shortest.
QUICK = ("royal-2023", "findler", "mb-total", "one-die")
EDITIONS = [
    pytest.param(preset, marks=[] if preset in QUICK else [pytest.mark.slow])
    for preset in PARCHEESI
]
every_edition = pytest.mark.parametrize("preset", EDITIONS)
