"""The package in whole Debian systems: installed, played, upgraded, taken away.

By `make vm ONLY=package`, which needs root, and minutes; not collected by `make test`.
"""

import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pi_app import __version__
from systemd.deb import DIST, package_name
from tests.appliance.roots import (
    BUILD,
    ROOT,
    System,
    give,
    layer,
    mirror,
    run,
    stand_in,
    unpacked,
    user_id,
)
from tests.pi_app.record.journals import GAME, OTHER
from tests.pi_app.record.test_journal_schemas import write_older_journal

SUITES = {"bookworm": "3.11", "trixie": "3.13"}  # and its Python
OLD = "0.0.1"
USER = "pachisi-referee"
STATE = "/var/lib/pachisi-referee"
CONFIG = "/etc/pachisi-referee/referee.toml"
SOCKETS = ("pachisi-referee-page.socket", "pachisi-referee-local.socket")
SERVES_ONE_STATE = """
import socket, subprocess, sys
sock = socket.create_server(("0.0.0.0", 0))
module = ["-P", "-m", "pi_app.web.watching", str(sock.fileno()), "-", "/tmp/games", "False"]
libraries = {"PYTHONPATH": "/usr/lib/pachisi-referee"}
files = [sock.fileno()]
subprocess.run([sys.executable, *module], input=b"{}\\n", pass_fds=files, env=libraries, check=True)
"""
SEED_7 = ("simulate", "--auto", "--seed", "7")
SECONDS = 60.0
NO_DISPLAY = (
    "referee: the display can't be reached (/dev/i2c-1 is not there): "
    "turn it on with `sudo referee setup`\n"
)


def built(version: str) -> Path:
    """Build the package of this number, and return it."""
    run("make", "deb", f"VERSION={version}")
    return DIST / package_name(version)


@pytest.fixture(scope="session")
def new() -> Path:
    return built(__version__)


@pytest.fixture(scope="session")
def old() -> Path:
    BUILD.mkdir(parents=True, exist_ok=True)
    return built(OLD).rename(BUILD / package_name(OLD))  # dist is for what is to be installed


