"""How much room the journal's disk has, and whether it keeps what is written."""

import os
import shutil
from pathlib import Path

import pytest

from pi_app.record.disk import free_bytes, is_in_memory, is_nearly_full


def test_it_is_what_the_disk_says(tmp_path: Path) -> None:
    room = free_bytes(tmp_path)
    assert room == pytest.approx(shutil.disk_usage(tmp_path).free, abs=1e9)
    assert free_bytes(tmp_path / "nowhere") is None


@pytest.mark.parametrize(
    ("room", "little"), [(0, True), (49_999_999, True), (50_000_000, False), (None, False)]
)
def test_below_50_mb_is_little(room: int | None, little: bool) -> None:
    assert is_nearly_full(room) is little


@pytest.mark.parametrize(
    ("kind", "lost"),
    [
        ("ext4 /dev/mmcblk0p2 rw,errors=remount-ro", False),
        ("vfat /dev/sda1 rw", False),
        ("tmpfs tmpfs rw,size=186M", True),
        ("ramfs none rw", True),
        ("overlay overlayroot rw,lowerdir=/media/root-ro,upperdir=/media/root-rw/overlay", True),
        ("ext4 /dev/zram0 rw", True),
        ("ext2 /dev/ram0 rw", True),
    ],
)
def test_a_file_system_in_memory_loses_all_when_the_power_goes(
    tmp_path: Path, kind: str, lost: bool
) -> None:
    device = tmp_path.stat().st_dev
    mounts = tmp_path / "mountinfo"
    mounts.write_text(
        "22 27 0:999 / /run rw,nosuid shared:2 - tmpfs tmpfs rw\n"
        f"36 35 {os.major(device)}:{os.minor(device)} /games /var/lib rw shared:1 - {kind}\n"
    )
    assert is_in_memory(tmp_path, mounts) is lost


def test_where_nobody_knows_the_file_system_it_counts_as_a_disk(tmp_path: Path) -> None:
    assert not is_in_memory(tmp_path, tmp_path / "nowhere")
    assert not is_in_memory(tmp_path / "nowhere")


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="a system without /dev/shm")
def test_shared_memory_is_memory() -> None:
    assert is_in_memory(Path("/dev/shm"))
