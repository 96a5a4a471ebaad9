"""The command `referee`: the one place where the parts are joined. Decides nothing of the game."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import Any

from pi_app import chamber_cli
from pi_app import config as configuration
from pi_app.app import App, Output, report
from pi_app.config import Config, ConfigError
from pi_app.devices.buttons import Buttons, PinsError, pin_factory
from pi_app.devices.buzzer import Buzzer
from pi_app.devices.lamps import Lamps
from pi_app.devices.link import Link
from pi_app.devices.oled import Panel, open_device
from pi_app.dice import KERNEL, Dice
from pi_app.events import Event, Notice, Resume, Tick
from pi_app.hands import Hands
from pi_app.history import Row
from pi_app.journal import FILE, JournalError, load
from pi_app.outputs import Lights, Lit, Picture, Tones, Watch
from pi_app.player import Player, PlayerError
from pi_app.script import FORMAT, ScriptError, parse_script
from pi_app.session import Reply, Session
from pi_app.simulate import Glass, Simulation, VirtualClock, memory_folder, row_text, seeded_dice
from pi_app.web.port import PortError, listen, url
from rules.board import SEATS
from rules.game import Phase
from rules.ruleset import PRESETS

WHAT = "A referee for Parcheesi-type boards: throws the dice, knows the rules, never loses a game."

log = logging.getLogger("referee")


class UsageError(Exception):
    """Options that don't go together, or a file that can't be read."""


ERRORS = (
    ConfigError,
    JournalError,
    PinsError,
    PortError,
    ScriptError,
    PlayerError,
    UsageError,
)


# --- joining the parts -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What differs between a table on a Pi, on the page and on a virtual clock.

    factory: gpiozero's pin factory. device: opens the panel. clock: monotonic seconds; now: seconds
    since 1970. stepped: the panel has no thread of its own. watch: sees each reply; confirmed: each
    row that is committed. chamber: the lit chamber's port, "" for none.
    """

    factory: Any
    device: Callable[[], Any]
    folder: Path
    dice: Dice
    clock: Callable[[], float] = time.monotonic
    now: Callable[[], float] = time.time
    stepped: bool = False
    chamber: str = ""
    watch: Callable[[Reply], None] = lambda reply: None
    confirmed: Callable[[Row], None] = lambda row: None
    fault: Callable[[Exception], None] = report


@contextmanager
def table(config: Config, parts: Parts) -> Iterator[App]:
    """Open a table with its first picture shown; closing it is opening it backwards."""
    with ExitStack() as closing:
        journal, record, warning = load(parts.folder / FILE)
        closing.callback(journal.close)
        inbox: SimpleQueue[Event | None] = SimpleQueue()
        buttons = Buttons(config.buttons, inbox.put, parts.factory, parts.clock)
        closing.callback(buttons.close)

        def commit(rows: tuple[Row, ...], reply: Reply) -> None:
            journal.append(rows, parts.now(), over=_is_over(reply))
            for row in rows:
                parts.confirmed(row)

        chamber = Link(inbox.put, parts.chamber, clock=parts.clock)
        closing.callback(chamber.close)
        app = App(
            session=Session.start(config.setup),
            contacts=config.contacts(buttons.levels()),
            read=buttons.read,
            alive=buttons.alive,
            record=commit,
            dice=parts.dice,
            clock=parts.clock,
            outputs=(Lit(chamber.wish), *_outputs(config, parts, closing)),
            fault=parts.fault,
            seen=journal.seen,
            got=chamber.got,
            inbox=inbox,
        )
        if warning is not None:
            print(f"referee: {warning}", file=sys.stderr)
            app.take(Notice("journal", "old game set aside", parts.clock()))
        app.take(Resume(record, parts.clock()) if record is not None else Tick(parts.clock()))
        if parts.chamber:
            chamber.start()
        yield app


def _outputs(config: Config, parts: Parts, closing: ExitStack) -> tuple[Output, ...]:
    panel = Panel(parts.device, _say_panel, parts.clock)
    closing.callback(panel.close, blank=True)
    lamps = Lamps(config.lamps, parts.factory)
    closing.callback(lamps.close)
    buzzer = Buzzer(config.buzzer, parts.factory)
    closing.callback(buzzer.close)
    if not parts.stepped:
        panel.start()
    return (
        Picture(panel, parts.stepped),
        Lights(lamps),
        Tones(buzzer),
        Watch(parts.watch),
    )


def _say_panel(trouble: str | None) -> None:
    log.warning("%s", trouble or "the display is back")


def _is_over(reply: Reply) -> bool:
    record = reply.session.record
    return record is not None and record.game.phase is Phase.OVER


