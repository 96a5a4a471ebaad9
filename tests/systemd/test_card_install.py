"""The card's installer, with scripts in place of the Pi's commands: faults and power cuts."""

import os
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from systemd.card.__main__ import HERE
from systemd.release.archives import pack_tar
from tests.systemd.cards import AS_IT_IS, LINE, OF_CLOUD_INIT, RELEASE, Options, write_card, written

INSTALLER = HERE / "install.sh"
SERVICE = "pachisi-referee-card.service"
# Each command writes what it was asked into a file. A file in faults/ makes it fail with that text;
# `sleep` mends all faults, as a family would while the installation waits.
ASKED = 'echo "$(basename "$0") $*" >>"$PI/asked"\n'
FAULT = 'fault=$PI/faults/$(basename "$0")-$1\n[ -e "$fault" ] && { cat "$fault"; exit 100; }\n:\n'
# apt installs the referee, and its service starts.
INSTALLS = """\
[ "$1" = install ] && cp "$PI/referee" "$PI/bin" && echo active >"$PI/table"
:
"""
COMMANDS = {
    "apt-get": ASKED + FAULT + INSTALLS,
    "dpkg": '[ "$1" = --print-architecture ] && { cat "$PI/architecture"; exit; }\n'
    + ASKED
    + FAULT,
    "systemctl": '[ "$1" = is-active ] && { cat "$PI/table"; exit; }\n'
    + ASKED
    + '[ "$*" = "stop referee.service" ] && echo inactive >"$PI/table"\n:\n',
    "dtparam": ASKED + 'mkdir -p "$ROOT/dev" && : >"$ROOT/dev/i2c-1"\n',
    "modprobe": ASKED,
    "cloud-init": ASKED,
    "ip": 'case "$*" in *-6*) ;; *) cat "$PI/routes" ;; esac\n',
    "date": 'case $1 in +%s) cat "$PI/time" ;; *) echo 2025-01-01 ;; esac\n',
    "df": 'echo Filesystem Size Used Available; echo /dev/root 1 1 "$(cat "$PI/free")"\n',
    "id": "echo ana\n",
    "hostname": "echo board\n",
    "sync": "",
    "sleep": 'cp "$PI/card/pachisi-referee.txt" "$PI/waited"\n' + ASKED + "mend_all\n",
}
REFEREE = "#!/bin/sh\n" + ASKED + FAULT
MEND = """\
rm -f "$PI"/faults/*
echo default via 192.168.1.1 >"$PI/routes"
echo 1764000001 >"$PI/time"
echo 4000000 >"$PI/free"
"""


class Pi:
    """A Pi in a folder, with a card in it."""

    def __init__(self, folder: Path, options: Options) -> None:
        self.folder, self.card, self.root = folder, folder / "card", folder / "root"
        for path in (
            self.card,
            folder / "faults",
            folder / "bin",
            self.root / "etc",
            self.root / "run",
        ):
            path.mkdir(parents=True)
        write_card(self.card, options=options)
        self.put("architecture", "arm64\n")
        self.put("table", "inactive\n")
        self.put("referee", REFEREE, 0o755)
        for name, text in (COMMANDS | {"mend_all": MEND}).items():
            self.put(f"bin/{name}", f"#!/bin/sh\n{text}", 0o755)
        self.run(folder / "bin" / "mend_all")

    def put(self, name: str, text: str, mode: int = 0o644) -> None:
        (self.folder / name).write_text(text)
        (self.folder / name).chmod(mode)

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        variables = {
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "PI": str(self.folder),
            "ROOT": str(self.root),
        }
        return subprocess.run(
            command, env=variables, capture_output=True, text=True, check=False, timeout=120
        )

    def install(self, word: str = "install") -> int:
        """Run the installer; its exit status."""
        done = self.run("sh", self.card / "pachisi-referee" / "install.sh", word)
        assert done.stderr == ""
        return done.returncode

    def asked(self) -> list[str]:
        """Return the commands that change something, in order, and forget them."""
        path = self.folder / "asked"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return lines

    def announced(self) -> list[str]:
        """Return what the display was told, and forget all commands."""
        return [line.split()[-1] for line in self.asked() if line.startswith("referee announce")]

    def write_card(self, version: str, options: Options = AS_IT_IS) -> None:
        """Put the referee on the card again, with the package of another version."""
        package = f"package {version}".encode()
        release = replace(RELEASE, version=version, package=package)
        write_card(self.card, options=options, release=release)

    def play(self) -> None:
        """Let an earlier version be installed, and its service run."""
        shutil.copy(self.folder / "referee", self.folder / "bin")
        self.put("table", "active\n")

    def report(self) -> str:
        """Return the file on the card that people read."""
        return decode(self.card / "pachisi-referee.txt")

    def waited(self) -> str:
        """Return that file as it was when the installer last waited."""
        return decode(self.folder / "waited")


