"""Collects the packages of Debian that a card carries, so that its Pi needs no internet.

apt itself chooses and verifies them, in folders of its own: all that the referee needs, without
what Raspberry Pi OS Lite has. They are the newest ones, so their bytes change when Debian's do.
"""

import os
import re
from collections.abc import Iterable
from email.parser import Parser
from pathlib import Path
from tempfile import TemporaryDirectory

from systemd.deb import run
from systemd.release.archives import pack_tar, read_folder

SUITES = ("bookworm", "trixie")
LIST = "carried.txt"
KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"
DEBIAN = f"""\
deb [signed-by={KEYS}] http://deb.debian.org/debian {{suite}} main
deb [signed-by={KEYS}] http://deb.debian.org/debian {{suite}}-updates main
deb [signed-by={KEYS}] http://deb.debian.org/debian-security {{suite}}-security main
"""
# Some of what Raspberry Pi OS Lite surely has, with all that it needs: its builder pi-gen
# (github.com/RPi-Distro/pi-gen) begins with debootstrap and adds these packages. The whole list of
# pi-gen would save only libgomp1 and libjpeg62-turbo.
LITE = (
    *("?priority(required)", "?priority(important)"),
    *("avahi-daemon", "network-manager", "openssh-server", "python3", "sudo"),
)
OF_THE_PI = {"python3-lgpio"}  # in Lite, from Raspberry Pi's own archive; Debian does not have it
OF_THE_PAGE = "avahi-daemon"  # install.sh asks for it where there is a page
OPTIONS = """\
Dir "{root}";
Dir::State "{root}";
Dir::State::status "{root}/status";
Dir::Cache "{root}";
Dir::Etc "{root}";
APT::Architecture "{arch}";
APT::Architectures "{arch}";
APT::Install-Recommends "false";
APT::Sandbox::User "root";
Acquire::Languages "none";
"""
BEGINNING = """\
These packages of Debian are on the card, so that the Pi needs no internet to install the referee.
Each contains its licence; on the Pi it is /usr/share/doc/NAME/copyright. A line has the package's
name, its version and the address of its source.
"""


def collect(
    depends: str,
    arch: str = "arm64",
    lite: Iterable[str] = LITE,
    suites: Iterable[str] = SUITES,
    sources: str = DEBIAN,
) -> dict[str, bytes]:
    """Return files for a card: for each suite a repository of apt as `SUITE.tar`, and LIST.

    depends: the field of the referee's package. lite: what the Pi's system has, as apt names it.
    sources: as in sources.list. Raises SystemExit if apt can't get a package.
    """
    names = {part.split()[0].partition(":")[0] for part in f"{depends}, {OF_THE_PAGE}".split(",")}
    needed = sorted(names - OF_THE_PI)
    files, text = {}, BEGINNING
    for suite in suites:
        with TemporaryDirectory() as folder:
            debs = download(Path(folder), arch, sources.format(suite=suite), needed, list(lite))
            packages = run("dpkg-scanpackages", "--multiversion", ".", folder=debs)
            contents = {"Packages": packages.encode()} | read_folder(debs, "*.deb")
            files[f"{suite}.tar"] = pack_tar(contents, unix_time=0)
        text += f"\nDebian {suite}, {arch}\n{list_sources(packages)}"
    return {**files, LIST: text.encode()}


def download(root: Path, arch: str, sources: str, needed: list[str], lite: list[str]) -> Path:
    """Download what is needed beside `lite` to a new folder, and return it. root: apt's folder."""
    (root / "apt.conf").write_text(OPTIONS.format(root=root, arch=arch))
    (root / "sources.list").write_text(sources)
    (root / "status").touch()
    (debs := root / "debs").mkdir()
    environment = {**os.environ, "APT_CONFIG": str(root / "apt.conf"), "LC_ALL": "C.UTF-8"}

    def apt(*command: str) -> str:
        return run("apt-get", "--quiet", *command, folder=debs, environment=environment)

    def choose(names: list[str]) -> set[str]:
        said = apt("--simulate", "install", *names)
        chosen = re.findall(r"^Inst (\S+) \((\S+)", said, re.M)
        return {f"{name}={version}" for name, version in chosen}

    apt("update", "--error-on=any")
    apt("download", *sorted(choose(lite + needed) - choose(lite)))
    return debs


def list_sources(packages: str) -> str:
    """Return a line for each package of an index: its name, its version and where its source is."""
    lines = ""
    for entry in packages.strip().split("\n\n"):
        fields = Parser().parsestr(entry)
        name, version = fields["Package"], fields["Version"]
        source, *of = fields.get("Source", name).split()
        of_version = of[0].strip("()") if of else version
        lines += f"{name} {version} https://snapshot.debian.org/package/{source}/{of_version}/\n"
    return lines
