"""`make card-test`: writes cards as a builder does, and lets them set up virtual machines.

With IMAGE=raspios.img.xz each card begins with Raspberry Pi OS's own image, without it with one of
Debian trixie for amd64, or for ARCH=arm64, which has the same partitions. The Imager's settings and
our files are written onto it. Then a machine starts, with Debian's kernel and initrd. As a Pi's
firmware does, it takes the kernel's line at each start from the card's cmdline.txt. What watches it
comes from outside, by the kernel's line and QEMU's fw_cfg: nothing of it is on the card.

SCENARIO=carried does one of SCENARIOS. SHORT=1 starts the first until the installation has begun.
Only mmdebstrap, which makes the kernel and initrd, needs root.
"""

from __future__ import annotations

import argparse
import re
import shutil
import signal
import subprocess
import time
import tomllib
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from pi_app import __version__
from systemd.card.__main__ import Release, read_release
from systemd.card.carried import LITE, collect
from systemd.deb import DIST, package_name
from tests.appliance.life import OLD
from tests.appliance.pi_card import PARTUUID, Card, make_image, open_image, write_all
from tests.appliance.roots import BUILD as ROOTS
from tests.appliance.roots import let_arm64_run, run, stand_in
from tests.asked import asked, in_short
from tests.systemd.cards import IMAGERS, LINE, WORDS_OF_CLOUD_INIT, WRITTEN, Options, written

BUILD = ROOTS.parent / "card"
INCLUDED = (
    "systemd-sysv,dbus,udev,kmod,linux-image-{arch},cloud-init,netplan.io,systemd-resolved,"
    "systemd-timesyncd,iproute2,ca-certificates,e2fsprogs,python3,procps"
)
# All modules that a system needs: those in an image are of a Pi's kernel. Raspberry Pi OS swaps to
# zram, with a file on a loop device.
MODULES = (
    "virtio_pci virtio_blk virtio_net virtio_rng qemu_fw_cfg ext4 vfat"
    " nls_cp437 nls_ascii nls_iso8859_1 nls_utf8 zram loop"
)
INITRD = f"""\
cd "$1" && mkdir -p etc/initramfs-tools/conf.d usr/share/initramfs-tools/modules.d
echo MODULES=list >etc/initramfs-tools/conf.d/card
printf '%s\\n' {MODULES} >usr/share/initramfs-tools/modules.d/card
"""
MACHINES = {
    "amd64": ("qemu-system-x86_64", "-machine", "q35", "-cpu", "Nehalem"),
    "arm64": ("qemu-system-aarch64", "-machine", "virt", "-cpu", "cortex-a72"),
}
CONSOLES = {"amd64": "ttyS0", "arm64": "ttyAMA0"}
MEMORY = "1024"
BOOT_S = 3600.0
NOT_TRIED = (
    "appliance: Raspberry Pi OS's own image was not tried: download it, and name it as in"
    " make card-test IMAGE=raspios.img.xz"
)

# The image that is made here.
FSTAB = f"""\
PARTUUID={PARTUUID}-01 /boot/firmware vfat defaults 0 2
PARTUUID={PARTUUID}-02 / ext4 defaults,noatime 0 1
"""
# Where Raspberry Pi OS tells cloud-init to read: the file of that name in its image says the same.
SEED = """\
datasource_list: [NoCloud, None]
datasource:
  NoCloud:
    seedfrom: file:///boot/firmware
"""
# Less to load and to unpack, because a machine that is made up is slow.
APT = 'Acquire::Languages "none";\nAPT::Install-Recommends "false";\n'
SYSTEM = {
    "etc/fstab": FSTAB,
    "etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg": SEED,
    "etc/apt/apt.conf.d/99card-test": APT,
}

CHOSEN = Options("plain", "ssd1309", "de", page=True)

