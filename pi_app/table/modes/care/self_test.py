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
    Key,
    Message,
    Page,
    Pattern,
    PatternName,
    Screen,
    Seat,
    SeatMark,
    Text,
    message,
    steps_since,
)
from pi_app.table.core.state import Change, Lamps, Session, lamps
from pi_app.table.modes.menu.menu import LOOK_S, FromMenu, Menu, always
from pi_app.table.telling.findings import PLAN, Tested
from pi_app.texts.words import CAPS, PATTERNS, button_name, letter

BEAT_S = 1.5  # a lamp and a tone
LIGHTS_S = 3.0  # the chamber's lights take 1.2 s
SLOW_S = 10.0  # a look that takes longer hangs


@dataclass(frozen=True, slots=True)
class Step(FromMenu):
    """One thing that is tested: a short press goes on to the next, a hold back to the table.

    With one button a hold goes to the menu.

    n: its place in STEPS.
    """

    stays_s: ClassVar[float] = LOOK_S

    n: int
    since: float

    def whose(self, s: Session) -> Text:
        return message("tests-the-box", seat=Seat(self.menu_before.driver))

    def ok(self, s: Session, seat: int) -> Change:
        return self.out(s) if s.only(seat) else self.go_on(s)

    def next(self, s: Session, seat: int) -> Change:
        return self.go_on(s)

    def held(self, s: Session) -> Change:
        return self.menu_before.close(s)

    def go_on(self, s: Session) -> Change:
        """Go on to the next thing that is there, at once; after the last back to the menu."""
        after = _at(s, self.touched_menu(s), self.n + 1)
        return after.mode.pass_time(after)

    def page(self, s: Session, title: Text, *lines: Text, **others: Any) -> Page[Text]:
        """Return this step as a page, with its number and what to press."""
        there = [n for n, plan in enumerate(STEPS) if plan.is_there(s)]
        which = f"{there.index(self.n) + 1}/{len(there)}"
        return Page(title, lines, self.keys(s), corner=which, **others)

    def keys(self, s: Session) -> tuple[Key[Text], ...]:
        """Return what to press."""
        only = s.only(self.menu_before.driver)
        press = message("press-tap") if only else message("press-ok")
        return Key(press, message("do-go-on")), self.out_key(s)

    def out_key(self, s: Session) -> Key[Text]:
        """Return what to press to end the test."""
        only = s.only(self.menu_before.driver)
        press = message("press-hold") if only else message("press-hold-next")
        return Key(press, message("do-out"))


@dataclass(frozen=True, slots=True)
class Telling(Step):
    """Says what is to be looked at next."""

    title: Text
    line: Text

    def screen(self, s: Session) -> Screen:
        return self.page(s, self.title, self.line)


@dataclass(frozen=True, slots=True)
class Showing(Step):
    """A picture by which a missing dot is found."""

    picture: PatternName

    def screen(self, s: Session) -> Screen:
        return Pattern(self.picture)


@dataclass(frozen=True, slots=True)
class Beating(Step):
    """Something that happens again and again, at once and then with each beat."""

    beats: int = 0

    def wake_at(self, s: Session) -> float:
        return min(self.since + self.beats * self.beat_s, self.closes_at)

    def pass_time(self, s: Session) -> Change:
        change = FromMenu.pass_time(self, s)
        if change.session.mode is not self or s.t < self.since + self.beats * self.beat_s:
            return change
        after = replace(self, beats=steps_since(self.since, self.beat_s, s.t) + 1)
        return after.beat(s.into(after))

    @property
    def beat_s(self) -> float:
        """How long one takes."""
        return BEAT_S

    def beat(self, s: Session) -> Change:
        """Do what a beat does."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Sounding(Beating):
    """The lamps and tones of all panels in turn, with their letters."""

    def beat(self, s: Session) -> Change:
        return Change(s, tones=(Tone(self.seat(s), "turn"),) if s.setup.buzzer else ())

    def seat(self, s: Session) -> int:
        """Return whose turn it is to be lit and heard."""
        return s.setup.panels[max(0, self.beats - 1) % len(s.setup.panels)]

    def screen(self, s: Session) -> Screen:
        both = message("lamp-and-tone") if s.setup.lamps else message("tone")
        title = both if s.setup.buzzer else message("lamp")
        return self.page(s, title, large=letter(self.seat(s)))

    def lamps(self, s: Session) -> Lamps:
        return lamps((), on=(self.seat(s),))


@dataclass(frozen=True, slots=True)
class Lighting(Beating):
    """The lit chamber's lights, one after another, again and again."""

    @property
    def beat_s(self) -> float:
        return LIGHTS_S

    def beat(self, s: Session) -> Change:
        return Change(replace(s, tests=s.tests + 1))

    def screen(self, s: Session) -> Screen:
        return self.page(s, message("dice-lights"), message("each-light-in-turn"))


