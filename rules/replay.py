"""A record judged, in either form: where it leads, or its first line that can't be. Keeps nothing.

The forms of a record: RECORDS.md.
"""

from collections import deque
from collections.abc import Iterable
from typing import Any

from .game import Game, Phase
from .jsonl import RecordError, read_lines
from .position import format_position
from .sheet import is_sheet, read_sheet


def judge(lines: Iterable[str]) -> dict[str, Any]:
    """Return where a record leads, or what is wrong with its first line that can't be.

    Either `{"actions": n, "position": text, "over": flag, "places": seats}`, or
    `{"error": sentence, "line": number}`, counted from 1. The lines are those of either form.
    """
    text = list(lines)
    read = read_sheet(text) if is_sheet(text) else read_lines(text)
    try:
        ((actions, last),) = deque(enumerate(read), maxlen=1)
    except RecordError as error:
        return {"error": error.sentence, "line": error.line}
    return _verdict(last.record.game, actions)


def _verdict(game: Game, actions: int) -> dict[str, Any]:
    return {
        "actions": actions,
        "position": format_position(game.position),
        "over": game.phase is Phase.OVER,
        "places": list(game.places),
    }
