"""Both real ends of the line to the lit chamber, with everything going wrong between them."""

from collections.abc import Iterator

import pytest

from firmware.chamber import led_mask
from tests.asked import extent
from tests.end_to_end.lit_table import Interpreter, LitTable, happen


def settle(table: LitTable, seconds: float) -> None:
    for _ in range(round(seconds * 100)):
        table.step()


def recover(table: LitTable) -> None:
    """All harm ends: the line is up within 5 s, and the next press is thrown and shown."""
    table.to_chamber.harm = table.to_pi.harm = 0.0
    table.to_chamber.held_until = table.to_pi.held_until = table.room_from = 0
    settle(table, 5.0)
    assert table.talk.hello is not None
    assert table.talk.session == table.session
    table.desk.choose()
    table.desk.held = False
    settle(table, 1.0)
    before = len(table.desk.throws())
    table.press()
    settle(table, 1.5)
    assert len(table.desk.throws()) == before + 1
    assert table.desk.throws()[-1].boot == table.boot
    assert table.lights == led_mask(table.desk.throws()[-1].faces)


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("mode", ["press", "roll"])
@pytest.mark.parametrize("harm", [0.0, 0.02, 0.2])
@pytest.mark.parametrize("seed", range(extent(1, soak=4)))
def test_faces_are_the_journal_s_and_presses_count_once(seed: int, harm: float, mode: str) -> None:
    table = LitTable(seed, harm, None, mode)
    happen(table, 1500)
    recover(table)
    table.judge_journal()
    assert table.rested > 100, "hardly anything was seen"
    assert sum(row.boot is not None for row in table.desk.throws()) > 20


@pytest.fixture
def interpreter() -> Iterator[Interpreter]:
    running = Interpreter()
    yield running
    running.close()


@pytest.mark.micropython
@pytest.mark.parametrize("harm", [0.02, 0.2])
def test_the_same_with_micropython_at_the_other_end(interpreter: Interpreter, harm: float) -> None:
    table = LitTable(7, harm, interpreter, "press")
    happen(table, 300)
    recover(table)
    table.judge_journal()
    assert table.rested > 20
