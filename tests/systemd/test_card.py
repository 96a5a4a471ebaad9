"""What is written onto a card, and which cards are refused."""

import hashlib
import re
from pathlib import Path
from shutil import disk_usage
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from systemd.card.__main__ import main, make_parser, write_card
from systemd.card.card import DRIVERS, HERE, JS_YAML, REFUSALS, Options, Refused, card_files
from systemd.card.user_data import COMMAND, PATTERNS, extend
from tests.systemd.cards import CASES, NAMES, RELEASE, make_card, options_of, read_card

GOOD = [case for case in CASES if "refused" not in case]
BAD = [case for case in CASES if "refused" in case]
EMPTY = {"cmdline.txt": "", "user-data": "", "meta-data": ""}


def names_of(cases: list[dict[str, Any]]) -> list[str]:
    return [case["case"] for case in cases]


def files_with(options: Options) -> dict[str, bytes]:
    return card_files(EMPTY, options, RELEASE)


def test_each_case_has_a_name_of_its_own() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert {case["refused"] for case in BAD} >= set(REFUSALS) - {
        "driver",
        "language",
        "full",
        "no-file",
    }


@pytest.mark.parametrize("case", GOOD, ids=names_of(GOOD))
def test_every_file_but_user_data_and_the_kernels_line_stays_and_ours_are_added(
    case: dict[str, Any], tmp_path: Path
) -> None:
    card = make_card(tmp_path, case)
    before = read_card(card)
    before.pop("user-data", None)
    write_card(card, options_of(case), RELEASE)
    after = read_card(card)
    if "cmdline.txt" in before:
        line, now = before.pop("cmdline.txt"), after.pop("cmdline.txt")
        assert now in (line, re.sub(rb";i=rpi-imager-\d+", b"", line))
    assert {name: after[name] for name in before} == before
    assert set(after) - set(before) - {"meta-data"} == {
        "pachisi-referee/pachisi-referee.deb",
        "pachisi-referee/install.sh",
        "pachisi-referee/settings",
        "pachisi-referee.txt",
        "user-data",
    }


@pytest.mark.parametrize("case", GOOD, ids=names_of(GOOD))
def test_user_data_means_what_it_meant_and_starts_the_installer(
    case: dict[str, Any], tmp_path: Path
) -> None:
    card = make_card(tmp_path, case)
    text = case["card"].get("user-data", "").removeprefix("\ufeff")
    before = yaml.safe_load(without_ours(text)) or {}
    write_card(card, options_of(case), RELEASE)
    after = yaml.safe_load((card / "user-data").read_bytes().decode())
    assert after.pop("bootcmd") == [COMMAND, *(before.pop("bootcmd", None) or [])]
    assert {key: after[key] for key in before} == before
    assert set(after) - set(before) <= {"hostname", "manage_etc_hosts"}


def without_ours(text: str) -> str:
    return re.sub(PATTERNS["ours"], "", text, flags=re.MULTILINE)


@pytest.mark.parametrize("case", GOOD, ids=names_of(GOOD))
def test_without_our_lines_user_data_is_what_it_was(case: dict[str, Any]) -> None:
    text = case["card"].get("user-data", "").removeprefix("\ufeff")
    without = without_ours(extend(text, "pachisi"))
    expected = without_ours(text) or "#cloud-config"
    assert "".join(without.split()) == "".join(expected.split())


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


def test_our_lines_stand_behind_those_of_the_imager_between_two_comments() -> None:
    imager = "#cloud-config\nssh_pwauth: true\n"
    assert (
        extend(imager, "pachisi")
        == imager
        + """\
# Pachisi Referee: begin
hostname: "pachisi"
manage_etc_hosts: true
bootcmd: [["sh","/boot/firmware/pachisi-referee/install.sh","begin"]]
# Pachisi Referee: end
"""
    )


def test_a_list_of_commands_that_is_there_begins_with_ours() -> None:
    imager = "#cloud-config\nbootcmd:\n  - echo one\nlocale: de_DE\n"
    assert (
        extend(imager, "")
        == """\
#cloud-config
bootcmd:
# Pachisi Referee: begin
  - ["sh","/boot/firmware/pachisi-referee/install.sh","begin"]
# Pachisi Referee: end
  - echo one
locale: de_DE
"""
    )


@pytest.mark.parametrize(
    "key", ["hostname: board", "fqdn: a.example.org", "preserve_hostname: true"]
)
def test_a_name_that_the_imager_chose_stays(key: str) -> None:
    assert 'pachisi"' not in extend(f"#cloud-config\n{key}\n", "pachisi")


def test_a_name_can_be_changed_by_writing_the_card_again() -> None:
    first = extend("#cloud-config\n", "pachisi")
    assert yaml.safe_load(extend(first, "ludo"))["hostname"] == "ludo"
    assert "hostname" not in yaml.safe_load(extend(first, ""))


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("quiet ds=nocloud;i=rpi-imager-7\n", "quiet ds=nocloud\n"),
        ("ds=nocloud;i=rpi-imager-7 quiet", "ds=nocloud quiet"),
        ("quiet ds=nocloud;i=rpi-imager-70", "quiet ds=nocloud;i=rpi-imager-70"),
        ("quiet ds=nocloud;i=rpi-imager-7;s=/x", "quiet ds=nocloud;i=rpi-imager-7;s=/x"),
        ("words=nocloud;i=rpi-imager-7", "words=nocloud;i=rpi-imager-7"),
        ("quiet", "quiet"),
    ],
)
def test_cloud_init_reads_user_data_again_on_a_pi_that_has_started_before(
    line: str, written: str
) -> None:
    """With the same id in the kernel's line and in meta-data, it reads user-data only once."""
    card = {"cmdline.txt": line, "meta-data": "instance-id: rpi-imager-7\n"}
    files = card_files(card, Options(), RELEASE)
    assert files.get("cmdline.txt", line.encode()) == written.encode()