@dataclass(frozen=True, slots=True)
class Reading(Step):
    """What was found of a part, as soon as it is known."""

    part: Part

    def screen(self, s: Session) -> Screen:
        found = next((one for one in s.findings if one.part == self.part), None)
        if found is None:
            hangs = s.t >= self.since + SLOW_S
            found = Finding(self.part, None, message("hangs") if hangs else message("looking"))
        return self.page(
            s, TITLES[self.part], *([found.words, found.look] if found.look else [found.words])
        )

    def wake_at(self, s: Session) -> float:
        slow = self.since + SLOW_S
        return min(slow, self.closes_at) if s.t < slow else self.closes_at


TITLES: dict[Part, Message] = {
    "chamber": message("dice-chamber"),
    "journal": message("kept-games"),
    "power": message("power"),
}


@dataclass(frozen=True, slots=True)
class Pressing(Step):
    """Every button is named when it is pressed, and those are listed that were not. A hold ends."""

    pressed: tuple[Button, ...] = ()

    def whose(self, s: Session) -> Text:
        return NOTHING  # the name of the button is answer enough

    def pressed_now(self, s: Session, button: Button) -> Session:
        menu = self.touched_menu(s)
        others = tuple(one for one in self.pressed if one != button)
        return s.into(replace(self, menu_before=menu, pressed=(*others, button)))

    def ok(self, s: Session, seat: int) -> Change:
        return self.out(s) if s.only(seat) else Change(s)

    def next(self, s: Session, seat: int) -> Change:
        return Change(s)

    def dome(self, s: Session) -> Change:
        return Change(self.pressed_now(s, DOME))

    def screen(self, s: Session) -> Screen:
        left = [button for button in buttons(s) if button not in self.pressed]
        title = _named(s, self.pressed[-1]) if self.pressed else message("press-each")
        marks = tuple(SeatMark(seat, _left(s, seat, left)) for seat in s.setup.panels)
        others = [_named(s, button) for button in left if button.seat is None]
        asked = tuple(message("what-is-it", what=name) for name in others)
        lines = asked if left else (message("all-buttons-work"),)
        if len(asked) > 1:
            lines = (message("two-in-a-row", one=asked[0], other=asked[1]),)
        return self.page(s, title, *lines, seats=marks)

    def keys(self, s: Session) -> tuple[Key[Text], ...]:
        return (self.out_key(s),)

    def lamps(self, s: Session) -> Lamps:
        left = [button for button in buttons(s) if button not in self.pressed]
        return lamps((), on=tuple({one.seat for one in left if one.seat is not None}))


DOME = Button(None, "dome")


def buttons(s: Session) -> tuple[Button, ...]:
    """Return all buttons that this table has."""
    ok = [Button(seat, "ok") for seat in s.setup.panels]
    following = [Button(seat, "next") for seat in s.setup.next_buttons]
    dome = [DOME] if s.dome else []
    power = [Button(None, "power")] if s.setup.power else []
    return (*ok, *following, *dome, *power)


def _named(s: Session, button: Button) -> Message:
    return button_name(button, button.seat is not None and s.only(button.seat))


def _left(s: Session, seat: int, left: list[Button]) -> Message:
    """Return how far a panel is: `press`, then what is left of it, `no OK`, at last `works`."""
    kinds = [button.kind for button in left if button.seat == seat]
    if kinds == [button.kind for button in buttons(s) if button.seat == seat]:
        return message("do-press")
    return message("no-button", what=CAPS[kinds[0]]) if kinds else message("works")


# The steps of each part of the plan.


class Plan(NamedTuple):
    """A step of the test: when it is there; what makes it of the menu, its place and the time."""

    is_there: Callable[[Session], bool]
    make: Callable[[Menu, int, float], Step]


def _signals(s: Session) -> bool:
    return s.setup.buzzer or bool(s.setup.lamps)


def _lit(s: Session) -> bool:
    return s.lit


def _chamber(s: Session) -> bool:
    return s.setup.chamber


def _showing(picture: PatternName) -> Plan:
    return Plan(always, lambda menu, n, t: Showing(menu, n, t, picture))


def _reading(part: Part, is_there: Callable[[Session], bool] = always) -> Plan:
    return Plan(is_there, lambda menu, n, t: Reading(menu, n, t, part))


PICTURES = message("three-pictures")
STEPS_OF: dict[Tested, tuple[Plan, ...]] = {
    "display": (
        Plan(always, lambda menu, n, t: Telling(menu, n, t, message("display"), PICTURES)),
        *map(_showing, PATTERNS),
    ),
    "signals": (Plan(_signals, Sounding),),
    "chamber": (Plan(_lit, Lighting), _reading("chamber", _chamber)),
    "journal": (_reading("journal"),),
    "power": (_reading("power"),),
    "buttons": (Plan(always, Pressing),),
}
STEPS = tuple(step for part in PLAN for step in STEPS_OF[part])


def begun(s: Session, menu: Menu) -> Session:
    """Return the session with the test begun, which this menu's panel drives."""
    return _at(replace(s, findings=()), menu, 0)


def _at(s: Session, menu: Menu, first: int) -> Session:
    for n, plan in enumerate(STEPS[first:], first):
        if plan.is_there(s):
            return s.into(plan.make(menu, n, s.t))
    return s.into(menu)
