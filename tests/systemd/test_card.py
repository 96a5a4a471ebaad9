"""What is written onto a card, and which cards are refused."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from systemd.card.__main__ import make_parser, write_card
from systemd.card.card import (
    DRIVERS,
    REFUSALS,
    VENDOR_DATA,
    Options,
    Refused,
    card_files,
)
from tests.systemd.cards import CASES, NAMES, RELEASE, make_card, options_of, read_card

GOOD = [case for case in CASES if "refused" not in case]
BAD = [case for case in CASES if "refused" in case]
EMPTY = ("config.txt", "cmdline.txt", "user-data", "meta-data")


def names_of(cases: list[dict[str, Any]]) -> list[str]:
    return [case["case"] for case in cases]


def files_with(options: Options) -> dict[str, bytes]:
    return card_files(EMPTY, {}, options, RELEASE)


def test_each_case_has_a_name_of_its_own() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert {case["refused"] for case in BAD} >= set(REFUSALS) - {"driver", "language"}


@pytest.mark.parametrize("case", GOOD, ids=names_of(GOOD))
def test_everything_of_the_imager_stays_byte_for_byte(case: dict[str, Any], tmp_path: Path) -> None:
    card = make_card(tmp_path, case)
    before = read_card(card)
    before.pop(VENDOR_DATA, None)
    write_card(card, options_of(case), RELEASE)
    after = read_card(card)
    assert {name: after[name] for name in before} == before
    assert set(after) - set(before) - {"user-data", "meta-data"} == {
        "pachisi-referee/pachisi-referee.deb",
        "pachisi-referee/install.sh",
        "pachisi-referee/settings",
        "pachisi-referee.txt",
        "vendor-data",
    }


@pytest.mark.parametrize("case", GOOD, ids=names_of(GOOD))
def test_written_twice_is_written_once(case: dict[str, Any], tmp_path: Path) -> None:
    card = make_card(tmp_path, case)
    write_card(card, options_of(case), RELEASE)
    once = read_card(card)
    write_card(card, options_of(case), RELEASE)
    assert read_card(card) == once


@pytest.mark.parametrize("case", BAD, ids=names_of(BAD))
def test_a_refused_card_stays_as_it_is(case: dict[str, Any], tmp_path: Path) -> None:
    card = make_card(tmp_path, case)
    before = read_card(card)
    with pytest.raises(Refused) as refused:
        write_card(card, options_of(case), RELEASE)
    assert str(refused.value) == REFUSALS[case["refused"]]
    assert read_card(card) == before


@pytest.mark.parametrize(
    ("options", "reason"),
    [(Options(driver="ssd1307"), "driver"), (Options(language="tlh"), "language")],
)
def test_an_option_that_can_not_be_is_refused(options: Options, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        files_with(options)
    assert str(refused.value) == REFUSALS[reason]


def test_options_are_lines_of_the_settings() -> None:
    digest = hashlib.sha256(RELEASE.package).hexdigest()
    files = files_with(Options("ssd1309", "de", page=True, host="pachisi"))
    assert files["pachisi-referee/settings"].decode() == (
        f"version=1.2.3\nsha256={digest}\nbuilt=1764000000\ndriver=ssd1309\nlanguage=de\npage=yes\n"
    )


def test_a_host_name_is_a_part_of_vendor_data_over_which_the_imager_s_has_priority() -> None:
    start = """\
#cloud-config-archive
# Pachisi Referee wrote this file. Without it and the folder pachisi-referee the card is as it was.
- type: text/cloud-boothook
  content: |
    #!/bin/sh
    exec sh /boot/firmware/pachisi-referee/install.sh begin
"""
    host = """\
- type: text/cloud-config
  content: |
    hostname: pachisi
    manage_etc_hosts: true
"""
    assert files_with(Options())[VENDOR_DATA].decode() == start
    assert files_with(Options(host="pachisi"))[VENDOR_DATA].decode() == start + host


def test_the_part_that_starts_everything_is_written_last() -> None:
    first, *_, last = files_with(Options())
    assert (first, last) == ("pachisi-referee/pachisi-referee.deb", VENDOR_DATA)


def test_the_text_for_people_has_the_ends_of_lines_that_every_computer_reads() -> None:
    text = files_with(Options())["pachisi-referee.txt"]
    assert text.count(b"\r\n") == text.count(b"\n") > 10


def test_the_command_knows_every_driver() -> None:
    assert all(driver in make_parser().format_help() for driver in DRIVERS)
