"""The Pi's end of the conversation with the lit chamber, message by message, time by numbers."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.devices.chamber import (
    ALONE,
    REFUSED,
    REFUSED_TEXT,
    SILENT,
    CommandAnswer,
    Conversation,
    Exchange,
    Hello,
    PressLine,
    acknowledge,
    due_at,
    frame_line,
    parse,
    receive,
    refusal_notice,
    split_input,
    take_wishes,
    tick,
)
from pi_app.model.events import ChamberLine, ChamberPress, ChamberRolled, Event, Notice, Wishes
from pi_app.texts.language import ENGLISH

PAGE = Path(__file__).parents[3] / "firmware" / "PROTOCOL.md"


def examples(who: str) -> list[bytes]:
    lines = [line for line in PAGE.read_text().splitlines() if line.startswith(who + " ")]
    return [line.split(None, 1)[1].encode() for line in lines]


class Pi:
    """The conversation with its time; what it says and posts is collected."""

    def __init__(self, wishes: Wishes | None = None) -> None:
        self.talk = Conversation("00000001", 100.0)
        self.now = 100.0
        self.fresh = 1
        self.events: list[Event] = []
        self.up: list[bool] = []
        self.lines: list[str] = []
        if wishes:
            self.wish(wishes)

    def _take(self, turn: Exchange) -> list[str]:
        self.talk = turn.conversation
        for event in turn.events:
            if isinstance(event, ChamberLine):
                self.up.append(event.up)
            else:
                self.events.append(event)
        bodies = list(split_input(b"", b"".join(turn.lines)).bodies)
        self.lines += bodies
        return bodies

    def _session(self) -> str:
        self.fresh += 1
        return f"{self.fresh:08x}"

    def hear(self, *bodies: str) -> list[str]:
        said = []
        for body in bodies:
            said += self._take(receive(self.talk, body, self.now, self._session()))
        return said

    def wish(self, wishes: Wishes) -> list[str]:
        return self._take(take_wishes(self.talk, wishes, self.now))

    def got(self, n: int) -> list[str]:
        return self._take(acknowledge(self.talk, n, self.now))

    def wait(self, seconds: float) -> list[str]:
        """Let time pass in hundredths of a second, ticking only where something is due."""
        said = []
        for _ in range(round(seconds * 100)):
            self.now = round(self.now + 0.01, 2)
            if due_at(self.talk) <= self.now:
                said += self._take(tick(self.talk, self.now, self._session()))
        return said

    def hello(self, alone: int = 0, boot: str = "b007b007") -> list[str]:
        return self.hear(f"HELLO 1 0.2.0 e661 {boot} {self.talk.session} {alone}")

    def accept(self) -> list[str]:
        """Answer OK until there is nothing left to say."""
        said = []
        while self.talk.command is not None:
            said += self.hear(f"OK {self.talk.command.seq}")
        return said


def up(wishes: Wishes | None = None) -> Pi:
    """A line that is up and was told all in three commands: `MODE 1`, `BLANK 2`, `HOLD 3`, say."""
    pi = Pi(wishes)
    pi.hello()
    pi.accept()
    pi.lines.clear()
    pi.events.clear()
    return pi


ARMED = Wishes(key=7, seat=0)
THROWN = Wishes(key=8, faces=(5, 3), throw=1)
STEPPING_BACK = Wishes(key=8, faces=(5, 3), throw=1, seat=0)  # or confirming


# Lines


def test_every_example_is_a_good_line_and_is_said_alike_here() -> None:
    for line in examples("pi") + examples("chamber"):
        (body,) = split_input(b"", line + b"\n").bodies
        assert frame_line(body) == line + b"\n"


def test_the_page_s_throw_and_step_back_happen_so() -> None:
    """The last block: what the chamber says goes in, what the Pi says comes out."""
    block = PAGE.read_text().split("```")[-2].strip().splitlines()
    pi = Pi(ARMED)
    pi.talk = replace(pi.talk, session="5f3a9c01")
    said = pi.wait(0.01)
    told: list[str] = []
    for line in block:
        who, text = line.split(None, 1)
        (body,) = split_input(b"", text.encode() + b"\n").bodies
        if who == "pi":
            told.append(body)
            continue
        said += pi.hear(body)
        if body == "PRESS 1 3":
            said += pi.wish(THROWN) + pi.got(1)
        if body == "OK 5":
            said += pi.wish(STEPPING_BACK)
        if body == "PRESS 2 6":
            said += pi.got(2)
    assert said == told


def test_the_firmware_s_readme_quotes_what_the_panel_says_of_a_mute_board() -> None:
    assert f'"{ENGLISH.say(SILENT)}"' in (PAGE.parent / "README.md").read_text()


def test_the_firmware_s_readme_says_how_to_update_one_of_another_protocol() -> None:
    _, _, place = REFUSED_TEXT.rpartition("firmware/README.md, ")
    heading = place.strip('"')
    assert f"\n## {heading}\n" in (PAGE.parent / "README.md").read_text()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            "HELLO 1 0.2.0 e6614103e7452d2f 1b2c3d4e 5f3a9c01 0",
            Hello("0.2.0", "e6614103e7452d2f", "1b2c3d4e", "5f3a9c01", 0),
        ),
        (
            "HELLO 1 0.2.0 e6614103e7452d2f 1b2c3d4e - 3",
            Hello("0.2.0", "e6614103e7452d2f", "1b2c3d4e", "-", 3),
        ),
        ("ALIVE", None),
        ("OK 2", CommandAnswer(2)),
        ("NO 4 faces are 1 to 6", CommandAnswer(4, "faces are 1 to 6")),
        ("NO 9 unknown command", CommandAnswer(9, "unknown command")),
        ("PRESS 1 2", PressLine(1, 2)),
        ("ROLLED 2 8 6 1", PressLine(2, 8, (6, 1))),
        ("ROLLED 2 8 4", PressLine(2, 8, (4,))),
    ],
)
def test_what_the_chamber_says_is_understood(body: str, said: object) -> None:
    assert parse(body) == said


def test_the_page_has_no_line_of_the_chamber_that_is_not_understood() -> None:
    bodies = [split_input(b"", line + b"\n").bodies[0] for line in examples("chamber")]
    assert {body for body in bodies if parse(body) is None} == {"ALIVE"}


@pytest.mark.parametrize(
    "body",
    ["PRESS 0 1", "PRESS 01 1", "PRESS 1", "PRESS 1 1 1", "OK", "OK 1234567890", "HELLO 1", "SING"],
)
def test_what_is_not_understood_is_only_a_sign_of_life(body: str) -> None:
    assert parse(body) is None


@settings(deadline=None)
@given(st.lists(st.sampled_from([b"$ALIVE*B4DF\n", b"$ALI", b"x", b"\n", b"$", b"\r\n", b"*"])))
def test_byte_by_byte_or_at_once_is_the_same(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    whole = split_input(b"", data)
    bodies: list[str] = []
    dropped, rest = 0, b""
    for byte in data:
        part = split_input(rest, bytes([byte]))
        rest = part.partial_line
        dropped += part.dropped
        bodies += part.bodies
    assert (tuple(bodies), dropped, rest) == whole


def test_a_million_bytes_of_noise_are_dropped_and_the_lines_among_them_are_not() -> None:
    """Noise of the line's own letters; a good line every thousand bytes or so."""
    draw = random.Random(20)
    letters = b"$*\n\r ALIVEPRESS0123456789ABCDEF\x00\xff"
    rest, good, total, found = b"", 0, 0, 0
    while total < 1_000_000:
        noise = bytes(draw.choices(letters, k=draw.randrange(2000)))
        data = noise + frame_line(f"PRESS {good + 1} 1")
        good += 1
        total += len(data)
        for start in range(0, len(data), 512):
            part = split_input(rest, data[start : start + 512])
            rest = part.partial_line
            assert len(rest) <= 87
            for body in part.bodies:
                found += body == f"PRESS {good} 1"
                parse(body)
    assert found == good


