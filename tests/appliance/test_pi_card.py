"""An image that `make card-test` can't try is refused in one sentence; a card keeps its files."""

import lzma
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.appliance.pi_card import CARD, GET, Card, make_image, open_image, write_all
from tests.asked import can_not_run

FIRMWARE = {"cmdline.txt": "root=PARTUUID=5f1c2a3b-02\n"}
INFO = "var/lib/dpkg/info"
LITE = {
    "usr/lib/os-release": "VERSION_CODENAME=trixie\n",
    f"{INFO}/libc6:arm64.list": "/usr/lib/aarch64-linux-gnu\n",
    f"{INFO}/cloud-init.list": "/usr/bin/cloud-init\n",
}


def image_of(
    folder: Path, system: Mapping[str, str] = LITE, firmware: Mapping[str, str] = FIRMWARE
) -> Path:
    if missing := [tool for tool in ("mkfs.vfat", "mcopy", "mke2fs") if not shutil.which(tool)]:
        can_not_run(f"PATH has no {missing[0]}: install dosfstools, e2fsprogs and mtools")
    write_all(folder / "root", system)
    make_image(folder / "raspios.img", firmware, folder / "root")
    return folder / "raspios.img"


def refusal(image: Path) -> str:
    with pytest.raises(SystemExit) as end:
        open_image(image, image.parent)
    return str(end.value.code)


def test_an_image_of_lite_is_taken(tmp_path: Path) -> None:
    image = image_of(tmp_path)
    assert open_image(image, tmp_path) == Card(image)


@pytest.mark.parametrize(
    ("path", "text", "fault"),
    [
        ("usr/lib/os-release", "VERSION_CODENAME=bookworm\n", "a system other than trixie"),
        (f"{INFO}/libc6:arm64.list", "", "a system of 32 bits"),
        (f"{INFO}/cloud-init.list", "", "older than cloud-init, of November 2025"),
    ],
)
def test_another_system_is_refused(path: str, text: str, fault: str, tmp_path: Path) -> None:
    image = image_of(tmp_path, LITE | {path: text})
    assert refusal(image) == f"{image} is {fault}: {GET}"


def test_an_image_without_a_kernel_s_line_is_refused(tmp_path: Path) -> None:
    image = image_of(tmp_path, firmware={"config.txt": ""})
    assert refusal(image) == f"{image} is without cmdline.txt in its first partition: {GET}"


def test_half_an_image_is_refused(tmp_path: Path) -> None:
    image = image_of(tmp_path)
    with image.open("r+b") as file:
        file.truncate(1 << 30)
    assert refusal(image) == f"{image} is cut off before its end: {GET}"


def test_an_image_whose_first_partition_is_no_fat_is_refused(tmp_path: Path) -> None:
    image = image_of(tmp_path)
    with image.open("r+b") as file:
        file.seek(446 + 4)
        file.write(b"\x83")
    assert "not an image of a Pi's card" in refusal(image)


@pytest.mark.parametrize("content", [b"", b"a letter\n", b"\x1f\x8b" + bytes(2000)])
def test_a_file_that_is_no_image_is_refused_packed_or_not(content: bytes, tmp_path: Path) -> None:
    image = tmp_path / "raspios.img"
    image.write_bytes(content)
    assert "not an image of a Pi's card" in refusal(image)
    image.write_bytes(lzma.compress(content))
    assert "not an image of a Pi's card" in refusal(image)


@pytest.mark.parametrize("length", [20, 80])
def test_half_an_archive_is_refused(length: int, tmp_path: Path) -> None:
    image = tmp_path / "raspios.img.xz"
    image.write_bytes(lzma.compress(bytes(range(256)))[:length])
    assert refusal(image) == f"{image} is damaged: {GET}"


def test_a_card_of_8_gb_keeps_the_files_of_an_image(tmp_path: Path) -> None:
    card = Card(image_of(tmp_path)).copy(tmp_path / "card.img")
    card.grow()
    card.put({"pachisi-referee/settings": b"page=no\r\n"})
    assert card.read("pachisi-referee/settings") == "page=no\n"
    assert card.read("cmdline.txt") == FIRMWARE["cmdline.txt"]
    assert card.system("/usr/lib/os-release") == LITE["usr/lib/os-release"]
    assert card.path.stat().st_size == CARD == sum(card.partitions()[-1][1:])
