"""What real devices have recorded is replayed: presses through our debouncing, faults on a bus."""

from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pi_app.devices.oled import Oled
from pi_app.proof.form import read_proof
from pi_app.proof.pictures import proof_pictures
from pi_app.proof.presses import count_presses
from pi_app.proof.steps import STEPS
from pi_app.runtime.debounce import DEAD_S
from pi_app.simulate.simulation import VirtualClock
from tests.pi_app.proof.person import FRAME_S, Panel

ROOT = Path(__file__).parents[3]
FILES = sorted([*(ROOT / "tests/proofs").glob("*.json"), *(ROOT / "hardware/built").glob("*.json")])
RESULTS = [(path.stem, read_proof(path).steps) for path in FILES]
BUTTONS = [
    pytest.param(button, done["buttons"]["dead_ms"], id=f"{name} {button['button']}")
    for name, done in RESULTS
    if "buttons" in done
    for button in done["buttons"]["buttons"]
]
ERRORS = [
    pytest.param(display["errors"], id=f"{name} {number}")
    for name, done in RESULTS
    if "frames" in done
    for number, display in enumerate(done["frames"]["displays"])
]


def test_the_two_that_are_invented_say_so() -> None:
    invented = [path.stem for path in FILES if read_proof(path).invented]
    assert invented == ["bounces", "bus-errors"]


@pytest.mark.parametrize(("button", "dead_ms"), BUTTONS)
def test_recorded_presses_are_counted_no_worse_than_then(
    button: dict[str, Any], dead_ms: list[int]
) -> None:
    asked = STEPS["buttons"].times
    now = count_presses(button["presses"], dead_ms)
    assert abs(now - asked) <= abs(button["counted"] - asked)


def test_twenty_presses_with_nasty_bounces_are_twenty() -> None:
    done = dict(RESULTS)["bounces"]["buttons"]["buttons"]
    for button in done:
        closings = sum(level == 0 for press in button["presses"] for _, level in press)
        assert closings > 5 * STEPS["buttons"].times
        assert len(button["presses"]) == STEPS["buttons"].times
        assert (
            count_presses(button["presses"], [round(DEAD_S * 1000)] * 2) == STEPS["buttons"].times
        )


class FailingPanel(Panel):
    """A display that loses its picture at each of these times, in seconds, by an errno."""

    def __init__(self, clock: VirtualClock, errors: list[tuple[float, int]]) -> None:
        self.errors = list(errors)
        super().__init__(clock)

    def display(self, image: Any) -> None:
        if self.errors and self.clock.now >= self.errors[0][0]:
            super().display(Image.new("1", self.size))
            raise OSError(self.errors.pop(0)[1], "on the bus")
        super().display(image)


@pytest.mark.parametrize("errors", ERRORS)
def test_after_each_recorded_error_of_the_bus_the_picture_is_right_again(
    errors: list[tuple[float, int]],
) -> None:
    clock, troubles = VirtualClock(), list[str | None]()
    panel = FailingPanel(clock, [])
    oled = Oled(lambda: panel, troubles.append, clock)
    panel.errors = list(errors)
    for picture in cycle(proof_pictures()[:2]):
        oled.show(picture)
        retry_at = oled.step(clock())
        if retry_at is None or retry_at <= clock():
            assert panel.pixels == picture.tobytes()
            if not panel.errors:
                break
        clock.now += FRAME_S
    assert len(set(troubles)) == len(troubles) == len({number for _, number in errors})
