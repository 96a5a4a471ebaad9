"""`referee run`: runs the table on a Raspberry Pi, with dice from the kernel."""

import argparse
import faulthandler
import logging
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from socket import gethostname

from pi_app.commands import LastingError, add_config
from pi_app.commands.last_screen import leave_on_displays
from pi_app.config.keys import Config
from pi_app.config.reading import load_config
from pi_app.config.toml import ConfigError
from pi_app.devices.buttons import PinInUse, PinsError, PinsUnavailable, pin_factory
from pi_app.devices.closing import close_anyway
from pi_app.devices.oled import open_device
from pi_app.devices.own_address import numeric_address
from pi_app.model.errors import UserError
from pi_app.model.events import Address, Request
from pi_app.model.screens import Screen
from pi_app.record.clock import boot_time
from pi_app.record.journal import FILE
from pi_app.record.last_faults import keep_faults
from pi_app.record.trouble import JournalError, TooNewError
from pi_app.runtime.assembly import Parts, decide_until_stopped, open_table
from pi_app.runtime.dice import KERNEL
from pi_app.settings.offers import rules_name
from pi_app.system import requests
from pi_app.system.notify import PassedSocketError, Sockets, Unit, passed_sockets, this_unit
from pi_app.table.core.state import Session
from pi_app.table.session import Reply
from pi_app.table.telling import last_pages
from pi_app.texts.words import seat_letter
from rules.game import Phase

log = logging.getLogger("referee")

