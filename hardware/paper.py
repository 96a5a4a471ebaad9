"""Pages to print, in mm, as SVG and as PDF: lines, circles, polygons, words and screens."""

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from pathlib import Path
from zlib import compress, decompress

from PIL import Image

from hardware.helvetica import NARROW, text_width, wrap_text
from hardware.shapes import Point

SIZES = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
MM = 72 / 25.4  # points
ROUND = 0.5523  # of a radius: with this Bezier handle a curve is nearest to a quarter of a circle
LEADING = 1.25  # from line to line, in sizes of the type
INK = "#16181c"
STREAM = re.compile(rb"/Length \d+ >>\nstream\n(?P<packed>.*?)\nendstream", re.DOTALL)


@dataclass(slots=True)
class Paper:
    """A page that things are drawn on; y is downwards from the upper edge, as in SVG.

    too_long: the texts that need more room than they have.
    """

    size: tuple[float, float]
    svg: list[str] = field(default_factory=list)
    pdf: list[str] = field(default_factory=list)
    images: dict[str, Image.Image] = field(default_factory=dict)
    too_long: list[str] = field(default_factory=list)

    def shape(
        self, lines: Sequence[Sequence[Point]], fill: str | None = None, stroke: str | None = INK
    ) -> None:
        """Draw closed lines; a line inside another one is a hole."""
        d = "".join("M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in line) + "Z" for line in lines)
        self.svg.append(f'<path d="{d}" {_paint(fill, stroke)}/>')
        paths = [self._path(line) + " h" for line in lines]
        self.pdf.append(" ".join([_inks(fill, stroke), *paths, _operator(fill, stroke)]))

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str | None = None,
        stroke: str | None = INK,
    ) -> None:
        """Draw a rectangle by its upper left corner."""
        size = f'width="{width:.2f}" height="{height:.2f}"'
        self.svg.append(f'<rect x="{x:.2f}" y="{y:.2f}" {size} {_paint(fill, stroke)}/>')
        path = f"{self._at((x, y + height))} {width * MM:.2f} {height * MM:.2f} re"
        self.pdf.append(" ".join([_inks(fill, stroke), path, _operator(fill, stroke)]))

    def line(self, *points: Point) -> None:
        """Draw a line through some points."""
        through = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
        self.svg.append(f'<polyline points="{through}" {_paint(None, INK)}/>')
        self.pdf.append(f"{_inks(None, INK)} {self._path(points)} S")

    def circle(self, x: float, y: float, radius: float) -> None:
        """Draw a circle, and the cross that marks its middle."""
        self.disc(x, y, radius, None, INK)
        self.line((x - 2, y), (x + 2, y))
        self.line((x, y - 2), (x, y + 2))

    def disc(
        self, x: float, y: float, radius: float, fill: str | None, stroke: str | None = None
    ) -> None:
        """Draw a circle about a point."""
        paint = _paint(fill, stroke)
        self.svg.append(f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:.2f}" {paint}/>')
        h, path = radius * ROUND, [self._at((x + radius, y)) + " m"]
        ends = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 0))
        for (ax, ay), (bx, by) in pairwise(ends):
            first = x + ax * radius + bx * h, y + ay * radius + by * h
            second = x + bx * radius + ax * h, y + by * radius + ay * h
            end = x + bx * radius, y + by * radius
            path.append(" ".join(map(self._at, (first, second, end))) + " c")
        operator = _operator(fill, stroke)
        self.pdf.append(f"{_inks(fill, stroke)} {' '.join(path)} h {operator}")

    def words(
        self, x: float, y: float, text: str, size: float, bold: bool = False, ink: str = INK
    ) -> None:
        """Write from the left end of the base line; size is the type's height in mm."""
        weight = ' font-weight="bold"' if bold else ""
        place = f'x="{x:.2f}" y="{y:.2f}" font-size="{size}" fill="{ink}"'
        self.svg.append(f"<text {place}{weight}>{escape(text)}</text>")
        inside = (
            text.replace(NARROW, " ").replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        )
        font = f"/{'B' if bold else 'R'} {size * MM:.2f} Tf"
        self.pdf.append(f"BT {_colour(ink)} rg {font} {self._at((x, y))} Td ({inside}) Tj ET")

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        width: float,
        most: int = 1,
        bold: bool = False,
        ink: str = INK,
    ) -> float:
        """Write a text in lines of at most `width` mm, the first one at `y`; `most`: how many.

        Return where a line below the last one is.
        """
        lines = wrap_text(text, size, width, bold)
        if len(lines) > most or any(text_width(line, size, bold) > width for line in lines):
            self.too_long.append(text)
        for line in lines:
            self.words(x, y, line, size, bold, ink)
            y += size * LEADING
        return y

    def screen(self, x: float, y: float, width: float, file: Path) -> None:
        """Draw a picture of the real display, dot by dot, twice as wide as high."""
        data = b64encode(file.read_bytes()).decode()
        self.svg.append(
            f'<image x="{x:.2f}" y="{y:.2f}" width="{width}" height="{width / 2}" '
            f'style="image-rendering:pixelated" href="data:image/png;base64,{data}"/>'
        )
        with Image.open(file) as image:
            self.images[_name(file)] = image.convert("1")
        scale = f"{width * MM:.2f} 0 0 {width / 2 * MM:.2f}"
        self.pdf.append(f"q {scale} {self._at((x, y + width / 2))} cm /{_name(file)} Do Q")

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

    def _path(self, points: Sequence[Point]) -> str:
        first, *others = map(self._at, points)
        return " ".join([f"{first} m", *(f"{one} l" for one in others)])

    def _at(self, point: Point) -> str:
        return f"{point[0] * MM:.2f} {(self.size[1] - point[1]) * MM:.2f}"


