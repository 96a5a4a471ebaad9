"""Fits the words beside the map: in several lines, or small if those are too many."""

from bisect import bisect_left
from dataclasses import replace

from pi_app.display.lettering import WORDS, wrap
from pi_app.model.screens import BoardScreen

MAX_LINES = 3


def fit_words(table: BoardScreen[str], room: int) -> BoardScreen[str]:
    """Return a table whose words fit into lines of `room` pixels.

    One phrase that is too wide, or has a line break, becomes several lines. If these are too many,
    or one is still too wide, the words become the beginning of the note.
    """
    if len(table.words) != 1:
        return table
    (words,) = table.words
    fewest = len(wrap(WORDS, words, room))
    # The narrowest room in which the lines do not become more: no letter is alone.
    narrow = bisect_left(range(room), -fewest, key=lambda width: -len(wrap(WORDS, words, width)))
    lines = wrap(WORDS, words, narrow)
    limit = MAX_LINES - bool(table.increments and table.lead)
    if len(lines) <= limit and max(map(WORDS.width, lines), default=0) <= room:
        return replace(table, words=tuple(lines))
    return replace(table, words=(), note="\n".join(filter(None, (words, table.note))))
