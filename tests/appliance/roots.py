"""Whole Debian systems in folders, for the package to be installed in; needs root. No tests."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "appliance"
BINFMT = Path("/proc/sys/fs/binfmt_misc")

# What the package depends on is there already, so that it can be installed without the net.
INCLUDED = "python3,python3-cbor2,python3-pil,python3-spidev,systemd"
VARIABLES = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "LC_ALL": "C.UTF-8",
    "HOME": "/root",
    "DEBIAN_FRONTEND": "noninteractive",
}
# In a mount and a net of its own: nothing is left of either, and nothing is reached by the latter.
INSIDE = 'mount -t proc proc "$0/proc" && mount -t tmpfs shm "$0/dev/shm" && exec chroot "$0" "$@"'


def run(*command: str) -> str:
    """Run a command in the checkout and return what it says; AssertionError if it fails."""
    done = subprocess.run(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, text=True, capture_output=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def mirror() -> str:
    """Return the Debian mirror that this machine uses."""
    listed = run("apt-get", "indextargets", "--format", "$(REPO_URI)", "Origin: Debian")
    return next(
        (line.rstrip("/") for line in listed.splitlines() if "security" not in line), MIRROR
    )


MIRROR = "http://deb.debian.org/debian"


def tarball(suite: str) -> Path:
    """Return a fresh system of this suite, made once in a checkout."""
    path = BUILD / f"{suite}.tar"
    if not path.exists():
        BUILD.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(".new.tar")
        include = f"--include={INCLUDED}"
        run("mmdebstrap", "--mode=root", "--variant=minbase", include, suite, str(new), mirror())
        new.rename(path)
    return path


class System:
    """One system, as a folder on this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def inside(self, *command: str, as_user: str = "root", **variables: str) -> list[str]:
        """Return the command line that does a command inside, without the net."""
        user, group = user_id(self, as_user)
        who = ["setpriv", f"--reuid={user}", f"--regid={group}", "--init-groups"]
        named = [f"{name}={value}" for name, value in (VARIABLES | variables).items()]
        chroot = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--net"]
        return [*chroot, "sh", "-c", INSIDE, str(self.folder), "env", "-i", *named, *who, *command]

    def do(self, *command: str, as_user: str = "root", **variables: str) -> str:
        """Do a command inside and return what it says; an AssertionError if it fails."""
        return run(*self.inside(*command, as_user=as_user, **variables))

    def bring(self, *files: Path) -> list[str]:
        """Copy files into /srv and return their paths inside."""
        for file in files:
            shutil.copy(file, self.folder / "srv")
        return [f"/srv/{file.name}" for file in files]

    def install(self, *packages: Path) -> None:
        """Install packages, older ones too; nothing asks, nothing is fetched."""
        options = ("--assume-yes", "--allow-downgrades", "--no-install-recommends")
        self.do("apt-get", "install", *options, *self.bring(*packages))

    def read(self, path: str) -> str:
        """Return a file's text, by its path inside."""
        return (self.folder / path.lstrip("/")).read_text()


@contextmanager
def layer(below: Path, work: Path) -> Iterator[System]:
    """Yield a system like that in `below`, which stays as it is whatever is done."""
    for name in ("upper", "work", "merged"):
        (work / name).mkdir(parents=True)
    merged = work / "merged"
    parts = f"lowerdir={below},upperdir={work / 'upper'},workdir={work / 'work'}"
    run("mount", "-t", "overlay", "overlay", "-o", parts, str(merged))
    try:
        yield System(merged)
    finally:
        run("umount", str(merged))


def unpacked(suite: str, folder: Path) -> Path:
    """Unpack a fresh system of this suite into a folder."""
    folder.mkdir()
    run("tar", "--extract", "--numeric-owner", f"--file={tarball(suite)}", f"--directory={folder}")
    return folder


def stand_in(folder: Path) -> Path:
    """Build a package in place of python3-lgpio, which Debian has not: pins in memory."""
    tree = folder / "python3-lgpio"
    place = tree / "usr" / "lib" / "python3" / "dist-packages"
    place.mkdir(parents=True)
    shutil.copy(ROOT / "tests" / "end_to_end" / "metal" / "lgpio.py", place)
    (tree / "DEBIAN").mkdir()
    (tree / "DEBIAN" / "control").write_text(
        "Package: python3-lgpio\nVersion: 0.2.2\nArchitecture: all\nSection: python\n"
        "Maintainer: Nobody <nobody@pachisi-referee.invalid>\nDepends: python3:any\n"
        "Description: stands in for the library of the pins\n"
    )
    path = folder / "python3-lgpio_0.2.2_all.deb"
    run("dpkg-deb", "--root-owner-group", "--build", str(tree), str(path))
    return path


def user_id(system: System, name: str) -> tuple[int, int]:
    """Return a user's and its group's number inside."""
    [line] = [
        line for line in system.read("/etc/passwd").splitlines() if line.startswith(f"{name}:")
    ]
    user, group = line.split(":")[2:4]
    return int(user), int(group)


def give(path: Path, owner: tuple[int, int]) -> None:
    """Make a folder and all in it somebody's."""
    for one in (path, *path.rglob("*")):
        os.chown(one, *owner)


def let_arm64_run() -> None:
    """Tell the kernel to run programs of arm64 with QEMU, as systemd-binfmt does at a start."""
    if not (BINFMT / "register").exists():
        run("mount", "-t", "binfmt_misc", "binfmt_misc", str(BINFMT))
    if not (BINFMT / "qemu-aarch64").exists():
        [rule] = Path("/usr/lib/binfmt.d/qemu-aarch64.conf").read_text().splitlines()
        (BINFMT / "register").write_text(rule)
