"""A card that sets itself up, in a virtual machine with Debian trixie.

`make vm ONLY=card` as root. The machine has a FAT file system like that of a Pi's card, with
settings of the Imager and our files. As a Pi's firmware does, it takes the kernel's line at each
start from the card's cmdline.txt. On amd64 it installs once to the end. Meanwhile both disks are
copied at eleven moments, as a power cut would leave them; each copy must complete at its next
start. Three more cards are tried: one of a system without cloud-init, one with which the machine
has started before, and one that is written again with a newer and then with an older version. All
these carry the packages that the system lacks, and the machines have no network. On arm64 a card
without packages installs once from the internet, and once starts without a network. Raspberry Pi OS
is not tried: it can't be had here. `make vm ONLY=card SHORT=1` starts two machines, one with
cloud-init and one without it, until the installation has begun.
"""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

from pi_app import __version__
from systemd.card.__main__ import Release, read_release
from systemd.card.carried import collect
from systemd.deb import DIST, package_name
from tests.appliance.life import OLD
from tests.appliance.roots import BUILD as ROOTS
from tests.appliance.roots import let_arm64_run, run, stand_in
from tests.asked import asked
from tests.systemd.cards import Options, write_card

BUILD = ROOTS.parent / "card"
INCLUDED = (
    "systemd-sysv,dbus,udev,kmod,linux-image-{arch},cloud-init,netplan.io,systemd-resolved,"
    "systemd-timesyncd,iproute2,ca-certificates,e2fsprogs,python3,procps"
)
MACHINES = {
    "amd64": ("qemu-system-x86_64", "-machine", "q35", "-cpu", "Nehalem"),
    "arm64": ("qemu-system-aarch64", "-machine", "virt", "-cpu", "cortex-a72"),
}
CONSOLES = {"amd64": "ttyS0", "arm64": "ttyAMA0"}
MEMORY = "1024"
BOOT_S = 3600.0
# Where Raspberry Pi OS tells cloud-init to read: the file of that name in its image says the same.
SEED = """\
datasource_list: [NoCloud, None]
datasource:
  NoCloud:
    seedfrom: file:///boot/firmware
"""
LINE = (
    "root=LABEL=rootfs rw console={console} quiet loglevel=3 mitigations=off"
    " systemd.show_status=false no_timer_check"
)
OF_CLOUD_INIT = " ds=nocloud;i=rpi-imager-1764000000000"
NETWORK = """\
network:
  version: 2
  ethernets:
    wired:
      match: {name: "e*"}
      dhcp4: true
"""
# What the Imager wrote for cloud-init.
IMAGERS = {
    "meta-data": "instance-id: rpi-imager-1764000000000\n",
    "network-config": NETWORK,
    "user-data": "#cloud-config\nhostname: board\nmanage_etc_hosts: true\nenable_ssh: true\n",
}
WIRED = "[Match]\nName=e*\n[Network]\nDHCP=yes\n"
# Less to load and to unpack, because a machine that is made up is slow.
APT = 'Acquire::Languages "none";\nAPT::Install-Recommends "false";\n'
# On a busy machine a disk may take minutes to come, and without it there is no seed.
FSTAB = """\
LABEL=rootfs / ext4 defaults 0 1
LABEL=bootfs /boot/firmware vfat defaults,x-systemd.device-timeout=30min 0 2
"""
TO_CONSOLE = "[Service]\nStandardOutput=tty\nStandardError=tty\nTTYPath=/dev/console\n"
# Says how the machine is once all is done, and switches it off.
LOOK = """\
#!/bin/sh
until [ -e /var/lib/pachisi-referee-card/done ]; do sleep 5; done
cloud-init status --wait >/dev/null 2>&1
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
LOOK_UNIT = """\
[Service]
ExecStart=/bin/sh /srv/look
StandardOutput=tty
TTYPath=/dev/console
[Install]
WantedBy=multi-user.target
"""
# A line of the installer, and how many seconds after it the power goes.
CUTS = tuple(
    (at, seconds)
    for at, moments in {
        "Created symlink '/etc/systemd/system/multi-user.target.wants/pachisi": (0,),
        "Step 1": (0,),
        "Step 2": (1, 5, 12, 20, 30, 45, 60),
        "Step 4": (0,),
        "The referee is installed": (0,),
    }.items()
    for seconds in moments
)
EXPECTED = {
    "package": "install ok installed",
    "half": "0",
    "referee.service": "enabled",
    "pachisi-referee-page.socket": "enabled",
    "config": "/etc/pachisi-referee/referee.toml has no mistakes",
}


@dataclass(frozen=True, slots=True)
class Disks:
    """The two disks of a machine, as files in one folder."""

    folder: Path

    @property
    def root(self) -> Path:
        return self.folder / "root.img"

    @property
    def card(self) -> Path:
        return self.folder / "card.img"

    def copy(self, folder: Path) -> Disks:
        folder.mkdir(parents=True, exist_ok=True)
        for disk in (self.root, self.card):
            run("cp", "--sparse=always", str(disk), str(folder / disk.name))
        return Disks(folder)

    def read(self, name: str) -> str:
        """Return the text of a file on the card."""
        return run("mtype", "-i", str(self.card), f"::{name}").replace("\r\n", "\n")

    def report(self) -> str:
        """Return what people read on the card."""
        return self.read("pachisi-referee.txt")

    def write(self, release: Release) -> None:
        """Write our files as card.html does, onto what the Imager wrote."""
        files = self.folder / "files"
        line = {"cmdline.txt": self.read("cmdline.txt")}
        write_card(files, line, Options("plain", "ssd1309", "de", page=True), release)
        self.put(*files.iterdir())

    def put(self, *files: Path) -> None:
        run("mcopy", "-s", "-o", "-i", str(self.card), *map(str, files), "::")


def fresh_system(arch: str) -> Path:
    """Return a folder with a Debian trixie that has cloud-init, made once in a checkout."""
    made = BUILD / arch
    if not made.exists():
        if arch == "arm64":
            let_arm64_run()
        BUILD.mkdir(parents=True, exist_ok=True)
        new = BUILD / f"{arch}.new"
        shutil.rmtree(new, ignore_errors=True)
        include = f"--include={INCLUDED.format(arch=arch)}"
        options = ("--mode=root", "--variant=minbase", f"--architectures={arch}", include)
        run("mmdebstrap", *options, "trixie", str(new))
        new.rename(made)
    return made


def make_disks(
    arch: str, folder: Path, cloud_init: bool = True, version: str = __version__
) -> Disks:
    """Make the disks as they are after the Imager and card.html.

    cloud_init: whether the system has it, and the card what the Imager wrote for it. version: ""
    leaves card.html out.
    """
    shutil.rmtree(folder, ignore_errors=True)
    root, files = folder / "root", folder / "files"
    files.mkdir(parents=True)
    run("cp", "--archive", str(fresh_system(arch)), str(root))
    units = "etc/systemd/system"
    for name, text in {
        "etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg": SEED,
        "etc/apt/apt.conf.d/99card-test": APT,
        "etc/fstab": FSTAB,
        f"{units}/pachisi-referee-card.service.d/console.conf": TO_CONSOLE,
        f"{units}/look.service": LOOK_UNIT,
        "srv/look": LOOK,
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "boot/firmware").mkdir()
    shutil.copy(
        stand_in(folder), root / "srv/python3-lgpio.deb"
    )  # Raspberry Pi OS has it, not Debian
    run("chroot", str(root), "dpkg", "--install", "/srv/python3-lgpio.deb")
    if not cloud_init:
        run("chroot", str(root), "dpkg", "--purge", "cloud-init")
        (root / "etc/hostname").write_text("pachisi\n")
        (root / "etc/systemd/network/wired.network").write_text(WIRED)
        run("systemctl", f"--root={root}", "enable", "systemd-networkd.service")
    run("systemctl", f"--root={root}", "enable", "look.service")
    run("systemctl", f"--root={root}", "mask", f"serial-getty@{CONSOLES[arch]}.service")
    options = LINE.format(console=CONSOLES[arch])
    (files / "cmdline.txt").write_text(options + OF_CLOUD_INIT * cloud_init)
    (files / "config.txt").touch()  # `referee setup` asks for it
    for name, text in (IMAGERS if cloud_init else {}).items():
        (files / name).write_text(text)
    disks = Disks(folder)
    run("mke2fs", "-q", "-t", "ext4", "-L", "rootfs", "-d", str(root), str(disks.root), "3G")
    run("mkfs.vfat", "-C", "-F", "32", "-n", "bootfs", str(disks.card), str(512 * 1024))
    disks.put(*files.iterdir())
    if version:
        disks.write(release_of(version, arch))
    shutil.rmtree(root)
    return disks


@cache
def carried() -> tuple[tuple[str, bytes], ...]:
    """Return the files with what the package needs beside the system of `fresh_system`."""
    depends = run("dpkg-deb", "--field", str(DIST / package_name(__version__)), "Depends")
    lite = ("?priority(required)", "apt", *INCLUDED.format(arch="amd64").split(","))
    return tuple(collect(depends, "amd64", lite, ["trixie"]).items())


def release_of(version: str, arch: str = "amd64") -> Release:
    """Return a release with a package of that version, built from this checkout.

    Only that of amd64 carries what the package needs.
    """
    release = read_release(carried() if arch == "amd64" else ())
    if version == release.version:
        return release
    run("make", "deb", f"VERSION={version}")
    package = DIST / package_name(version)
    release = replace(release, version=version, package=package.read_bytes())
    package.unlink()  # dist is for what is to be installed
    return release


@contextmanager
def machine(arch: str, disks: Disks, network: bool = False) -> Iterator[subprocess.Popen[str]]:
    """Start the machine. It ends when it is switched off, restarts, or the power goes."""
    boot = fresh_system(arch) / "boot"
    [kernel], [initrd] = boot.glob("vmlinuz-*"), boot.glob("initrd.img-*")
    command = (
        *(*MACHINES[arch], "-smp", "2", "-m", MEMORY, "-nographic", "-no-reboot"),
        *("-nic", "user,model=virtio-net-pci" if network else "none"),
        *("-drive", f"file={disks.root},format=raw,if=virtio"),
        *("-drive", f"file={disks.card},format=raw,if=virtio"),
        *("-kernel", str(kernel), "-initrd", str(initrd)),
        *("-append", disks.read("cmdline.txt").strip()),
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


def lines_of(process: subprocess.Popen[str]) -> Iterator[str]:
    assert process.stdout is not None
    began = time.monotonic()
    for line in process.stdout:
        print(f"{time.monotonic() - began:6.0f} {line}", end="", flush=True)
        yield line


def start(arch: str, disks: Disks) -> str:
    """Start the machine, on arm64 with a network, and return what it said when it is off."""
    with machine(arch, disks, network=arch == "arm64") as process:
        said = "".join(lines_of(process))
    assert process.returncode == 0, f"it was not switched off within {BOOT_S:g} s"
    return said


def facts_of(said: str) -> Mapping[str, str]:
    return dict(re.findall(r"appliance: (\S+) (.*?)\r?$", said, re.MULTILINE))


def judge(
    what: str, said: str, disks: Disks, host: str = "board", version: str = __version__
) -> None:
    """See that everything is installed and set up, and that people are told so."""
    facts, expected = facts_of(said), EXPECTED | {"host": host, "version": f"referee {version}"}
    assert {name: facts.get(name) for name in expected} == expected, facts
    report = disks.report()
    assert report.startswith(f"PACHISI REFEREE {version}\n"), report
    assert "The referee is installed, and the Pi restarts once." in report
    print(f"appliance: ok {what}", flush=True)


def complete(
    what: str, arch: str, disks: Disks, host: str = "board", version: str = __version__
) -> None:
    """Start until the machine switches itself off: it restarts once if it was not yet done.

    host: the name it must have; the Imager's, if cloud-init reads it.
    """
    said = start(arch, disks)
    if "appliance: host" not in said:
        assert "The referee is installed" in said, "it restarted before it was done"
        said = start(arch, disks)
    judge(what, said, disks, host, version)


def run_with_cuts(disks: Disks) -> list[tuple[str, Disks]]:
    """Install to the end. Return a copy of both disks at each moment of CUTS."""
    copies: list[tuple[str, Disks]] = []
    due: list[tuple[float, str]] = []
    lines: Queue[str | None] = Queue()
    with machine("amd64", disks) as process:
        Thread(target=_pass_on, args=(process, lines)).start()
        line: str | None = ""
        while line is not None:
            with suppress(Empty):
                line = lines.get(timeout=max(0.0, due[0][0] - time.monotonic()) if due else None)
                now = time.monotonic()
                due += [(now + s, f"{at} + {s} s") for at, s in CUTS if at in (line or "")]
                due.sort()
            if due and due[0][0] <= time.monotonic() and process.poll() is None:
                _, name = due.pop(0)
                copies.append((name, cut(process, disks, len(copies), name)))
    return copies


def _pass_on(process: subprocess.Popen[str], lines: Queue[str | None]) -> None:
    for line in lines_of(process):
        lines.put(line)
    lines.put(None)


def cut(process: subprocess.Popen[str], disks: Disks, number: int, name: str) -> Disks:
    """Copy both disks while the machine stands still."""
    [child] = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    subprocess.run(["kill", "-STOP", child], check=True)
    with suppress(FileNotFoundError):
        shutil.rmtree(disks.folder.parent / f"cut-{number}")
    copy = disks.copy(disks.folder.parent / f"cut-{number}")
    subprocess.run(["kill", "-CONT", child], check=True)
    print(f"appliance: cut {number} at {name}", flush=True)
    return copy


def try_amd64() -> None:
    disks = make_disks("amd64", BUILD / "amd64-run")
    copies = run_with_cuts(disks)
    judge("amd64, one run", start("amd64", disks), disks)
    print([name for name, _ in copies], flush=True)
    assert len(copies) == len(CUTS), [name for name, _ in copies]
    for name, copy in copies:
        complete(f"amd64, power cut at {name}", "amd64", copy)
        shutil.rmtree(copy.folder)


def try_amd64_without_cloud_init() -> None:
    disks = make_disks("amd64", BUILD / "amd64-bare", cloud_init=False)
    complete("amd64, a system without cloud-init", "amd64", disks, host="pachisi")


def try_amd64_late() -> None:
    disks = make_disks("amd64", BUILD / "amd64-late", version="")
    with machine("amd64", disks) as process:
        finished = any("Cloud-init" in line and " finished " in line for line in lines_of(process))
        time.sleep(15.0)  # what it wrote reaches the disk
    assert finished
    disks.write(release_of(__version__))
    complete("amd64, a machine that had started before", "amd64", disks)


def try_amd64_versions() -> None:
    disks = make_disks("amd64", BUILD / "amd64-versions", version=OLD)
    complete("amd64, an older version", "amd64", disks, version=OLD)
    for version in (__version__, OLD):
        disks.write(release_of(version))
        complete(f"amd64, the card written again with {version}", "amd64", disks, version=version)


def try_arm64() -> None:
    complete("arm64, with a network", "arm64", make_disks("arm64", BUILD / "arm64-run"))


def try_arm64_without_network() -> None:
    disks = make_disks("arm64", BUILD / "arm64-alone")
    with machine("arm64", disks) as process:
        said = next((line for line in lines_of(process) if "no network" in line), "")
        time.sleep(5.0)
    assert said, "it never said that there is no network"
    assert "and there is no network." in disks.report()
    print("appliance: ok arm64, without a network", flush=True)


def see_it_begin() -> None:
    """Start two machines until the installation has begun: the trials' short form."""
    for cloud_init in (True, False):
        disks = make_disks("amd64", BUILD / "amd64-begins", cloud_init)
        with machine("amd64", disks) as process:
            begun = any("Step 2" in line for line in lines_of(process))
        assert begun, "it ended before the installation began"
        assert "pachisi" not in disks.read("cmdline.txt"), "the kernel's line still has our words"
        print(f"appliance: ok amd64, it begins, {cloud_init=}", flush=True)


TRIALS: dict[str, Callable[[], None]] = {
    "amd64": try_amd64,
    "amd64-bare": try_amd64_without_cloud_init,
    "amd64-late": try_amd64_late,
    "amd64-versions": try_amd64_versions,
    "arm64": try_arm64,
    "arm64-alone": try_arm64_without_network,
}


def main(names: list[str]) -> None:
    """Do the trials that are named, or all."""
    if unknown := set(names) - set(TRIALS):
        raise SystemExit(f"no trial is called {min(unknown)!r}; they are {', '.join(TRIALS)}")
    if asked("SHORT"):
        see_it_begin()
        return
    for name in names or TRIALS:
        began = time.monotonic()
        TRIALS[name]()
        print(f"appliance: {name} took {(time.monotonic() - began) / 60:.0f} minutes", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
