"""`referee chamber`: a console for the lit chamber, and a test of dice."""

from __future__ import annotations

import argparse
import os
import select
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from queue import SimpleQueue
from typing import TextIO

from pi_app.commands import UsageError, count_of
from pi_app.devices.chamber import OLD_FIRMWARE_TEXT, Conversation, next_command
from pi_app.devices.link import AUTO_PORT, ChamberLink
from pi_app.dice import KERNEL
from pi_app.input.events import ChamberLine, ChamberPress, ChamberRolled, Event, Notice, Wishes
from pi_app.record.fairness import judge_dice
from pi_app.screens.screen import NOTHING
from pi_app.texts.language import ENGLISH

POLL_S = 0.05
HELP = """arm SEAT     let one press of the dome count, for seat A to D
hold         let no press count
show D1 [D2] show faces
blank        switch the lights off
test         light one LED line after the other
roll, press  let the chamber throw its own dice, or only report presses
status       show the state of the chamber and its connection
quit"""

Print = Callable[[str], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "--port", default=AUTO_PORT, help="the chamber's port; default: the first Pico found"
    )
    parser.add_argument(
        "--dice-test", type=_parse_count, metavar="N", help="throw two dice N times and judge them"
    )
    parser.add_argument(
        "--roll",
        action="store_true",
        help="let --dice-test judge the chamber's own dice: press the dome N times",
    )


def main(options: argparse.Namespace) -> None:
    """Judge dice, or follow the commands of standard input. Raises UsageError without a chamber."""
    if options.dice_test and not options.roll:
        _judge([KERNEL.throw(2) for _ in range(options.dice_test)])
        return
    console = ChamberConsole(options.port, lambda text: print(text, flush=True))
    try:
        if options.dice_test:
            _judge(console.collect_throws(options.dice_test))
        else:
            console.run(sys.stdin)
    finally:
        console.close()


def _judge(throws: Sequence[tuple[int, ...]]) -> None:
    print(
        f"{count_of(len(throws), 'throw')}, {count_of(sum(map(len, throws)), 'die', 'dice')}",
        *judge_dice(throws),
        sep="\n",
    )


def _parse_count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of throws: write 6000")
    return int(text)


class ChamberConsole:
    """Sends typed commands to a chamber, and prints what it does. print_text: prints a text."""

    def __init__(self, port: str, print_text: Print) -> None:
        self._print = print_text
        self._inbox: SimpleQueue[Event] = SimpleQueue()
        self._wishes = Wishes()
        self.link = ChamberLink(self._inbox.put, port)
        self.link.start()

    def close(self) -> None:
        """Close the port."""
        self.link.close()

    def run(self, source: TextIO) -> None:
        """Follow the commands in the lines of `source`, until `quit` or its end.

        Raises UsageError if no chamber has answered by then.
        """
        self._print(HELP)
        for line in read_lines(source.fileno()):
            self.print_events()
            if line == "quit":
                break
            if line:
                self.execute(line)
        self._finish()
        if self.link.conversation.hello is None:
            raise self._silence()

    def execute(self, line: str) -> None:
        """Follow one command once the earlier ones are carried out, or print what is wrong."""
        self._finish()
        if line == "status":
            self._print(status_text(self.link))
            return
        try:
            wishes = parse_wishes(self._wishes, line.split())
        except ValueError as error:
            self._print(str(error))
            return
        hello = self.link.conversation.hello
        if wishes.seat is not None and hello is not None and not hello.keeps_lights:
            wishes = replace(wishes, faces=())  # this firmware is armed only with the lights out
        self._set_wishes(wishes)

    def print_events(self) -> None:
        """Print the events that have come since the last call."""
        while not self._inbox.empty():
            event = self._inbox.get()
            if (text := describe_event(event, self.link)) is not None:
                self._print(text)
            if isinstance(event, ChamberPress | ChamberRolled):
                self._set_wishes(replace(self._wishes, seat=None))
                self.link.acknowledge(event.n)

    def _finish(self) -> None:
        """Wait until the chamber has carried out all wishes, or seems to be away."""
        while not is_finished(self.link.conversation, self._wishes):
            self.print_events()
            time.sleep(POLL_S)
        self.print_events()

    def _silence(self) -> UsageError:
        why = ENGLISH.say(self.link.conversation.notice or NOTHING)
        return UsageError(f"no chamber answers ({why}): plug it in, or name its port by --port")

    def collect_throws(self, count: int) -> list[tuple[int, ...]]:
        """Return `count` throws of the chamber's own dice, one per press of its dome.

        Raises UsageError without a chamber. If it goes away after its first throw, waits for it.
        """
        throws: list[tuple[int, ...]] = []
        self._set_wishes(replace(self._wishes, mode="roll", seat=0))
        while len(throws) < count:
            event = self._inbox.get()
            if isinstance(event, ChamberRolled):
                throws.append(event.faces)
                self.link.acknowledge(event.n)  # the wishes are the same: this arms it again
            if not throws and is_given_up(self.link.conversation):
                raise self._silence()
            if (text := describe_event(event, self.link)) is not None:
                self._print(f"{len(throws)} of {count}: {text}")
        return throws

    def _set_wishes(self, wishes: Wishes) -> None:
        self._wishes = replace(wishes, key=self._wishes.key + 1)
        self.link.set_wishes(self._wishes)


