"""The table without hardware: scripts, the virtual clock, hands on mock pins, the command."""

import re
import resource
import socket
import subprocess
import sys
from contextlib import redirect_stdout
from importlib.metadata import version
from io import StringIO
from pathlib import Path
from random import Random

import pytest

from pi_app import __version__
from pi_app.__main__ import main
from pi_app.commands.simulate import load_table, parse_seats, state_folder
from pi_app.config.keys import DEFAULT
from pi_app.config.reading import load_config
from pi_app.devices.buttons import pin_factory
from pi_app.model.events import Button
from pi_app.record.journal import FILE, load
from pi_app.runtime import wiring
from pi_app.simulate.hands import Hands, button_name
from pi_app.simulate.player import SimulatedPlayer
from pi_app.simulate.script import FORMAT, ScriptedPress, ScriptError, parse_script
from pi_app.simulate.simulation import open_simulation
from rules.game import Phase

BEGIN = """
0.5   A.ok
+0.5  C.ok          # A and C play
+0.5  A.ok   1.2
"""
FIRST_THROWS = BEGIN + "+2 dome\n+4 dome\n+4 end\n"


def referee(*arguments: str) -> str:
    """Run a command in this process, and return what it prints."""
    printed = StringIO()
    with redirect_stdout(printed):
        main(arguments)
    return printed.getvalue()


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "first.txt"
    path.write_text(FIRST_THROWS)
    return path


# --- scripts ---------------------------------------------------------------------------------


def test_a_script_is_timed_presses() -> None:
    assert parse_script(FIRST_THROWS) == (
        ScriptedPress(0.5, "A.ok"),
        ScriptedPress(1.0, "C.ok"),
        ScriptedPress(1.5, "A.ok", 1.2),
        ScriptedPress(3.5, "dome"),
        ScriptedPress(7.5, "dome"),
        ScriptedPress(11.5, None),
    )


def test_the_format_is_shown_by_help_and_its_example_is_a_script(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["simulate", "--help"])
    assert FORMAT in capsys.readouterr().out
    example = "\n".join(line for line in FORMAT.splitlines() if line.startswith("    "))
    assert [press.at_s for press in parse_script(example)] == pytest.approx(
        [0.5, 0.8, 1.8, 3.8, 33.8]
    )


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (
            "1.5",
            "write a time, a button and, for a hold, its length in seconds, such as 1.5 A.ok",
        ),
        ("soon A.ok", "'soon' is not a number of seconds"),
        ("-1 A.ok", "-1 s is not between 0 and 1e+06"),
        ("nan A.ok", "nan s is not between 0 and 1e+06"),
        ("0.1 A.ok", "0.1 s is before the line above, 1 s"),
        ("2 E.ok", "'E.ok' is not a button: write one of dome, A.ok, A.next, B.ok,"),
        ("2 A.ok long", "'long' is not a number of seconds"),
    ],
)
def test_a_line_that_can_not_be_used_is_named(line: str, complaint: str) -> None:
    with pytest.raises(ScriptError, match=r"^line 3, ") as caught:
        parse_script(f"# a script\n1 dome\n{line}\n2 dome\n")
    assert complaint in str(caught.value)


def test_a_script_plays_a_game_by_the_pins(tmp_path: Path) -> None:
    lines: list[str] = []
    with open_simulation(
        load_config(DEFAULT), 1, tmp_path, lambda row: lines.append(str(row.entry))
    ) as played:
        played.play_script(parse_script(FIRST_THROWS))
    assert lines[0] == 'new "royal-2023" seats 0,2'
    assert [line.split()[0] for line in lines[1:]] == ["throw", "throw"]


def test_presses_of_a_script_may_overlap(tmp_path: Path) -> None:
    lines: list[str] = []
    with open_simulation(
        load_config(DEFAULT), 1, tmp_path, lambda row: lines.append(str(row.entry))
    ) as played:
        played.play_script(parse_script("0 A.ok\n1 C.ok 5\n2 A.ok 1.2\n3 end\n"))
        assert lines == ['new "royal-2023" seats 0,2']
        assert played.app.session.fingers.down == ()