def decode(path: Path) -> str:
    data = path.read_bytes()
    assert data.count(b"\r\n") == data.count(b"\n"), "not readable on every computer"
    return data.decode("ascii").replace("\r\n", "\n")


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path, AS_IT_IS)


def test_the_installer_is_sound_for_a_plain_shell() -> None:
    subprocess.run(["sh", "-n", INSTALLER], check=True)
    dash = shutil.which("dash")
    if dash:
        subprocess.run([dash, "-n", INSTALLER], check=True)


def test_the_first_start_makes_a_service_that_is_there_until_all_is_done(pi: Pi) -> None:
    assert pi.install("begin") == 0
    assert pi.asked() == [
        "systemctl daemon-reload",
        f"systemctl enable {SERVICE}",
        f"systemctl start --no-block {SERVICE}",
    ]
    unit = (pi.root / "etc/systemd/system" / SERVICE).read_text()
    assert f"ExecStart=/bin/sh {pi.card}/pachisi-referee/install.sh install\n" in unit
    assert "WantedBy=multi-user.target" in unit
    assert (pi.card / "cmdline.txt").read_text() == OF_CLOUD_INIT["cmdline.txt"]


@pytest.mark.parametrize("theirs", [LINE, f"{LINE} systemd.run=/boot/firstrun.sh quiet"])
def test_it_takes_its_words_out_of_the_kernels_line_again(theirs: str, pi: Pi) -> None:
    line = pi.card / "cmdline.txt"
    line.write_bytes(written({"cmdline.txt": theirs})[1]["cmdline.txt"])
    pi.install("begin")
    assert line.read_text() == f"{theirs}\n"
    assert not (pi.card / "cmdline.txt.new").exists()


@pytest.mark.parametrize("command", ["sed", "mv"])
def test_a_kernels_line_that_can_not_be_changed_stays_whole_and_the_pi_starts_as_always(
    command: str, pi: Pi
) -> None:
    line = pi.card / "cmdline.txt"
    before = line.read_bytes()
    fails = f'case "$*" in *cmdline.txt*) exit 1 ;; esac\nexec {shutil.which(command)} "$@"\n'
    pi.put(f"bin/{command}", f"#!/bin/sh\n{fails}", 0o755)
    assert pi.install("begin") == 0
    assert line.read_bytes() == before
    assert not (pi.card / "cmdline.txt.new").exists()
    assert pi.asked()[-1] == f"systemctl start --no-block {SERVICE}"


@pytest.mark.parametrize("command", ["systemctl", "sync", "sed", "mv"])
def test_a_power_cut_while_it_begins_leaves_a_whole_line_and_is_made_up_for(
    command: str, pi: Pi
) -> None:
    line = pi.card / "cmdline.txt"
    before = line.read_bytes()
    dies = '[ -e "$PI/cut" ] || { : >"$PI/cut"; kill -9 "$PPID"; exit; }\n'
    then = f'exec {shutil.which(command)} "$@"\n' if command != "systemctl" else ":\n"
    pi.put(f"bin/{command}", f"#!/bin/sh\n{dies}{then}", 0o755)
    assert pi.install("begin") == -9
    assert line.read_bytes() == before
    assert pi.install("begin") == 0
    assert line.read_text() == OF_CLOUD_INIT["cmdline.txt"]
    assert (pi.root / "etc/systemd/system" / SERVICE).exists()


