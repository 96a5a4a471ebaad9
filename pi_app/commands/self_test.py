"""`referee self-test`: every part of the box from a terminal, while no table runs. No game."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from pi_app import config as configuration
from pi_app import wiring
from pi_app.assembly import checked_journal
from pi_app.commands import add_journal, journal_of
from pi_app.config import Config
from pi_app.devices.buttons import Buttons, PinsError, pin_factory
from pi_app.devices.buzzer import Buzzer
from pi_app.devices.lamps import Lamps
from pi_app.devices.link import ChamberLink
from pi_app.devices.oled import open_device
from pi_app.devices.supply import read_supply
from pi_app.input.events import ChamberPress, Edge, Event, Finding, Tone, Wishes
from pi_app.input.parts import Supply
from pi_app.outputs.outputs import display_names, show_in_turn
from pi_app.record.journal import FILE, keep_closed
from pi_app.record.space import free_bytes
from pi_app.screens.screen import Pattern
from pi_app.table.core.state import SEATS, lamps
from pi_app.table.telling.findings import PLAN, Tested, chamber_finding, power_finding
from pi_app.texts.language import ENGLISH
from pi_app.texts.words import PATTERNS, button_name, seat_letter

RUNNING = "the table is running: hold NEXT, box, self test"
LOOK_S = 1.0  # each picture and each lamp
ANSWER_S = 5.0  # a chamber that needs longer hangs
LIGHTS_S = 1.5  # eight lines of 150 ms, and the time it takes to say so
POLL_S = 0.05
WIRES = 'hardware/README.md, "{}"'
CHAMBER = "hardware/chamber.md"
NOT_PRESSED = "was not pressed, or its wire is loose"


class Result(NamedTuple):
    """What came of a part. good: None where nobody can tell. look: where to, if it is wrong.

    words: "" where what was done was said already.
    """

    part: str
    good: bool | None
    words: str
    look: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfTest:
    """What is tested, and by whom.

    factory: gpiozero's pin factory. devices: open the displays. folder: the journal's. perceived:
    asks whether something was seen or heard, None where nobody is asked. wait_s: how long buttons
    may be pressed, 0 to leave them out. look_s: how long each thing is to be looked at.
    """

    config: Config
    factory: Any
    devices: tuple[Callable[[], Any], ...]
    folder: Path
    say: Callable[[str], None]
    perceived: Callable[[], bool | None] = lambda: None
    wait_s: float = 30.0
    supply: Callable[[], Supply | None] = read_supply
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    look_s: float = LOOK_S


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_journal(parser)
    parser.add_argument(
        "--wait",
        type=_seconds,
        default=30.0,
        metavar="SECONDS",
        help="how long to wait for every button to be pressed, by default 30; 0 leaves them out",
    )
    parser.add_argument(
        "--ask", action="store_true", help="ask what was seen and heard; n counts as wrong"
    )


def main(options: argparse.Namespace) -> None:
    """Try every part; exit status 1 if something is wrong, 75 where a table runs."""
    path = journal_of(options)
    config = configuration.load_config(options.config)
    with keep_closed(path) as ours:
        if not ours:
            print(f"referee: {RUNNING}", file=sys.stderr)
            raise SystemExit(os.EX_TEMPFAIL)
        factory = pin_factory(config.pin_factory)
        box = SelfTest(
            config=config,
            factory=factory,
            devices=tuple(open_device(display, factory) for display in config.displays),
            folder=path.parent,
            say=lambda text: print(text, flush=True),
            perceived=_asked if options.ask else lambda: None,
            wait_s=options.wait,
        )
        if test_parts(box):
            raise SystemExit(1)


def _seconds(text: str) -> float:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not how many seconds to wait: write 30")
    return float(text)


def _asked() -> bool | None:
    """Ask; None where nobody is there any more."""
    try:
        return not input("    seen or heard? [Y/n] ").strip().lower().startswith("n")
    except EOFError:
        return None


def test_parts(box: SelfTest) -> list[str]:
    """Try every part, say what comes of each, and return which are wrong."""
    results = []
    for result in _results(box):
        results.append(result)
        if result.words:
            box.say(f"{result.part}: {result.words}")
        if result.good is False and result.look:
            box.say(f"    look: {result.look}")
    wrong = [result.part for result in results if result.good is False]
    box.say(
        f"wrong: {ENGLISH.say(tuple(wrong))}"
        if wrong
        else "nothing is wrong, as far as the box can tell"
    )
    return wrong


def _results(box: SelfTest) -> Iterator[Result]:
    opened: list[Any] = []
    try:  # all pins before anything else: where another program has one, nothing was tried
        inbox: SimpleQueue[Edge] = SimpleQueue()
        pins = wiring.button_pins(box.config)
        opened.append(buttons := Buttons(pins, inbox.put, box.factory, box.clock))
        opened.append(lights := Lamps(box.config.lamps, box.factory))
        opened.append(buzzer := Buzzer(box.config.buzzer, box.factory))
        tries: dict[Tested, Callable[[], Iterator[Result]]] = {
            "display": lambda: _displays(box),
            "signals": lambda: chain(_lamps(box, lights), _tones(box, buzzer)),
            "chamber": lambda: _chamber(box),
            "journal": lambda: _journal(box),
            "power": lambda: iter([_of(power_finding(box.supply()))]),
            "buttons": lambda: _buttons(box, buttons, inbox),
        }
        for part in PLAN:
            yield from tries[part]()
    except PinsError as error:
        raise PinsError(f"{error}; if {RUNNING}") from error
    finally:
        for one in reversed(opened):
            one.close()


def _of(finding: Finding) -> Result:
    words, look = ENGLISH.say(finding.words), ENGLISH.say(finding.look)
    return Result(finding.part, finding.good, words, look)


def _displays(box: SelfTest) -> Iterator[Result]:
    for name, open_ in zip(display_names(len(box.devices)), box.devices, strict=True):
        shown = ENGLISH.say(tuple(PATTERNS.values()))
        box.say(f"{name}: {shown} are shown; is a dot missing?")
        trouble = show_in_turn(map(Pattern, PATTERNS), open_, name, box.look_s)
        if trouble is not None:
            yield Result(name, False, trouble, WIRES.format("Display"))
        else:
            yield _perceived(box, name, "not as it should be", WIRES.format("Display"))


def _lamps(box: SelfTest, lights: Lamps) -> Iterator[Result]:
    for seat, pin in enumerate(box.config.lamps):
        if pin is not None:
            part = f"lamp {seat_letter(seat)}, GPIO{pin}"
            lights.show(lamps((), on=(seat,)), box.clock())
            box.say(f"{part}: lit now")
            box.sleep(box.look_s)
            yield _perceived(box, part, "not lit", WIRES.format("Lamps"))
    lights.show(lamps(()), box.clock())


def _tones(box: SelfTest, buzzer: Buzzer) -> Iterator[Result]:
    for seat in SEATS if box.config.buzzer is not None else ():
        part = f"tone {seat_letter(seat)}, GPIO{box.config.buzzer}"
        box.say(f"{part}: sounded now")
        due = buzzer.play((Tone(seat, "turn"),), box.clock())
        while due is not None:
            box.sleep(max(0.0, due - box.clock()))
            due = buzzer.step(box.clock())
        box.sleep(box.look_s)
        yield _perceived(box, part, "not heard", WIRES.format("Buzzer"))


def _perceived(box: SelfTest, part: str, missing: str, look: str) -> Result:
    """Return what came of a part that only eyes and ears can judge. missing: what else is said."""
    good = box.perceived()
    return Result(part, good, missing if good is False else "", look)


def _chamber(box: SelfTest) -> Iterator[Result]:
    """Have the lit chamber's lights tested and its dome pressed, where there is one."""
    if not box.config.chamber:
        return
    events: SimpleQueue[Event] = SimpleQueue()
    link = ChamberLink(events.put, box.config.chamber)
    link.start()
    try:
        if _until(lambda: link.conversation.hello is not None, ANSWER_S):
            yield from _lit(box, link, events)
        line = link.state
    finally:
        link.close()
    found = chamber_finding(line)
    said, look = ENGLISH.say(found.words), ENGLISH.say(found.look)
    words = f"{said} {look}" if found.good else said
    yield Result("the dice chamber", found.good, words, f"its USB cable; {CHAMBER}")


