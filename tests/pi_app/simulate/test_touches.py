"""The fingers of tabs: what the table is told of them, however late."""

import pytest

from pi_app.model.events import Button, Down, StillDown, Up
from pi_app.simulate.touches import Touches

A_OK, DOME = Button(0, "ok"), Button(None, "dome")


@pytest.fixture
def touches() -> Touches:
    return Touches([A_OK, DOME])


def test_a_button_is_down_while_any_finger_is_on_it(touches: Touches) -> None:
    assert touches.down("A.ok", "tab 1", 5.0) == (Down(A_OK, 5.0, known_until=5.0),)
    assert touches.down("A.ok", "tab 2", 5.5) == ()
    assert touches.up("A.ok", "tab 1", 0.9) == (StillDown(A_OK, 5.9),)
    assert touches.held == ("A.ok",)
    assert touches.up("A.ok", "tab 2", 0.7) == (StillDown(A_OK, 6.2), Up(A_OK, 6.2))
    assert not touches.held


def test_a_tab_that_goes_takes_only_its_own_fingers_along_and_they_were_there_as_far_as_known(
    touches: Touches,
) -> None:
    touches.down("A.ok", "tab 1", 5.0)
    touches.still("A.ok", "tab 1", 0.7)
    touches.down("dome", "tab 1", 5.0)
    touches.down("dome", "tab 2", 5.0)
    assert touches.lift_all("tab 1") == (StillDown(A_OK, 5.7), Up(A_OK, 5.7), StillDown(DOME, 5.0))
    assert touches.held == ("dome",)


def test_what_is_heard_of_a_finger_that_is_gone_is_no_news(touches: Touches) -> None:
    touches.down("A.ok", "tab 1", 5.0)
    touches.lift_all("tab 1")
    assert touches.still("A.ok", "tab 1", 2.0) == ()
    assert touches.up("A.ok", "tab 1", 3.0) == ()


def test_a_button_that_the_table_has_not_is_named(touches: Touches) -> None:
    with pytest.raises(ValueError, match="of this table: it has A"):
        touches.down("D.ok", "tab 1", 5.0)
