"""main.py with fake metal. Runs under MicroPython only: pytest sees it through test_micropython."""

import gc

import metal

HI = b"$HI 1 5f3a9c01*BDBD\n"


def started(seed=1):
    main, usb = metal.install(seed)
    return main.Table(main.Port(usb, usb), 0), usb


def frame(body):
    from link import frame

    return frame(body)


def run_until(ended, main):
    """Run the program, which must end with this exception."""
    try:
        main.main()
    except ended:
        return
    raise AssertionError("it ended by itself")


def said(table, usb, now):
    table.step(now)
    data, usb.sent = bytes(usb.sent), bytearray()
    return data


def test_it_says_hello_with_the_board_s_id_and_a_boot_id():
    table, usb = started()
    words = said(table, usb, 0).split(b" ")
    assert words[:4] == [b"$HELLO", b"1", b"0.2.0", b"e6614103e7452d2f"]
    other, usb = started(seed=2)
    assert said(other, usb, 0).split(b" ")[4] != words[4]


def test_a_show_lights_the_lines_of_both_dice():
    table, usb = started()
    usb.waiting = frame(b"HI 1 5f3a9c01") + frame(b"SHOW 1 1 6")
    for now in range(0, 700, 5):
        table.step(now)
    levels = [metal.Pin.levels[number] for number in range(2, 10)]
    assert levels == [1, 0, 0, 0, 0, 1, 1, 1]


def test_a_press_is_the_dome_s_pin_going_low():
    table, usb = started()
    usb.waiting = frame(b"HI 1 5f3a9c01") + frame(b"ARM 1 1")
    for now in range(3):
        said(table, usb, now)
    metal.Pin.levels[15] = 0
    assert said(table, usb, 10) == b""
    assert said(table, usb, 12) == frame(b"PRESS 1 1")
    metal.Pin.levels[15] = 1
    assert said(table, usb, 50) == b""


def test_a_step_takes_at_most_256_bytes_and_never_reads_what_is_not_there():
    table, usb = started()
    usb.waiting = b"x" * 300
    table.step(0)
    assert len(usb.waiting) == 44
    table.step(1)
    table.step(2)
    assert usb.waiting == b""


def test_without_room_it_goes_on_and_says_the_rest_later():
    table, usb = started()
    usb.room = 10
    first = said(table, usb, 0)
    assert len(first) == 10
    for now in range(1, 5000, 50):
        assert said(table, usb, now) == b""
    usb.room = 1000
    line = first + said(table, usb, 5000)
    assert frame(line[1:-6]) == line


def test_the_heartbeat_pin_flashes():
    table, _ = started()
    for now in range(0, 3000, 10):
        table.step(now)
    beats = [level for name, level in metal.Pin.written if name == "LED"]
    assert beats == [1, 0, 1, 0, 1, 0]


def test_without_the_led_the_dome_and_the_dice_work():
    for refused in ("open", "write"):
        main, usb = metal.install()
        metal.Pin.without = refused
        table = main.Table(main.Port(usb, usb), 0)
        usb.waiting = frame(b"HI 1 5f3a9c01") + frame(b"ARM 1 1")
        for now in range(0, 1500, 10):
            said(table, usb, now)
        metal.Pin.levels[15] = 0
        said(table, usb, 1500)
        assert frame(b"PRESS 1 1") in said(table, usb, 1502), refused
        assert "LED" not in [name for name, _ in metal.Pin.written]


def test_without_the_led_an_update_waits_as_long_and_then_the_chamber_works():
    for refused in ("open", "write"):
        main, usb = metal.install()
        metal.Pin.without = refused
        Finger(let_go=9500, end=600000)
        run_until(SystemExit, main)
        assert metal.Time.now == 69100
        assert usb.sent.startswith(b"$HELLO 1 ")


def test_the_working_loop_feeds_an_8_s_watchdog_and_lets_no_byte_stop_it():
    main, usb = metal.install()
    usb.waiting = b"\x03"
    run_until(SystemExit, main)
    assert [(dog.timeout, dog.feeds) for dog in metal.WDT.made] == [(8000, 10)]
    assert metal.Micropython.keyboard == [-1]


class CtrlC:
    """What the update does: it presses Ctrl-C, here after so many changes of a pin."""

    def __init__(self, left):
        self.left = left

    def __call__(self):
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


def test_with_the_dome_held_at_power_on_only_the_heartbeat_runs_and_ctrl_c_works():
    main, usb = metal.install()
    metal.Pin.levels[15] = 0
    metal.Pin.on_write = CtrlC(6)
    run_until(KeyboardInterrupt, main)
    assert metal.WDT.made == []
    assert metal.Micropython.keyboard == []
    assert usb.sent == b""
    assert metal.Pin.written == [("LED", level) for level in (1, 0, 1, 0, 1, 0)]


