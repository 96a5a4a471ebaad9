"""`referee simulate`: plays without hardware: on a page, by a script, or automatically."""

import argparse
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from random import Random

from pi_app.commands import UsageError, add_file, add_flag
from pi_app.config.keys import DEFAULT, Config, Display
from pi_app.config.reading import load_config
from pi_app.devices.buttons import pin_factory
from pi_app.model.events import Address
from pi_app.model.history import Row
from pi_app.record.journal import FILE
from pi_app.record.trouble import JournalError
from pi_app.runtime import wiring
from pi_app.runtime.assembly import Parts, decide_until_stopped, open_table
from pi_app.runtime.dice import KERNEL
from pi_app.settings.settings import LEVELS, Level
from pi_app.simulate.glass import DummyDisplay
from pi_app.simulate.player import SimulatedPlayer
from pi_app.simulate.port import DEFAULT_PORT, WATCH, listen, listen_locally, url
from pi_app.simulate.script import FORMAT, parse_script
from pi_app.simulate.simulation import Simulation, open_simulation, row_text
from pi_app.simulate.touches import Touches
from pi_app.system.notify import Sockets
from pi_app.table.session import Reply
from pi_app.texts.language import all_languages
from pi_app.web.spectators import Spectators
from rules.board import SEAT_LETTERS, SEATS
from rules.ruleset import PRESETS


class Editions(tuple[str, ...]):
    """The names that shell completion offers. A user may also write the name of house rules."""

    def __contains__(self, name: object) -> bool:
        return True


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Play without hardware: on a page, by a script, or automatically."
    parser.epilog = f"A script is a text file. {FORMAT}"
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    text = (
        "a configuration, or only its keys that differ from the shipped one; default: the shipped "
        "configuration"
    )
    add_file(parser, "--config", text, default=DEFAULT)
    parser.add_argument("--folder", type=Path, help="the journal's folder")
    parser.add_argument(
        "--port",
        type=int,
        help=f"the page's port; default: {DEFAULT_PORT}, or a free port if this port is in use",
    )
    parser.add_argument(
        "--local",
        type=Path,
        metavar="PATH",
        help="beside the page, serve a socket at PATH for programs of this computer, as on a Pi",
    )
    parser.add_argument(
        "--ruleset",
        default="",
        choices=Editions(PRESETS),
        metavar="NAME",
        help=f"the rules of the first game: {', '.join(PRESETS)}, or the name of your house rules",
    )
    how = parser.add_mutually_exclusive_group()
    add_file(how, "--script", "run the presses in FILE at their times, without a page")
    add_flag(how, "--auto", "play a whole game automatically, without a page")
    parser.add_argument(
        "--seed",
        type=int,
        help="a number; with --script or --auto: the same number gives the same dice",
    )
    parser.add_argument(
        "--seats", type=parse_seats, help="the seats that join with --auto, for example A,C"
    )
    levels = ", ".join(LEVELS)
    parser.add_argument(
        "--bots",
        type=parse_bots,
        default={},
        metavar="SEAT=LEVEL",
        help=f"the bots' seats and levels for --auto, such as C=strong,D=child; levels: {levels}",
    )
    # The old name of --bots.
    parser.add_argument("--boxes", dest="bots", type=parse_bots, help=argparse.SUPPRESS)


def parse_seats(text: str) -> tuple[int, ...]:
    """Return the seats that an option names by letters (`A,C`) or by numbers from 0 (`0,2`)."""
    names = {name: seat for seat, letter in enumerate(SEAT_LETTERS) for name in (letter, str(seat))}
    seats = tuple(names[word] for word in text.upper().split(",") if word in names)
    if len(seats) != text.count(",") + 1 or not 2 <= len(set(seats)) == len(seats) <= SEATS:
        raise argparse.ArgumentTypeError(
            f"name two to four seats, for example A,C, instead of {text!r}"
        )
    return seats


def parse_bots(text: str) -> dict[int, Level]:
    """Return the bots' levels by seat, from a text such as `C=strong,D=child`."""
    levels = {f"{seat}={level}": level for seat in SEAT_LETTERS for level in LEVELS}
    words = [word[:1].upper() + word[1:].lower() for word in text.split(",")]
    bots = {SEAT_LETTERS.index(word[0]): levels[word] for word in words if word in levels}
    if len(bots) != len(words):
        raise argparse.ArgumentTypeError(
            f"{text!r} does not name seats and levels, for example C=strong"
        )
    return bots


