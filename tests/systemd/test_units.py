"""The unit files: sound, closed to all that the table does not need, and true to the program."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import get_args

import pytest

from pi_app.commands.setup import GROUPS
from pi_app.config.reading import load_config
from pi_app.model.events import Request
from pi_app.record.journal import load
from pi_app.runtime.loop import REREAD_PINS_S
from pi_app.system.notify import Sockets
from pi_app.system.slow_disk import CHECK_S, LIMIT_S
from systemd.deb import INSTALL_PATHS
from tests.asked import can_not_run

ROOT = Path(__file__).parents[2]
SYSTEMD = ROOT / "systemd"
PAGE = "pachisi-referee-page.socket"
LOCAL = "pachisi-referee-local.socket"
MQTT = "pachisi-referee-mqtt.service"
REQUESTS = get_args(Request)
SERVICE = (SYSTEMD / "referee.service").read_text()
EXPOSURE = 0.9  # at most, of 10
REQUEST_EXPOSURE = 3.0
MQTT_EXPOSURE = 1.5  # it has the network
SECONDS = {"": 1.0, "s": 1.0, "min": 60.0}


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    if shutil.which("systemd-analyze") is None:
        can_not_run("no systemd-analyze on this machine, so no unit was checked: install systemd")
    return subprocess.run(
        ["systemd-analyze", *arguments],
        env={**os.environ, "SYSTEMD_COLORS": "0"},
        capture_output=True,
        text=True,
        check=False,
    )


def setting(name: str) -> str:
    [value] = re.findall(rf"^{name}=(.*)$", SERVICE, re.MULTILINE)
    return str(value)


def seconds(name: str) -> float:
    number, unit = re.fullmatch(r"(\d+)(\w*)", setting(name)).groups()  # type: ignore[union-attr]
    return float(number) * SECONDS[unit]


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """A folder with the units as they are installed, and a command that is there."""
    for name, place in INSTALL_PATHS.items():
        if place.startswith("lib/systemd/system/"):
            path = tmp_path / place.removeprefix("lib/systemd/system/")
            path.parent.mkdir(exist_ok=True)
            path.write_text((SYSTEMD / name).read_text().replace("/usr/bin/referee", "/bin/true"))
    return tmp_path


def test_systemd_finds_nothing_wrong_with_the_units(units: Path) -> None:
    template = (units / "referee-request@.path").read_text()
    for request in REQUESTS:
        (units / f"referee-request@{request}.path").write_text(template)
    names = [PAGE, LOCAL, MQTT, "referee.service"]
    names += [f"referee-request@{one}.path" for one in REQUESTS]
    names += [f"referee-request@{one}.service" for one in REQUESTS]
    done = analyze("verify", "--man=no", *(str(units / name) for name in names))
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_each_request_has_its_path_and_a_service_that_deletes_it_first() -> None:
    assert set(re.findall(r"referee-request@(\S+)\.path", SERVICE)) == set(REQUESTS)
    assert "\nPathExists=%t/pachisi-referee/%i\n" in (SYSTEMD / "referee-request@.path").read_text()
    for request in REQUESTS:
        text = (SYSTEMD / f"referee-request@{request}.service").read_text()
        first = re.findall(r"^Exec\w+=(.*)", text, re.MULTILINE)[0]
        assert first == "/bin/rm %t/pachisi-referee/%i"


@pytest.mark.parametrize("request_name", REQUESTS)
def test_a_unit_for_a_request_may_do_little_more(units: Path, request_name: str) -> None:
    unit = f"referee-request@{request_name}.service"
    done = analyze("security", "--offline=true", str(units / unit))
    [exposure] = re.findall(r"Overall exposure level for .*: ([\d.]+)", done.stdout)
    assert float(exposure) <= REQUEST_EXPOSURE


def test_the_table_may_do_hardly_anything() -> None:
    done = analyze("security", "--offline=true", str(SYSTEMD / "referee.service"))
    [exposure] = re.findall(r"Overall exposure level for referee\.service: ([\d.]+)", done.stdout)
    assert float(exposure) <= EXPOSURE
    assert f"exposure level: {exposure} of 10" in (SYSTEMD / "README.md").read_text()


def test_what_tells_a_broker_may_do_little_but_reach_the_network() -> None:
    done = analyze("security", "--offline=true", str(SYSTEMD / MQTT))
    [exposure] = re.findall(rf"Overall exposure level for {MQTT}: ([\d.]+)", done.stdout)
    assert float(exposure) <= MQTT_EXPOSURE
    unit = (SYSTEMD / MQTT).read_text()
    assert "\nRestrictAddressFamilies=AF_UNIX AF_INET AF_INET6\n" in unit
    [user] = re.findall(r"^User=(.*)$", unit, re.MULTILINE)
    assert f"\nu {user} " in (SYSTEMD / "sysusers.conf").read_text()
    assert f"\nSocketGroup={user}\n" in (SYSTEMD / LOCAL).read_text()
    assert f"\nRestartPreventExitStatus={os.EX_CONFIG}\n" in unit


def test_a_start_that_fails_slowly_is_given_up_all_the_same() -> None:
    slowest = seconds("TimeoutStartSec") + seconds("RestartSec")
    assert int(setting("StartLimitBurst")) * slowest < seconds("StartLimitIntervalSec")


def test_the_loop_beats_often_enough_for_the_watchdog() -> None:
    assert seconds("WatchdogSec") / 3 > 3 * REREAD_PINS_S


def test_no_time_limit_is_shorter_than_a_write_that_it_includes() -> None:
    for name in ("TimeoutStartSec", "TimeoutStopSec"):
        assert seconds(name) > LIMIT_S
    assert seconds("WatchdogSec") / 3 > 2 * CHECK_S


def test_the_table_plays_on_where_memory_ran_out_for_its_worker() -> None:
    assert setting("OOMPolicy") == "continue"


def test_what_a_start_can_not_mend_is_not_started_again() -> None:
    assert int(setting("RestartPreventExitStatus")) == os.EX_CONFIG


def test_the_page_comes_and_goes_with_the_table_and_is_for_the_house_alone() -> None:
    unit = (SYSTEMD / PAGE).read_text()
    for line in (
        "BindsTo=referee.service",
        "Service=referee.service",
        "WantedBy=referee.service",
        "IPAddressDeny=any",
        "IPAddressAllow=localhost link-local 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16",
    ):
        assert f"\n{line}\n" in unit


def test_programs_get_their_socket_with_the_table_and_by_its_name_if_they_are_of_one_group() -> (
    None
):
    unit, users = (SYSTEMD / LOCAL).read_text(), (SYSTEMD / "sysusers.conf").read_text()
    for line in (
        "BindsTo=referee.service",
        "Service=referee.service",
        "WantedBy=referee.service",
        "FileDescriptorName=local",
        "SocketMode=0660",
    ):
        assert f"\n{line}\n" in unit
    assert set(re.findall(r"^FileDescriptorName=(.*)$", unit, re.MULTILINE)) < {*Sockets._fields}
    [group] = re.findall(r"^SocketGroup=(.*)$", unit, re.MULTILINE)
    assert f"\nu {group} - " in users


def test_the_modules_of_every_device_are_loaded_before_it_is_allowed() -> None:
    modules = {
        "char-i2c": "i2c-dev",
        "char-spi": "spidev",
        "char-ttyACM": "cdc-acm",
        "char-ttyUSB": "usbserial",
        "char-alsa": "snd",
        "char-gpiochip": None,  # in the kernel itself
    }
    allowed = re.findall(r"^DeviceAllow=(\S+) rw$", SERVICE, re.MULTILINE)
    loaded = (SYSTEMD / "modules-load.conf").read_text().splitlines()
    assert set(allowed) == set(modules)
    assert [line for line in loaded if line[:1] != "#"] == list(filter(None, modules.values()))


def test_the_service_has_the_user_that_is_made_for_it() -> None:
    lines = (SYSTEMD / "sysusers.conf").read_text().splitlines()
    user = setting("User")
    groups = {line.split()[2] for line in lines if line.startswith(f"m {user} ")}
    assert groups == {"gpio", "i2c", "spi", "dialout", "audio"}
    assert any(line.startswith(f"u {user} ") for line in lines)


def test_only_the_services_group_may_read_and_so_lock_the_games(tmp_path: Path) -> None:
    assert int(setting("StateDirectoryMode"), 8) == 0o750
    before = os.umask(int(setting("UMask"), 8))
    try:
        journal, _ = load(tmp_path / "journal.db")
        files = list(tmp_path.iterdir())
        assert {file.stat().st_mode & 0o777 for file in files} == {0o640}
        assert {file.name for file in files} > {"journal.db", "journal.db-shm", "journal.db.lock"}
        journal.close()
    finally:
        os.umask(before)
    assert setting("User") in GROUPS


def test_the_chambers_lasting_name_can_be_configured(tmp_path: Path) -> None:
    [name] = re.findall(r'SYMLINK\+="([^"]+)"', (SYSTEMD / "udev.rules").read_text())
    config = tmp_path / "referee.toml"
    shipped = (ROOT / "pi_app" / "referee.toml").read_text()
    config.write_text(shipped.replace('port = ""', f'port = "/dev/{name}"'))
    assert load_config(config).chamber == f"/dev/{name}"
    assert f'"/dev/{name}"' in shipped


def test_the_readme_says_where_each_file_goes() -> None:
    text = (SYSTEMD / "README.md").read_text()
    named = set(re.findall(r"^\| \[([\w.@-]+)\]\(\1\) \|", text, re.MULTILINE))
    ours = {path.name for path in SYSTEMD.iterdir() if path.is_file()}
    assert named == {name for name in ours if not name.endswith(".md")}


@pytest.mark.parametrize(
    "directive", ["PrivateDevices", "SupplementaryGroups", "ProcSubset", "ProtectClock"]
)
def test_what_is_left_off_has_its_reason(directive: str) -> None:
    assert re.search(rf"^# Left off, {directive}=.*: \w", SERVICE, re.MULTILINE)
    assert not re.search(rf"^{directive}=", SERVICE, re.MULTILINE)
