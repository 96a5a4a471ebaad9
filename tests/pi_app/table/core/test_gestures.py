"""Fingers: what a press, a release and a hold say, and when."""

import pytest

from pi_app.model.events import Button, Down, Kind, StillDown, Tick, Up
from pi_app.model.screens import Bar
from pi_app.table.core.gestures import CHILD_HOLD_S, Conditions, Fingers, Gesture
from pi_app.table.core.state import NO_FINGERS

A_OK = Button(0, "ok")
A_NEXT = Button(0, "next")
DOME = Button(None, "dome")
POWER = Button(None, "power")
KINDS: tuple[Kind, ...] = ("ok", "next")
TWO_BUTTONS = Conditions()
HOLDING = Conditions(holds_ok=True)
ONE_BUTTON = Conditions(one_button=True)
OFF = Conditions(off=True)


def held(
    button: Button,
    t: float = 0.0,
    now: Conditions | None = TWO_BUTTONS,
    others: Fingers = NO_FINGERS,
) -> Fingers:
    """Return the fingers after this one, too, has gone down at `t`."""
    return others.take(Down(button, t), now)[0]


def said(button: Button, now: Conditions | None, seconds: float) -> list[str]:
    """Return what a press says: when it goes down, until the release, on the release."""
    fingers, on_press = NO_FINGERS.take(Down(button, 10.0), now)
    fingers, on_hold = fingers.take(Tick(10.0 + seconds))
    _, on_release = fingers.take(Up(button, 10.0 + seconds))
    return [gesture.name for gesture in (on_press, on_hold, on_release) if gesture]


@pytest.mark.parametrize(
    ("button", "now", "click", "between", "held"),
    [
        (A_OK, TWO_BUTTONS, "ok", "ok", "ok"),
        (A_OK, HOLDING, "ok", "", "hold-ok"),
        (A_OK, ONE_BUTTON, "next", "", "ok"),
        (A_OK, ONE_BUTTON._replace(holds_ok=True), "next", "", "hold-ok"),
        (A_OK, TWO_BUTTONS._replace(ignores_ok=True), "", "", ""),
        (A_OK, HOLDING._replace(ignores_ok=True), "", "", "hold-ok"),
        (A_OK, ONE_BUTTON._replace(ignores_ok=True), "next", "", "ok"),
        (A_OK, ONE_BUTTON._replace(ignores_ok=True, ignores_ok_holds=True), "next", "", ""),
        (A_NEXT, HOLDING._replace(ignores_ok=True, ignores_ok_holds=True), "next", "", "menu"),
        (A_NEXT, Conditions(is_childs=True), "next", "", ""),
        (DOME, TWO_BUTTONS, "dome", "dome", "dome"),
        (POWER, TWO_BUTTONS, "no-off", "no-off", "no-off"),
        (POWER, OFF, "off?", "", ""),
        (A_OK, None, "", "", ""),
    ],
)
def test_a_press_of_under_600_ms_of_700_ms_and_of_1_s_says(
    button: Button, now: Conditions | None, click: str, between: str, held: str
) -> None:
    heard = ["".join(said(button, now, seconds)) for seconds in (0.59, 0.7, 1.0)]
    assert heard == [click, between, held]


@pytest.mark.parametrize("button", [A_OK, A_NEXT])
def test_a_child_holds_a_button_for_twice_as_long(button: Button) -> None:
    now = Conditions(is_childs=True, holds_ok=True)
    assert said(button, now, CHILD_HOLD_S - 0.01) == []
    assert said(button, now, CHILD_HOLD_S) == ["hold-ok" if button == A_OK else "menu"]


def test_a_button_held_for_ever_says_its_hold_once() -> None:
    fingers, heard = held(A_NEXT), list[Gesture]()
    for t in range(1, 3600):
        fingers, gesture = fingers.take(Tick(float(t)))
        heard += [gesture] if gesture else []
    assert [gesture.name for gesture in heard] == ["menu"]


def test_a_release_after_600_ms_comes_too_late_for_a_click() -> None:
    assert held(A_NEXT).take(Up(A_NEXT, 0.6))[1] is None


