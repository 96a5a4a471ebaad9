"""An evening of a club: tables as they are at one moment. No test is in here."""

from typing import Any

from pi_app.club.tables import Tables
from tests.pi_app.club.test_tables import JOINING, PLAYING, bytes_of, heard

POSITIONS = (
    "54,24,18,0/r5,28,16,10/H,57,N,N/57,10,9,0",
    "H,H,r3,12/N,N,N,40/33,20,H,H/5,5,N,60",
    "N,N,N,N/3,N,N,N/H,H,H,N/14,22,N,N",
)
EDITIONS = ("royal-2023", "parchis", "sr-1942")
NAMES = ("Ann", "Ben", "Cat", "Dominique", "Zoë", "Maximilian")


def playing(n: int, **more: Any) -> dict[str, Any]:
    """Return the state of a table that plays."""
    names = {letter: NAMES[(n + m) % len(NAMES)] for m, letter in enumerate("abcd")}
    where = {"position": POSITIONS[n % 3], "edition": EDITIONS[n % 3]}
    return (
        PLAYING | {"seat": n % 4, "phase": ("move", "throw")[n % 2], "names": names} | where | more
    )


def evening(count: int = 12) -> Tables:
    """Return so many tables. 4: has a winner, 5: awaits players, 6: is away, 7: sends nonsense."""
    states = [playing(n) for n in range(1, count + 1)]
    states[3] |= {"phase": "over", "winners": [2], "places": [2], "running": False}
    states[4] = JOINING | {"seats": [0, 2]}
    messages = []
    for n, state in enumerate(states, 1):
        payload = b"[]" if n == 7 else bytes_of(state)
        messages += [(f"table-{n}", "state", payload), (f"table-{n}", "availability", b"online")]
    messages.append(("table-6", "availability", b"offline"))
    return heard(*messages, now=[0] * len(messages))
