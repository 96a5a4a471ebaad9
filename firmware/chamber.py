"""Dome and dice of the lit chamber: bounce, tumble, faces, tests. Touches no pin and no clock."""

TICKS = 0x3FFFFFFF  # time.ticks_ms() is back at 0 after 2**30 ms, 12.4 days

DEBOUNCE_MS = 30  # contacts of arcade buttons bounce up to 5 ms, worn ones 20 ms
CLOSED_MS = 2  # in whole ms, so at least 1 ms; static closes the contact for 6 us
REFUSAL_MS = 120
TEST_MS = 150  # for each LED line
LINES = 8

# When each picture of a tumble begins. At TUMBLE_MS the faces are steady.
PICTURES_MS = (0, 40, 85, 140, 210, 300, 420)
TUMBLE_MS = 600

# Bits of one die's four lines: centre 1, top-left and bottom-right 2, top-right and
# bottom-left 4, middle pair 8.
PIPS = (0, 1, 2, 3, 6, 7, 14)


def elapsed_ms(now: int, then: int) -> int:
    """Return the milliseconds from `then` to `now`, also across the clock's wrap."""
    return (now - then) & TICKS


def lines(faces: tuple[int, ...]) -> int:
    """Return the LED lines that show these faces: bits 0 to 3 for die 1, 4 to 7 for die 2."""
    mask = 0
    for number, face in enumerate(faces):
        mask |= PIPS[face] << 4 * number
    return mask


def heartbeat_is_lit(now: int, up: bool) -> bool:
    """Whether the heartbeat LED is lit: short flashes while the line is up, else slow and even."""
    return now & 1023 < (64 if up else 512)


class Dome:
    """The dome button: pressed when each `step` for CLOSED_MS has seen it closed.

    After a press or a release it ignores the contact for DEBOUNCE_MS.
    """

    def __init__(self, down: bool) -> None:
        self._down = down
        self._closing = False
        self._closed_since = 0
        self._dead = False
        self._since = 0

    def step(self, now: int, down: bool) -> bool:
        """Take the contact's state now; return True once for each press."""
        if self._dead and elapsed_ms(now, self._since) >= DEBOUNCE_MS:
            self._dead = False
        if self._dead or down == self._down:
            self._closing = False
            return False
        if down and self._may_be_a_spark(now):
            return False
        self._down = down
        self._dead = True
        self._since = now
        return down

    def _may_be_a_spark(self, now: int) -> bool:
        """Whether a closed contact was not closed for long enough yet."""
        if not self._closing:
            self._closing = True
            self._closed_since = now
        return elapsed_ms(now, self._closed_since) < CLOSED_MS


class Dice:
    """One or two dice of LEDs, and what they show at a given time.

    random_byte: takes no arguments, returns 0 to 255.
    """

    def __init__(self, random_byte) -> None:  # type: ignore[no-untyped-def]
        self.count = 2
        self.alone = False
        self.faces: tuple[int, ...] = ()
        self.tumbling = False
        self._random_byte = random_byte
        self._since = 0
        self._picture = -1
        self._spun: tuple[int, ...] = ()
        self._mask = 0
        self._testing = False
        self._test_since = 0
        self._dark = False
        self._dark_since = 0

    def show(self, now: int, faces: tuple[int, ...]) -> None:
        """Tumble, then show these faces."""
        self.faces = faces
        self.tumbling = True
        self._testing = False
        self._since = now
        self._picture = -1

    def blank(self) -> None:
        """Turn the lights off."""
        self.faces = ()
        self.tumbling = False
        self._testing = False
        self._mask = 0

    def test(self, now: int) -> None:
        """Light every line in turn, then show the faces from before."""
        self._testing = True
        self._test_since = now

    def refuse(self, now: int) -> None:
        """Go dark for a moment, because a press doesn't count."""
        self._dark = True
        self._dark_since = now

    def draw(self) -> tuple[int, ...]:
        """Return fair faces, one for each die."""
        return tuple([self._face() for _ in range(self.count)])

    def lights(self, now: int) -> int:
        """Return the lines that are lit now, in the bits of `lines`."""
        self._tumble(now)
        self._expire(now)
        if self._testing:
            return 1 << elapsed_ms(now, self._test_since) // TEST_MS
        if self._dark:
            return 0
        return 0 if self.alone and self._blinks(now) else self._mask

    def _blinks(self, now: int) -> bool:
        """Whether a blink is dark now: from steady faces on, 1.5 s lit, then 0.5 s dark.

        2048 divides the clock's wrap, so it never jumps.
        """
        return not self.tumbling and (now - self._since - TUMBLE_MS) & 2047 >= 1536

    def _expire(self, now: int) -> None:
        if self._testing and elapsed_ms(now, self._test_since) >= TEST_MS * LINES:
            self._testing = False
        if self._dark and elapsed_ms(now, self._dark_since) >= REFUSAL_MS:
            self._dark = False

    def _tumble(self, now: int) -> None:
        if not self.tumbling:
            return
        age = elapsed_ms(now, self._since)
        if age >= TUMBLE_MS:
            self.tumbling = False
            self._mask = lines(self.faces)
            return
        picture = self._picture
        while picture + 1 < len(PICTURES_MS) and age >= PICTURES_MS[picture + 1]:
            picture += 1
        if picture != self._picture:
            self._picture = picture
            self._spun = self._spin()
            self._mask = lines(self._spun)

    def _spin(self) -> tuple[int, ...]:
        """Return for each die a face other than the one it shows."""
        seen = self._spun if len(self._spun) == len(self.faces) else self.faces
        return tuple([(face + self._random_byte() % 5) % 6 + 1 for face in seen])

    def _face(self) -> int:
        """Return 1 to 6 without bias: 252 is the greatest multiple of 6 in a byte."""
        byte = 252
        while byte >= 252:
            byte = self._random_byte()
        return int(byte % 6 + 1)
