"""The whole appliance in a virtual machine: a Debian with its own kernel, systemd and the table.

`make vm` as root lays the checkout into a fresh Debian and starts that twice: bookworm, then
trixie, or one of them, as in `make vm SUITE=trixie`. With DEB="FILE.deb ..." it installs packages
instead. It needs no KVM. What is tried is in tests/appliance/in_vm.py. `make vm SHORT=1` starts
bookworm once, and tries a few steps.

On bookworm lgpio and rpi-lgpio are real, on the pins of the kernel's gpio-sim. So is the chamber's
USB connection, by the kernel's dummy_hcd, with the firmware's logic at the other end. Not real are:

- the pins on trixie, whose Python has no lgpio on PyPI: a stand-in of tests/end_to_end/metal. It
  also has the faults that a kernel can't be given: pins that hang, or report nothing;
- the display, a stand-in on both;
- a Pi's own driver of its pins and anything electrical; the number of its revision is given;
- times: the machine is slow and stands still for moments, in which it can miss a tap of 4 ms;
- the Pico's clock, pins and MicroPython, and a USB line with errors.
"""

import argparse
import base64
import os
import re
import shlex
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
KEPT = Path(os.environ.get("TOOLS", BUILD / "tools")).parent  # by CI, from one run to the next
SUITES = {"bookworm": "3.11", "trixie": "3.13"}  # and its Python
KERNEL_PINS = "bookworm"  # lgpio has no wheel for the other's Python
PACKAGES = (
    "dbus,e2fsprogs,kmod,linux-image-amd64,procps,python3,python3-cbor2,python3-pil,"
    "python3-spidev,systemd-sysv,udev"
)
TOOLS = "device-tree-compiler,micropython,qemu-system-arm"  # of trixie, newer than here
LIBRARIES = Path("usr/lib/pachisi-referee")  # where the package has them, too
PLATFORMS = ("manylinux_2_28", "manylinux_2_34")
LOCK = Path(__file__).with_name("requirements.lock")  # the pins' libraries
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
WorkingDirectory=/srv
ExecStart=/usr/bin/python3 -m tests.appliance.{inside} {steps}
StandardOutput=tty
StandardError=tty
TTYPath=/dev/{console}
[Install]
WantedBy=multi-user.target
"""
CHAMBER = """\
[chamber]
port = "/dev/pachisi-chamber"
"""
LANGUAGE = """\
[settings]
language = "en"  # else the first screen asks
"""
# What is tried inside, and the chamber's firmware.
INSIDE = (
    "tests/appliance/in_pi3b.py",
    "tests/appliance/in_vm.py",
    "tests/appliance/pico.py",
    "firmware/chamber.py",
    "firmware/link.py",
)
ON_METAL = """\
[Service]
Environment=METAL=/var/lib/pachisi-referee/metal
ExecStartPre=/bin/mkdir -p /var/lib/pachisi-referee/metal
# A machine that is made up takes half a minute where a Pi takes some seconds.
TimeoutStartSec=300
"""
# What a Pi has, made of modules: its chip of 54 pins, and its number of revision.
ON_KERNEL_PINS = """\
ExecStartPre=+/bin/sh -c '[ -e /dev/gpiochip0 ] || exec sh -e /srv/pins'
BindReadOnlyPaths=/srv/cpuinfo:/proc/cpuinfo
Environment=RPI_LGPIO_REVISION=902120
"""
CPU_INFO = "Revision\t: 902120\n"  # a Zero 2 W
GPIO_RULE = 'SUBSYSTEM=="gpio", GROUP="gpio", MODE="0660"\n'  # as in Raspberry Pi OS
MAKE_PINS = """\
modprobe --all configfs dummy_hcd
insmod /srv/gpio-simulator.ko
mkdir -p /sys/kernel/config/gpio-sim/pi/pins
cd /sys/kernel/config/gpio-sim/pi
echo 54 >pins/num_lines
echo 1 >live
udevadm settle
"""
# Debian's kernel has neither gpio-sim nor the interrupts that it needs. Both are one module here,
# which can't call irq_to_desc().
BUILD_GPIO_SIM = """\
cd /srv
tar --extract --strip-components=1 --wildcards --file=$(echo /usr/src/linux-source-*.tar.xz) \
  '*/drivers/gpio/gpio-sim.c' '*/drivers/gpio/gpiolib.h' '*/kernel/irq/irq_sim.c'
sed --in-place 's/handle_simple_irq(irq_to_desc(irqnum))/generic_handle_irq(irqnum)/' \
  kernel/irq/irq_sim.c
