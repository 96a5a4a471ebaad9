"""`referee setup`: config.txt's text, and what is done to a machine of the test's own."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pi_app.commands import UsageError
from pi_app.commands.setup import BACKUP, Machine, set_up, this_pi, turn_on_mqtt, with_fast_i2c

BOTH = "dtparam=i2c_arm=on\ndtparam=i2c_arm_baudrate=400000\n"

# What matters of the file that Raspberry Pi OS trixie brings.
SHIPPED = """\
# For more options and information see
# http://rptl.io/configtxt

# Uncomment some or all of these to enable the optional hardware interfaces
#dtparam=i2c_arm=on
#dtparam=spi=on

dtparam=audio=on
dtoverlay=vc4-kms-v3d
max_framebuffers=2

[cm4]
otg_mode=1

[cm5]
dtoverlay=dwc2,dr_mode=host

[all]
"""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (SHIPPED, SHIPPED + BOTH),
        ("", "[all]\n" + BOTH),
        ("arm_64bit=1", "arm_64bit=1\n[all]\n" + BOTH),
        ("[cm4]\notg_mode=1\n", "[cm4]\notg_mode=1\n[all]\n" + BOTH),
        ("[all]\r\nx=1\r\n", "[all]\r\nx=1\r\n" + BOTH.replace("\n", "\r\n")),
        ("dtparam=i2c_arm=on\n", "dtparam=i2c_arm=on\n[all]\ndtparam=i2c_arm_baudrate=400000\n"),
        ("dtparam=i2c=on,spi=on\n[all]\n", None),
        ("# dtparam=i2c_arm=off\n[ALL]\n", "# dtparam=i2c_arm=off\n[ALL]\n" + BOTH),
        ("[all]\n# caf\xe9\x85\n", "[all]\n# caf\xe9\x85\n" + BOTH),
    ],
)
def test_what_is_missing_is_added_at_the_end_under_all(text: str, wanted: str | None) -> None:
    assert with_fast_i2c(text) == (wanted or text + "dtparam=i2c_arm_baudrate=400000\n")


@pytest.mark.parametrize(
    "text",
    [
        BOTH,
        SHIPPED + BOTH,
        "dtparam=i2c_arm=on,i2c_arm_baudrate=400000\n[pi4]\narm_boost=1\n",
        "dtparam=i2c1=on\ndtparam=i2c1_baudrate=400000",
        "dtparam=i2c\ndevice_tree_param=i2c_baudrate=400000\n",
        " dtparam = i2c_arm=ON \n[all]\ndtparam=i2c_arm_baudrate=400000\r\n",
    ],
)
def test_what_is_there_already_is_left_byte_for_byte(text: str) -> None:
    assert with_fast_i2c(text) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x=1\ndtparam=i2c_arm=off\n", "line 2 has i2c_arm=off"),
        (BOTH + "dtparam=i2c_arm=off\n", "line 3 has i2c_arm=off"),
        ("dtparam=i2c_arm=on # display\n", "line 1 has i2c_arm=on # display"),
        ("dtparam=i2c_arm_baudrate=100000\n", "line 1 has i2c_arm_baudrate=100000"),
        ("[pi4]\ndtparam=i2c_arm=on\n[all]\n", "line 2 sets i2c_arm only for [pi4]"),
        ("[all]\n[none]\n" + BOTH, "line 3 sets i2c_arm only for [none]"),
        ("[all]\ninclude mine.txt\n", "line 2 includes another file"),
    ],
)
def test_what_was_edited_by_hand_is_one_sentence_with_its_line(text: str, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        with_fast_i2c(text)
    assert f"config.txt was edited by hand: its {said}" in str(raised.value)
    assert "dtparam=i2c_arm=on and dtparam=i2c_arm_baudrate=400000" in str(raised.value)


LINES = st.lists(
    st.sampled_from(
        [
            *("", "# a word", "[all]", "[pi4]", "[cm5]", "arm_boost=1", "dtoverlay=dwc2"),
            *("dtparam=audio=on", "#dtparam=i2c_arm=on", "dtparam=i2c_arm=on", "dtparam=spi=on"),
            *("dtparam=i2c_arm_baudrate=400000", "dtparam=i2c_arm=off", "include x.txt"),
            "dtparam=spi=on,i2c_arm=on",
        ]
    )
)


def in_force(text: str) -> dict[str, str]:
    """Return what config.txt sets for every Pi, read once more and simply."""
    found: dict[str, str] = {}
    section = "[all]"
    for line in text.split("\n"):
        if line.startswith("["):
            section = line
        elif line.startswith("dtparam=") and section == "[all]":
            found |= dict(one.split("=") for one in line.removeprefix("dtparam=").split(","))
    return found


@given(LINES, st.sampled_from(["", "\n"]))
def test_any_file_keeps_all_that_it_says_and_a_second_time_changes_nothing(
    lines: list[str], last: str
) -> None:
    text = "\n".join(lines) + last
    try:
        wanted = with_fast_i2c(text)
    except UsageError:
        assume(False)
    assert wanted.startswith(text)
    assert with_fast_i2c(wanted) == wanted
    assert in_force(wanted) == in_force(text) | {"i2c_arm": "on", "i2c_arm_baudrate": "400000"}


@given(LINES)
def test_only_a_line_about_i2c_or_another_file_is_refused(lines: list[str]) -> None:
    text = "\n".join(lines)
    doubtful = any("i2c_arm" in line or "include" in line for line in lines if line[:1] != "#")
    try:
        with_fast_i2c(text)
    except UsageError:
        assert doubtful


# The machine.


class Pi:
    """A machine in a folder: config.txt, the bus's speed, and groups that somebody joins."""

    def __init__(self, folder: Path) -> None:
        self.config = folder / "boot" / "config.txt"
        self.config.parent.mkdir()
        self.config.write_text(SHIPPED)
        self.clock = folder / "clock-frequency"
        self.clock.write_bytes((100_000).to_bytes(4, "big"))
        self.groups: dict[str, list[str]] = {"gpio": ["pi"], "i2c": [], "spi": [], "sudo": ["pi"]}
        self.groups["pachisi-referee"] = []  # the service's
        self.user: str | None = "pi"
        self.root = True

    def set_up(self, dry_run: bool = False) -> list[str]:
        absent = self.config.parent / "firmware" / "config.txt"
        machine = Machine(
            configs=(absent, self.config),
            bus_speed_file=self.clock,
            root=self.root,
            user=self.user,
            groups=dict(self.groups),
            add_to_groups=self.join,
        )
        return list(set_up(machine, dry_run))

    def join(self, user: str, groups: Sequence[str]) -> None:
        for group in groups:
            self.groups[group].append(user)

    def files(self) -> dict[str, str]:
        return {path.name: path.read_text() for path in self.config.parent.iterdir()}


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


