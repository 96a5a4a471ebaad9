"""The notice that covers the bottom line, in pieces if it is long."""

import re

from pi_app.display.lettering import LETTER_PARTS, NOTES, break_word, wrap
from pi_app.display.moment import FrameTime
from pi_app.model.screens import Motion
from pi_app.texts.language import Language

ROOM = 128 - 2 * 6  # pixels
PIECE_S = 2.0  # long enough to read a piece


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
