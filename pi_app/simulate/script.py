"""Parses scripts of timed presses."""

from dataclasses import dataclass

from pi_app.model.errors import UserError
from pi_app.simulate.hands import BUTTONS
from rules.errors import brief

FORMAT = """\
Each line has a time, a button and, for a hold, the length of the hold. All are in seconds:

    0.5   A.ok         # seat A taps OK half a second after the start
    +0.3  C.ok         # seat C taps OK 0.3 s after the last press began
    +1    A.ok   1.2   # seat A holds OK for 1.2 s
    +2    dome
    +30   end          # no more presses; the table runs until then

The buttons are A.ok to D.ok, A.next to D.next, and dome. A # starts a comment.
"""

TAP_S = 0.1
MAX_SECONDS = 1_000_000.0


class ScriptError(UserError):
    """A line of a script can't be used. The text has the line and the reason."""


@dataclass(frozen=True, slots=True)
class ScriptedPress:
    """A press of `button` at the time `at_s`, for `hold_s` seconds. Without a button: only wait."""

    at_s: float
    button: str | None
    hold_s: float = TAP_S


def parse_script(text: str) -> tuple[ScriptedPress, ...]:
    """Return the presses of a script, in order. Raises ScriptError at the first wrong line."""
    presses: list[ScriptedPress] = []
    last = 0.0
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            press = _parse_press(words, last)
        except ValueError as error:
            raise ScriptError(brief(f"line {number}, {line.strip()!r}: {error}")) from None
        last = press.at_s
        presses.append(press)
    return tuple(presses)


def _parse_press(words: list[str], last: float) -> ScriptedPress:
    if not 2 <= len(words) <= 3:
        raise ValueError(
            "write a time, a button and, for a hold, its length in seconds, such as 1.5 A.ok 1.2"
        )
    t = _parse_seconds(words[0]) + (last if words[0].startswith("+") else 0.0)
    if t < last:
        raise ValueError(f"{t:g} s is before the line above, {last:g} s")
    if words[1] == "end":
        return ScriptedPress(t, None)
    if words[1] not in BUTTONS:
        raise ValueError(f"{words[1]!r} is not a button: write one of {', '.join(BUTTONS)} or end")
    return ScriptedPress(t, words[1], _parse_seconds(words[2]) if len(words) == 3 else TAP_S)


def _parse_seconds(word: str) -> float:
    try:
        seconds = float(word)
    except ValueError:
        raise ValueError(f"{word!r} is not a number of seconds") from None
    if not 0 <= seconds <= MAX_SECONDS:
        raise ValueError(f"{word} s is not between 0 and {MAX_SECONDS:g}")
    return seconds
