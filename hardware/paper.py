"""Pages to print, in mm, as SVG and as PDF: lines, circles, polygons, words and screens."""

import re
from base64 import a85decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from io import BytesIO, StringIO
from zlib import decompress

from reportlab.graphics import renderPDF
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from svglib.svglib import svg2rlg

from hardware.shapes import COLOURS, OUTLINES, Point
from pi_app.model.screens import Value, message
from pi_app.texts.language import ENGLISH, Language

Lines = Sequence[Sequence[Point]]
Paint = str | None
SIZES = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
MARGIN = 10.0  # mm: printers leave this margin white
LEADING = 1.25  # from line to line, in sizes of the type
INK = "#16181c"
NARROW = "\u202f"  # the space before a French `:` in the catalogs; the type has only the wide one
# The spaces at which a line may end: not those of French before `:` and inside quotation marks.
BREAK = re.compile("(?<!«) (?![:;?!»])")


@dataclass(slots=True)
class Paper:
    """A page that things are drawn on; y is downwards from the upper edge, as in SVG.

    language: of the messages on it. too_long: the texts that need more room than they have.
    """

    size: tuple[float, float]
    language: Language = field(default=ENGLISH, compare=False)
    svg: list[str] = field(default_factory=list)
    too_long: list[str] = field(default_factory=list)

    def shape(self, lines: Lines, fill: Paint = None, stroke: Paint = INK) -> None:
        """Draw closed lines; a line inside another one is a hole."""
        d = "".join("M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in line) + "Z" for line in lines)
        self.svg.append(f'<path d="{d}" {_paint(fill, stroke)}/>')

    def box(self, at: Point, size: Point, fill: Paint = None, stroke: Paint = INK) -> None:
        """Draw a rectangle by its upper left corner, its width and its height."""
        sides = f'width="{size[0]:.2f}" height="{size[1]:.2f}"'
        self.svg.append(f'<rect x="{at[0]:.2f}" y="{at[1]:.2f}" {sides} {_paint(fill, stroke)}/>')

    def line(self, *points: Point) -> None:
        through = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
        self.svg.append(f'<polyline points="{through}" {_paint(None, INK)}/>')

    def circle(self, at: Point, radius: float) -> None:
        """Draw a circle, and the cross that marks its middle."""
        x, y = at
        self.disc(at, radius, None, INK)
        self.line((x - 2, y), (x + 2, y))
        self.line((x, y - 2), (x, y + 2))

    def disc(self, at: Point, radius: float, fill: Paint, stroke: Paint = None) -> None:
        paint = _paint(fill, stroke)
        self.svg.append(f'<circle cx="{at[0]:.2f}" cy="{at[1]:.2f}" r="{radius:.2f}" {paint}/>')

    def mark(self, letter: str, at: Point, side: float) -> None:
        """Draw a seat's shape about a middle, in its colour."""
        x, y = at
        lines = [[(x + a * side, y + b * side) for a, b in line] for line in OUTLINES[letter]]
        self.shape(lines, COLOURS[letter], None)

    def words(self, at: Point, text: str, size: float, bold: bool = False, ink: str = INK) -> None:
        """Write from the left end of the base line; size is the type's height in mm.

        Raises UnicodeEncodeError for a letter that a PDF's Helvetica does not have.
        """
        weight = ' font-weight="bold"' if bold else ""
        place = f'x="{at[0]:.2f}" y="{at[1]:.2f}" font-size="{size}" fill="{ink}"'
        shown = text.replace(NARROW, " ")
        shown.encode("cp1252")  # its letters
        self.svg.append(f"<text {place}{weight}>{escape(shown)}</text>")

    def text(
        self,
        at: Point,
        text: Value,
        size: float,
        width: float,
        most: int = 1,
        bold: bool = False,
        ink: str = INK,
    ) -> float:
        """Write a text in lines of at most `width` mm, the first one at a point; `most`: how many.

        Return where a line below the last one is.
        """
        (x, y), said = at, self.language.say(text, "page")
        lines = wrap_text(said, size, width, bold)
        if len(lines) > most or any(text_width(line, size, bold) > width for line in lines):
            self.too_long.append(said)
        for line in lines:
            self.words((x, y), line, size, bold, ink)
            y += size * LEADING
        return y

    def ruler(self, y: float) -> None:
        """Draw 100 mm with a tick every 10."""
        self.line((MARGIN, y), (MARGIN + 100, y))
        for n in range(11):
            self.line((MARGIN + 10 * n, y), (MARGIN + 10 * n, y - (5 if n % 5 == 0 else 3)))
        self.text((MARGIN, y + 5), message("sheet-ruler"), 3.6, self.size[0] - 2 * MARGIN)

    def screen(self, at: Point, width: float, png: bytes) -> None:
        """Draw a picture of the real display, dot by dot, twice as wide as high."""
        data = b64encode(png).decode()
        self.svg.append(
            f'<image x="{at[0]:.2f}" y="{at[1]:.2f}" width="{width}" height="{width / 2}" '
            f'style="image-rendering:pixelated" href="data:image/png;base64,{data}"/>'
        )

    def as_svg(self) -> str:
        """Return the page as SVG in its true size."""
        width, height = self.size
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
            f'viewBox="0 0 {width} {height}" font-family="Helvetica, Arial, sans-serif" '
            'stroke-width="0.1" fill-rule="evenodd">'
        )
        paper = f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
        return "\n".join([head, paper, *self.svg, "</svg>", ""])


def as_pdf(papers: Sequence[Paper]) -> bytes:
    """Return pages in one language as a PDF in their true size."""
    file = BytesIO()
    canvas = Canvas(file, invariant=True, pageCompression=True, lang=papers[0].language.code)
    canvas.setTitle("Pachisi Referee")
    canvas.setAuthor("")
    for paper in papers:
        canvas.setPageSize([side * mm for side in paper.size])
        renderPDF.draw(svg2rlg(StringIO(paper.as_svg())), canvas, 0, 0)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def unpacked_pdf(data: bytes) -> bytes:
    """Return a PDF of ours with its streams unpacked, so that it is the same for every zlib.

    The lengths and places of packed streams are left out.
    """
    objects, _, _ = data.rpartition(b"xref\n0 ")
    for head in b">>\nstream\n", b" ID\n":  # a page, then an image in it
        packed = b"(?<=%s)[^~]+~>" % head
        objects = re.sub(packed, lambda one: decompress(a85decode(one[0], adobe=True)), objects)
    return re.sub(rb"/Length \d+", b"", objects)


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return the width of a text in mm. size: the type's height in mm."""
    font = "Helvetica-Bold" if bold else "Helvetica"
    return float(stringWidth(text.replace(NARROW, " "), font, size))


def wrap_text(text: str, size: float, width: float, bold: bool = False) -> list[str]:
    """Return a text's lines, broken between words where one would be wider than `width` mm."""
    lines = []
    for paragraph in text.split("\n"):
        lines.append("")
        for word in BREAK.split(paragraph):
            longer = f"{lines[-1]} {word}" if lines[-1] else word
            if lines[-1] and text_width(longer, size, bold) > width:
                lines.append(word)
            else:
                lines[-1] = longer
    return lines


def _paint(fill: Paint, stroke: Paint) -> str:
    return f'fill="{fill or "none"}" stroke="{stroke or "none"}"'
