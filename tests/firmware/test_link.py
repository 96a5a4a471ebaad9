"""The chamber's end of the line. Runs under CPython and MicroPython alike."""

from firmware.chamber import TICKS_MASK, TUMBLE_MS, Dice, led_mask
from firmware.link import BODY_MAX, Link, Reader, crc, frame

SESSION = b"5f3a9c01"
OTHER = b"0badcafe"
HELLO = b"HELLO 1 0.2.0 e661 1b2c3d4e "


class End:
    """A chamber's end whose lines can be read; `at` is its clock."""

    def __init__(self, at: int = 1000, byte: int = 5) -> None:
        self.at = at
        self.dice = Dice(lambda: byte)
        self.link = Link(self.dice, b"0.2.0 e661", b"1b2c3d4e", at)

    def hear(self, *bodies: bytes) -> None:
        for body in bodies:
            self.raw(frame(body))

    def raw(self, data: bytes) -> None:
        for byte in data:
            self.link.take(byte, self.at)

    def press(self) -> list[bytes]:
        self.link.update(self.at, True)
        return self.said()

    def said(self) -> list[bytes]:
        """What is said now, line by line."""
        bodies: list[bytes] = []
        while True:
            self.link.update(self.at, False)
            if not self.link.unsent:
                return bodies
            bodies.append(self.link.unsent[1:-6])
            assert frame(bodies[-1]) == self.link.unsent
            self.link.unsent = b""

    def wait(self, ms: int, every: int = 10) -> list[bytes]:
        """What is said while this time passes."""
        bodies: list[bytes] = []
        for _ in range(0, ms, every):
            self.at = (self.at + every) & TICKS_MASK
            bodies += self.said()
            self.seen()
        return bodies

    def seen(self) -> int:
        return self.dice.update_lights(self.at)


def greeted(at: int = 1000, byte: int = 5) -> End:
    end = End(at, byte)
    end.hear(b"HI 1 " + SESSION)
    end.said()
    return end


def armed(seat: bytes = b"1", at: int = 1000) -> End:
    end = greeted(at)
    end.hear(b"ARM 1 " + seat)
    assert end.said() == [b"OK 1"]
    return end


def bodies(data: bytes) -> list[bytes]:
    reader = Reader()
    return [body for body in [reader.take(byte) for byte in data] if body]


# Lines


def test_the_checksum_is_crc_16_ccitt_false() -> None:
    assert crc(b"123456789") == 0x29B1
    assert crc(b"") == 0xFFFF
    assert frame(b"ALIVE") == b"$ALIVE*B4DF\n"


def test_a_line_comes_through_with_or_without_a_carriage_return() -> None:
    assert bodies(b"$ALIVE*B4DF\n$ALIVE*B4DF\r\n") == [b"ALIVE", b"ALIVE"]


def test_a_dollar_always_starts_a_line_anew() -> None:
    assert bodies(b"$ALI$ALIVE*B4DF\n") == [b"ALIVE"]
    assert bodies(b"rubbish $ALIVE*B4DF\n") == [b"ALIVE"]
    assert bodies(b"$" + b"x" * 500 + b"$ALIVE*B4DF\n") == [b"ALIVE"]


def test_what_is_no_good_line_is_dropped() -> None:
    for bad in (
        b"$ALIVE*B4DE\n",  # another checksum
        b"$ALIVE*b4df\n",  # lower case
        b"$ALIVEB4DF\n",  # no star
        b"$*FFFF\n",  # no body
        b"$\n",
        b"ALIVE*B4DF\n",  # no dollar
        b"$ALIVE*B4DF \n",  # something after it
        b"$ALIVE*B4DF\r\r\n",
        frame(b"A" * (BODY_MAX + 1)),
        frame(b"A\tB"),
        frame(b"A*B"),
        frame(b"A\xffB"),
        b"\x00\x03\xff\n",
    ):
        assert bodies(bad) == [], bad
        assert bodies(bad + frame(b"ALIVE")) == [b"ALIVE"], bad
    assert bodies(frame(b"A" * BODY_MAX)) == [b"A" * BODY_MAX]
    assert bodies(b"$ALIVE*B4DF\n\n\n") == [b"ALIVE"]


# Greeting


def test_after_its_start_the_chamber_says_who_it_is_once_a_second() -> None:
    end = End()
    assert end.said() == [HELLO + b"- 0"]
    assert end.wait(2500) == [HELLO + b"- 0"] * 2


