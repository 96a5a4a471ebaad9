"""Draws a screen as the panel's 128x64 one-bit image. Decides nothing, touches nothing.

A text that does not fit is an `Overflow`. Room is told in pixels, and in brackets as letters of
usual text: every letter has its own width. Large is 10 pixels high, small is 7.

    Table.heading     large in 69 (11); beside two dice 45, beside one 57 (7, 9): where that is too
                      little, the seat's letter large and the rest of the heading small (7, 10)
    Table.words       3 large lines of 69 (11)
    Table.increments  one small line of 69 with 3 between two: "2 2 5 5 +20 +10"
    Table.keys, place small, 90 together (18): "OK/NEXT", "12/14"
    Table.note        small, under the words; its last line is at the bottom and may reach to the
                      left as far as `place`. 3 lines of words leave 128 (29), or 109 (24) beside
                      "2/5"; 2 leave 69 (16) more; 1 or none 69 + 69 + 69
    Page.title        large, 124 (21)
    Page.seats        four at most, two in a row; each text large in 41 (6), else small in 41 (9)
    Page.lines        wrapped at 124: large (21) where all fit so, else small (28). Without marks
                      3 large or 5 small rows (6 without hint), with one or two marks 2 or 3 (4),
                      with three or four 1 or 1 (2). Where one is `chosen` there may be more lines,
                      and those about it are shown
    Page.hint         small, 124 (28)
    notice            small, 116 (26); covers the bottom line, note or hint

Dice are large where nothing else is to be read: no increments, and one line of words at most, which
is then under them, with one line of note. `hold` inverts the bottom line from the left.
"""

from collections.abc import Iterable

from PIL import Image, ImageChops

from pi_app.display import pictures
from pi_app.display.lettering import DARK, LIT, NOTES, WORDS, Font, Overflow, line, wrapped
from pi_app.table.screen import Die, Increment, Page, Screen, SeatMark, Table
from rules.board import SEAT_LETTERS

__all__ = ["Overflow", "draw"]

WIDTH, HEIGHT = 128, 64
STRIP = HEIGHT - NOTES.height  # top of the bottom line
SIDE = pictures.MAP + 2  # left edge of the words beside the map
SIDE_WIDTH = WIDTH - SIDE
INCREMENTS_TOP = 12
WORDS_TOPS = (21, 33, 45)
KEYS_WIDTH = 90
NOTE_TOPS = (33, 41, 49, STRIP)
BIG_DICE_TOP = 14
MARGIN = 2
PAGE_WIDTH = WIDTH - 2 * MARGIN
PAGE_TOP = 16  # below the title
MARK_WIDTH = 41
NOTICE_WIDTH = WIDTH - 2 * 6


def draw(screen: Screen) -> Image.Image:
    """Return the image of a screen; Overflow where one of its texts does not fit."""
    image = Image.new("1", (WIDTH, HEIGHT))
    if isinstance(screen, Table):
        _draw_table(image, screen)
    else:
        _draw_page(image, screen)
    if screen.notice:
        _draw_notice(image, screen.notice)
    if screen.hold is not None:
        _invert(image, (0, STRIP - 1, round(WIDTH * screen.hold), HEIGHT))
    return image


def _write(
    image: Image.Image, font: Font, text: str, corner: tuple[int, int], room: int, where: str
) -> None:
    if font.width(text) > room:
        raise Overflow(text, f"{where}, {room} pixels")
    image.paste(line(font, text), corner)


def _invert(image: Image.Image, box: tuple[int, int, int, int]) -> None:
    if box[2] > box[0]:
        image.paste(ImageChops.invert(image.crop(box)), box)


def _draw_notice(image: Image.Image, text: str) -> None:
    """Write the notice over the bottom line, in the middle of a bar."""
    image.paste(LIT, (0, STRIP, WIDTH, HEIGHT))
    width = NOTES.width(text)
    x = (WIDTH - width) // 2
    image.paste(DARK, (x - 3, STRIP - 1, x + width + 3, HEIGHT))
    _write(image, NOTES, text, (x, STRIP), NOTICE_WIDTH, "the notice")


def _draw_table(image: Image.Image, table: Table) -> None:
    image.paste(pictures.board_map(table.board), (0, 0))
    if table.dice and not table.increments and len(table.words) <= 1:
        _draw_large_dice(image, table)
    else:
        room = SIDE_WIDTH - _draw_small_dice(image, table.dice)
        _draw_heading(image, table, room)
        _draw_increments(image, table.increments)
        _draw_words(image, table.words, WORDS_TOPS)
        words_end = WORDS_TOPS[0] + WORDS.height * len(table.words)
        _draw_note(image, table, [top for top in NOTE_TOPS if top >= words_end])
    _draw_keys(image, table)


def _draw_large_dice(image: Image.Image, table: Table) -> None:
    gap = 5
    width = pictures.die_width(pictures.BIG)
    x = SIDE + (SIDE_WIDTH - len(table.dice) * (width + gap) + gap) // 2
    for die in table.dice:
        image.paste(pictures.die(die, pictures.BIG), (x, BIG_DICE_TOP))
        x += width + gap
    _draw_heading(image, table, SIDE_WIDTH)
    _draw_words(image, table.words, WORDS_TOPS[2:])
    _draw_note(image, table, [STRIP])


def _draw_small_dice(image: Image.Image, dice: tuple[Die, ...]) -> int:
    """Draw the dice at the right end of the heading; return how much of its width they take."""
    width = pictures.die_width(pictures.SMALL) + 2
    for n, die in enumerate(reversed(dice), start=1):
        image.paste(pictures.die(die, pictures.SMALL), (WIDTH + 2 - n * width, 0))
    return len(dice) * width