def read_lines(file: int) -> Iterator[str]:
    """Yield the lines of a file descriptor, stripped, and "" whenever none comes for POLL_S."""
    rest, data = b"", b"\n"
    while data:
        if not select.select([file], [], [], POLL_S)[0]:
            yield ""
            continue
        data = os.read(file, 4096)
        *ended, rest = (rest + data).split(b"\n")
        yield from (line.decode(errors="replace").strip() for line in ended)
    yield rest.decode(errors="replace").strip()


def is_given_up(talk: Conversation) -> bool:
    """Whether the chamber seems to be away: a notice says why."""
    return talk.hello is None and not talk.up and talk.notice is not None


def is_finished(talk: Conversation, wishes: Wishes) -> bool:
    """Whether the chamber has carried out all wishes, or seems to be away."""
    hello = talk.hello
    return is_given_up(talk) or (
        hello is not None and next_command(wishes, talk.state, hello) is None
    )


def parse_wishes(old: Wishes, words: Sequence[str]) -> Wishes:
    """Return the wishes after a command. Raises ValueError, with the help, if it is unknown."""
    match words:
        case ["arm", "A" | "B" | "C" | "D" as seat]:
            return replace(old, seat="ABCD".index(seat))
        case ["hold"]:
            return replace(old, seat=None)
        case ["show", *faces] if len(faces) in (1, 2) and set(faces) <= set("123456"):
            shown = tuple(int(face) for face in faces)
            return replace(old, seat=None, dice=len(shown), faces=shown, throw=old.throw + 1)
        case ["blank"]:
            return replace(old, faces=())
        case ["test"]:
            return replace(old, test=old.test + 1)
        case ["roll"]:
            return replace(old, mode="roll")
        case ["press"]:
            return replace(old, mode="press")
    raise ValueError(f"{' '.join(words)!r} is not one of these commands:\n{HELP}")


def describe_event(event: Event, link: ChamberLink) -> str | None:
    """Return what to print for an event; None for nothing."""
    match event:
        case ChamberLine(up=True):
            return status_text(link)
        case Notice(text=text):
            return ENGLISH.say(text) if text else None
        case ChamberPress(n=n):
            return f"press {n}"
        case ChamberRolled(n=n, faces=faces):
            return f"press {n} rolled {' '.join(str(face) for face in faces)}"
    return None


def status_text(link: ChamberLink) -> str:
    """Return what is known of the chamber and of its connection."""
    hello = link.conversation.hello
    if hello is None:
        return ENGLISH.say(link.conversation.notice or NOTHING) or "no chamber has answered yet"
    trips = sorted(link.round_trips_s)
    middle = f"{trips[len(trips) // 2] * 1000:.1f} ms" if trips else "none yet"
    slowest = f", at most {trips[-1] * 1000:.1f} ms" if trips else ""
    update = "" if hello.keeps_lights else f"\n{OLD_FIRMWARE_TEXT.format(hello.firmware)}"
    return (
        f"firmware {hello.firmware}, board {hello.unique}, boot {hello.boot}, "
        f"session {hello.session}\n"
        f"{count_of(hello.alone, 'throw')} alone, "
        f"{count_of(link.dropped_line_count, 'line')} dropped, "
        f"{count_of(link.conversation.seq, 'command')} in this session\n"
        f"round trip {middle}{slowest} ({len(trips)} measured){update}"
    )