class Finger:
    """Holds the dome, and lets it go at these milliseconds; at `end` it presses Ctrl-C."""

    def __init__(self, let_go, end):
        self.let_go = let_go
        self.end = end
        metal.Pin.levels[15] = 0
        metal.Time.on_sleep = self

    def __call__(self):
        metal.Pin.levels[15] = 0 if metal.Time.now < self.let_go else 1
        if metal.Time.now >= self.end:
            raise KeyboardInterrupt


def test_a_minute_after_the_dome_is_let_go_the_chamber_works_though_nobody_updated_it():
    main, usb = metal.install()
    Finger(let_go=9500, end=600000)
    run_until(SystemExit, main)
    assert metal.Time.now == 69100  # seen down at 9.1 s, looked at once a second
    assert [dog.feeds for dog in metal.WDT.made] == [10]
    assert metal.Micropython.keyboard == [-1]
    assert usb.sent.startswith(b"$HELLO 1 ")


def test_a_dome_that_is_stuck_keeps_the_chamber_ready_to_be_updated():
    main, usb = metal.install()
    Finger(let_go=700000, end=600000)
    run_until(KeyboardInterrupt, main)
    assert metal.WDT.made == []
    assert usb.sent == b""


def test_after_the_watchdog_s_reset_a_held_dome_is_not_asked():
    main, _ = metal.install()
    metal.Pin.levels[15] = 0
    metal.Machine.cause = metal.Machine.WDT_RESET
    run_until(SystemExit, main)
    assert len(metal.WDT.made) == 1


def test_a_fault_beats_fast_and_the_watchdog_is_not_fed():
    main, usb = metal.install()
    usb.readinto = None
    usb.waiting = b"x"
    metal.Pin.on_write = CtrlC(4)
    run_until(KeyboardInterrupt, main)
    assert metal.WDT.made[0].feeds == 0
    assert metal.Pin.written[-4:] == [("LED", level) for level in (1, 0, 1, 0)]


# This MicroPython collects only while no Python runs, so a test that asks for the heap is a
# generator: each `yield` goes back to Node and the collection is done when it goes on.


def test_no_heap_grows_however_long_the_pure_modules_run():
    """Idle for the most part, with a command, a press and a lost line now and then."""
    from chamber import TICKS_MASK, Dice, Dome
    from link import Link

    dice, dome = Dice(lambda: 3), Dome(False)
    link = Link(dice, b"0.2.0 e661", b"1b2c3d4e", 0)
    hi, arm = frame(b"HI 1 5f3a9c01"), frame(b"ARM 1 1")
    after = 0
    now = 0
    for step in range(100000 * metal.TIMES + 1001):  # ends in a round as step 1000 does
        now = (now + 5) & TICKS_MASK
        if step % 2000 == 0:
            for byte in hi + arm:
                link.take(byte, now)
        link.update(now, dome.update(now, step % 500 > 490))
        dice.update_lights(now)
        link.unsent = b""
        if step % 1000 == 0:
            gc.collect()
            yield
            if step == 1000:
                after = gc.mem_alloc()
    assert gc.mem_alloc() == after
    assert (link.presses, link.alone_throws) == (50 * metal.TIMES + 1, 150 * metal.TIMES + 1)


def test_a_heap_that_grows_is_seen():
    kept = []
    before = 0
    for _ in range(3):
        kept.append(bytearray(64))
        gc.collect()
        yield
        before = before or gc.mem_alloc()
    assert gc.mem_alloc() >= before + 128


def test_no_heap_grows_in_main_s_own_steps():
    table, usb = started()
    hi = frame(b"HI 1 5f3a9c01")
    after = 0
    for step in range(21001):
        metal.Pin.levels[15] = 0 if step % 500 > 490 else 1
        if step % 2000 == 0:
            usb.waiting = hi
        table.step(step * 5)
        usb.sent = bytearray()
        usb.waiting = b""
        usb.room = 1000
        del metal.Pin.written[:]
        if step % 1000 == 0:
            gc.collect()
            yield
            if step == 1000:
                after = gc.mem_alloc()
    assert gc.mem_alloc() == after


def test_noise_does_no_harm_and_lines_among_it_are_heard():
    from chamber import Dice
    from link import Link

    letters = b"$*\n\r ALIVESHOW0123456789ABCDEF\x00\x03\xff"
    noise = metal.Random(7)
    dice = Dice(lambda: 3)
    link = Link(dice, b"0.2.0 e661", b"1b2c3d4e", 0)
    hi = frame(b"HI 1 5f3a9c01")
    for _ in range(400 * metal.TIMES):
        for byte in noise(250):
            link.take(letters[byte % len(letters)], 0)
        link.session = b"-"
        for byte in hi:
            link.take(byte, 0)
        assert link.session == b"5f3a9c01"
        link.update(0, False)
        link.unsent = b""
