"""A device on faked metal, and a person at its terminal who follows a script."""

import re
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from pi_app.config.reading import parse_config
from pi_app.devices.buttons import pin_factory
from pi_app.model.parts import PowerState
from pi_app.proof.form import FILE, ProofFile, read_proof
from pi_app.proof.guide import lead
from pi_app.proof.measures import Proof
from pi_app.record.clock import BootTime
from pi_app.record.journal import FILE as JOURNAL
from pi_app.runtime import wiring
from pi_app.simulate.glass import DummyDisplay
from pi_app.simulate.hands import Hands
from pi_app.simulate.simulation import VirtualClock

SMALL = """
panel.A = { ok = 17, next = 27, lamp = 22 }
panel.C = { ok = 16, next = 20 }
pins = { dome = 23, buzzer = 18 }
"""
FRAME_S = 0.023  # at 400 kHz
Answer = str | Callable[[], str]


class PowerCut(BaseException):
    """The power was pulled: nothing of the process runs any more."""


class Panel(DummyDisplay):
    """A display whose bus takes its time."""

    def __init__(self, clock: VirtualClock) -> None:
        self.clock = clock
        self.faults: dict[int, Exception] = {}  # by the number of the picture
        self.pictures: list[bytes] = []
        super().__init__()

    def display(self, image: Any) -> None:
        self.clock.now += FRAME_S
        self.pictures.append(image.tobytes())
        if fault := self.faults.get(len(self.pictures)):
            raise fault
        super().display(image)


class Person:
    """Answers each question whose text matches a pattern; presses Enter at all others.

    answers: by pattern; the first that matches counts. said: all that the terminal has shown.
    """

    def __init__(self, folder: Path, answers: dict[str, Answer], config: str = SMALL) -> None:
        self.folder = folder
        self.answers = {
            "What (powers|installed)": "1",
            "parts in": "2",
            "Enter to end": "",
            **answers,
        }
        self.said: list[str] = []
        self.print_text: Callable[[str], None] = self.said.append
        self.asked: list[str] = []
        self.boot = "first boot"
        self.clock = VirtualClock()
        self.panel = Panel(self.clock)
        self.config = parse_config(config)
        self.factory: Any = pin_factory("mock")
        self.hands = Hands(wiring.button_pins(self.config), self.factory)
        self.wrong_signals: list[str] = []
        self.power = PowerState()
        self.look: Callable[[], None] = lambda: None  # what the terminal does each second
        self.answer_s = 60.0  # a chamber answers sooner; on a busy machine later
        self.cut_after_s = float("inf")

    def ask(self, question: str) -> str:
        self.asked.append(question)
        for pattern, answer in self.answers.items():
            if re.search(pattern, question):
                return answer if isinstance(answer, str) else answer()
        if found := re.search(r"(\S+): press it 20 times", question):
            for _ in range(20):
                self.press(found[1])
        return ""

    def ask_while(self, question: str, look: Callable[[], None]) -> str:
        self.look = look
        return self.ask(question)

    def press(self, name: str, *bounces_s: float) -> str:
        """Press a button for 0.1 s, after the contact was closed and open for so long each time."""
        for bounce_s in bounces_s:
            self.hands.down(name)
            self.clock.now += bounce_s
            self.hands.up(name)
            self.clock.now += bounce_s
        self.hands.down(name)
        self.clock.now += 0.1
        self.hands.up(name)
        self.clock.now += 0.4
        return ""

    def sleep(self, seconds: float) -> None:
        self.clock.now += seconds
        if self.clock.now > self.cut_after_s:
            raise PowerCut

    @property
    def file(self) -> ProofFile:
        return read_proof(self.folder / FILE)

    def proof(self) -> Proof:
        return Proof(
            file=self.file,
            config=self.config,
            journal=self.folder / JOURNAL,
            factory=self.factory,
            devices=[lambda: self.panel],
            find_wrong_signals=lambda ask: self.wrong_signals,
            print_text=self.print_text,
            ask=self.ask,
            ask_while=self.ask_while,
            clock=self.clock,
            sleep=self.sleep,
            moment=lambda: BootTime(self.boot, self.clock.now),
            model=self.folder / "model",
            celsius=lambda: 48.5,
            supply=lambda: self.power,
            busy=nullcontext,
            answer_s=self.answer_s,
        )

    def do(self, *step_ids: str) -> None:
        """Begin each of these steps once, and skip all others that are left."""
        left = set(step_ids)

        def begin_or_skip() -> str:
            name = self.said[-1].strip().partition(":")[0]
            begins = name in left
            left.discard(name)
            return "" if begins else "s"

        self.answers["begin, s: skip"] = begin_or_skip
        lead(self.proof())
