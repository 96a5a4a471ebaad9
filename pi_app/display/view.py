"""Draws a screen, with its movements, as the display's one-bit image of 128 by 64 pixels.

A text that does not fit is cut, with the warning `Overflow`. Widths are in pixels, and in brackets
about how many letters fit. Large letters are 10 pixels high, small ones 7.

    BoardScreen.heading     large in 66 (11); beside two dice 42, beside one 54 (7, 9). If that is
                            too little, the seat's letter is large and the rest small (7, 10)
    BoardScreen.increments  one small line of 66, with 3 between two: "2 2 5 5 +20 +10"
    BoardScreen.lead        one small line of 66 (15), above the words
    BoardScreen.words       3 large lines of 66 (11); with increments and a lead 2. One line is
                            wrapped; if it needs more lines than there are, it is small, above the
                            note
    BoardScreen.keys        small, 65 (15), at the bottom beside the board; several take turns
    BoardScreen.note, last  small, 66 a line (15), under the words: 1 to 4 lines, by what is above
                            them. What does not fit above the keys takes turns with them, the note
                            in at most 14 lines
    TextScreen.title        large, 124 (21), less what `corner` takes
    TextScreen.seats        at most four, two in a row; each text large in 41 (6), or small in 41
                            (9)
    TextScreen.lines        wrapped at 124: large (21) if all fit, otherwise small (28). Without
                            marks 3 large or 5 small rows (6 without a hint), with one or two marks
                            2 or 3 (4), with three or four 1 or 1 (2); more lines than small rows
                            beside marks take turns. If one is `chosen`, there may
                            be more lines: those around it are shown, with an arrow at the right if
                            there are more, and its number in the title's corner: "2 of 5" or "2/5"
    TextScreen.hint, keys   small, 124 (28)
    TextScreen.large        in the middle, capitals 30 pixels high, 41 wide at normal size (7)
    Curve                   title 102 (17), then the seat of the line; keys 124; between them 42
                            pixels, 127 wide
    QrScreen                the code 64 wide; beside it lead and key small, 60 (13), between them
                            the text in 3 large lines of 60 (10) or 5 small ones, with a second
                            address in small ones
    Podium                  title large 124 (21); beside the cup at most four marks, two in a row,
                            text in 30 (4, small 6), and under them one small line of 101 (22); keys
                            small, 124. During the celebration, the title and 50 pixels of confetti
    Motion.notice           small, 116 (26); covers the bottom line, the note or the hint

Dice are large if there is nothing else to read than one line of words; it is then under them, above
the key. A hold inverts the bottom line from the left.
"""

from dataclasses import replace
from typing import NamedTuple
from warnings import warn

from PIL import Image

from pi_app.display import board_map, celebration, codes, curves, fitting, large, pictures
from pi_app.display.large import HEIGHT, WIDTH
from pi_app.display.lettering import (
    ADDRESS_PARTS,
    DARK,
    GAP,
    LETTER_PARTS,
    LIT,
    NOTES,
    PICTURES,
    WORDS,
    Font,
    Overflow,
    break_word,
    draw_enlarged,
    draw_text,
    invert,
    wrap,
)
from pi_app.display.moment import FrameTime
from pi_app.model.screens import (
    STILL,
    Bar,
    BoardScreen,
    Curve,
    Die,
    Increment,
    KeyHint,
    Message,
    Motion,
    Pattern,
    Podium,
    QrScreen,
    Screen,
    Seat,
    SeatMark,
    Shells,
    ShownThrow,
    TextScreen,
    WordedScreen,
)
from pi_app.texts.language import ENGLISH, Language
from pi_app.texts.wording import word_screen
from pi_app.texts.words import keys_line, position_in_list, side_words
from rules.board import SEAT_LETTERS

