"""What is tried inside the virtual machine, at its first and its second start. Prints what held.

Python's own library and `pico.py` alone; `tests/appliance/vm.py` puts both there and reads what
this prints.
"""

import base64
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import IO, Any

from firmware.chamber import led_mask
from tests.appliance.pico import LASTING_PORT, Pico

STATE = Path("/var/lib/pachisi-referee")
METAL = STATE / "metal"
RUN = Path("/run/pachisi-referee")
PAGE = "pachisi-referee-page.socket"
LOCAL = "pachisi-referee-local.socket"
GROUP = "pachisi-referee-mqtt"
ASKS = """
import socket
line = socket.socket(socket.AF_UNIX)
line.connect("/run/pachisi-referee-local/socket")
line.sendall(b"GET /state.json HTTP/1.0\\r\\nHost: table\\r\\n\\r\\n")
print(line.makefile().read())
"""
SERVER = "pi_app.web.watching"
PINS = {"A.ok": 17, "A.next": 27, "C.ok": 16, "dome": 23, "power": 4}
LAMPS = (22, 21)  # of A and C
CONFIG = Path("/etc/pachisi-referee/referee.toml")
# What a contact does when it closes, and for how long it stays closed; it opens in the same way.
# Whether it may be missed: a machine that stands still for a moment may not see a short tap at all.
BOUNCES = ("a contact that bounces", (0, 1, 0, 1, 0), 0.2, False)
TAP = ("a tap of 4 ms", (0,), 0.004, True)
BOUNCING_S = 0.01  # half of the time for which a contact may bounce
TRIES = 10
TAKES_PIN = """
import sys, time
sys.path.insert(0, "/usr/lib/pachisi-referee")
import lgpio
lgpio.gpio_claim_input(lgpio.gpiochip_open(0), int(sys.argv[1]))
print("taken", flush=True)
time.sleep(1000)
"""
SLOW_S = 240.0  # a machine that is made up is some thirty times slower than a real one
GAME = Path("/var/lib/appliance-game")  # how the game stood before the power went


def say(word: str, what: str) -> None:
    print(f"appliance: {word} {what}", flush=True)


