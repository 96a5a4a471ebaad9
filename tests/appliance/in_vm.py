"""What is tried inside the virtual machine, at its first and its second start. Prints what held.

Python's own library alone; `tests/appliance/vm.py` puts it there and reads what it prints.
"""

import base64
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

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
PINS = {"A.ok": 17, "C.ok": 16, "dome": 23, "power": 4}
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


def pin(button: str, level: int) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.sendto(f"{PINS[button]} {level}".encode(), str(METAL / "pins"))


def press(button: str, seconds: float = 0.2) -> None:
    pin(button, 0)
    time.sleep(seconds)
    pin(button, 1)
    time.sleep(1.0)


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
    wait_for(
        "a picture", lambda: (METAL / "panel").exists() and (METAL / "panel").stat().st_size > 0
    )
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
    def die() -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.sendto(b"die", str(METAL / "pins"))

    restarted("pins that report nothing", die, lambda: None)


def is_kept_away() -> None:
    """A pin that somebody has is tried again; once it is free, the game goes on by itself."""
    before, busy = unit("StatusText"), METAL / "busy 17"
    busy.touch()
    sh("systemctl", "reset-failed", "referee.service")
    sh("systemctl", "restart", "--no-block", "referee.service")
    wait_for("an end", lambda: unit("ExecMainStatus") == "1")
    assert "pin 17 can't be used" in unit("StatusText"), unit("StatusText")
    say("picture", f"wrong-pins {base64.b64encode((METAL / 'panel').read_bytes()).decode()}")
    busy.unlink()
    wait_for("READY", active)
    assert unit("StatusText") == before
    say("ok", "pins that somebody has: said, tried again, and the same game once they are free")


def stops() -> None:
    began = time.monotonic()
    sh("systemctl", "stop", "referee.service")
    took = time.monotonic() - began
    assert unit("Result") == "success"
    assert (METAL / "panel").read_bytes() == b""
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
    *(
        starts,
        plays,
        is_asked_here,
        is_looked_on,
        is_backed_up,
        is_restored,
        loses_its_page,
        is_not_woken,
    ),
    *(is_killed, hangs, goes_deaf, is_kept_away, stops, stale_requests, switches_off),
)
SECOND = (comes_back,)


def main(names: list[str]) -> None:
    """Try all steps of this start, or those of the first start that are named."""
    asked = tuple(step for step in FIRST if step.__name__ in names)
    try:
        for step in SECOND if GAME.exists() else asked or FIRST:
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
