"""The self test: all that the box has, to be seen, heard and pressed. Touches no device.

What only looking tells comes in as findings; `pi_app.outputs.outputs` looks once a test begins.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

from pi_app.input.events import Button, Finding, Part, Tone
from pi_app.screens.screen import (
    NOTHING,
    KeyHint,
    Message,
    Pattern,
    PatternName,
    Screen,
    Seat,
    SeatMark,
    Text,
    TextScreen,
    message,
    steps_since,
)
from pi_app.table.core.state import Change, Lamps, Session, lamps
from pi_app.table.modes.menu.menu import LOOK_S, FromMenu, Menu, always
from pi_app.table.telling.findings import TEST_PARTS, TestPart
from pi_app.texts.words import BUTTON_CAPS, PATTERNS, button_name, seat_letter

BEAT_S = 1.5  # a lamp and a tone
LIGHTS_S = 3.0  # the chamber's lights take 1.2 s
SLOW_S = 10.0  # a look that takes longer hangs


@dataclass(frozen=True, slots=True)
class SelfTestStep(FromMenu):
    """One thing that is tested: a short press goes on to the next, a hold back to the table.

    With one button a hold goes to the menu.

    n: its place in STEPS.
    """

    stays_s: ClassVar[float] = LOOK_S

    n: int
    since: float

    def whose(self, session: Session) -> Text:
        return message("tests-the-box", seat=Seat(self.menu_before.driver))

    def ok(self, session: Session, seat: int) -> Change:
        return self.out(session) if session.only(seat) else self.go_on(session)

    def next(self, session: Session, seat: int) -> Change:
        return self.go_on(session)

    def held(self, session: Session) -> Change:
        return self.menu_before.close(session)

    def go_on(self, session: Session) -> Change:
        """Go on to the next thing that is there, at once; after the last back to the menu."""
        after = _at(session, self.touched_menu(session), self.n + 1)
        return after.mode.pass_time(after)

    def page(self, session: Session, title: Text, *lines: Text, **others: Any) -> TextScreen[Text]:
        """Return this step as a page, with its number and what to press."""
        there = [n for n, plan in enumerate(STEPS) if plan.is_there(session)]
        which = f"{there.index(self.n) + 1}/{len(there)}"
        return TextScreen(title, lines, self.keys(session), corner=which, **others)

    def keys(self, session: Session) -> tuple[KeyHint[Text], ...]:
        """Return what to press."""
        only = session.only(self.menu_before.driver)
        press = message("press-tap") if only else message("press-ok")
        return KeyHint(press, message("do-go-on")), self.out_key(session)

    def out_key(self, session: Session) -> KeyHint[Text]:
        """Return what to press to end the test."""
        only = session.only(self.menu_before.driver)
        press = message("press-hold") if only else message("press-hold-next")
        return KeyHint(press, message("do-out"))


@dataclass(frozen=True, slots=True)
class InstructionStep(SelfTestStep):
    """Says what is to be looked at next."""

    title: Text
    line: Text

    def screen(self, session: Session) -> Screen:
        return self.page(session, self.title, self.line)


@dataclass(frozen=True, slots=True)
class PictureStep(SelfTestStep):
    """A picture by which a missing dot is found."""

    picture: PatternName

    def screen(self, session: Session) -> Screen:
        return Pattern(self.picture)


@dataclass(frozen=True, slots=True)
class RepeatingStep(SelfTestStep):
    """Something that happens again and again, at once and then with each beat."""

    beats: int = 0

    def wake_at(self, session: Session) -> float:
        return min(self.since + self.beats * self.beat_s, self.closes_at)

    def pass_time(self, session: Session) -> Change:
        change = FromMenu.pass_time(self, session)
        if change.session.mode is not self or session.t < self.since + self.beats * self.beat_s:
            return change
        after = replace(self, beats=steps_since(self.since, self.beat_s, session.t) + 1)
        return after.beat(session.into(after))

    @property
    def beat_s(self) -> float:
        """How long one takes."""
        return BEAT_S

    def beat(self, session: Session) -> Change:
        """Do what a beat does."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class TonesStep(RepeatingStep):
    """The lamps and tones of all panels in turn, with their letters."""

    def beat(self, session: Session) -> Change:
        return Change(
            session, tones=(Tone(self.seat(session), "turn"),) if session.setup.buzzer else ()
        )

    def seat(self, session: Session) -> int:
        """Return whose turn it is to be lit and heard."""
        return session.setup.panels[max(0, self.beats - 1) % len(session.setup.panels)]

    def screen(self, session: Session) -> Screen:
        both = message("lamp-and-tone") if session.setup.lamps else message("tone")
        title = both if session.setup.buzzer else message("lamp")
        return self.page(session, title, large=seat_letter(self.seat(session)))

    def lamps(self, session: Session) -> Lamps:
        return lamps((), on=(self.seat(session),))


@dataclass(frozen=True, slots=True)
class LightsStep(RepeatingStep):
    """The lit chamber's lights, one after another, again and again."""

    @property
    def beat_s(self) -> float:
        return LIGHTS_S

    def beat(self, session: Session) -> Change:
        return Change(replace(session, tests=session.tests + 1))

    def screen(self, session: Session) -> Screen:
        return self.page(session, message("dice-lights"), message("each-light-in-turn"))