STRIP = HEIGHT - NOTES.height  # top of the bottom line
SIDE_LEFT, SIDE_WIDTH = large.SIDE_LEFT, large.SIDE_WIDTH
KEYS_LEFT = SIDE_LEFT - 2  # the map's frame has nothing beside the bottom line
INCREMENTS_TOP = 12  # the chosen one's ground begins a row above, clear of the heading
LEAD_TOP = 12  # without increments: three lines of words fit under it
WORDS_TOP = 21  # under the increments
PLAIN_TOP = 13  # of words directly under the heading
NOTE_TOPS = (32, 40, 48, STRIP)
NOTE_LINES = 14  # twelve pawns that one captures by passing, and how far it goes back
BIG_DICE_TOP = 14
MARGIN = 2
PAGE_WIDTH = WIDTH - 2 * MARGIN
PAGE_TOP = 16  # below the title
MENU_ROWS = 3  # large lines between a title and a hint
ARROW_WIDTH, ARROW_HEIGHT = 7, 4  # it shows that there are more lines
MARK_WIDTH = 41
MARK_TEXT_LEFT = 20  # left edge of a seat's text beside its glyph and letter
MARK_HEIGHT = WORDS.height + 1
CODE_TEXT_LEFT = codes.SIDE + 4  # beside a code; inverted ground begins 2 before
CODE_TOP = 12
SHAPE_LEFT = 106  # left edge of a seat's shape and letter at the end of the top bar
CUP_CORNER = (MARGIN, 21)
ENLARGED_SCALE = 3
PODIUM_LEFT = 27  # left edge of the marks beside the cup
PODIUM_COLUMN = (WIDTH - PODIUM_LEFT) // 2
# How long, in seconds, each step of a movement lasts.
BLINK_S = 0.5  # lit, and dark
BEAT_S = 2.0  # each of several panes or keys
SEAT_S = 3.0  # each seat's curve
CHEER_S = 0.2  # each frame; a display on I2C needs 23 ms for one
TUMBLE_S = 0.1  # each face of a tumbling die
TUMBLING_FACES = (6, 2, 5, 3, 1, 4)
BAR_AFTER_S = 0.2  # a click shows no bar
BAR_STEP_S = 0.1


class Frame(NamedTuple):
    """A screen's image, and the time until which it is valid; None for ever."""

    image: Image.Image
    until: float | None


def draw(content: Screen, language: Language = ENGLISH) -> Image.Image:
    """Return the image of a screen when it comes up. Warns with an Overflow as `frame` does."""
    return frame(content, STILL, STILL.since, language).image


def frame(content: Screen, motion: Motion, t: float, language: Language = ENGLISH) -> Frame:
    """Return a screen's image at the time `t`, and until when it is valid.

    t: seconds, by the clock of `motion`. motion: what moves on the screen. language: of the words.
    Warns with an Overflow if one of its texts does not fit.
    """
    moment, screen = FrameTime(t, motion.since), word_screen(content, language)
    shown: WordedScreen | large.LargeLine = screen
    if motion.read_since is not None and isinstance(screen, BoardScreen | TextScreen):
        shown = large.visible_part(screen, moment, motion.read_since)
    if isinstance(shown, large.LargeLine):
        image = large.draw_line(shown)
    elif isinstance(content, BoardScreen) and isinstance(shown, BoardScreen):
        heading, short_heading = content.heading, ""
        if isinstance(heading, Message) and heading.slots == (("seat", Seat(content.seat)),):
            short_heading = language.say(replace(heading, slots=(("seat", ""),))).strip()
        image = _draw_table(shown, moment, short_heading)
    else:
        image = _draw_other(shown, moment, language)
    top = large.STRIP if isinstance(shown, large.LargeLine) else STRIP
    if notice := fitting.visible_notice(motion, moment, language):
        _draw_notice(image, notice, top)
    if motion.bar is not None:
        invert(image, (0, top - 1, _bar_width(motion.bar, t, moment), HEIGHT))
    return Frame(image, moment.until)


