"""Screens for children: larger words, one line at a time, in turn with the map.

A line is twice as large as other words: 20 pixels high, and wrapped at 62 of their pixels, which is
10 letters. A longer word, or a place with its arrow, is in twice the small font: 14 pixels high. If
that is too wide, too, it is as large as other words.
"""

from dataclasses import dataclass, replace
from warnings import warn

from PIL import Image, ImageOps

from pi_app.display import board_map
from pi_app.display.lettering import NOTES, PICTURES, WORDS, Font, Overflow, draw_text, invert, wrap
from pi_app.display.moment import FrameTime
from pi_app.model.screens import BoardScreen, KeyHint, TextScreen

WIDTH, HEIGHT = 128, 64
SIDE_LEFT = board_map.MAP + 1  # left edge of the words beside the map
SIDE_WIDTH = WIDTH - SIDE_LEFT
MARGIN = 2
TITLE = 13  # height of the bar at the top, as on a page
STRIP = HEIGHT - WORDS.height  # top of the bottom line
SCALE = 2
LINE_S = 2.0  # long enough to read a line
LEAD_LETTERS = 3  # `6:`, `+20:`, `LUC:`
ROOM = (WIDTH - 2 * MARGIN) // SCALE


@dataclass(frozen=True, slots=True)
class LargeLine:
    """A screen with one large line."""

    title: str  # in the bar at the top
    text: str
    corner: str = ""  # of that bar
    key: KeyHint[str] | None = None  # what to press, at the bottom
    hint: str = ""  # in the place of a key
    star: bool = False  # whether a star ends the bar
    lead: str = ""  # a few letters above the line that mean nothing alone, such as `6:`


def visible_part(
    screen: BoardScreen[str] | TextScreen[str], moment: FrameTime, since: float
) -> BoardScreen[str] | TextScreen[str] | LargeLine:
    """Return what a child sees now: the screen without its lines, or one of these lines.

    since: when the child began to read, in seconds.
    """
    whole: tuple[BoardScreen[str] | TextScreen[str], ...]
    if isinstance(screen, BoardScreen):  # the map with large dice or words
        words = screen.words
        if screen.dice:  # beside them is room for one line
            words = tuple(line for text in words for line in wrap(WORDS, text, SIDE_WIDTH))[:1]
        whole = (replace(screen, words=words, increments=(), lead="", note="", last=""),)
    else:  # a page only if it has more than lines
        whole = (screen,) if screen.seats or screen.large or not screen.lines else ()
    lines = [part for text in _texts(screen) for part in _parts(text)]
    turn, n = divmod(moment.steps(LINE_S, since), len(whole) + len(lines))
    if n < len(whole):
        return whole[n]
    text, lead = lines[n - len(whole)]
    key = screen.keys[(n - len(whole) + turn) % len(screen.keys)] if screen.keys else None
    if isinstance(screen, BoardScreen):
        return LargeLine(screen.heading, text, key=key, star=screen.star, lead=lead)
    chosen = f"{screen.chosen + 1}/{len(screen.lines)}" if screen.chosen is not None else ""
    return LargeLine(screen.title, text, chosen or screen.corner, key, screen.hint, lead=lead)


def _texts(screen: BoardScreen[str] | TextScreen[str]) -> tuple[str, ...]:
    if isinstance(screen, TextScreen):
        if screen.large:
            return ()
        return screen.lines if screen.chosen is None else (screen.lines[screen.chosen],)
    if not screen.keys and len(screen.words) <= 1:  # only dice: they ask nothing
        return (screen.lead, screen.note, screen.last)
    return (screen.lead, *screen.words, screen.note, screen.last)


def _parts(text: str) -> list[tuple[str, str]]:
    """Return a text in lines that fit, each with its lead; break it after a colon.

    A few letters before a colon become the lead of all that follows. More become lines of their
    own.
    """
    rows = text.splitlines()
    if len(rows) > 1:
        return [part for row in rows for part in _parts(row)]
    if WORDS.width(text) <= ROOM:
        return [(row, "") for row in rows]
    first, colon, rest = text.partition(": ")
    if colon and len(first) <= LEAD_LETTERS:
        return [(row, f"{first}:") for row, _ in _parts(rest)]
    if colon:
        return [*((row, "") for row in wrap(WORDS, f"{first}:", ROOM)), *_parts(rest)]
    return [(row, "") for row in wrap(WORDS, text, ROOM)]


def draw_line(shown: LargeLine) -> Image.Image:
    """Return the image of a large line. If they collide, the title replaces the corner."""
    image = Image.new("1", (WIDTH, HEIGHT))
    image.paste(draw_text(WORDS, shown.title), (MARGIN, 1))
    corner = WIDTH - MARGIN - NOTES.width(shown.corner)
    if MARGIN + WORDS.width(shown.title) < corner:
        image.paste(draw_text(NOTES, shown.corner), (corner, 4))
    if shown.star:
        image.paste(PICTURES["star"], (WIDTH - MARGIN - PICTURES["star"].width, 2))
    invert(image, (0, 0, WIDTH, TITLE))
    top = TITLE + (STRIP - TITLE - SCALE * WORDS.cap) // 2
    if shown.lead:
        left = (WIDTH - WORDS.width(shown.lead)) // 2
        image.paste(draw_text(WORDS, shown.lead), (left, TITLE + 1))
        top = TITLE + 1 + WORDS.cap + MARGIN  # so that no descender of the line reaches the key
    fonts = [(font, SCALE) for font in (WORDS, NOTES) if font.width(shown.text) <= ROOM]
    font, scale = (*fonts, (WORDS, 1))[0]
    if scale * font.width(shown.text) > SCALE * ROOM:
        warn(Overflow(shown.text, f"a large line, {SCALE * ROOM} pixels"), stacklevel=2)
    text = ImageOps.scale(draw_text(font, shown.text), scale, Image.Resampling.NEAREST)
    middle = top + (SCALE * WORDS.cap - scale * font.cap) // 2
    image.paste(text, ((WIDTH - text.width) // 2, middle))
    _draw_key(image, shown.key, shown.hint)
    return image


def _draw_key(image: Image.Image, key: KeyHint[str] | None, hint: str) -> None:
    """Write the key inverted, and what it does; without a key, the hint."""
    font = fitting_font(hint if key is None else f"{key.press}: {key.does}", WIDTH - 2 * MARGIN)
    top = HEIGHT - font.height
    if key is None:
        image.paste(draw_text(font, hint), (MARGIN, top))
        return
    x = MARGIN + font.width(key.press) + 2
    image.paste(draw_text(font, key.press), (MARGIN, top))
    invert(image, (MARGIN - 1, top - 1, x, HEIGHT))  # not the first column
    image.paste(draw_text(font, key.does), (x + 2, top))


def fitting_font(text: str, room: int) -> Font:
    """Return the large font if a text fits into `room` pixels, otherwise the small one."""
    return WORDS if WORDS.width(text) <= room else NOTES
