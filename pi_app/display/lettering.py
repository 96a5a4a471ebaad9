"""Our two bitmap fonts and lines of text as one-bit pictures. Nothing about screens.

A font is a text file in `pi_app/display/font`: bands of glyphs side by side, each under a line that
names its characters; `#` is a lit pixel. Glyphs have their own widths, one dark pixel between two.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from warnings import warn

from PIL import Image

Bitmap = tuple[str, ...]  # rows of '#' and '.'
GAP = 1
LIT, DARK = 255, 0
ADDRESS_PARTS, LETTER_PARTS = r"[.:-]?[^.:-]+|[.:-]", "."  # parts of a word


class Overflow(UserWarning):
    """A text that is cut since it does not fit; `text` and `room` say which, and into what.

    A warning: at the table the rest is drawn all the same, and it is told once; the tests make an
    error of it.
    """

    def __init__(self, text: str, room: str) -> None:
        super().__init__(f"{text!r} does not fit into {room}: shorten it")
        self.text = text
        self.room = room


@dataclass(frozen=True, eq=False)
class Font:
    """A font; `cap` is the height of capitals and digits, `height` that of a line, in pixels."""

    name: str
    cap: int
    height: int
    glyphs: dict[str, Image.Image]

    def width(self, text: str) -> int:
        """Return the width of a line in pixels."""
        return sum(self.glyph(char).width + GAP for char in text) - GAP if text else 0

    def glyph(self, char: str) -> Image.Image:
        """Return a character's picture, that of "?" where the font has none."""
        return self.glyphs.get(char, self.glyphs["?"])


def parse_picture(rows: Bitmap) -> Image.Image:
    """Return rows of '#' and '.' as a one-bit image."""
    image = Image.new("1", (len(rows[0]), len(rows)))
    image.putdata([LIT if pixel == "#" else DARK for row in rows for pixel in row])
    return image


def draw_text(font: Font, text: str) -> Image.Image:
    """Return one line of text; not to be changed, since it is kept."""
    for char in text:
        if char not in font.glyphs:
            warn(Overflow(text, f"font {font.name!r}, which has no {char!r}"), stacklevel=2)
    return _line(font, text)


@lru_cache(maxsize=1024)
def _line(font: Font, text: str) -> Image.Image:
    image = Image.new("1", (font.width(text), font.height))
    x = 0
    for char in text:
        image.paste(font.glyph(char), (x, 0))
        x += font.glyph(char).width + GAP
    return image


def wrap(font: Font, text: str, room: int) -> list[str]:
    """Return `text` broken at spaces into lines that fit into `room` pixels.

    A newline in the text always begins a new line. A word that is wider has a line of its own.
    """
    lines: list[str] = []
    for paragraph in text.splitlines():
        begun = len(lines)
        for word in paragraph.split():
            joined = f"{lines[-1]} {word}" if len(lines) > begun else word
            if len(lines) > begun and font.width(joined) <= room:
                lines[-1] = joined
            else:
                lines.append(word)
    return lines


def break_word(font: Font, word: str, room: int, parts: str = ADDRESS_PARTS) -> list[str]:
    """Return a word in lines of `room` pixels, parted as `parts` matches it, if need be anywhere.

    By default before `.`, `:` and `-`: at the end of a line they would be a full stop or hyphen.
    """
    lines: list[str] = []
    for part in re.findall(parts, word):
        if lines and font.width(lines[-1] + part) <= room:
            lines[-1] += part
        else:
            lines.append("")
            for char in part:
                if font.width(lines[-1] + char) > room:
                    lines.append("")
                lines[-1] += char
    return lines


def _glyphs(text: str) -> dict[str, Image.Image]:
    glyphs = {}
    for band in text.strip().split("\n\n"):
        names, *rows = band.split("\n")
        columns = zip(*(row.split() for row in rows), strict=True)
        for name, column in zip(names.split(), columns, strict=True):
            glyphs[" " if name == "space" else name] = parse_picture(column)
    return glyphs


def _font(name: str, cap: int) -> Font:
    glyphs = _glyphs((files("pi_app.display") / "font" / f"{name}.txt").read_text(encoding="utf-8"))
    return Font(name, cap, glyphs[" "].height, glyphs)


WORDS = _font("words", cap=10)
NOTES = _font("notes", cap=7)
