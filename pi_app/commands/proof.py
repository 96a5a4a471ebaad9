"""`referee proof`: leads through the proof of a real referee, in a terminal."""

import argparse
import fcntl
import os
import select
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

from pi_app.commands import UsageError, add_file, add_flag, add_journal, journal_path
from pi_app.commands.self_test import SelfTest, print_findings, signal_findings
from pi_app.config.reading import load_config
from pi_app.devices.buttons import pin_factory
from pi_app.devices.buzzer import Buzzer
from pi_app.devices.lamps import Lamps
from pi_app.devices.oled import open_device
from pi_app.proof.form import FILE, read_proof
from pi_app.proof.guide import Ended, keep_hours, lead
from pi_app.proof.measures import LOOK_S, Proof
from pi_app.record.disk import is_in_memory


def add_arguments(parser: argparse.ArgumentParser) -> None:
    text = f"the file for the results; the next call goes on with it; default: {FILE}"
    add_file(parser, "file", text, "?")
    add_flag(parser, "--hours", "only do the step that goes on by itself until the power ends")
    add_journal(parser)


def main(options: argparse.Namespace) -> None:
    path = (options.file or Path(FILE)).absolute()
    if is_in_memory(path.parent):
        print(f"{path} is lost when the power goes: name a file on a disk instead")
    config, journal = load_config(options.config), journal_path(options)
    if journal.parent.exists() and not os.access(journal.parent, os.R_OK | os.X_OK):
        raise UsageError(f"you may not read {journal.parent}: run this command with sudo")
    try:
        folder = os.open(path.parent, os.O_RDONLY)  # and locked until this process ends
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageError(f"another proof runs in {path.parent}: end it first") from None
    file = read_proof(path)
    factory = pin_factory(config.pin_factory)
    file.write()
    test = SelfTest(config=config, factory=factory, devices=(), folder=journal.parent)
    proof = Proof(
        file=file,
        config=config,
        journal=journal,
        factory=factory,
        devices=[open_device(display, factory) for display in config.displays],
        find_wrong_signals=partial(find_wrong_signals, test),
        print_text=test.print_text,
        ask=_ask,
        ask_while=ask_while,
    )
    try:
        (keep_hours if options.hours else lead)(proof)
    except Ended:
        print("Run this command again in this folder to go on.")


def find_wrong_signals(test: SelfTest, is_so: Callable[[], bool]) -> list[str]:
    """Let the lamps, tones and voice be judged. Return the wrong ones, without their pins."""
    test = replace(test, ask_perceived=is_so)
    with (
        closing(Lamps(test.config.lamps, test.factory)) as lights,
        closing(Buzzer(test.config.buzzer, test.factory)) as buzzer,
    ):
        wrong = print_findings(test, signal_findings(test, lights, buzzer))
    return [part.partition(",")[0] for part in wrong]


def _ask(question: str) -> str:
    """Return what somebody types. Raises Ended after `q`, and if nobody can type any more."""
    try:
        answer = input(question).strip().lower()
    except EOFError:
        answer = "q"
    if answer == "q":
        raise Ended
    return answer


def ask_while(question: str, look: Callable[[], None], every_s: float = LOOK_S) -> str:
    """Return what somebody types after a question. Until then, call a function again and again."""
    print(question, end="", flush=True)
    while not select.select([sys.stdin], [], [], every_s)[0]:
        look()
    return _ask("")
