"""What each step of a proof does on the device, and the results that it keeps.

It keeps no names: of a fault only its number or the part, and of a game only counts.
"""

import os
import platform
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from queue import SimpleQueue
from statistics import median
from typing import Any, NamedTuple, NoReturn

from pi_app import __version__
from pi_app.config.keys import Config
from pi_app.devices.buttons import Buttons
from pi_app.devices.link import ChamberLink
from pi_app.devices.oled import FIRST_RETRY_S, Oled
from pi_app.model.errors import UserError
from pi_app.model.events import Edge, Event, Wishes
from pi_app.model.parts import PowerState
from pi_app.proof.form import ProofFile
from pi_app.proof.pictures import draw_screens, proof_pictures
from pi_app.proof.presses import count_presses, split_presses
from pi_app.proof.steps import STEPS, Result
from pi_app.record import last_faults
from pi_app.record.clock import BootTime, boot_time
from pi_app.record.copying import copy_journal
from pi_app.record.games import open_games
from pi_app.record.trouble import JournalError
from pi_app.runtime.outputs import display_names
from pi_app.runtime.wiring import button_pins
from pi_app.system.child import start_process
from pi_app.system.requests import wait_until
from pi_app.system.supply import read_celsius, read_supply
from rules.board import SEAT_LETTERS
from rules.lines.jsonl import read_lines

MODEL = Path("/proc/device-tree/model")
ANSWER_S = 5.0  # a chamber that is plugged in again answers after 1 s
TUMBLE_S = 0.6  # as long as the dice run (firmware/PROTOCOL.md)
MOST_THROWS = 50  # half a minute to pull the plug
SHOWN = (6, 1)
MOST_ERRORS = 20  # of the bus on one display: it is not there
MOST_EDGES = 2000  # of a button; 20 presses that bounce take 400
READ_S, MINUTE_S = 10.0, 60.0
LOOK_S = 1.0  # for each picture while the hours run
BUSY = "import time; end = time.monotonic() + 180\nwhile time.monotonic() < end: pass"


class StepError(UserError):
    """A step can't be done now. The text says why, and what to do."""