def test_the_parser_of_good_lines_takes_anything() -> None:
    draw = random.Random(3)
    words = ["HELLO", "OK", "NO", "PRESS", "ROLLED", "ALIVE", "1", "0", "007", "-", "", "b007b007"]
    pi = up(ARMED)
    for _ in range(20_000):
        pi.hear(" ".join(draw.choices(words, k=draw.randrange(1, 8))))


# Greeting


def test_it_greets_every_half_second_until_its_session_comes_back() -> None:
    pi = Pi()
    assert pi.wait(1.2) == ["HI 1 00000001"] * 3
    assert pi.hello() == ["MODE 1 press 2"]


def test_nothing_is_believed_before_a_hello_with_its_session() -> None:
    pi = Pi(ARMED)
    assert pi.hear("PRESS 1 1", "OK 1", "ALIVE", "HELLO 1 0.2.0 u b007b007 - 4") == []
    assert pi.hear("HELLO 1 0.2.0 u b007b007 0badcafe 0") == []
    assert pi.events == []
    assert pi.talk.hello is None


@pytest.mark.parametrize("hello", ["b007b007 - 0", "b007b007 0badcafe 0", "00112233 SESSION 0"])
def test_a_hello_that_is_not_this_session_s_gets_a_new_session(hello: str) -> None:
    pi = up(ARMED)
    pi.wait(1.0)
    pi.lines.clear()
    said = pi.hear("HELLO 1 0.2.0 u " + hello.replace("SESSION", pi.talk.session))
    assert said == [f"HI 1 {pi.talk.session}"]
    assert pi.talk.session != "00000001"
    assert pi.hear("HELLO 1 0.2.0 u b007b007 - 0", "HELLO 1 v u b007b007 - 0") == []
    assert len(pi.wait(2.0)) == 4  # twice a second at most