def test_the_cloud_init_of_a_card_of_an_earlier_version_may_begin_at_each_start(pi: Pi) -> None:
    for _ in range(2):
        assert pi.install("begin") == 0
    assert pi.install() == 0
    pi.asked()
    assert pi.install("begin") == 0
    assert pi.asked() == []


def test_an_installation_without_faults(pi: Pi) -> None:
    pi.install("begin")
    pi.asked()
    assert pi.install() == 0
    assert pi.asked() == [
        "cloud-init status --wait",
        "dpkg --force-confold --configure -a",
        "apt-get update",
        "apt-get install --yes --allow-downgrades --reinstall -o Dpkg::Options::=--force-confold"
        f" {pi.card}/pachisi-referee/pachisi-referee.deb",
        "systemctl stop referee.service",
        "dtparam i2c_arm=on",
        "modprobe i2c-dev",
        "referee check-config",
        f"referee config --take {pi.root}/run/pachisi-referee-card.toml",
        "referee announce installing",
        "referee setup",
        "systemctl stop referee.service",
        "referee announce installing",
        f"systemctl disable {SERVICE}",
        "systemctl reboot",
    ]
    assert not (pi.root / "etc/systemd/system" / SERVICE).exists()
    assert pi.report().startswith("PACHISI REFEREE 1.2.3\n\nThe referee is installed, and the Pi")
    assert (pi.root / "run/pachisi-referee-card.toml").read_text() == ""


def test_afterwards_no_start_does_anything(pi: Pi) -> None:
    pi.install()
    pi.asked()
    report = pi.report()
    assert pi.install("begin") == 0
    assert pi.asked() == []
    assert pi.report() == report


def test_what_was_chosen_is_taken_into_the_configuration_and_a_socket(tmp_path: Path) -> None:
    pi = Pi(tmp_path, Options("plain", "ssd1309", "de", page=True))
    assert pi.install() == 0
    lines = (pi.root / "run/pachisi-referee-card.toml").read_text().splitlines()
    assert 'display = [{ driver = "ssd1309" }]' in lines
    assert lines[-1] == 'settings.language = "de"'
    asked = pi.asked()
    assert "systemctl enable pachisi-referee-page.socket" in asked
    assert any(line.endswith("pachisi-referee.deb avahi-daemon") for line in asked)
    assert "Spectators find the page at http://board.local/\n" in pi.report()


def test_settings_that_were_saved_with_notepad_are_read(tmp_path: Path) -> None:
    pi = Pi(tmp_path, Options("lit", "sh1106"))
    settings = pi.card / "pachisi-referee" / "settings"
    settings.write_bytes(settings.read_bytes().replace(b"\n", b"\r\n"))
    assert pi.install() == 0
    assert "\r" not in (pi.root / "run/pachisi-referee-card.toml").read_text()


# What the card carries, on a Pi without a network or a clock.

PACKED = pack_tar({"Packages": b"Package: python3-pil\n"}, unix_time=0)
CARRYING = replace(RELEASE, carried=(("trixie.tar", PACKED),))
# apt does not take what is on the card.
UNFIT = """\
case "$*" in *"/packages/sources.list "*) echo python3-pil is not installable; exit 100 ;; esac
"""


def carrying(folder: Path, options: Options = AS_IT_IS) -> Pi:
    pi = Pi(folder, options)
    write_card(pi.card, options=options, release=CARRYING)
    (pi.root / "etc/os-release").write_text('ID=debian\nVERSION_CODENAME="trixie"\n')
    return pi


def test_the_packages_on_the_card_are_enough_without_a_network_and_a_clock(tmp_path: Path) -> None:
    pi = carrying(tmp_path, Options(page=True))
    pi.put("routes", "")
    pi.put("time", "0\n")
    pool = pi.root / "var/lib/pachisi-referee-card/packages"
    keeps = f"cat {pool}/sources.list {pool}/Packages >$PI/seen\n"
    pi.put("bin/apt-get", f"#!/bin/sh\n{COMMANDS['apt-get']}{keeps}", 0o755)
    assert pi.install() == 0
    only = f"-o Dir::Etc::SourceList={pool}/sources.list -o Dir::Etc::SourceParts=/dev/null"
    lists = f"-o Dir::State::Lists={pool}/lists"
    asked = [line for line in pi.asked() if line.startswith(("apt-get", "sleep"))]
    assert asked == [
        f"apt-get update {only} {lists}",
        f"apt-get install {only} {lists} --yes --allow-downgrades --reinstall"
        f" -o Dpkg::Options::=--force-confold {pi.card}/pachisi-referee/pachisi-referee.deb"
        " avahi-daemon",
    ]
    seen = f"deb [trusted=yes] file:{pool} ./\nPackage: python3-pil\n"
    assert (pi.folder / "seen").read_text() == seen
    assert not pool.exists()
    assert "The game needs no network, but the page does, and there is none:" in pi.report()