echo 'obj-m := gpio-simulator.o' >Makefile
echo 'gpio-simulator-y := drivers/gpio/gpio-sim.o kernel/irq/irq_sim.o' >>Makefile
make --directory=$(echo /usr/src/linux-headers-*-amd64) M=/srv modules
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
OPTIONS = "quiet systemd.show_status=false loglevel=3 mitigations=off"  # of the kernel
MEMORY = "512"  # a Zero 2 W has as much
BOOT_S = 1500.0
# Steps of the first start.
SHORT = "starts is_plugged_in plays lights_a_lamp bounces is_unplugged switches_off"
PICTURES: dict[str, Screen] = {
    "wrong-pins": last_pages.WRONG_PINS,
    "safe-to-unplug": last_pages.SAFE_TO_UNPLUG,
}


def run(*command: str | Path) -> None:
    subprocess.run(command, check=True)


def fresh_system(
    name: str, suite: str, packages: str = PACKAGES, arch: str = "amd64", *hooks: str
) -> Path:
    """Return a folder with a Debian that nothing of ours is in, made once in a checkout.

    hooks: further options of mmdebstrap.
    """
    made = BUILD / name
    if not made.exists():
        BUILD.mkdir(parents=True, exist_ok=True)
        new = BUILD / f"{name}.new"
        shutil.rmtree(new, ignore_errors=True)
        options = ("--mode=root", "--variant=minbase", "--dpkgopt=force-unsafe-io")
        which = (f"--architectures={arch}", f"--include={packages}")
        run("mmdebstrap", *options, *which, *hooks, suite, new)
        new.rename(made)
    return made


def of_trixie(program: str, *arguments: str | Path) -> tuple[str | Path, ...]:
    """Return the command that runs a program of trixie here, with trixie's libraries."""
    tree = fresh_system("tools", "trixie", TOOLS)
    libraries = tree / "usr/lib/x86_64-linux-gnu"
    loader = (tree / "lib64/ld-linux-x86-64.so.2", "--library-path", libraries)
    return (
        "env",
        f"QEMU_MODULE_DIR={libraries}/qemu",
        *loader,
        tree / "usr/bin" / program,
        *arguments,
    )


def gpio_sim(kernel: str) -> Path:
    """Return the kernel's simulated pins as a module, made once for each kernel.

    Raises CalledProcessError if Debian no longer has this kernel's headers: then delete build/vm.
    """
    made = KEPT / kernel / "gpio-simulator.ko"
    if not made.exists():
        made.parent.mkdir(parents=True, exist_ok=True)
        tools = f"linux-headers-{kernel},linux-source,gcc,make,xz-utils"
        build = f"--customize-hook=chroot $1 sh -ec {shlex.quote(BUILD_GPIO_SIM)}"
        out = f"--customize-hook=copy-out /srv/{made.name} {made.parent}"
        make = ("mmdebstrap", "--variant=minbase", "--dpkgopt=force-unsafe-io")
        run(*make, f"--include={tools}", build, out, KERNEL_PINS, "/dev/null")
    return made


def write(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


def lay_libraries(root: Path, suite: str, lock: Path, machine: str = "x86_64") -> None:
    """Lay the libraries of a lock file where the package has its own."""
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes")
    wheels = ("--only-binary=:all:", "--no-binary=argparse-manpage")  # which has none, and is pure
    platforms = (f"--platform={one}_{machine}" for one in PLATFORMS)
    only = (f"--python-version={SUITES[suite]}", *platforms)
    run(*pip, *wheels, *only, "--target", root / LIBRARIES, "--requirement", lock)


def lay_checkout(root: Path, suite: str, machine: str = "x86_64") -> None:
    """Lay our packages, their libraries and systemd/ where the package would."""
    lay_libraries(root, suite, ROOT / "requirements.lock", machine)
    for package in ("pi_app", "rules"):
        shutil.copytree(ROOT / package, root / LIBRARIES / package)
    write(root / "usr/bin/referee", LAUNCH, 0o755)
    for name, place in INSTALL_PATHS.items():
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "systemd" / name, root / place)
    run("systemd-sysusers", f"--root={root}")
    run("systemctl", f"--root={root}", "enable", "referee.service")


def install(root: Path, packages: list[Path]) -> None:
    """Install packages; nothing is fetched."""
    for package in packages:
        shutil.copy(package, root / "srv")
    names = [f"/srv/{package.name}" for package in packages]
    run("chroot", root, "apt-get", "install", "--yes", "--no-install-recommends", *names)
    run("chroot", root, "systemctl", "enable", "referee.service")


