"""The table on QEMU's Raspberry Pi 3, under Debian's own arm64 kernel: with a Pi's own drivers.

`make vm ONLY=service SUITE=pi3b` as root. QEMU is that of trixie, because bookworm's has no I2C for
this machine; the system is bookworm, because PyPI has lgpio for its Python. What is tried is in
tests/appliance/in_pi3b.py.

On the Pi's I2C bus a memory chip answers at 3c, which keeps what a display would be sent; nothing
answers at 3d. QEMU's machine has not, or has otherwise than a Pi:

- inputs: each reads as 0 and reports no edge, so that all buttons seem to be held;
- the watchdog's count: the device is there, but never restarts the machine;
- the firmware: it does not know the supply's state. We write the board's revision and the number of
  the I2C bus into the device tree, as a Pi's firmware does.
"""

import shutil
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

from pi_app.display.view import draw
from pi_app.model.screens import Pattern, Screen
from pi_app.table.telling import last_pages
from pi_app.texts.words import PATTERNS
from tests.appliance import vm
from tests.appliance.roots import let_arm64_run
from tests.asked import asked

SYSTEM, MACHINE, ARCH = "bookworm", "aarch64", "arm64"
# The kernel's modules that mount the card, and no others: that is sooner made and started.
FEW_MODULES = (
    "--essential-hook=mkdir -p $1/etc/initramfs-tools/conf.d",
    "--essential-hook=echo MODULES=list >$1/etc/initramfs-tools/conf.d/few",
    "--essential-hook=echo 'bcm2835 mmc_block ext4' | tr ' ' '\\n' >$1/etc/initramfs-tools/modules",
)
REVISION = "a02082"  # a 3 Model B
I2C = "/soc/i2c@7e804000"  # the bus at the pins 3 and 5
# As in Raspberry Pi OS.
RULES = """\
SUBSYSTEM=="gpio", GROUP="gpio", MODE="0660"
SUBSYSTEM=="i2c-dev", GROUP="i2c", MODE="0660"
"""
# A machine that is made up takes minutes where a Pi takes seconds.
PATIENCE = "[Service]\nTimeoutStartSec=600\nWatchdogSec=60\n"
# A game of A and C, some turns long.
SCRIPT = "0.5 A.ok\n+1 C.ok\n+1 A.ok 1.5\n" + "+4 dome\n" * 6 + "+1 A.ok\n+1 C.ok\n+1 end\n"
SIZE = 65536  # of the memory chip, in bytes
CHIP = f"at24c-eeprom,bus=i2c-bus.1,address=0x3c,rom-size={SIZE},drive=panel"
# The first two bytes of a message are the place where the chip keeps the rest: 0x40, with which a
# picture begins, and the picture's first eight dots. Commands begin with 0 and so lie elsewhere.
PICTURES = 0x4000
STRIP = 128  # bytes, eight dots high
LOOK_S = 0.05
SHORT = "has_its_drivers goes_on lights_lamps"


def make_system() -> Path:
    """Return a folder with the system, the table, a game, and what tries it all."""
    let_arm64_run()
    root = vm.BUILD / "root"
    shutil.rmtree(root, ignore_errors=True)
    packages = vm.PACKAGES.replace("amd64", ARCH)
    fresh = vm.fresh_system(f"{SYSTEM}-{ARCH}", SYSTEM, packages, ARCH, *FEW_MODULES)
    vm.run("cp", "--archive", fresh, root)
    vm.lay_checkout(root, SYSTEM, MACHINE)
    vm.lay_libraries(root, SYSTEM, vm.LOCK, MACHINE)
    vm.run("chroot", root, "python3", "-m", "compileall", "-q", f"/{vm.LIBRARIES}")
    vm.lay_trial(root, "in_pi3b", SHORT if asked("SHORT") else "", "ttyS1")
    vm.write(root / "etc/pachisi-referee/referee.toml", vm.LANGUAGE)
    vm.write(root / "etc/udev/rules.d/99-com.rules", RULES)
    vm.write(root / "etc/systemd/system/referee.service.d/patience.conf", PATIENCE)
    vm.write(root / "etc/fstab", "/dev/mmcblk0 / ext4 defaults 0 1\n")
    vm.write(root / "srv/script", SCRIPT)
    play = (sys.executable, "-m", "pi_app", "simulate", "--seed", "5", "--script")
    vm.run(*play, root / "srv/script", "--folder", root / "var/lib/pachisi-referee")
    return root


