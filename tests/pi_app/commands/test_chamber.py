"""`referee chamber`: what one types, what one is told, and how dice are judged."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from pi_app.commands.chamber import HELP, Hands, chi_square_p, report, runs_of, wished
from pi_app.table.events import Wishes
from tests.pi_app.devices.gadget import Gadget, wait_for


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def hands(tmp_path: Path, said: list[str]) -> Iterator[Hands]:
    gadget = Gadget(tmp_path)
    hands = Hands(str(gadget.path), said.append)
    hands.gadget = gadget  # type: ignore[attr-defined]
    yield hands
    hands.close()


def gadget_of(hands: Hands) -> Gadget:
    gadget = hands.gadget  # type: ignore[attr-defined]
    assert isinstance(gadget, Gadget)
    return gadget


def seen(hands: Hands, said: list[str]) -> list[str]:
    """What has been said by now."""
    hands.look()
    return said


def join(hands: Hands, said: list[str]) -> Gadget:
    gadget = gadget_of(hands)
    session = gadget.expect("HI 1 ").split()[2]
    gadget.send(f"HELLO 1 0.1.0 e661 b007b007 {session} 2")
    gadget.expect("MODE 1 ")
    gadget.send("OK 1")
    gadget.expect("HOLD 2")
    gadget.send("OK 2")
    wait_for(lambda: seen(hands, said))
    return gadget


def test_it_shows_who_answers_and_how_the_line_is(hands: Hands, said: list[str]) -> None:
    join(hands, said)
    assert said[0].startswith("firmware 0.1.0, board e661, boot b007b007, session ")
    wait_for(lambda: len(hands.link.trips) == 2)
    said.clear()
    hands.do("status")
    assert "2 throws alone, 0 lines dropped, 2 commands in this session" in said[0]
    assert said[0].endswith("(2 measured)")


def test_one_lights_tests_and_presses_by_hand(hands: Hands, said: list[str]) -> None:
    gadget = join(hands, said)
    for line, command in (("show 5 3", "SHOW 3 5 3"), ("test", "TEST 4"), ("blank", "BLANK 5")):
        hands.do(line)
        assert gadget.expect(command.split()[0]) == command
        gadget.send(f"OK {command.split()[1]}")
    hands.do("arm B")
    assert gadget.expect("ARM") == "ARM 6 2"
    gadget.send("OK 6", "PRESS 1 6")
    wait_for(lambda: "press 1" in seen(hands, said))
    gadget.expect("GOT 1")


def test_a_line_that_says_nothing_is_answered_by_what_can_be_said(
    hands: Hands, said: list[str]
) -> None:
    hands.do("show 7 3")
    assert said[0].startswith("'show 7 3' is none of these:\narm SEAT")


@pytest.mark.parametrize(
    ("text", "left"),
    [("status\nquit\nshow 1 1\n", "show 1 1\n"), ("quit\n", ""), ("status\n", ""), ("", "")],
)
def test_quit_and_the_end_of_the_input_end_it(
    hands: Hands, said: list[str], tmp_path: Path, text: str, left: str
) -> None:
    lines = tmp_path / "lines"
    lines.write_text(text)
    with lines.open() as source:
        hands.talk(source)
        assert source.read() == left
    assert said[0] == HELP
    assert said.count("nobody has answered yet") == text.count("status")


@pytest.mark.parametrize(
    ("line", "wishes"),
    [
        ("arm A", Wishes(seat=0)),
        ("arm D", Wishes(seat=3)),
        ("hold", Wishes()),
        ("show 6", Wishes(dice=1, faces=(6,))),
        ("show 6 1", Wishes(faces=(6, 1))),
        ("test", Wishes(test=1)),
        ("roll", Wishes(mode="roll")),
        ("press", Wishes()),
    ],
)
def test_what_each_line_wishes(line: str, wishes: Wishes) -> None:
    assert wished(Wishes(), line.split()) == wishes


@pytest.mark.parametrize("line", ["arm", "arm E", "show", "show 1 2 3", "show 0", "sing", "test 1"])
def test_other_lines_are_refused(line: str) -> None:
    with pytest.raises(ValueError, match="is none of these"):
        wished(Wishes(), line.split())


def test_a_chamber_s_own_dice_are_judged_by_their_presses(hands: Hands, said: list[str]) -> None:
    gadget = gadget_of(hands)
    session = gadget.expect("HI 1 ").split()[2]
    gadget.send(f"HELLO 1 0.1.0 e661 b007b007 {session} 0")
    thrown: list[tuple[int, ...]] = []

    def roll(n: int, faces: str) -> None:
        while not (line := gadget.expect("")).startswith("ARM"):
            if line.split()[0] in ("MODE", "SHOW", "HOLD"):
                gadget.send(f"OK {line.split()[1]}")
        gadget.send(f"OK {line.split()[1]}", f"ROLLED {n} {line.split()[1]} {faces}")

    thread = Thread(target=lambda: thrown.extend(hands.rolled(3)))
    thread.start()
    for n, faces in enumerate(("6 1", "3 3", "2 5"), start=1):
        roll(n, faces)
    thread.join(10)
    assert thrown == [(6, 1), (3, 3), (2, 5)]


# The tables' values: chi-square's 5 % points, and a worked example of the runs test.


@pytest.mark.parametrize(("x", "freedom"), [(3.841, 1), (7.815, 3), (11.070, 5), (49.802, 35)])
def test_chi_square_s_five_percent_points_are_those_of_the_tables(x: float, freedom: int) -> None:
    assert chi_square_p(x, freedom) == pytest.approx(0.05, abs=5e-5)


def test_runs_are_counted_and_compared_with_chance() -> None:
    """11 low and 11 high: 12 runs are what chance gives, 2 are far too few."""
    runs, z = runs_of([1, 6] * 11)
    assert runs == 22
    assert z == pytest.approx(10 / (2 * 121 * 220 / (484 * 21)) ** 0.5)
    assert runs_of([1] * 11 + [6] * 11)[0] == 2
    assert runs_of([6, 6, 6]) == (1, 0.0)
    assert runs_of([6]) == (1, 0.0)


def test_a_report_has_counts_chi_square_and_runs() -> None:
    text = report([(1, 2), (3, 4), (5, 6)] * 100)
    assert text.splitlines() == [
        *(f"{face}: 100" for face in range(1, 7)),
        "600 dice, chi-square 0.00 with 5 degrees of freedom, p = 1.0000",
        "200 runs above and below 3.5, z = -8.25, p = 0.0000",
    ]


def test_the_command_judges_the_pi_s_dice_without_a_chamber() -> None:
    command = [sys.executable, "-m", "pi_app", "chamber", "--dice-test", "600"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "1200 dice, chi-square " in done.stdout


@pytest.mark.parametrize("count", ["0", "-1", "many"])
def test_a_number_of_throws_that_is_none_is_refused(count: str) -> None:
    command = [sys.executable, "-m", "pi_app", "chamber", f"--dice-test={count}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert f"{count!r} is not how many times to throw: write 6000" in done.stderr


def test_without_a_chamber_it_says_so(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pi_app", "chamber", "--port", str(tmp_path / "none")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as talk:
        assert talk.stdin is not None
        assert talk.stdout is not None
        assert b"dice chamber missing\n" in iter(talk.stdout.readline, b"")
        talk.stdin.close()
        assert talk.wait(10) == 0
