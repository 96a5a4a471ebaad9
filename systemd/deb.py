"""`make deb`: collects the files of the package, then has Debian's tools build it.

Pure Python libraries come from the lock file, checked by their hashes. Compiled libraries come from
Debian. The same commit gives the same bytes.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from email.utils import formatdate
from pathlib import Path
from zipfile import ZipFile

from pi_app import __version__
from pi_app.__main__ import make_parser
from systemd import manual

ROOT = Path(__file__).parent.parent
DEBIAN = ROOT / "systemd" / "debian"
BUILD = ROOT / "build" / "deb"
DIST = ROOT / "dist"

FROM_DEBIAN = {"cbor2": "python3-cbor2", "pillow": "python3-pil"}  # compiled libraries
BUILD_ONLY = {"setuptools"}
# What our wheel and the package are built from.
WHEEL_SOURCES = ("README.md", "LICENSE", "pyproject.toml", "rules", "pi_app")
PACKAGE_SOURCES = (*WHEEL_SOURCES, "systemd", "CHANGELOG.md", "requirements.lock")
VERSION = r"\d+(\.\d+)*((a|b|rc)\d+)?(\.post\d+)?(\.dev\d+)?"  # valid for PEP 440 and for Debian

# Where each file of systemd/ goes. Units go to /lib, where bookworm's debhelper looks for them.
INSTALL_PATHS = {
    "pachisi-referee-page.socket": "lib/systemd/system/pachisi-referee-page.socket",
    "modules-load.conf": "usr/lib/modules-load.d/pachisi-referee.conf",
    "referee-poweroff.path": "lib/systemd/system/referee-poweroff.path",
    "referee-poweroff.service": "lib/systemd/system/referee-poweroff.service",
    "referee.service": "lib/systemd/system/referee.service",
    "safe-to-unplug": "usr/lib/systemd/system-shutdown/pachisi-referee",
    "sysusers.conf": "usr/lib/sysusers.d/pachisi-referee.conf",
    "udev.rules": "usr/lib/udev/rules.d/60-pachisi-referee.rules",
    "watchdog.conf": "usr/lib/systemd/system.conf.d/pachisi-referee.conf",
}

TOOLS = "debhelper dh-python dpkg-dev git"
PURE_OPTIONS = (
    "--only-binary=:all: --platform=any --implementation=py --abi=none --python-version=3.11"
)
HEADER = """\
# The configuration of this table. A key that is commented out has the value shown. To change one,
# remove its # and run `sudo systemctl restart referee`. `referee check-config` prints mistakes,
# `referee config` prints the shipped configuration.

"""


# Values in, values out.


def select_vendored(lock: str) -> str:
    """Return the part of a lock file that goes into the package: pure Python, needed at play."""
    left_out = {*FROM_DEBIAN, *BUILD_ONLY}
    return "".join(text for name, text in parse_lock(lock).items() if name not in left_out)


def parse_lock(lock: str) -> Mapping[str, str]:
    """Return the lines of each library in a lock file, by the library's name."""
    found = re.finditer(r"^(\S+)==.*\n(?:[ #].*\n)*", lock, re.MULTILINE)
    return {match[1]: match[0] for match in found}


def comment_keys(shipped: str) -> str:
    """Return the shipped configuration with each key commented out: what goes into /etc."""
    text = shipped.partition("\n\n")[2]  # its first comment is about the shipped file
    return HEADER + re.sub(r"^(?=\w+ = )", "#", text, flags=re.MULTILINE)


def package_name(version: str) -> str:
    """Return the name of the package's file."""
    return f"pachisi-referee_{version}_all.deb"


def changelog(version: str, maintainer: str, unix_time: int) -> str:
    """Return Debian's changelog: one entry that points to CHANGELOG.md, packed as NEWS.md.

    unix_time: in seconds.
    """
    return (
        f"pachisi-referee ({version}) unstable; urgency=medium\n\n"
        "  * See NEWS.md.gz beside this file.\n\n"
        f" -- {maintainer}  {formatdate(unix_time, usegmt=True).replace('GMT', '+0000')}\n"
    )


# Writing the tree.


def main() -> None:
    """Build the package, with another version number if one is given, to test an upgrade."""
    options = argparse.ArgumentParser("make deb", description=__doc__)
    options.add_argument("version", nargs="?", default=__version__)
    version = options.parse_args().version
    if not re.fullmatch(VERSION, version):
        raise SystemExit(
            f"{version!r} is not a version: write numbers with dots, as in make deb VERSION=0.1"
        )
    unix_time = _package_time()
    if edits := find_uncommitted(ROOT):
        print(f"uncommitted changes go into the package: {', '.join(edits)}", file=sys.stderr)
    tree = BUILD / f"pachisi-referee-{version}"
    shutil.rmtree(tree, ignore_errors=True)
    write_tree(tree, version, unix_time)
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(unix_time), "LC_ALL": "C.UTF-8"}
    _run("dpkg-buildpackage", "-b", "-us", "-uc", "-tc", folder=tree, environment=environment)
    name = package_name(version)
    DIST.mkdir(exist_ok=True)
    shutil.copy(BUILD / name, DIST / name)
    print(f"dist/{name}")


