"""What decides on a release, and the archives, without the tools that build one."""

import gzip
import io
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

from systemd.release.archives import pack_again, pack_zip, read_folder
from systemd.release.version import find_fault, newest_notes

CHANGELOG = """\
# Changelog

About this file.

## 1.0.0 - 2026-11-24

First things.

### The table

- A thing.

## 0.2.0

- An older thing.
"""


@pytest.mark.parametrize(
    ("version", "changelog", "edits", "fault"),
    [
        ("1.0.0", CHANGELOG, [], ""),
        (
            "1.0.1",
            CHANGELOG,
            [],
            'CHANGELOG.md begins with "1.0.0" and pi_app/__init__.py has version 1.0.1: '
            "write the same version into both",
        ),
        (
            "1.0.0",
            CHANGELOG.replace("1.0.0 - 2026-11-24", "Unreleased"),
            [],
            'CHANGELOG.md begins with "Unreleased" and pi_app/__init__.py has version 1.0.0: '
            "write the same version into both",
        ),
        (
            "1.0.0",
            CHANGELOG,
            ["a.py", "b.md"],
            "these files differ from the last commit, so commit them first: a.py, b.md",
        ),
    ],
    ids=["fits", "another version", "unreleased", "edited"],
)
def test_only_the_newest_version_of_the_changelog_is_released_from_a_clean_tree(
    version: str, changelog: str, edits: list[str], fault: str
) -> None:
    assert find_fault(version, changelog, edits) == fault


def test_the_notes_are_what_the_changelog_tells_of_its_newest_version() -> None:
    assert newest_notes(CHANGELOG) == "First things.\n\n### The table\n\n- A thing.\n"


def test_a_zip_has_the_same_bytes_in_whatever_order_its_files_come(tmp_path: Path) -> None:
    pack_zip(tmp_path / "a", {"b/c": b"1", "a": b"2"}, 86400 * 4000)
    pack_zip(tmp_path / "b", {"a": b"2", "b/c": b"1"}, 86400 * 4000)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    with ZipFile(tmp_path / "a") as archive:
        found = [(one.filename, one.date_time, one.external_attr) for one in archive.infolist()]
    time = (1980, 12, 14, 0, 0, 0)
    assert found == [("a", time, 0o644 << 16), ("b/c", time, 0o644 << 16)]


def tarred(mtime: int, mode: int, *names: str) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name in names:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.mode, entry.uname = 1, mtime, mode, str(mtime)
            archive.addfile(entry, io.BytesIO(b"x"))
    return gzip.compress(packed.getvalue(), mtime=mtime)


def test_a_tar_packed_again_keeps_no_time_owner_mode_or_order(tmp_path: Path) -> None:
    one, other = tmp_path / "one.tar.gz", tmp_path / "other.tar.gz"
    one.write_bytes(tarred(1, 0o600, "a", "b"))
    other.write_bytes(tarred(2, 0o664, "b", "a"))
    for archive in (one, other):
        pack_again(archive, 3)
    assert one.read_bytes() == other.read_bytes()
    with tarfile.open(one) as packed:
        assert [(file.name, file.mtime, file.uname, file.mode) for file in packed] == [
            ("a", 3, "", 0o644),
            ("b", 3, "", 0o644),
        ]


def test_a_folder_is_read_by_patterns(tmp_path: Path) -> None:
    (tmp_path / "sheets").mkdir()
    for name in ("README.md", "made.py", "sheets/a4.pdf"):
        (tmp_path / name).write_text(name)
    assert read_folder(tmp_path, "*.md", "sheets/*") == {
        "README.md": b"README.md",
        "sheets/a4.pdf": b"sheets/a4.pdf",
    }
