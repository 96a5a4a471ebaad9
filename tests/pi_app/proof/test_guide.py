"""`referee proof`: a person is led through all steps, and nothing that was done is ever lost."""

import errno
import fcntl
import platform
import socket
from contextlib import ExitStack, nullcontext, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest
from luma.core.error import DeviceNotFoundError

from pi_app.model.parts import PowerState
from pi_app.proof.form import FILE
from pi_app.proof.guide import Ended, keep_hours, lead
from pi_app.proof.measures import StepError, count_notices, time_frames
from pi_app.proof.pictures import proof_pictures
from pi_app.proof.steps import STEPS, find_faults
from pi_app.record.journal import FILE as JOURNAL
from pi_app.record.journal import Commit, keep_closed, load
from pi_app.record.last_faults import BEGINS, CUT_IN_BOOT, CUT_WITH_BOOT, ENDS
from pi_app.record.schema import StoredRow
from pi_app.simulate.player import HOLD_S, SimulatedPlayer
from pi_app.simulate.simulation import open_simulation
from rules.board import SEAT_LETTERS
from tests.pi_app.proof.person import SMALL, Panel, Person, PowerCut
from tests.pi_app.record.journals import write_in_text

STOPPED = tuple(name for name, step in STEPS.items() if step.table == "stopped")


