"""Every edition is measured: it has drawn positions, and a bar for each of its rows."""

import pytest

from rules.ruleset import PRESETS
from tests.asked import extent
from tests.bench.bars import BARS, RESULTS, STEPS
from tests.bench.rules import asked, in_pieces, results_of, steps_of


@pytest.mark.soak
@pytest.mark.parametrize("preset", list(PRESETS)[:: extent(4, soak=1)])
def test_the_rules_of_every_edition_are_measured_and_have_bars(preset: str) -> None:
    for name, work in ((STEPS, steps_of), (RESULTS, results_of)):
        measured = in_pieces(f"{preset}: {name}", work, asked(preset, 1), passes=1)
        assert measured.value is not None
        assert measured.name in BARS