def test_a_new_pi_is_set_up_and_told_to_reboot(pi: Pi) -> None:
    assert pi.set_up() == [
        f"{pi.config}: I2C turned on at 400 kHz; the original file is kept as {BACKUP}",
        "pi added to the groups i2c, spi, pachisi-referee",
        "reboot to apply this: sudo reboot",
    ]
    assert pi.files() == {"config.txt": SHIPPED + BOTH, BACKUP: SHIPPED}
    assert pi.groups == {
        group: ["pi"] for group in ("gpio", "i2c", "spi", "pachisi-referee", "sudo")
    }


def test_a_second_time_changes_nothing_and_says_so(pi: Pi) -> None:
    pi.set_up()
    before = pi.files()
    assert pi.set_up() == [
        f"{pi.config} and the groups are set up already; reboot to apply this: sudo reboot"
    ]
    assert pi.set_up(dry_run=True) == pi.set_up()
    pi.clock.write_bytes((400_000).to_bytes(4, "big"))
    assert pi.set_up() == [f"nothing to change: {pi.config} and the groups are right already"]
    assert pi.files() == before


def test_the_backup_is_the_file_before_the_first_time(pi: Pi) -> None:
    pi.set_up()
    pi.config.write_text("arm_boost=1\n")
    pi.set_up()
    assert pi.files() == {"config.txt": "arm_boost=1\n[all]\n" + BOTH, BACKUP: SHIPPED}


def test_a_dry_run_says_what_would_be_done_and_does_nothing_without_root(pi: Pi) -> None:
    pi.root = False
    assert pi.set_up(dry_run=True) == [
        f"{pi.config}: I2C would be turned on at 400 kHz; "
        f"the original file would be kept as {BACKUP}",
        "pi would be added to the groups i2c, spi, pachisi-referee",
        "this would need a reboot",
    ]
    assert pi.files() == {"config.txt": SHIPPED}
    assert pi.groups["i2c"] == []


def test_without_root_it_says_how_to_call_it(pi: Pi) -> None:
    pi.root = False
    with pytest.raises(UsageError, match="run `sudo referee setup`, or add --dry-run"):
        pi.set_up()
    assert pi.files() == {"config.txt": SHIPPED}


def test_a_config_in_doubt_leaves_file_and_groups_alone(pi: Pi) -> None:
    pi.config.write_text("dtparam=i2c_arm=off\n")
    with pytest.raises(UsageError, match="line 1 has i2c_arm=off"):
        pi.set_up()
    assert pi.files() == {"config.txt": "dtparam=i2c_arm=off\n"}
    assert pi.groups["i2c"] == []


def test_no_config_at_all_is_one_sentence(pi: Pi) -> None:
    pi.config.unlink()
    with pytest.raises(
        UsageError, match=r"can.t find .*firmware/config\.txt: setup needs Raspberry"
    ):
        pi.set_up()


def test_root_alone_joins_no_group_and_is_told_so(pi: Pi) -> None:
    pi.user = None
    said = pi.set_up()
    assert said[1] == (
        "the login user is unknown, so nobody was added to groups: use sudo in your own login"
    )
    assert pi.groups["i2c"] == []


def test_a_link_in_place_of_the_file_stays_one(pi: Pi) -> None:
    real = pi.config.with_name("real.txt")
    pi.config.rename(real)
    pi.config.symlink_to(real)
    pi.set_up()
    assert pi.config.is_symlink()
    assert real.read_text() == SHIPPED + BOTH


@pytest.mark.skipif(any(path.exists() for path in this_pi().configs), reason="this is a Pi")
def test_the_command_ends_with_one_sentence_where_there_is_no_pi() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pi_app", "setup", "--dry-run"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("referee: can't find /boot/firmware/config.txt")
    assert done.stderr.count("\n") == 1


def test_mqtt_is_turned_on_with_the_socket_that_it_needs_and_the_table_gets_it() -> None:
    ran: list[tuple[str, ...]] = []
    units = "pachisi-referee-local.socket", "pachisi-referee-mqtt.service"

    def systemctl(*words: str) -> None:
        ran.append(words)

    assert turn_on_mqtt(systemctl) == f"{units[0]} and {units[1]} are turned on"
    assert ran == [("enable", *units), ("try-restart", "referee.service"), ("restart", units[1])]
    ran.clear()
    would = turn_on_mqtt(systemctl, dry_run=True)
    assert (would, ran) == (f"{units[0]} and {units[1]} would be turned on", [])
