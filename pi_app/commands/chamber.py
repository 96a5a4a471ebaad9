"""`referee chamber`: tests a lit chamber at any computer, and tests dice."""

import argparse
from collections.abc import Sequence
from queue import SimpleQueue

from pi_app.commands import UsageError, add_flag, format_count
from pi_app.commands.self_test import Tester, add_tester, chamber_findings, print_findings
from pi_app.devices.link import AUTO_PORT, ChamberLink
from pi_app.model.events import ChamberRolled, Event, Notice, Wishes
from pi_app.record.fairness import judge_dice
from pi_app.runtime.dice import KERNEL
from pi_app.texts.language import ENGLISH


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port", default=AUTO_PORT, help="the chamber's port; default: the first Pico found"
    )
    add_tester(parser)
    parser.add_argument(
        "--dice-test",
        type=_parse_count,
        metavar="N",
        help="test the Pi's dice instead: throw two dice N times",
    )
    text = "with --dice-test: test the chamber's own dice; you press the dome N times"
    add_flag(parser, "--roll", text)


def main(options: argparse.Namespace) -> None:
    """Test a chamber or dice. The exit status is 1 if a part of the chamber is faulty.

    Raises UsageError if the chamber's own dice are to be tested and no chamber answers.
    """
    if options.dice_test:
        count = options.dice_test
        drawn = (KERNEL.throw(2) for _ in range(count))
        throws = _collect_throws(options.port, count) if options.roll else list(drawn)
        dice = format_count(sum(map(len, throws)), "die", "dice")
        print(f"{format_count(len(throws), 'throw')}, {dice}", *judge_dice(throws), sep="\n")
        return
    tester = Tester(ask_perceived=options.ask_perceived, wait_s=options.wait)
    if print_findings(tester, chamber_findings(tester, options.port)):
        raise SystemExit(1)


def _parse_count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(
            f"write a number of throws, for example 6000, instead of {text!r}"
        )
    return int(text)


def _collect_throws(port: str, count: int) -> Sequence[tuple[int, ...]]:
    """Return `count` throws of the chamber's own dice, one for each press of its dome.

    If the chamber disconnects after the first throw, it waits for the chamber to return.
    """
    throws: list[tuple[int, ...]] = []
    inbox: SimpleQueue[Event] = SimpleQueue()
    link = ChamberLink(inbox.put, port)
    link.set_wishes(Wishes(mode="roll", seat=0))
    link.start()
    try:
        while len(throws) < count:
            match inbox.get():
                case ChamberRolled(n=n, faces=faces):
                    throws.append(faces)
                    link.acknowledge(n)  # which also arms the chamber again
                    print(f"{len(throws)} of {count}: {' '.join(map(str, faces))}", flush=True)
                case Notice(text=text) if text:
                    why = ENGLISH.say(text)
                    if not throws and link.conversation.hello is None:
                        raise UsageError(
                            f"no chamber answers ({why}): plug it in, or name its port with --port"
                        )
                    print(why, flush=True)
    finally:
        link.close()
    return throws