def sh(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def unit(name: str, of: str = "referee.service") -> str:
    """Return a property of a unit."""
    return sh("systemctl", "show", of, f"--property={name}", "--value")


def wait_for(what: str, holds: Callable[[], bool], seconds: float = SLOW_S) -> None:
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not come within {seconds:g} s")
        time.sleep(0.1)


def active() -> bool:
    return unit("ActiveState") == "active"


class StandIn:
    """The pins of tests/end_to_end/metal/lgpio.py, with faults that a kernel can't be given."""

    only = ("hangs", "goes_deaf")

    def say(self, word: str) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.sendto(word.encode(), str(METAL / "pins"))

    def move(self, pin: int, level: int) -> None:
        self.say(f"{pin} {level}")

    @contextmanager
    def taken(self, pin: int) -> Iterator[None]:
        """Let another program have a pin in this block."""
        busy = METAL / f"busy {pin}"
        busy.touch()
        yield
        busy.unlink()


class KernelPins:
    """The pins of the kernel's gpio-sim, from the side of what is wired to them."""

    only = (
        *("is_plugged_in", "lights_a_lamp", "bounces", "is_unplugged", "has_its_own_dice"),
        "uses_rpi_lgpio",
    )

    def __init__(self) -> None:
        [self.chip] = Path("/sys/devices/platform/gpio-sim.0").glob("gpiochip*/")

    def move(self, pin: int, level: int) -> None:
        self.file(pin, "pull").write_text("pull-up" if level else "pull-down")

    def file(self, pin: int, name: str) -> Path:
        return self.chip / f"sim_gpio{pin}" / name

    def level(self, pin: int) -> int:
        return int(self.file(pin, "value").read_text())

    @contextmanager
    def taken(self, pin: int) -> Iterator[None]:
        """Let another program have a pin in this block."""
        command = [sys.executable, "-c", TAKES_PIN, str(pin)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd="/run") as other:
            assert other.stdout is not None
            assert other.stdout.readline() == "taken\n"
            yield
            other.kill()


pins = KernelPins() if Path("/srv/pins").exists() else StandIn()


def pin(button: str, level: int) -> None:
    pins.move(PINS[button], level)


def press(button: str, seconds: float = 0.2) -> None:
    pin(button, 0)
    time.sleep(seconds)
    pin(button, 1)
    time.sleep(1.0)


def picture() -> bytes:
    """Return what the panel shows."""
    return (METAL / "panel").read_bytes()


def heading() -> bytes:
    """Return the upper 16 rows of the picture: a menu has "2 of 6" there."""
    return picture()[:256]


def told(host: str = "127.0.0.1") -> str:
    """Return what spectators are told first, "" where nobody answers, else the status."""
    try:
        with closing(HTTPConnection("127.0.0.1", 80, timeout=SLOW_S)) as line:
            line.request("GET", "/stream", headers={"Host": host})
            answer = line.getresponse()
            return answer.readline().decode() if answer.status == 200 else str(answer.status)
    except ConnectionError:
        return ""


def shown_as_it_stands() -> bool:
    """Whether spectators are told of the turn that systemd is told of."""
    _, _, turn = unit("StatusText").partition(", turn ")
    return turn != "" and f', turn {turn}"' in told()


def told_here(group: str = GROUP) -> str:
    """Return what a program of a group gets, "" if it may not ask or nobody answers."""
    command = [sys.executable, "-c", ASKS]
    nobody: dict[str, Any] = {"user": "nobody", "group": group, "extra_groups": []}
    done = subprocess.run(command, **nobody, capture_output=True, text=True, check=False)
    return str(done.stdout)


def is_shown_here() -> bool:
    """Whether programs are told of the turn that systemd is told of."""
    _, _, turn = unit("StatusText").partition(", turn ")
    return turn != "" and f', turn {turn}"' in told_here()


def restarted(what: str, harm: Callable[[], object], mend: Callable[[], object]) -> None:
    """Do harm; the table must come back in the same game, in another process."""
    before, process = unit("StatusText"), unit("MainPID")
    restarts = int(unit("NRestarts"))
    harm()
    began = time.monotonic()
    wait_for(f"a restart after {what}", lambda: unit("MainPID") not in (process, "0"))
    mend()
    wait_for(f"READY after {what}", active)
    assert int(unit("NRestarts")) == restarts + 1
    assert unit("StatusText") == before, f"{unit('StatusText')} after {what}, {before} before"
    wait_for(f"the page after {what}", shown_as_it_stands)
    wait_for(f"the state for programs after {what}", is_shown_here)
    say("ok", f"{what}: the same game again after {time.monotonic() - began:.1f} s")
    sh("systemctl", "reset-failed", "referee.service")  # for the limit of starts


def starts() -> None:
    wait_for("READY", active)
    assert unit("StatusText") == "players join", unit("StatusText")
    assert unit("User") == "pachisi-referee"
    wait_for("a picture", lambda: (METAL / "panel").exists() and picture() != b"")
    mode = f"{STATE.stat().st_mode & 0o777:o} {(STATE / 'journal.db').stat().st_mode & 0o777:o}"
    assert mode == "750 640", mode
    say("ok", f"start: READY {float(sh('cat', '/proc/uptime').split()[0]):.0f} s after the kernel")
    say("note", sh("systemd-analyze", "security", "referee.service").splitlines()[-1])


def plays() -> None:
    press("A.ok")
    press("C.ok")
    press("A.ok", 1.5)
    for _ in range(20):
        if " turn " in unit("StatusText"):
            break
        press("dome")
        time.sleep(3.0)
    assert " turn 1" in unit("StatusText"), unit("StatusText")
    say("ok", f"play: {unit('StatusText')}")


def lights_a_lamp() -> None:
    """The lamp of the seat that throws is lit, the other one is dark."""
    assert isinstance(pins, KernelPins)
    lamps = pins
    wait_for("a lit lamp", lambda: any(map(lamps.level, LAMPS)))
    levels = {tuple(map(lamps.level, LAMPS)) for _ in range(1000)}
    assert levels in ({(1, 0)}, {(0, 1)}), levels
    say("ok", f"lamps of A and C: {levels}")


def bounces() -> None:
    presses_once(BOUNCES, TAP)


def presses_once(*contacts: tuple[str, Sequence[int], float, bool]) -> None:
    """Whatever a contact does, NEXT goes on by one line: seen in a menu that goes round.

    If the machine stood still while a contact bounced, that may have been several presses, so it is
    tried again.
    """
    assert isinstance(pins, KernelPins)
    lines = open_menu()
    with pins.file(PINS["A.next"], "pull").open("wb", buffering=0) as pull:
        for what, levels, closed_s, may_be_missed in contacts:
            for _ in range(TRIES):
                place = lines.index(heading())
                closing_s = toggle(pull, levels)
                time.sleep(closed_s)
                opening_s = toggle(pull, [1 - level for level in levels])
                shown = lines.index(next_heading(lines[place]))
                is_missed = may_be_missed and shown == place
                if max(closing_s, opening_s) < BOUNCING_S and not is_missed:
                    break
            else:
                raise AssertionError(f"{what}: missed, or too slow, {TRIES} times")
            assert shown == (place + 1) % len(lines), f"{what}: from line {place} to {shown}"
            say("ok", f"{what}: one press of NEXT")
    press("A.next", 1.5)  # closes it


def open_menu() -> list[bytes]:
    """Open the menu, go once round, and return the heading of each line."""
    before = heading()
    press("A.next", 1.5)
    lines = [next_heading(before)]
    while len(lines) < 20:
        press("A.next")
        if (line := next_heading(lines[-1])) == lines[0]:
            break
        lines.append(line)
    return lines


def next_heading(before: bytes) -> bytes:
    """Return the heading a second after it has changed, or as it is after five seconds."""
    with suppress(AssertionError):
        wait_for("another heading", lambda: heading() != before, 5.0)
    time.sleep(1.0)
    return heading()


def toggle(pull: IO[bytes], levels: Sequence[int]) -> float:
    """Give a pin these levels, one after the other; return how long it took."""
    began = time.monotonic()
    for level in levels:
        pull.write(b"pull-up" if level else b"pull-down")
    return time.monotonic() - began


def is_plugged_in() -> None:
    """While the players join the chamber comes and goes: before it has heard a word, and after."""
    process = unit("MainPID")
    for what, told in (
        ("greets", b"$HI 1 "),
        ("sends its wishes", b"$MODE "),
        ("again", b"$MODE "),
    ):
        pico = Pico(hears=told != b"$HI 1 ")
        wait_for(f"a table that {what}", lambda: told in pico.heard)  # noqa: B023
        pico.unplug()
        wait_for("the port's end", lambda: not LASTING_PORT.exists())
    assert (unit("MainPID"), unit("StatusText")) == (process, "players join")
    say("ok", "a chamber that is unplugged while the players join, before a word and after")


def throws() -> list[tuple[str, str | None]]:
    """Return the action of each row with a throw, and the chamber whose dome was pressed."""
    with closing(sqlite3.connect(f"file:{STATE}/journal.db?mode=ro", uri=True)) as journal:
        query = "SELECT action, boot FROM rows WHERE action LIKE 'throw %' ORDER BY game, n"
        return journal.execute(query).fetchall()


def arm(pico: Pico) -> None:
    """Confirm whatever there is until somebody may throw."""
    for _ in range(60):
        for button in ("A.ok", "C.ok"):
            if pico.is_armed:
                return
            press(button)
    raise AssertionError(f"nobody may throw: {unit('StatusText')}")


def throw(pico: Pico) -> None:
    """Press the dome, and wait for the throw's row."""
    before = throws()
    pico.down = True
    wait_for("a throw", lambda: throws() != before)
    pico.down = False
    assert len(throws()) == len(before) + 1
    assert throws()[-1][1] == pico.boot


def throw_deaf(pico: Pico) -> None:
    """Throw with a chamber that never hears that its press is recorded."""
    pico.hears = False
    throw(pico)


def press_too_late(pico: Pico) -> None:
    """Press the dome while the table's process stands still; it goes on after the pull."""
    process = int(unit("MainPID"))
    os.kill(process, signal.SIGSTOP)
    pico.down = True
    wait_for("a press on its way", lambda: pico.link.presses > 0)
    pico.unplug()
    os.kill(process, signal.SIGCONT)


def shows_throw(pico: Pico) -> bool:
    """Whether the dice show the journal's last throw."""
    return pico.lights == led_mask(tuple(map(int, throws()[-1][0].split()[1:])))


def is_unplugged() -> None:
    """Whenever the chamber is unplugged, no throw is lost or counted twice; the game goes on."""
    pico = Pico()
    for when, happens, thrown, comes_back in UNPLUGGED:
        arm(pico)
        before = len(throws())
        happens(pico)
        pico.unplug()
        began, pico = time.monotonic(), Pico()
        wait_for("all as before", lambda: comes_back(pico))  # noqa: B023
        assert len(throws()) == before + thrown
        say("ok", f"unplugged {when}: all as before after {time.monotonic() - began:.1f} s")
    arm(pico)
    throw(pico)
    wait_for("the throw on the dice", lambda: shows_throw(pico))
    arm(pico)
    pico.unplug()
    assert "Traceback" not in sh("journalctl", "--unit=referee", "--output=cat")


# When the chamber is unplugged, the number of throws that then count, and how it is back.
UNPLUGGED: tuple[tuple[str, Callable[[Pico], object], int, Callable[[Pico], bool]], ...] = (
    ("with its dome lit", lambda pico: None, 0, lambda pico: pico.is_armed),
    ("while the dice shake", throw, 1, shows_throw),
    ("before it hears that its press is recorded", throw_deaf, 1, shows_throw),
    ("before the table hears its press", press_too_late, 0, lambda pico: pico.is_armed),
)


@contextmanager
def configured(old: str, new: str) -> Iterator[None]:
    """Let the table play on with another configuration in this block."""
    text, before = CONFIG.read_text(), unit("StatusText")
    for now in (text.replace(old, new), text):
        CONFIG.write_text(now)
        sh("systemctl", "reset-failed", "referee.service")
        sh("systemctl", "restart", "referee.service")
        wait_for("READY", active)
        if now != text:
            assert unit("StatusText") == before
            yield


def has_its_own_dice() -> None:
    """A chamber that throws itself is unplugged in the same moments."""
    with configured("[chamber]", '[chamber]\ndice_from = "chamber"'):
        is_unplugged()
        assert throws()[-1][0] == "throw 6 6"


def uses_rpi_lgpio() -> None:
    with configured("[settings]", '[pins]\nfactory = "rpigpio"\n[settings]'):
        presses_once(BOUNCES)  # it does not tell when an edge was, so a short tap can be lost


def turn_page(how: str) -> None:
    """Ask for it as the table does; it must come back with the same game, in another process."""
    before, process = unit("StatusText"), unit("MainPID")
    (RUN / f"page-{how}").touch()
    wait_for("a restart", lambda: unit("MainPID") not in (process, "0"))
    wait_for(f"READY with the page {how}", active)
    assert unit("StatusText") == before


def is_asked_here() -> None:
    """Programs get the table once their socket is enabled, without the page, and of one group."""
    assert (sh("systemctl", "is-enabled", LOCAL), told_here()) == ("disabled", "")
    sh("systemctl", "enable", LOCAL)
    sh("systemctl", "restart", "referee.service")
    wait_for("READY", active)
    wait_for("the state for programs", is_shown_here)
    assert (told_here("nogroup"), told()) == ("", "")
    say("ok", "programs of their group get the table, without the page")


def is_looked_on() -> None:
    """The page is off until it is asked for; then it comes and goes with the table."""
    assert sh("systemctl", "is-enabled", PAGE) == "disabled"
    assert told() == ""
    turn_page("on")
    wait_for("the page", shown_as_it_stands)
    assert told(f"{socket.gethostname()}.local").startswith("data: ")
    assert told("evil.example") == "421"
    wait_for("the state for programs, beside the page", is_shown_here)
    nets = [Path(f"/proc/{pid}/ns/net").readlink() for pid in ("self", unit("MainPID"))]
    assert nets[0] != nets[1], "the table is in the net"
    say("ok", "watching: by name and by address, by no other name, and the table is in no net")
    say("note", sh("systemd-analyze", "security", "referee.service").splitlines()[-1])


def is_backed_up() -> None:
    """The stick gets the game; nobody but its unit has mounted it, and it is not mounted after."""
    began = time.monotonic()
    (RUN / "backup").touch()
    wait_for("an answer", (RUN / "answer").exists)
    assert (RUN / "answer").read_text() == "done 1", (RUN / "answer").read_text()
    assert "/dev/sda" not in sh("cat", "/proc/self/mounts")
    sh("mount", "-o", "ro", "/dev/sda1", "/mnt")
    kept = {path.name for path in Path("/mnt/pachisi-referee").iterdir()}
    assert kept >= {"about.txt", "journal.db", "report.tar.gz"}, kept
    sh("umount", "/mnt")
    say("ok", f"backup: one game on the stick after {time.monotonic() - began:.0f} s")
    say("note", sh("systemd-analyze", "security", "referee-request@backup").splitlines()[-1])


def is_restored() -> None:
    """A card without games takes those of the stick, once; then it has games, which stay."""
    before = unit("StatusText")
    sh("systemctl", "stop", "referee.service")
    for path in STATE.glob("journal.*"):
        path.unlink()
    sh("systemctl", "start", "referee.service")
    wait_for("READY without a game", active)
    assert unit("StatusText") == "players join"
    process = unit("MainPID")
    (RUN / "restore").touch()
    wait_for("a restart", lambda: unit("MainPID") not in (process, "0"))
    wait_for("READY with the game", active)
    assert unit("StatusText") == before, unit("StatusText")
    journal = (STATE / "journal.db").stat()
    assert (journal.st_uid, journal.st_mode & 0o777) == (STATE.stat().st_uid, 0o640)
    process = unit("MainPID")
    (RUN / "restore").touch()
    wait_for("an answer", (RUN / "answer").exists)
    assert ((RUN / "answer").read_text().strip(), unit("MainPID")) == ("not-restored 0", process)
    say("ok", "restore: the game is there again, and is not replaced")


def loses_its_page() -> None:
    table, server = unit("MainPID"), sh("pgrep", "--full", SERVER)
    os.kill(int(server), 9)
    wait_for("another server", lambda: sh("pgrep", "--full", SERVER) not in ("", server))
    wait_for("its page", shown_as_it_stands)
    assert unit("MainPID") == table
    say("ok", "the page's server is killed: another one, the same table")


def is_not_woken() -> None:
    """A table that was stopped is not started by spectators."""
    sh("systemctl", "reset-failed", "referee.service")  # for the limit of starts
    sh("systemctl", "stop", "referee.service")
    assert (told(), told_here()) == ("", "")
    time.sleep(5.0)
    assert not active()
    sh("systemctl", "start", "referee.service")
    wait_for("READY", active)
    wait_for("the page", shown_as_it_stands)
    wait_for("the state for programs", is_shown_here)
    say("ok", "a table that was stopped: nobody answers, and nothing starts it; then all is back")


def hangs() -> None:
    hang = METAL / "hang"
    restarted("a loop that hangs", hang.touch, hang.unlink)
    log = sh("journalctl", "--unit=referee", "--output=cat")
    assert "Watchdog timeout" in log
    assert "most recent call first" in log  # where it hung


def is_killed() -> None:
    restarted("a kill", lambda: os.kill(int(unit("MainPID")), 9), lambda: None)


def goes_deaf() -> None:
    assert isinstance(pins, StandIn)
    stand_in = pins
    restarted("pins that report nothing", lambda: stand_in.say("die"), lambda: None)


def is_kept_away() -> None:
    """A pin that somebody has is tried again; once it is free, the game goes on by itself."""
    before = unit("StatusText")
    sh("systemctl", "reset-failed", "referee.service")
    sh("systemctl", "stop", "referee.service")
    with pins.taken(PINS["A.ok"]):
        sh("systemctl", "start", "--no-block", "referee.service")
        wait_for("an end", lambda: unit("ExecMainStatus") == "1")
        assert "pin 17 can't be used" in unit("StatusText"), unit("StatusText")
        say("picture", f"wrong-pins {base64.b64encode(picture()).decode()}")
    wait_for("READY", active)
    assert unit("StatusText") == before
    say("ok", "pins that somebody has: said, tried again, and the same game once they are free")


def stops() -> None:
    began = time.monotonic()
    sh("systemctl", "stop", "referee.service")
    took = time.monotonic() - began
    assert unit("Result") == "success"
    assert picture() == b""
    assert not (STATE / "journal.db-wal").exists()
    assert not RUN.exists()
    sh("systemctl", "start", "referee.service")
    wait_for("READY", active)
    say("ok", f"stop: log folded in, panel dark, within {took:.1f} s")


def stale_requests() -> None:
    """A request that is left over is gone with the next start, and without one nothing goes off."""
    sh("systemctl", "stop", "referee-request@power-off.path")
    (RUN / "power-off").touch()
    sh("systemctl", "stop", "referee.service")
    sh("systemctl", "start", "referee.service")  # the path unit, too
    wait_for("READY", active)
    assert not (RUN / "power-off").exists()
    assert unit("ActiveState", "referee-request@power-off.path") == "active"
    sh("systemctl", "start", "referee-request@power-off.service")
    assert unit("ActiveState", "referee-request@power-off.service") == "failed"
    time.sleep(5.0)
    assert sh("systemctl", "is-system-running") in ("running", "degraded")
    sh("systemctl", "reset-failed", "referee-request@power-off.service")
    say("ok", "a stale request: gone with the next start; without a request nothing goes off")


def switches_off() -> None:
    GAME.write_text(unit("StatusText"))
    sh("sync")
    Path("/run/metal").mkdir()  # where the last picture is drawn
    say("ok", "the power button is held")
    pin("power", 0)
    time.sleep(SLOW_S)
    raise AssertionError("it was not switched off")


def comes_back() -> None:
    wait_for("READY", active)
    assert unit("StatusText") == GAME.read_text(), unit("StatusText")
    time.sleep(10.0)
    assert sh("systemctl", "is-system-running") in ("running", "degraded", "starting")
    wait_for("the page", shown_as_it_stands)
    turn_page("off")
    assert (sh("systemctl", "is-enabled", PAGE), told()) == ("disabled", "")
    wait_for("the state for programs, without the page", is_shown_here)
    say("ok", f"the next day: {unit('StatusText')}, and nothing goes off by itself")
    Path("/run/metal").mkdir()
    sh("systemctl", "poweroff")


FIRST = (
    *(starts, is_plugged_in, plays, lights_a_lamp, bounces, is_unplugged, has_its_own_dice),
    *(uses_rpi_lgpio, is_asked_here, is_looked_on, is_backed_up, is_restored, loses_its_page),
    *(is_not_woken, is_killed, hangs, goes_deaf, is_kept_away, stops, stale_requests),
    switches_off,
)
SECOND = (comes_back,)


def main(names: list[str]) -> None:
    """Try all steps of this start, or those of the first start that are named."""
    others = (StandIn if isinstance(pins, KernelPins) else KernelPins).only
    first = [step for step in FIRST if step.__name__ in names or not names]
    try:
        for step in SECOND if GAME.exists() else first:
            if step.__name__ in others:
                continue
            say("trying", step.__name__)
            step()
    except Exception as error:
        say("FAILED", f"{error!r}")
        print(sh("systemctl", "status", "--full", "referee.service"))
        print(sh("journalctl", "--boot", "--lines=60", "--no-pager"))
        sys.stdout.flush()
        sh("systemctl", "poweroff", "--force", "--force")


if __name__ == "__main__":
    main(sys.argv[1:])
