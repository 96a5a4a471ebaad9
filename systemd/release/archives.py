"""Archives whose bytes depend only on the names and the contents of their files, and on a time."""

import gzip
import io
import tarfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

MODE = 0o644  # of each file, whatever the umask was


def pack_zip(target: Path, files: Mapping[str, bytes], unix_time: int) -> None:
    """Write a ZIP. files: the contents of each file by its name in the archive."""
    time = datetime.fromtimestamp(unix_time, UTC).timetuple()[:6]
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            entry = ZipInfo(name, time)
            entry.external_attr = MODE << 16
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, content)


def pack_again(archive: Path, unix_time: int) -> None:
    """Write a .tar.gz again, in the order of the names and without times, owners and modes."""
    with tarfile.open(archive) as old:
        members = {member.name: old.extractfile(member) for member in old if member.isfile()}
        files = {name: file.read() for name, file in members.items() if file is not None}
    archive.write_bytes(gzip.compress(pack_tar(files, unix_time), mtime=unix_time))


def pack_tar(files: Mapping[str, bytes], unix_time: int) -> bytes:
    """Return a .tar in the order of the names, without owners and modes."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.mode = len(content), unix_time, MODE
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def read_folder(folder: Path, *patterns: str) -> dict[str, bytes]:
    """Return the files of a folder that fit one of the patterns, by their path in the folder."""
    paths = {path for pattern in patterns for path in folder.glob(pattern) if path.is_file()}
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(paths)}
