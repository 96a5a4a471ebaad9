"""A backup on a USB stick, which may be pulled at any moment: the disks listed, the mount faked."""

import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EIO, ENOSPC, EROFS
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pi_app.__main__ import main
from pi_app.commands.stick import (
    NAME,
    Stick,
    back_up,
    fetch_journal,
    find_stick,
    replace_backup,
    use_stick,
)
from pi_app.model.events import Answer, Result

CARD = {"path": "/dev/mmcblk0", "tran": "mmc", "fstype": None, "ro": False, "mountpoints": [None]}


def part(
    path: str, fstype: str | None = "vfat", mounted: str | None = None, ro: bool = False
) -> Any:
    return {"path": path, "tran": None, "fstype": fstype, "ro": ro, "mountpoints": [mounted]}


def disks(*parts: Any) -> bytes:
    """Return what lsblk prints: the card, and a USB disk for each of these partitions."""
    usb = [{**part(one["path"][:-1], None), "tran": "usb", "children": [one]} for one in parts]
    return json.dumps({"blockdevices": [CARD, *usb]}).encode()


@pytest.mark.parametrize(
    ("listed", "found"),
    [
        (disks(part("/dev/sda1")), Stick("/dev/sda1", "vfat")),
        (disks(part("/dev/sda1", "exfat", "/media/pi/STICK")), Stick("/dev/sda1", "exfat")),
        (disks(part("/dev/sda1", "ext4", "/"), part("/dev/sdb1")), Stick("/dev/sdb1", "vfat")),
        (
            json.dumps({"blockdevices": [{**part("/dev/sda"), "tran": "usb"}]}).encode(),
            Stick("/dev/sda", "vfat"),
        ),
        (disks(), "no-stick"),
        (disks(part("/dev/sda1", "ext4", "/mnt/games")), "no-stick"),
        (disks(part("/dev/sda1"), part("/dev/sdb1")), "two-sticks"),
        (disks(part("/dev/sda1", "ntfs")), "unknown-format"),
        (disks(part("/dev/sda1", None)), "unknown-format"),
        (disks(part("/dev/sda1", ro=True)), "read-only"),
    ],
)
def test_the_only_stick_is_found_and_never_the_card_or_a_disk_in_use(
    listed: bytes, found: Stick | str
) -> None:
    assert find_stick(listed) == found


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A backup as the unit makes it."""
    folder = tmp_path / "made"
    (folder / "imported").mkdir(parents=True)
    (folder / "about.txt").write_text("journal.db contains 12 games (340 actions)\n")
    (folder / "journal.db").write_bytes(b"new")
    (folder / "imported" / "1.jsonl").write_text("{}")
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def used(folder: Path, to: Path, fault: int = 0, restores: bool = False) -> Answer | None:
    @contextmanager
    def mount(found: Stick) -> Iterator[Path]:
        if fault:
            raise OSError(fault, os.strerror(fault))
        yield to

    work = partial(fetch_journal if restores else back_up, folder)
    return use_stick(work, lambda: disks(part("/dev/sda1")), mount)


def test_a_backup_takes_the_place_of_the_last_one_and_is_counted(
    made: Path, tmp_path: Path
) -> None:
    to = tmp_path / "stick"
    (to / NAME).mkdir(parents=True)
    (to / NAME / "journal.db").write_bytes(b"old")
    assert used(made, to) == Answer("done", 12)
    assert contents(to) == {f"{NAME}/{name}": data for name, data in contents(made).items()}


@pytest.mark.parametrize(
    ("fault", "result"), [(ENOSPC, "full"), (EROFS, "read-only"), (EIO, "failed")]
)
def test_why_there_is_no_backup(made: Path, tmp_path: Path, fault: int, result: Result) -> None:
    assert used(made, tmp_path, fault) == Answer(result)


def test_without_a_game_or_a_copy_the_last_backup_stays(made: Path, tmp_path: Path) -> None:
    (made / "about.txt").write_text("journal.db contains 0 games (0 actions)\n")
    assert used(made, tmp_path / "nowhere") == Answer("no-games")
    (made / "about.txt").write_text("")
    assert used(made, tmp_path / "nowhere") == Answer("failed")


def test_a_journal_comes_back_from_the_backup_or_from_the_last_one(tmp_path: Path) -> None:
    card, to = tmp_path / "card", tmp_path / "stick"
    card.mkdir()
    to.mkdir()
    assert used(card, to, restores=True) == Answer("no-backup")
    for name in (f"{NAME}.old", NAME):
        (to / name).mkdir()
        (to / name / "journal.db").write_text(name)
        assert used(card, to, restores=True) is None
        assert (card / "journal.db").read_text() == name


class Pull:
    """Counts what is done to files, and refuses everything from some moment on."""

    def __init__(self) -> None:
        self.left: int | None = None

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.left is not None and event in {
            "open",
            "os.mkdir",
            "os.rename",
            "os.remove",
            "os.rmdir",
        }:
            self.left -= 1
            if self.left < 0:
                raise OSError(EIO, "pulled")


PULL = Pull()
sys.addaudithook(PULL)  # it can't be removed, and does nothing while `left` is None


@pytest.mark.parametrize("was_pulled", [False, True])
def test_pulled_at_any_moment_it_has_a_complete_backup(
    made: Path, tmp_path: Path, was_pulled: bool
) -> None:
    """was_pulled: the time before, too, between the two renamings."""
    old = {"journal.db": b"old", "about.txt": b""}
    for moment in range(100):
        to = tmp_path / str(moment)
        last = to / f"{NAME}.old" if was_pulled else to / NAME
        last.mkdir(parents=True)
        for name, data in old.items():
            (last / name).write_bytes(data)
        if was_pulled:
            shutil.copytree(made, to / f"{NAME}.new")
        PULL.left = moment
        try:
            replace_backup(to, made)
        except OSError:
            pass
        finally:
            done, PULL.left = PULL.left >= 0, None
        kept = next(to / name for name in (NAME, f"{NAME}.old") if (to / name).exists())
        assert contents(kept) in (old, contents(made)), moment
        replace_backup(to, made)
        assert contents(to) == {f"{NAME}/{name}": data for name, data in contents(made).items()}
        if done:
            assert moment > 10
            return
    raise AssertionError("it was never finished")


def test_the_command_writes_the_answer_in_one_step_and_through_no_link(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, victim = tmp_path / "answer", tmp_path / "victim"
    victim.write_text("")
    answer.with_suffix(".half").symlink_to(victim)
    answer.symlink_to(victim)
    monkeypatch.setenv("PATH", "")  # so there is no lsblk
    main(["stick", str(made), str(answer)])
    assert (answer.read_text(), answer.is_symlink(), victim.read_text()) == ("failed 0", False, "")