@pytest.mark.parametrize("reason", ["another system", "a damaged file", "apt"])
def test_where_the_packages_on_the_card_do_not_fit_the_internet_is_asked(
    reason: str, tmp_path: Path
) -> None:
    pi = carrying(tmp_path)
    if reason == "another system":
        (pi.root / "etc/os-release").write_text("VERSION_CODENAME=forky\n")
    elif reason == "a damaged file":
        (pi.card / "pachisi-referee" / "trixie.tar").write_bytes(b"!")
    pi.put("bin/apt-get", f"#!/bin/sh\n{UNFIT}{COMMANDS['apt-get']}", 0o755)
    pi.put("routes", "")
    assert pi.install() == 0
    assert "The packages on the card do not fit this system, and there is no" in pi.waited()
    assert "apt-get update" in pi.asked()


def test_a_fault_that_no_network_mends_is_named_without_one(tmp_path: Path) -> None:
    pi = carrying(tmp_path)
    pi.put("faults/apt-get-install", "E: Could not get lock /var/lib/dpkg/lock-frontend.\n")
    pi.put("routes", "")
    assert pi.install() == 0
    assert LOCKED in pi.waited()


# Faults that may pass: the file names them, the installer waits, and goes on by itself.

# What apt, dpkg and their helpers of bookworm (gpgv) and trixie (sqv) say, and the reason that
# people are given. Sources: apt-pkg/acquire-item.cc, apt-pkg/deb/debmetaindex.cc, methods/gpgv.cc,
# methods/connect.cc and methods/http.cc of apt 2.6 and 3.0; lib/dpkg of dpkg 1.22.
LOCKED, CLOCK, FULL = "Another program is installing", "The Pi's clock is wrong", "The card is full"
AWAY, LOGIN = "it can't load Debian's packages", "asks for a login or blocks"
FORGED, OLD = "without the signature", "has expired"
FAULTY, OTHER = "The card can't be written", "could not be installed on this system"
HOST = "http://deb.debian.org/debian"
APT = [
    ("E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 812 (apt)", LOCKED),
    ("E: Unable to acquire the dpkg frontend lock (lock-frontend), is another", LOCKED),
    ("dpkg: error: dpkg frontend lock was locked by another process with pid 812", LOCKED),
    (f"E: Release file for {HOST}/dists is not valid yet (invalid for another 3h 2min)", CLOCK),
    ("sqv error message is: Verifying signature: Not live until 2026-07-11T09:47:11Z", CLOCK),
    ("The certificate is NOT trusted. The chain uses not yet valid certificate.", CLOCK),
    ("dpkg: error: cannot copy extracted data: No space left on device", FULL),
    ("E: You don't have enough free space in /var/cache/apt/archives/.", FULL),
    ("Temporary failure resolving 'deb.debian.org'", AWAY),
    ("Could not connect to deb.debian.org:80 (151.101.2.132), connection timed out", AWAY),
    ("Cannot initiate the connection to deb.debian.org:80 - connect (101: unreachable)", AWAY),
    (f"E: Failed to fetch {HOST}/pool/p.deb  404  Not Found [IP: 151.101.2.132 80]", AWAY),
    (f"E: Failed to fetch {HOST}/dists/trixie/InRelease  503  backend read error", AWAY),
    (f"E: Failed to fetch {HOST}/pool/p.deb  Hash Sum mismatch", AWAY),
    (
        "Clearsigned file isn't valid, got 'NODATA' (does the network require authentication?)",
        LOGIN,
    ),
    (f"E: Failed to fetch {HOST}/dists/InRelease  511  Network Authentication Required", LOGIN),
    ("Certificate verification failed: The name in the certificate does not match", LOGIN),
    ("The certificate issuer is unknown. Could not handshake: Error in the certificate", LOGIN),
    ("E: Encountered a section with no Package: header", LOGIN),
    ("GPG error: the public key is not available: NO_PUBKEY 0E98404D386FA1D9", FORGED),
    (f"E: The repository '{HOST} trixie InRelease' is not signed.", FORGED),
    (f"E: The repository '{HOST} trixie InRelease' is no longer signed.", FORGED),
    ("The following signatures were invalid: BADSIG 0E98404D386FA1D9 Debian Archive", FORGED),
    ("Sub-process /usr/bin/sqv returned an error code (1): Missing key 4CB50190207B", FORGED),
    ("Verifying signature: Message has been manipulated", FORGED),
    (f"E: Release file for {HOST}/dists is expired (invalid since 3d 2h 1min 12s).", OLD),
    ("The following signatures were invalid: EXPKEYSIG 0E98404D386FA1D9 Debian Archive", OLD),
    ("sqv error message is: Verifying signature: Expired on 2025-05-02T08:00:00Z", OLD),
    ("The certificate chain uses expired certificate. Could not handshake", OLD),
    ("E: Could not open lock file /var/lib/dpkg/lock - open (30: Read-only file system)", FAULTY),
    ("dpkg: error: unable to access the dpkg database: Read-only file system", FAULTY),
    ("dpkg-deb: error: failed to read archive: Input/output error", FAULTY),
    ("pachisi-referee : Depends: python3-pil (>= 9.4) but it is not installable", OTHER),
    ("E: Unable to correct problems, you have held broken packages.", OTHER),
    ("The following NEW packages will be installed: ca-certificates libgpg-error0", OTHER),
    ("Sub-process /usr/bin/dpkg returned an error code (1)", OTHER),
]