def _decide_until_stopped(app: App) -> None:
    """Run the table until Ctrl-C or SIGTERM; a second one ends the process at once."""

    def stop(number: int, frame: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        app.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    app.run()


# --- the commands --------------------------------------------------------------------------------


def run(options: argparse.Namespace) -> None:
    """Referee on a Pi, with dice from the kernel."""
    config = configuration.load_config(options.config)
    factory = pin_factory(config.pin_factory, config.journal)
    device = open_device(config.display, factory)
    parts = Parts(
        factory=factory,
        device=device,
        folder=config.journal,
        dice=KERNEL,
        chamber=config.chamber,
    )
    with table(config, parts) as app:
        _decide_until_stopped(app)
        if not app.alive():
            raise PinsError("the pins report no presses any more: start `referee run` again")


def simulate(options: argparse.Namespace) -> None:
    """Referee without hardware: by the page, by a script, or by itself."""
    config = configuration.load_config(options.config)
    config = replace(config, ruleset=options.ruleset or config.ruleset)
    if options.script is not None:
        _simulate_script(config, options)
    elif options.auto:
        _simulate_auto(config, options)
    else:
        _simulate_page(config, options)


def _simulate_page(config: Config, options: argparse.Namespace) -> None:
    """Serve the page until Ctrl-C, with dice from the kernel."""
    if options.seed is not None or options.seats is not None:
        raise UsageError(
            "--seed and --seats go with --auto or --script: the page's dice can't be chosen"
        )
    from pi_app.web.state import Newest

    factory, glass = pin_factory("mock"), Glass()
    hands = Hands(config.buttons, factory)
    newest = Newest(hands, glass)
    folder = options.folder or _state_folder() / "simulate"
    parts = Parts(
        factory=factory, device=lambda: glass, folder=folder, dice=KERNEL, watch=newest.watch
    )
    with listen(options.port) as sock, table(config, parts) as app:
        from pi_app.web.server import PageServer

        server = PageServer(newest, hands, sock)
        print(f"{url(sock)}  (Ctrl-C ends; the game stays in {folder})", flush=True)
        try:
            _decide_until_stopped(app)
        finally:
            server.close()


def _simulate_script(config: Config, options: argparse.Namespace) -> None:
    if options.seats is not None:
        raise UsageError("--seats goes with --auto: in a script, players join by their buttons")
    presses = parse_script(_text(options.script))
    with simulation(config, options.seed or 0, options.folder) as played:
        played.play_script(presses)


def _simulate_auto(config: Config, options: argparse.Namespace) -> None:
    seed = options.seed or 0
    with simulation(config, seed, options.folder) as played:
        Player(played, Random(f"player {seed}")).play(options.seats or (0, 1, 2, 3))


@contextmanager
def simulation(
    config: Config,
    seed: int,
    folder: Path | None,
    confirmed: Callable[[Row], None] = lambda row: print(row_text(row), flush=True),
) -> Iterator[Simulation]:
    """Open a table on a virtual clock, by default with a new journal that is thrown away."""
    clock, factory, glass = VirtualClock(), pin_factory("mock"), Glass()
    with ExitStack() as closing:
        if folder is None:
            throwaway = tempfile.TemporaryDirectory("-referee", dir=memory_folder())
            folder = Path(closing.enter_context(throwaway))
        parts = Parts(
            factory=factory,
            device=lambda: glass,
            folder=folder,
            dice=seeded_dice(seed),
            clock=clock,
            now=clock,
            stepped=True,
            confirmed=confirmed,
            fault=_raise,
        )
        app = closing.enter_context(table(config, parts))
        yield Simulation(app, clock, Hands(config.buttons, factory), glass)


def check_config(options: argparse.Namespace) -> None:
    """Say everything that is wrong with a configuration file."""
    wrong = configuration.check(options.file)
    for sentence in wrong:
        print(sentence)
    if wrong:
        raise SystemExit(1)
    print(f"{options.file} can be used")


def _raise(fault: Exception) -> None:
    raise fault


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not text in UTF-8") from None


def _state_folder() -> Path:
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(home) / "pachisi-referee"


# --- the command line -----------------------------------------------------------------------------


def _seats(text: str) -> tuple[int, ...]:
    seats = tuple(int(word) for word in text.split(",") if word in ("0", "1", "2", "3"))
    if len(seats) != text.count(",") + 1 or not 2 <= len(set(seats)) == len(seats) <= SEATS:
        raise argparse.ArgumentTypeError(f"{text!r} is not two to four seats such as 0,2")
    return seats


def parser() -> argparse.ArgumentParser:
    """Return the command line's parser."""
    top = argparse.ArgumentParser("referee", description=WHAT, allow_abbrev=False)
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    runs = commands.add_parser("run", help="referee on a Raspberry Pi", allow_abbrev=False)
    runs.set_defaults(command=run)
    runs.add_argument("--config", type=Path, default=configuration.DEFAULT, metavar="FILE")
    _add_simulate(commands)
    talks = commands.add_parser("chamber", help="talk to the lit chamber by hand, test dice")
    talks.set_defaults(command=chamber_cli.main)
    chamber_cli.add_arguments(talks)
    checks = commands.add_parser("check-config", help="say what is wrong with a configuration")
    checks.set_defaults(command=check_config)
    checks.add_argument("file", type=Path, nargs="?", default=configuration.DEFAULT)
    return top


def _add_simulate(commands: Any) -> None:
    plays = commands.add_parser(
        "simulate",
        help="play without hardware, on a page in the browser",
        description="Play without hardware: on a page, by a script, or let it play alone.",
        epilog=f"Scripts are text. {FORMAT}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    plays.set_defaults(command=simulate)
    plays.add_argument("--config", type=Path, default=configuration.DEFAULT, metavar="FILE")
    plays.add_argument("--folder", type=Path, help="where the journal is kept")
    plays.add_argument("--port", type=int, help="the page's port, any free one by default")
    plays.add_argument("--ruleset", choices=list(PRESETS), help="the rule set to begin with")
    how = plays.add_mutually_exclusive_group()
    how.add_argument("--script", type=Path, metavar="FILE", help="play timed presses, no page")
    how.add_argument("--auto", action="store_true", help="play a whole game alone, no page")
    plays.add_argument("--seed", type=int, help="what the dice of --script and --auto fall by")
    plays.add_argument("--seats", type=_seats, help="who plays with --auto, as in 0,2")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; an error is one sentence and exit status 1."""
    options = parser().parse_args(arguments)
    logging.basicConfig(format="referee: %(message)s")
    try:
        options.command(options)
    except BrokenPipeError:  # whoever read what is printed has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None
    except OSError as error:
        what = f"{error.filename}: {error.strerror}" if error.filename else error
        raise SystemExit(f"referee: {what}") from None
    except ERRORS as error:
        raise SystemExit(f"referee: {error}") from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
