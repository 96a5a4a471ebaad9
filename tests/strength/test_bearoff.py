"""The bear-off tables: solved anew, they begin as those that ship."""

import zlib

import numpy as np
import pytest

from pi_app.players.bearoff import TURNS, BearoffTable, Pace, bearoff_names, position_number
from rules import PRESETS
from tests.strength.bearoff import Solver, find_hazards, measure_pace
from tests.strength.rounds import FOLDER


@pytest.mark.parametrize("name", bearoff_names().values())
def test_the_nearest_positions_are_solved_as_in_the_table_that_ships(name: str) -> None:
    data = zlib.decompress((FOLDER / f"bearoff-{name}.bin").read_bytes())
    table = np.frombuffer(data, "<u2").reshape(-1, TURNS)
    solver = Solver(PRESETS[name])
    for to_go in solver.positions()[:20]:
        assert list(find_hazards(solver, to_go)) == list(table[position_number(to_go)])


def test_a_pace_is_fitted_to_games() -> None:
    table = BearoffTable((FOLDER / "bearoff-one-die.bin").read_bytes(), Pace(0, 0, 0))
    pace = measure_pace(PRESETS["one-die"], table, games=2)
    assert 0.1 < pace[0] < 0.5  # turns a space