def as_pdf(papers: Sequence[Paper], code: str) -> bytes:
    """Return pages as a PDF 1.4 (ISO 32000-1) in their true size, without an embedded font.

    code: the language of the words, as in HTML.
    """
    images = {name: image for paper in papers for name, image in paper.images.items()}
    kids = [3 + 2 * n for n in range(len(papers))]
    first = 3 + 2 * len(papers)
    fonts = "/R << {0} /BaseFont /Helvetica {1} >> /B << {0} /BaseFont /Helvetica-Bold {1} >>"
    fonts = fonts.format("/Type /Font /Subtype /Type1", "/Encoding /WinAnsiEncoding")
    pictures = " ".join(f"/{name} {n} 0 R" for n, name in enumerate(images, first))
    resources = f"<< /Font << {fonts} >> /XObject << {pictures} >> >>"
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R /Lang ({code}) >>".encode(),
        f"<< /Type /Pages /Kids [{_references(kids)}] /Count {len(kids)} >>".encode(),
    ]
    for paper, kid in zip(papers, kids, strict=True):
        width, height = (side * MM for side in paper.size)
        page = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.2f} {height:.2f}] "
            f"/Contents {kid + 1} 0 R /Resources {resources} >>"
        )
        drawn = ("0.3 w\n" + "\n".join(paper.pdf)).encode("cp1252")
        objects += page.encode(), _stream("", drawn)
    return _file([*objects, *map(_image, images.values())])


def unpacked_pdf(data: bytes) -> bytes:
    """Return a PDF of ours with its streams unpacked, so that it is the same for every zlib.

    The lengths and places of packed streams are left out.
    """
    objects, _, _ = data.rpartition(b"xref\n0 ")
    return STREAM.sub(lambda found: decompress(found["packed"]), objects)


def _references(numbers: Sequence[int]) -> str:
    return " ".join(f"{number} 0 R" for number in numbers)


def _file(objects: Sequence[bytes]) -> bytes:
    """Return a PDF file of these objects: the numbered objects, then the table of their offsets."""
    data, places = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", []  # the second line says: not only text
    for n, one in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (n, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    return data + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\n"
        b"startxref\n%d\n%%%%EOF\n" % (count, table, count, len(data))
    )


def _image(image: Image.Image) -> bytes:
    wide, high = image.size
    kind = f"/Type /XObject /Subtype /Image /Width {wide} /Height {high} "
    return _stream(kind + "/ColorSpace /DeviceGray /BitsPerComponent 1 ", image.tobytes())


def _stream(kind: str, data: bytes) -> bytes:
    packed = compress(data, 9)
    head = b"<< %s/Filter /FlateDecode /Length %d >>" % (kind.encode(), len(packed))
    return b"%s\nstream\n%s\nendstream" % (head, packed)


def _name(file: Path) -> str:
    return file.stem.replace("-", "_")


def _paint(fill: str | None, stroke: str | None) -> str:
    return f'fill="{fill or "none"}" stroke="{stroke or "none"}"'


def _inks(fill: str | None, stroke: str | None) -> str:
    inks = [f"{_colour(fill)} rg"] if fill else []
    return " ".join([*inks, f"{_colour(stroke)} RG"] if stroke else inks)


def _operator(fill: str | None, stroke: str | None) -> str:
    return {(True, True): "B*", (True, False): "f*", (False, True): "S"}[bool(fill), bool(stroke)]


def _colour(code: str) -> str:
    return " ".join(f"{int(code[n : n + 2], 16) / 255:.3f}" for n in (1, 3, 5))
