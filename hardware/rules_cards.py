"""The rules of a game or a family on one page, to print: those of rules/parchis.es.md and so on."""

from collections.abc import Iterator
from typing import NamedTuple

from hardware.lists import HERE
from hardware.paper import INK, Paper, wrap_text
from hardware.shapes import Point
from pi_app.texts.language import base_code

FOLDER = HERE / "rules"
GAMES = sorted(file.name.removesuffix(".en.md") for file in FOLDER.glob("*.en.md"))
MARGIN, FOOT = 14.0, 10.0  # mm
SIZES = (4.4, 4.2, 4.0, 3.8, 3.6)  # mm: the type is the largest with which the page holds all
LEADING = 1.3  # from line to line, in sizes of the type
INDENT = 3.6  # mm, of a list


class Line(NamedTuple):
    """A line of a card. marked: it begins a point of a list."""

    at: Point
    text: str
    size: float
    bold: bool = False
    marked: bool = False


def rules_text(game: str, code: str) -> str:
    """Return the rules of a game or a family; if a language has no text, that of its base."""
    file, base = FOLDER / f"{game}.{code}.md", base_code(code)
    return rules_text(game, base) if base and not file.exists() else file.read_text("utf-8")


def draw_rules_card(paper: Paper, text: str) -> None:
    """Draw rules over the whole page.

    Blocks of text are divided by empty lines. A block is a title, a heading, a list or a paragraph.
    """
    width, height = paper.size
    for size in SIZES:
        lines = list(_lines(text, size, width - 2 * MARGIN))
        if lines[-1].at[1] <= height - FOOT:
            break
    else:
        paper.too_long.append(text)
    for line in lines:
        if line.marked:
            paper.box((MARGIN + 0.4, line.at[1] - 2.1), (1.2, 1.2), INK, None)
        paper.words(line.at, line.text, line.size, line.bold)


def _lines(text: str, size: float, width: float) -> Iterator[Line]:
    """Yield the lines of a card. size: of the type. width: of the text, in mm."""
    y, step = 14.0, size * LEADING
    for block in text.split("\n\n"):
        mark, _, rest = block.strip().partition(" ")
        if mark == "#":
            y += 8
            yield Line((MARGIN, y), rest, 11, bold=True)
            y += 1
        elif mark == "##":
            y += 1.8 * step
            yield Line((MARGIN, y), rest, 1.18 * size, bold=True)
        elif mark == "-":
            for point in rest.split("\n- "):
                for n, line in enumerate(wrap_text(" ".join(point.split()), size, width - INDENT)):
                    y += step
                    yield Line((MARGIN + INDENT, y), line, size, marked=n == 0)
        else:
            for line in wrap_text(" ".join(block.split()), size, width):
                y += step
                yield Line((MARGIN, y), line, size)