def test_the_virtual_clock_lets_the_table_tick_when_it_wants_to(tmp_path: Path) -> None:
    with open_simulation(load_config(DEFAULT), 1, tmp_path, lambda row: None) as played:
        played.play_script(parse_script(BEGIN))
        SimulatedPlayer(played, Random(1)).act()  # throws the dice, which tumble
        tumbling = played.app.next_tick_at()
        assert tumbling is not None
        assert tumbling <= played.clock.now + 0.1


# --- hands ------------------------------------------------------------------------------------


@pytest.fixture
def hands() -> Hands:
    return Hands({5: Button(0, "ok"), 6: Button(None, "dome")}, pin_factory("mock"))


def test_a_button_that_the_table_has_not_is_named(hands: Hands) -> None:
    with pytest.raises(
        ValueError, match=r"'D\.ok' is not a button of this table: it has A\.ok, dome"
    ):
        hands.down("D.ok")


# --- the command ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_same_script_and_seed_give_the_same_record_byte_for_byte(script: Path) -> None:
    first, again, other = (
        referee("simulate", "--script", str(script), "--seed", seed) for seed in ("3", "3", "4")
    )
    assert first.count("throw") == 2
    assert first == again
    assert first != other


@pytest.mark.slow
def test_auto_plays_a_game_of_the_seats_that_are_named() -> None:
    options = ("--seed", "3", "--seats", "B,D", "--ruleset", "pop-28")  # the shortest game
    assert "r4,r3,r2,r1" in referee("simulate", "--auto", *options).splitlines()[-1]


@pytest.mark.slow
def test_a_named_folder_keeps_the_journal_and_a_second_command_goes_on(
    tmp_path: Path, script: Path
) -> None:
    folder = tmp_path / "kept"
    referee("simulate", "--script", str(script), "--folder", str(folder), "--ruleset", "pop-28")
    assert not referee("simulate", "--auto", "--folder", str(folder)).startswith("new")
    journal, found = load(folder / FILE)
    journal.close()
    assert found.warning is None
    assert found.record is not None
    assert found.record.game.phase is Phase.OVER


HOUSE = """
panel.A.ok = 17
panel.C.ok = 16
[house.ours]
base = "findler"
play_on = true
"""


def test_house_rules_of_the_configuration_are_played_by_name(tmp_path: Path) -> None:
    config = tmp_path / "my.toml"
    config.write_text(HOUSE)
    script = tmp_path / "begin.txt"
    script.write_text("0.5 A.ok 1.2\n2.5 C.ok 1.2\n4.5 A.ok 1.2\n+1 end\n")
    by = ["--script", str(script), "--config", str(config), "--ruleset", "ours"]
    first = referee("simulate", *by).splitlines()[0]
    assert '"pair_rule": "at-end"' in first
    assert '"play_on": true} seats 0,2' in first


BUILDS = dict(
    re.findall(
        r"^\[(\w+)\]\n(.*?)(?=^\[|\Z)",
        (Path(__file__).parents[3] / "hardware" / "builds.toml").read_text(encoding="utf-8"),
        re.M | re.S,
    )
)
ALL = (*(f"{seat}.{kind}" for seat in "ABCD" for kind in ("ok", "next")), "dome", "power")


@pytest.mark.parametrize(
    ("build", "buttons", "displays"),
    [("evening", ("A.ok", "C.ok"), 1), ("plain", ALL, 1), ("lit", ALL, 1), ("deluxe", ALL, 2)],
)
def test_a_table_of_each_tier_is_played_from_the_keys_that_differ(
    tmp_path: Path, build: str, buttons: tuple[str, ...], displays: int
) -> None:
    file = tmp_path / "my.toml"
    file.write_text(BUILDS[build])
    config = load_table(file)
    assert sorted(map(button_name, wiring.button_pins(config).values())) == sorted(buttons)
    assert len(config.displays) == displays
    with open_simulation(config, 3, tmp_path) as played:
        player = SimulatedPlayer(played, Random(3))
        player.begin((0, 2))
        while player.game.turns < 5:
            player.act()