def test_an_id_that_only_the_kernels_line_has_stays() -> None:
    card = {"cmdline.txt": "ds=nocloud;i=rpi-imager-7", "user-data": "#cloud-config\n"}
    assert "cmdline.txt" not in card_files(card, Options(), RELEASE)


def test_names_in_capitals_are_the_same_files(tmp_path: Path) -> None:
    """FAT knows no difference, and another program may have written them so."""
    text = "#cloud-config\nusers:\n- name: ana\n"
    (tmp_path / "USER-DATA").write_text(text)
    write_card(tmp_path, Options(), RELEASE)
    assert (tmp_path / "user-data").read_text() == extend(text, "")


def test_a_beginning_of_ours_without_its_end_takes_no_time() -> None:
    begun = "#cloud-config\r\n# Pachisi Referee: begin\r\n" + "k: v\r\n" * 5000
    assert extend(begun, "").startswith(begun)


SCALARS = st.text("ab: #'-\\\"\n[]{}é", max_size=12) | st.integers() | st.booleans() | st.none()
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text("abc- ", min_size=1, max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
KEYS = st.sampled_from(["users", "runcmd", "hostname", "write_files", "packages", "locale"])
COMMANDS = st.lists(st.text("ab #-[]", min_size=1, max_size=8), max_size=3)


@given(
    first=st.dictionaries(KEYS, VALUES),
    commands=COMMANDS | st.none(),
    in_brackets=st.booleans(),
    indent=st.integers(2, 4),
    newline=st.sampled_from(["\n", "\r\n"]),
    host=st.sampled_from(["", "pachisi"]),
)
def test_any_file_of_yaml_keeps_all_its_values(
    first: dict[str, Any],
    commands: list[str] | None,
    in_brackets: bool,
    indent: int,
    newline: str,
    host: str,
) -> None:
    """commands: None is a file without that key."""
    text = "#cloud-config\n"
    if first:
        text += yaml.safe_dump(first, indent=indent)
    if commands is not None:
        items = yaml.safe_dump(commands, default_flow_style=in_brackets, indent=indent, width=1000)
        text += f"bootcmd: {items}" if in_brackets or not commands else f"bootcmd:\n{items}"
    text = text.replace("\n", newline)
    before = yaml.safe_load(text) or {}
    after = yaml.safe_load(extend(text, host))
    assert after.pop("bootcmd") == [COMMAND, *before.pop("bootcmd", [])]
    assert {key: after[key] for key in before} == before
    assert extend(extend(text, host), host) == extend(text, host)


def test_the_part_that_starts_everything_is_written_last() -> None:
    first, *_, last = files_with(Options())
    assert (first, last) == ("pachisi-referee/pachisi-referee.deb", "user-data")


def test_the_text_for_people_has_the_ends_of_lines_that_every_computer_reads() -> None:
    text = files_with(Options())["pachisi-referee.txt"]
    assert text.count(b"\r\n") == text.count(b"\n") > 10


def test_the_command_knows_every_driver() -> None:
    assert all(driver in make_parser().format_help() for driver in DRIVERS)


def test_the_library_in_the_page_is_the_one_that_npm_has() -> None:
    """The sum is that of dist/browser/js-yaml.umd.min.js in js-yaml-5.5.0.tgz of npm."""
    library = (HERE / JS_YAML).read_bytes()
    assert hashlib.sha256(library).hexdigest() == (
        "02970a652376ad653ff069c606ee7440b0514f52ed94a98426cb52426c8e5a02"
    )


def test_a_full_card_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    card = make_card(tmp_path, CASES[0])
    before = read_card(card)
    size = sum(len(data) for data in files_with(Options()).values())
    usage = disk_usage(card)._replace(free=size - 1)
    monkeypatch.setattr("systemd.card.__main__.shutil.disk_usage", lambda _: usage)
    with pytest.raises(Refused, match="too little space"):
        write_card(card, Options(), RELEASE)
    assert read_card(card) == before
    assert not (card / "pachisi-referee").exists()


@pytest.mark.parametrize(
    ("card", "sentence"),
    [
        ("nowhere", "nowhere: No such file or directory"),
        ("is-folder", "is-folder/user-data: Is a directory"),
        ("photos", "photos: This is not a Raspberry Pi's card."),
    ],
)
def test_the_command_says_in_one_sentence_what_is_wrong(
    card: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "is-folder" / "user-data").mkdir(parents=True)
    monkeypatch.setattr("systemd.card.__main__.read_release", lambda: RELEASE)
    monkeypatch.setattr("sys.argv", ["make card", str(tmp_path / card)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert str(ended.value).startswith(f"{tmp_path}/{sentence}")
    assert "\n" not in str(ended.value)


def test_options_without_a_card_are_not_lost_silently(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("systemd.card.__main__.read_release", lambda: RELEASE)
    monkeypatch.setattr("sys.argv", ["make card", "--language", "de"])
    with pytest.raises(SystemExit, match="name the card for these options, as in make card CARD="):
        main()


def test_user_data_that_is_no_text_is_refused(tmp_path: Path) -> None:
    card = make_card(tmp_path, CASES[0])
    (card / "user-data").write_bytes(b"#cloud-config\nlocale: \xff\n")
    before = read_card(card)
    with pytest.raises(Refused, match="has a mistake"):
        write_card(card, Options(), RELEASE)
    assert read_card(card) == before