def write_tree(tree: Path, version: str, unix_time: int) -> None:
    """Write everything that goes into the package to `tree`, each file with the time `unix_time`.

    unix_time: in seconds.
    """
    shutil.copytree(DEBIAN, tree / "debian")
    for name, place in INSTALL_PATHS.items():
        (tree / "root" / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(DEBIAN.parent / name, tree / "root" / place)
    # By its own name debhelper would take it for Debian's changelog.
    shutil.copy(ROOT / "CHANGELOG.md", tree / "NEWS.md")
    shutil.move(tree / "debian" / "referee", tree)
    _unpack_libraries(tree, version)
    written = make_parser()
    texts = {
        "debian/changelog": changelog(version, _maintainer(), unix_time),
        "referee.1": manual.format_manual_page(written, version, unix_time),
        "completions/referee": manual.format_completion(written),
        "referee.toml": comment_keys((ROOT / "pi_app" / "referee.toml").read_text()),
    }
    (tree / "completions").mkdir()
    for name, text in texts.items():
        (tree / name).write_text(text)
    for path in tree.rglob("*"):
        os.utime(path, (unix_time, unix_time))


def _unpack_libraries(tree: Path, version: str) -> None:
    """Unpack our wheel and those of the lock file; a pure wheel has the files as installed."""
    source, wheels, library = tree / "source", tree / "wheels", tree / "lib"
    source.mkdir()
    for name in WHEEL_SOURCES:
        copy: Callable[..., object] = _copy_tree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, source / name)
    _set_version(source / "pi_app" / "__init__.py", version)
    (source / "vendored.lock").write_text(select_vendored((ROOT / "requirements.lock").read_text()))
    _pip("wheel", "--no-deps", "--no-build-isolation", f"--wheel-dir={wheels}", str(source))
    checked = ("--require-hashes", "--no-deps", *PURE_OPTIONS.split(), f"--dest={wheels}")
    _pip("download", *checked, f"--requirement={source / 'vendored.lock'}")
    for wheel in sorted(wheels.iterdir()):
        ZipFile(wheel).extractall(library)
    for beside in library.glob("*.data"):  # not a library: segno's manual page
        shutil.rmtree(beside)
    shutil.rmtree(source)
    shutil.rmtree(wheels)


def _copy_tree(source: Path, target: Path) -> None:
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))


def _set_version(init: Path, version: str) -> None:
    init.write_text(init.read_text().replace(f'"{__version__}"', f'"{version}"'))


def _maintainer() -> str:
    [name] = re.findall(r"^Maintainer: (.*)$", (DEBIAN / "control").read_text(), re.MULTILINE)
    return str(name)


def _pip(*arguments: str) -> None:
    _run(sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments)


def _package_time() -> int:
    """Return the Unix time in seconds: SOURCE_DATE_EPOCH, or else that of the last commit."""
    if said := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(said)
    done = _run_unchecked("git", "log", "-1", "--format=%ct")
    if "nmet build dependencies" in done.stderr:  # the list names tools that apt-get does not know
        raise SystemExit(f"tools are missing: sudo apt-get install {TOOLS}")
    if done.returncode:
        raise SystemExit(
            f"the time of the last commit is not known ({done.stderr.splitlines()[0]}): build in a "
            "clone, or name a time, as in make deb SOURCE_DATE_EPOCH=$(date +%s)"
        )
    return int(done.stdout)


def find_uncommitted(root: Path) -> list[str]:
    """Return the files of the package that differ from the last commit; empty without a history."""
    status = ("git", "status", "--porcelain", "-z", "--no-renames", "--", *PACKAGE_SOURCES)
    try:
        done = _run_unchecked(*status, folder=root)
    except SystemExit:  # without git, SOURCE_DATE_EPOCH gave the time
        return []
    return [line[3:] for line in done.stdout.split("\0") if line]


def _run(*command: str, folder: Path = ROOT, environment: Mapping[str, str] = os.environ) -> str:
    done = _run_unchecked(*command, folder=folder, environment=environment)
    if "nmet build dependencies" in done.stderr:  # the list names tools that apt-get does not know
        raise SystemExit(f"tools are missing: sudo apt-get install {TOOLS}")
    if done.returncode:
        raise SystemExit(f"{done.stdout}{done.stderr}{command[0]} ended with {done.returncode}")
    return done.stdout


def _run_unchecked(
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