def device_tree(root: Path) -> Path:
    """Return the board's device tree, with what a Pi's firmware writes into it."""
    tree = vm.BUILD / "pi3b.dtb"
    [plain] = root.glob("usr/lib/linux-image-*/broadcom/bcm2837-rpi-3-b.dtb")
    shutil.copy(plain, tree)
    vm.run(*vm.of_trixie("fdtput", "--create", tree, "/system"))
    vm.run(*vm.of_trixie("fdtput", "--type", "x", tree, "/system", "linux,revision", REVISION))
    vm.run(*vm.of_trixie("fdtput", "--type", "s", tree, "/aliases", "i2c1", I2C))
    return tree


def boot(root: Path, panel: Path) -> Iterator[str]:
    """Start the machine; yield what it prints. panel: the file behind the memory chip."""
    [kernel] = root.glob("boot/vmlinuz-*")
    [initrd] = root.glob("boot/initrd.img-*")
    options = f"root=/dev/mmcblk0 rw rootwait maxcpus=2 console=ttyS1,115200 {vm.OPTIONS}"
    return vm.lines_of(
        *vm.of_trixie("qemu-system-aarch64", "-M", "raspi3b", "-display", "none", "-no-reboot"),
        *("-serial", "null", "-serial", "stdio", "-append", options),
        *("-kernel", kernel, "-initrd", initrd, "-dtb", device_tree(root)),
        *("-drive", f"file={vm.disk_of(root)},format=raw,if=sd"),
        *("-drive", f"file={panel},format=raw,if=none,id=panel", "-device", CHIP),
    )


class Eye:
    """What the chip has held during each step, by the step's name."""

    def __init__(self, panel: Path) -> None:
        self.panel = panel
        self.step = "before"
        self.seen = defaultdict[str, set[bytes]](set)

    @contextmanager
    def looks(self) -> Iterator[None]:
        done = Event()

        def look() -> None:
            while not done.wait(LOOK_S):
                self.seen[self.step].add(self.panel.read_bytes())

        thread = Thread(target=look)
        thread.start()
        yield
        done.set()
        thread.join()

    def has_seen(self, step: str, picture: bytes) -> bool:
        place = PICTURES + picture[0]
        end = place + len(picture) - 1
        return any(held[place:end] == picture[1:] for held in self.seen[step])


def sent(screen: Screen) -> bytes:
    """Return what a display is sent: eight strips of 128 columns of eight bits."""
    image = draw(screen)
    return bytes(
        sum(bool(image.getpixel((column, 8 * strip + bit))) << bit for bit in range(8))
        for strip in range(8)
        for column in range(STRIP)
    )


def main() -> None:
    """Start the machine, and say what held."""
    root, panel = make_system(), vm.BUILD / "panel"
    panel.write_bytes(bytes(SIZE))
    eye, said = Eye(panel), ""
    with eye.looks():
        for line in boot(root, panel):
            said += line
            if "appliance: trying " in line:
                eye.step = line.split()[-1]
    assert "appliance: FAILED" not in said
    assert eye.has_seen("switches_off", sent(last_pages.SAFE_TO_UNPLUG))
    for picture in [] if asked("SHORT") else [sent(Pattern(name)) for name in PATTERNS]:
        assert eye.has_seen("tests_itself", picture)
        assert eye.has_seen("tests_an_sh1106", picture[-STRIP:])  # sent one by one; this one stays
    print("appliance: all of it held on a Raspberry Pi 3 of QEMU")


if __name__ == "__main__":
    main()