def _bar_width(bar: Bar, t: float, moment: FrameTime) -> int:
    """Return the width of a hold's bar at the time `t`, in pixels."""
    if t - bar.since < BAR_AFTER_S - 1e-6:
        moment.note(bar.since + BAR_AFTER_S)
        return 0
    if t < bar.until:
        moment.steps(BAR_STEP_S, bar.since)
    return round(WIDTH * min(1.0, (t - bar.since) / (bar.until - bar.since)))


def _draw_other(screen: WordedScreen, moment: FrameTime, language: Language) -> Image.Image:
    image = Image.new("1", (WIDTH, HEIGHT))
    keys = language.say(keys_line(getattr(screen, "keys", ())))
    match screen:
        case TextScreen():
            _draw_page(image, screen, screen.hint or keys, moment, language)
        case Podium():
            _draw_podium(image, screen, keys, moment)
        case Curve():
            seats = curves.seats_with_chances(screen.chances, screen.partners)
            if seats:  # they take turns
                seat = seats[moment.turn(SEAT_S, len(seats))]
                line = curves.draw_curve(screen.chances, screen.turns, seat)
                if screen.partners:
                    side = draw_text(WORDS, language.say(side_words((seat, seat + 2))))
                    image.paste(side, (WIDTH - MARGIN - side.width, 1))
                else:
                    image.paste(pictures.glyph(seat, 3), (SHAPE_LEFT, 2))
                    image.paste(draw_text(WORDS, SEAT_LETTERS[seat]), (SHAPE_LEFT + 12, 1))
                image.paste(line, (1, PAGE_TOP - 2))
            _draw_title(image, screen.title, room=SHAPE_LEFT - 2 * MARGIN)
            _draw_keys(image, keys)
        case QrScreen():
            _draw_code(image, screen)
        case Pattern():
            image.paste(pictures.draw_pattern(screen.picture, image.size))
    return image


def shift_left(image: Image.Image) -> Image.Image:
    """Return an image moved left by one pixel. The last column is repeated, to keep bars whole.

    A screen at rest loses nothing: its first column is dark, or part of a bar over the whole width.
    """
    shifted = image.copy()
    shifted.paste(image, (-1, 0))
    return shifted


def _write(
    image: Image.Image, font: Font, text: str, corner: tuple[int, int], room: int, where: str
) -> None:
    """Write one line from `corner`, cut to `room` pixels. where: names the place in a warning.

    It leaves the descenders of a line above that reach into it.
    """
    drawn = draw_text(font, text)
    if drawn.width > room:
        warn(Overflow(text, f"{where}, {room} pixels"), stacklevel=2)
        drawn = drawn.crop((0, 0, max(0, room), font.height))
    image.paste(LIT, corner, drawn)


def _invert_small(image: Image.Image, start: int, end: int, top: int) -> None:
    """Invert a small text from `start` to `end`, with the row above: else "OK" would read "UK"."""
    invert(image, (start, top, end, top + NOTES.height))
    image.paste(LIT, (start, top - 1, end, top))


def _draw_notice(image: Image.Image, text: str, top: int) -> None:
    """Write the notice over the bottom line, in the middle of a bar; large if there is room."""
    font = NOTES if top == STRIP else large.fitting_font(text, fitting.ROOM)
    image.paste(DARK, (0, top - 1, WIDTH, top))
    image.paste(LIT, (0, top, WIDTH, HEIGHT))
    width = min(font.width(text), fitting.ROOM)
    x = (WIDTH - width) // 2
    image.paste(DARK, (x - 3, top, x + width + 3, HEIGHT))
    _write(image, font, text, (x, HEIGHT - font.height), fitting.ROOM, "the notice")