def test_a_greeting_is_answered_with_its_session() -> None:
    end = End()
    end.said()
    end.hear(b"HI 1 " + SESSION)
    assert end.said() == [HELLO + SESSION + b" 0"]
    assert end.link.is_connected
    end.hear(b"HI 1 " + SESSION)
    assert end.said() == [HELLO + SESSION + b" 0"]


def test_in_a_session_the_chamber_says_alive_once_a_second() -> None:
    end = greeted()
    assert end.wait(2500) == [b"ALIVE"] * 2


def test_a_greeting_of_another_protocol_is_answered_and_changes_nothing() -> None:
    end = greeted()
    end.hear(b"HI 2 " + OTHER)
    assert end.said() == [HELLO + SESSION + b" 0"]


def test_a_session_that_is_no_session_is_not_taken() -> None:
    end = End()
    end.said()
    end.hear(b"HI 1 -", b"HI 1 5f3a9c0", b"HI 1 5f3a9c0g", b"HI 1", b"HI", b"HI 1 5f3a9c01 x")
    assert end.said() == []
    assert not end.link.is_connected


def test_a_new_session_forgets_seq_press_and_arming() -> None:
    end = armed()
    assert end.press() == [b"PRESS 1 1"]
    end.hear(b"HI 1 " + OTHER)
    assert end.said() == [HELLO + OTHER + b" 0"]
    assert end.wait(900) == []
    assert end.press() == []
    end.hear(b"ARM 1 1")
    assert end.said() == [b"OK 1"]
    assert end.press() == [b"PRESS 2 1"]


def test_the_session_it_is_in_forgets_nothing() -> None:
    end = armed()
    end.hear(b"HI 1 " + SESSION)
    end.said()
    assert end.press() == [b"PRESS 1 1"]
    end.hear(b"HI 1 " + SESSION)
    assert end.wait(100) == [HELLO + SESSION + b" 0", b"PRESS 1 1"]


def test_without_a_session_commands_are_not_heard() -> None:
    end = End()
    end.said()
    end.hear(b"ARM 1 1", b"SHOW 2 1 1")
    assert end.said() == []
    assert end.press() == []


# Presses


def test_a_press_is_said_every_100_ms_until_it_is_got() -> None:
    end = armed()
    assert end.press() == [b"PRESS 1 1"]
    assert end.wait(290) == [b"PRESS 1 1"] * 2
    end.hear(b"GOT 1")
    assert end.wait(500) == []


def test_another_got_is_not_ours() -> None:
    end = armed()
    end.press()
    end.hear(b"GOT 2", b"GOT 0", b"GOT x", b"GOT")
    assert end.wait(100) == [b"PRESS 1 1"]


def test_one_press_counts_for_one_arm() -> None:
    end = armed()
    assert end.press() == [b"PRESS 1 1"]
    assert end.press() == []
    end.hear(b"GOT 1")
    assert end.press() == []
    end.hear(b"ARM 2 3")
    assert end.said() == [b"OK 2"]
    assert end.press() == [b"PRESS 2 2"]


def test_not_armed_a_press_is_a_dark_blink_and_not_counted() -> None:
    end = greeted()
    end.hear(b"SHOW 1 4 2", b"HOLD 2")
    end.wait(700)
    assert end.seen() == led_mask((4, 2))
    assert end.press() == []
    assert end.seen() == 0
    end.wait(200)
    assert end.seen() == led_mask((4, 2))
    end.hear(b"ARM 3 1")
    end.said()
    assert end.press() == [b"PRESS 1 3"]


def test_arm_and_hold_drop_an_unacknowledged_press() -> None:
    for command in (b"ARM 2 1", b"HOLD 2"):
        end = armed()
        end.press()
        end.hear(command)
        assert end.wait(500) == [b"OK 2"]


def test_in_mode_roll_the_chamber_throws_and_shows_nothing_of_its_own() -> None:
    end = greeted(byte=2)
    end.hear(b"MODE 1 roll 2")
    assert end.said() == [b"OK 1"]
    end.hear(b"ARM 2 1")
    assert end.said() == [b"OK 2"]
    assert end.press() == [b"ROLLED 1 2 3 3"]
    assert end.wait(100) == [b"ROLLED 1 2 3 3"]
    assert end.seen() == 0
    end.hear(b"GOT 1", b"MODE 3 roll 1", b"ARM 4 1")
    end.said()
    assert end.press() == [b"ROLLED 2 4 3"]


# Commands