# Each time that the installer waits, apt gets the next message.
NEXT = """\
#!/bin/sh
n=$(ls "$PI/told" | wc -l)
cp "$PI/card/pachisi-referee.txt" "$PI/told/$n"
cp "$PI/said/$((n + 1))" "$PI/faults/apt-get-update" 2>/dev/null || mend_all
"""


def test_people_are_given_the_reason_for_which_apt_failed(pi: Pi) -> None:
    """Whatever it was, apt then says that it lacks packages."""
    for folder in ("said", "told"):
        (pi.folder / folder).mkdir()
    for n, (text, _) in enumerate(APT):
        pi.put(f"said/{n}", f"{text}\n")
    pi.put("faults/apt-get-update", APT[0][0])
    pi.put("faults/apt-get-install", "E: Unable to correct problems: held broken packages.\n")
    pi.put("bin/sleep", NEXT, 0o755)
    assert pi.install() == 0
    told = [decode(pi.folder / "told" / str(n)) for n in range(len(APT))]
    assert [text for (text, words), file in zip(APT, told, strict=True) if words not in file] == []


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("routes", "", "there is no network."),
        ("time", "0\n", "The Pi's clock is wrong: it says 2025-01-01."),
        ("free", "120000\n", "The card is full. The referee needs 400 MB of free space."),
        ("faults/apt-get-install", f"{APT[0][0]}\n", "Another program is installing something."),
    ],
)
def test_a_fault_that_may_pass_is_named_and_waited_for(
    name: str, text: str, words: str, pi: Pi
) -> None:
    pi.put(name, text)
    assert pi.install() == 0
    assert pi.waited().startswith("PACHISI REFEREE 1.2.3\n\nThe installation waits: ")
    assert words in pi.waited()
    assert "It tries again every 30 seconds and goes on by itself." in pi.waited()
    if "/" in name:
        assert pi.waited().endswith(f"For somebody who helps you:\n\n{text}")
    assert pi.asked().count("sleep 30") == 1
    assert "The referee is installed" in pi.report()


