"""The whole appliance in a virtual machine: a Debian with its own kernel, systemd and the table.

`make vm` as root lays the checkout into a fresh Debian and starts that twice: bookworm, then
trixie, or one of them, as in `make vm SUITE=trixie`. With DEB="FILE.deb ..." it installs packages
instead. Pins and panel are the stand-ins of tests/end_to_end/metal. It needs no KVM. What is tried
is in tests/appliance/in_vm.py. `make vm SHORT=1` starts one of them once, and tries a few steps.
"""

import argparse
import base64
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from pi_app.display.view import draw
from pi_app.model.screens import Screen
from pi_app.table.telling import last_pages
from systemd.deb import INSTALL_PATHS
from tests.asked import asked
from tests.end_to_end.service import METAL, ROOT, on_glass

BUILD = ROOT / "build" / "vm"
SUITES = {"bookworm": "3.11", "trixie": "3.13"}  # and its Python
PACKAGES = (
    "dbus,e2fsprogs,kmod,linux-image-amd64,procps,python3,python3-cbor2,python3-pil,"
    "python3-spidev,systemd-sysv,udev"
)
LIBRARIES = Path("usr/lib/pachisi-referee")  # where the package has them, too
LAUNCH = f"""\
#!/usr/bin/python3 -I
import sys
sys.path.insert(0, "/{LIBRARIES}")
from pi_app.launch import main
main()
"""
TRIED = """\
[Unit]
After=referee.service
[Service]
Type=simple
ExecStart=/usr/bin/python3 /srv/in_vm.py {steps}
StandardOutput=tty
StandardError=tty
TTYPath=/dev/ttyS0
[Install]
WantedBy=multi-user.target
"""
LANGUAGE = """\
[settings]
language = "en"  # else the first screen asks
"""
ON_METAL = """\
[Service]
Environment=METAL=/var/lib/pachisi-referee/metal
ExecStartPre=/bin/mkdir -p /var/lib/pachisi-referee/metal
# A machine that is made up takes half a minute where a Pi takes some seconds.
TimeoutStartSec=300
"""
# Beside "Safe to unplug": waits for its picture, and shows it with what is mounted then.
SHOW_LAST = """\
#!/bin/sh
for second in $(seq 60); do
  [ -s /run/metal/panel ] && break
  sleep 1
done
sleep 3
exec >/dev/ttyS0
echo "appliance: picture safe-to-unplug $(base64 -w0 /run/metal/panel)"
sed 's/^/appliance: mount /' /proc/self/mounts
"""
MEMORY = "512"  # a Zero 2 W has as much
BOOT_S = 1500.0
SHORT = "starts plays switches_off"  # steps of the first start
PICTURES: dict[str, Screen] = {
    "wrong-pins": last_pages.WRONG_PINS,
    "safe-to-unplug": last_pages.SAFE_TO_UNPLUG,
}


def run(*command: str | Path) -> None:
    subprocess.run(command, check=True)


def fresh_system(suite: str) -> Path:
    """Return a folder with a Debian that nothing of ours is in, made once in a checkout."""
    made = BUILD / suite
    if not made.exists():
        BUILD.mkdir(parents=True, exist_ok=True)
        new = BUILD / f"{suite}.new"
        run("mmdebstrap", "--variant=minbase", f"--include={PACKAGES}", suite, new)
        new.rename(made)
    return made


def write(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


def lay_checkout(root: Path, python: str) -> None:
    """Lay our packages, their libraries and systemd/ where the package would.

    python: the version of the system's Python.
    """
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes")
    wheels = ("--only-binary=:all:", "--no-binary=argparse-manpage")  # which has none, and is pure
    only = (f"--python-version={python}", "--platform=manylinux_2_28_x86_64")
    lock = ROOT / "requirements.lock"
    run(*pip, *wheels, *only, "--target", root / LIBRARIES, "--requirement", lock)
    for package in ("pi_app", "rules"):
        shutil.copytree(ROOT / package, root / LIBRARIES / package)
    write(root / "usr/bin/referee", LAUNCH, 0o755)
    for name, place in INSTALL_PATHS.items():
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "systemd" / name, root / place)
    run("chroot", root, "systemd-sysusers")
    run("chroot", root, "systemctl", "enable", "referee.service")


def install(root: Path, packages: list[Path]) -> None:
    """Install packages; nothing is fetched."""
    for package in packages:
        shutil.copy(package, root / "srv")
    names = [f"/srv/{package.name}" for package in packages]
    run("chroot", root, "apt-get", "install", "--yes", "--no-install-recommends", *names)
    run("chroot", root, "systemctl", "enable", "referee.service")


