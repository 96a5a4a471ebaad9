"""What card.html writes onto a card, and which cards it refuses."""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256

import pytest

from tests.systemd.cards import LINE, OF_CLOUD_INIT, RELEASE, WRITTEN, Options, written

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
    assert told == WRITTEN
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


def test_options_are_lines_of_the_settings() -> None:
    digest = sha256(RELEASE.package).hexdigest()
    _, files = written(OF_CLOUD_INIT, Options("ssd1309", "de", page=True))
    assert files["pachisi-referee/settings"].decode() == (
        f"version=1.2.3\nbuilt=1764000000\nsha256={digest}\ndriver=ssd1309\nlanguage=de\npage=yes\n"
    )


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
