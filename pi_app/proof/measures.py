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
from typing import Any, NamedTuple

from pi_app import __version__
from pi_app.config.keys import Config
from pi_app.devices.buttons import Buttons
from pi_app.devices.link import ChamberLink
from pi_app.devices.oled import FIRST_RETRY_S, Oled
from pi_app.model.errors import UserError
from pi_app.model.events import Edge, Event, Wishes
from pi_app.model.parts import PowerState
from pi_app.proof.form import MOST_ITEMS, ProofFile
from pi_app.proof.pictures import draw_screens, proof_pictures
from pi_app.proof.presses import count_presses, split_presses
from pi_app.proof.steps import STEPS, Result
from pi_app.record import last_faults
from pi_app.record.clock import BootTime, boot_time
from pi_app.record.copying import copy_journal
from pi_app.record.count import read_count
from pi_app.record.games import open_games
from pi_app.record.trouble import JournalError
from pi_app.runtime.outputs import display_names
from pi_app.runtime.wiring import button_pins
from pi_app.system.child import start_process
from pi_app.system.computer import MODEL, read_model, read_system
from pi_app.system.requests import wait_until
from pi_app.system.supply import read_celsius, read_supply
from rules.board import SEAT_LETTERS
from rules.lines.jsonl import read_lines

ANSWER_S = 5.0  # a chamber that is plugged in again answers after 1 s
NO_ANSWER = "Check the chamber's plug, see hardware/chamber.md. Then repeat this step."
TUMBLE_S = 0.6  # as long as the dice run (firmware/PROTOCOL.md)
MOST_THROWS = 50  # half a minute to pull the plug
SHOWN = (6, 1)
MOST_ERRORS = 20  # of the bus on one display: it is not there
RECOUNT = "Enter: keep this, r: press this button again. "
MOST_EDGES = 2000  # of a button; 20 presses that bounce take 400
READ_S, MINUTE_S = 10.0, 60.0
LOOK_S = 1.0  # for each picture while the hours run
BUSY = "import time; end = time.monotonic() + 180\nwhile time.monotonic() < end: pass"


ANSWERS = {"": True, "y": True, "yes": True, "n": False, "no": False}


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
    ask_while: Callable[[str, Callable[[], None]], str]  # calls it each second until then
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    moment: Callable[[], BootTime] = boot_time
    model: Path = MODEL
    celsius: Callable[[], float | None] = read_celsius
    supply: Callable[[], PowerState | None] = read_supply
    busy: Callable[[], AbstractContextManager[None]] = busy_cores
    answer_s: float = ANSWER_S

    def is_so(self, question: str = "Did you see or hear it?") -> bool:
        while (answer := self.ask(f"    {question} [Y/n] ")) not in ANSWERS:
            pass
        return ANSWERS[answer]


def find_needless(config: Config) -> set[str]:
    """Return the steps for which a table has no parts."""
    parts = {
        "pictures": config.displays,
        "frames": config.displays,
        "signals": config.voice or {config.buzzer, *config.lamps} - {None},
        "buttons": button_pins(config),
        "chamber": config.chamber,
    }
    return {name for name, there in parts.items() if not there}


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


def _choose(proof: Proof, question: str, field: str) -> str:
    texts: dict[str, str] = dict(zip("123", STEPS["about"].fields[field].split(" | "), strict=True))
    options = ", ".join(f"{number}: {text}" for number, text in texts.items())
    while (answer := proof.ask(f"    {question} Type a number. {options}. ")) not in texts:
        pass
    return texts[answer]


def compare_pictures(proof: Proof) -> Result:
    wrong = []
    with _open_displays(proof, lambda trouble: proof.print_text(trouble or "")) as displays:
        for display in displays:
            for number, picture in enumerate(proof_pictures(), 1):
                display.show(picture, "half")
                if (retry_at := display.step(proof.clock())) is not None:
                    proof.sleep(retry_at - proof.clock())
                    retry_at = display.step(retry_at)
                question = f"Picture {number} on {display.name}: is it as on the sheet?"
                if retry_at is not None or not proof.is_so(question):
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
            answer = "r"
            while answer == "r":
                proof.ask(f"    {name}: press it {times} times, then Enter. ")
                heard = [edges.get() for _ in range(edges.qsize())]
                presses = split_presses([edge for edge in heard if edge.pin == pin][:MOST_EDGES])
                counted = count_presses(presses, dead_ms)
                proof.print_text(f"    {counted} of {times} presses counted")
                answer = "" if counted == times else proof.ask(f"    {RECOUNT}")
            counts = {"counted": counted, "elsewhere": sum(edge.pin != pin for edge in heard)}
            results.append({"button": name, **counts, "presses": presses})
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
            proof.print_text(f"    {NO_ANSWER}")
            return {"answers": False, "at_rest": None, "running": None, "right_dice": None}
        at_rest = _replug(proof, link, "Pull the chamber's plug.", ())
        running = _replug(proof, link, "Pull the plug while the dice run.", SHOWN)
        right = proof.is_so("Do the dice show {} and {}?".format(*SHOWN))
    return {"answers": True, "at_rest": at_rest, "running": running, "right_dice": right}


def _replug(proof: Proof, link: ChamberLink, todo: str, faces: Sequence[int]) -> bool:
    """Return whether a chamber answers again after its plug was pulled and put in again.

    Raises StepError if the plug was not pulled.
    """
    session = link.conversation.session
    proof.print_text(f"    {todo}")
    for throw in range(1, MOST_THROWS):
        link.set_wishes(Wishes(faces=tuple(faces), throw=throw if faces else 0))
        if wait_until(lambda: not link.conversation.up, TUMBLE_S):
            break
    else:
        raise StepError("the plug was not pulled: begin the step again")
    proof.ask("    Plug it in again, then press Enter. ")
    return wait_until(
        lambda: link.conversation.up and link.conversation.session != session, proof.answer_s
    )


