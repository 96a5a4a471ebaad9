"""`referee self-test`: tests every part from a terminal, while the referee does not run."""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from pi_app.commands import add_journal, journal_path
from pi_app.config.keys import Config
from pi_app.config.reading import load_config
from pi_app.devices.buttons import Buttons, PinsError, pin_factory
from pi_app.devices.buzzer import Buzzer
from pi_app.devices.lamps import Lamps
from pi_app.devices.link import ChamberLink
from pi_app.devices.oled import open_device
from pi_app.devices.voice import Voice, espeak_command
from pi_app.model.events import ChamberPress, Edge, Event, Finding, Tone, Wishes
from pi_app.model.parts import PowerState
from pi_app.model.screens import NOTHING, Pattern
from pi_app.record.disk import free_bytes, is_in_memory
from pi_app.record.journal import FILE, keep_closed
from pi_app.runtime import wiring
from pi_app.runtime.assembly import checked_journal
from pi_app.runtime.outputs import display_names, show_in_turn
from pi_app.system.requests import wait_until
from pi_app.system.supply import read_supply
from pi_app.table.core.state import SEATS, lamps
from pi_app.table.telling import findings
from pi_app.texts.language import ENGLISH
from pi_app.texts.words import PATTERNS, button_name, seat_letter

MENU = "hold NEXT and choose the self test in the menu"
RUNNING = f"the referee is running: {MENU}"
WATCH_S = 1.0  # for each picture and each lamp
ANSWER_S = 5.0  # after which a chamber counts as hanging
LIGHTS_S = 1.5  # eight lines of 150 ms, and some time to read what is printed
POLL_S = 0.05
WIRES = 'see hardware/README.md, "{}"'
CHAMBER = "see hardware/chamber.md"
VOICE_TEXT = "the referee speaks"
NOT_PRESSED = "was not pressed, or its wire is loose"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tester:
    """How to talk to the tester."""

    print_text: Callable[[str], None] = lambda text: print(text, flush=True)
    # Asks whether the tester saw or heard something: None if it did not ask or nobody answers.
    ask_perceived: Callable[[], bool | None] = lambda: None
    wait_s: float = 30.0  # time to press all buttons; 0: do not test them


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfTest(Tester):
    config: Config
    factory: Any  # gpiozero's pin factory
    devices: tuple[Callable[[], Any], ...]  # open the displays
    folder: Path  # the journal's
    supply: Callable[[], PowerState | None] = read_supply
    in_memory: Callable[[Path], bool] = is_in_memory
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    look_s: float = WATCH_S  # how long to show each picture and lamp


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_journal(parser)
    add_tester(parser)


def add_tester(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--wait",
        type=_parse_seconds,
        default=30.0,
        metavar="SECONDS",
        help="how many seconds you have to press all buttons; 0: do not test buttons; default: 30",
    )
    parser.add_argument(
        "--ask",
        action="store_const",
        const=_ask,
        default=lambda: None,
        dest="ask_perceived",
        help="ask after each part whether you saw or heard it; n means that the part is faulty",
    )


def main(options: argparse.Namespace) -> None:
    """Test every part. The exit status is 1 if a part is faulty, 75 if the referee is running."""
    path = journal_path(options)
    config = load_config(options.config)
    with keep_closed(path) as ours:
        if not ours:
            print(f"referee: {RUNNING}", file=sys.stderr)
            raise SystemExit(os.EX_TEMPFAIL)
        factory = pin_factory(config.pin_factory)
        test = SelfTest(
            config=config,
            factory=factory,
            devices=tuple(open_device(display, factory) for display in config.displays),
            folder=path.parent,
            ask_perceived=options.ask_perceived,
            wait_s=options.wait,
        )
        if print_findings(test, self_test_findings(test)):
            raise SystemExit(1)


def _parse_seconds(text: str) -> float:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(
            f"write a number of seconds, for example 30, instead of {text!r}"
        )
    return float(text)


def _ask() -> bool | None:
    """Return the tester's answer; None if standard input has ended."""
    try:
        return not input("    Did you see or hear it? [Y/n] ").strip().lower().startswith("n")
    except EOFError:
        return None