def _draw_table(table: BoardScreen[str], moment: FrameTime, short_heading: str) -> Image.Image:
    """Return the image of a table. short_heading: without its seat's letter; "" for none."""
    image = Image.new("1", (WIDTH, HEIGHT))
    moves = not table.board.still or board_map.pawns_take_turns(table.board)
    beat = moment.steps(BLINK_S) if moves else 0
    image.paste(board_map.draw_board(table.board, beat), (0, 0))
    if table.star:
        image.paste(PICTURES["star"], (WIDTH - PICTURES["star"].width, 0))
    texts = (table.increments, table.lead, table.note, table.last)
    if table.dice and not any(texts) and len(table.words) <= 1:
        _draw_large_dice(image, table, moment)
        return image
    table = fitting.fit_words(table, SIDE_WIDTH)
    room = SIDE_WIDTH - _paste_small(image, _draw_throw(table.dice, moment, big=False))
    _draw_heading(image, table, room, short_heading)
    _draw_increments(image, table.increments)
    top = WORDS_TOP if table.increments else LEAD_TOP if table.lead else PLAIN_TOP
    has_room = NOTES.width(table.lead) <= SIDE_WIDTH or not table.short_lead
    lead = table.lead if has_room else table.short_lead
    _write(image, NOTES, lead, (SIDE_LEFT, top), SIDE_WIDTH, "the lead")
    top = _draw_words(image, table.words, top + (NOTES.height if table.lead else 0))
    rows = [row for row in NOTE_TOPS if row >= top - 1]  # it may touch a descender
    panes = lower_panes(table, len(rows))
    lines, key = panes[moment.turn(BEAT_S, len(panes))]
    lift = int(key is not None and rows[0] >= top)  # a row, so that no tail is behind the key
    for text, row in zip(lines, rows, strict=False):
        _write(image, NOTES, text, (SIDE_LEFT, row - lift), SIDE_WIDTH, "a small line")
    if key is not None:
        _draw_key(image, key)
    return image


def _draw_throw(dice: ShownThrow, moment: FrameTime, big: bool) -> list[Image.Image]:
    """Return the pictures of dice or shells; of those that tumble, with a face that passes by."""
    step = moment.steps(TUMBLE_S) if any(one.tumbling for one in dice) else 0
    images = []
    for number, one in enumerate(dice):
        if isinstance(one, Shells):
            up = pictures.PASSING[step % len(pictures.PASSING)] if one.tumbling else one.up
            images.append(pictures.draw_shells(up, "big" if big else "small"))
            continue
        passing = TUMBLING_FACES[(step + 2 * number) % len(TUMBLING_FACES)]
        die = Die(passing, tumbling=True) if one.tumbling else one
        images.append(pictures.draw_die(die, pictures.BIG if big else pictures.SMALL))
    return images


def _draw_large_dice(image: Image.Image, table: BoardScreen[str], moment: FrameTime) -> None:
    gap, drawn = 5, _draw_throw(table.dice, moment, big=True)
    x = SIDE_LEFT + (SIDE_WIDTH - sum(one.width + gap for one in drawn) + gap) // 2
    for one in drawn:
        image.paste(one, (x, BIG_DICE_TOP))
        x += one.width + gap
    _write(image, WORDS, table.heading, (SIDE_LEFT, 0), SIDE_WIDTH, "the heading")
    _draw_words(image, table.words, STRIP - WORDS.height)
    if table.keys:
        _draw_key(image, table.keys[moment.turn(BEAT_S, len(table.keys))])


def _paste_small(image: Image.Image, dice: list[Image.Image]) -> int:
    """Put the dice at the right end of the heading. Return the width that they take."""
    taken = 0
    for one in reversed(dice):
        image.paste(one, (WIDTH - taken - one.width, 0))
        taken += one.width + 2
    return taken