NO_PAGE = "there is no page for spectators: %s"
LIBRARIES = ("starlette", "uvicorn")  # that the page needs
PAGE_UNIT = Path("/usr/lib/systemd/system/pachisi-referee-page.socket")
DEFAULT_PORT = 80  # which browsers use if an address has none
START_ERRORS = (ConfigError, PinsError, JournalError)  # they keep the table from starting
LASTING_ERRORS = (ConfigError, PinsError, TooNewError)  # only a person can mend them
PASSING_ERRORS = (PinsUnavailable, PinInUse)  # systemd tries again
DOING = {
    Phase.ORDER: "{} to throw for who begins",
    Phase.STARTER: "who begins is chosen",
    Phase.THROW: "{} to throw",
    Phase.MOVE: "{} to move",
    Phase.PENALTY: "{} to move",
    Phase.OVER: "over",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(level=logging.INFO)  # so that games are logged
    add_config(parser)


def main(options: argparse.Namespace) -> None:
    """Run the table. If it can't start, the display and systemd show the reason too."""
    unit = this_unit()
    try:
        config = load_config(options.config)
        with keep_faults(config.journal, boot_time().boot):
            _run_table(config, unit)
    except START_ERRORS as error:
        unit.status(str(error).splitlines()[0])
        with suppress(UserError):  # the log has the reason in any case
            leave_on_displays(error_screen(error), options.config)
        if isinstance(error, LASTING_ERRORS) and not isinstance(error, PASSING_ERRORS):
            raise LastingError(str(error)) from error
        raise


def _run_table(config: Config, unit: Unit) -> None:
    factory = pin_factory(config.pin_factory)
    runtime = os.environ.get("RUNTIME_DIRECTORY")  # set by systemd; only a unit can power off
    # If the watchdog aborts us, this prints where the deciding thread was. Others run on meanwhile.
    faulthandler.enable(2, all_threads=False)
    with serve_spectators(config) as (address, page_number, show_reply):

        def watch(reply: Reply) -> None:
            unit.status(status_line(reply.session))
            show_reply(reply)

        parts = Parts(
            factory=factory,
            devices=tuple(open_device(display, factory) for display in config.displays),
            folder=config.journal,
            dice=KERNEL,
            chamber=config.chamber,
            requests=possible_requests() if runtime is not None else (),
            ask=partial(requests.ask, Path(runtime or "")),
            page=address,
            page_number=page_number,
            asks_language=True,
            beat=unit.beat,
            watch=watch,
        )
        with open_table(config, parts) as app:
            decide_until_stopped(app, unit.ready)
            unit.stopping()
            if not app.presses_arrive() and not app.session.mode.off:
                raise PinsUnavailable(
                    "no more presses arrive from the pins: start `referee run` again"
                )
    if app.session.mode.off and runtime is not None:
        requests.make_request(Path(runtime), "power-off")


def status_line(session: Session) -> str:
    """Return the state of the table as one line: `royal-2023, B to throw, turn 31`."""
    if session.mode.off:
        return "switching off"
    if session.record is None:
        return "players join"
    game = session.record.game
    doing = DOING[game.phase].format(seat_letter(game.seat))
    rules = rules_name(session.settings, game.ruleset) or "house rules"
    return ", ".join((rules, doing, *([f"turn {game.turns}"] if game.turns else [])))


def possible_requests(page_unit: Path = PAGE_UNIT) -> tuple[Request, ...]:
    """Return what the units beside ours do. page_unit: the one of the page's socket."""
    has_page = page_unit.exists() and all(map(find_spec, LIBRARIES))
    return ("power-off", "backup", "restore", *(("page-on", "page-off") if has_page else ()))


@contextmanager
def serve_spectators(
    config: Config,
) -> Iterator[tuple[Address | None, Callable[[], str], Callable[[Reply], None]]]:
    """Serve the page for spectators, and programs here, if systemd has passed their sockets.

    Yields the page's address (None if there is no page), a function that returns its numeric
    address, and one that takes each reply.
    """
    sockets = _sockets()
    if sockets == Sockets():
        yield None, lambda: "", lambda reply: None
        return
    from pi_app.web.spectators import Spectators  # few tables have a page

    page = sockets.page
    address: Address | None = None
    names: Sequence[str] = ()
    if page is not None:
        address, names = page_addresses(config.page_names, gethostname(), page.getsockname()[1])
        log.info("the page for spectators is at http://%s/", address.host)

    def page_number() -> str:
        return with_port(numeric_address(page), page.getsockname()[1]) if page is not None else ""

    spectators = Spectators(sockets, config.journal / FILE, names, config.page_export)
    try:
        yield address, page_number, spectators.watch
    finally:
        close_anyway("the page", spectators.close)


def _sockets() -> Sockets:
    """Return the sockets that systemd has passed; none of them if a library is missing."""
    try:
        sockets = passed_sockets()
        if sockets == Sockets() or all(map(find_spec, LIBRARIES)):
            return sockets
        log.warning(
            NO_PAGE, "to install its libraries, run pip install '.[page]' in the project's folder"
        )
        for sock in filter(None, sockets):
            sock.close()
    except PassedSocketError as error:
        log.warning(NO_PAGE, error)
    return Sockets()


def page_addresses(names: Sequence[str], own: str, port: int) -> tuple[Address, Sequence[str]]:
    """Return the page's address, and all host names under which browsers may ask for it.

    names: the configured host names. own: the computer's name; without `names`, the address is a
    guess from this name. port: the page's.
    """
    guessed = own.lower() if "." in own else f"{own.lower()}.local"
    host = names[0] if names else guessed
    return Address(with_port(host, port), known=bool(names)), names or (guessed, own.lower())


def with_port(host: str, port: int) -> str:
    """Return a host as browsers need it, with its port if that is unusual; "" for none."""
    return host if port == DEFAULT_PORT or not host else f"{host}:{port}"


def error_screen(error: Exception) -> Screen:
    """Return the screen for an error that keeps the table from starting.

    Raises `error` again if it is of another kind.
    """
    match error:
        case ConfigError():
            line = re.search(r"\bline (\d+)", str(error))
            return last_pages.wrong_settings(line[1] if line else "")
        case PinsUnavailable():
            return last_pages.NO_PINS
        case PinsError():
            return last_pages.WRONG_PINS
        case TooNewError():
            return last_pages.newer_games(error.maker)
        case JournalError():
            return last_pages.no_journal(error.fault)
    raise error
