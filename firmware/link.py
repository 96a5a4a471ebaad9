"""The chamber's end of PROTOCOL.md: reads lines from bytes and answers them. Uses no pin.

Times are arguments, in milliseconds that wrap to 0 after 2**30.
"""

TICKS_MASK = 0x3FFFFFFF
SILENCE_MS = 3000
ALIVE_MS = 1000
REPEAT_MS = 100

BODY_MAX = 80

MODES = (b"press", b"roll")
OWN_WORDS = (b"HELLO", b"OK", b"NO", b"PRESS", b"ROLLED")  # both ends send ALIVE

NO_LINE = -1  # the bytes received can't be part of a correct line

NIBBLES = (
    0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50A5, 0x60C6, 0x70E7,
    0x8108, 0x9129, 0xA14A, 0xB16B, 0xC18C, 0xD1AD, 0xE1CE, 0xF1EF,
)  # fmt: skip


def crc(body: bytes) -> int:
    """Return the CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF, nothing reflected."""
    value = 0xFFFF
    for byte in body:
        value = value << 4 & 0xFFFF ^ NIBBLES[value >> 12 ^ byte >> 4]
        value = value << 4 & 0xFFFF ^ NIBBLES[value >> 12 ^ byte & 15]
    return value


def frame(body: bytes) -> bytes:
    """Return the line that carries this body."""
    return b"$%s*%04X\n" % (body, crc(body))


def number(word: bytes) -> int:
    """Return the word's value, 1 to 999999999, or 0 if the word is not such a number."""
    if not word.isdigit() or word[0] == 48 or len(word) > 9:
        return 0
    return int(word)


def is_session(word: bytes) -> bool:
    """Whether the word is eight hexadecimal digits."""
    return len(word) == 8 and all(byte in b"0123456789abcdefABCDEF" for byte in word)


class Reader:
    """Finds the correct lines in the bytes received."""

    def __init__(self) -> None:
        self._buffer = bytearray(BODY_MAX + 6)  # body, star, four digits, CR
        self._length = NO_LINE

    def take(self, byte: int) -> bytes:
        """Take one byte. If it ends a correct line, return the body of the line, otherwise b""."""
        if byte == 36:  # $ always starts a new line
            self._length = 0
        elif byte == 10:
            line, self._length = bytes(self._buffer[: max(self._length, 0)]), NO_LINE
            return self._body(line)
        elif 0 <= self._length < BODY_MAX + 6:
            self._buffer[self._length] = byte
            self._length += 1
        else:
            self._length = NO_LINE
        return b""

    def _body(self, line: bytes) -> bytes:
        if line[-1:] == b"\r":
            line = line[:-1]
        body = line[:-5]
        if not body or len(body) > BODY_MAX or line[-5:] != b"*%04X" % crc(body):
            return b""
        return body if all(32 <= byte < 127 and byte != 42 for byte in body) else b""


