"""Tables on real file systems that are full, read-only or gone; test_real_disks.py starts each.

Each runs in mounts of its own, those of `AS_ROOT` as root indeed.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from random import Random
from typing import NoReturn

import pytest

from pi_app.config.keys import DEFAULT
from pi_app.config.reading import load_config
from pi_app.model.history import Row, fold
from pi_app.model.screens import TextScreen
from pi_app.record.copying import copy_journal
from pi_app.record.journal import FILE, load
from pi_app.record.trouble import JournalError
from pi_app.simulate.player import PlayerError, SimulatedPlayer
from pi_app.simulate.simulation import Simulation, open_simulation, row_text
from pi_app.table.modes.play.refused_press import RefusedPress
from pi_app.table.session import Reply
from pi_app.texts.language import ENGLISH
from pi_app.texts.wording import word_screen
from rules.history import Record
from tests.pi_app.record.journal_writer import rows_of_a_game
from tests.pi_app.record.journals import commit, last_game
from tests.pi_app.sitting import notice_of

CONFIG = load_config(DEFAULT)
SEATS = (0, 2)


def mount(*arguments: object) -> None:
    subprocess.run(["mount", *map(str, arguments)], check=True)


def pull(folder: Path) -> None:
    """Take a disk away while it is in use."""
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def small_disk(folder: Path) -> Path:
    """Mount a disk of 500 kB, which has little room for a journal; return its folder."""
    disk = folder / "disk"
    disk.mkdir()
    mount("-t", "tmpfs", "-o", "size=500k", "none", disk)
    return disk


def fill(disk: Path) -> None:
    """Leave not a byte of room."""
    with (disk / "photos").open("wb", buffering=0) as file:
        for size in (4096, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                continue


def on_the_disk(disk: Path) -> list[Row]:
    """Return the newest game's rows as the next start reads them; nothing is missing."""
    journal, found = load(disk / FILE)
    rows = last_game(disk / FILE)
    journal.close()
    assert (found.missing, found.warning) == (0, None), found
    return list(rows)


class Game:
    """A game by two players that goes on and on, and the rows that it has confirmed."""

    def __init__(self, disk: Path) -> None:
        self.confirmed: list[Row] = []
        self.said: list[str] = []
        self.opening = open_simulation(CONFIG, 7, disk, self.confirmed.append)
        self.table: Simulation = self.opening.__enter__()
        self.player = SimulatedPlayer(self.table, Random("players"))
        self.table.app.outputs = (*self.table.app.outputs, self.listen)

    def listen(self, reply: Reply, now: float) -> None:
        self.said.append(notice_of(reply))

    def act(self, times: int) -> None:
        for _ in range(times):
            self.player.act()

    def screen(self) -> TextScreen[str]:
        """Return the question that is asked now."""
        mode = self.table.app.session.mode
        assert isinstance(mode, RefusedPress), mode
        screen = word_screen(mode.show(self.table.app.session).screen, ENGLISH)
        assert isinstance(screen, TextScreen)
        return screen

    def act_until_asked(self) -> str:
        """Act on until a press is not taken; return why not."""
        while not self.asked:
            with suppress(PlayerError, AttributeError):  # this screen is none that it knows
                self.player.act()
        return self.screen().title

    @property
    def asked(self) -> bool:
        return isinstance(self.table.app.session.mode, RefusedPress)

    def play_on_unsaved(self) -> None:
        self.wait(1.0)
        self.table.tap("A.ok", hold_s=1.1)
        assert self.table.app.session.unsaved

    def wait(self, seconds: float) -> None:
        self.table.wait_until(self.table.clock.now + seconds)

    def end(self) -> None:
        self.opening.__exit__(None, None, None)


