"""Decides which contact changes are presses of the dome, and which lights the dice show.

It does not use a pin or a clock.
"""

TICKS_MASK = 0x3FFFFFFF  # time.ticks_ms() wraps to 0 after 2**30 ms (12.4 days)

DEBOUNCE_MS = 30  # an arcade button bounces for up to 5 ms, a worn one for up to 20 ms
# The clock counts whole ms, so 2 means that more than 1 ms has passed. Static electricity closes
# the contact for only 6 us.
MIN_CLOSED_MS = 2
REFUSAL_DARK_MS = 120
TEST_MS = 150  # for each LED line
LED_LINES = 8

# When each frame of a tumble begins. From TUMBLE_MS on the faces do not change.
TUMBLE_FRAMES_MS = (0, 40, 85, 140, 210, 300, 420)
TUMBLE_MS = 600

# PIPS[face] has the LED lines of a face as bits: 1 is the centre, 2 top left and bottom right,
# 4 top right and bottom left, 8 the middle pair.
PIPS = (0, 1, 2, 3, 6, 7, 14)


def elapsed_ms(now: int, then: int) -> int:
    """Return the milliseconds from `then` to `now`, even if the clock wrapped in between."""
    return (now - then) & TICKS_MASK


def running(now: int, began: int | None, length_ms: int) -> int | None:
    """Return when something began that takes so long, or None if it has ended."""
    return None if began is None or elapsed_ms(now, began) >= length_ms else began


def led_mask(faces: tuple[int, ...]) -> int:
    """Return the LED lines that show these faces. Bits 0 to 3 are die 1, bits 4 to 7 die 2."""
    mask = 0
    for number, face in enumerate(faces):
        mask |= PIPS[face] << 4 * number
    return mask


def heartbeat_is_lit(now: int, is_connected: bool) -> bool:
    """Whether the heartbeat LED is lit: short flashes with a Pi, else half a second on and off."""
    return now & 1023 < (64 if is_connected else 512)


class Dome:
    """The dome button. A press counts when `update` finds the contact closed for MIN_CLOSED_MS.

    After a press or a release it ignores the contact for DEBOUNCE_MS.
    """

    def __init__(self, is_closed: bool) -> None:
        self._was_closed = is_closed
        self._closed_at: int | None = None
        self._changed_at: int | None = None

    def update(self, now: int, is_closed: bool) -> bool:
        """Update with the contact's present state. Return True once for each press."""
        self._changed_at = running(now, self._changed_at, DEBOUNCE_MS)
        if self._changed_at is not None or is_closed == self._was_closed:
            self._closed_at = None
            return False
        if is_closed:
            if self._closed_at is None:
                self._closed_at = now
            if elapsed_ms(now, self._closed_at) < MIN_CLOSED_MS:
                return False
        self._was_closed = is_closed
        self._changed_at = now
        return is_closed


class Dice:
    """One or two dice of LEDs, and what they show at a given time.

    random_byte: takes no arguments, returns 0 to 255. is_alone: whether the chamber throws without
    a Pi; then steady faces blink.
    """

    def __init__(self, random_byte) -> None:  # type: ignore[no-untyped-def]
        self.count = 2
        self.is_alone = False
        self.faces: tuple[int, ...] = ()
        self.is_tumbling = False
        self._random_byte = random_byte
        self._tumble_began = 0
        self._frame = -1
        self._frame_faces: tuple[int, ...] = ()
        self._mask = 0
        self._test_began: int | None = None
        self._refusal_began: int | None = None

    def show(self, now: int, faces: tuple[int, ...]) -> None:
        """Tumble, then show these faces."""
        self.faces = faces
        self.is_tumbling = True
        self._test_began = None
        self._tumble_began = now
        self._frame = -1

    def blank(self) -> None:
        self.faces = ()
        self.is_tumbling = False
        self._test_began = None
        self._mask = 0

    def start_light_test(self, now: int) -> None:
        """Light every LED line in turn, then show the previous faces."""
        self._test_began = now

    def refuse(self, now: int) -> None:
        """Go dark for REFUSAL_DARK_MS, because a press doesn't count."""
        self._refusal_began = now

    def throw(self) -> tuple[int, ...]:
        """Return fair faces, one for each die."""
        return tuple([self._throw_die() for _ in range(self.count)])

    def update_lights(self, now: int) -> int:
        """Advance the lights to `now`. Return the lit LED lines, with the bits of `led_mask`."""
        self._tumble(now)
        self._test_began = running(now, self._test_began, TEST_MS * LED_LINES)
        self._refusal_began = running(now, self._refusal_began, REFUSAL_DARK_MS)
        if self._test_began is not None:
            return 1 << elapsed_ms(now, self._test_began) // TEST_MS
        if self._refusal_began is not None:
            return 0
        return 0 if self.is_alone and self._is_dark_in_blink(now) else self._mask

    def _is_dark_in_blink(self, now: int) -> bool:
        """Whether the blinking dice are dark now.

        They begin to blink when the faces are steady: 1.5 s on, 0.5 s off. The clock wraps at a
        multiple of 2048 ms, so the blinking stays regular.
        """
        return not self.is_tumbling and (now - self._tumble_began - TUMBLE_MS) & 2047 >= 1536

    def _tumble(self, now: int) -> None:
        if not self.is_tumbling:
            return
        tumble_ms = elapsed_ms(now, self._tumble_began)
        if tumble_ms >= TUMBLE_MS:
            self.is_tumbling = False
            self._mask = led_mask(self.faces)
            return
        frame = self._frame
        while frame + 1 < len(TUMBLE_FRAMES_MS) and tumble_ms >= TUMBLE_FRAMES_MS[frame + 1]:
            frame += 1
        if frame != self._frame:
            self._frame = frame
            self._frame_faces = self._spin()
            self._mask = led_mask(self._frame_faces)

    def _spin(self) -> tuple[int, ...]:
        """Return new faces. Each differs from the one that its die shows."""
        shown_faces = self._frame_faces if len(self._frame_faces) == len(self.faces) else self.faces
        return tuple([(face + self._random_byte() % 5) % 6 + 1 for face in shown_faces])

    def _throw_die(self) -> int:
        """Return 1 to 6 without bias: 252 is the greatest multiple of 6 in a byte."""
        byte = 252
        while byte >= 252:
            byte = self._random_byte()
        return int(byte % 6 + 1)