def test_a_release_without_a_press_says_nothing() -> None:
    assert NO_FINGERS.take(Up(A_OK, 5.0)) == (NO_FINGERS, None)


def test_a_second_press_without_a_release_starts_anew() -> None:
    fingers = held(A_NEXT, 0.9, others=held(A_NEXT))
    assert fingers.take(Tick(1.5))[1] is None


def test_a_spent_ok_finger_says_nothing_more_but_next_still_opens_the_menu() -> None:
    fingers = held(A_NEXT, others=held(A_OK, now=HOLDING))
    assert fingers.spend().take(Tick(1.0))[1] == Gesture(0, "menu")


def test_all_nine_buttons_at_once_each_say_their_own() -> None:
    fingers, heard = NO_FINGERS, list[Gesture | None]()
    for button in (*(Button(seat, kind) for seat in range(4) for kind in KINDS), DOME):
        fingers, gesture = fingers.take(Down(button, 0.0), TWO_BUTTONS)
        heard.append(gesture)
    for _ in range(4):
        fingers, gesture = fingers.take(Tick(1.0))
        heard.append(gesture)
    assert list(filter(None, heard)) == [
        *((seat, "ok") for seat in range(4)),
        (None, "dome"),
        *((seat, "menu") for seat in range(4)),
    ]


def test_of_two_holds_that_are_due_the_one_that_was_due_first_comes_first() -> None:
    fingers = held(Button(1, "ok"), 0.0, ONE_BUTTON, held(A_OK, 0.2, ONE_BUTTON))
    heard = []
    for _ in range(3):
        fingers, gesture = fingers.take(Tick(1.5))
        heard.append(gesture)
    assert heard == [Gesture(1, "ok"), Gesture(0, "ok"), None]


def test_a_hold_waits_until_its_button_is_known_to_have_been_down_for_so_long() -> None:
    fingers, _ = NO_FINGERS.take(Down(A_NEXT, 10.0, known_until=10.0), TWO_BUTTONS)
    assert (fingers.take(Tick(13.0))[1], fingers.wake_at(13.0)) == (None, None)
    known, _ = fingers.take(StillDown(A_NEXT, 10.9))
    assert (known.take(Tick(13.0))[1], known.wake_at(13.0)) == (None, None)
    known, _ = known.take(StillDown(A_NEXT, 11.0))
    assert (known.take(Tick(13.0))[1], known.wake_at(13.0)) == (Gesture(0, "menu"), 11.0)


def test_a_release_that_is_heard_of_late_counts_at_its_own_time() -> None:
    fingers, _ = NO_FINGERS.take(Down(A_NEXT, 10.0, known_until=10.0), TWO_BUTTONS)
    fingers, nothing = fingers.take(Tick(13.0))
    assert (nothing, fingers.take(Up(A_NEXT, 10.1))[1]) == (None, Gesture(0, "next"))


def test_the_bar_fills_for_1_s_and_only_for_seats_that_play() -> None:
    fingers = held(A_NEXT, 10.0)
    assert (fingers.bar((0, 2)), fingers.bar((1, 2))) == (Bar(10.0, 11.0), None)


@pytest.mark.parametrize(
    ("button", "wakes"),
    [
        pytest.param(A_NEXT, [1.0], id="for the hold"),
        pytest.param(POWER, [1.0, 2.0, 3.0], id="each second"),
    ],
)
def test_it_wakes(button: Button, wakes: list[float]) -> None:
    fingers, woken, t = held(button, 10.0, OFF), [], 10.0
    while (due := fingers.wake_at(t)) is not None:
        woken.append(round(due - 10.0, 3))
        t = due
        fingers, _ = fingers.take(Tick(t))
    assert woken == wakes


def test_an_ok_that_acts_on_the_press_shows_no_bar_and_wakes_nobody() -> None:
    fingers = held(A_OK, 10.0)
    assert (fingers.bar((0,)), fingers.wake_at(10.9)) == (None, None)
