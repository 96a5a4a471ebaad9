"""The panel: what reaches the bus, and what the table notices of a bus that fails (nothing)."""

import gc
from collections.abc import Callable
from itertools import count
from queue import SimpleQueue
from random import Random
from threading import Event, Thread
from typing import Any, ClassVar

import pytest
from luma.core.device import dummy
from luma.core.error import DeviceNotFoundError, DevicePermissionError
from luma.oled.device import ssd1306
from PIL import Image, ImageDraw

from pi_app.config.keys import Display
from pi_app.devices.buttons import pin_factory
from pi_app.devices.oled import BRIGHT, DIM, STEADY_S, Oled, describe_failure, open_device
from pi_app.model.screens import Level

SIZE = (128, 64)
BLACK = Image.new("1", SIZE).tobytes()
DISPLAY_OFF, DISPLAY_ON = 0xAE, 0xAF
CONTRAST = 0x81
DC, RESET = 24, 25


class I2CBus:
    """Records what is written, as smbus2 is called; raises the like of `fault` if there is one."""

    def __init__(self) -> None:
        self.commands: list[int] = []
        self.pixels = bytearray()
        self.writes = 0
        self.shown = Event()  # a whole picture has arrived
        self.fault: Exception | None = None

    def write_i2c_block_data(self, address: int, mode: int, data: list[int]) -> None:
        if self.fault:
            raise type(self.fault)(*self.fault.args)
        assert address == 0x3C
        self.writes += 1
        if mode == 0x40:
            self.pixels += bytes(data)
            if len(self.pixels) == 1024:
                self.shown.set()
        else:
            self.commands += data


class SPIBus:
    """Records what is written as spidev would be told; the D/C pin says what it is."""

    def __init__(self, factory: Any) -> None:
        self.commands: list[int] = []
        self.pixels = bytearray()
        self.opened: list[tuple[int, int]] = []
        self.max_speed_hz = 0
        self._factory = factory

    def open(self, port: int, device: int) -> None:
        self.opened.append((port, device))

    def writebytes(self, data: list[int]) -> None:
        if self._factory.pin(DC).state:
            self.pixels += bytes(data)
        else:
            self.commands += data

    def close(self) -> None:
        self.opened.clear()


def picture(*rows: int) -> Image.Image:
    """A picture with an arrow's corner and these rows lit: no two orientations are alike."""
    image = Image.new("1", SIZE)
    draw = ImageDraw.Draw(image)
    draw.polygon(((3, 3), (30, 5), (8, 20)), fill=1)
    for row in rows:
        draw.line((40, row, 120, row), fill=1)
    return image


def on_glass(pixels: bytearray) -> Image.Image:
    """The picture that the controller's memory holds: eight pages of 128 columns of eight bits."""
    image = Image.new("1", SIZE)
    for place, byte in enumerate(pixels[-1024:]):
        page, column = divmod(place, 128)
        for bit in range(8):
            image.putpixel((column, page * 8 + bit), byte >> bit & 1)
    return image


def panel_on(bus: Any, display: Display | None = None, factory: Any = None) -> Oled:
    return Oled(open_device(display or Display(), factory, bus), report=lambda _: None)


def send(panel: Oled, image: Image.Image, now: float, level: Level = "bright") -> float | None:
    """Show a picture, and let the panel send it. Return when it tries again."""
    panel.show(image, level)
    return panel.step(now)


# What reaches the bus.


@pytest.mark.parametrize("driver", ["ssd1306", "ssd1309", "sh1106"])
@pytest.mark.parametrize("rotation", [0, 180])
def test_a_picture_reaches_an_i2c_panel_pixel_by_pixel(driver: Any, rotation: Any) -> None:
    bus = I2CBus()
    panel = panel_on(bus, Display(driver=driver, rotation=rotation))
    assert send(panel, picture(30, 63), 0.0) is None
    assert on_glass(bus.pixels).tobytes() == picture(30, 63).rotate(rotation).tobytes()
    assert bus.commands.index(DISPLAY_ON) > bus.commands.index(DISPLAY_OFF)