def test_a_command_is_carried_out_once_and_answered_each_time() -> None:
    end = greeted()
    end.hear(b"SHOW 1 5 3")
    assert end.said() == [b"OK 1"]
    end.wait(TUMBLE_MS)
    end.hear(b"SHOW 1 5 3")
    assert end.said() == [b"OK 1"]
    assert end.seen() == led_mask((5, 3))
    end.hear(b"SHOW 1 6 6", b"BLANK 1")
    assert end.said() == [b"OK 1"]
    assert end.seen() == led_mask((5, 3))


def test_show_blank_and_test_light_what_they_say() -> None:
    end = greeted()
    end.hear(b"SHOW 1 2 6")
    assert end.wait(TUMBLE_MS) == [b"OK 1"]
    assert end.seen() == led_mask((2, 6))
    end.hear(b"TEST 2")
    assert end.seen() == 1
    end.wait(1200)
    assert end.seen() == led_mask((2, 6))
    end.hear(b"BLANK 3")
    assert end.seen() == 0


def test_neither_arm_nor_hold_nor_a_press_changes_the_lights() -> None:
    end = greeted()
    end.hear(b"SHOW 1 2 6")
    end.wait(1000)
    for seq in range(2, 10, 2):
        end.hear(b"ARM %d 1" % seq)
        assert end.seen() == led_mask((2, 6))
        assert end.press() == [b"OK %d" % seq, b"PRESS %d %d" % (seq // 2, seq)]
        assert end.seen() == led_mask((2, 6))
        end.hear(b"HOLD %d" % (seq + 1))
        assert end.seen() == led_mask((2, 6))


def test_an_arm_leaves_a_tumble_and_a_test_to_their_end() -> None:
    end = greeted()
    end.hear(b"SHOW 1 2 6", b"ARM 2 1")
    assert end.dice.is_tumbling
    end.wait(TUMBLE_MS)
    assert end.seen() == led_mask((2, 6))
    end.hear(b"TEST 3", b"ARM 4 1")
    assert end.seen() == 1
    end.wait(1200)
    assert end.seen() == led_mask((2, 6))


def test_a_one_die_game_lights_one_die() -> None:
    end = greeted()
    end.hear(b"MODE 1 press 1", b"SHOW 2 6")
    end.wait(TUMBLE_MS)
    assert end.seen() == led_mask((6,))


def test_what_cannot_be_done_is_refused_with_its_reason() -> None:
    for command, answer in (
        (b"SHOW 1 5", b"NO 1 dice are 2"),
        (b"SHOW 1 5 7", b"NO 1 faces are 1 to 6"),
        (b"SHOW 1 0 5", b"NO 1 faces are 1 to 6"),
        (b"SHOW 1 a 5", b"NO 1 faces are 1 to 6"),
        (b"ARM 1", b"NO 1 seat is 1 to 4"),
        (b"ARM 1 5", b"NO 1 seat is 1 to 4"),
        (b"MODE 1 throw 2", b"NO 1 mode is press or roll, dice are 1 or 2"),
        (b"MODE 1 press 3", b"NO 1 mode is press or roll, dice are 1 or 2"),
        (b"SING 1", b"NO 1 unknown command"),
        (b"HOLD 1 2", b"NO 1 unknown command"),
    ):
        end = greeted()
        end.hear(command)
        assert end.said() == [answer], command
        end.hear(command)
        assert end.said() == [answer], command


def test_what_has_no_number_is_not_answered() -> None:
    end = greeted()
    end.hear(b"ARM", b"ARM x 1", b"ARM 01 1", b"ARM 0 1", b"ARM 1234567890 1", b"ARM  1 1", b" ")
    assert end.said() == []
    end.hear(b"HOLD 999999999")
    assert end.said() == [b"OK 999999999"]


# Echo: a terminal may send back what the chamber says


def test_the_chamber_s_own_words_sent_back_are_no_commands_and_use_up_no_seq() -> None:
    for word in (HELLO + SESSION + b" 0", b"OK 1", b"NO 1 x", b"PRESS 1 1", b"ROLLED 1 1 6 1"):
        end = greeted()
        end.hear(word)
        assert end.said() == [], word
        end.hear(b"SHOW 1 5 3")
        assert end.said() == [b"OK 1"], word


def test_the_chamber_s_own_words_sent_back_do_not_keep_it_from_being_alone() -> None:
    end = End()
    for _ in range(40):
        end.hear(*end.wait(100))
    assert end.dice.is_alone
    end = armed()
    end.press()
    for _ in range(29):
        end.wait(100)
        end.hear(b"PRESS 1 1")
    assert not end.dice.is_alone
    end.wait(100)
    assert end.dice.is_alone


def test_behind_a_port_that_echoes_a_press_still_comes_through() -> None:
    end = greeted()
    end.hear(HELLO + SESSION + b" 0", b"ARM 1 1")
    for said in (end.said(), end.press()):
        end.hear(*said)
    assert end.said() == []
    end.hear(b"GOT 1", b"ARM 2 1")
    assert end.said() == [b"OK 2"]
    assert end.press() == [b"PRESS 2 2"]


# Alone


def test_after_3_s_of_silence_the_chamber_is_alone() -> None:
    end = armed()
    assert end.wait(2990) == [b"ALIVE"] * 2
    assert not end.dice.is_alone
    assert end.wait(1000) == [HELLO + b"- 0"]
    assert end.dice.is_alone


def test_any_good_line_is_a_sign_of_life() -> None:
    end = armed()
    for _ in range(10):
        end.wait(2900)
        end.hear(b"WHATEVER")
    assert not end.dice.is_alone
    end.wait(2900)
    end.raw(b"$ALIVE*0000\n")
    end.wait(100)
    assert end.dice.is_alone


def test_alone_each_press_throws_by_itself_and_is_counted() -> None:
    end = End(byte=5)
    end.wait(3000)
    end.press()
    assert end.dice.is_tumbling
    end.wait(TUMBLE_MS)
    assert end.dice.faces == (6, 6)
    end.press()
    assert end.wait(1010)[-1] == HELLO + b"- 2"


def test_alone_a_press_during_a_tumble_throws_nothing() -> None:
    end = End()
    end.wait(3000)
    end.press()
    end.wait(300)
    end.press()
    assert end.link.alone_throws == 1


def test_only_a_greeting_ends_being_alone_and_puts_the_popper_s_faces_out() -> None:
    end = armed()
    end.wait(3000)
    end.press()
    end.hear(b"ALIVE", b"ARM 2 1", b"SHOW 3 1 1")
    end.wait(1000)
    assert end.dice.is_alone
    end.hear(b"HI 1 " + SESSION)
    assert end.said() == [HELLO + SESSION + b" 1"]
    assert not end.dice.is_alone
    for _ in range(20):
        end.wait(100)
        assert end.seen() == 0


def test_being_alone_drops_an_unacknowledged_press_and_the_arming() -> None:
    end = armed()
    end.press()
    assert end.wait(3000)[-1] == HELLO + b"- 0"
    end.hear(b"HI 1 " + SESSION)
    assert end.wait(300) == [HELLO + SESSION + b" 0"]
    assert end.press() == []


def test_what_cannot_go_out_now_is_said_later_and_whole() -> None:
    end = armed()
    end.link.update(end.at, True)
    end.link.unsent = end.link.unsent[4:]  # four bytes went, then the host stopped reading
    for _ in range(50):
        end.at += 10
        end.link.update(end.at, False)
    assert end.link.unsent == frame(b"PRESS 1 1")[4:]
    end.link.unsent = b""
    assert end.said() == [b"PRESS 1 1"]


def test_the_conversation_goes_on_over_the_wrap_of_the_clock() -> None:
    for before in (0, 1, 99, 1500, 2999):
        end = armed(at=TICKS_MASK - before)
        end.wait(900)
        end.hear(b"ALIVE")
        end.wait(2000)
        assert not end.dice.is_alone
        assert end.press()[0] == b"PRESS 1 1"
        assert b"PRESS 1 1" in end.wait(100)
        end.wait(1000)
        assert end.dice.is_alone


def test_ten_days_alone_end_with_a_greeting() -> None:
    end = End(at=TICKS_MASK - 10**6)
    for minute in range(10 * 24 * 60):
        end.at = (end.at + 60_000) & TICKS_MASK
        end.link.update(end.at, minute % 600 == 599)
        end.dice.update_lights(end.at)
        end.link.unsent = b""
    assert end.dice.is_alone
    assert end.link.alone_throws == 24
    end.hear(b"HI 1 " + SESSION)
    assert end.said() == [HELLO + SESSION + b" 24"]


def test_a_day_in_a_session_lies_over_the_wrap_and_loses_nothing() -> None:
    end = greeted(at=TICKS_MASK - 12 * 3600 * 1000)
    line, alive = frame(b"A"), frame(b"ALIVE")
    said = 0
    for _ in range(24 * 3600 // 2):
        end.at = (end.at + 2000) & TICKS_MASK
        end.raw(line)
        end.link.update(end.at, False)
        said += end.link.unsent == alive
        end.link.unsent = b""
    assert said == 24 * 3600 // 2
    assert end.link.is_connected