def test_its_own_hello_again_is_not_answered() -> None:
    pi = up()
    assert pi.hello() == []


@pytest.mark.parametrize(
    ("wishes", "lines"),
    [
        (THROWN, ["MODE 1 press 2", "SHOW 2 5 3", "HOLD 3"]),
        (STEPPING_BACK, ["MODE 1 press 2", "SHOW 2 5 3", "ARM 3 1"]),
        (ARMED, ["MODE 1 press 2", "BLANK 2", "ARM 3 1"]),
        (Wishes(), ["MODE 1 press 2", "BLANK 2", "HOLD 3"]),
        (Wishes(mode="roll", dice=1), ["MODE 1 roll 1", "BLANK 2", "HOLD 3"]),
    ],
)
def test_a_new_session_is_told_everything_anew(wishes: Wishes, lines: list[str]) -> None:
    pi = up(wishes)
    for boot in ("00112233", "b007b007"):
        pi.wait(1.0)
        pi.hear(f"HELLO 1 0.2.0 u {boot} - 0")
        assert pi.hello(boot=boot) + pi.accept() == lines


def test_another_protocol_is_one_line_on_the_panel() -> None:
    pi = Pi()
    pi.hear("HELLO 2 whatever it may say")
    assert pi.events == [Notice("chamber", REFUSED, 100.0)]
    pi.wait(10)
    assert len(pi.events) == 1


# Commands


def test_a_command_is_said_every_200_ms_until_it_is_answered() -> None:
    pi = up()
    assert pi.wish(ARMED) == ["ARM 4 1"]
    assert pi.wait(0.65) == ["ARM 4 1"] * 3
    assert pi.hear("OK 3") == []
    assert pi.hear("OK 4") == []
    assert "ARM 4 1" not in pi.wait(2)


def test_a_wish_gives_way_to_a_newer_one_of_its_kind() -> None:
    pi = up()
    assert pi.wish(Wishes(key=7, seat=0)) == ["ARM 4 1"]
    assert pi.wish(Wishes(key=8, faces=(5, 3), throw=1)) == []
    assert pi.wish(Wishes(key=9, seat=1)) == []
    assert pi.accept() == ["ARM 5 2"]


def test_faces_do_not_give_way_to_an_arm_which_waits_for_them() -> None:
    pi = up()
    pi.wish(Wishes(key=7, seat=0))
    assert pi.wish(Wishes(key=8, faces=(5, 3), throw=1)) == []
    assert pi.wish(Wishes(key=9, faces=(5, 3), throw=1, seat=1)) == []
    assert pi.accept() == ["SHOW 5 5 3", "ARM 6 2"]
    pi.wish(Wishes(key=10, faces=(2, 2), throw=2))
    assert pi.wish(Wishes(key=11, seat=2)) == []
    assert pi.accept() == ["BLANK 8", "ARM 9 3"]