# What watches the machine. On a busy one a disk may take minutes to come.
WATCHED = (
    " console={console} panic=5 quiet loglevel=3 mitigations=off no_timer_check"
    " systemd.show_status=false systemd.default_device_timeout_sec=600"
    " systemd.mask=serial-getty@{console}.service systemd.wants=look.service{units}"
)
# Says how the machine is once all is done, and switches it off.
LOOK = """\
cloud-init status --wait >/dev/null 2>&1
sync
echo "appliance: started"
until [ -e /var/lib/pachisi-referee-card/done ]; do sleep 5; done
[ "$(systemctl is-enabled pachisi-referee-card.service 2>&1)" = enabled ] && exit
echo "appliance: version $(referee --version)"
echo "appliance: host $(hostname)"
echo "appliance: package $(dpkg-query -W -f '${Status}' pachisi-referee)"
echo "appliance: half $(dpkg --audit | wc -l)"
for unit in referee.service pachisi-referee-page.socket; do
  echo "appliance: $unit $(systemctl is-enabled $unit)"
done
echo "appliance: referee $(systemctl show referee.service --property=StatusText --value)"
echo "appliance: config $(referee check-config)"
systemctl poweroff
"""
TO_CONSOLE = "[Service]\nStandardOutput=tty\nStandardError=tty\nTTYPath=/dev/console\n"
LOOK_UNIT = f"""\
[Unit]
After=kernel-command-line.service
{TO_CONSOLE}ExecStart=/bin/sh /run/credentials/@system/look
"""
UNITS = {  # systemd-debug-generator(8)
    "systemd.extra-unit.look.service": LOOK_UNIT,
    "systemd.unit-dropin.pachisi-referee-card.service": TO_CONSOLE,
    "systemd.unit-dropin.kernel-command-line.service": TO_CONSOLE,
}


@dataclass(frozen=True, slots=True)
class Scenario:
    """What happens to a card.

    carries: whether it has the packages that the system lacks. network: whether the machine has
    one. imager: whether the Imager has settings for cloud-init, which is off without them. started:
    whether the machine has started before our files are on the card. cut: a line of the installer,
    and how many seconds after it the power goes, each time with a new card. waits: what the card
    says in the end; "" if the installation is completed. versions: those with which the card is
    written, one after the other.
    """

    carries: bool = True
    network: bool = False
    imager: bool = True
    started: bool = False
    cut: tuple[str, tuple[int, ...]] = ("", (0,))
    waits: str = ""
    versions: tuple[str, ...] = (__version__,)


SCENARIOS = {
    "carried": Scenario(),
    "internet": Scenario(carries=False, network=True),
    "alone": Scenario(carries=False, waits="and there is no network."),
    "cut-begins": Scenario(
        cut=("Created symlink '/etc/systemd/system/multi-user.target.wants/pachisi", (0,))
    ),
    "cut-starts": Scenario(cut=("Step 1", (0,))),
    "cut-installs": Scenario(cut=("Step 2", (1, 5, 12, 20, 30, 45, 60))),
    "cut-sets-up": Scenario(cut=("Step 4", (0,))),
    "cut-restarts": Scenario(cut=("The referee is installed", (0,))),
    "started": Scenario(started=True),
    "versions": Scenario(versions=(OLD, __version__, OLD)),
    "no-cloud-init": Scenario(imager=False),
}
EXPECTED = {
    "package": "install ok installed",
    "half": "0",
    "referee.service": "enabled",
    "pachisi-referee-page.socket": "enabled",
    "config": "/etc/pachisi-referee/referee.toml has no mistakes",
}


def fresh_system(arch: str) -> Path:
    """Return a folder with vmlinuz, initrd.img and image.img of Debian, made once in a checkout."""
    made = BUILD / arch
    if not (made / "image.img").exists():
        if arch == "arm64":
            let_arm64_run()
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir(parents=True)
        root = made / "root"
        options = (f"--include={INCLUDED.format(arch=arch)}", f"--essential-hook={INITRD}")
        command = ("mmdebstrap", "--mode=root", "--variant=minbase", f"--architectures={arch}")
        run(*command, *options, "trixie", str(root))
        for name in ("vmlinuz", "initrd.img"):
            [file] = root.glob(f"boot/{name}-*")
            file.rename(made / name)
        shutil.rmtree(root / "usr/lib/modules")
        write_all(root, SYSTEM)
        (root / "boot/firmware").mkdir()
        # Raspberry Pi OS has it, not Debian
        shutil.copy(stand_in(made), root / "srv/python3-lgpio.deb")
        run("chroot", str(root), "dpkg", "--install", "/srv/python3-lgpio.deb")
        firmware = {"cmdline.txt": f"{LINE} resize\n", "config.txt": ""}
        make_image(made / "new.img", firmware, root)
        shutil.rmtree(root)
        (made / "new.img").rename(made / "image.img")
    return made


