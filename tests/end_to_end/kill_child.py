"""A table that plays on and on until it is killed, one kind of thing done often; by test_kill.py.

It prints where it stands when it starts, then each row once that is confirmed, and what is set once
that is shown.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

from pi_app.config.keys import DEFAULT
from pi_app.config.reading import load_config
from pi_app.model.events import Button, Kind
from pi_app.model.history import Row
from pi_app.simulate.hands import button_name
from pi_app.simulate.player import SimulatedPlayer
from pi_app.simulate.simulation import open_simulation, row_text
from pi_app.table.core.state import Session
from pi_app.table.modes.care.correcting import Correcting, Placing
from pi_app.table.modes.menu.menu import Menu
from rules.game import Phase

SEATS = ((0, 2), (0, 1, 2, 3), (3, 1, 2))
STANDING = (Phase.THROW, Phase.MOVE)
SET = (("setup", "sound"), ("setup", "brightness"), ("setup", "children"), ("dice", "dice"))


def standing(session: Session) -> str:
    """Return where the game stands, the throw on the table and those that wait included."""
    return repr(session.record and (session.record.game, session.record.waiting))


def say(line: str) -> None:
    print(line, flush=True)


def say_set(session: Session) -> None:
    say(f"set {json.dumps(session.settings.kept, sort_keys=True)}")


def confirmed(row: Row) -> None:
    say(row_text(row))


def undo(player: SimulatedPlayer) -> None:
    if player.table.app.session.playing.undoable:
        player.choose_in_menu(player.game.seat, "undo")


def type_in(player: SimulatedPlayer) -> None:
    """Type a throw in where one is to be made, or type the one that was typed in anew."""
    record = player.table.app.session.playing
    if player.game.phase in (Phase.ORDER, Phase.THROW) and record.ready is None:
        player.choose_in_menu(player.game.seat, "dice", "type")
    elif record.typed and player.game.throw:
        player.choose_in_menu(player.game.seat, "dice", "retype")
    player.settle()


def correct(player: SimulatedPlayer) -> None:
    """Correct a pawn of some seat to some place; where that can't stand, leave it."""
    seat = player.game.seat
    if player.game.phase not in STANDING:
        return
    player.choose_in_menu(seat, "board", "correct")
    choose_line(player, seat, player.chance.randrange(len(player.game.seats)))
    while isinstance(player.table.app.session.mode, Placing):
        for _ in range(player.chance.randrange(8)):
            tap(player, seat, "next")
        tap(player, seat, "ok")
    mode = player.table.app.session.mode
    if isinstance(mode, Correcting):
        recordable = "record" in mode.options(player.table.app.session)
        choose_line(player, seat, 0 if recordable else -1)
    leave_menu(player, seat)


def set_something(player: SimulatedPlayer) -> None:
    seat = player.game.seat
    if player.game.phase is Phase.OVER:
        return
    player.choose_in_menu(seat, *player.chance.choice(SET))
    say_set(player.table.app.session)
    leave_menu(player, seat)


def choose_line(player: SimulatedPlayer, seat: int, line: int) -> None:
    mode = player.table.app.session.mode
    assert isinstance(mode, Correcting)
    count = len(mode.lines(player.table.app.session))
    for _ in range((line - mode.index) % count):
        tap(player, seat, "next")
    tap(player, seat, "ok")


def leave_menu(player: SimulatedPlayer, seat: int) -> None:
    if isinstance(player.table.app.session.mode, Menu):
        player.hold_next(seat)


def tap(player: SimulatedPlayer, seat: int, kind: Kind) -> None:
    player.table.tap(button_name(Button(seat, kind)))


KINDS: dict[str, Callable[[SimulatedPlayer], None]] = {
    "undo": undo,
    "typed": type_in,
    "corrections": correct,
    "settings": set_something,
}


def main(folder: Path, seed: int, kind: str) -> None:
    chance = Random(seed)
    with open_simulation(load_config(DEFAULT), seed, folder, confirmed) as played:
        say(standing(played.app.session))
        say_set(played.app.session)
        player = SimulatedPlayer(played, chance)
        while True:
            if played.app.session.record is None or player.game.places:
                player.begin(chance.choice(SEATS))
            elif chance.random() < 0.3:
                player.settle()
                KINDS[kind](player)
            else:
                player.act()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