@pytest.mark.parametrize("driver", ["ssd1306", "ssd1309", "sh1106"])
def test_a_picture_reaches_an_spi_panel_by_our_own_pin_factory(driver: Any) -> None:
    factory: Any = pin_factory("mock")
    bus = SPIBus(factory)
    display = Display(driver=driver, bus="spi", spi_device=1, spi_mhz=4, dc=DC, reset=RESET)
    panel = panel_on(bus, display, factory)
    send(panel, picture(7), 0.0)
    assert on_glass(bus.pixels).tobytes() == picture(7).tobytes()
    assert (bus.opened, bus.max_speed_hz) == ([(0, 1)], 4_000_000)
    assert [state.state for state in factory.pin(RESET).states][-2:] == [False, True]


class HeldInReset(I2CBus):
    """A display that does not answer while its RES is low."""

    def __init__(self, factory: Any) -> None:
        super().__init__()
        self._factory = factory

    def write_i2c_block_data(self, address: int, mode: int, data: list[int]) -> None:
        if not self._factory.pin(RESET).state:
            raise OSError(121, "Remote I/O error")
        super().write_i2c_block_data(address, mode, data)


def test_an_i2c_display_with_a_reset_pin_is_reset_each_time_it_is_opened() -> None:
    factory: Any = pin_factory("mock")
    bus = HeldInReset(factory)
    panel = panel_on(bus, Display(reset=RESET), factory)
    assert send(panel, picture(7), 0.0) is None
    assert on_glass(bus.pixels).tobytes() == picture(7).tobytes()
    bus.fault = OSError(5, "Input/output error")
    send(panel, picture(8), 1.0)
    bus.fault = None
    assert panel.step(2.0) is None
    changes = factory.pin(RESET).states
    assert [change.state for change in changes] == [False, True, False, True]
    assert min(changes[1].timestamp, changes[3].timestamp) >= 0.01  # so long it was low before


def test_an_equal_picture_is_not_sent_again() -> None:
    bus = I2CBus()
    panel = panel_on(bus)
    send(panel, picture(1), 0.0)
    sent = bus.writes
    send(panel, picture(1), 1.0)
    assert bus.writes == sent
    send(panel, picture(2), 2.0)
    assert bus.writes > sent


def contrasts(bus: I2CBus) -> list[int]:
    """The contrasts that were set, without those of luma's own start."""
    sets = [n for n, command in enumerate(bus.commands) if command == CONTRAST]
    return [bus.commands[n + 1] for n in sets][1:]


def test_a_panel_is_as_bright_as_its_picture_is_wanted() -> None:
    bus = I2CBus()
    panel = panel_on(bus)
    levels: tuple[Level, ...] = ("bright", "bright", "dim", "dim", "bright")
    for level in levels:
        send(panel, picture(1), 0.0, level)
    assert contrasts(bus) == [BRIGHT, DIM, BRIGHT]


def test_a_dark_panel_is_off_and_comes_on_with_the_picture_wanted_then() -> None:
    bus = I2CBus()
    panel = panel_on(bus)
    send(panel, picture(1), 0.0)
    bus.commands.clear()
    send(panel, picture(2), 1.0, "dark")
    send(panel, picture(3), 2.0, "dark")
    assert bus.commands == [DISPLAY_OFF]
    send(panel, picture(4), 3.0)
    assert bus.commands[-1] == DISPLAY_ON
    assert bus.commands.count(DISPLAY_ON) == 1


def test_a_panel_that_is_built_anew_while_dim_is_dim_again() -> None:
    bus = I2CBus()
    panel = panel_on(bus)
    send(panel, picture(1), 100.0, "dim")
    bus.fault = OSError("gone")
    send(panel, picture(2), 101.0, "dim")
    bus.fault, bus.commands = None, []
    panel.step(110.0)
    assert contrasts(bus) == [DIM]


def test_a_panel_that_is_built_anew_while_dark_is_off_again() -> None:
    bus = I2CBus()
    panel = panel_on(bus)
    send(panel, picture(1), 100.0)
    bus.fault = OSError("gone")
    send(panel, picture(1), 101.0, "dark")
    bus.fault, bus.commands = None, []
    panel.step(110.0)
    assert bus.commands[-1] == DISPLAY_OFF


def test_only_the_newest_picture_is_sent() -> None:
    shown: list[Image.Image] = []
    panel = Oled(lambda: Shown(shown.append), report=lambda _: None)
    for row in range(10):
        panel.show(picture(row))
    panel.step(0.0)
    panel.step(0.1)
    assert [image.tobytes() for image in shown] == [picture(9).tobytes()]