class Link:
    """Answers the lines from the Pi and carries out their commands on the dice.

    dice: the Dice. name: firmware version and unique id, with a space between. boot: the boot id.
    """

    def __init__(self, dice, name: bytes, boot: bytes, now: int) -> None:  # type: ignore[no-untyped-def]
        self.dice = dice
        self.reader = Reader()
        self.session = b"-"
        self.alone_throws = 0
        self.presses = 0
        self.unsent = b""  # the rest of the line being sent
        self._name = name
        self._boot = boot
        self._heard_at = now
        self._sent_at = now
        self._must_greet = True
        self._rolls = False
        self._forget()

    @property
    def is_connected(self) -> bool:
        """Whether a Pi has greeted and its lines still arrive."""
        return self.session != b"-"

    def take(self, byte: int, now: int) -> None:
        """Take one byte. If it ends a correct line, carry out the line."""
        body = self.reader.take(byte)
        if not body:
            return
        words = body.split(b" ")
        if words[0] in OWN_WORDS:
            return  # an echo
        self._heard_at = now
        if words[0] == b"HI":
            self._handle_hi(words)
        elif words[0] == b"GOT" and len(words) == 2:
            if number(words[1]) == self.presses:
                self._event = b""
        elif words[0] != b"ALIVE" and self.is_connected and len(words) > 1:
            self._handle_command(words, now)

    def update(self, now: int, was_pressed: bool) -> None:
        """Move on to this time. was_pressed: whether the dome was pressed just now."""
        if not self.dice.is_alone and (now - self._heard_at) & TICKS_MASK >= SILENCE_MS:
            self._disconnect()
        if was_pressed:
            self._press(now)
        if not self.unsent:
            self.unsent = self._next(now)

    def _forget(self) -> None:
        self._last_seq = 0
        self._answer = 0
        self._reason = b""
        self._arm = 0
        self._event = b""
        self._event_at = 0

    def _handle_hi(self, words: list[bytes]) -> None:
        if len(words) != 3 or not is_session(words[2]):
            return
        self._must_greet = True
        if words[1] != b"1" or words[2] == self.session:
            return
        self.session = words[2]
        self._forget()
        if self.dice.is_alone:
            self.dice.is_alone = False
            self.dice.blank()

    def _disconnect(self) -> None:
        self.session = b"-"
        self.dice.is_alone = True
        self._must_greet = True
        self._forget()

    def _press(self, now: int) -> None:
        if self.dice.is_alone:
            if not self.dice.is_tumbling:
                self.alone_throws += 1
                self.dice.show(now, self.dice.throw())
        elif self._arm:
            self._report_press(now)
        else:
            self.dice.refuse(now)

    def _report_press(self, now: int) -> None:
        self.presses += 1
        if self._rolls:
            faces = b" ".join([b"%d" % face for face in self.dice.throw()])
            self._event = b"ROLLED %d %d %s" % (self.presses, self._arm, faces)
        else:
            self._event = b"PRESS %d %d" % (self.presses, self._arm)
        self._arm = 0
        self._event_at = (now - REPEAT_MS) & TICKS_MASK

    def _handle_command(self, words: list[bytes], now: int) -> None:
        seq = number(words[1])
        if not seq:
            return
        if seq > self._last_seq:
            self._last_seq = seq
            self._reason = self._carry_out(seq, words, now)
        self._answer = seq

    def _carry_out(self, seq: int, words: list[bytes], now: int) -> bytes:
        """Carry out a command. Return b"", or the reason if the command is refused."""
        word, arguments = words[0], words[2:]
        numbers = tuple([number(argument) for argument in arguments])
        if word == b"ARM":
            if len(numbers) != 1 or not 1 <= numbers[0] <= 4:
                return b"seat is 1 to 4"
            self._arm, self._event = seq, b""
        elif word == b"SHOW":
            if len(numbers) != self.dice.count:
                return b"dice are %d" % self.dice.count
            if not 1 <= min(numbers) <= max(numbers) <= 6:
                return b"faces are 1 to 6"
            self.dice.show(now, numbers)
        elif word == b"MODE":
            if len(numbers) != 2 or arguments[0] not in MODES or not 1 <= numbers[1] <= 2:
                return b"mode is press or roll, dice are 1 or 2"
            self._rolls = arguments[0] == b"roll"
            self.dice.count = numbers[1]
        elif arguments or word not in (b"HOLD", b"BLANK", b"TEST"):
            return b"unknown command"
        elif word == b"HOLD":
            self._arm, self._event = 0, b""
        elif word == b"BLANK":
            self.dice.blank()
        else:
            self.dice.start_light_test(now)
        return b""

    def _next(self, now: int) -> bytes:
        """Return the line to send now, or b""."""
        if self._must_greet:
            self._must_greet = False
            self._sent_at = now
            return self._hello()
        if self._answer:
            seq, self._answer = self._answer, 0
            if seq == self._last_seq and self._reason:
                return frame(b"NO %d %s" % (seq, self._reason))
            return frame(b"OK %d" % seq)
        if self._event and (now - self._event_at) & TICKS_MASK >= REPEAT_MS:
            self._event_at = now
            return frame(self._event)
        if (now - self._sent_at) & TICKS_MASK >= ALIVE_MS:
            self._sent_at = now
            return frame(b"ALIVE") if self.is_connected else self._hello()
        return b""

    def _hello(self) -> bytes:
        values = (self._name, self._boot, self.session, self.alone_throws)
        return frame(b"HELLO 1 %s %s %s %d" % values)
