"""`referee safe-to-unplug`: said only when no disk can be written, and left on the panel."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pi_app.commands.safe_to_unplug import writable_mounts
from pi_app.display.view import draw
from pi_app.record.journal import FILE, load
from pi_app.table.telling import last_pages
from pi_app.texts.language import language
from tests.end_to_end.service import METAL, ROOT, on_glass
from tests.pi_app.record.journals import commit

pytestmark = pytest.mark.slow  # nearly each test starts a process

AT_THE_END = """\
/dev/root / ext4 ro,noatime 0 0
devtmpfs /dev devtmpfs rw,relatime,size=188788k 0 0
proc /proc proc rw,relatime 0 0
sysfs /sys sysfs rw,nosuid,nodev,noexec,relatime 0 0
tmpfs /run tmpfs rw,nosuid,nodev,mode=755 0 0
cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid,nodev,noexec,relatime 0 0
"""
CARD = "/dev/mmcblk0p1 /boot/firmware vfat rw,relatime,errors=remount-ro 0 0\n"
STICK = "/dev/sda1 /media/my\\040stick ext4 ro,relatime 0 0\n"
STILL = {
    "all read-only": (AT_THE_END + STICK, []),
    "the boot partition": (AT_THE_END + CARD, ["/boot/firmware"]),
    "the root": (AT_THE_END.replace("ext4 ro", "ext4 rw") + CARD, ["/", "/boot/firmware"]),
    "an option that only begins so": ("/dev/sda1 / ext4 ro,rwsomething 0 0\n", []),
    "nothing mounted": ("", []),
}


@pytest.mark.parametrize("what", STILL)
def test_what_can_still_be_written(what: str) -> None:
    mounts, places = STILL[what]
    assert writable_mounts(mounts) == places


OPPOSITE = "[[display]]\n[[display]]\ni2c_address = 0x3D\nrotation = 180\n"
DRAWN = draw(last_pages.SAFE_TO_UNPLUG)


def unplug(folder: Path, mounts: str, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "mounts").write_text(mounts)
    mounted = ("--mounts", str(folder / "mounts"))
    return subprocess.run(
        [sys.executable, "-m", "pi_app", "safe-to-unplug", *mounted, *options],
        env={**os.environ, "PYTHONPATH": f"{METAL}:{ROOT}", "METAL": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_where_it_is_safe_the_panel_says_so_and_goes_on_saying_it(tmp_path: Path) -> None:
    done = unplug(tmp_path, AT_THE_END)
    assert (done.returncode, done.stderr) == (0, "")
    pixels = (tmp_path / "panel").read_bytes()
    assert on_glass(pixels).tobytes() == DRAWN.tobytes()


def test_where_it_is_not_the_panel_is_left_as_it_is_and_the_reason_told(tmp_path: Path) -> None:
    done = unplug(tmp_path, AT_THE_END + CARD)
    assert done.returncode == 1
    assert done.stderr == "referee: not safe to unplug: /boot/firmware can still be written\n"
    assert not (tmp_path / "panel").exists()


def test_without_a_panel_that_is_told(tmp_path: Path) -> None:
    (tmp_path / "absent").touch()
    done = unplug(tmp_path, AT_THE_END)
    assert done.returncode == 1
    assert "the display can't be reached" in done.stderr


def test_two_panels_both_say_so(tmp_path: Path) -> None:
    (tmp_path / "two.toml").write_text(OPPOSITE)
    done = unplug(tmp_path, AT_THE_END, "--config", str(tmp_path / "two.toml"))
    assert (done.returncode, done.stderr) == (0, "")
    assert on_glass((tmp_path / "panel").read_bytes()).tobytes() == DRAWN.tobytes()
    turned = on_glass((tmp_path / "panel-3d").read_bytes())
    assert turned.tobytes() == DRAWN.rotate(180).tobytes()


@pytest.mark.parametrize(("kept", "code"), [((("language", "de"),), "de"), ((), "es")])
def test_it_is_said_in_the_language_that_the_players_chose_and_else_in_the_configured_one(
    tmp_path: Path, kept: tuple[tuple[str, str], ...], code: str
) -> None:
    (tmp_path / "games").mkdir()
    journal, _ = load(tmp_path / "games" / FILE)
    commit(journal, (), None, puts=kept)
    journal.close()
    tables = f'table.journal_folder = "{tmp_path}/games"\nsettings.language = "es"\n'
    second = OPPOSITE.replace("rotation = 180", 'language = "fr"')
    (tmp_path / "two.toml").write_text(tables + second)
    done = unplug(tmp_path, AT_THE_END, "--config", str(tmp_path / "two.toml"))
    assert (done.returncode, done.stderr) == (0, "")
    for panel, spoken in (("panel", code), ("panel-3d", "fr")):
        drawn = draw(last_pages.SAFE_TO_UNPLUG, language(spoken))
        assert on_glass((tmp_path / panel).read_bytes()).tobytes() == drawn.tobytes()


def test_where_one_of_two_panels_is_missing_the_other_says_it(tmp_path: Path) -> None:
    (tmp_path / "two.toml").write_text(OPPOSITE)
    (tmp_path / "absent").touch()
    done = unplug(tmp_path, AT_THE_END, "--config", str(tmp_path / "two.toml"))
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "panel-3d").exists()
    (tmp_path / "absent-3d").touch()
    done = unplug(tmp_path, AT_THE_END, "--config", str(tmp_path / "two.toml"))
    assert done.returncode == 1
    assert "referee: the first display can't be reached" in done.stderr


@pytest.mark.parametrize(
    ("verb", "ran"), [("poweroff", True), ("halt", True), ("reboot", False), ("kexec", False)]
)
def test_systemds_last_call_runs_it_when_the_power_goes(
    tmp_path: Path, verb: str, ran: bool
) -> None:
    script = (ROOT / "systemd" / "safe-to-unplug").read_text()
    mine = tmp_path / "safe-to-unplug"
    mine.write_text(script.replace("/usr/bin/referee", str(tmp_path / "referee")))
    (tmp_path / "referee").write_text(f'#!/bin/sh\necho "$@" "$LG_WD" >{tmp_path}/ran\n')
    (tmp_path / "referee").chmod(0o755)
    mine.chmod(0o755)
    subprocess.run([str(mine), verb], check=True)
    assert (tmp_path / "ran").exists() == ran
    if ran:
        assert (tmp_path / "ran").read_text() == "safe-to-unplug /run\n"
