"""Fits texts into their places: the words beside the map, and notices over the bottom line."""

import re
from bisect import bisect_left
from dataclasses import replace

from pi_app.display.lettering import LETTER_PARTS, NOTES, WORDS, break_word, wrap
from pi_app.display.moment import FrameTime
from pi_app.model.screens import BoardScreen, Motion
from pi_app.texts.language import Language

MAX_LINES = 3  # of words beside the map
ROOM = 128 - 2 * 6  # pixels for a notice
PIECE_S = 2.0  # long enough to read a piece


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


def visible_notice(motion: Motion, moment: FrameTime, language: Language) -> str:
    """Return the notice that covers the bottom line now; "" for none.

    The devices' notices come piece by piece. After the last one, the line is free for PIECE_S.
    """
    if motion.notice:
        return language.say(motion.notice)
    shown = [*(piece for text in motion.notices for piece in split_notice(language.say(text))), ""]
    return shown[moment.turn(PIECE_S, len(shown), motion.noticed)]


def split_notice(text: str) -> list[str]:
    """Return a text in pieces that fit, broken after phrases. Only a long phrase is broken."""
    parts: list[str] = []
    for phrase in re.split("(?<=[:.,?!]) ", text):
        joined = f"{parts[-1]} {phrase}" if parts else phrase
        if parts and NOTES.width(joined) <= ROOM:
            parts[-1] = joined
        else:
            for row in wrap(NOTES, phrase, ROOM):
                parts += break_word(NOTES, row, ROOM, LETTER_PARTS)
    return parts
