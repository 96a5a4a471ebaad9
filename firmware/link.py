"""The chamber's end of the line: bytes to lines and back, and the conversation. Touches no pin.

It follows PROTOCOL.md. Times are arguments, in milliseconds that wrap after 2**30.
"""

TICKS = 0x3FFFFFFF
SILENCE_MS = 3000
ALIVE_MS = 1000
REPEAT_MS = 100

BODY_MAX = 80
NUMBER_MAX = 999999999

OWN_WORDS = (b"HELLO", b"OK", b"NO", b"PRESS", b"ROLLED")  # both ends send ALIVE

QUIET = -1  # nothing received since the last end of a line
RUBBISH = -2  # the bytes received since then can't become a line

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
    """Return the word's value, 1 to NUMBER_MAX; 0 if it is not such a number."""
    if not word.isdigit() or word[0] == 48 or len(word) > 9:
        return 0
    return int(word)


def is_session(word: bytes) -> bool:
    """Whether the word is eight hexadecimal digits."""
    return len(word) == 8 and all(byte in b"0123456789abcdefABCDEF" for byte in word)


class Reader:
    """Finds the correct lines in the bytes received, and counts the others."""

    def __init__(self) -> None:
        self.dropped = 0
        self._buffer = bytearray(BODY_MAX + 6)  # body, star, four digits, CR
        self._length = QUIET

    def take(self, byte: int) -> bytes:
        """Take one byte; return the body of the line that it ends, or b""."""
        if byte == 36:  # $ always starts a new line
            self._drop()
            self._length = 0
        elif byte == 10:
            return self._end()
        elif 0 <= self._length < BODY_MAX + 6:
            self._buffer[self._length] = byte
            self._length += 1
        else:
            self._length = RUBBISH
        return b""

    def _drop(self) -> None:
        if self._length != QUIET:
            self.dropped = self.dropped + 1 & TICKS
            self._length = QUIET

    def _end(self) -> bytes:
        body = self._body(bytes(self._buffer[: self._length])) if self._length > 0 else b""
        if body:
            self._length = QUIET
        self._drop()
        return body

    def _body(self, line: bytes) -> bytes:
        if line[-1] == 13:
            line = line[:-1]
        body = line[:-5]
        if not body or len(body) > BODY_MAX or line[-5:] != b"*%04X" % crc(body):
            return b""
        return body if all(32 <= byte < 127 and byte != 42 for byte in body) else b""