def test_on_a_system_in_another_language_a_fault_is_understood_too(pi: Pi) -> None:
    pi.put("faults/apt-get-install", "E: Fehlschlag beim Holen\n")
    translates = f'[ "$LC_ALL" = C.UTF-8 ] && [ -e "$PI/faults/$1" ] && echo "{APT[8][0]}"\n'
    apt = COMMANDS["apt-get"].replace(FAULT, translates.replace("/$1", "/apt-get-$1") + FAULT)
    pi.put("bin/apt-get", f"#!/bin/sh\n{apt}", 0o755)
    assert pi.install() == 0
    assert "it can't load Debian's packages from the internet." in pi.waited()


def test_on_a_full_card_the_new_text_takes_the_place_of_the_old_one(pi: Pi) -> None:
    """No second file has room beside pachisi-referee.txt."""
    sed = shutil.which("sed")
    is_full = '[ "$1" = "s/$/\\r/" ] && [ -s "$PI/card/pachisi-referee.txt" ]'
    pi.put("bin/sed", f'#!/bin/sh\nif {is_full}; then exit 4; fi\nexec {sed} "$@"\n', 0o755)
    pi.put("architecture", "armhf\n")
    assert pi.install() == 1
    assert "This is a 32-bit system" in pi.report()
    assert not (pi.card / "pachisi-referee.txt.new").exists()


def test_while_it_waits_the_file_goes_on_naming_the_fault(pi: Pi) -> None:
    pi.put("routes", "")
    pi.put(
        "bin/sleep",
        '#!/bin/sh\nmv "$PI/second" "$PI/third" 2>/dev/null && mend_all\n'
        'cp "$PI/card/pachisi-referee.txt" "$PI/waited"\n: >"$PI/second"\n',
        0o755,
    )
    pi.put("bin/cloud-init", '#!/bin/sh\ncp "$PI/card/pachisi-referee.txt" "$PI/begun"\n', 0o755)
    assert pi.install() == 0
    assert (pi.folder / "third").exists()
    assert "there is no network." in decode(pi.folder / "begun")


# Faults that stay.


def test_a_32_bit_system_is_told_which_one_to_choose(pi: Pi) -> None:
    pi.put("architecture", "armhf\n")
    assert pi.install() == 1
    assert "The installation stopped: This is a 32-bit system" in pi.report()
    assert pi.asked() == []


def test_a_system_that_does_not_name_its_architecture_is_not_called_one_of_32_bit(pi: Pi) -> None:
    pi.put("architecture", "")
    assert pi.install() == 0


def test_where_the_end_can_not_be_noted_the_pi_does_not_restart_for_ever(pi: Pi) -> None:
    fails = 'case "$2" in *done.new) echo "cp: no space" >&2; exit 1 ;; esac'
    pi.put("bin/cp", f'#!/bin/sh\n{fails}\nexec {shutil.which("cp")} "$@"\n', 0o755)
    assert pi.install() == 1
    assert "the Pi can't note that it is." in pi.report()
    assert pi.report().endswith("cp: no space\n")
    assert "systemctl reboot" not in pi.asked()


def test_a_damaged_package_is_not_installed(pi: Pi) -> None:
    with (pi.card / "pachisi-referee" / "pachisi-referee.deb").open("ab") as package:
        package.write(b"!")
    assert pi.install() == 1
    assert "pachisi-referee.deb on this card is missing or damaged." in pi.report()
    assert pi.asked() == []


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("setup", "config.txt was edited by hand: its line 3 has i2c_arm=off\n"),
        ("check-config", "line 3: display.driver: not one of them\n"),
    ],
)
def test_what_the_referee_refuses_is_in_its_own_words(command: str, sentence: str, pi: Pi) -> None:
    pi.put(f"faults/referee-{command}", sentence)
    assert pi.install() == 1
    assert pi.report().endswith(f"For somebody who helps you:\n\n{sentence}")
    assert "systemctl reboot" not in pi.asked()


# The display, from the moment it can be reached: the package is installed and the bus is on.


def test_a_first_installation_is_announced_once_its_configuration_is_there(pi: Pi) -> None:
    assert pi.install() == 0
    asked = [line.split()[1] for line in pi.asked() if line.startswith("referee")]
    assert asked == ["check-config", "config", "announce", "setup", "announce"]