def warm_up(proof: Proof) -> Result:
    begin, readings = proof.clock(), []
    with proof.busy():
        for _ in range(STEPS["temperature"].times):
            proof.sleep(READ_S)
            readings.append(_read_power(proof, begin))
            proof.print_text("    {} s: {} °C, power {}".format(*readings[-1]))
    return {"readings": readings}


def _read_power(proof: Proof, begin: float) -> list[Any]:
    """Return a reading: the seconds since the begin, °C of the processor, state of the power."""
    power, state = proof.supply(), "unknown"
    if power is not None:
        state = "low" if power.low else "hot" if power.hot else "fine"
    return [round(proof.clock() - begin), proof.celsius(), state]


def pull_power(proof: Proof) -> Result:
    """Let the power be pulled, as often as asked. A pull ends this process; the next one goes on.

    Raises StepError if nobody plays a game.
    """
    file, times = proof.file, STEPS["power"].times
    pulls = list(file.waiting["pulls"]) if file.waiting else []
    while True:
        boot, before = proof.moment().boot, file.waiting or {"game": 0}
        kept = _read_journal(proof.journal, before["game"])
        if before["game"] and (before["boot"] == boot or not _was_cut(proof.journal)):
            proof.print_text("    The power was not pulled while the referee ran.")
        elif before["game"] and kept.is_readable and kept.rows and kept.newest != before["game"]:
            proof.print_text("    Another game has begun: that pull does not count.")
        elif before["game"]:
            is_sound = kept.is_readable and kept.asides == before["asides"]
            same_turn = proof.is_so("Does the display show the same turn as before?")
            rows = {"before": before["rows"], "after": kept.rows}
            pulls.append({**rows, "sound": is_sound, "same_turn": same_turn})
        if len(pulls) == times:
            file.waiting = None
            return {"pulls": pulls}
        if len(pulls) > len(file.steps.get("power", {"pulls": ()})["pulls"]):
            file.steps["power"] = {"pulls": list(pulls)}
        file.waiting = {"boot": boot, "game": kept.open_game, "rows": 0}
        file.waiting |= {"asides": kept.asides, "pulls": pulls}
        file.write()
        if not kept.open_game:
            raise StepError("nobody plays: begin a game, then begin this step")
        proof.ask_while(
            f"    Pull {len(pulls) + 1} of {times}: play on, and pull the plug in the middle of a "
            "turn. After the start log in and run this command again. ",
            lambda: _look(proof),
        )


def _look(proof: Proof) -> None:
    """Keep which rows the table has confirmed by now."""
    counted, waiting = read_count(proof.journal)._asdict(), proof.file.waiting
    if counted["game"] and waiting and not counted.items() <= waiting.items():
        waiting |= counted
        proof.file.write()


def _was_cut(journal: Path) -> bool:
    """Return whether the table's newest end was a cut of the power."""
    text = "\n".join(last_faults.read_faults(journal.with_name(last_faults.FILE)))
    ends = (last_faults.ENDS, last_faults.CUT_IN_BOOT, last_faults.CUT_WITH_BOOT)
    return max(ends, key=text.rfind) == last_faults.CUT_WITH_BOOT


class _Kept(NamedTuple):
    """What the journal holds after a start."""

    asides: int  # files of databases that were put aside
    newest: int = 0  # the newest game
    open_game: int = 0  # it, if somebody plays it
    rows: int = 0  # of the game before the start
    is_readable: bool = True


def _read_journal(journal: Path, game: int) -> _Kept:
    kept = _Kept(len([*journal.parent.glob(f"{journal.stem}.aside*")]))
    try:
        with copy_journal(journal), open_games(journal) as games:
            if f"{game}" in games.own_numbers:
                kept = kept._replace(rows=len(games.record_lines(f"{game}")))
            for summary in games.read_summaries(games.own_numbers[-1:]):
                newest = int(summary.number)
                kept = kept._replace(newest=newest, open_game=0 if summary.is_over else newest)
            return kept
    except JournalError:
        return kept._replace(is_readable=False)


def read_whole_game(proof: Proof) -> Result:
    with open_games(proof.journal) as games:
        number = games.newest()
        [summary] = games.read_summaries([number])
        lines = tuple(read_lines(games.record_lines(number)))
    if not summary.is_over or not summary.winners:
        raise StepError("nobody has won the newest game: play until somebody has, then press Enter")
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


def explain_hours(proof: Proof) -> Result:
    raise StepError("this step goes on without you: type `q`, then run the commands above")


def run_hours(proof: Proof) -> None:
    """Draw pictures, and keep a reading each minute, until the power or the person ends it.

    It says nothing, because nobody may be logged in. A longer run that the file has stays.
    """
    begin, pictures = proof.clock(), cycle(draw_screens())
    longest = len(proof.file.steps.get("hours", {"readings": ()})["readings"])
    readings: list[list[Any]] = []
    troubles: set[str | None] = set()
    with _open_displays(proof, troubles.add) as displays:
        while len(readings) < MOST_ITEMS:
            readings.append(_read_power(proof, begin))
            if len(readings) > longest:
                kinds = len(troubles - {None})
                proof.file.put("hours", {"readings": readings, "bus_error_kinds": kinds})
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
    "hours": explain_hours,
}
