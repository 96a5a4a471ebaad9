"""Screens for children: larger words, one line at a time, in turn with the map. Decides nothing.

A line is twice as large as usual words, 20 pixels high, and wrapped at 62 of theirs (10 letters).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from PIL import Image, ImageChops

from pi_app.display.lettering import NOTES, WORDS, Font, draw_text, wrap
from pi_app.display.moment import FrameTime
from pi_app.display.pictures import STAR
from pi_app.screens.screen import BoardScreen, KeyHint, TextScreen

WIDTH, HEIGHT = 128, 64
MARGIN = 2
TITLE = 13  # the height of the bar on top, as on a page
STRIP = HEIGHT - WORDS.height  # top of the bottom line
SCALE = 2
LINE_S = 2.0  # each line stands long enough to read
LEAD_LETTERS = 3  # `6:`, `+20:`, `LUC:`
ROOM = (WIDTH - 2 * MARGIN) // SCALE


@dataclass(frozen=True, slots=True)
class LargeLine:
    """One line, large. title and corner: the bar on top. key: what to press, at the bottom.

    star: at the end of the bar. lead: a few letters above the line, in usual words, which say
    nothing alone: `6:`.
    """

    title: str
    text: str
    corner: str = ""
    key: KeyHint[str] | None = None
    hint: str = ""
    star: bool = False
    lead: str = ""


def visible_part(
    screen: BoardScreen[str] | TextScreen[str], moment: FrameTime, since: float
) -> BoardScreen[str] | TextScreen[str] | LargeLine:
    """Return what a child sees now: the screen without the lines that follow, or one of these.

    since: when the child began to read, in seconds.
    """
    whole = _whole_table(screen) if isinstance(screen, BoardScreen) else _whole_page(screen)
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


def _whole_table(table: BoardScreen[str]) -> tuple[BoardScreen[str], ...]:
    """Return the map with the dice, which then are large, or with the words."""
    words = table.words[:1] if table.dice else table.words
    alone = {"increments": (), "lead": "", "note": "", "last": ""}
    return (replace(table, words=words, **alone),)  # type: ignore[arg-type]


def _whole_page(page: TextScreen[str]) -> tuple[TextScreen[str], ...]:
    """Return the page itself where it is more than lines."""
    more = page.seats or page.large or not page.lines
    return (page,) if more else ()


def _texts(screen: BoardScreen[str] | TextScreen[str]) -> tuple[str, ...]:
    """Return what is to be read, line by line."""
    if isinstance(screen, TextScreen):
        if screen.large:
            return ()
        return screen.lines if screen.chosen is None else (screen.lines[screen.chosen],)
    if not screen.keys and len(screen.words) <= 1:  # dice that tumble or stand: nothing is asked
        return (screen.lead, screen.note, screen.last)
    return (screen.lead, *screen.words, screen.note, screen.last)


def _parts(text: str) -> list[tuple[str, str]]:
    """Return a text in lines, each with its lead, parted where it says whose and then what.

    A few letters before a colon are the lead of what follows; more are lines of their own.
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
    return [(row, "") for row in wrap(WORDS, text.removesuffix(" →"), ROOM)]


def draw_line(shown: LargeLine) -> Image.Image:
    """Return the image of a large line; the title goes before the corner."""
    image = Image.new("1", (WIDTH, HEIGHT))
    image.paste(draw_text(WORDS, shown.title), (MARGIN, 1))
    corner = WIDTH - MARGIN - NOTES.width(shown.corner)
    if MARGIN + WORDS.width(shown.title) < corner:
        image.paste(draw_text(NOTES, shown.corner), (corner, 4))
    if shown.star:
        image.paste(STAR, (WIDTH - MARGIN - STAR.width, 2))
    _invert(image, (0, 0, WIDTH, TITLE))
    _draw_twice(image, shown.text, _draw_lead(image, shown.lead))
    _draw_key(image, shown.key, shown.hint)
    return image


def _draw_lead(image: Image.Image, text: str) -> int:
    """Write what a line belongs to above it, in the middle; return the line's top."""
    if not text:
        return TITLE + (STRIP - TITLE - SCALE * WORDS.cap) // 2
    image.paste(draw_text(WORDS, text), ((WIDTH - WORDS.width(text)) // 2, TITLE + 1))
    return TITLE + 1 + WORDS.cap + MARGIN  # so that no tail of the line reaches the key


def _draw_twice(image: Image.Image, text: str, top: int) -> None:
    """Write a line twice as large in the middle; as usual where even one word is too long."""
    usual = draw_text(WORDS, text)
    times = SCALE if usual.width <= ROOM else 1
    size = (times * usual.width, times * usual.height)
    corner = ((WIDTH - size[0]) // 2, top + (SCALE - times) * WORDS.cap // 2)
    image.paste(usual.resize(size, Image.Resampling.NEAREST), corner)


def _draw_key(image: Image.Image, key: KeyHint[str] | None, hint: str) -> None:
    """Write the key inverted, and what it does. Without a key, write the hint."""
    font = fitting_font(hint if key is None else f"{key.press}: {key.does}", WIDTH - 2 * MARGIN)
    top = HEIGHT - font.height
    if key is None:
        image.paste(draw_text(font, hint), (MARGIN, top))
        return
    x = MARGIN + font.width(key.press) + 2
    image.paste(draw_text(font, key.press), (MARGIN, top))
    _invert(image, (MARGIN - 1, top - 1, x, HEIGHT))  # the first column is free
    image.paste(draw_text(font, key.does), (x + 2, top))


def fitting_font(text: str, room: int) -> Font:
    """Return the larger of the fonts in which a text fits."""
    return WORDS if WORDS.width(text) <= room else NOTES


def _invert(image: Image.Image, box: tuple[int, int, int, int]) -> None:
    image.paste(ImageChops.invert(image.crop(box)), box)
