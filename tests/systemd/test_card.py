"""What card.html writes onto a card, and which cards it refuses."""

import re
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from pi_app.commands import config as command
from pi_app.config.keys import RULES
from pi_app.config.reading import load_config
from pi_app.config.writing import changes_text
from systemd.card.__main__ import make_page
from tests.systemd.cards import AS_IT_IS, LINE, OF_CLOUD_INIT, RELEASE, WRITTEN, Options, written

CHAMBER = "/dev/pachisi-chamber"
WORD = " systemd.run=/boot/firmware/pachisi-referee/install.sh"
AS_ALWAYS = (
    " systemd.run_success_action=none systemd.run_failure_action=none"
    " systemd.unit=multi-user.target systemd.wants=kernel-command-line.service"
)
# A system of any age: what the Imager left beside the kernel's line does not matter.
CARDS: dict[str, Mapping[str, str]] = {
    "cloud-init's": OF_CLOUD_INIT,
    "rpi-preseed's": {"cmdline.txt": LINE, "rpi-preseed.toml": "[hostname]\n"},
    "before the Imager's settings": {"cmdline.txt": f"{LINE}\r\n", "user-data": "a: ["},
    "in capitals": {"CMDLINE.TXT": f"{LINE} quiet \n", "CONFIG.TXT": ""},
    "in another alphabet": {"cmdline.txt": f"{LINE} net.ifnames=ñ\n"},
}


@pytest.mark.parametrize("name", CARDS)
def test_the_kernels_line_gets_our_words_and_every_other_file_stays(name: str) -> None:
    card = CARDS[name]
    told, files = written(card)
    assert told.startswith(WRITTEN)
    [line] = [text for file, text in card.items() if file.lower() == "cmdline.txt"]
    assert files["cmdline.txt"].decode() == f"{line.rstrip()}{WORD}{AS_ALWAYS}\n"
    assert {one: files[one] for one in card if one != "cmdline.txt"} == {
        one: text.encode() for one, text in card.items() if one != "cmdline.txt"
    }
    assert list(files)[-5:] == [  # a card that is half written does nothing
        "pachisi-referee/pachisi-referee.deb",
        "pachisi-referee/install.sh",
        "pachisi-referee/settings",
        "pachisi-referee.txt",
        "cmdline.txt",
    ]


def test_written_twice_is_written_once() -> None:
    _, once = written(CARDS["rpi-preseed's"])
    _, twice = written({"cmdline.txt": once["cmdline.txt"].decode()})
    assert twice["cmdline.txt"] == once["cmdline.txt"]


def test_a_script_of_an_older_imager_runs_first_and_decides_what_follows() -> None:
    """It cuts the line at its own word, ` systemd.run`."""
    theirs = (
        f"{LINE} systemd.run=/boot/firstrun.sh systemd.run_success_action=reboot"
        " systemd.unit=kernel-command-line.target"
    )
    _, files = written({"cmdline.txt": theirs})
    assert files["cmdline.txt"].decode() == f"{theirs}{WORD}\n"


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ({"photo.jpg": ""}, "This is not a Raspberry Pi's card"),
        ({"cmdline.txt": ""}, "is not one line of text"),
        ({"cmdline.txt": f"{LINE}\nquiet\n"}, "is not one line of text"),
        ({"cmdline.txt": f"{LINE}\rquiet"}, "is not one line of text"),
        ({"cmdline.txt": f"{LINE}\0"}, "is not one line of text"),
        ({"cmdline.txt": "\udcff"}, "is not one line of text"),
    ],
)
def test_a_refused_card_stays_as_it_is(card: Mapping[str, str], words: str) -> None:
    told, files = written(card)
    assert words in told
    assert files == {name: text.encode(errors="surrogateescape") for name, text in card.items()}


def settings(options: Options) -> list[str]:
    return written(OF_CLOUD_INIT, options)[1]["pachisi-referee/settings"].decode().splitlines()


def test_the_settings_name_the_package_and_what_was_chosen() -> None:
    digest = sha256(RELEASE.package).hexdigest()
    package = ["version=1.2.3", "built=1764000000", f"sha256={digest}"]
    assert settings(AS_IT_IS) == [*package, "page=no"]
    chosen = settings(Options("deluxe", "sh1106", "de", page=True))
    assert chosen[:4] == [*package, "page=yes"]
    assert chosen[-1] == 'config: settings.language = "de"'


# The build: its usual display, how many, and what the table then has.
BUILDS = {
    "evening": ("sh1106", 1, {"panels": 2, "nexts": 0, "dome": None, "chamber": None}),
    "plain": ("sh1106", 1, {"panels": 4, "nexts": 4, "dome": 23, "chamber": None}),
    "lit": ("sh1106", 1, {"panels": 4, "nexts": 4, "dome": None, "chamber": CHAMBER}),
    "deluxe": ("ssd1309", 2, {"panels": 4, "nexts": 4, "dome": None, "chamber": CHAMBER}),
}


@pytest.mark.parametrize("build", BUILDS)
def test_each_build_gets_its_configuration_whatever_was_built_before(
    build: str, tmp_path: Path
) -> None:
    """As the Pi takes it, from the lines of the settings."""
    changes, chosen = tmp_path / "referee.toml", tmp_path / "chosen.toml"
    changes.write_text(changes_text({}))
    for name in (*BUILDS, build):
        lines = settings(Options(name, BUILDS[name][0]))
        chosen.write_text("".join(f"{one[8:]}\n" for one in lines if one.startswith("config: ")))
        command.main(Namespace(take=chosen, house=None), changes)
    config = load_config(changes, changes)
    driver, count, parts = BUILDS[build]
    assert [display.driver for display in config.displays] == [driver] * count
    assert len({display.i2c_address for display in config.displays}) == count
    assert parts == {
        "panels": len(config.panels),
        "nexts": sum(panel.next is not None for panel in config.panels),
        "dome": config.dome,
        "chamber": config.chamber or None,
    }


def test_without_a_build_nothing_is_written() -> None:
    told, files = written({"cmdline.txt": LINE}, Options(build=""))
    assert told == "Choose what you have built."
    assert files == {"cmdline.txt": LINE.encode()}


def test_the_page_offers_the_builds_of_the_guide_and_the_displays_of_the_referee() -> None:
    page = make_page(RELEASE)
    assert re.findall('name="build" value="(.*?)"', page) == [*BUILDS, "keep"]
    drivers = re.findall('name="driver" value="(.*?)"', page)
    assert all(RULES["display.driver"].accepts(driver) for driver in drivers)
    assert {driver for driver, _, _ in BUILDS.values()} < {*drivers}


def test_what_the_referee_needs_is_on_the_card_too_with_its_sum() -> None:
    release = replace(RELEASE, carried=(("trixie.tar", b"packages"), ("carried.txt", b"list")))
    _, files = written(OF_CLOUD_INIT, release=release)
    assert files["pachisi-referee/trixie.tar"] == b"packages"
    assert files["pachisi-referee/carried.txt"] == b"list"
    line = f"trixie.tar={sha256(b'packages').hexdigest()}\n"
    assert line in files["pachisi-referee/settings"].decode()


def test_the_text_for_people_has_the_ends_of_lines_that_every_computer_reads() -> None:
    text = written(OF_CLOUD_INIT)[1]["pachisi-referee.txt"]
    assert text.count(b"\r\n") == text.count(b"\n") > 10