def test_nothing_is_opened_before_there_is_a_picture() -> None:
    panel = Oled(lambda: pytest.fail("opened"), report=lambda _: None)
    assert panel.step(0.0) is None


# A panel that fails.

FAULTS = [
    OSError(121, "Remote I/O error"),
    OSError(5, "Input/output error"),
    TimeoutError(110, "Connection timed out"),
    DeviceNotFoundError("I2C device not found on address: 0x3C"),
    RuntimeError("Cannot determine SOC peripheral base address"),
    ImportError("No module named 'spidev'"),
]


NO_RIGHT = "Permission denied"
I2C_GROUP = "join the group i2c with `sudo usermod -aG i2c NAME` and log in again"
SPI_GROUP = "join the group spi with `sudo usermod -aG spi NAME` and log in again"
I2C_OFF = "turn it on with `sudo referee setup`"
WIRES = "check its wires, and its driver, bus and address in the configuration"
SENTENCES: dict[str, tuple[Exception, str]] = {
    str(error): (error, f"the display can't be reached ({what}): {remedy}")
    for error, what, remedy in (
        (PermissionError(13, NO_RIGHT, "/dev/i2c-1"), f"/dev/i2c-1: {NO_RIGHT}", I2C_GROUP),
        (
            DevicePermissionError("I2C device permission denied: /dev/i2c-1"),
            f"/dev/i2c-1: {NO_RIGHT}",
            I2C_GROUP,
        ),
        (PermissionError(13, NO_RIGHT, "/dev/spidev0.0"), f"/dev/spidev0.0: {NO_RIGHT}", SPI_GROUP),
        (
            DeviceNotFoundError("I2C device not found: /dev/i2c-1"),
            "/dev/i2c-1 is not there",
            I2C_OFF,
        ),
        (
            DeviceNotFoundError("SPI device not found"),
            "SPI device not found",
            "turn it on with `sudo raspi-config nonint do_spi 0`",
        ),
        (OSError(121, "Remote I/O error"), "[Errno 121] Remote I/O error", WIRES),
        (
            DeviceNotFoundError("I2C device not found on address: 0x3C"),
            "nothing answers at 3c",
            f"is its back set to I2C? If it is, {WIRES}",
        ),
        (
            ImportError("No module named 'spidev'"),
            "No module named 'spidev'",
            "install it with `sudo apt-get install python3-spidev`",
        ),
    )
}


@pytest.mark.parametrize("name", SENTENCES)
def test_a_failure_is_told_with_its_remedy(name: str, caplog: pytest.LogCaptureFixture) -> None:
    error, said = SENTENCES[name]
    told: list[str | None] = []

    def fail() -> Any:
        raise error

    panel = Oled(fail, told.append)
    for n in range(3):
        send(panel, picture(n), 10.0 * n)
    assert told == [said]
    assert caplog.messages == []


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
def test_a_panel_that_fails_is_told_once_and_its_picture_comes_back(fault: Exception) -> None:
    bus, told = I2CBus(), list[str | None]()
    panel = Oled(open_device(Display(), None, bus), told.append)
    send(panel, picture(1), 0.0)
    bus.fault = fault
    assert send(panel, picture(2), 1.0) == 1.5
    assert panel.step(1.5) == 2.5
    bus.fault, bus.commands, bus.pixels = None, [], bytearray()
    assert panel.step(2.5) is None
    assert on_glass(bus.pixels).tobytes() == picture(2).tobytes()
    assert DISPLAY_ON in bus.commands
    send(panel, picture(3), 1.5 + STEADY_S)
    [failed, back] = told
    assert str(failed).startswith("the display can't be reached (")
    assert back is None


def test_an_absent_panel_is_tried_at_longer_and_longer_times_up_to_five_seconds() -> None:
    tries: list[float] = []
    now = 0.0

    def absent() -> Any:
        tries.append(now)
        raise DeviceNotFoundError("I2C device not found: /dev/i2c-1")

    told: list[str | None] = []
    panel = Oled(absent, told.append)
    panel.show(picture(1))
    while now < 20:
        again = panel.step(now)
        assert again is not None
        assert send(panel, picture(int(now)), now + 0.01) == again
        now = again
    assert tries == [0.0, 0.5, 1.5, 3.5, 7.5, 12.5, 17.5]
    assert told == [SENTENCES["I2C device not found: /dev/i2c-1"][1]]