COMPLAINTS = [
    (["simulate", "--script", "no/such/file"], "referee: no/such/file: No such file or directory"),
    (["simulate", "--script", "{bad}"], "referee: line 1, 'press me': 'press' is not a number"),
    (["simulate", "--script", "{binary}"], "binary is not text in UTF-8"),
    (["simulate", "--seed", "1"], "on the page the dice are random"),
    (["simulate", "--seats", "A,C"], "--seed and --seats need --auto or --script"),
    (["simulate", "--script", "{bad}", "--seats", "A,C"], "--seats and --bots need --auto"),
    (["simulate", "--script", "{bad}", "--bots", "A=club"], "--seats and --bots need --auto"),
    (["simulate", "--bots", "A=club"], "--bots needs --auto: on the page, the menu adds bots"),
    (["simulate", "--auto", "--seats", "A,C", "--bots", "A=club,C=easy"], "must leave one seat"),
    (
        ["simulate", "--auto", "--seats", "A,C", "--bots", "B=club"],
        "may name only seats of --seats",
    ),
    (["simulate", "--auto", "--bots", "B=best"], "'B=best' does not name seats and levels"),
    (
        ["simulate", "--auto", "--seats", "A"],
        "name two to four seats, for example A,C, instead of 'A'",
    ),
    (
        ["simulate", "--auto", "--seats", "A,A"],
        "name two to four seats, for example A,C, instead of 'A,A'",
    ),
    (
        ["simulate", "--auto", "--seats", "A,0"],
        "name two to four seats, for example A,C, instead of 'A,0'",
    ),
    (
        ["simulate", "--auto", "--seats", "A,E"],
        "name two to four seats, for example A,C, instead of 'A,E'",
    ),
    (["simulat"], "invalid choice: 'simulat' (choose from"),
    (["simulat"], "; did you mean simulate?"),
    (["simulate", "--sed", "1"], "unrecognized arguments: --sed 1; did you mean --seed?"),
    (["simulate", "--ruleset", "royal-2032"], "; did you mean royal-2023?"),
    (["--verson"], "; did you mean --version?"),
    (["--versio"], "; did you mean --version?"),
    (["simulate", "--see", "1"], "unrecognized arguments: --see 1; did you mean --seed?"),
    (["simulate", "--auto", "--ruleset", "chess"], "--ruleset 'chess' is not one of sr-1942,"),
    (["simulate", "--auto", "--folder", "{bad}"], "can't be opened (File exists)"),
    (
        ["simulate", "--auto", "--config", "{small}"],
        "the configuration has no panel B and D: name other seats with --seats",
    ),
    (["simulate", "--port", "99999"], "port 99999 on 127.0.0.1 can't be used"),
    (["simulate", "--config", "no/such/file"], "no/such/file"),
    (["check-config", "no/such/file"], "no/such/file"),
    (["run"], "play without hardware with `referee simulate`"),
]


@pytest.mark.parametrize(("arguments", "complaint"), COMPLAINTS, ids=lambda value: str(value)[:40])
def test_what_can_not_be_done_is_said_in_one_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    complaint: str,
) -> None:
    (tmp_path / "bad").write_text("press me\n")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "small").write_text("panel.B.ok = false\npanel.D.ok = false\n")
    files = {name: tmp_path / name for name in ("bad", "binary", "small")}
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with pytest.raises(SystemExit) as ended:
        main([argument.format(**files) for argument in arguments])
    assert ended.value.code not in (0, None)
    said = capsys.readouterr()
    assert complaint in f"{said.out}{said.err}{ended.value.code}"