def print_findings(tester: Tester, found: Iterable[Finding]) -> list[str]:
    """Print the findings as they come, and return the names of the faulty parts."""
    faulty = []
    for part, good, words, look in found:
        if text := ENGLISH.say(words):
            tester.print_text(f"{part}: {text}")
        if good is False:
            faulty.append(part)
            tester.print_text(f"    {ENGLISH.say(look)}")
    tester.print_text(f"faulty: {ENGLISH.say(tuple(faulty))}" if faulty else "no faults found")
    return faulty


def self_test_findings(test: SelfTest) -> Iterator[Finding]:
    opened: list[Any] = []
    try:  # open all pins first, so that a pin in use ends the test before anything happens
        inbox: SimpleQueue[Edge] = SimpleQueue()
        pins = wiring.button_pins(test.config)
        opened.append(buttons := Buttons(pins, inbox.put, test.factory, test.clock))
        opened.append(lights := Lamps(test.config.lamps, test.factory))
        opened.append(buzzer := Buzzer(test.config.buzzer, test.factory))
        yield from _test_displays(test)  # in the order of the display's own self test
        yield from signal_findings(test, lights, buzzer)
        yield from chamber_findings(test, test.config.chamber)
        yield from _test_journal(test)
        yield findings.power_finding(test.supply())
        yield from _test_buttons(test, buttons, inbox)
    except PinsError as error:
        raise PinsError(f"{error}; if the referee is running, {MENU}") from error
    finally:
        for device in reversed(opened):
            device.close()


def _test_displays(test: SelfTest) -> Iterator[Finding]:
    for name, opener in zip(display_names(len(test.devices)), test.devices, strict=True):
        patterns = ENGLISH.say(tuple(PATTERNS.values()))
        test.print_text(f"{name}: you should see {patterns}; every dot must be there")
        trouble = show_in_turn(map(Pattern, PATTERNS), opener, name, test.look_s)
        if trouble is not None:
            yield Finding(name, False, trouble, WIRES.format("Display"))
        else:
            yield _ask_tester(test, name, "wrong picture", WIRES.format("Display"))


def signal_findings(test: SelfTest, lights: Lamps, buzzer: Buzzer) -> Iterator[Finding]:
    """Test the lamps, the tones and the voice, of which only the tester can judge."""
    for seat, pin in enumerate(test.config.lamps):
        if pin is not None:
            part = f"lamp {seat_letter(seat)}, GPIO{pin}"
            lights.show(lamps((), on=(seat,)), test.clock())
            test.print_text(f"{part}: it should be lit now")
            test.sleep(test.look_s)
            yield _ask_tester(test, part, "not lit", WIRES.format("Lamps"))
    lights.show(lamps(()), test.clock())
    for seat in SEATS if test.config.buzzer is not None else ():
        part = f"tone {seat_letter(seat)}, GPIO{test.config.buzzer}"
        test.print_text(f"{part}: you should hear it now")
        due = buzzer.play((Tone(seat, "turn"),), test.clock())
        while due is not None:
            test.sleep(max(0.0, due - test.clock()))
            due = buzzer.step(test.clock())
        test.sleep(test.look_s)
        yield _ask_tester(test, part, "not heard", WIRES.format("Buzzer"))
    yield from _test_voice(test)


def _ask_tester(tester: Tester, part: str, fault_text: str, remedy: str) -> Finding:
    """Return the finding of a part that only the tester can judge. fault_text: if it is faulty."""
    good = tester.ask_perceived()
    return Finding(part, good, fault_text if good is False else "", remedy)