def _lit(box: SelfTest, link: ChamberLink, events: SimpleQueue[Event]) -> Iterator[Result]:
    link.set_wishes(Wishes(test=1))
    _until(lambda: bool(link.conversation.state.test), ANSWER_S)
    box.say("the dice lights: each is lit now, one after another")
    time.sleep(LIGHTS_S)
    yield _perceived(box, "the dice lights", "not all lit", CHAMBER)
    if box.wait_s:
        box.say(f"press the lit dome within {box.wait_s:.0f} s")
        link.set_wishes(Wishes(test=1, seat=0))
        good = _until(lambda: _press(events), box.wait_s)
        yield Result("the lit dome", good, "works" if good else NOT_PRESSED, CHAMBER)


def _press(events: SimpleQueue[Event]) -> bool:
    with suppress(Empty):
        return isinstance(events.get_nowait(), ChamberPress)
    return False


def _until(done: Callable[[], bool], seconds: float) -> bool:
    """Wait until something is so, or for so long; return whether it was."""
    end = time.monotonic() + seconds
    while not (was := done()) and time.monotonic() < end:
        time.sleep(POLL_S)
    return was


def _buttons(box: SelfTest, found: Buttons, inbox: SimpleQueue[Edge]) -> Iterator[Result]:
    """Name each button when it is first pressed, then those that were not."""
    if not box.wait_s:
        return
    known = {
        pin: f"{ENGLISH.say(button_name(button, _only(box, button.seat)))}, GPIO{pin}"
        for pin, button in wiring.button_pins(box.config).items()
    }
    look = WIRES.format("Buttons, dome and power button")
    for pin, level in found.levels().items():
        if level == 0:
            yield Result(known.pop(pin), False, "is down though nobody presses it", look)
    while not inbox.empty():
        inbox.get()
    box.say(f"press every button within {box.wait_s:.0f} s")
    for pin in _pressed(box, inbox, set(known)):
        yield Result(known.pop(pin), True, "works")
    for name in known.values():
        yield Result(name, False, NOT_PRESSED, look)


def _only(box: SelfTest, seat: int | None) -> bool:
    return seat is not None and seat not in wiring.table_setup(box.config).next_buttons


def _pressed(box: SelfTest, inbox: SimpleQueue[Edge], left: set[int]) -> Iterator[int]:
    """Yield the pin of each button when it is first pressed, until all are or time is up."""
    end = box.clock() + box.wait_s
    while left and box.clock() < end:
        try:
            edge = inbox.get_nowait()
        except Empty:
            box.sleep(POLL_S)
            continue
        if edge.level == 0 and edge.pin in left:
            left.discard(edge.pin)
            yield edge.pin


def _journal(box: SelfTest) -> Iterator[Result]:
    path = box.folder / FILE
    if not path.exists():
        yield Result("journal", None, f"{path} is not there yet: the first table makes it")
    elif os.geteuid() != 0 and not os.access(path, os.W_OK):
        yield Result("journal", None, f"{path} is not yours to write: sudo referee self-test")
    else:
        yield _of(checked_journal(box.folder, free_bytes(box.folder)))
