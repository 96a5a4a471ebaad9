"""`make deb`: collects the files of the Debian package, then runs Debian's tools to build it.

pip downloads pure Python libraries and checks them against the hashes in the lock file. Compiled
libraries come from Debian. The same commit gives the same bytes.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from email.parser import Parser
from email.utils import formatdate
from pathlib import Path
from zipfile import ZipFile

from pi_app import __version__
from pi_app.__main__ import make_parser
from pi_app.config.writing import changes_text
from systemd import manual

ROOT = Path(__file__).parent.parent
DEBIAN = ROOT / "systemd" / "debian"
BUILD = ROOT / "build" / "deb"
DIST = ROOT / "dist"

DEBIAN_LIBRARIES = {"cbor2": "python3-cbor2", "pillow": "python3-pil"}  # compiled libraries
BUILD_LIBRARIES = {"argparse-manpage", "setuptools", "shtab"}
# The sources of our wheel and of the package.
WHEEL_SOURCES = ("README.md", "LICENSE", "pyproject.toml", "rules", "pi_app")
PACKAGE_SOURCES = (*WHEEL_SOURCES, "systemd", "firmware", "CHANGELOG.md", "requirements.lock")
VERSION = r"\d+(\.\d+)*((a|b|rc)\d+)?(\.post\d+)?(\.dev\d+)?"  # valid for PEP 440 and for Debian

# The install path of each file in systemd/. Units go to /lib, where bookworm's debhelper looks for
# them.
INSTALL_PATHS = {
    unit.name: f"lib/systemd/system/{unit.name}"
    for kind in ("path", "service", "socket")
    for unit in DEBIAN.parent.glob(f"*.{kind}")
} | {
    "modules-load.conf": "usr/lib/modules-load.d/pachisi-referee.conf",
    "request.conf": "lib/systemd/system/referee-request@.service.d/request.conf",
    "safe-to-unplug": "usr/lib/systemd/system-shutdown/pachisi-referee",
    "sysusers.conf": "usr/lib/sysusers.d/pachisi-referee.conf",
    "udev.rules": "usr/lib/udev/rules.d/60-pachisi-referee.rules",
}
# The chamber's firmware. In a folder of the package's name Debian would compile it for Python.
FIRMWARE = "usr/share/pachisi-chamber"

TOOLS = "debhelper dh-python dpkg-dev git"
PURE = "--only-binary=:all: --platform=any --implementation=py --abi=none --python-version=3.11"


def select_bundled(lock: str) -> str:
    """Return the part of a lock file with the pure Python libraries that the game needs to run."""
    other_names = {*DEBIAN_LIBRARIES, *BUILD_LIBRARIES}
    return "".join(text for name, text in parse_lock(lock).items() if name not in other_names)


def parse_lock(lock: str) -> Mapping[str, str]:
    """Return the lines of each library in a lock file, by the library's name."""
    matches = re.finditer(r"^(\S+)==.*\n(?:[ #].*\n)*", lock, re.MULTILINE)
    return {match[1]: match[0] for match in matches}


def package_name(version: str) -> str:
    return f"pachisi-referee_{version}_all.deb"


def changelog_text(version: str, maintainer: str, unix_time: int) -> str:
    """Return Debian's changelog, which only points to NEWS.md.gz. unix_time: in seconds."""
    return (
        f"pachisi-referee ({version}) unstable; urgency=medium\n\n"
        "  * See NEWS.md.gz beside this file.\n\n"
        f" -- {maintainer}  {formatdate(unix_time, usegmt=True).replace('GMT', '+0000')}\n"
    )


def main() -> None:
    """Build the package. A version argument replaces the real version, to test an upgrade."""
    parser = argparse.ArgumentParser("make deb", description=__doc__)
    parser.add_argument("version", nargs="?", default=__version__)
    version = parser.parse_args().version
    if not re.fullmatch(VERSION, version):
        wanted = "write numbers with dots, as in make deb VERSION=0.1"
        raise SystemExit(f"{version!r} is not a version: {wanted}")
    unix_time = package_time()
    if edits := find_uncommitted(ROOT):
        files = ", ".join(edits)
        print(f"warning: the package contains uncommitted changes: {files}", file=sys.stderr)
    folder = BUILD / f"pachisi-referee-{version}"
    shutil.rmtree(folder, ignore_errors=True)
    write_folder(folder, version, unix_time)
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(unix_time), "LC_ALL": "C.UTF-8"}
    # Nothing is compiled, so the package builds without Debian's build-essential.
    options = ("--ignore-builtin-builddeps", "-b", "-us", "-uc", "-tc")
    run("dpkg-buildpackage", *options, folder=folder, environment=environment)
    name = package_name(version)
    DIST.mkdir(exist_ok=True)
    shutil.copy(BUILD / name, DIST / name)
    print(f"dist/{name}")


