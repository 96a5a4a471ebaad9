"""Draws a screen as the panel's 128x64 one-bit image. Decides nothing, touches nothing."""

from PIL import Image, ImageChops

from pi_app import pictures
from pi_app.lettering import DARK, LIT, NOTES, WORDS, Font, Overflow, line, wrapped
from pi_app.screen import Increment, Page, Screen, SeatMark, Table
from rules.board import SEAT_LETTERS

__all__ = ["Overflow", "draw"]

WIDTH, HEIGHT = 128, 64
SIDE = 59  # the words' column beside the map
SIDE_WIDTH = WIDTH - SIDE
STRIP = HEIGHT - NOTES.height  # the bottom line of text
ROWS = (21, 33, 45)  # tops of the words
NOTE_ROWS = (25, 33, 41, 49, STRIP)


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
        _invert(image, (0, STRIP - 1, round(WIDTH * min(screen.hold, 1)), HEIGHT))
    return image


def _write(
    image: Image.Image, font: Font, text: str, x: int, y: int, room: int, where: str
) -> None:
    if font.width(text) > room:
        raise Overflow(text, f"{where}, {room} pixels")
    image.paste(line(font, text), (x, y))


def _invert(image: Image.Image, box: tuple[int, int, int, int]) -> None:
    if box[2] > box[0]:
        image.paste(ImageChops.invert(image.crop(box)), box)


def _draw_notice(image: Image.Image, text: str) -> None:
    image.paste(DARK, (0, STRIP - 1, WIDTH, HEIGHT))
    _write(image, NOTES, text, 2, STRIP, WIDTH - 4, "the notice")
    _invert(image, (0, STRIP - 1, WIDTH, HEIGHT))


def _draw_table(image: Image.Image, table: Table) -> None:
    image.paste(pictures.board_map(table.board), (0, 0))
    _draw_heading(image, table)
    _draw_increments(image, table)
    if len(table.words) > len(ROWS):
        raise Overflow(table.words[-1], f"the words, {len(ROWS)} lines")
    for text, y in zip(table.words, ROWS, strict=False):
        _write(image, WORDS, text, SIDE, y, SIDE_WIDTH, "a line of words")
    _write(image, NOTES, table.place, 0, STRIP, SIDE, "the place among the choices")
    _draw_note(image, table, ROWS[0] + 12 * len(table.words))


def _draw_heading(image: Image.Image, table: Table) -> None:
    room = SIDE_WIDTH
    for shown in reversed(table.dice):
        room -= pictures.die_width(pictures.SMALL)
        image.paste(pictures.die(shown, pictures.SMALL), (SIDE + room, 0))
        room -= 2
    letter, _, rest = table.heading.partition(" ")
    if WORDS.width(table.heading) <= room or letter != SEAT_LETTERS[table.seat]:
        _write(image, WORDS, table.heading, SIDE, 0, room, "the heading")
    else:
        _write(image, WORDS, letter, SIDE, 0, room, "the heading")
        after = WORDS.width(letter) + 3
        _write(image, NOTES, rest, SIDE + after, 3, room - after, "the heading")


def _draw_increments(image: Image.Image, table: Table) -> None:
    y, x = 12, SIDE
    for increment in table.increments:
        width = NOTES.width(increment.text)
        if x + width + 2 > WIDTH:
            raise Overflow(increment.text, "the increments")
        _draw_increment(image, increment, x, y, width)
        x += width + 3


def _draw_increment(image: Image.Image, this: Increment, x: int, y: int, width: int) -> None:
    image.paste(line(NOTES, this.text), (x + 1, y))
    if this.state == "spent":
        image.paste(LIT, (x, y + 3, x + width + 2, y + 4))
    if this.state == "chosen":
        _invert(image, (x, y - 1, x + width + 2, y + 8))


def _draw_note(image: Image.Image, table: Table, top: int) -> None:
    """Write the note under the words; its line in the bottom strip may reach under the map."""
    rows = [y for y in NOTE_ROWS if y >= top]
    strip = WIDTH - (NOTES.width(table.place) + 4 if table.place else 0)
    rooms = [SIDE_WIDTH] * (len(rows) - 1) + [strip]
    for text, y in zip(wrapped(NOTES, table.note, rooms, "the note"), rows, strict=False):
        image.paste(line(NOTES, text), (min(SIDE, WIDTH - NOTES.width(text)), y))


def _draw_page(image: Image.Image, page: Page) -> None:
    _write(image, WORDS, page.title, 2, 1, WIDTH - 4, "the title")
    _invert(image, (0, 0, WIDTH, 13))
    _write(image, NOTES, page.hint, 0, STRIP, WIDTH, "the hint")
    y = _draw_marks(image, page.seats, 15)
    _draw_lines(image, page, y)


def _draw_marks(image: Image.Image, marks: tuple[SeatMark, ...], top: int) -> int:
    for n, mark in enumerate(marks):
        x, y = WIDTH // 2 * (n % 2), top + 13 * (n // 2)
        image.paste(pictures.glyph(mark.seat, 3), (x, y))
        image.paste(line(WORDS, SEAT_LETTERS[mark.seat]), (x + 12, y))
        font, dy = (WORDS, 0) if WORDS.width(mark.text) <= 42 else (NOTES, 3)
        _write(image, font, mark.text, x + 21, y + dy, 42, "a seat's text")
    return top + 13 * ((len(marks) + 1) // 2)


def _draw_lines(image: Image.Image, page: Page, top: int) -> None:
    bottom = STRIP - 1 if page.hint else HEIGHT
    big = (bottom - top) // 13
    fits = all(WORDS.width(text) <= WIDTH - 4 for text in page.lines)
    if fits and len(page.lines) <= big:
        for n, text in enumerate(page.lines):
            image.paste(line(WORDS, text), (2, top + 13 * n))
            if n == page.chosen:
                _invert(image, (0, top + 13 * n - 1, WIDTH, top + 13 * n + 12))
        return
    y = top
    for n, text in enumerate(page.lines):
        start = y
        for part in wrapped(NOTES, text, [WIDTH - 4] * 5, "a line"):
            if y + 7 > bottom:
                raise Overflow(text, "the page")
            image.paste(line(NOTES, part), (2, y))
            y += 8
        if n == page.chosen:
            _invert(image, (0, start - 1, WIDTH, y))