def lay_metal(root: Path, steps: str) -> None:
    """Put the stand-ins of pins and panel in the libraries' place, and what tries it all.

    steps: the names of the steps of the first start; all if "".
    """
    shutil.rmtree(root / LIBRARIES / "smbus2", ignore_errors=True)
    for name in ("lgpio.py", "smbus2.py"):
        text = (METAL / name).read_text()
        text = text.replace('os.environ["METAL"]', 'os.environ.get("METAL", "/run/metal")')
        write(root / LIBRARIES / name, text)
    write(root / "etc/systemd/system/referee.service.d/metal.conf", ON_METAL)
    write(root / "usr/lib/systemd/system-shutdown/show-last", SHOW_LAST, 0o755)
    write(root / "srv/in_vm.py", Path(__file__).with_name("in_vm.py").read_text())
    write(root / "etc/systemd/system/appliance.service", TRIED.format(steps=steps))
    write(root / "etc/pachisi-referee/referee.toml", LANGUAGE)
    write(root / "etc/fstab", "/dev/vda / ext4 defaults 0 1\n")
    run("chroot", root, "python3", "-m", "compileall", "-q", f"/{LIBRARIES}")
    run("chroot", root, "systemctl", "enable", "appliance.service")
    run("chroot", root, "systemctl", "mask", "serial-getty@ttyS0.service")


def stick() -> Path:
    """Return an empty USB stick with one partition, from the second MiB on."""
    made, size, start = BUILD / "stick.img", 17 << 20, 1 << 20
    table = struct.pack("<4xB3xII", 0x83, start // 512, (size - start) // 512)  # 0x83: Linux
    made.write_bytes(bytes(446) + table + bytes(48) + b"\x55\xaa" + bytes(size - 512))
    run("mke2fs", "-q", "-t", "ext4", "-E", f"offset={start}", made, "16M")
    return made


def disk_of(root: Path) -> Path:
    disk = BUILD / "disk.img"
    disk.unlink(missing_ok=True)
    run("mke2fs", "-q", "-t", "ext4", "-d", root, disk, "2G")
    return disk


def boot(root: Path, disk: Path) -> Iterator[str]:
    """Start the machine; yield what it prints until it is switched off."""
    [kernel] = root.glob("boot/vmlinuz-*")
    [initrd] = root.glob("boot/initrd.img-*")
    options = (
        "root=/dev/vda rw console=ttyS0 quiet systemd.show_status=false loglevel=3 mitigations=off"
    )
    command = (
        *("qemu-system-x86_64", "-machine", "q35", "-cpu", "Nehalem", "-smp", "2", "-m", MEMORY),
        *("-nographic", "-no-reboot", "-net", "none"),
        *("-drive", f"file={disk},format=raw,if=virtio"),
        *("-drive", f"file={stick()},format=raw,if=none,id=stick"),
        *("-device", "qemu-xhci", "-device", "usb-storage,drive=stick,removable=on"),
        *("-kernel", str(kernel), "-initrd", str(initrd), "-append", options),
    )
    with subprocess.Popen(
        ["timeout", str(BOOT_S), *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        errors="replace",
    ) as machine:
        assert machine.stdout is not None
        for line in machine.stdout:
            print(line, end="", flush=True)
            yield line
    assert machine.returncode == 0, f"it was not switched off within {BOOT_S:g} s"


def judge(said: str, pictures: set[str]) -> None:
    """See that nothing failed, that each picture came, and what it showed."""
    assert "appliance: FAILED" not in said
    shown = dict(re.findall(r"appliance: picture (\S+) (\S+)", said))
    assert set(shown) == pictures
    for name, pixels in shown.items():
        image = on_glass(base64.b64decode(pixels))
        assert image.tobytes() == draw(PICTURES[name]).tobytes(), name
    mounts = re.findall(r"appliance: mount (/dev/\S+) (\S+) \S+ (\S+)", said)
    assert mounts, "no disk was mounted at the end"
    assert all("ro" in options.split(",") for _, _, options in mounts), mounts


def main() -> None:
    """Try each Debian that is asked for."""
    parser = argparse.ArgumentParser("make vm")
    parser.add_argument("packages", nargs="*", type=Path)
    parser.add_argument("--suite", choices=SUITES, action="append")
    arguments = parser.parse_args()
    for suite in arguments.suite or (["trixie"] if asked("SHORT") else SUITES):
        try_suite(suite, arguments.packages)


def try_suite(suite: str, packages: list[Path]) -> None:
    """Make the machine, start it twice, or once in the short form, and say what held."""
    root = BUILD / "root"
    shutil.rmtree(root, ignore_errors=True)
    run("cp", "--archive", fresh_system(suite), root)
    if packages:
        install(root, packages)
    else:
        lay_checkout(root, SUITES[suite])
    lay_metal(root, SHORT if asked("SHORT") else "")
    disk = disk_of(root)
    if not asked("SHORT"):
        judge("".join(boot(root, disk)), {"wrong-pins", "safe-to-unplug"})
    judge("".join(boot(root, disk)), {"safe-to-unplug"})
    print(f"appliance: all of it held on {suite}")


if __name__ == "__main__":
    main()