@contextmanager
def busy_cores() -> Iterator[None]:
    """Keep all cores of the computer busy during this block."""
    processes = [start_process((sys.executable, "-c", BUSY)) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for process in processes:
            with process:
                process.kill()


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The device, the person at its terminal, and the file for the results."""

    file: ProofFile
    config: Config
    journal: Path  # the database
    factory: Any  # gpiozero's pin factory
    devices: Sequence[Callable[[], Any]]  # open the displays
    find_wrong_signals: Callable[[Callable[[], bool]], list[str]]  # asks after each; names parts
    print_text: Callable[[str], None]
    ask: Callable[[str], str]  # what the person types after a question
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    moment: Callable[[], BootTime] = boot_time
    model: Path = MODEL
    celsius: Callable[[], float | None] = read_celsius
    supply: Callable[[], PowerState | None] = read_supply
    busy: Callable[[], AbstractContextManager[None]] = busy_cores
    answer_s: float = ANSWER_S

    def is_so(self, question: str = "Did you see or hear it?") -> bool:
        return not self.ask(f"    {question} [Y/n] ").startswith("n")


def describe_device(proof: Proof) -> Result:
    hello = None
    if proof.config.chamber:
        with _link(proof) as link:
            hello = link.conversation.hello
    return {
        "pi": read_model(proof.model),
        "system": read_system(),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "version": __version__,
        "displays": [f"{display.driver}, {display.bus}" for display in proof.config.displays],
        "pins": proof.config.pin_factory,
        "firmware": hello and hello.firmware,
        "installed": _choose(proof, "What installed the referee?", "installed"),
        "supply": _choose(proof, "What powers the Pi?", "supply"),
        "enclosure": _choose(proof, "What are the parts in?", "enclosure"),
    }


def read_model(path: Path = MODEL) -> str:
    """Return the model of the Pi in its own words."""
    try:
        return path.read_text(errors="replace").rstrip("\0")
    except OSError as error:
        return f"not a Pi ({error.strerror})"


def read_system() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        return "a system without a name"


def _choose(proof: Proof, question: str, field: str) -> str:
    texts: list[str] = STEPS["about"].fields[field].split(" | ")
    options = ", ".join(f"{number} {text}" for number, text in enumerate(texts, 1))
    while True:
        answer = proof.ask(f"    {question} {options}: ")
        if answer in map(str, range(1, len(texts) + 1)):
            return texts[int(answer) - 1]


def compare_pictures(proof: Proof) -> Result:
    wrong = []
    with _open_displays(proof, lambda trouble: proof.print_text(trouble or "")) as displays:
        for display in displays:
            for number, picture in enumerate(proof_pictures(), 1):
                display.show(picture, "half")
                display.step(proof.clock())
                if not proof.is_so(f"Picture {number} on {display.name}: is it as on the sheet?"):
                    wrong.append(f"{number} on {display.name}")
    return {"wrong": wrong}


@contextmanager
def _open_displays(proof: Proof, report: Callable[[str | None], None]) -> Iterator[Sequence[Oled]]:
    names = display_names(len(proof.devices))
    displays = [
        Oled(device, report, proof.clock, name=name)
        for device, name in zip(proof.devices, names, strict=True)
    ]
    try:
        yield displays
    finally:
        for display in displays:
            display.close(blank=True)


def time_frames(proof: Proof) -> Result:
    return {"displays": [_time_display(proof, device) for device in proof.devices]}


def _time_display(proof: Proof, open_device: Callable[[], Any]) -> Result:
    begin, device = proof.clock(), None
    times: list[float] = []
    errors: list[list[float]] = []
    for picture in islice(cycle(draw_screens()), STEPS["frames"].times):
        try:
            device = device or open_device()
            start = proof.clock()
            device.display(picture)
            times.append(round(1000 * (proof.clock() - start), 2))
        except Exception as error:  # luma, smbus2 and spidev each raise their own
            errors.append([round(proof.clock() - begin, 3), _errno(error)])
            device = None
            if len(errors) == MOST_ERRORS:
                break
            proof.sleep(FIRST_RETRY_S)
    if device:
        with suppress(Exception):
            device.cleanup()
    return {
        "min_ms": min(times, default=None),
        "median_ms": round(median(times), 2) if times else None,
        "max_ms": max(times, default=None),
        "errors": errors,
    }


def _errno(error: Exception) -> int:
    """Return the number of a bus error, also if luma has wrapped it; 0 if it has none."""
    numbers = (getattr(one, "errno", None) for one in (error, error.__context__))
    return next(filter(None, numbers), 0)


def press_buttons(proof: Proof) -> Result:
    pins, times = button_pins(proof.config), STEPS["buttons"].times
    dead_ms = [proof.config.press_dead_ms, proof.config.release_dead_ms]
    edges: SimpleQueue[Edge] = SimpleQueue()
    results = []
    with closing(Buttons(pins, edges.put, proof.factory, proof.clock)):
        for pin, button in pins.items():
            letter = "" if button.seat is None else f"{SEAT_LETTERS[button.seat]}."
            name = f"{letter}{button.kind}"
            proof.ask(f"    {name}: press it {times} times, then Enter. ")
            heard = [edges.get() for _ in range(edges.qsize())]
            presses = split_presses([edge for edge in heard if edge.pin == pin][:MOST_EDGES])
            counted = count_presses(presses, dead_ms)
            proof.print_text(f"    {counted} of {times} presses counted")
            elsewhere = sum(edge.pin != pin for edge in heard)
            result = {"button": name, "counted": counted, "elsewhere": elsewhere}
            results.append({**result, "presses": presses})
    return {"dead_ms": dead_ms, "buttons": results}


@contextmanager
def _link(proof: Proof) -> Iterator[ChamberLink]:
    """Open the connection to the chamber, and wait until it answers or does not."""
    events: SimpleQueue[Event] = SimpleQueue()
    with closing(ChamberLink(events.put, proof.config.chamber or "")) as link:
        link.start()
        wait_until(lambda: link.conversation.up, proof.answer_s)
        yield link


def unplug_chamber(proof: Proof) -> Result:
    with _link(proof) as link:
        if not link.conversation.up:
            raise StepError("the chamber does not answer: check its plug, see hardware/chamber.md")
        session = link.conversation.session

        def is_back() -> bool:
            return link.conversation.up and link.conversation.session != session

        proof.ask("    Pull the plug, count to three, plug it in again, then press Enter. ")
        at_rest = wait_until(is_back, proof.answer_s)
        session = link.conversation.session
        proof.print_text("    Pull the plug while the dice run.")
        for throw in range(1, MOST_THROWS):
            link.set_wishes(Wishes(faces=SHOWN, throw=throw))
            if wait_until(lambda: not link.conversation.up, TUMBLE_S):
                break
        proof.ask("    Plug it in again, then press Enter. ")
        running = wait_until(is_back, proof.answer_s)
        right = proof.is_so("Do the dice show {} and {}?".format(*SHOWN))
    return {"at_rest": at_rest, "running": running, "right_dice": right}


def warm_up(proof: Proof) -> Result:
    begin, readings = proof.clock(), []
    with proof.busy():
        for _ in range(STEPS["temperature"].times):
            proof.sleep(READ_S)
            readings.append(_read_power(proof, begin))
    return {"readings": readings}


def _read_power(proof: Proof, begin: float) -> list[Any]:
    """Return a reading: the seconds since the begin, °C of the processor, state of the power."""
    power = proof.supply()
    state = "unknown"
    if power is not None:
        state = "low" if power.low else "hot" if power.hot else "fine"
    seconds, celsius = round(proof.clock() - begin), proof.celsius()
    proof.print_text(f"    {seconds} s: {celsius} °C, power {state}")
    return [seconds, celsius, state]


def pull_power(proof: Proof) -> Result:
    """Let the power be pulled, as often as asked. A pull ends this process; the next one goes on.

    Raises StepError if nobody plays a game.
    """
    file, times = proof.file, STEPS["power"].times
    pulls = list(file.steps["power"]["pulls"]) if file.waiting else []
    while True:
        boot, kept, before = proof.moment().boot, _read_newest(proof.journal), file.waiting
        if before and before["game"] and before["boot"] != boot:
            same_turn = proof.is_so("Does the display show the same turn as before?")
            pull = {"before": before["rows"], "after": kept.rows, "sound": kept.is_sound}
            same_game = kept.game == before["game"]
            pulls.append({**pull, "same_game": same_game, "same_turn": same_turn})
        elif before and before["game"]:
            proof.print_text("    The Pi has not started anew: the power was not pulled.")
        game = kept.game if kept.is_open else ""
        file.waiting = {"boot": boot, "game": game, "rows": kept.rows}
        if len(pulls) == times:
            file.waiting = None
            return {"pulls": pulls}
        file.put("power", {"pulls": pulls})
        if not game:
            raise StepError("nobody plays: begin a game, then begin this step")
        proof.ask(
            f"    Pull {len(pulls) + 1} of {times}: play on, and pull the plug in the middle of a "
            "turn. After the start log in and run this command again. "
        )


class _Kept(NamedTuple):
    """The newest game in the journal: its number and rows, and whether somebody plays it."""

    game: str = ""
    rows: int = 0
    is_open: bool = False
    is_sound: bool = True  # the database


def _read_newest(journal: Path) -> _Kept:
    try:
        with copy_journal(journal), open_games(journal) as games:
            for game in games.read_summaries(games.own_numbers[-1:]):
                return _Kept(game.number, len(games.record_lines(game.number)), not game.is_over)
    except JournalError:
        return _Kept(is_sound=False)
    return _Kept()


def read_whole_game(proof: Proof) -> Result:
    with open_games(proof.journal) as games:
        number = games.newest()
        [summary] = games.read_summaries([number])
        lines = tuple(read_lines(games.record_lines(number)))
    if not summary.is_over:
        raise StepError("the newest game is not over: play on, then press Enter")
    since = f"{summary.start:%Y-%m-%dT%H:%M:%SZ}" if summary.start else ""
    faults = last_faults.read_faults(proof.journal.with_name(last_faults.FILE))
    return {
        "rows": len(lines),
        "minutes": None if summary.duration_s is None else round(summary.duration_s / 60, 1),
        "turns": lines[-1].record.game.turns,
        "undos": sum(str(line.fields.get("action")).startswith("undo") for line in lines),
        "notices": count_notices(faults, since),
    }


def count_notices(faults: Sequence[str], since: str) -> int:
    """Return how many faults there were since a time, without the table's usual starts and ends."""
    usual = (last_faults.BEGINS, last_faults.ENDS, last_faults.CUT_WITH_BOOT)
    parts = (fault.partition(" ") for fault in faults)
    return sum(at >= since and not text.startswith(usual) for at, _, text in parts)


def run_hours(proof: Proof) -> NoReturn:
    """Draw pictures, and keep a reading each minute, until the power or the person ends it."""
    begin, pictures = proof.clock(), cycle(draw_screens())
    readings: list[list[Any]] = []
    troubles: list[str | None] = []
    with _open_displays(proof, troubles.append) as displays:
        while True:
            readings.append(_read_power(proof, begin))
            errors = sum(trouble is not None for trouble in troubles)
            proof.file.put("hours", {"readings": readings, "bus_errors": errors})
            while proof.clock() < begin + MINUTE_S * len(readings):
                picture = next(pictures)
                for display in displays:
                    display.show(picture)
                    display.step(proof.clock())
                proof.sleep(LOOK_S)


MEASURES: dict[str, Callable[[Proof], Result]] = {
    "about": describe_device,
    "pictures": compare_pictures,
    "frames": time_frames,
    "signals": lambda proof: {"wrong": proof.find_wrong_signals(proof.is_so)},
    "buttons": press_buttons,
    "chamber": unplug_chamber,
    "temperature": warm_up,
    "power": pull_power,
    "game": read_whole_game,
}