def test_a_fault_after_the_package_is_installed_is_on_the_display_too(pi: Pi) -> None:
    pi.put("faults/referee-setup", "config.txt was edited by hand\n")
    assert pi.install() == 1
    assert pi.announced() == ["installing", "stopped"]


def test_while_an_earlier_version_runs_the_display_is_the_players_until_the_restart(pi: Pi) -> None:
    pi.play()
    pi.put("routes", "")
    assert pi.install() == 0
    asked = pi.asked()
    stopped = asked.index("systemctl stop referee.service")
    assert asked[stopped - 1] == "referee setup"
    assert asked[stopped + 1] == "referee announce installing"
    assert asked.count("systemctl stop referee.service") == 1
    assert sum(line.startswith("referee announce") for line in asked) == 1


def test_a_fault_of_an_upgrade_leaves_the_game_on_the_display(pi: Pi) -> None:
    pi.play()
    pi.put("faults/referee-setup", "config.txt was edited by hand\n")
    assert pi.install() == 1
    asked = pi.asked()
    assert not any("announce" in line or "stop" in line for line in asked)


@pytest.mark.parametrize("state", ["activating", "deactivating", "reloading"])
def test_a_service_that_starts_or_ends_has_the_display(state: str, pi: Pi) -> None:
    pi.play()
    pi.put("table", f"{state}\n")
    pi.put("routes", "")
    assert pi.install() == 0
    assert pi.announced() == ["installing"]


def test_while_the_pi_starts_the_display_is_left_to_the_table_that_may_be_about_to_start(
    pi: Pi,
) -> None:
    pi.play()
    pi.put("table", "inactive\n")
    (pi.card / "pachisi-referee" / "pachisi-referee.deb").write_bytes(b"damaged")
    assert pi.install() == 1
    assert pi.asked() == []


def test_where_the_earlier_version_can_not_start_the_display_tells_of_waiting_too(pi: Pi) -> None:
    """It may be there that the games need the newer version."""
    pi.play()
    pi.put("table", "failed\n")
    pi.put("routes", "")
    assert pi.install() == 0
    assert pi.announced()[:3] == ["installing", "waiting", "installing"]


def test_a_bus_that_is_on_is_left_as_it_is(pi: Pi) -> None:
    (pi.root / "dev").mkdir()
    (pi.root / "dev" / "i2c-1").touch()
    assert pi.install() == 0
    assert not any(line.startswith(("dtparam", "modprobe")) for line in pi.asked())


def test_a_display_that_can_not_be_reached_stops_nothing(pi: Pi) -> None:
    pi.put("faults/referee-announce", "the display can't be reached\n")
    for name in ("dtparam", "modprobe"):
        (pi.folder / "bin" / name).unlink()
    assert pi.install() == 0
    assert pi.asked()[-1] == "systemctl reboot"
    assert "The referee is installed" in pi.report()
    assert "display can't" not in pi.report()


def test_a_display_that_hangs_is_given_up(pi: Pi) -> None:
    pi.put("referee", REFEREE + '[ "$1" = announce ] && exec tail -f /dev/null\n:\n', 0o755)
    pi.put(
        "bin/timeout",
        "#!/bin/sh\n"
        'case "$*" in\n'
        '*announce*) echo "$1 $2 $3" >"$PI/limit"; shift 3; set -- -k 1 1 "$@" ;;\n'
        "esac\n"
        f'exec {shutil.which("timeout")} "$@"\n',
        0o755,
    )
    assert pi.install() == 0
    assert pi.asked()[-1] == "systemctl reboot"
    assert (pi.folder / "limit").read_text() == "-k 5 30\n"


# Another version.


@pytest.mark.parametrize("version", ["1.2.4", "1.2.2"])
def test_a_card_that_is_written_again_upgrades_or_downgrades_at_the_next_start(
    version: str, pi: Pi
) -> None:
    pi.install()
    pi.write_card(version)
    pi.asked()
    pi.install("begin")
    assert f"systemctl start --no-block {SERVICE}" in pi.asked()
    assert pi.install() == 0
    [apt] = [line for line in pi.asked() if line.startswith("apt-get install")]
    assert "--allow-downgrades" in apt
    assert pi.report().startswith(f"PACHISI REFEREE {version}\n\nThe referee is installed")
    pi.install("begin")
    assert pi.asked() == []


