"""What is wished of the lit chamber, drawn in sequences, against what goes over the line.

Both real ends are joined by a wire that is fed byte by byte, loses lines and whole sessions. Every
command is judged when it is said first; at the end of each sequence the line is good again, and
then the chamber must show and count what was wished last.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.chamber import led_mask
from pi_app.devices import chamber
from pi_app.devices.chamber import Conversation, Exchange
from pi_app.model.events import ChamberPress, ChamberRolled, DrawnBy, Wishes
from tests.asked import extent
from tests.end_to_end.lit_table import PLENTY, STEP_MS, Chamber, Interpreter, Local, Served

COMMANDS = ("MODE", "SHOW", "BLANK", "ARM", "HOLD", "TEST")
QUIET_MS = 1500  # more than three commands, a tumble, and a HELLO that is said once a second


class Rules:
    """The rules of the line for commands, each judged when it goes out."""

    def __init__(self) -> None:
        self._new_session("")

    def _new_session(self, session: str) -> None:
        self.session = session
        self.words: list[str] = []  # of each command, as they went out
        self._said = ""
        self._answered = True
        self._mode = ""
        self._lights: tuple[int, tuple[int, ...]] | None = None  # the last SHOW's throw and faces

    def answer(self, body: str) -> None:
        """Take note of what the Pi hears; a press under an ARM says that it has arrived."""
        word, *numbers = body.split()
        seq = str(len(self.words))
        self._answered |= word in ("OK", "NO") and numbers[0] == seq
        self._answered |= word in ("PRESS", "ROLLED") and numbers[1] == seq

    def command(self, body: str, talk: Conversation) -> None:
        """Judge a command that goes out."""
        if talk.session != self.session:
            self._new_session(talk.session)
        word, seq, *given = body.split()
        if body == self._said and not self._answered:
            return  # it is repeated
        assert self._answered, f"{body} goes out before {self._said} is answered"
        assert int(seq) == len(self.words) + 1
        self._judge(word, given, talk.wishes)
        self._said, self._answered = body, False
        self.words.append(word)

    def _judge(self, word: str, given: list[str], wishes: Wishes) -> None:
        lights = (wishes.throw, wishes.faces) if wishes.faces else (0, ())
        mode = f"{wishes.mode} {wishes.dice}"
        if word == "MODE":
            assert " ".join(given) == mode != self._mode
            self._mode = mode
            return
        assert self._mode == mode, "MODE comes first"
        if word in ("SHOW", "BLANK"):
            assert word == ("SHOW" if wishes.faces else "BLANK")
            assert tuple(map(int, given)) == wishes.faces, "a newer wish has taken its place"
            assert lights != self._lights, "it is said a second time"
            self._lights = lights
            return
        assert self._lights == lights, f"{word} waits for SHOW and BLANK"
        if word == "ARM":
            assert wishes.seat is not None
            assert given == [str(wishes.seat + 1)]
        if word == "HOLD":
            assert wishes.seat is None


class Line:
    """Both ends and the wire between them; `deaf_chamber` and `deaf_pi`: lines yet to be lost."""

    def __init__(self, start: Callable[[int, int], Chamber]) -> None:
        self._start = start
        self.rules = Rules()
        self.thrown = 0
        self.now = 1000
        self.boots = self.sessions = 0
        self.deaf_chamber = self.deaf_pi = 0
        self.down = False
        self.lights = 0
        self.presses: list[ChamberPress | ChamberRolled] = []
        self._rest = self._said = self._sent = b""
        self.talk = Conversation(self._fresh(), self.now / 1000)
        self.restart()

    def _fresh(self) -> str:
        self.sessions += 1
        return f"{self.sessions:08x}"

    def restart(self) -> None:
        """The chamber starts anew."""
        self.boots += 1
        self.chamber = self._start(self.boots, self.now)
        self._said = b""

    def reopen(self) -> None:
        """The Pi opens the port anew."""
        self._rest = b""
        self._take(Exchange(chamber.greet(self.talk, self._fresh(), self.now / 1000)))

    def wish(self, wishes: Wishes) -> None:
        if wishes != self.talk.wishes:
            self._take(chamber.take_wishes(self.talk, wishes, self.now / 1000))

    def got(self) -> None:
        """The table has judged every press there was."""
        for event in self.presses:
            self._take(chamber.acknowledge(self.talk, event.n, self.now / 1000))
        self.presses.clear()

    def wait(self, ms: int) -> None:
        """Let time pass; what is said in a step arrives in the next."""
        for _ in range(0, ms, STEP_MS):
            self.now += STEP_MS
            self._take(chamber.tick(self.talk, self.now / 1000, self._fresh()))
            data, self._sent = self._sent, b""
            out, self.lights, _ = self.chamber.step(self.now, self.down, PLENTY, data)
            *ended, self._said = (self._said + out).split(b"\n")
            for line in ended:
                if self.deaf_pi:
                    self.deaf_pi -= 1
                else:
                    self._hear(line + b"\n")

    def press(self) -> None:
        """Press the dome, and let go of it until it no longer bounces."""
        for self.down in (True, False):
            self.wait(50)

    def _take(self, turn: Exchange) -> None:
        """Judge and send what the Pi says, and keep what it posts."""
        self.talk = turn.conversation
        for event in turn.events:
            if isinstance(event, ChamberPress | ChamberRolled):
                self.presses.append(event)
        for line in turn.lines:
            (body,) = chamber.split_input(b"", line).bodies
            if body.split()[0] in COMMANDS:
                self.rules.command(body, self.talk)
            if self.deaf_chamber:
                self.deaf_chamber -= 1
            else:
                self._sent += line

    def _hear(self, line: bytes) -> None:
        for byte in line:
            part = chamber.split_input(self._rest, bytes([byte]))
            self._rest = part.partial_line
            for body in part.bodies:
                self.rules.answer(body)
                self._take(chamber.receive(self.talk, body, self.now / 1000, self._fresh()))

    def settle(self) -> None:
        """Let the line be good until the newest wishes have arrived, then look at the chamber."""
        self.deaf_chamber = self.deaf_pi = 0
        self.wait(QUIET_MS)
        self.got()
        self.wait(QUIET_MS)
        wishes = self.talk.wishes
        assert self.talk.hello is not None
        assert chamber.next_command(wishes, self.talk.state) is None
        assert self.lights == led_mask(wishes.faces)
        armed = wishes.seat is not None
        said = len(self.rules.words)
        for _ in range(2):
            self.press()
            assert [event.arm for event in self.presses] == ([wishes.key] if armed else [])
            self.got()
            self.wait(QUIET_MS)
            assert self.lights == led_mask(wishes.faces), "a press has changed the lights"
        assert self.rules.words[said:] == ["ARM", "ARM"] * armed, "only ARM follows a press"


# What happens: the game goes on, the line is harmed, time passes.


def throw(line: Line, faces: tuple[int, ...]) -> None:
    """A throw, of equal faces now and then, for which no press counts yet."""
    old = line.talk.wishes
    line.thrown += 1
    new = replace(old, key=old.key + 1, dice=len(faces), faces=faces, throw=line.thrown, seat=None)
    line.wish(new)


def go_on(line: Line, seat: int) -> None:
    """The play is made, and this seat is to throw."""
    old = line.talk.wishes
    line.wish(replace(old, key=old.key + 1, faces=(), throw=0, seat=seat))


def let_press(line: Line, seat: int) -> None:
    """A press of the dome counts now, whatever the dice show."""
    line.wish(replace(line.talk.wishes, seat=seat))


def hold(line: Line, _: int) -> None:
    line.wish(replace(line.talk.wishes, seat=None))


def step(line: Line, _: int) -> None:
    """A pawn has moved: another moment, else the same."""
    line.wish(replace(line.talk.wishes, key=line.talk.wishes.key + 1))


def turn_mode(line: Line, mode: DrawnBy) -> None:
    line.wish(replace(line.talk.wishes, mode=mode))


def press(line: Line, _: int) -> None:
    line.press()


def judge_presses(line: Line, _: int) -> None:
    line.got()


def lose_to_chamber(line: Line, count: int) -> None:
    line.deaf_chamber += count


def lose_to_pi(line: Line, count: int) -> None:
    line.deaf_pi += count


def restart(line: Line, _: int) -> None:
    line.restart()


def reopen(line: Line, _: int) -> None:
    line.reopen()


def wait(line: Line, ms: int) -> None:
    line.wait(ms)


SEATS = st.sampled_from((0, 2))
LITTLE = st.just(0)
HAPPENINGS = st.one_of(
    st.tuples(st.just(throw), st.sampled_from(((5, 3), (5, 3), (6, 6), (4,)))),
    st.tuples(st.just(go_on), SEATS),
    st.tuples(st.just(let_press), SEATS),
    st.tuples(st.sampled_from((hold, step, press, judge_presses)), LITTLE),
    st.tuples(st.just(turn_mode), st.sampled_from(("press", "roll"))),
    st.tuples(st.sampled_from((lose_to_chamber, lose_to_pi)), st.integers(1, 6)),
    st.tuples(st.sampled_from((restart, reopen)), LITTLE),
    st.tuples(st.just(wait), st.sampled_from((10, 30, 100, 250, 1000, 4000))),
)
HISTORIES = st.lists(HAPPENINGS, max_size=40)
History = list[tuple[Callable[[Line, object], None], object]]


def happen(line: Line, history: History) -> None:
    for happening, given_to_it in history:
        happening(line, given_to_it)
    line.settle()


@settings(deadline=None, max_examples=extent(50, soak=500))
@given(HISTORIES)
def test_whatever_is_wished_and_lost_the_commands_keep_the_rules(history: History) -> None:
    happen(Line(Local), history)


@pytest.fixture(scope="module")
def interpreter() -> Iterator[Interpreter]:
    running = Interpreter()
    yield running
    running.close()


@pytest.mark.micropython
@settings(deadline=None, max_examples=extent(5, soak=30))
@given(history=HISTORIES)
def test_the_same_with_micropython_at_the_other_end(
    interpreter: Interpreter, history: History
) -> None:
    happen(Line(lambda boot, now: Served(interpreter, boot, now)), history)
