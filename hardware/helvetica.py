"""How wide Helvetica's letters are, and so where a line of them must end.

The widths are in thousandths of the type's size. They are those of Adobe's font metrics.
"""

import re
from itertools import chain
from unicodedata import normalize

REGULAR = {
    **dict.fromkeys("'", 191),
    **dict.fromkeys("ijl‘’", 222),
    **dict.fromkeys("|", 260),
    **dict.fromkeys(" !,./:;I[\\]ft·íìîïÍÌÎÏ", 278),
    **dict.fromkeys("()-`r¡„“”", 333),
    **dict.fromkeys("{}", 334),
    **dict.fromkeys('"', 355),
    **dict.fromkeys("º", 365),
    **dict.fromkeys("ª", 370),
    **dict.fromkeys("*", 389),
    **dict.fromkeys("^", 469),
    **dict.fromkeys("Jcksvxyz", 500),
    **dict.fromkeys("#$0123456789?L_abdeghnopqu«»–", 556),
    **dict.fromkeys("+<=>~×", 584),
    **dict.fromkeys("FTZ¿ßø", 611),
    **dict.fromkeys("&ABEKPSVXY", 667),
    **dict.fromkeys("CDHNRUw", 722),
    **dict.fromkeys("GOQØ", 778),
    **dict.fromkeys("Mm", 833),
    **dict.fromkeys("%æ", 889),
    **dict.fromkeys("Wœ", 944),
    **dict.fromkeys("—…ŒÆ", 1000),
    **dict.fromkeys("@", 1015),
}
BOLD = {
    **dict.fromkeys("'", 238),
    **dict.fromkeys(" ,./I\\ijl‘’·íìîïÍÌÎÏ", 278),
    **dict.fromkeys("|", 280),
    **dict.fromkeys("!()-:;[]`ft¡", 333),
    **dict.fromkeys("º", 365),
    **dict.fromkeys("ª", 370),
    **dict.fromkeys("*r{}", 389),
    **dict.fromkeys('"', 474),
    **dict.fromkeys("z„“”", 500),
    **dict.fromkeys("#$0123456789J_aceksvxy«»–", 556),
    **dict.fromkeys("+<=>^~×", 584),
    **dict.fromkeys("?FLTZbdghnopqu¿ßø", 611),
    **dict.fromkeys("EPSVXY", 667),
    **dict.fromkeys("&ABCDHKNRU", 722),
    **dict.fromkeys("GOQwØ", 778),
    **dict.fromkeys("M", 833),
    **dict.fromkeys("%mæ", 889),
    **dict.fromkeys("Wœ", 944),
    **dict.fromkeys("@", 975),
    **dict.fromkeys("—…ŒÆ", 1000),
}
NARROW = "\u202f"  # the space before a French `:` in the catalogs; the type has only the wide one
# The spaces at which a line may end: not those of French before `:` and inside quotation marks.
BREAK = re.compile("(?<!«) (?![:;?!»])")


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return the width of a text in mm. size: the type's height in mm.

    Raises ValueError for a letter whose width is not known.
    """
    widths = BOLD if bold else REGULAR
    shown = text.replace(NARROW, " ")
    letters = [letter if letter in widths else normalize("NFD", letter)[0] for letter in shown]
    if unknown := set(letters) - set(widths):
        raise ValueError(
            f"add the width of {min(unknown)} in hardware/helvetica.py; it is in: {text}"
        )
    return sum(widths[letter] for letter in letters) * size / 1000


def wrap_text(text: str, size: float, width: float, bold: bool = False) -> list[str]:
    """Return the lines of a text, each at most `width` mm wide unless one word is wider.

    A line of the text begins a new line.
    """
    return list(chain.from_iterable(_wrap_line(one, size, width, bold) for one in text.split("\n")))


def _wrap_line(text: str, size: float, width: float, bold: bool) -> list[str]:
    lines = [""]
    for word in BREAK.split(text):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and text_width(longer, size, bold) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