def _draw_heading(image: Image.Image, table: BoardScreen[str], room: int, short: str) -> None:
    """Write the heading large. If it is too wide, only the letter is large, and `short` small."""
    if WORDS.width(table.heading) <= room:
        image.paste(draw_text(WORDS, table.heading), (SIDE_LEFT, 0))
        return
    x, top = SIDE_LEFT, WORDS.cap - NOTES.cap
    if short:
        letter = draw_text(WORDS, SEAT_LETTERS[table.seat])
        image.paste(letter, (x, 0))
        x += letter.width + 3
    text = short or table.heading
    _write(image, NOTES, text, (x, top), room - (x - SIDE_LEFT), "the heading")


def _draw_increments(image: Image.Image, increments: tuple[Increment[str], ...]) -> None:
    x = SIDE_LEFT
    for increment in increments:
        end = x + NOTES.width(increment.text) + 2
        if end > WIDTH:
            room = "what is left of the increments' line"
            warn(Overflow(increment.text, room), stacklevel=2)
            return
        image.paste(draw_text(NOTES, increment.text), (x + 1, INCREMENTS_TOP))
        if increment.state == "spent":
            image.paste(LIT, (x, INCREMENTS_TOP + 3, end, INCREMENTS_TOP + 4))
        elif increment.state == "chosen":
            _invert_small(image, x, end, INCREMENTS_TOP)
        x = end + 1


def _draw_words(image: Image.Image, words: tuple[str, ...], top: int) -> int:
    """Write the words from the row `top` down. Return the row where they end."""
    for text in words:
        if top + WORDS.height > STRIP:
            warn(Overflow(text, "the words: there are too many lines"), stacklevel=2)
            return top
        _write(image, WORDS, text, (SIDE_LEFT, top), SIDE_WIDTH, "a line of words")
        top += WORDS.height
    return top


def lower_panes(table: BoardScreen[str], rows: int) -> list[tuple[list[str], KeyHint[str] | None]]:
    """Return the panes that take turns below the words: small lines, and a key in the last row.

    rows: how many rows there are, with that of the key. The note and `last` are in every pane if
    there is room above the key. Otherwise they have panes of their own, without a key.
    """
    above = rows - 1 if table.keys else rows
    note = wrap(NOTES, table.note, SIDE_WIDTH)
    if len(note) > NOTE_LINES:
        warn(Overflow(table.note, f"the note, {NOTE_LINES} lines"), stacklevel=2)
    note = note[:NOTE_LINES]
    last = wrap(NOTES, table.last, SIDE_WIDTH)
    keys = table.keys or (None,)
    if len(note) + len(last) <= above:
        return [([*note, *last], key) for key in keys]
    turning, staying = ([], note) if len(note) <= above else (note, [])
    if len(note) + len(last) <= rows:
        pages = [[*note, *last]]
    else:
        pages = [*_pages(turning, rows), *_pages(last, rows)]
    return [*((page, None) for page in pages), *((staying, key) for key in keys)]


def _pages(lines: list[str], rows: int) -> list[list[str]]:
    return [lines[first : first + rows] for first in range(0, len(lines), rows)]


def _draw_key(image: Image.Image, key: KeyHint[str], side: int = KEYS_LEFT) -> None:
    """Write a key, inverted, and what it does."""
    x = side + NOTES.width(key.press) + 2
    _write(image, NOTES, key.press, (side + 1, STRIP), WIDTH - side, "the key")
    _invert_small(image, side, x, STRIP)
    _write(image, NOTES, key.does, (x + 2, STRIP), WIDTH - x - 2, "what a key does")


def _draw_keys(image: Image.Image, keys: str) -> None:
    _write(image, NOTES, keys, (MARGIN, STRIP), PAGE_WIDTH, "the keys")


def _draw_title(image: Image.Image, title: str, corner: str = "", room: int = PAGE_WIDTH) -> None:
    left = room - (NOTES.width(corner) + 4 if corner else 0)
    _write(image, WORDS, title, (MARGIN, 1), left, "the title")
    image.paste(draw_text(NOTES, corner), (WIDTH - MARGIN - NOTES.width(corner), 4))
    invert(image, (0, 0, WIDTH, PAGE_TOP - 3))