def full(folder: Path) -> None:
    """A disk runs full in mid-game, the game goes on unsaved, and somebody makes room."""
    disk = small_disk(folder)
    game = Game(disk)
    game.player.begin(SEATS)
    game.act(5)
    fill(disk)
    assert game.act_until_asked() == "The disk is full"
    assert fold(game.confirmed) == game.table.app.session.record
    game.play_on_unsaved()
    before = len(game.confirmed)
    game.act(40)
    assert len(game.confirmed) == before
    (disk / "photos").unlink()
    game.wait(6.0)
    assert "saved-again" in game.said
    assert len(game.confirmed) > before + 30
    game.act(5)
    played = game.table.app.session.record
    game.end()
    assert on_the_disk(disk) == game.confirmed
    assert fold(game.confirmed) == played


def full_to_the_end(folder: Path) -> None:
    """A disk stays full until the table ends: all that was confirmed before is there."""
    disk = small_disk(folder)
    game = Game(disk)
    game.player.begin(SEATS)
    game.act(5)
    fill(disk)
    game.act_until_asked()
    game.play_on_unsaved()
    game.act(20)
    game.end()
    (disk / "photos").unlink()
    assert on_the_disk(disk) == game.confirmed


def killed(folder: Path) -> None:
    """A table is killed while rows wait: it loses these and nothing else, and misses nothing."""
    disk = small_disk(folder)
    told, tell = os.pipe()
    table = os.fork()
    if table == 0:
        play_unsaved_for_ever(disk, tell)
    os.close(tell)
    with os.fdopen(told) as said:
        confirmed = [said.readline().rstrip("\n") for _ in range(int(said.readline()))]
        os.kill(table, signal.SIGKILL)
        os.waitpid(table, 0)
    (disk / "photos").unlink()
    assert [row_text(row) for row in on_the_disk(disk)] == confirmed


def play_unsaved_for_ever(disk: Path, tell: int) -> NoReturn:
    """Play until rows wait, tell how many are confirmed and which, and play on."""
    game = Game(disk)
    game.player.begin(SEATS)
    game.act(5)
    fill(disk)
    game.act_until_asked()
    game.play_on_unsaved()
    game.act(10)
    lines = [str(len(game.confirmed)), *map(row_text, game.confirmed), ""]
    os.write(tell, "\n".join(lines).encode())
    while True:
        game.act(1)


def begun(disk: Path) -> tuple[Game, Record | None]:
    """Play the beginning of a game and end the table; return it, and how the game stood."""
    game = Game(disk)
    game.player.begin(SEATS)
    game.act(12)
    stood = game.table.app.session.record
    game.end()
    return game, stood


def full_at_start(folder: Path) -> None:
    """A table starts on a full disk: the game in progress is there, and the question is asked."""
    disk = small_disk(folder)
    first, stood = begun(disk)
    fill(disk)
    second = Game(disk)
    assert second.table.app.session.record == stood
    assert second.act_until_asked() == "The disk is full"
    second.play_on_unsaved()
    second.act(10)
    (disk / "photos").unlink()
    second.wait(6.0)
    second.end()
    assert len(second.confirmed) >= 10
    assert on_the_disk(disk) == first.confirmed + second.confirmed


def locked_at_start(folder: Path) -> None:
    """A table starts on a read-only disk that can be written later."""
    disk = small_disk(folder)
    first, stood = begun(disk)
    mount("-o", "remount,ro", disk)
    with pytest.raises(OSError, match="Read-only file system"):
        (disk / "photos").touch()
    second = Game(disk)
    assert second.table.app.session.record == stood
    assert second.act_until_asked() == "The disk is locked"
    assert second.confirmed == []
    second.play_on_unsaved()
    second.act(10)
    mount("-o", "remount,rw", disk)
    second.wait(6.0)
    assert "saved-again" in second.said
    second.act(3)
    second.end()
    assert on_the_disk(disk) == first.confirmed + second.confirmed


def killed_and_locked(folder: Path) -> None:
    """A table starts on a read-only disk on which its log was never folded in."""
    disk = small_disk(folder)
    child = f"{Path(__file__).parent}/kill_child.py"
    with subprocess.Popen(
        [sys.executable, child, str(disk), "3", "undo"], stdout=subprocess.PIPE, text=True
    ) as played:
        assert played.stdout is not None
        for _ in range(25):
            played.stdout.readline()
        played.kill()
        played.stdout.read()
    mount("-o", "remount,ro", disk)
    game = Game(disk)
    stands = game.table.app.session.record
    game.end()
    mount("-o", "remount,rw", disk)
    assert fold(on_the_disk(disk)) == stands