def main(options: argparse.Namespace) -> None:
    """Run the simulated table. Raises UsageError for options that don't go together."""
    config = load_table(options.config)
    if options.script is not None or options.auto:
        config = replace(config, displays=(Display(),))  # nobody watches it
    rulesets = (*PRESETS, *config.houses)
    if (name := options.ruleset) and name not in rulesets:
        near = "".join(f"; did you mean {one}?" for one in get_close_matches(name, rulesets, n=1))
        raise UsageError(f"--ruleset {name!r} is not one of {', '.join(rulesets)}{near}")
    if options.script is not None:
        _simulate_script(config, options)
    elif options.auto:
        _simulate_auto(config, options)
    else:
        _simulate_page(config, options)


def load_table(file: Path) -> Config:
    """Return the configuration in a file, which may have only the keys that differ as shipped.

    The lit chamber's dome is at a free pin, because nothing is connected.
    """
    config = load_config(file, changes=file.absolute())
    if config.dome is not None or not config.chamber:
        return config
    used = {*wiring.button_pins(config), *config.lamps, config.buzzer}
    return replace(config, dome=min({*range(4, 28)} - used), chamber_dice_from="pi")


def _simulate_page(config: Config, options: argparse.Namespace) -> None:
    """Serve the page until Ctrl-C, with dice from the kernel."""
    if options.seed is not None or options.seats is not None:
        raise UsageError(
            "--seed and --seats need --auto or --script: on the page the dice are random"
        )
    if options.bots:
        raise UsageError("--bots needs --auto: on the page, the menu adds bots")
    from pi_app.simulate.page_state import PageState

    factory, displays = pin_factory("mock"), [DummyDisplay() for _ in config.displays]
    touches = Touches(wiring.button_pins(config).values())
    state = PageState(touches, *displays)
    folder = options.folder or state_folder() / "simulate"
    with ExitStack() as closing:
        sock = closing.enter_context(listen(options.port))
        watch = f"{url(sock)}{WATCH}"
        watchers = [state.watch]
        if options.local is not None:
            local = listen_locally(options.local)
            programs = Spectators(Sockets(local=local), folder / FILE, ())
            closing.callback(programs.close)
            watchers.append(programs.watch)

        def show(reply: Reply) -> None:
            for take in watchers:
                take(reply)

        parts = Parts(
            factory=factory,
            devices=tuple(map(_opener, displays)),
            folder=folder,
            dice=KERNEL,
            page=Address(watch.removeprefix("http://"), known=True),
            watch=show,
            ruleset=options.ruleset,
        )
        with open_table(config, parts) as app:
            from pi_app.simulate.page import PageServer

            journal, languages, export = folder / FILE, all_languages(), config.page_export
            server = PageServer(
                state, touches, app.inbox.put, app.clock, sock, journal, languages, export=export
            )

            def tell_addresses() -> None:
                print(f"{url(sock)}  (Ctrl-C ends it; the game stays in {folder})", flush=True)
                print(f"{watch}  (what spectators see)", flush=True)

            try:
                decide_until_stopped(app, tell_addresses)
            finally:
                server.close()


def _opener(display: DummyDisplay) -> Callable[[], DummyDisplay]:
    return lambda: display


def _simulate_script(config: Config, options: argparse.Namespace) -> None:
    if options.seats is not None or options.bots:
        raise UsageError("--seats and --bots need --auto: in a script, players press to join")
    try:
        presses = parse_script(options.script.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise UsageError(f"{options.script} is not text in UTF-8") from None
    with _unwatched(config, options) as played:
        played.play_script(presses)


def _simulate_auto(config: Config, options: argparse.Namespace) -> None:
    seed = options.seed or 0
    seats = options.seats or (0, 1, 2, 3)
    if not set(options.bots) < set(seats):
        raise UsageError(
            "--bots may name only seats of --seats, and must leave one seat for a simulated player"
        )
    players = [SEAT_LETTERS[seat] for seat in seats if seat not in options.bots]
    present = {SEAT_LETTERS[panel.seat] for panel in config.panels}
    if missing := [letter for letter in players if letter not in present]:
        names = " and ".join(missing)
        raise UsageError(f"the configuration has no panel {names}: name other seats with --seats")
    with _unwatched(config, options) as played:
        SimulatedPlayer(played, Random(f"player {seed}")).play(seats, options.bots)


@contextmanager
def _unwatched(config: Config, options: argparse.Namespace) -> Iterator[Simulation]:
    """Open a table that prints its rows.

    If it can't store a row, it stops the program: nobody is there to free some space.
    """

    def show(row: Row) -> None:
        print(row_text(row), flush=True)

    def record_or_end(reply: Reply) -> None:
        try:
            record(reply)
        except JournalError as error:
            raise UsageError(str(error)) from error

    with open_simulation(
        config, options.seed or 0, options.folder, show, options.ruleset
    ) as played:
        record, played.app.commit = played.app.commit, record_or_end
        yield played


def state_folder() -> Path:
    """Return the folder of the page's games, in XDG's state folder."""
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(home) / "pachisi-referee"