@pytest.fixture(scope="session")
def lgpio(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stand_in(tmp_path_factory.mktemp("lgpio"))


@pytest.fixture(scope="module", params=SUITES)
def suite(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def fresh(suite: str, lgpio: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A system with all that the package depends on."""
    folder = unpacked(suite, tmp_path_factory.mktemp(suite) / "fresh")
    System(folder).install(lgpio)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def system(fresh: Path, tmp_path: Path) -> Iterator[System]:
    """A system of the test's own, before the package."""
    with layer(fresh, tmp_path / "layer") as made:
        yield made
    shutil.rmtree(tmp_path / "layer")


# The file.


def test_built_twice_it_is_the_same_byte_for_byte(new: Path) -> None:
    first = new.read_bytes()
    shutil.rmtree(ROOT / "build" / "deb")
    assert built(__version__).read_bytes() == first


def test_lintian_finds_neither_error_nor_warning(new: Path) -> None:
    run("lintian", "--fail-on", "error,warning", "--allow-root", str(new))


# Its life.


def test_it_installs_without_net_pip_or_compiler(system: System, suite: str, new: Path) -> None:
    for tool in ("pip", "pip3", "gcc", "cc"):
        assert not shutil.which(tool, path=str(system.folder / "usr" / "bin")), tool
    system.install(new)
    assert system.do("referee", "--version") == f"referee {__version__}\n"
    assert set(system.do("id", "--name", "--groups", USER).split()) == {
        USER,
        *("gpio", "i2c", "spi", "dialout", "audio"),
    }
    wanted = system.folder / "etc" / "systemd" / "system" / "multi-user.target.wants"
    assert "referee.service" in {path.name for path in wanted.iterdir()}
    for one in SOCKETS:
        assert system.do("sh", "-c", f"systemctl is-enabled {one} || true") == "disabled\n"
    assert "pachisi-chamber" in system.read("/usr/lib/udev/rules.d/60-pachisi-referee.rules")
    assert system.do("referee", "check-config") == f"{CONFIG} has no mistakes\n"
    compiled = list(
        system.folder.glob("usr/lib/pachisi-referee/pi_app/runtime/__pycache__/loop.*.pyc")
    )
    assert [path.name.split("-")[1] for path in compiled] == [
        f"{SUITES[suite].replace('.', '')}.pyc"
    ]
    assert not (system.folder / STATE.lstrip("/")).exists()


def test_a_game_plays_as_it_does_in_the_checkout(system: System, new: Path) -> None:
    system.install(new)
    expected = run(sys.executable, "-m", "pi_app", *SEED_7)
    assert expected.count("\n") > 100
    assert system.do("referee", *SEED_7, as_user="nobody", HOME="/tmp") == expected


def test_its_page_can_be_served(system: System, new: Path) -> None:
    system.install(new)
    assert system.do("python3", "-c", SERVES_ONE_STATE) == ""


def test_libraries_of_the_folder_come_before_the_system_s_and_gpiozero_finds_its_factories(
    system: System, new: Path
) -> None:
    system.install(new)
    older = system.folder / "usr" / "lib" / "python3" / "dist-packages" / "gpiozero"
    older.mkdir()
    (older / "__init__.py").write_text("raise ImportError('the system has an older one')")
    found = (
        "import sys; sys.path.insert(0, '/usr/lib/pachisi-referee'); import gpiozero; "
        "from importlib.metadata import entry_points as found; print(gpiozero.__file__, "
        "sorted(one.name for one in found(group='gpiozero_pin_factories')))"
    )
    said = system.do("python3", "-I", "-c", found)
    assert said.startswith("/usr/lib/pachisi-referee/gpiozero/__init__.py ")
    assert "'lgpio'" in said


def test_an_upgrade_keeps_games_and_changes_and_the_service_moves_the_schema(
    system: System, old: Path, new: Path, tmp_path: Path
) -> None:
    system.install(old)
    assert system.do("referee", "--version") == f"referee {OLD}\n"
    changed = re.sub(r"^#ruleset = .*$", 'ruleset = "pb"', system.read(CONFIG), flags=re.MULTILINE)
    (system.folder / CONFIG.lstrip("/")).write_text(changed)
    write_older_journal(tmp_path / "games" / "journal.db", OTHER[:3], GAME)
    games = state(system)
    shutil.copytree(tmp_path / "games", games, dirs_exist_ok=True)
    give(games, user_id(system, USER))
    before = files(games)
    system.install(new)
    assert system.do("referee", "--version") == f"referee {__version__}\n"
    assert system.read(CONFIG) == changed
    assert files(games) == before
    status, said = started(system)
    assert (status, said.count("\n"), NO_DISPLAY in said) == (0, 5, True)
    assert f"{STATE} is in memory: the games are lost when the power goes\n" in said  # an overlay
    assert 'a game goes on: A, B, C, D by "royal-2023"\n' in said
    assert (games / "journal.schema-5.db").read_bytes() == before["journal.db"]
    assert rows(games / "journal.db") == [(1, 3), (2, 5)]
    assert {path.stat().st_uid for path in games.iterdir()} == {user_id(system, USER)[0]}


def test_a_downgrade_says_which_version_the_journal_needs_and_touches_nothing(
    system: System, old: Path, new: Path
) -> None:
    system.install(new)
    games = state(system)
    system.do("referee", *SEED_7, "--folder", STATE, as_user=USER)
    with sqlite3.connect(games / "journal.db") as journal:  # as a later version would have it
        journal.execute("PRAGMA user_version = 99")
        journal.execute("UPDATE meta SET value = '99' WHERE key = 'schema'")
        journal.execute("UPDATE meta SET value = '9.9' WHERE key = 'made by'")
    journal.close()
    give(games, user_id(system, USER))
    before = files(games)
    system.install(old)
    assert system.do("referee", "--version") == f"referee {OLD}\n"
    status, said = started(system)
    assert status == 78
    assert "journal.db was made by version 9.9 (schema 99), this is version 0.0.1" in said
    assert "install 9.9 or a later one" in said
    after = files(games)
    assert b"was made by version 9.9" in after.pop("faults.log")
    assert after == before


def test_removing_keeps_the_games_and_purging_all_but_them(system: System, new: Path) -> None:
    system.install(new)
    games = state(system)
    system.do("referee", *SEED_7, "--folder", STATE, as_user=USER)
    before = files(games)
    system.do("systemctl", "enable", *SOCKETS)
    system.do("apt-get", "remove", "--assume-yes", "pachisi-referee")
    assert files(games) == before
    assert (system.folder / CONFIG.lstrip("/")).exists()
    assert not (system.folder / "usr" / "lib" / "pachisi-referee").exists()
    system.do("apt-get", "purge", "--assume-yes", "pachisi-referee")
    assert files(games) == before
    left = system.do("find", "/", "-xdev", "-name", "*referee*", "-not", "-path", "/srv/*")
    assert left.split() == [STATE]


def test_setup_changes_a_pi_once(system: System, new: Path) -> None:
    system.install(new)
    system.do("useradd", "pi")
    config = system.folder / "boot" / "firmware" / "config.txt"
    config.parent.mkdir(parents=True)
    config.write_text("dtoverlay=vc4-kms-v3d\n[all]\n")
    said = system.do("referee", "setup", SUDO_USER="pi").splitlines()
    assert "dtparam=i2c_arm_baudrate=400000\n" in config.read_text()
    assert {"gpio", "i2c", "spi", "dialout", "pachisi-referee"} < set(
        system.do("id", "-Gn", "pi").split()
    )
    assert said[-1] == "reboot to apply this: sudo reboot"
    before = config.read_text()
    assert "are set up already" in system.do("referee", "setup", SUDO_USER="pi")
    assert config.read_text() == before


def test_piuparts_finds_nothing_left_behind(suite: str, fresh: Path, new: Path) -> None:
    log = BUILD / f"piuparts-{suite}.log"
    # An empty folder of systemd, which bookworm's dpkg knows in /lib alone and so takes for ours.
    shared = "--ignore-regex=/?usr/lib/systemd/system-shutdown/?"
    where = (f"--existing-chroot={fresh}", f"--distribution={suite}", f"--mirror={mirror()} main")
    run("piuparts", *where, shared, f"--log-file={log}", str(new))


# Its service, without systemd: as its user, with what systemd would give it.


def state(system: System) -> Path:
    """Make the folder that systemd makes for the service, and return it."""
    folder = system.folder / STATE.lstrip("/")
    folder.mkdir(exist_ok=True)
    give(folder, user_id(system, USER))
    return folder


def started(system: System) -> tuple[int, str]:
    """Start the service, stop it once it is ready; return its exit status and its last words."""
    runtime = system.folder / "run" / "pachisi-referee"
    runtime.mkdir(exist_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.settimeout(SECONDS)
        told.bind(str(runtime / "notify"))
        give(runtime, user_id(system, USER))
        inside = system.inside(
            *("referee", "run"),
            as_user=USER,
            METAL="/run/pachisi-referee",
            RUNTIME_DIRECTORY="/run/pachisi-referee",
            NOTIFY_SOCKET="/run/pachisi-referee/notify",
        )
        process = subprocess.Popen(inside, stderr=subprocess.PIPE, text=True)
        try:
            while process.poll() is None and b"READY=1" not in received(told):
                pass
            return ended(process)
        finally:
            process.kill()


def received(told: socket.socket) -> bytes:
    told.settimeout(1.0)
    try:
        return told.recv(4096)
    except TimeoutError:
        return b""


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Ask the referee to end, as systemd does, if it has not; its status and what it said."""
    for child in children(process.pid):
        os.kill(child, signal.SIGTERM)
    _, said = process.communicate(timeout=SECONDS)
    return process.returncode, said


def children(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    try:
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def files(folder: Path) -> dict[str, bytes]:
    """What lies in a folder, but for what SQLite makes by reading: a -shm and an empty -wal."""
    return {
        path.name: path.read_bytes()
        for path in folder.iterdir()
        if not path.name.endswith(("-shm", ".lock")) and path.stat().st_size
    }


def rows(journal: Path) -> list[tuple[int, int]]:
    connection = sqlite3.connect(f"file:{journal}?mode=ro", uri=True)
    try:
        return connection.execute("SELECT game, count(*) FROM rows GROUP BY game").fetchall()
    finally:
        connection.close()