def test_an_equal_picture_is_sent_again_to_a_panel_that_was_gone() -> None:
    bus = I2CBus()
    panel = panel_on(bus)
    send(panel, picture(1), 0.0)
    bus.fault = OSError(121, "Remote I/O error")
    send(panel, picture(2), 1.0)
    panel.show(picture(1))
    bus.fault, bus.pixels = None, bytearray()
    panel.step(2.0)
    assert on_glass(bus.pixels).tobytes() == picture(1).tobytes()


def test_a_panel_absent_all_evening_leaves_nothing_behind() -> None:
    bus = I2CBus()
    bus.fault = OSError(121, "Remote I/O error")
    open_ = open_device(Display(), None, bus)
    for _ in range(5):
        with pytest.raises(DeviceNotFoundError):
            open_()
    gc.collect()
    assert [thing for thing in gc.get_objects() if isinstance(thing, ssd1306)] == []


def test_the_picture_stays_at_the_end_unless_asked_otherwise() -> None:
    for blank in (False, True):
        bus = I2CBus()
        panel = panel_on(bus)
        send(panel, picture(1), 0.0)
        bus.commands.clear()
        panel.close(blank=blank)
        assert (DISPLAY_OFF in bus.commands) == blank
        assert (on_glass(bus.pixels).tobytes() == picture(1).tobytes()) != blank


def test_what_waits_at_the_end_is_still_sent() -> None:
    bus = I2CBus()
    panel = panel_on(bus)
    panel.show(picture(5))
    panel.close()
    assert on_glass(bus.pixels).tobytes() == picture(5).tobytes()


# With its own thread.


class Shown(dummy):  # type: ignore[misc]
    """luma's dummy device that hands each picture on."""

    def __init__(self, see: Callable[[Image.Image], None]) -> None:
        super().__init__(width=128, height=64, mode="1")
        self._see = see

    def display(self, image: Image.Image) -> None:
        self._see(image)


def test_a_slow_panel_delays_nobody_and_gets_the_newest_picture() -> None:
    begun, go_on = Event(), Event()
    shown: SimpleQueue[Image.Image] = SimpleQueue()

    def slow(image: Image.Image) -> None:
        begun.set()
        assert go_on.wait(60)
        shown.put(image)

    panel = Oled(lambda: Shown(slow), report=lambda _: None)
    panel.start()
    panel.show(picture(0))
    assert begun.wait(60)
    for row in range(1, 60):
        panel.show(picture(row))
    go_on.set()
    assert shown.get(timeout=60).tobytes() == picture(0).tobytes()
    assert shown.get(timeout=60).tobytes() == picture(59).tobytes()
    panel.close()
    assert shown.empty()


def test_an_idle_panel_that_was_unplugged_has_its_picture_when_it_is_back() -> None:
    bus = I2CBus()
    told: SimpleQueue[str | None] = SimpleQueue()
    panel = Oled(open_device(Display(), None, bus), told.put, refresh_s=0.01, steady_s=0.0)
    panel.start()
    panel.show(picture(1))
    assert bus.shown.wait(60)
    bus.fault = OSError(121, "Remote I/O error")
    assert str(told.get(timeout=60)).startswith("the display can't be reached (")
    bus.pixels = bytearray()
    bus.fault = None
    assert told.get(timeout=60) is None
    panel.close()
    assert on_glass(bus.pixels).tobytes() == picture(1).tobytes()


def test_a_panel_with_a_stuck_bus_does_not_hold_up_the_end() -> None:
    stuck, let_go, gone = Event(), Event(), Event()

    def hang(_image: Image.Image) -> None:
        stuck.set()
        let_go.wait()
        gone.set()

    panel = Oled(lambda: Shown(hang), report=lambda _: None, join_s=0.01)
    panel.start()
    panel.show(picture(1))
    assert stuck.wait(60)
    closing = Thread(target=panel.close, daemon=True)
    closing.start()
    closing.join(60)
    ended_while_stuck = not closing.is_alive() and not gone.is_set()
    let_go.set()
    assert ended_while_stuck


def test_a_bus_that_is_stuck_from_the_end_on_does_not_hold_it_up_either() -> None:
    begun, first, let_go = Event(), Event(), Event()

    def hang(_image: Image.Image) -> None:
        gate = let_go if begun.is_set() else first
        begun.set()
        gate.wait()

    panel = Oled(lambda: Shown(hang), report=lambda _: None, join_s=0.5)
    panel.start()
    panel.show(picture(1))
    assert begun.wait(60)
    panel.show(picture(2))
    closing = Thread(target=panel.close, daemon=True)
    closing.start()
    closing.join(0.1)  # until it waits for the panel's thread, which then finds the end
    first.set()
    closing.join(60)
    held_up = closing.is_alive()
    let_go.set()
    assert not held_up