class Link:
    """Answers the lines received, and carries out their commands on the dice.

    dice: the Dice. name: firmware version and unique id, with a space between. boot: the boot id.
    """

    def __init__(self, dice, name: bytes, boot: bytes, now: int) -> None:  # type: ignore[no-untyped-def]
        self.dice = dice
        self.reader = Reader()
        self.session = b"-"
        self.alone = False
        self.alone_throws = 0
        self.presses = 0
        self.out = b""  # the rest of the line being sent
        self._name = name
        self._boot = boot
        self._heard = now
        self._said = now
        self._greet = True
        self._rolls = False
        self._forget()

    @property
    def up(self) -> bool:
        """Whether a Pi has greeted, and the line is not lost."""
        return self.session != b"-"

    def take(self, byte: int, now: int) -> None:
        """Take one byte, and carry out the line that it ends."""
        body = self.reader.take(byte)
        if not body:
            return
        words = body.split(b" ")
        if words[0] in OWN_WORDS:
            return  # an echo
        self._heard = now
        if words[0] == b"HI":
            self._hi(words)
        elif words[0] == b"GOT" and len(words) == 2:
            self._got(number(words[1]))
        elif words[0] != b"ALIVE" and self.up and len(words) > 1:
            self._command(words, now)

    def step(self, now: int, pressed: bool) -> None:
        """Let time pass. pressed: whether the dome was pressed just now."""
        if not self.alone and (now - self._heard) & TICKS >= SILENCE_MS:
            self._lose()
        if pressed:
            self._press(now)
        if not self.out:
            self.out = self._next(now)

    def _forget(self) -> None:
        self._last = 0
        self._answer = 0
        self._reason = b""
        self._arm = 0
        self._event = b""
        self._event_at = 0

    def _hi(self, words: list[bytes]) -> None:
        if len(words) != 3 or not is_session(words[2]):
            return
        self._greet = True
        if words[1] != b"1" or words[2] == self.session:
            return
        self.session = words[2]
        self._forget()
        if self.alone:
            self.alone = self.dice.alone = False
            self.dice.blank()

    def _lose(self) -> None:
        self.session = b"-"
        self.alone = self.dice.alone = True
        self._greet = True
        self._forget()

    def _got(self, n: int) -> None:
        if n == self.presses:
            self._event = b""

    def _press(self, now: int) -> None:
        if self.alone:
            self._pop(now)
        elif self._arm:
            self._count(now)
        else:
            self.dice.refuse(now)

    def _pop(self, now: int) -> None:
        """Throw alone, one throw at a time."""
        if not self.dice.tumbling:
            self.alone_throws += 1
            self.dice.show(now, self.dice.draw())

    def _count(self, now: int) -> None:
        self.presses += 1
        if self._rolls:
            faces = b" ".join([b"%d" % face for face in self.dice.draw()])
            self._event = b"ROLLED %d %d %s" % (self.presses, self._arm, faces)
        else:
            self._event = b"PRESS %d %d" % (self.presses, self._arm)
        self._arm = 0
        self._event_at = (now - REPEAT_MS) & TICKS

    def _command(self, words: list[bytes], now: int) -> None:
        seq = number(words[1])
        if not seq:
            return
        if seq > self._last:
            self._last = seq
            self._reason = self._carry_out(seq, words, now)
        self._answer = seq

    def _carry_out(self, seq: int, words: list[bytes], now: int) -> bytes:
        """Carry out a command; return b"", or the reason for refusing it."""
        word, given = words[0], words[2:]
        if word == b"ARM":
            return self._do_arm(seq, given)
        if word == b"SHOW":
            return self._do_show(given, now)
        if word == b"MODE":
            return self._do_mode(given)
        if given or word not in (b"HOLD", b"BLANK", b"TEST"):
            return b"unknown command"
        if word == b"HOLD":
            self._arm, self._event = 0, b""
        elif word == b"BLANK":
            self.dice.blank()
        else:
            self.dice.test(now)
        return b""

    def _do_arm(self, seq: int, given: list[bytes]) -> bytes:
        if len(given) != 1 or not 1 <= number(given[0]) <= 4:
            return b"seat is 1 to 4"
        self._arm, self._event = seq, b""
        return b""

    def _do_show(self, given: list[bytes], now: int) -> bytes:
        if len(given) != self.dice.count:
            return b"dice are %d" % self.dice.count
        faces = tuple([number(word) for word in given])
        if not 1 <= min(faces) <= max(faces) <= 6:
            return b"faces are 1 to 6"
        self.dice.show(now, faces)
        return b""

    def _do_mode(self, given: list[bytes]) -> bytes:
        if len(given) != 2 or given[0] not in (b"press", b"roll") or given[1] not in (b"1", b"2"):
            return b"mode is press or roll, dice are 1 or 2"
        self._rolls = given[0] == b"roll"
        self.dice.count = int(given[1])
        return b""

    def _next(self, now: int) -> bytes:
        """Return the line to send now, or b""."""
        if self._greet:
            self._greet = False
            self._said = now
            return self._hello()
        if self._answer:
            return self._take_answer()
        if self._event and (now - self._event_at) & TICKS >= REPEAT_MS:
            self._event_at = now
            return frame(self._event)
        if (now - self._said) & TICKS >= ALIVE_MS:
            self._said = now
            return frame(b"ALIVE") if self.up else self._hello()
        return b""

    def _hello(self) -> bytes:
        said = (self._name, self._boot, self.session, self.alone_throws)
        return frame(b"HELLO 1 %s %s %s %d" % said)

    def _take_answer(self) -> bytes:
        seq, self._answer = self._answer, 0
        if seq == self._last and self._reason:
            return frame(b"NO %d %s" % (seq, self._reason))
        return frame(b"OK %d" % seq)
