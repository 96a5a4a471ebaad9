"""Fingers: what a press, a release and a hold say, and when."""

import pytest

from pi_app.model.events import Button
from pi_app.model.screens import Bar
from pi_app.table.core.gestures import (
    DOME,
    NEXT,
    NO_POWER,
    OK,
    OK_OR_HOLD,
    ONE_BUTTON,
    ONE_BUTTON_OR_HOLD,
    POWER,
    SPENT,
    Fingers,
    Gesture,
    Meaning,
    meaning,
)

A_OK = Button(0, "ok")
A_NEXT = Button(0, "next")
DOME_BUTTON = Button(None, "dome")


def said(what: Meaning, seconds: float, button: Button = A_OK) -> list[str]:
    """Return what a press of this meaning says: on the press, until the release, on the release."""
    fingers, on_press = Fingers().press(button, 10.0, what)
    fingers, on_hold = fingers.hold(10.0 + seconds)
    _, on_release = fingers.release(button, 10.0 + seconds)
    return [gesture.name for gesture in (on_press, on_hold, on_release) if gesture]


@pytest.mark.parametrize(
    ("what", "click", "between", "held"),
    [
        (OK, ["ok"], ["ok"], ["ok"]),
        (OK_OR_HOLD, ["ok"], [], ["hold-ok"]),
        (NEXT, ["next"], [], ["menu"]),
        (ONE_BUTTON, ["next"], [], ["ok"]),
        (ONE_BUTTON_OR_HOLD, ["next"], [], ["hold-ok"]),
        (DOME, ["dome"], ["dome"], ["dome"]),
        (SPENT, [], [], []),
    ],
)
def test_a_press_of_under_600_ms_of_700_ms_and_of_1_s_says(
    what: Meaning, click: list[str], between: list[str], held: list[str]
) -> None:
    assert [said(what, 0.59), said(what, 0.7), said(what, 1.0)] == [click, between, held]


@pytest.mark.parametrize(
    ("button", "only", "holds", "what"),
    [
        (A_OK, False, False, OK),
        (A_OK, False, True, OK_OR_HOLD),
        (A_OK, True, False, ONE_BUTTON),
        (A_OK, True, True, ONE_BUTTON_OR_HOLD),
        (A_NEXT, False, True, NEXT),
        (DOME_BUTTON, False, False, DOME),
        (Button(None, "power"), False, False, NO_POWER),
    ],
)
def test_a_button_means_by_panel_and_screen(
    button: Button, only: bool, holds: bool, what: Meaning
) -> None:
    assert meaning(button, only, holds) == what


def test_a_button_held_for_ever_says_its_hold_once() -> None:
    fingers, _ = Fingers().press(A_NEXT, 0.0, NEXT)
    heard: list[Gesture] = []
    for t in range(1, 3600):
        fingers, gesture = fingers.hold(float(t))
        heard += [gesture] if gesture else []
    assert [gesture.name for gesture in heard] == ["menu"]


def test_a_release_after_600_ms_comes_too_late_for_a_click() -> None:
    fingers, _ = Fingers().press(A_NEXT, 0.0, NEXT)
    assert fingers.release(A_NEXT, 0.6)[1] is None


def test_a_release_without_a_press_says_nothing() -> None:
    assert Fingers().release(A_OK, 5.0) == (Fingers(), None)


def test_a_second_press_without_a_release_starts_anew() -> None:
    fingers, _ = Fingers().press(A_NEXT, 0.0, NEXT)
    fingers, _ = fingers.press(A_NEXT, 0.9, NEXT)
    assert fingers.hold(1.5)[1] is None


def test_a_spent_ok_finger_says_nothing_more_but_next_still_opens_the_menu() -> None:
    fingers, _ = Fingers().press(A_OK, 0.0, OK_OR_HOLD)
    fingers, _ = fingers.press(A_NEXT, 0.0, NEXT)
    assert fingers.spend().hold(1.0)[1] == Gesture(0, "menu")


def test_all_nine_buttons_at_once_each_say_their_own() -> None:
    fingers = Fingers()
    heard: list[Gesture | None] = []
    for seat in range(4):
        fingers, gesture = fingers.press(Button(seat, "ok"), 0.0, OK)
        heard.append(gesture)
        fingers, _ = fingers.press(Button(seat, "next"), 0.0, NEXT)
    fingers, gesture = fingers.press(DOME_BUTTON, 0.0, DOME)
    heard.append(gesture)
    for _ in range(4):
        fingers, gesture = fingers.hold(1.0)
        heard.append(gesture)
    assert heard == [
        *((seat, "ok") for seat in range(4)),
        (None, "dome"),
        *((seat, "menu") for seat in range(4)),
    ]


def test_of_two_holds_that_are_due_the_one_that_was_due_first_comes_first() -> None:
    fingers, _ = Fingers().press(A_OK, 0.2, ONE_BUTTON)
    fingers, _ = fingers.press(Button(1, "ok"), 0.0, ONE_BUTTON)
    heard = []
    for _ in range(3):
        fingers, gesture = fingers.hold(1.5)
        heard.append(gesture)
    assert heard == [Gesture(1, "ok"), Gesture(0, "ok"), None]


def test_a_hold_waits_until_its_button_is_known_to_have_been_down_for_so_long() -> None:
    fingers, _ = Fingers().press(A_NEXT, 10.0, NEXT, known_until=10.0)
    assert (fingers.hold(13.0)[1], fingers.wake_at(13.0)) == (None, None)
    known = fingers.know(A_NEXT, 10.9)
    assert (known.hold(13.0)[1], known.wake_at(13.0)) == (None, None)
    known = known.know(A_NEXT, 11.0)
    assert (known.hold(13.0)[1], known.wake_at(13.0)) == (Gesture(0, "menu"), 11.0)


def test_a_release_that_is_heard_of_late_counts_at_its_own_time() -> None:
    fingers, _ = Fingers().press(A_NEXT, 10.0, NEXT, known_until=10.0)
    fingers, nothing = fingers.hold(13.0)
    assert (nothing, fingers.release(A_NEXT, 10.1)[1]) == (None, Gesture(0, "next"))


def test_the_bar_fills_for_1_s_and_only_for_seats_that_play() -> None:
    fingers, _ = Fingers().press(A_NEXT, 10.0, NEXT)
    assert (fingers.bar((0, 2)), fingers.bar((1, 2))) == (Bar(10.0, 11.0), None)


@pytest.mark.parametrize(
    ("button", "what", "wakes"),
    [
        pytest.param(A_NEXT, NEXT, [1.0], id="for the hold"),
        pytest.param(Button(None, "power"), POWER, [1.0, 2.0, 3.0], id="each second"),
    ],
)
def test_it_wakes(button: Button, what: Meaning, wakes: list[float]) -> None:
    fingers, _ = Fingers().press(button, 10.0, what)
    woken, t = [], 10.0
    while (due := fingers.wake_at(t)) is not None:
        woken.append(round(due - 10.0, 3))
        t = due
        fingers, _ = fingers.hold(t)
    assert woken == wakes


def test_an_ok_that_acts_on_the_press_shows_no_bar_and_wakes_nobody() -> None:
    fingers, _ = Fingers().press(A_OK, 10.0, OK)
    assert (fingers.bar((0,)), fingers.wake_at(10.9)) == (None, None)