def lay_stand_in(root: Path, name: str) -> None:
    """Put a stand-in of tests/end_to_end/metal in the place of its library."""
    shutil.rmtree(root / LIBRARIES / name, ignore_errors=True)
    text = (METAL / f"{name}.py").read_text()
    text = text.replace('os.environ["METAL"]', 'os.environ.get("METAL", "/run/metal")')
    write(root / LIBRARIES / f"{name}.py", text)


def lay_kernel_pins(root: Path) -> None:
    """Put the real libraries of the pins, and what gives the kernel a Pi's pins."""
    lay_libraries(root, KERNEL_PINS, LOCK)
    [modules] = root.glob("lib/modules/*")
    shutil.copy(gpio_sim(modules.name), root / "srv")
    write(root / "srv/pins", MAKE_PINS)
    write(root / "srv/cpuinfo", CPU_INFO)
    write(root / "etc/udev/rules.d/99-com.rules", GPIO_RULE)


def lay_metal(root: Path, steps: str, has_kernel_pins: bool) -> None:
    """Put the stand-ins of pins and panel in the libraries' place, and what tries it all.

    steps: the names of the steps of the first start; all if "".
    """
    lay_stand_in(root, "smbus2")
    if has_kernel_pins:
        lay_kernel_pins(root)
    else:
        lay_stand_in(root, "lgpio")
    unit = ON_METAL + (ON_KERNEL_PINS if has_kernel_pins else "")
    write(root / "etc/systemd/system/referee.service.d/metal.conf", unit)
    write(root / "usr/lib/systemd/system-shutdown/show-last", SHOW_LAST, 0o755)
    write(root / "etc/pachisi-referee/referee.toml", CHAMBER + LANGUAGE)
    write(root / "etc/fstab", "/dev/vda / ext4 defaults 0 1\n")
    run("chroot", root, "python3", "-m", "compileall", "-q", f"/{LIBRARIES}")
    lay_trial(root, "in_vm", steps, "ttyS0")


def lay_trial(root: Path, inside: str, steps: str, console: str) -> None:
    """Put what tries it all inside, and let systemd start it. inside: its module."""
    for name in INSIDE:
        write(root / "srv" / name, (ROOT / name).read_text())
    unit = TRIED.format(inside=inside, steps=steps, console=console)
    write(root / "etc/systemd/system/appliance.service", unit)
    run("systemctl", f"--root={root}", "enable", "appliance.service")
    run("systemctl", f"--root={root}", "mask", f"serial-getty@{console}.service")


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
    """Start the machine; yield what it prints."""
    [kernel] = root.glob("boot/vmlinuz-*")
    [initrd] = root.glob("boot/initrd.img-*")
    options = f"root=/dev/vda rw console=ttyS0 {OPTIONS}"
    return lines_of(
        *("qemu-system-x86_64", "-machine", "q35", "-cpu", "Nehalem", "-smp", "2", "-m", MEMORY),
        *("-nographic", "-no-reboot", "-net", "none"),
        *("-drive", f"file={disk},format=raw,if=virtio"),
        *("-drive", f"file={stick()},format=raw,if=none,id=stick"),
        *("-device", "qemu-xhci", "-device", "usb-storage,drive=stick,removable=on"),
        *("-kernel", str(kernel), "-initrd", str(initrd), "-append", options),
    )


def lines_of(*command: str | Path) -> Iterator[str]:
    """Start a machine by this command; yield what it prints until it is switched off."""
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
    for suite in arguments.suite or ([KERNEL_PINS] if asked("SHORT") else SUITES):
        try_suite(suite, arguments.packages)


def try_suite(suite: str, packages: list[Path]) -> None:
    """Make the machine, start it twice, or once in the short form, and say what held."""
    root = BUILD / "root"
    shutil.rmtree(root, ignore_errors=True)
    run("cp", "--archive", fresh_system(suite, suite), root)
    if packages:
        install(root, packages)
    else:
        lay_checkout(root, suite)
    lay_metal(root, SHORT if asked("SHORT") else "", suite == KERNEL_PINS)
    disk = disk_of(root)
    if not asked("SHORT"):
        judge("".join(boot(root, disk)), {"wrong-pins", "safe-to-unplug"})
    judge("".join(boot(root, disk)), {"safe-to-unplug"})
    print(f"appliance: all of it held on {suite}")


if __name__ == "__main__":
    main()