def _draw_code(image: Image.Image, code: QrScreen[str]) -> None:
    """Draw a code, with its text beside it, large if there is room."""
    image.paste(codes.draw_code(code.scanned), (0, 0))
    room = WIDTH - CODE_TEXT_LEFT
    _write(image, NOTES, code.lead, (CODE_TEXT_LEFT, 1), room, "a code's lead")
    name, _, number = code.text.partition(" ")
    below = [(NOTES, line) for line in break_word(NOTES, number, room)]
    for font, parts, more in (
        (WORDS, ADDRESS_PARTS, below),
        (NOTES, ADDRESS_PARTS, below),
        (NOTES, ADDRESS_PARTS, []),
        (NOTES, LETTER_PARTS, []),
    ):
        lines = [*((font, line) for line in break_word(font, name, room, parts)), *more]
        if sum(each.height for each, _ in lines) <= STRIP - CODE_TOP:
            break
    else:
        rows = (STRIP - CODE_TOP) // NOTES.height
        warn(Overflow(code.text, f"{rows} small lines beside a code"), stacklevel=2)
        lines = lines[:rows]
    top = CODE_TOP
    for font, line in lines:
        _write(image, font, line, (CODE_TEXT_LEFT, top), room, "a line beside a code")
        top += font.height
    _draw_key(image, code.key, CODE_TEXT_LEFT - 2)


