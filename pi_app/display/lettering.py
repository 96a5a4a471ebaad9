"""The two bitmap fonts, lines of text as one-bit pictures, and the pictures of `pictures.txt`.

A font is a text file in `pi_app/display/font`. Below each line of characters are their glyphs, side
by side; `#` is a lit pixel. Each glyph has its own width, and a dark pixel separates two. Spaces
have names there. Below each line of names in `pictures.txt` are their pictures in the same way.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from warnings import warn

from PIL import Image, ImageChops, ImageOps

GAP = 1
SPACES = {"space": " ", "narrow": "\u202f"}  # the narrow one never breaks: French has it before ":"
LIT, DARK = 255, 0
ADDRESS_PARTS, LETTER_PARTS = r"[.:/-]?[^.:/-]+|[.:/-]", "."  # patterns of a word's parts


class Overflow(UserWarning):
    """The warning that a text does not fit and is cut.

    text: the whole text. room: a description of the place. At the table, the rest is drawn and
    the log has the warning once. In tests it is an error.
    """

    def __init__(self, text: str, room: str) -> None:
        super().__init__(f"{text!r} does not fit into {room}: shorten it")
        self.text = text
        self.room = room


@dataclass(frozen=True, eq=False)
class Font:
    """A font. cap: the height of capitals and digits. height: that of a line. In pixels."""

    name: str
    cap: int
    height: int
    glyphs: dict[str, Image.Image]

    def width(self, text: str) -> int:
        return _width(self, text)

    def glyph(self, char: str) -> Image.Image:
        """Return a character's picture; that of "?" if the font lacks the character."""
        return self.glyphs.get(char, self.glyphs["?"])


def draw_text(font: Font, text: str) -> Image.Image:
    """Return one line of text. Do not change the image: it is cached."""
    for char in text:
        if char not in font.glyphs:
            warn(Overflow(text, f"font {font.name!r}, which has no {char!r}"), stacklevel=2)
    return _draw_cached(font, text)


def draw_enlarged(text: str, scale: int) -> Image.Image:
    """Return a line in the large font, each pixel enlarged to `scale` pixels."""
    return ImageOps.scale(draw_text(WORDS, text), scale, Image.Resampling.NEAREST)


def invert(image: Image.Image, box: tuple[int, int, int, int]) -> None:
    if box[2] > box[0]:
        image.paste(ImageChops.invert(image.crop(box)), box)


@lru_cache(maxsize=1024)
def _width(font: Font, text: str) -> int:
    return sum(font.glyph(char).width + GAP for char in text) - GAP if text else 0


@lru_cache(maxsize=1024)
def _draw_cached(font: Font, text: str) -> Image.Image:
    image = Image.new("1", (font.width(text), font.height))
    x = 0
    for char in text:
        image.paste(font.glyph(char), (x, 0))
        x += font.glyph(char).width + GAP
    return image


def wrap(font: Font, text: str, room: int) -> list[str]:
    """Return `text` broken at spaces into lines of at most `room` pixels.

    A newline in the text also begins a new line. A word that is too wide has a line of its own. A
    narrow space is a part of its word.
    """
    lines: list[str] = []
    for paragraph in text.splitlines():
        first = len(lines)
        for word in re.findall("[^ ]+", paragraph):
            joined = f"{lines[-1]} {word}" if len(lines) > first else word
            if len(lines) > first and font.width(joined) <= room:
                lines[-1] = joined
            else:
                lines.append(word)
    return lines


def break_word(font: Font, word: str, room: int, parts: str = ADDRESS_PARTS) -> list[str]:
    """Return a word broken into lines of at most `room` pixels, between the matches of `parts`.

    A part that is too wide is broken anywhere. By default a line breaks before `.`, `:` and `-`: at
    its end they would look like a full stop or a hyphen.
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


def _load_pictures(file: str) -> dict[str, Image.Image]:
    """Return the pictures of a file by name, as one-bit images."""
    text = (files("pi_app.display") / file).read_text(encoding="utf-8")
    pictures = {}
    for band in text.strip().split("\n\n"):
        names, *rows = band.split("\n")
        columns = zip(*(row.split() for row in rows), strict=True)
        for name, column in zip(names.split(), columns, strict=True):
            image = Image.new("1", (len(column[0]), len(column)))
            image.putdata([LIT if pixel == "#" else DARK for row in column for pixel in row])
            pictures[SPACES.get(name, name)] = image
    return pictures


def _load_font(name: str, cap: int) -> Font:
    glyphs = _load_pictures(f"font/{name}.txt")
    return Font(name, cap, glyphs[" "].height, glyphs)


PICTURES = _load_pictures("pictures.txt")
WORDS = _load_font("words", cap=10)
NOTES = _load_font("notes", cap=7)