def test_an_arm_for_the_next_moment_leaves_the_faces_as_they_are() -> None:
    pi = up(STEPPING_BACK)
    assert pi.wish(replace(STEPPING_BACK, key=9)) == ["ARM 4 1"]
    assert pi.accept() == []
    assert pi.wish(replace(STEPPING_BACK, key=10, seat=None)) == ["HOLD 5"]
    assert pi.accept() == []


def test_each_new_throw_is_shown_equal_faces_too_and_none_is_shown_twice() -> None:
    pi = up()
    assert pi.wish(THROWN) == ["SHOW 4 5 3"]
    assert pi.accept() == []
    assert pi.wish(replace(THROWN, key=9)) == []
    assert pi.wish(replace(THROWN, key=10, throw=2)) == ["SHOW 5 5 3"]
    assert pi.accept() == []
    assert pi.wish(Wishes(key=11)) == ["BLANK 6"]
    assert pi.accept() == []
    assert pi.wish(Wishes(key=12, throw=3)) == []


def test_test_goes_out_once_for_each_time_it_is_wished() -> None:
    pi = up()
    assert pi.wish(Wishes(test=1)) == ["TEST 4"]
    assert pi.accept() == []
    pi.wait(1.0)
    pi.hear("HELLO 1 0.2.0 u b007b007 - 0")
    assert pi.hello() + pi.accept() == ["MODE 1 press 2", "BLANK 2", "HOLD 3"]


def test_test_comes_last_so_that_no_show_or_blank_cuts_it_short() -> None:
    pi = Pi()
    pi.hello()
    pi.wish(Wishes(test=1, seat=0))
    assert pi.accept() == ["BLANK 2", "ARM 3 1", "TEST 4"]


def test_a_refused_command_is_one_line_on_the_panel_and_not_repeated() -> None:
    pi = up()
    pi.wish(THROWN)
    assert pi.hear("NO 4 dice are 1") == []
    assert pi.events == [Notice("chamber", refusal_notice("SHOW"), 100.0)]
    assert pi.wait(0.9) == []


def test_alive_is_said_once_a_second() -> None:
    pi = up()
    for _ in range(5):
        assert pi.wait(1.0) == ["ALIVE"]
        pi.hear("ALIVE")


def test_three_seconds_of_silence_are_a_lost_line() -> None:
    pi = up(ARMED)
    pi.wait(2.99)
    assert pi.talk.hello is not None
    assert pi.wait(0.01) == ["HI 1 " + pi.talk.session]
    assert pi.talk.session != "00000001"
    assert pi.events == [Notice("chamber", SILENT, 103.0)]
    assert pi.up == [True, False]
    assert pi.hello() == ["MODE 1 press 2"]
    assert pi.events[1:] == [Notice("chamber", None, 103.0)]
    assert pi.up == [True, False, True]
    assert pi.accept() == ["BLANK 2", "ARM 3 1"]


# Presses


def test_a_press_is_posted_once_with_the_key_it_was_armed_for() -> None:
    pi = up(ARMED)
    assert pi.hear("PRESS 1 3", "PRESS 1 3", "PRESS 1 3") == []
    assert pi.events == [ChamberPress("b007b007", 1, 7, 100.0)]
    pi.wish(THROWN)
    assert pi.got(1) == ["GOT 1"]
    assert pi.hear("PRESS 1 3") == ["GOT 1"]
    assert len(pi.events) == 1


def test_the_faces_go_out_before_everything_else() -> None:
    pi = up(ARMED)
    pi.hear("PRESS 1 3")
    assert pi.wish(THROWN) == ["SHOW 4 5 3"]


def test_a_press_under_an_older_arm_is_got_and_does_nothing() -> None:
    pi = up(ARMED)
    pi.wish(Wishes(key=9, seat=1))
    assert pi.hear("PRESS 1 3") == ["GOT 1"]
    assert pi.events == []


def test_a_press_says_that_its_arm_arrived_though_the_ok_is_lost() -> None:
    pi = up()
    pi.wish(ARMED)
    pi.hear("PRESS 1 4")
    assert pi.events == [ChamberPress("b007b007", 1, 7, 100.0)]
    assert pi.wait(0.5) == []


def test_a_press_that_counted_for_nothing_is_armed_again() -> None:
    pi = up(ARMED)
    pi.hear("PRESS 1 3")
    assert pi.got(1) == ["GOT 1", "ARM 4 1"]