def _draw_podium(image: Image.Image, podium: Podium[str], keys: str, moment: FrameTime) -> None:
    _draw_title(image, podium.title)
    if podium.winners and podium.cheers:
        seats = tuple(mark.seat for mark in podium.seats)
        shown = celebration.draw_celebration(podium.winners, seats, moment.steps(CHEER_S))
        image.paste(shown, (0, HEIGHT - celebration.HEIGHT))
        return
    if podium.winners:
        image.paste(pictures.draw_cup(podium.winners), CUP_CORNER)
    for n, mark in enumerate(podium.seats):
        corner = (PODIUM_LEFT + n % 2 * PODIUM_COLUMN, PAGE_TOP + 1 + n // 2 * (MARK_HEIGHT + 1))
        _draw_mark(image, mark, corner, PODIUM_COLUMN - MARK_TEXT_LEFT)
    at = (PODIUM_LEFT, PAGE_TOP + 3 + 2 * MARK_HEIGHT)
    _write(image, NOTES, podium.line, at, WIDTH - PODIUM_LEFT, "the podium's line")
    _draw_keys(image, keys)


def _draw_page(
    image: Image.Image, page: TextScreen[str], keys: str, moment: FrameTime, language: Language
) -> None:
    corner, count = page.corner, len(page.lines)
    if not corner and page.chosen is not None and count > MENU_ROWS:  # not all are visible
        room = PAGE_WIDTH - 4 - WORDS.width(page.title)
        texts = (language.say(position_in_list(page.chosen, count)), f"{page.chosen + 1}/{count}")
        corner = next((text for text in texts if NOTES.width(text) <= room), "")
    _draw_title(image, page.title, corner)
    for n, mark in enumerate(page.seats):
        at = (MARGIN + n % 2 * WIDTH // 2, PAGE_TOP + n // 2 * MARK_HEIGHT)
        _draw_mark(image, mark, at, MARK_WIDTH)
    top = PAGE_TOP + MARK_HEIGHT * ((len(page.seats) + 1) // 2)
    bottom = STRIP if keys else HEIGHT
    if page.seats and len(page.lines) > (bottom - top) // NOTES.height:
        page = replace(page, lines=(page.lines[moment.turn(BEAT_S, count)],))
    _draw_lines(image, page, top, bottom)
    if page.large:
        if WORDS.width(page.large) * ENLARGED_SCALE > PAGE_WIDTH:
            space = f"the enlarged text, {PAGE_WIDTH // ENLARGED_SCALE} pixels"
            warn(Overflow(page.large, space), stacklevel=2)
        enlarged = draw_enlarged(page.large, ENLARGED_SCALE)
        at = ((WIDTH - enlarged.width) // 2, top + (STRIP - top - enlarged.height) // 2)
        image.paste(enlarged, at)
    _draw_keys(image, keys)


def _draw_mark(image: Image.Image, mark: SeatMark[str], corner: tuple[int, int], room: int) -> None:
    x, y = corner
    image.paste(pictures.glyph(mark.seat, 3), (x, y))
    image.paste(draw_text(WORDS, SEAT_LETTERS[mark.seat]), (x + 11, y))
    text = mark.text or "-"
    font = large.fitting_font(text, room)
    at = (x + MARK_TEXT_LEFT, y + WORDS.cap - font.cap)
    _write(image, font, text, at, room, "a seat's text")


def _draw_lines(image: Image.Image, page: TextScreen[str], top: int, bottom: int) -> None:
    """Write the lines: large if all fit, otherwise small.

    If a line is chosen, a free row between two lines is ground for the inverted one.
    """
    ground = 0 if page.chosen is None else 1
    for font, pitch in ((WORDS, WORDS.height + 1), (NOTES, NOTES.height + ground)):
        rows = (bottom - top) // pitch
        arrows = page.chosen is not None and len(page.lines) > rows
        room = PAGE_WIDTH - (ARROW_WIDTH + GAP if arrows else 0)
        lines = [wrap(font, text, room) for text in page.lines]
        if not (misfit := _misfit(font, lines, page.chosen, rows, room)):
            break
    else:
        warn(Overflow(misfit, f"the page, {rows} lines of {room} pixels"), stacklevel=2)
    shown = _visible_rows(lines, page.chosen, rows)
    for n, (text, at) in enumerate(shown):
        y = top + n * pitch
        image.paste(draw_text(font, text), (MARGIN, y))
        if arrows and n == 0 and at > 0:
            _draw_arrow(image, y, up=True)
        if arrows and n == len(shown) - 1 and at < len(lines) - 1:
            _draw_arrow(image, y + font.cap - ARROW_HEIGHT, up=False)
        if at == page.chosen:
            invert(image, (0, y - 1, WIDTH, y + pitch - 1))


def _draw_arrow(image: Image.Image, top: int, up: bool) -> None:
    """Draw an arrow at the right edge: there are more lines above, or below."""
    rows = range(ARROW_HEIGHT) if up else reversed(range(ARROW_HEIGHT))
    middle = WIDTH - MARGIN - ARROW_WIDTH // 2 - 1
    for y, half in enumerate(rows, start=top):
        image.paste(LIT, (middle - half, y, middle + half + 1, y + 1))


def _misfit(font: Font, lines: list[list[str]], chosen: int | None, rows: int, room: int) -> str:
    """Return a row that is wider than `room` pixels or beyond `rows`; "" if all rows fit.

    lines: the rows of each line. If one is chosen, each line by itself must fit into the rows.
    """
    all_rows = [row for parts in lines for row in parts]
    wide = [row for row in all_rows if font.width(row) > room]
    extra = all_rows[rows:] if chosen is None else [row for parts in lines for row in parts[rows:]]
    return next(iter(wide + extra), "")


def _visible_rows(lines: list[list[str]], chosen: int | None, rows: int) -> list[tuple[str, int]]:
    """Return the rows to show, each with its line's index: all, or those around the chosen one."""
    first = 0
    if chosen is not None:
        first = max(0, chosen - 1)
        if len(lines[first]) + len(lines[chosen]) > rows:
            first = chosen
        while first > 0 and sum(map(len, lines[first - 1 :])) <= rows:
            first -= 1
    shown = [(row, n) for n, parts in enumerate(lines) if n >= first for row in parts]
    return shown[:rows]