class Service:
    """The referee's service: a simulated table that begins and ends as a person says."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.stack = ExitStack()

    def start(self, new_game: bool = True, end: str = CUT_WITH_BOOT) -> None:
        """Start it after an end of the service before, which the log of the faults has."""
        (self.person.folder / "faults.log").write_text(f"2026-03-01T00:00:00Z {end}\n")
        table = open_simulation(self.person.config, 1, self.person.folder)
        self.player = SimulatedPlayer(self.stack.enter_context(table), Random(1))
        if new_game:
            self.player.begin((0, 2))

    def play(self) -> None:
        for _ in range(4):
            self.player.act()

    def win(self) -> None:
        """Play, and let the player leave whose turn it is, so that the other one has won."""
        for _ in range(12):
            self.player.act()
        seat, table = self.player.game.seat, self.player.table
        self.player.choose_in_menu(seat, "game", "someone-leaves")
        for hold_s in (0.1, 0.1, HOLD_S):  # this player; the pawns go off; yes
            table.tap(f"{SEAT_LETTERS[seat]}.ok", hold_s)

    def pull(self) -> str:
        self.play()
        self.person.look()
        self.person.boot += "+"
        raise PowerCut


def journal_text(folder: Path) -> str:
    files = sorted(folder.glob(f"{JOURNAL}*"))
    return "".join(path.read_bytes().decode(errors="replace") for path in files)


def lead_to_the_end(person: Person) -> int:
    """Run the command again after each cut of the power, and return how often it was run."""
    for runs in range(1, 20):
        try:
            lead(person.proof())
            return runs
        except PowerCut:
            pass
    raise AssertionError("it has no end")


def test_a_whole_proof_with_five_pulls_of_the_power_ends_in_a_file_without_faults(
    tmp_path: Path,
) -> None:
    person = Person(tmp_path, {})
    service = Service(person)

    def begin_step() -> str:
        if "must be running" in person.said[-2]:
            service.start()
        elif "nobody has won" in person.said[-2]:
            service.win()
        return "s" if person.said[-1].startswith("\nhours") else ""

    person.answers |= {"begin, s: skip": begin_step, "Pull . of 5": service.pull}
    with service.stack:
        assert lead_to_the_end(person) == 6
    steps = person.file.steps
    assert [*steps] == [name for name in STEPS if name not in ("chamber", "hours")]
    assert steps.pop("about")["supply"] == "the Pi's own"
    assert [*person.file.faults()] == []
    assert [len(button["presses"]) for button in steps["buttons"]["buttons"]] == [20] * 5
    assert steps["frames"]["displays"] == [
        {"min_ms": 23.0, "median_ms": 23.0, "max_ms": 23.0, "errors": []}
    ]
    rows = [(pull["before"], pull["after"]) for pull in steps["power"]["pulls"]]
    assert rows == [
        (5 + 4 * n, 5 + 4 * n) for n in range(5)
    ]  # also those played after the question
    assert steps["game"]["turns"] > 0
    assert person.said[-1].splitlines()[1:3] == [
        "What failed: nothing.",
        "Not done: chamber (this table has none), hours.",
    ]


def test_a_cut_at_any_question_loses_no_step_that_was_done(tmp_path: Path) -> None:
    cuts = set()
    for due in range(1, 40):
        folder = tmp_path / str(due)
        folder.mkdir()
        person = Person(folder, {})
        proof = replace(person.proof(), ask=partial(ask_until, person, due))
        with suppress(PowerCut):
            lead(proof)
            assert due > len(STOPPED)
            break
        (folder / f"{FILE}.half").write_text('{"form": 1, "ste')  # which it was writing just then
        assert person.file.steps == proof.file.steps
        cuts.add(tuple(person.file.steps))
        person.do()
        assert person.file.steps.items() >= proof.file.steps.items()
    assert len(cuts) == len(STOPPED) - 1  # no chamber; before the first step, and after each


def ask_until(person: Person, due: int, question: str) -> str:
    """Answer a question, or pull the power at the question with this number."""
    if len(person.asked) + 1 == due:
        raise PowerCut
    answer = person.ask(question)
    is_skipped = "running" in person.said[-1] or person.said[-1].startswith("\nhours")
    return "s" if "s: skip" in question and is_skipped else answer


def test_a_step_is_skipped_by_one_key_and_repeated_by_its_name(tmp_path: Path) -> None:
    person = Person(tmp_path, {})
    person.do()
    assert not person.file.path.exists()
    assert "is not ready to send: do the step `about`" in person.said[-1]
    keys = iter(["quit", "frames", "", *"s" * (len(STEPS) - 2), "skip", ""])
    again = iter(["farmes", "frames", ""])
    person.answers |= {
        "begin, s: skip": lambda: next(keys),
        "Enter to end": lambda: next(again),
    }
    lead(person.proof())
    assert [*person.file.steps] == ["frames"]
    assert person.said.count(f"\n{STEPS['frames']}") == 4  # once more after "skip"
    assert person.said[-2] == "    What failed: nothing."


def test_each_step_says_first_what_to_do_and_how_long_it_takes(tmp_path: Path) -> None:
    person = Person(tmp_path, {})
    person.do()
    assert person.said[:2] == [
        "9 of 10 steps are left, some 56 minutes.",
        "\nabout: What you have built. 1 minute, the referee stopped.\n    "
        "The program reads what the Pi says of itself, and asks three questions.",
    ]
    named = [line.split(":")[0].strip() for line in person.said[1:-1]]
    assert named == [name for name in STEPS if name != "chamber"]


@pytest.mark.parametrize("needs", ["stopped", "running"])
def test_a_step_says_with_which_command_the_referee_is_stopped_or_started(
    tmp_path: Path, needs: str
) -> None:
    person = Person(tmp_path, {})
    name = "frames" if needs == "stopped" else "game"
    with open_simulation(person.config, 1, tmp_path) if needs == "stopped" else nullcontext():
        person.do(name)
    command = f"run `sudo systemctl {'stop' if needs == 'stopped' else 'start'} referee`"
    [said] = [text for text in person.said if "must be" in text]
    assert f"the referee must be {needs}: {command} in another terminal" in said
    assert person.file.steps == {}


def test_the_service_can_not_start_during_a_step_that_needs_it_stopped(tmp_path: Path) -> None:
    with open_simulation(Person(tmp_path, {}).config, 1, tmp_path):
        pass
    held = []

    def look() -> str:
        with keep_closed(tmp_path / JOURNAL) as ours:
            held.append(not ours)
        return ""

    Person(tmp_path, {"Picture 1": look}).do("pictures")
    assert held == [True]


def test_the_file_has_no_name_that_the_device_or_its_players_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home" / "margarete"
    home.mkdir(parents=True)
    (home / "model").write_text("Raspberry Pi 4 Model B Rev 1.5\0")
    for name, value in {"HOME": str(home), "USER": "margarete", "SUDO_USER": "margarete"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(socket, "gethostname", lambda: "margarete-pi")
    monkeypatch.setattr(platform, "node", lambda: "margarete-pi")
    person = Person(home, {}, f'{SMALL}page.names = ["margarete-pi.local"]')
    person.panel.faults[9] = OSError(errno.ENODEV, "no margarete", "/home/margarete/i2c")
    person.wrong_signals = ["the voice"]
    journal, _ = load(home / JOURNAL)
    journal.append(Commit(puts=(("player.A", "MAR red"),)))
    journal.close()
    service = Service(person)
    with service.stack:
        service.start(end="no access to /home/margarete")
        service.win()
        assert "MAR" in journal_text(home)
        person.do("game")
    person.do(*STOPPED[:5])
    text = (home / FILE).read_text()
    assert "Raspberry Pi 4" in text
    assert [*person.file.faults()] == [
        "frames: display 1: bus errors (1)",
        "signals: the voice",
        "game: notices (1)",
    ]
    for name in ("margarete", "MAR", str(tmp_path), "/home"):
        assert name not in text, name


def test_a_bus_error_is_kept_with_its_time_and_number(tmp_path: Path) -> None:
    person = Person(tmp_path, {})
    wrapped = DeviceNotFoundError("I2C device not found")  # as luma does it
    wrapped.__context__ = OSError(errno.EREMOTEIO, "Remote I/O error")
    person.panel.faults = {
        3: wrapped,
        7: TimeoutError(errno.ETIMEDOUT, "timed out"),
        8: ValueError("none of the system's"),
    }
    opened = []

    def reopen() -> Panel:
        opened.append(person.clock())
        return person.panel

    proof = replace(person.proof(), devices=[reopen])
    [display] = time_frames(proof)["displays"]
    assert display["errors"] == [[0.069, 121], [0.661, 110], [1.184, 0]]
    assert opened == pytest.approx([0.0, 0.569, 1.161, 1.684])
    assert [*find_faults("frames", {"displays": [display]})] == ["display 1: bus errors (3)"]


def test_a_display_that_is_not_there_is_given_up_after_twenty_errors(tmp_path: Path) -> None:
    person = Person(tmp_path, {})
    person.panel.faults = dict.fromkeys(range(300), OSError(errno.EREMOTEIO, "Remote I/O error"))
    person.do("frames")
    [display] = person.file.steps["frames"]["displays"]
    assert (len(display["errors"]), display["median_ms"]) == (20, None)


def test_each_picture_is_shown_while_its_number_is_asked_for(tmp_path: Path) -> None:
    person = Person(tmp_path, {"Picture [25]": "n"})
    person.do("pictures")
    assert person.file.steps["pictures"] == {"wrong": ["2 on the display", "5 on the display"]}
    assert [one for one in person.panel.pictures if any(one)] == [
        picture.tobytes() for picture in proof_pictures()
    ]
    assert person.panel.off


def test_a_picture_that_no_display_takes_is_wrong_without_a_question(tmp_path: Path) -> None:
    person = Person(tmp_path, {})
    person.panel.faults = dict.fromkeys((1, 4, 5), OSError(errno.EREMOTEIO, "Remote I/O error"))
    person.do("pictures")
    assert person.file.steps["pictures"] == {"wrong": ["3 on the display"]}
    assert not any("Picture 3" in question for question in person.asked)


def test_only_yes_and_no_answer_a_question(tmp_path: Path) -> None:
    words = iter(["skip", "what?", "no"])
    person = Person(tmp_path, {"Picture 2": lambda: next(words)})
    person.do("pictures")
    assert person.file.steps["pictures"] == {"wrong": ["2 on the display"]}


def test_a_step_for_which_the_table_has_no_part_is_not_done(tmp_path: Path) -> None:
    person = Person(tmp_path, {}, "panel.A.ok = 17\npanel.C.ok = 16\n")
    keys = iter([*"s" * (len(STEPS) - 2), "", "s"])
    again = iter(["signals", ""])
    person.answers |= {"begin, s: skip": lambda: next(keys), "Enter to end": lambda: next(again)}
    lead(person.proof())
    assert "    this table has no part for this step" in person.said
    assert "signals (this table has none)" in person.said[-1]
    assert person.file.steps == {}


def test_a_bounce_is_kept_to_the_microsecond_and_counts_once(tmp_path: Path) -> None:
    person = Person(tmp_path, {})
    person.answers["A.ok: press"] = lambda: person.press("A.ok", 0.0004, 0.0011)
    person.do("buttons")
    first, *others = person.file.steps["buttons"]["buttons"]
    assert first["presses"] == [
        [[0, 0], [400, 1], [800, 0], [1900, 1], [3000, 0], [103000, 1]],
    ]
    assert first["counted"] == 1
    assert {button["counted"] for button in others} == {20}
    assert [*person.file.faults()] == ["buttons: A.ok: 1 presses of 20"]


def test_a_button_is_pressed_again_if_somebody_has_counted_wrong(tmp_path: Path) -> None:
    person = Person(tmp_path, {"again": "r"})
    rounds = iter([21, 20])

    def press() -> str:
        for _ in range(next(rounds)):
            person.press("A.ok")
        return ""

    person.answers["A.ok: press"] = press
    person.do("buttons")
    assert "    21 of 20 presses counted" in person.said
    assert [*person.file.faults()] == []


def test_a_button_that_is_held_for_twenty_minutes_can_be_read_again(tmp_path: Path) -> None:
    person = Person(tmp_path, {})

    def hold() -> str:
        person.hands.down("A.ok")
        person.clock.now += 1200
        person.hands.up("A.ok")
        return ""

    person.answers["A.ok: press"] = hold
    person.do("buttons")
    assert person.file.steps["buttons"]["buttons"][0]["presses"] == [[[0, 0], [1_200_000_000, 1]]]


def test_of_a_wire_that_floats_two_thousand_edges_are_kept(tmp_path: Path) -> None:
    person = Person(tmp_path, {})
    person.answers["A.ok: press"] = lambda: person.press("A.ok", *[0.0001] * 1500)
    person.do("buttons")
    presses = person.file.steps["buttons"]["buttons"][0]["presses"]
    assert sum(map(len, presses)) == 2000


def test_two_cables_that_are_swapped_are_found(tmp_path: Path) -> None:
    person = Person(tmp_path, {})
    person.answers["A.ok: press"] = lambda: person.press("C.ok")
    person.do("buttons")
    assert [*person.file.faults()] == [
        "buttons: A.ok: 0 presses of 20",
        "buttons: A.ok: edges on other buttons (2)",
    ]


def test_readings_of_the_load_are_kept_every_ten_seconds(tmp_path: Path) -> None:
    person = Person(tmp_path, {})
    person.do("temperature")
    readings = person.file.steps["temperature"]["readings"]
    assert readings == [[10 * n, 48.5, "fine"] for n in range(1, 13)]


@pytest.mark.parametrize(
    ("power", "faults"),
    [
        (PowerState(low=True, hot=True), ["temperature: power low"]),
        (PowerState(hot=True), ["temperature: power hot"]),
        (PowerState(was_low=True), []),
        (None, []),
    ],
)
def test_power_that_is_low_or_a_hot_pi_is_a_fault(
    tmp_path: Path, power: PowerState, faults: list[str]
) -> None:
    person = Person(tmp_path, {})
    person.power = power
    person.do("temperature")
    assert [*person.file.faults()] == faults


def test_hours_on_a_power_bank_are_known_to_the_last_minute(tmp_path: Path) -> None:
    person = Person(tmp_path, {})
    person.cut_after_s = 200.0
    person.panel.faults[40] = OSError(errno.EREMOTEIO, "Remote I/O error")
    with pytest.raises(PowerCut):
        keep_hours(person.proof())
    assert person.file.steps["hours"]["readings"][-1] == [180, 48.5, "fine"]
    person.do()
    assert [*person.file.faults()] == ["hours: kinds of bus errors (1)"]
    assert "`--hours` ran for 3 minutes" in person.said[-1]
    person.cut_after_s = person.clock() + 120.0
    with pytest.raises(PowerCut):
        keep_hours(person.proof())
    assert person.file.steps["hours"]["readings"][-1][0] == 180  # the longer run stays


def test_hours_do_not_begin_while_the_referee_runs(tmp_path: Path) -> None:
    person = Person(tmp_path, {})
    refused = pytest.raises(StepError, match="run `sudo systemctl stop referee`")
    with open_simulation(person.config, 1, tmp_path), refused:
        keep_hours(person.proof())
    assert not (tmp_path / FILE).exists()


# A game, and the power.


def test_a_fault_since_the_game_began_is_a_notice_but_no_start_or_end_of_the_table() -> None:
    faults = [
        "2026-01-01T00:00:00Z a fault of an earlier game",
        f"2026-03-01T00:00:00Z {BEGINS} 7, version 1.0.0",
        f"2026-03-01T00:00:00Z {CUT_WITH_BOOT}",
        f"2026-03-01T00:00:00Z {CUT_IN_BOOT}",
        "2026-03-01T00:00:01Z the display can't be reached (nothing answers at 0x3c)",
        f"2026-03-01T00:00:02Z {ENDS}",
    ]
    assert count_notices(faults, "2026-02-01T00:00:00Z") == 2
    assert count_notices(faults, "") == 3


def test_of_a_game_only_counts_are_kept(tmp_path: Path) -> None:
    person, service = begun(tmp_path)
    with service.stack:
        for _ in range(12):
            service.player.act()
        person.do("game")
        assert any("nobody has won the newest game" in text for text in person.said)
        service.player.choose_in_menu(0, "undo")
        service.player.end()
        person.do("game")  # which was ended by the menu
        assert person.file.steps == {}
        service.player.begin((0, 2))
        service.play()
        service.player.choose_in_menu(0, "undo")
        service.win()
        turns = service.player.game.turns
        person.do("game")
    game = person.file.steps["game"]
    assert (game["turns"], game["undos"], game["notices"]) == (turns, 1, 0)
    assert game["rows"] > 12
    assert game["minutes"] > 0


def begun(tmp_path: Path) -> tuple[Person, Service]:
    person = Person(tmp_path, {})
    service = Service(person)
    service.start()
    return person, service


def pull_once(person: Person) -> None:
    """Begin the step and let the power be pulled once, which the next call of the command sees."""

    def cut() -> str:
        person.look()
        raise PowerCut

    person.answers["Pull . of 5"] = cut
    with pytest.raises(PowerCut):
        person.do("power")
    person.boot += "+"


def test_a_pull_that_loses_a_row_is_told(tmp_path: Path) -> None:
    person, service = begun(tmp_path)
    service.play()
    kept = {path: path.read_bytes() for path in tmp_path.glob(f"{JOURNAL}*")}
    service.play()
    pull_once(person)
    service.stack.close()
    for path in tmp_path.glob(f"{JOURNAL}*"):
        path.unlink()
    for path, data in kept.items():
        path.write_bytes(data)
    service.start(new_game=False)
    person.answers["same turn"] = "n"
    pull_once(person)
    service.stack.close()
    pull = person.file.steps["power"]["pulls"][0]
    assert pull["before"] > pull["after"]
    lost = pull["before"] - pull["after"]
    assert [*person.file.faults()] == [
        f"power: pull 1: rows lost ({lost})",
        "power: pull 1: the database had to be repaired",
        "power: pull 1: another turn on the display",
        "power: and 1 more",
    ]


def test_without_a_game_nothing_is_pulled(tmp_path: Path) -> None:
    person = Person(tmp_path, {})
    with open_simulation(person.config, 1, tmp_path):
        person.do("power")
    assert "    nobody plays: begin a game, then begin this step" in person.said


def test_a_pull_after_the_end_of_a_game_counts_and_the_next_waits_for_another(
    tmp_path: Path,
) -> None:
    person, service = begun(tmp_path)
    pull_once(person)
    service.player.end()
    with service.stack:
        person.do("power")
    assert person.file.waiting is not None  # the step is skipped, and keeps its pull
    assert [*person.file.faults()] == ["power: only 1 of 5 pulls"]


def test_a_damaged_database_after_a_pull_is_told(tmp_path: Path) -> None:
    person, service = begun(tmp_path)
    pull_once(person)
    service.stack.close()
    (tmp_path / JOURNAL).write_bytes(b"nothing of it is left" * 100)
    for path in tmp_path.glob(f"{JOURNAL}-*"):
        path.unlink()
    with (tmp_path / f"{JOURNAL}.lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the service runs
        person.do("power")
    assert "power: pull 1: the database had to be repaired" in person.file.faults()


def test_enter_without_a_pull_is_no_pull(tmp_path: Path) -> None:
    person, service = begun(tmp_path)
    answers = iter(["", "q"])

    def ask() -> str:
        if next(answers) == "q":
            raise Ended
        return ""

    person.answers["Pull 1 of 5"] = ask
    with service.stack, pytest.raises(Ended):
        person.do("power")
    assert "The power was not pulled" in person.said[-1]
    assert person.file.steps == {}


def end_at_the_pull(person: Person) -> None:
    """Begin the step `power`, and end the command at the question for the next pull."""

    def end() -> str:
        person.look()
        raise Ended

    person.answers["Pull . of 5"] = end
    with pytest.raises(Ended):
        person.do("power")


def test_a_clean_restart_is_no_pull(tmp_path: Path) -> None:
    person, service = begun(tmp_path)
    end_at_the_pull(person)
    service.stack.close()
    person.boot += "+"
    service.start(new_game=False, end=ENDS)
    with service.stack:
        end_at_the_pull(person)
    assert "    The power was not pulled while the referee ran." in person.said
    assert person.file.steps == {}


def test_a_game_that_began_after_the_question_does_not_count_as_lost(tmp_path: Path) -> None:
    person, service = begun(tmp_path)
    end_at_the_pull(person)
    service.player.end()
    service.player.begin((0, 2))
    service.stack.close()
    person.boot += "+"
    service.start(new_game=False)
    with service.stack:
        end_at_the_pull(person)
    assert "    Another game has begun: that pull does not count." in person.said
    assert person.file.steps == {}
    assert person.file.waiting is not None
    assert person.file.waiting["game"] == 2


def test_the_step_that_waits_for_a_start_is_offered_first(tmp_path: Path) -> None:
    person, service = begun(tmp_path)
    pull_once(person)
    before = len(person.said)
    with service.stack:
        end_at_the_pull(person)
    assert person.said[before + 1].startswith("\npower: ")
    assert len(person.file.steps["power"]["pulls"]) == 1


def test_a_repeated_step_keeps_its_pulls_until_there_are_as_many_again(tmp_path: Path) -> None:
    person, service = begun(tmp_path)
    pull = {"before": 1, "after": 1, "sound": True, "same_turn": True}
    person.file.put("power", {"pulls": [pull] * 5})
    keys = iter([*"s" * (len(STEPS) - 2), ""])
    person.answers |= {"Enter to end": "power", "begin, s: skip": lambda: next(keys)}
    person.answers["Pull . of 5"] = raise_ended
    with service.stack, pytest.raises(Ended):
        lead(person.proof())
    assert len(person.file.steps["power"]["pulls"]) == 5


def raise_ended() -> str:
    raise Ended


def test_a_game_that_can_not_be_read_ends_no_proof(tmp_path: Path) -> None:
    person = Person(tmp_path, {})
    texts = 'new "findler" seats 2,0', "dance"  # which another version knows
    rows = (StoredRow(0, "", text, "N,N,N,N/-/N,N,N,N/-") for text in texts)
    write_in_text(tmp_path / JOURNAL, *rows)
    with keep_closed(tmp_path / JOURNAL):
        person.do("game")
    assert any("dance" in text for text in person.said)
    assert person.file.steps == {}