def test_referee_alone_says_what_it_can_do(capsys: pytest.CaptureFixture[str]) -> None:
    main([])
    said = capsys.readouterr().out
    assert said.startswith("usage: referee ")
    assert [
        name for name in ("run", "simulate", "chamber", "check-config") if name not in said
    ] == []


def test_the_version_is_the_one_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert (ended.value.code, capsys.readouterr().out) == (0, f"referee {__version__}\n")
    assert __version__ == version("pachisi-referee")


def test_what_is_like_nothing_is_not_asked_back(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["simulate", "--ruleset", "chess"])
    assert "did you mean" not in capsys.readouterr().err


@pytest.mark.parametrize("text", ["A,C", "a,c", "0,2", "A,2"])
def test_seats_are_named_by_letters(text: str) -> None:
    assert parse_seats(text) == (0, 2)


SHIPPED, ETC = "the shipped configuration", "/etc/pachisi-referee/referee.toml"


@pytest.mark.parametrize(
    ("command", "default"),
    [
        ("run", f"{SHIPPED}, changed by {ETC} if that file exists. Check it"),
        ("simulate", f"{SHIPPED} --folder"),
        ("simulate", "8337, or a free port if this port is in use"),
        ("check-config", f"{ETC} if that file exists, otherwise {SHIPPED}"),
    ],
)
def test_the_defaults_are_in_the_help(
    capsys: pytest.CaptureFixture[str], command: str, default: str
) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    said = " ".join(capsys.readouterr().out.split()).replace("- ", "-")
    assert f"default: {default}" in said


def test_games_are_kept_where_the_system_keeps_a_programs_state(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert state_folder() == tmp_path / "state" / "pachisi-referee"
    monkeypatch.delenv("XDG_STATE_HOME")
    assert state_folder() == tmp_path / ".local" / "state" / "pachisi-referee"


def test_a_port_in_use_is_said(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(SystemExit) as end:
            referee("simulate", "--port", str(port), "--folder", str(tmp_path))
    assert end.value.code == (
        f"referee: port {port} on 127.0.0.1 can't be used (Address already in use): "
        "name another with --port, or leave --port out to get a free one"
    )


def test_a_journal_in_use_is_said(tmp_path: Path) -> None:
    journal, _ = load(tmp_path / FILE)
    with pytest.raises(SystemExit, match=r"^referee: .* in use by another referee .*[^\n]$"):
        referee("simulate", "--auto", "--folder", str(tmp_path))
    journal.close()


@pytest.mark.slow
@pytest.mark.parametrize("kilobytes", [2, 60], ids=["from the start", "in mid-game"])
def test_a_full_disk_ends_a_game_that_plays_by_itself(tmp_path: Path, kilobytes: int) -> None:
    def small_disk() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (kilobytes * 1024, kilobytes * 1024))

    done = subprocess.run(
        [sys.executable, "-m", "pi_app", "simulate", "--auto", "--folder", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=small_disk,
    )
    assert done.returncode == 1
    assert done.stderr.startswith(f"referee: {tmp_path / FILE} can't be ")
    assert done.stderr.count("\n") == 1


def test_a_disk_that_has_no_room_for_what_is_printed_is_one_sentence() -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = subprocess.run(
            [sys.executable, "-m", "pi_app", "simulate", "--auto"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == "referee: can't write the output (No space left on device)\n"


def test_a_reader_that_goes_away_is_no_error_to_speak_of() -> None:
    command = [sys.executable, "-m", "pi_app", "simulate", "--auto"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as auto:
        assert auto.stdout is not None
        assert auto.stderr is not None
        auto.stdout.readline()
        auto.stdout.close()
        complaints = auto.stderr.read()
    assert (auto.returncode, complaints) == (1, b"")


def test_the_shipped_configuration_can_be_used() -> None:
    assert referee("check-config").endswith("referee.toml has no mistakes\n")