@dataclass(frozen=True, slots=True)
class Source:
    """What a card begins with. lite: what the system has, as apt names it."""

    arch: str
    image: Card
    lite: tuple[str, ...]


def take_image(image: Path) -> Source:
    BUILD.mkdir(parents=True, exist_ok=True)
    return Source("arm64", open_image(image, BUILD), LITE)


def make_debian(arch: str) -> Source:
    lite = ("?priority(required)", "apt", *INCLUDED.format(arch=arch).split(","))
    return Source(arch, Card(fresh_system(arch) / "image.img"), lite)


@cache
def carried(source: Source) -> tuple[tuple[str, bytes], ...]:
    """Return the files with what the package needs beside the system."""
    depends = run("dpkg-deb", "--field", str(DIST / package_name(__version__)), "Depends")
    return tuple(collect(depends, source.arch, source.lite, ["trixie"]).items())


def release_of(version: str, files: tuple[tuple[str, bytes], ...]) -> Release:
    """Return a release with a package of that version, built from this checkout."""
    release = read_release(files)
    if version == release.version:
        return release
    run("make", "deb", f"VERSION={version}")
    package = DIST / package_name(version)
    release = replace(release, version=version, package=package.read_bytes())
    package.unlink()  # dist is for what is to be installed
    return release


