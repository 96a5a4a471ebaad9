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

from pi_app.commands import UsageError, format_count
from pi_app.devices.chamber import REFUSED, REFUSED_TEXT, Conversation, next_command
from pi_app.devices.link import AUTO_PORT, ChamberLink
from pi_app.dice import KERNEL
from pi_app.input.events import ChamberLine, ChamberPress, ChamberRolled, Event, Notice, Wishes
from pi_app.record.fairness import judge_dice
from pi_app.screens.screen import NOTHING
from pi_app.texts.language import ENGLISH

POLL_S = 0.05
HELP = """arm SEAT     count one press of the dome, for this seat (A to D)
hold         ignore all presses
show D1 [D2] show faces
blank        turn the lights off
test         light each LED pair in turn
roll         after each press, throw the chamber's own dice
press        only report presses
status       show the state of the chamber and its connection
quit"""

Print = Callable[[str], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "--port", default=AUTO_PORT, help="the chamber's port; default: the first Pico found"
    )
    parser.add_argument(
        "--dice-test",
        type=_parse_count,
        metavar="N",
        help="test the Pi's dice: throw two dice N times",
    )
    parser.add_argument(
        "--roll",
        action="store_true",
        help="test the chamber's own dice instead; you press the dome N times",
    )


def main(options: argparse.Namespace) -> None:
    """Test dice, or follow typed commands. Raises UsageError if no chamber answers."""
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
    dice = format_count(sum(map(len, throws)), "die", "dice")
    print(f"{format_count(len(throws), 'throw')}, {dice}", *judge_dice(throws), sep="\n")


def _parse_count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(
            f"write a number of throws, for example 6000, instead of {text!r}"
        )
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
        """Follow the commands in the lines of `source`, until `quit` or the end of `source`.

        Raises UsageError if no chamber has answered until the end.
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
        """Follow one command after the earlier commands, or print what is wrong with it."""
        self._finish()
        if line == "status":
            self._print(status_text(self.link))
            return
        try:
            wishes = parse_wishes(self._wishes, line.split())
        except ValueError as error:
            self._print(str(error))
            return
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
        """Wait until the chamber has carried out all wishes, or seems to be disconnected."""
        while not is_finished(self.link.conversation, self._wishes):
            self.print_events()
            time.sleep(POLL_S)
        self.print_events()

    def _silence(self) -> UsageError:
        notice = self.link.conversation.notice
        if notice == REFUSED:
            return UsageError(REFUSED_TEXT)
        why = ENGLISH.say(notice or NOTHING)
        return UsageError(f"no chamber answers ({why}): plug it in, or name its port with --port")

    def collect_throws(self, count: int) -> list[tuple[int, ...]]:
        """Return `count` throws of the chamber's own dice, one per press of its dome.

        Raises UsageError if no chamber answers. If the chamber disconnects after the first throw,
        waits for it to return.
        """
        throws: list[tuple[int, ...]] = []
        self._set_wishes(replace(self._wishes, mode="roll", seat=0))
        while len(throws) < count:
            event = self._inbox.get()
            if isinstance(event, ChamberRolled):
                throws.append(event.faces)
                self.link.acknowledge(event.n)  # which also arms the chamber again
            if not throws and seems_disconnected(self.link.conversation):
                raise self._silence()
            if (text := describe_event(event, self.link)) is not None:
                self._print(f"{len(throws)} of {count}: {text}")
        return throws

    def _set_wishes(self, wishes: Wishes) -> None:
        self._wishes = replace(wishes, key=self._wishes.key + 1)
        self.link.set_wishes(self._wishes)


def read_lines(file: int) -> Iterator[str]:
    """Yield the lines of a file descriptor, stripped, and "" if no line comes for POLL_S."""
    rest, data = b"", b"\n"
    while data:
        if not select.select([file], [], [], POLL_S)[0]:
            yield ""
            continue
        data = os.read(file, 4096)
        *ended, rest = (rest + data).split(b"\n")
        yield from (line.decode(errors="replace").strip() for line in ended)
    yield rest.decode(errors="replace").strip()


def seems_disconnected(talk: Conversation) -> bool:
    """Whether the chamber seems to be disconnected. Then `talk.notice` has the reason."""
    return talk.hello is None and not talk.up and talk.notice is not None


def is_finished(talk: Conversation, wishes: Wishes) -> bool:
    """Whether the chamber has carried out all wishes, or seems to be disconnected."""
    return seems_disconnected(talk) or (
        talk.hello is not None and next_command(wishes, talk.state) is None
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
    """Return the text to print for an event, None if it needs no text."""
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
    return (
        f"firmware {hello.firmware}, board {hello.unique}, boot {hello.boot}, "
        f"session {hello.session}\n"
        f"{format_count(hello.alone, 'throw')} without the Pi, "
        f"{format_count(link.dropped_line_count, 'line')} dropped, "
        f"{format_count(link.conversation.seq, 'command')} in this session\n"
        f"round trip {middle}{slowest} ({len(trips)} measured)"
    )