def test_a_press_that_steps_back_is_armed_again_and_shows_nothing_anew() -> None:
    pi = up(STEPPING_BACK)
    for n in (1, 2, 3):
        pi.hear(f"PRESS {n} {n + 2}")
        assert pi.events.pop() == ChamberPress("b007b007", n, 8, 100.0)
        assert pi.got(n) == [f"GOT {n}", f"ARM {n + 3} 1"]
        assert pi.accept() == []


def test_a_press_late_after_hold_is_still_posted_with_its_own_key() -> None:
    pi = up(ARMED)
    pi.wish(Wishes(key=8))
    pi.hear("PRESS 1 3")
    assert pi.events == [ChamberPress("b007b007", 1, 7, 100.0)]


def test_got_in_a_later_session_spends_no_arm() -> None:
    pi = up(ARMED)
    pi.hear("PRESS 1 3")
    pi.wait(1.0)
    pi.hear("HELLO 1 0.2.0 u b007b007 - 0")
    assert pi.got(1) == []
    pi.hello()
    assert pi.got(1) == []
    pi.accept()
    assert pi.talk.state.arm == (7, 0)


def test_got_for_a_press_before_the_chamber_s_restart_acknowledges_none_after_it() -> None:
    """It counts from 1 again: its first press must be posted, not taken for the old one."""
    pi = up(ARMED)
    pi.hear("PRESS 1 3")
    pi.wait(1.0)
    pi.hear("HELLO 1 0.2.0 u 00112233 - 0")
    pi.hello(boot="00112233")
    pi.accept()
    assert pi.got(1) == []
    pi.hear("PRESS 1 3")
    assert pi.events[-1] == ChamberPress("00112233", 1, 7, 101.0)


@pytest.mark.parametrize("faces", ["7 1", "1", "1 1 1", "0 1", "x 1"])
def test_rolled_dice_that_cannot_be_are_not_believed(faces: str) -> None:
    pi = up(Wishes(key=7, mode="roll", seat=2))
    pi.hear(f"ROLLED 1 3 {faces}")
    assert [event for event in pi.events if isinstance(event, ChamberRolled)] == []


def test_rolled_dice_are_believed_in_mode_roll_only() -> None:
    pi = up(Wishes(key=7, mode="roll", seat=2))
    assert pi.hear("ROLLED 1 3 6 1") == []
    assert pi.events == [ChamberRolled("b007b007", 1, 7, (6, 1), 100.0)]
    pi = up(ARMED)
    assert pi.hear("ROLLED 1 3 6 1") == ["GOT 1", "ARM 4 1"]
    assert pi.events == []
    pi = up(Wishes(key=7, mode="roll", seat=2))
    assert pi.hear("PRESS 1 3") == ["GOT 1", "ARM 4 3"]


def test_a_one_die_game_rolls_one_die() -> None:
    pi = up(Wishes(key=7, mode="roll", dice=1, seat=2))
    pi.hear("ROLLED 1 3 6")
    assert pi.events == [ChamberRolled("b007b007", 1, 7, (6,), 100.0)]


# Alone


def test_throws_it_made_alone_are_told_once_and_taken_back_by_the_next_throw() -> None:
    pi = Pi(ARMED)
    pi.hello(alone=2)
    assert pi.events == [Notice("chamber", ALONE, 100.0)]
    pi.accept()
    pi.hear("PRESS 1 3")
    pi.wish(THROWN)
    assert pi.events[-1] == Notice("chamber", None, 100.0)
    pi.events.clear()
    pi.wait(1.0)
    pi.hear("HELLO 1 0.2.0 u b007b007 - 2")
    pi.hello(alone=2)
    assert pi.events == []
    pi.wait(1.0)
    pi.hear("HELLO 1 0.2.0 u b007b007 - 3")
    pi.hello(alone=3)
    assert pi.events == [Notice("chamber", ALONE, pi.now)]


def test_a_step_of_the_throw_on_the_table_does_not_take_it_back() -> None:
    pi = Pi(THROWN)
    pi.hello(alone=1)
    pi.wish(replace(THROWN, key=9))
    assert pi.events == [Notice("chamber", ALONE, 100.0)]
    pi.wish(replace(THROWN, key=10, throw=2))
    assert pi.events[1:] == [Notice("chamber", None, 100.0)]