def _test_voice(test: SelfTest) -> Iterator[Finding]:
    """Let the voice speak, if there is one. It speaks as the user who runs this."""
    config = test.config
    if not config.voice:
        return
    troubles: list[str | None] = []
    command = partial(espeak_command, config.voice, config.voice_speed, config.voice_device)
    voice = Voice(command, troubles.append)
    test.print_text(f"the voice: you should hear {VOICE_TEXT!r} now")
    voice.say(VOICE_TEXT)
    while voice.speaks is None:
        voice.step(time.monotonic())
        time.sleep(POLL_S)
    if voice.speaks:
        yield _ask_tester(test, "the voice", "not heard", WIRES.format("Voice"))
    for trouble in troubles:
        yield Finding("the voice", False, trouble or "", WIRES.format("Voice"))


def chamber_findings(tester: Tester, port: str | None) -> Iterator[Finding]:
    """Test the lights and the dome of the chamber at a port, if there is one."""
    if not port:
        return
    events: SimpleQueue[Event] = SimpleQueue()
    link = ChamberLink(events.put, port)
    link.start()
    try:
        if wait_until(lambda: link.conversation.hello is not None, ANSWER_S):
            yield from _test_lights_and_dome(tester, link, events)
        state, notice = link.state, link.conversation.notice
    finally:
        link.close()
    finding = findings.chamber_finding(state)
    text, details = ENGLISH.say(finding.words), ENGLISH.say(finding.look)
    if finding.good:
        text = f"{text} {details}"
    why = ENGLISH.say(notice or NOTHING)
    yield Finding("the chamber", finding.good, text, f"{why}; check its USB cable; {CHAMBER}")


def _test_lights_and_dome(
    tester: Tester, link: ChamberLink, events: SimpleQueue[Event]
) -> Iterator[Finding]:
    if hello := link.conversation.hello:
        tester.print_text(f"the chamber has firmware {hello.firmware}")
    link.set_wishes(Wishes(test=1))
    wait_until(lambda: bool(link.conversation.state.test), ANSWER_S)
    tester.print_text("the dice lights: they should light up one after another")
    time.sleep(LIGHTS_S)
    yield _ask_tester(tester, "the dice lights", "not all lit", CHAMBER)
    if not tester.wait_s:
        return

    def has_press() -> bool:
        with suppress(Empty):
            return isinstance(events.get_nowait(), ChamberPress)
        return False

    tester.print_text(f"press the lit dome within {tester.wait_s:.0f} s")
    link.set_wishes(Wishes(test=1, seat=0))
    passed = wait_until(has_press, tester.wait_s)
    yield Finding("the lit dome", passed, "works" if passed else NOT_PRESSED, CHAMBER)


def _test_buttons(test: SelfTest, buttons: Buttons, inbox: SimpleQueue[Edge]) -> Iterator[Finding]:
    """Yield each button at its first press, then the buttons that were not pressed in time."""
    if not test.wait_s:
        return
    setup = wiring.table_setup(test.config)
    names: dict[int, str] = {}
    for pin, button in wiring.button_pins(test.config).items():
        words = button_name(button, setup.has_one_button(button.seat))
        names[pin] = f"{ENGLISH.say(words)}, GPIO{pin}"
    remedy = WIRES.format("Buttons, dome and power button")
    for pin, level in buttons.levels().items():
        if level == 0:
            yield Finding(names.pop(pin), False, "reads as pressed, but nobody presses it", remedy)
    while not inbox.empty():
        inbox.get()
    test.print_text(f"press every button within {test.wait_s:.0f} s")
    end = test.clock() + test.wait_s
    while names and test.clock() < end:
        try:
            edge = inbox.get_nowait()
        except Empty:
            test.sleep(POLL_S)
            continue
        if edge.level == 0 and edge.pin in names:
            yield Finding(names.pop(edge.pin), True, "works")
    for name in names.values():
        yield Finding(name, False, NOT_PRESSED, remedy)


def _test_journal(test: SelfTest) -> Iterator[Finding]:
    path = test.folder / FILE
    if not path.exists():
        yield Finding("journal", None, f"{path} does not exist yet; the first game creates it")
    elif os.geteuid() != 0 and not os.access(path, os.W_OK):
        text = f"you have no permission to write {path}: run `sudo referee self-test`"
        yield Finding("journal", None, text)
    else:
        yield checked_journal(test.folder, free_bytes(test.folder), test.in_memory(test.folder))
