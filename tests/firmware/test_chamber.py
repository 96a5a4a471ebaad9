"""The dome and the dice, by the numbers. Runs under CPython and MicroPython alike."""

from firmware.chamber import (
    DEBOUNCE_MS,
    MIN_CLOSED_MS,
    REFUSAL_DARK_MS,
    TEST_MS,
    TICKS_MASK,
    TUMBLE_FRAMES_MS,
    TUMBLE_MS,
    Dice,
    Dome,
    heartbeat_is_lit,
    led_mask,
)

# Contacts as they were seen on arcade buttons: (ms, closed), the finger's way once down and up.
BOUNCES = (
    ((0, True), (90, False)),
    ((0, True), (1, False), (2, True), (4, False), (5, True), (90, False), (91, True), (92, False)),
    ((0, True), (3, False), (7, True), (120, False), (123, True), (128, False), (137, False)),
    ((0, True), (4, False)),
    ((0, True), (1, False), (28, True), (60, False), (61, True), (85, False)),
)


class Bytes:
    """Random bytes that are known: these in turn, over and over."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = -1

    def __call__(self) -> int:
        self._at = (self._at + 1) % len(self._data)
        return self._data[self._at]


def dice(data: bytes = bytes(range(256))) -> Dice:
    return Dice(Bytes(data))


def presses(contacts: tuple[tuple[int, bool], ...], begin: int = 0, every: int = 1) -> int:
    """How many presses a dome makes of these contacts within 300 ms."""
    dome = Dome(False)
    closed = False
    count = 0
    for ms in range(0, 300, every):
        for at, level in contacts:
            if at <= ms:
                closed = level
        count += dome.update((begin + ms) & TICKS_MASK, closed)
    return count


def test_however_it_bounces_one_press_is_one_press() -> None:
    for contacts in BOUNCES:
        assert presses(contacts) == 1, contacts
        assert presses(contacts, every=3) == 1, contacts


def pressed(dome: Dome, now: int) -> bool:
    """Whether a dome that closes now is pressed at the second look, and not before."""
    return not dome.update(now, True) and dome.update(now + MIN_CLOSED_MS, True)


def test_a_press_is_a_dome_closed_at_two_looks_more_than_1_ms_apart() -> None:
    for gap, counts in ((0, False), (1, False), (2, True), (50, True)):
        dome = Dome(False)
        assert not dome.update(0, False)
        assert not dome.update(TICKS_MASK, True)
        assert dome.update(TICKS_MASK + gap & TICKS_MASK, True) == counts, gap


def test_a_spark_is_no_press() -> None:
    dome = Dome(False)
    for now in range(0, 300, 3):
        assert not dome.update(now, True)
        assert not dome.update(now + 1, False)
    assert pressed(dome, 300)


def test_bounce_at_release_is_no_press() -> None:
    dome = Dome(False)
    assert pressed(dome, 0)
    assert not dome.update(500, False)
    assert not dome.update(501, True)
    assert not dome.update(502, False)


def test_a_second_press_counts_after_the_dead_time_of_the_release() -> None:
    dome = Dome(False)
    assert pressed(dome, 0)
    up = MIN_CLOSED_MS + DEBOUNCE_MS
    assert not dome.update(up, False)
    assert not dome.update(up + DEBOUNCE_MS - 1, True)
    assert pressed(dome, up + DEBOUNCE_MS)


def test_a_dome_held_at_start_is_no_press() -> None:
    dome = Dome(True)
    assert not dome.update(0, True)
    assert not dome.update(1000, False)
    assert pressed(dome, 2000)


def test_a_press_over_the_wrap_of_the_clock_is_one_press() -> None:
    for contacts in BOUNCES:
        for before in (1, 5, 29, 90, 130):
            assert presses(contacts, begin=TICKS_MASK - before) == 1, (contacts, before)


def test_faces_are_the_pips_of_a_die() -> None:
    pips = (1, 2, 2, 2)  # LEDs on each line
    for face in range(1, 7):
        mask = led_mask((face,))
        assert sum([pips[line] for line in range(4) if mask >> line & 1]) == face
    assert led_mask((5, 3)) == 0b00110111
    assert led_mask(()) == 0


def test_a_show_tumbles_slower_and_slower_then_stands() -> None:
    shown = dice()
    shown.show(1000, (5, 3))
    seen = [shown.update_lights(1000 + ms) for ms in range(TUMBLE_MS)]
    changes = [ms for ms in range(1, TUMBLE_MS) if seen[ms] != seen[ms - 1]]
    assert tuple(changes) == TUMBLE_FRAMES_MS[1:]
    assert shown.is_tumbling
    assert shown.update_lights(1000 + TUMBLE_MS) == led_mask((5, 3))
    assert not shown.is_tumbling
    assert shown.update_lights(1000 + 10**6) == led_mask((5, 3))


def test_blank_stops_a_tumble_and_puts_the_lights_out() -> None:
    shown = dice()
    shown.show(0, (1, 1))
    shown.update_lights(100)
    shown.blank()
    assert [shown.update_lights(ms) for ms in (100, 700, 10**6)] == [0, 0, 0]


def test_a_test_lights_every_line_in_turn_then_the_faces_again() -> None:
    shown = dice()
    shown.show(0, (2, 6))
    shown.update_lights(TUMBLE_MS)
    shown.start_light_test(1000)
    seen = [shown.update_lights(1000 + TEST_MS * line) for line in range(8)]
    assert seen == [1, 2, 4, 8, 16, 32, 64, 128]
    assert shown.update_lights(1000 + TEST_MS * 8) == led_mask((2, 6))


def test_a_refused_press_is_a_short_dark_blink() -> None:
    shown = dice()
    shown.show(0, (4, 4))
    shown.update_lights(TUMBLE_MS)
    shown.refuse(2000)
    assert shown.update_lights(2000) == 0
    assert shown.update_lights(2000 + REFUSAL_DARK_MS - 1) == 0
    assert shown.update_lights(2000 + REFUSAL_DARK_MS) == led_mask((4, 4))


def test_alone_whenever_it_throws_the_faces_stand_lit_before_they_blink() -> None:
    for begin in (0, 700, 1500, 1536, 2047, 5003, TICKS_MASK - 5000, TICKS_MASK - 1000):
        shown = dice()
        shown.is_alone = True
        shown.show(begin, (4, 4))
        seen = [
            shown.update_lights((begin + TUMBLE_MS + ms) & TICKS_MASK) for ms in range(3 * 2048)
        ]
        assert seen == ([led_mask((4, 4))] * 1536 + [0] * 512) * 3, begin


def test_one_die_draws_one_face() -> None:
    shown = dice(bytes([4]))
    shown.count = 1
    assert shown.throw() == (5,)


def test_drawing_takes_no_byte_that_would_favour_a_face() -> None:
    counts = [0] * 7
    shown = dice()
    shown.count = 1
    for _ in range(252 * 10):
        counts[shown.throw()[0]] += 1
    assert counts == [0] + [420] * 6
    shown = dice(bytes([252, 253, 254, 255, 251]))
    assert shown.throw() == (6, 6)


def test_the_heartbeat_tells_a_line_from_none() -> None:
    up = sum([heartbeat_is_lit(ms, True) for ms in range(1024)])
    lost = sum([heartbeat_is_lit(ms, False) for ms in range(1024)])
    assert (up, lost) == (64, 512)


def test_everything_timed_goes_on_over_the_wrap_of_the_clock() -> None:
    for before in (1, 50, 119, 599):
        begin = TICKS_MASK - before
        shown = dice()
        shown.show(begin, (3, 1))
        assert shown.update_lights((begin + TUMBLE_MS - 1) & TICKS_MASK) != 0
        assert shown.is_tumbling
        assert shown.update_lights((begin + TUMBLE_MS) & TICKS_MASK) == led_mask((3, 1))
        shown.refuse(begin)
        assert shown.update_lights((begin + REFUSAL_DARK_MS - 1) & TICKS_MASK) == 0
        assert shown.update_lights((begin + REFUSAL_DARK_MS) & TICKS_MASK) == led_mask((3, 1))
        shown.start_light_test(begin)
        assert shown.update_lights((begin + TEST_MS * 7) & TICKS_MASK) == 128
        assert shown.update_lights((begin + TEST_MS * 8) & TICKS_MASK) == led_mask((3, 1))
