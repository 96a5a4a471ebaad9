"""The packages that a card carries, chosen by apt itself from an archive of small packages."""

import io
import shutil
import subprocess
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from systemd.card.carried import collect
from tests.asked import can_not_run

DEPENDS = "python3-lgpio, python3-pil (<< 14~), python3-pil (>= 9.4), python3:any (>= 3.11~)"
ARCHIVE = {
    "avahi-daemon": "Version: 1",
    "espeak-ng": "Version: 1",
    "libc6": "Version: 2.41\nPriority: required",
    "libtiff6": "Version: 4.7.0-3+b1\nSource: tiff (4.7.0-3)\nDepends: libc6",
    "python3": "Version: 3.13",
    "python3-pil": "Version: 11.1-5\nSource: pillow\nDepends: libtiff6, python3\n"
    "Recommends: espeak-ng",
}


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    for tool in ("apt-get", "dpkg-deb", "dpkg-scanpackages"):
        if not shutil.which(tool):
            can_not_run(f"no {tool}: install Debian's dpkg-dev")
    for name, fields in ARCHIVE.items():
        control = (
            f"Package: {name}\nArchitecture: arm64\nMaintainer: A <a@b.invalid>\nDescription: A\n"
        )
        (tmp_path / name / "DEBIAN").mkdir(parents=True)
        (tmp_path / name / "DEBIAN" / "control").write_text(f"{control}{fields}\n")
        dpkg = ("dpkg-deb", "--root-owner-group", "--build", name, ".")
        subprocess.run(dpkg, cwd=tmp_path, check=True, capture_output=True)
    scan = ("dpkg-scanpackages", ".")
    index = subprocess.run(scan, cwd=tmp_path, check=True, capture_output=True).stdout
    (tmp_path / "Packages").write_bytes(index)
    return tmp_path


def collect_from(archive: Path) -> Mapping[str, bytes]:
    lite = ("?priority(required)", "avahi-daemon", "python3")
    sources = f"deb [trusted=yes] file:{archive} ./\n"
    return collect(DEPENDS, lite=lite, suites=["trixie"], sources=sources)


def test_a_card_carries_what_the_referee_needs_and_the_system_lacks_with_its_sources(
    archive: Path,
) -> None:
    files = collect_from(archive)
    with tarfile.open(fileobj=io.BytesIO(files["trixie.tar"])) as packed:
        assert packed.getnames() == [
            "Packages",
            "libtiff6_4.7.0-3+b1_arm64.deb",
            "python3-pil_11.1-5_arm64.deb",
        ]
    assert files["carried.txt"].decode().partition("\n\n")[2] == (
        "Debian trixie, arm64\n"
        "libtiff6 4.7.0-3+b1 https://snapshot.debian.org/package/tiff/4.7.0-3/\n"
        "python3-pil 11.1-5 https://snapshot.debian.org/package/pillow/11.1-5/\n"
    )
    assert collect_from(archive) == files


def test_a_package_that_is_not_the_one_of_debians_list_is_not_carried(archive: Path) -> None:
    deb = archive / "libtiff6_4.7.0-3+b1_arm64.deb"
    deb.write_bytes(deb.read_bytes()[:-1] + b"!")
    with pytest.raises(SystemExit, match="Hash Sum mismatch"):
        collect_from(archive)


def test_without_debians_list_nothing_is_carried(archive: Path) -> None:
    (archive / "Packages").unlink()
    with pytest.raises(SystemExit, match="apt-get failed"):
        collect_from(archive)