def write_folder(folder: Path, version: str, unix_time: int) -> None:
    """Write everything that goes into the package. unix_time: of each file, in seconds."""
    shutil.copytree(DEBIAN, folder / "debian")
    for name, install_path in INSTALL_PATHS.items():
        (folder / "root" / install_path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(DEBIAN.parent / name, folder / "root" / install_path)
    (folder / "root" / FIRMWARE).mkdir(parents=True)
    for path in (ROOT / "firmware").glob("*.py"):
        shutil.copy(path, folder / "root" / FIRMWARE)
    # Renamed, because debhelper would use a file called CHANGELOG.md as Debian's changelog.
    shutil.copy(ROOT / "CHANGELOG.md", folder / "NEWS.md")
    shutil.move(folder / "debian" / "referee", folder)
    _unpack_libraries(folder, version)
    command_parser, control = make_parser(), Parser().parsestr((DEBIAN / "control").read_text())
    texts = {
        "debian/changelog": changelog_text(version, control["Maintainer"], unix_time),
        "referee.1": manual.format_manual_page(command_parser, version, unix_time),
        "completions/referee": manual.format_completion(command_parser),
        "referee.toml": changes_text({}),
    }
    (folder / "completions").mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text)
    for path in folder.rglob("*"):
        os.utime(path, (unix_time, unix_time))


def _unpack_libraries(folder: Path, version: str) -> None:
    """Unpack our wheel and those of the bundled libraries: the same files as installed ones."""
    source, wheels, library_folder = folder / "source", folder / "wheels", folder / "lib"
    source.mkdir()
    run("cp", "--recursive", *WHEEL_SOURCES, str(source))
    init = source / "pi_app" / "__init__.py"
    init.write_text(init.read_text().replace(f'"{__version__}"', f'"{version}"'))
    (source / "bundled.lock").write_text(select_bundled((ROOT / "requirements.lock").read_text()))
    pip("wheel", "--no-deps", "--no-build-isolation", f"--wheel-dir={wheels}", str(source))
    options = ("--require-hashes", "--no-deps", *PURE.split(), f"--dest={wheels}")
    pip("download", *options, f"--requirement={source / 'bundled.lock'}")
    for wheel in sorted(wheels.iterdir()):
        ZipFile(wheel).extractall(library_folder)
    for data_folder in library_folder.glob("*.data"):  # only segno has one, with its manual page
        shutil.rmtree(data_folder)
    shutil.rmtree(source)
    shutil.rmtree(wheels)


def pip(*arguments: str) -> None:
    run(sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments)


def package_time() -> int:
    """Return SOURCE_DATE_EPOCH if it is set, otherwise the time of the last commit, in seconds."""
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(epoch)
    result = _run_command("git", "log", "-1", "--format=%ct")
    if result.returncode:
        fault = result.stderr.splitlines()[0]
        raise SystemExit(
            f"the time of the last commit is not known ({fault}): build in a clone, or "
            "set a time, as in make deb SOURCE_DATE_EPOCH=$(date +%s)"
        )
    return int(result.stdout)


def find_uncommitted(root: Path) -> list[str]:
    """Return the files of the package that differ from the last commit; [] without a clone."""
    status = ("git", "status", "--porcelain", "-z", "--no-renames", "--")
    try:
        result = _run_command(*status, *PACKAGE_SOURCES, folder=root)
    except SystemExit:  # git is missing; that is not an error if SOURCE_DATE_EPOCH is set
        return []
    return [line[3:] for line in result.stdout.split("\0") if line]


def run(*command: str, folder: Path = ROOT, environment: Mapping[str, str] = os.environ) -> str:
    """Run a command in a folder. Return its output; end with all that it says if it fails."""
    result = _run_command(*command, folder=folder, environment=environment)
    # dpkg writes "Unmet" or "unmet". Its list has names that apt-get does not accept, so the error
    # lists TOOLS.
    if "nmet build dependencies" in result.stderr:
        raise SystemExit(f"tools are missing: sudo apt-get install {TOOLS}")
    if result.returncode:
        said = f"{result.stdout}{result.stderr}"
        raise SystemExit(f"{said}{command[0]} failed (exit status {result.returncode})")
    return result.stdout


def _run_command(
    *command: str, folder: Path = ROOT, environment: Mapping[str, str] = os.environ
) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise SystemExit(f"{command[0]} is missing: sudo apt-get install {TOOLS}") from None


if __name__ == "__main__":
    main()