def test_another_trouble_of_the_panel_is_told_and_the_same_is_not() -> None:
    told: list[str | None] = []
    faults = iter([OSError("loose"), OSError("loose"), OSError("torn"), None])

    def opened() -> dummy:
        if (fault := next(faults)) is not None:
            raise fault
        return dummy(width=128, height=64, mode="1")

    panel = Oled(opened, report=told.append)
    panel.show(Image.new("1", SIZE))
    for now in (0.0, 10.0, 20.0, 30.0):
        panel.step(now)
    send(panel, picture(1), 20.0 + STEADY_S)
    panel.close()
    assert [text and text.partition(":")[0] for text in told] == [
        "the display can't be reached (loose)",
        "the display can't be reached (torn)",
        None,
    ]


def test_a_panel_that_fails_now_and_then_is_told_once_and_once_when_it_is_back_for_good() -> None:
    transfers = count(1)
    told: list[str | None] = []

    def loose(_image: Image.Image) -> None:
        if next(transfers) % 7 == 0 and panel_is_loose:
            raise OSError("loose")

    panel_is_loose = True
    panel = Oled(lambda: Shown(loose), told.append)
    for n in range(1000):
        send(panel, picture(n % 2), n * 1.0)
    assert told == [describe_failure(OSError("loose"))]
    panel_is_loose = False
    for n in range(1000, 2000):
        send(panel, picture(n % 2), n * 1.0)
    panel.close()
    assert told == [describe_failure(OSError("loose")), None]


# A controller that restarts. It answers as before, so no transfer fails.