def test_another_package_of_the_same_version_is_installed_too(pi: Pi) -> None:
    """apt does nothing for a version that is installed already, unless it is told to."""
    pi.install()
    release = replace(RELEASE, package=b"built again")
    write_card(pi.card, release=release)
    pi.asked()
    assert pi.install() == 0
    assert any("apt-get install" in line and "--reinstall" in line for line in pi.asked())


def test_a_tried_again_installation_does_not_install_the_same_package_again(pi: Pi) -> None:
    pi.put("faults/referee-setup", "config.txt was edited by hand\n")
    assert pi.install() == 1
    pi.asked()
    pi.run(pi.folder / "bin" / "mend_all")
    assert pi.install() == 0
    assert not any("--reinstall" in line for line in pi.asked())


def test_a_package_that_was_installed_by_hand_stays(pi: Pi) -> None:
    """The card does nothing, whatever is installed, until it is written again."""
    pi.install()
    pi.put("referee", REFEREE.replace("#!/bin/sh", "#!/bin/sh\n# 1.3.0"), 0o755)
    shutil.copy(pi.folder / "referee", pi.folder / "bin")
    pi.asked()
    assert pi.install("begin") == 0
    assert pi.asked() == []
    assert "# 1.3.0" in (pi.folder / "bin" / "referee").read_text()


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("check-config", "its configuration has a mistake.\n"),
        ("config", "your choices do not fit its configuration.\n"),
    ],
)
def test_a_configuration_that_can_not_be_used_is_named(command: str, words: str, pi: Pi) -> None:
    pi.put(f"faults/referee-{command}", "line 5: display.driver: x\n")
    assert pi.install() == 1
    assert words in pi.report()
    assert pi.report().endswith("For somebody who helps you:\n\nline 5: display.driver: x\n")


def test_a_page_that_the_card_turned_on_is_off_when_it_is_written_again_without(
    tmp_path: Path,
) -> None:
    off = "systemctl disable pachisi-referee-page.socket"
    pi = Pi(tmp_path, Options(page=True))
    pi.install()
    assert off not in pi.asked()
    pi.write_card("1.2.4")
    assert pi.install() == 0
    assert off in pi.asked()
    pi.write_card("1.2.5")
    assert pi.install() == 0
    assert off not in pi.asked(), "somebody may have turned it on by hand"


# Power cuts.


OF_TIMEOUT = {1, 6, 7, 10, 13}  # these commands are children of `timeout`, not of the installer


@pytest.mark.parametrize("cut", sorted(set(range(1, 16)) - OF_TIMEOUT))
def test_a_power_cut_at_any_command_is_made_up_for_at_the_next_start(cut: int, pi: Pi) -> None:
    """The installer is killed at its cut-th command; the Pi starts."""
    dies = (
        f'[ "$(wc -l <"$PI/asked")" -eq {cut} ] && [ ! -e "$PI/cut" ] && '
        '{ : >"$PI/cut"; kill -9 "$PPID"; }\n:\n'
    )
    for name in ("bin/apt-get", "bin/dpkg", "bin/systemctl", "referee"):
        pi.put(name, (pi.folder / name).read_text().replace(ASKED, ASKED + dies), 0o755)
    assert pi.install() == -9
    before = pi.asked()
    pi.install("begin")
    begun = pi.asked()
    if begun:
        assert pi.install() == 0
    after = pi.asked()
    assert "The referee is installed" in pi.report()
    assert (before + after).count("systemctl reboot") <= 2
    assert begun or before[-1] in (f"systemctl disable {SERVICE}", "systemctl reboot")
    assert pi.install("begin") == 0
    assert pi.asked() == []


def test_every_text_for_people_is_short_and_has_short_lines(pi: Pi) -> None:
    texts = re.findall(r'(?:say \w+|step \d|waits|stop) "((?:[^"\\]|\\.)*)"', INSTALLER.read_text())
    assert len(texts) >= 15
    assert all(len(line) <= 100 for text in texts for line in text.splitlines())
