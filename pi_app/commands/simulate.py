"""`referee simulate`: the table without hardware, by the page, by a script, or by itself."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from random import Random

from pi_app import config as configuration
from pi_app import wiring
from pi_app.assembly import Parts, decide_until_stopped, open_table
from pi_app.commands import UsageError, add_config
from pi_app.config import Config, Display
from pi_app.devices.buttons import pin_factory
from pi_app.dice import KERNEL
from pi_app.record.journal import FILE
from pi_app.record.trouble import JournalError
from pi_app.rows.history import Row
from pi_app.settings.settings import LEVELS, Level
from pi_app.simulate.glass import DummyDisplay
from pi_app.simulate.hands import Hands
from pi_app.simulate.player import SimulatedPlayer
from pi_app.simulate.port import DEFAULT_PORT, listen, url
from pi_app.simulate.script import FORMAT, parse_script
from pi_app.simulate.simulation import Simulation, open_simulation, row_text
from pi_app.table.session import Reply
from pi_app.texts.language import ENGLISH
from rules.board import SEAT_LETTERS, SEATS
from rules.ruleset import PRESETS

DESCRIPTION = "Play without hardware: on a page, by a script, or let it play alone."
EPILOG = f"Scripts are text. {FORMAT}"


class Editions(tuple[str, ...]):
    """The names that a shell completes; house rules are known once the configuration is read."""

    def __contains__(self, name: object) -> bool:
        return True


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_config(parser)
    parser.add_argument("--folder", type=Path, help="where the journal is kept")
    parser.add_argument(
        "--port",
        type=int,
        help=f"the page's port, by default {DEFAULT_PORT}, or any free one where that is taken",
    )
    parser.add_argument(
        "--ruleset",
        default="",
        choices=Editions(PRESETS),
        metavar="NAME",
        help=f"the rules to begin with: {', '.join(PRESETS)}, or house rules of the configuration",
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--script", type=Path, metavar="FILE", help="play timed presses, no page")
    how.add_argument("--auto", action="store_true", help="play a whole game alone, no page")
    parser.add_argument("--seed", type=int, help="what the dice of --script and --auto fall by")
    parser.add_argument("--seats", type=parse_seats, help="who plays with --auto, as in A,C")
    parser.add_argument(
        "--boxes",
        type=parse_bots,
        default={},
        help=f"who of them is a box ({', '.join(LEVELS)}), as in C=strong,D=child",
    )


def parse_seats(text: str) -> tuple[int, ...]:
    """Return the seats that an option names by letters, or by numbers from 0 as it once was."""
    names = {name: seat for seat, letter in enumerate(SEAT_LETTERS) for name in (letter, str(seat))}
    seats = tuple(names[word] for word in text.upper().split(",") if word in names)
    if len(seats) != text.count(",") + 1 or not 2 <= len(set(seats)) == len(seats) <= SEATS:
        raise argparse.ArgumentTypeError(f"{text!r} is not two to four seats such as A,C")
    return seats


def parse_bots(text: str) -> dict[int, Level]:
    """Return the levels that an option gives to seats."""
    levels = {f"{seat}={level}": level for seat in SEAT_LETTERS for level in LEVELS}
    words = [word[:1].upper() + word[1:].lower() for word in text.split(",")]
    boxes = {SEAT_LETTERS.index(word[0]): levels[word] for word in words if word in levels}
    if len(boxes) != len(words):
        raise argparse.ArgumentTypeError(f"{text!r} is not seats with levels such as C=strong")
    return boxes


def main(options: argparse.Namespace) -> None:
    """Referee without hardware: by the page, by a script, or by itself."""
    config = configuration.load_config(options.config)
    if options.script is not None or options.auto:
        config = replace(config, displays=(Display(),))  # nobody looks at it
    _check_rules(config, options.ruleset)
    if options.script is not None:
        _simulate_script(config, options)
    elif options.auto:
        _simulate_auto(config, options)
    else:
        _simulate_page(config, options)


def _check_rules(config: Config, name: str) -> None:
    names = (*PRESETS, *config.houses)
    if name and name not in names:
        near = "".join(f"; did you mean {one}?" for one in get_close_matches(name, names, n=1))
        raise UsageError(f"--ruleset {name!r} is none of {', '.join(names)}{near}")


def _simulate_page(config: Config, options: argparse.Namespace) -> None:
    """Serve the page until Ctrl-C, with dice from the kernel."""
    if options.seed is not None or options.seats is not None:
        raise UsageError(
            "--seed and --seats go with --auto or --script: the page's dice can't be chosen"
        )
    if options.boxes:
        raise UsageError("--boxes goes with --auto: on the page a box is seated by the menu")
    from pi_app.simulate.page_state import PageState

    factory, glasses = pin_factory("mock"), [DummyDisplay() for _ in config.displays]
    hands = Hands(wiring.button_pins(config), factory)
    newest = PageState(hands, *glasses, language=ENGLISH)
    folder = options.folder or state_folder() / "simulate"
    parts = Parts(
        factory=factory,
        devices=tuple(map(_opening, glasses)),
        folder=folder,
        dice=KERNEL,
        watch=newest.watch,
        ruleset=options.ruleset,
    )
    with listen(options.port) as sock, open_table(config, parts) as app:
        from pi_app.simulate.page import PageServer

        server = PageServer(newest, hands, sock, folder / FILE, ENGLISH)
        print(f"{url(sock)}  (Ctrl-C ends; the game stays in {folder})", flush=True)
        try:
            decide_until_stopped(app)
        finally:
            server.close()


def _opening(glass: DummyDisplay) -> Callable[[], DummyDisplay]:
    return lambda: glass


def _simulate_script(config: Config, options: argparse.Namespace) -> None:
    if options.seats is not None or options.boxes:
        raise UsageError("--seats and --boxes go with --auto: in a script, players press to join")
    presses = parse_script(_text(options.script))
    with open_simulation(
        config, options.seed or 0, options.folder, _print, options.ruleset
    ) as played:
        _end_unsaved(played)
        played.play_script(presses)


def _simulate_auto(config: Config, options: argparse.Namespace) -> None:
    seed = options.seed or 0
    seats = options.seats or (0, 1, 2, 3)
    if not set(options.boxes) < set(seats):
        raise UsageError("--boxes must be among those who play, but not all: who would press?")
    with open_simulation(config, seed, options.folder, _print, options.ruleset) as played:
        _end_unsaved(played)
        SimulatedPlayer(played, Random(f"player {seed}")).play(seats, options.boxes)


def _end_unsaved(played: Simulation) -> None:
    """Let a table end where a row can't be kept: nobody is there to free some space."""
    record = played.app.record

    def record_or_end(reply: Reply) -> None:
        try:
            record(reply)
        except JournalError as error:
            raise UsageError(str(error)) from error

    played.app.record = record_or_end


def _print(row: Row) -> None:
    print(row_text(row), flush=True)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not text in UTF-8") from None


def state_folder() -> Path:
    """Return where the games of the page are kept: what XDG calls a program's state."""
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(home) / "pachisi-referee"
