"""The self test: players see, hear and press each part of the referee. Touches no device.

`pi_app.runtime.outputs` examines the other parts when a test begins, and reports findings.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, NamedTuple

from pi_app.model import screens
from pi_app.model.events import Button, Finding, Part, Tone
from pi_app.model.screens import KeyHint, Message, Screen, SeatMark, Text, TextScreen, message
from pi_app.table.core.state import Change, Lamps, Session, lamps
from pi_app.table.modes.menu.menu import FromMenu, Looking, Menu, always_available
from pi_app.texts.words import BUTTON_CAPS, PATTERNS, button_name, seat_letter

BEAT_S = 1.5  # a lamp and a tone
LIGHTS_S = 3.0  # the chamber's lights take 1.2 s
DOME = Button(None, "dome")
SLOW_S = 10.0  # an examination that takes longer hangs


@dataclass(frozen=True, slots=True)
class SelfTestStep(Looking):
    """A step of the test. A short press goes on; a hold of NEXT goes back to the game.

    On a one-button panel a hold goes to the menu.

    index: of the step in STEPS. since: when it began.
    """

    index: int
    since: float

    def whose(self, session: Session) -> Text:
        return message("runs-a-self-test", seat=screens.Seat(self.driver))

    def ok(self, session: Session, seat: int) -> Change:
        return self.go_back(session) if self.has_one_button(session) else self.go_on(session)

    def next(self, session: Session, seat: int) -> Change:
        return self.go_on(session)

    def hold_next(self, session: Session) -> Change:
        return self.menu_before.close(session)

    def go_on(self, session: Session) -> Change:
        after = _begin_step(session, self.touched_menu(session), self.index + 1)
        return after.mode.pass_time(after)

    def page(self, session: Session, title: Text, *lines: Text, **others: Any) -> TextScreen[Text]:
        """Return a page with the number of the step and key hints. others: fields of TextScreen."""
        steps = [index for index, plan in enumerate(STEPS) if plan.is_available(session)]
        corner = f"{steps.index(self.index) + 1}/{len(steps)}"
        return TextScreen(title, lines, self.keys(session), corner=corner, **others)

    def keys(self, session: Session) -> tuple[KeyHint[Text], ...]:
        only = self.has_one_button(session)
        go_on = KeyHint(message("press-tap" if only else "press-ok"), message("do-go-on"))
        out = KeyHint(message("press-hold" if only else "press-hold-next"), message("do-out"))
        return go_on, out


@dataclass(frozen=True, slots=True)
class InstructionStep(SelfTestStep):
    """Announces the pictures that players will look at."""

    def screen(self, session: Session) -> Screen:
        return self.page(session, message("display"), message("three-pictures"))


@dataclass(frozen=True, slots=True)
class PictureStep(SelfTestStep):
    """A picture on which a missing dot is easy to see."""

    picture: screens.PatternName

    def screen(self, session: Session) -> Screen:
        return screens.Pattern(self.picture)


@dataclass(frozen=True, slots=True)
class RepeatingStep(SelfTestStep):
    """Happens at once and then again every beat_s. beats: how often it has happened."""

    beat_s: ClassVar[float] = BEAT_S

    beats: int = 0

    def wake_at(self, session: Session) -> float:
        return min(self.since + self.beats * self.beat_s, self.closes_at)

    def pass_time(self, session: Session) -> Change:
        change = FromMenu.pass_time(self, session)
        if change.session.mode is not self or session.t < self.since + self.beats * self.beat_s:
            return change
        after = replace(self, beats=screens.steps_since(self.since, self.beat_s, session.t) + 1)
        return after.beat(session.enter_mode(after))

    def beat(self, session: Session) -> Change:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class TonesStep(RepeatingStep):
    """The lamp and tone of one panel after another, with its letter."""

    def beat(self, session: Session) -> Change:
        tones = (Tone(self.seat(session), "turn"),) if session.setup.buzzer else ()
        return Change(session, tones=tones)

    def seat(self, session: Session) -> int:
        return session.setup.panels[max(0, self.beats - 1) % len(session.setup.panels)]

    def screen(self, session: Session) -> Screen:
        both = message("lamp-and-tone") if session.setup.lamps else message("tone")
        title = both if session.setup.buzzer else message("lamp")
        return self.page(session, title, large=seat_letter(self.seat(session)))

    def lamps(self, session: Session) -> Lamps:
        return lamps((), on=(self.seat(session),))


@dataclass(frozen=True, slots=True)
class LightsStep(RepeatingStep):
    """The lights of the chamber, one after another, again and again."""

    beat_s: ClassVar[float] = LIGHTS_S

    def beat(self, session: Session) -> Change:
        return Change(replace(session, tests=session.tests + 1))

    def screen(self, session: Session) -> Screen:
        return self.page(session, message("dice-lights"), message("each-light-in-turn"))


@dataclass(frozen=True, slots=True)
class ReadingStep(SelfTestStep):
    """The finding about a part, as soon as it is known."""

    part: Part

    def screen(self, session: Session) -> Screen:
        finding = next((one for one in session.findings if one.part == self.part), None)
        if finding is None:
            hangs = session.t >= self.since + SLOW_S
            finding = Finding(self.part, None, message("hangs") if hangs else message("looking"))
        look = (finding.look,) if finding.look else ()
        return self.page(session, TITLES[self.part], finding.words, *look)

    def wake_at(self, session: Session) -> float:
        slow = self.since + SLOW_S
        return min(slow, self.closes_at) if session.t < slow else self.closes_at


TITLES: dict[Part, Message] = {
    "voice": message("voice"),
    "chamber": message("dice-chamber"),
    "journal": message("kept-games"),
    "power": message("power"),
}


@dataclass(frozen=True, slots=True)
class PressesStep(SelfTestStep):
    """Names each button that is pressed and lists the others. A hold of NEXT ends the step.

    presses: the buttons pressed so far, the last one at the end.
    """

    presses: tuple[Button, ...] = ()

    def whose(self, session: Session) -> Text:
        return screens.NOTHING  # the name of the button is answer enough

    def pressed_now(self, session: Session, button: Button) -> Session:
        others = tuple(one for one in self.presses if one != button)
        return session.enter_mode(self.touched(session, presses=(*others, button)))

    def ok(self, session: Session, seat: int) -> Change:
        return self.go_back(session) if self.has_one_button(session) else Change(session)

    def next(self, session: Session, seat: int) -> Change:
        return Change(session)

    def dome(self, session: Session) -> Change:
        return Change(self.pressed_now(session, DOME))

    def screen(self, session: Session) -> Screen:
        left, title = self.left(session), message("press-each")
        if self.presses:
            last = self.presses[-1]
            title = button_name(last, session.setup.has_one_button(last.seat))
        marks: list[SeatMark[Text]] = []
        for seat in session.setup.panels:
            kinds = [button.kind for button in left if button.seat == seat]
            state = message("no-button", what=BUTTON_CAPS[kinds[0]]) if kinds else message("works")
            if len(kinds) == (1 if session.setup.has_one_button(seat) else 2):
                state = message("do-press")
            marks.append(SeatMark(seat, state))
        others = (button_name(button, False) for button in left if button.seat is None)
        questions = tuple(message("what-is-it", what=name) for name in others)
        lines = questions if left else (message("all-buttons-work"),)
        if len(questions) > 1:
            lines = (message("two-in-a-row", one=questions[0], other=questions[1]),)
        return self.page(session, title, *lines, seats=tuple(marks))

    def keys(self, session: Session) -> tuple[KeyHint[Text], ...]:
        return SelfTestStep.keys(self, session)[1:]

    def lamps(self, session: Session) -> Lamps:
        return lamps((), on=tuple({one.seat for one in self.left(session) if one.seat is not None}))

    def left(self, session: Session) -> list[Button]:
        """Return the buttons of this referee that nobody has pressed yet."""
        ok = [Button(seat, "ok") for seat in session.setup.panels]
        following = [Button(seat, "next") for seat in session.setup.next_buttons]
        dome = [DOME] if session.dome else []
        power = [Button(None, "power")] if session.setup.power else []
        return [one for one in (*ok, *following, *dome, *power) if one not in self.presses]


class SelfTestPlan(NamedTuple):
    """How to make a step from the menu, its index in STEPS and the time, and when it is there."""

    make: Callable[[Menu, int, float], SelfTestStep]
    is_available: Callable[[Session], bool] = always_available


# In the order of `referee self-test`.
STEPS = (
    SelfTestPlan(InstructionStep),
    *(SelfTestPlan(partial(PictureStep, picture=picture)) for picture in PATTERNS),
    SelfTestPlan(TonesStep, lambda session: session.setup.buzzer or bool(session.setup.lamps)),
    SelfTestPlan(partial(ReadingStep, part="voice"), lambda session: session.setup.voice),
    SelfTestPlan(LightsStep, lambda session: session.lit),
    SelfTestPlan(partial(ReadingStep, part="chamber"), lambda session: session.setup.chamber),
    SelfTestPlan(partial(ReadingStep, part="journal")),
    SelfTestPlan(partial(ReadingStep, part="power")),
    SelfTestPlan(PressesStep),
)


def begin_self_test(session: Session, menu: Menu) -> Session:
    return _begin_step(replace(session, findings=()), menu, 0)


def _begin_step(session: Session, menu: Menu, first: int) -> Session:
    available = (n for n, plan in enumerate(STEPS) if n >= first and plan.is_available(session))
    index = next(available)  # the last step always is
    return session.enter_mode(STEPS[index].make(menu, index, session.t))