def _draw_heading(image: Image.Image, table: Table, room: int) -> None:
    """Write the heading large, or, where that is too wide, the seat's letter large."""
    x, rest, font, top = SIDE, table.heading, WORDS, 0
    if WORDS.width(rest) > room:
        font, top = NOTES, WORDS.cap - NOTES.cap
        letter, _, after = rest.partition(" ")
        if letter == SEAT_LETTERS[table.seat]:
            image.paste(line(WORDS, letter), (x, 0))
            x, rest = x + WORDS.width(letter) + 3, after
    _write(image, font, rest, (x, top), room - (x - SIDE), "the heading")


def _draw_increments(image: Image.Image, increments: tuple[Increment, ...]) -> None:
    x = SIDE
    for increment in increments:
        end = x + NOTES.width(increment.text) + 2
        if end > WIDTH:
            raise Overflow(increment.text, "what is left of the increments' line")
        _draw_increment(image, increment, x, end)
        x = end + 1


def _draw_increment(image: Image.Image, increment: Increment, start: int, end: int) -> None:
    image.paste(line(NOTES, increment.text), (start + 1, INCREMENTS_TOP))
    if increment.state == "spent":
        image.paste(LIT, (start, INCREMENTS_TOP + 3, end, INCREMENTS_TOP + 4))
    elif increment.state == "chosen":
        _invert(image, (start, INCREMENTS_TOP - 1, end, INCREMENTS_TOP + NOTES.height + 1))


def _draw_words(image: Image.Image, words: tuple[str, ...], tops: tuple[int, ...]) -> None:
    if len(words) > len(tops):
        raise Overflow(words[-1], f"the words, {len(tops)} lines")
    for text, top in zip(words, tops, strict=False):
        _write(image, WORDS, text, (SIDE, top), SIDE_WIDTH, "a line of words")


def _draw_note(image: Image.Image, table: Table, tops: list[int]) -> None:
    """Write the note; its line at the bottom may reach to the left under the map."""
    start = _keys_end(table)
    rooms = [SIDE_WIDTH] * (len(tops) - 1) + [WIDTH - start]
    for text, top in zip(wrapped(NOTES, table.note, rooms, "the note"), tops, strict=False):
        x = min(SIDE, WIDTH - NOTES.width(text))
        image.paste(line(NOTES, text), (max(start, x) if top == STRIP else x, top))


def _draw_keys(image: Image.Image, table: Table) -> None:
    """Write what to press, inverted, and beside it the place among the choices."""
    x = NOTES.width(table.keys) + 3 if table.keys else 0
    _write(image, NOTES, table.keys, (1, STRIP), KEYS_WIDTH, "the keys")
    _invert(image, (0, STRIP - 1, x - 1, HEIGHT))
    _write(image, NOTES, table.place, (x + 1, STRIP), KEYS_WIDTH - x, "the place among the choices")


def _keys_end(table: Table) -> int:
    """Return where the keys and the place end, with a gap; 0 where there are none."""
    return sum(NOTES.width(text) + 4 for text in (table.keys, table.place) if text)


def _draw_page(image: Image.Image, page: Page) -> None:
    _write(image, WORDS, page.title, (MARGIN, 1), PAGE_WIDTH, "the title")
    _invert(image, (0, 0, WIDTH, PAGE_TOP - 3))
    _draw_marks(image, page.seats)
    top = PAGE_TOP + (WORDS.height + 1) * ((len(page.seats) + 1) // 2)
    _draw_lines(image, page, top, STRIP - 1 if page.hint else HEIGHT)
    _write(image, NOTES, page.hint, (MARGIN, STRIP), PAGE_WIDTH, "the hint")


def _draw_marks(image: Image.Image, marks: Iterable[SeatMark]) -> None:
    for n, mark in enumerate(marks):
        x, y = MARGIN + n % 2 * WIDTH // 2, PAGE_TOP + n // 2 * (WORDS.height + 1)
        image.paste(pictures.glyph(mark.seat, 3), (x, y))
        image.paste(line(WORDS, SEAT_LETTERS[mark.seat]), (x + 11, y))
        font = WORDS if WORDS.width(mark.text) <= MARK_WIDTH else NOTES
        corner = (x + 21, y + WORDS.cap - font.cap)
        _write(image, font, mark.text, corner, MARK_WIDTH, "a seat's text")


def _draw_lines(image: Image.Image, page: Page, top: int, bottom: int) -> None:
    """Write the lines, large where they all fit so; otherwise small."""
    try:
        _set_lines(image, page, WORDS, top, bottom)
    except Overflow:
        _set_lines(image, page, NOTES, top, bottom)


def _set_lines(image: Image.Image, page: Page, font: Font, top: int, bottom: int) -> None:
    pitch = font.height + 1
    rows = (bottom - top) // pitch
    lines = [wrapped(font, text, [PAGE_WIDTH] * rows, "a line of the page") for text in page.lines]
    for text, chosen in _shown(lines, page.chosen, rows):
        image.paste(line(font, text), (MARGIN, top))
        top += pitch
        if chosen:
            _invert(image, (0, top - pitch - 1, WIDTH, top - 1))


def _shown(lines: list[list[str]], chosen: int | None, rows: int) -> list[tuple[str, bool]]:
    """Return the rows to show, the chosen ones marked: all, or as many as fit about the chosen."""
    first = 0
    if chosen is not None:
        first = max(0, chosen - 1)
        if len(lines[first]) + len(lines[chosen]) > rows:
            first = chosen
        while first > 0 and sum(map(len, lines[first - 1 :])) <= rows:
            first -= 1
    elif sum(map(len, lines)) > rows:
        raise Overflow(lines[-1][-1], f"the page, {rows} lines")
    shown = [(row, n == chosen) for n, parts in enumerate(lines) if n >= first for row in parts]
    return shown[:rows]