@dataclass(frozen=True, slots=True)
class ReadingStep(SelfTestStep):
    """What was found of a part, as soon as it is known."""

    part: Part

    def screen(self, session: Session) -> Screen:
        found = next((one for one in session.findings if one.part == self.part), None)
        if found is None:
            hangs = session.t >= self.since + SLOW_S
            found = Finding(self.part, None, message("hangs") if hangs else message("looking"))
        return self.page(
            session,
            TITLES[self.part],
            *([found.words, found.look] if found.look else [found.words]),
        )

    def wake_at(self, session: Session) -> float:
        slow = self.since + SLOW_S
        return min(slow, self.closes_at) if session.t < slow else self.closes_at


TITLES: dict[Part, Message] = {
    "chamber": message("dice-chamber"),
    "journal": message("kept-games"),
    "power": message("power"),
}


@dataclass(frozen=True, slots=True)
class PressesStep(SelfTestStep):
    """Every button is named when it is pressed, and those are listed that were not. A hold ends."""

    pressed: tuple[Button, ...] = ()

    def whose(self, session: Session) -> Text:
        return NOTHING  # the name of the button is answer enough

    def pressed_now(self, session: Session, button: Button) -> Session:
        menu = self.touched_menu(session)
        others = tuple(one for one in self.pressed if one != button)
        return session.into(replace(self, menu_before=menu, pressed=(*others, button)))

    def ok(self, session: Session, seat: int) -> Change:
        return self.out(session) if session.only(seat) else Change(session)

    def next(self, session: Session, seat: int) -> Change:
        return Change(session)

    def dome(self, session: Session) -> Change:
        return Change(self.pressed_now(session, DOME))

    def screen(self, session: Session) -> Screen:
        left = [button for button in buttons(session) if button not in self.pressed]
        title = _named(session, self.pressed[-1]) if self.pressed else message("press-each")
        marks = tuple(SeatMark(seat, _left(session, seat, left)) for seat in session.setup.panels)
        others = [_named(session, button) for button in left if button.seat is None]
        asked = tuple(message("what-is-it", what=name) for name in others)
        lines = asked if left else (message("all-buttons-work"),)
        if len(asked) > 1:
            lines = (message("two-in-a-row", one=asked[0], other=asked[1]),)
        return self.page(session, title, *lines, seats=marks)

    def keys(self, session: Session) -> tuple[KeyHint[Text], ...]:
        return (self.out_key(session),)

    def lamps(self, session: Session) -> Lamps:
        left = [button for button in buttons(session) if button not in self.pressed]
        return lamps((), on=tuple({one.seat for one in left if one.seat is not None}))


DOME = Button(None, "dome")


def buttons(session: Session) -> tuple[Button, ...]:
    """Return all buttons that this table has."""
    ok = [Button(seat, "ok") for seat in session.setup.panels]
    following = [Button(seat, "next") for seat in session.setup.next_buttons]
    dome = [DOME] if session.dome else []
    power = [Button(None, "power")] if session.setup.power else []
    return (*ok, *following, *dome, *power)


def _named(session: Session, button: Button) -> Message:
    return button_name(button, button.seat is not None and session.only(button.seat))


def _left(session: Session, seat: int, left: list[Button]) -> Message:
    """Return how far a panel is: `press`, then what is left of it, `no OK`, at last `works`."""
    kinds = [button.kind for button in left if button.seat == seat]
    if kinds == [button.kind for button in buttons(session) if button.seat == seat]:
        return message("do-press")
    return message("no-button", what=BUTTON_CAPS[kinds[0]]) if kinds else message("works")


# The steps of each part of the plan.


class SelfTestPlan(NamedTuple):
    """A step of the test: when it is there; what makes it of the menu, its place and the time."""

    is_there: Callable[[Session], bool]
    make: Callable[[Menu, int, float], SelfTestStep]


def _signals(session: Session) -> bool:
    return session.setup.buzzer or bool(session.setup.lamps)


def _lit(session: Session) -> bool:
    return session.lit


def _chamber(session: Session) -> bool:
    return session.setup.chamber


def _showing(picture: PatternName) -> SelfTestPlan:
    return SelfTestPlan(always, lambda menu, n, t: PictureStep(menu, n, t, picture))


def _reading(part: Part, is_there: Callable[[Session], bool] = always) -> SelfTestPlan:
    return SelfTestPlan(is_there, lambda menu, n, t: ReadingStep(menu, n, t, part))


PICTURES = message("three-pictures")
STEPS_OF: dict[TestPart, tuple[SelfTestPlan, ...]] = {
    "display": (
        SelfTestPlan(
            always, lambda menu, n, t: InstructionStep(menu, n, t, message("display"), PICTURES)
        ),
        *map(_showing, PATTERNS),
    ),
    "signals": (SelfTestPlan(_signals, TonesStep),),
    "chamber": (SelfTestPlan(_lit, LightsStep), _reading("chamber", _chamber)),
    "journal": (_reading("journal"),),
    "power": (_reading("power"),),
    "buttons": (SelfTestPlan(always, PressesStep),),
}
STEPS = tuple(step for part in TEST_PARTS for step in STEPS_OF[part])


def begin_self_test(session: Session, menu: Menu) -> Session:
    """Return the session with the test begun, which this menu's panel drives."""
    return _at(replace(session, findings=()), menu, 0)


def _at(session: Session, menu: Menu, first: int) -> Session:
    for n, plan in enumerate(STEPS[first:], first):
        if plan.is_there(session):
            return session.into(plan.make(menu, n, session.t))
    return session.into(menu)
