"""`referee chamber`: talk to the lit chamber by hand, and test dice. No game."""

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
from pi_app.devices.chamber import UPDATE, Conversation, next_command
from pi_app.devices.link import AUTO, ChamberLink
from pi_app.dice import KERNEL
from pi_app.input.events import ChamberLine, ChamberPress, ChamberRolled, Event, Notice, Wishes
from pi_app.record.fairness import judge_dice
from pi_app.screens.screen import NOTHING
from pi_app.texts.language import ENGLISH

POLL_S = 0.05
HELP = """arm SEAT     let one press count, for seat A to D; the lights stay as they are
hold         let no press count
show D1 [D2] show faces
blank        lights out
test         light every LED line in turn
roll, press  let the chamber throw its own dice, or not
status       what is known of the chamber
quit"""

Say = Callable[[str], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("--port", default=AUTO, help="its port, by default the first Pico found")
    parser.add_argument(
        "--dice-test", type=_count, metavar="N", help="throw two dice N times and judge them"
    )
    parser.add_argument(
        "--roll", action="store_true", help="--dice-test judges the chamber's own dice, by presses"
    )


def main(options: argparse.Namespace) -> None:
    """Run the command."""
    if options.dice_test and not options.roll:
        _judge([KERNEL.throw(2) for _ in range(options.dice_test)])
        return
    hands = ChamberConsole(options.port, lambda text: print(text, flush=True))
    try:
        if options.dice_test:
            _judge(hands.rolled(options.dice_test))
        else:
            hands.talk(sys.stdin)
    finally:
        hands.close()


def _judge(throws: Sequence[tuple[int, ...]]) -> None:
    print(
        f"{count_of(len(throws), 'throw')}, {count_of(sum(map(len, throws)), 'die', 'dice')}",
        *judge_dice(throws),
        sep="\n",
    )


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not how many times to throw: write 6000")
    return int(text)


# By hand


class ChamberConsole:
    """One chamber and somebody who tells it what to do."""

    def __init__(self, port: str, say: Say) -> None:
        self._say = say
        self._inbox: SimpleQueue[Event] = SimpleQueue()
        self._wishes = Wishes()
        self.link = ChamberLink(self._inbox.put, port)
        self.link.start()

    def close(self) -> None:
        """Leave the port."""
        self.link.close()

    def talk(self, source: TextIO) -> None:
        """Do what the lines of `source` say, until quit or its end.

        UsageError where no chamber answers by then.
        """
        self._say(HELP)
        for line in read_lines(source.fileno()):
            self.look()
            if line == "quit":
                break
            if line:
                self.do(line)
        self._finish()
        if self.link.conversation.hello is None:
            raise self._silence()

    def do(self, line: str) -> None:
        """Do what one line says, when the lines before it are done; what can't be done is said."""
        self._finish()
        if line == "status":
            self._say(status(self.link))
            return
        try:
            wishes = parse_wishes(self._wishes, line.split())
        except ValueError as error:
            self._say(str(error))
            return
        hello = self.link.conversation.hello
        if wishes.seat is not None and hello is not None and not hello.keeps_lights:
            wishes = replace(wishes, faces=())  # it is armed in the dark only
        self._wish(wishes)

    def look(self) -> None:
        """Say what has happened since."""
        while not self._inbox.empty():
            event = self._inbox.get()
            if (text := describe_event(event, self.link)) is not None:
                self._say(text)
            if isinstance(event, ChamberPress | ChamberRolled):
                self._wish(replace(self._wishes, seat=None))
                self.link.acknowledge(event.n)

    def _finish(self) -> None:
        """Wait until the chamber has been told all that is wished, or there is none."""
        while not is_finished(self.link.conversation, self._wishes):
            self.look()
            time.sleep(POLL_S)
        self.look()

    def _silence(self) -> UsageError:
        why = ENGLISH.say(self.link.conversation.notice or NOTHING)
        return UsageError(f"no chamber answers ({why}): plug it in, or name its port by --port")

    def rolled(self, count: int) -> list[tuple[int, ...]]:
        """Let the chamber throw its own dice so many times, a press of its dome each.

        UsageError without a chamber; one that goes away after its first throw is waited for.
        """
        throws: list[tuple[int, ...]] = []
        self._wish(replace(self._wishes, mode="roll", seat=0))
        while len(throws) < count:
            event = self._inbox.get()
            if isinstance(event, ChamberRolled):
                throws.append(event.faces)
                self.link.acknowledge(event.n)  # the same wish stands: it is armed again
            if not throws and is_given_up(self.link.conversation):
                raise self._silence()
            if (text := describe_event(event, self.link)) is not None:
                self._say(f"{len(throws)} of {count}: {text}")
        return throws

    def _wish(self, wishes: Wishes) -> None:
        self._wishes = replace(wishes, key=self._wishes.key + 1)
        self.link.set_wishes(self._wishes)


def read_lines(file: int) -> Iterator[str]:
    """The lines that come from this file, stripped; an empty one where none comes for a while."""
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
    """Whether nobody is there, as far as one can tell."""
    return talk.hello is None and not talk.up and talk.notice is not None


def is_finished(talk: Conversation, wishes: Wishes) -> bool:
    """Whether all that is wished has been told, or there is nobody to tell it."""
    hello = talk.hello
    return is_given_up(talk) or (
        hello is not None and next_command(wishes, talk.state, hello) is None
    )


def parse_wishes(old: Wishes, words: Sequence[str]) -> Wishes:
    """What a line wishes; ValueError says what it should be."""
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
    raise ValueError(f"{' '.join(words)!r} is none of these:\n{HELP}")


def describe_event(event: Event, link: ChamberLink) -> str | None:
    """What is said of an event."""
    match event:
        case ChamberLine(up=True):
            return status(link)
        case Notice(text=text):
            return ENGLISH.say(text) if text else None
        case ChamberPress(n=n):
            return f"press {n}"
        case ChamberRolled(n=n, faces=faces):
            return f"press {n} rolled {' '.join(str(face) for face in faces)}"
    return None


def status(link: ChamberLink) -> str:
    """What is known of the chamber, and how the line is."""
    hello = link.conversation.hello
    if hello is None:
        return ENGLISH.say(link.conversation.notice or NOTHING) or "nobody has answered yet"
    trips = sorted(link.round_trips_s)
    middle = f"{trips[len(trips) // 2] * 1000:.1f} ms" if trips else "none yet"
    slowest = f", at most {trips[-1] * 1000:.1f} ms" if trips else ""
    update = "" if hello.keeps_lights else f"\n{UPDATE.format(hello.firmware)}"
    return (
        f"firmware {hello.firmware}, board {hello.unique}, boot {hello.boot}, "
        f"session {hello.session}\n"
        f"{count_of(hello.alone, 'throw')} alone, {count_of(link.dropped, 'line')} dropped, "
        f"{count_of(link.conversation.seq, 'command')} in this session\n"
        f"round trip {middle}{slowest} ({len(trips)} measured){update}"
    )