def pulled(folder: Path) -> None:
    """A disk is pulled in mid-game, put back locked, and then unlocked."""
    disk = small_disk(folder)
    slot = folder / "slot"
    slot.mkdir()
    mount("--bind", disk, slot)
    game = Game(slot)
    game.player.begin(SEATS)
    game.act(5)
    pull(slot)
    assert game.act_until_asked() == "The disk is gone"
    game.play_on_unsaved()
    game.act(10)
    assert list(slot.iterdir()) == []
    mount("--bind", disk, slot)
    mount("-o", "remount,bind,ro", slot)
    game.act(10)
    assert game.table.app.has_waiting_rows
    mount("-o", "remount,bind,rw", slot)
    game.act(1)
    assert not game.table.app.has_waiting_rows
    game.act(5)
    game.end()
    assert on_the_disk(slot) == game.confirmed


def locked_by_the_kernel(folder: Path) -> None:
    """A card's file system is found faulty in mid-game and locked; then it is mounted anew."""
    image, disk = folder / "image", folder / "card"
    disk.mkdir()
    with image.open("wb") as file:
        file.truncate(8_000_000)
    subprocess.run(["mkfs.ext4", "-q", str(image)], check=True)
    mount("-o", "loop", image, disk)
    game = Game(disk)
    game.player.begin(SEATS)
    game.act(5)
    subprocess.run(["mount", "-o", "remount,abort", str(disk)], check=False)
    assert game.act_until_asked() in ("The disk is locked", "The disk has a fault")
    game.play_on_unsaved()
    game.act(10)
    assert game.table.app.has_waiting_rows
    pull(disk)
    mount("-o", "loop", image, disk)
    game.act(5)
    assert not game.table.app.has_waiting_rows
    game.end()
    assert on_the_disk(disk) == game.confirmed
    pull(disk)


def looked_into_while_locked(folder: Path) -> None:
    """A journal on a read-only disk is copied, and its settings are there."""
    disk = small_disk(folder)
    journal, _ = load(disk / FILE)
    commit(journal, islice(rows_of_a_game(1), 20), at=0.0)
    commit(journal, (), 0.0, puts=(("brightness", "3"),))
    journal.close()
    mount("-o", "remount,ro", disk)
    with copy_journal(disk / FILE) as (_, held):
        assert held == (1, 20)
    journal, _ = load(disk / FILE)
    assert journal.settings() == {"brightness": "3"}
    with pytest.raises(JournalError, match="Read-only file system"):
        commit(journal, (), 0.0, puts=(("brightness", "4"),))
    mount("-o", "remount,rw", disk)
    commit(journal, (), 0.0, puts=(("brightness", "4"),))
    assert journal.settings() == {"brightness": "4"}
    journal.close()


def locked_and_empty(folder: Path) -> None:
    """Where there is no journal and none can be made, that is one sentence."""
    disk = small_disk(folder)
    mount("-o", "remount,ro", disk)
    told = r"can't be opened \(Read-only file system\): name a folder that can be written"
    with pytest.raises(JournalError, match=told):
        load(disk / FILE)


AS_ROOT: dict[str, Callable[[Path], None]] = {"locked_by_the_kernel": locked_by_the_kernel}
SCENARIOS: dict[str, Callable[[Path], None]] = {
    scenario.__name__: scenario
    for scenario in (
        full,
        full_to_the_end,
        full_at_start,
        killed,
        locked_at_start,
        killed_and_locked,
        looked_into_while_locked,
        locked_and_empty,
        pulled,
    )
}

if __name__ == "__main__":
    {**SCENARIOS, **AS_ROOT}[sys.argv[1]](Path(sys.argv[2]))
