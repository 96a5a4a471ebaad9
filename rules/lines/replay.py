"""Checks a record (JSON lines or sheet): returns its final game or its first wrong line.

The forms of a record: RECORDS.md.
"""

from collections import deque
from collections.abc import Iterable
from typing import Any

from ..game import Phase
from ..position import format_position
from .jsonl import RecordError, read_lines
from .sheet import is_sheet, read_sheet


def judge(lines: Iterable[str]) -> dict[str, Any]:
    """Return where a record leads, or what is wrong with its first wrong line.

    lines: those of a record, or of its sheet. The answer is
    `{"actions": number, "position": text, "over": flag, "places": seats}`, with `"ties": [seats]`
    where seats share a place, or `{"error": sentence, "line": number}`, where lines are counted
    from 1.
    """
    text = list(lines)
    read = read_sheet(text) if is_sheet(text) else read_lines(text)
    try:
        ((actions, last),) = deque(enumerate(read), maxlen=1)
    except RecordError as error:
        return {"error": error.sentence, "line": error.line}
    game = last.record.game
    ties = {"ties": list(map(list, game.ties))} if game.ties else {}
    return {
        "actions": actions,
        "position": format_position(game.position),
        "over": game.phase is Phase.OVER,
        "places": list(game.places),
        **ties,
    }