class Controller:
    """The state of a display's controller, by the data sheets of SSD1306, SSD1309 and SH1106.

    shown: each picture on the glass, in order; black if it is off, without light or upside down.
    After a start its memory holds noise.
    """

    ARGUMENTS: ClassVar = {
        "ssd1306": {0x20: 1, 0x21: 2, 0x22: 2, 0x8D: 1},
        "ssd1309": {0x20: 1, 0x21: 2, 0x22: 2},
        "sh1106": {0xAD: 1},
    }
    BOTH: ClassVar = dict.fromkeys((0x81, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1)

    def __init__(self, driver: str, first_column: int) -> None:
        self._first_column = first_column
        self._arguments = self.ARGUMENTS[driver] | self.BOTH
        self._is_sh1106 = driver == "sh1106"
        self._needs_pump = driver == "ssd1306"
        self.shown: list[bytes] = []
        self._looked_at: bytes | None = None
        self.restart()

    def restart(self) -> None:
        """Lose the power for a moment."""
        self._memory = bytearray(Random(1).randbytes(8 * 132))
        self.contrast, self._is_on = 0x7F, False
        self._settings = {0x20: [2], 0x8D: [0], 0x21: [0, 127], 0x22: [0, 7]}
        self._remap, self._scan = 0xA0, 0xC0
        self._page = self._column = 0
        self._look()

    @property
    def is_lit(self) -> bool:
        has_light = not self._needs_pump or self._settings[0x8D] == [0x14]
        return self._is_on and has_light and (self._remap, self._scan) == (0xA1, 0xC8)

    def take_commands(self, data: list[int]) -> None:
        line = iter(data)
        for command in line:
            arguments = [next(line) for _ in range(self._arguments.get(command, 0))]
            self._settings[command] = arguments
            if command in (0xAE, 0xAF):
                self._is_on = command == 0xAF
            elif command in (0xA0, 0xA1):
                self._remap = command
            elif command in (0xC0, 0xC8):
                self._scan = command
            elif command == 0x81:
                (self.contrast,) = arguments
            elif command == 0x21 and self._settings[0x20] == [0]:
                self._column = arguments[0]
            elif command == 0x22 and self._settings[0x20] == [0]:
                self._page = arguments[0]
            elif 0xB0 <= command <= 0xB7:
                self._page = command - 0xB0
            elif command <= 0x0F:
                self._column = self._column & 0xF0 | command
            elif 0x10 <= command <= 0x1F:
                self._column = self._column & 0x0F | (command & 0x0F) << 4
        self._look()

    def take_pixels(self, data: list[int]) -> None:
        for byte in data:
            self._memory[132 * self._page + self._column] = byte
            self._column += 1
            if self._is_sh1106:
                self._column = min(self._column, 131)
            elif self._column > 127:
                self._column = 0
                if self._settings[0x20] == [0]:
                    self._page = (self._page + 1) % 8
        self._look()

    def _look(self) -> None:
        memory = bytes(self._memory) if self.is_lit else b""
        if memory != self._looked_at:
            rows = [memory[132 * page + self._first_column :][:128] for page in range(8)]
            self.shown.append(on_glass(bytearray().join(rows)).tobytes() if memory else BLACK)
        self._looked_at = memory


class RestartingI2C:
    """An I2C bus with a controller that answers everything, as smbus2 is called."""

    def __init__(self, controller: Controller) -> None:
        self._controller = controller

    def write_i2c_block_data(self, address: int, mode: int, data: list[int]) -> None:
        take = self._controller.take_pixels if mode == 0x40 else self._controller.take_commands
        take(data)


class RestartingSPI(SPIBus):
    """An SPI bus with a controller, as spidev is called."""

    def __init__(self, factory: Any, controller: Controller) -> None:
        super().__init__(factory)
        self._controller = controller

    def writebytes(self, data: list[int]) -> None:
        is_data = self._factory.pin(DC).state
        (self._controller.take_pixels if is_data else self._controller.take_commands)(data)


class Glass:
    """A display with a controller that can restart, and what drives it."""

    def __init__(self, driver: Any, bus: Any, column_offset: int = 2) -> None:
        factory: Any = pin_factory("mock")
        self.controller = Controller(driver, column_offset if driver == "sh1106" else 0)
        wires: Any = (
            RestartingI2C(self.controller)
            if bus == "i2c"
            else RestartingSPI(factory, self.controller)
        )
        display = Display(driver=driver, bus=bus, dc=DC, reset=None, column_offset=column_offset)
        opened = open_device(display, factory, wires)
        self.panel = Oled(opened, report=lambda trouble: pytest.fail(str(trouble)), refresh_s=5.0)

    def show(self, image: Image.Image, level: Level, now: float) -> None:
        send(self.panel, image, now, level)


@pytest.fixture(params=[(d, b) for d in Controller.ARGUMENTS for b in ("i2c", "spi")], ids="-".join)
def glass(request: pytest.FixtureRequest) -> Glass:
    return Glass(*request.param)


@pytest.mark.parametrize("column_offset", [0, 2, 4])
def test_the_glass_of_an_sh1106_may_begin_at_another_column(column_offset: int) -> None:
    glass = Glass("sh1106", "i2c", column_offset)
    glass.show(picture(1), "bright", 0.0)
    assert glass.controller.shown[-1] == picture(1).tobytes()


def test_a_panel_that_restarts_between_pictures_shows_its_picture_again(glass: Glass) -> None:
    glass.show(picture(1), "dim", 0.0)
    glass.controller.restart()
    assert glass.controller.shown[-1] == BLACK
    glass.panel.step(5.0)
    assert glass.controller.shown[-1] == picture(1).tobytes()
    assert glass.controller.contrast == DIM


def test_a_panel_that_restarts_shows_the_first_picture_after_a_pause(glass: Glass) -> None:
    glass.show(picture(1), "bright", 0.0)
    glass.controller.restart()
    glass.show(picture(2), "bright", 5.0)
    assert glass.controller.shown[-2:] == [BLACK, picture(2).tobytes()]
    assert glass.controller.contrast == BRIGHT


def test_a_panel_that_restarts_while_it_is_dark_wakes_without_noise(glass: Glass) -> None:
    glass.show(picture(1), "bright", 0.0)
    glass.show(picture(1), "dark", 1.0)
    glass.controller.restart()
    glass.panel.step(6.0)
    glass.show(picture(1), "bright", 7.0)
    assert glass.controller.shown[-2:] == [BLACK, picture(1).tobytes()]
    assert glass.controller.shown.count(picture(1).tobytes()) == 2


def test_a_panel_that_is_in_order_never_flickers(glass: Glass) -> None:
    glass.show(picture(1), "bright", 0.0)
    del glass.controller.shown[:-1]
    for now in range(1, 100):
        glass.panel.step(float(now))
    assert len(glass.controller.shown) == 1