@dataclass(frozen=True, slots=True)
class Pi:
    """A card in a machine."""

    source: Source
    scenario: Scenario
    card: Card

    def write_imagers(self) -> None:
        """Write what the Imager does; without its settings, let cloud-init be off."""
        line = self.card.read("cmdline.txt").strip()
        if self.scenario.imager:
            self.card.put(IMAGERS | {"cmdline.txt": f"{line}{WORDS_OF_CLOUD_INIT}\n"})
        else:
            self.card.put({"cmdline.txt": f"{line} cloud-init=disabled\n"})

    def write_ours(self, version: str) -> None:
        """Write our files as card.html does."""
        files = carried(self.source) if self.scenario.carries else ()
        line = {"cmdline.txt": self.card.read("cmdline.txt")}
        told, ours = written(line, CHOSEN, release_of(version, files))
        assert told.startswith(WRITTEN), told
        self.card.put(ours)

    @contextmanager
    def machine(self) -> Iterator[subprocess.Popen[str]]:
        """Start the machine. It ends when it is switched off, restarts, or the power goes."""
        arch, debian = self.source.arch, fresh_system(self.source.arch)
        line = self.card.read("cmdline.txt").strip() + watched(arch)
        command = (
            *(*MACHINES[arch], "-smp", "2", "-m", MEMORY, "-nographic", "-no-reboot"),
            *("-nic", "user,model=virtio-net-pci" if self.scenario.network else "none"),
            *("-drive", f"file={self.card.path},format=raw,if=virtio,cache=unsafe"),
            *("-kernel", str(debian / "vmlinuz"), "-initrd", str(debian / "initrd.img")),
            *("-append", line, "-fw_cfg", f"opt/io.systemd.credentials/look,file={BUILD / 'look'}"),
        )
        process = subprocess.Popen(
            ["timeout", "--foreground", str(BOOT_S), *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            errors="replace",
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)  # timeout ends the machine, too
            process.wait()

    def start(self) -> str:
        """Start the machine, and return what it said when it is off."""
        with self.machine() as process:
            said = "".join(lines_of(process))
        assert process.returncode == 0, f"it was not switched off within {BOOT_S:g} s"
        return said

    def start_until(self, text: str, seconds: float = 0.0) -> None:
        """Start the machine, and let the power go some seconds after a line with a text."""
        with self.machine() as process:
            assert any(text in line for line in lines_of(process)), f"it ended without {text!r}"
            with suppress(subprocess.TimeoutExpired):
                process.wait(seconds)
                print("appliance: it restarted before the power went", flush=True)

    def complete(self, version: str) -> None:
        """Start until the machine switches itself off: it restarts once if it was not yet done."""
        said = self.start()
        if "appliance: host" not in said:
            assert "The referee is installed" in said, "it restarted before it was done"
            said = self.start()
        self.judge(said, version)

    def judge(self, said: str, version: str) -> None:
        """See that everything is installed and set up, and that people are told so."""
        facts = dict(re.findall(r"appliance: (\S+) (.*?)\r?$", said, re.MULTILINE))
        host = {"host": "board"} if self.scenario.imager else {}
        expected = EXPECTED | host | {"version": f"referee {version}"}
        assert {name: facts.get(name) for name in expected} == expected, facts
        report = self.card.read("pachisi-referee.txt")
        assert report.startswith(f"PACHISI REFEREE {version}\n"), report
        assert "The referee is installed, and the Pi restarts once." in report, report
        config = tomllib.loads(self.card.system("/etc/pachisi-referee/referee.toml"))
        chosen = (config["settings"]["language"], config["display"]["driver"])
        assert chosen == (CHOSEN.language, CHOSEN.driver), config


def watched(arch: str) -> str:
    """Return words for the kernel's line that let us see what goes on."""
    units = "".join(
        f" systemd.set_credential_binary={name}:{b64encode(text.encode()).decode()}"
        for name, text in UNITS.items()
    )
    return WATCHED.format(console=CONSOLES[arch], units=units)


def lines_of(process: subprocess.Popen[str]) -> Iterator[str]:
    assert process.stdout is not None
    began = time.monotonic()
    for line in process.stdout:
        print(f"{time.monotonic() - began:6.0f} {line}", end="", flush=True)
        yield line


def try_card(source: Source, name: str) -> None:
    """Do what a scenario says, and judge it."""
    scenario = SCENARIOS[name]
    text, moments = scenario.cut
    for seconds in moments:
        pi = Pi(source, scenario, source.image.copy(BUILD / f"{source.arch}-{name}.img"))
        pi.card.grow()
        pi.write_imagers()
        if scenario.started:
            pi.start_until("appliance: started")
        for version in scenario.versions:
            pi.write_ours(version)
            if asked("SHORT"):
                pi.start_until("Step 2")
                assert "pachisi" not in pi.card.read("cmdline.txt"), "the line has our words"
                break
            if scenario.waits:
                pi.start_until("The installation waits", 5.0)
                assert scenario.waits in (report := pi.card.read("pachisi-referee.txt")), report
                break
            if text:
                pi.start_until(text, seconds)
            pi.complete(version)
        pi.card.path.unlink()


def main() -> None:
    """Do the scenarios that are named, or all, and say at the end which failed."""
    parser = argparse.ArgumentParser("make card-test")
    parser.add_argument("--image", type=Path)
    parser.add_argument("--arch", choices=MACHINES, default="amd64")
    parser.add_argument("--scenario", choices=SCENARIOS, action="append")
    arguments = parser.parse_args()
    source = take_image(arguments.image) if arguments.image else make_debian(arguments.arch)
    (BUILD / "look").write_text(LOOK)
    failed = []
    for name in arguments.scenario or list(SCENARIOS)[: in_short(len(SCENARIOS), 1)]:
        began = time.monotonic()
        try:
            try_card(source, name)
            told = "ok"
        except AssertionError as fault:
            failed.append(name)
            told = f"FAILED, {fault}\nappliance:"
        minutes = (time.monotonic() - began) / 60
        print(f"appliance: {name}: {told}, after {minutes:.0f} minutes", flush=True)
    if not arguments.image:
        print(NOT_TRIED)
    if failed:
        raise SystemExit(f"these failed: {', '.join(failed)}; their cards are in {BUILD}")


if __name__ == "__main__":
    main()
