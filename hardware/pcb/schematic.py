"""Draws a board's circuit as SVG from the same nets: each part with its pads and their nets."""

from collections.abc import Iterator
from html import escape

from hardware.pcb.circuit import GROUND, KINDS, Part
from hardware.pcb.place import Board
from hardware.svg import BLUE, INK, RED, svg_file, tag

COLUMN, ROW, COLUMNS_HIGH, TOP, WIDE = 300, 18, 62, 60, 120  # in the picture's units


def schematic(board: Board) -> str:
    """Return boxes in columns; pads of one net have one name, as labels of a schematic do."""
    lines = [tag("text", f"{escape(board.title)}: parts, pads and nets", x=20, y=30, font_size=16)]
    column, row = 0, 0
    for part, _ in board.parts:
        if not part.nets:
            continue
        if row + len(part.nets) + 2 > COLUMNS_HIGH:
            column, row = column + 1, 0
        x, y = 20 + column * COLUMN, TOP + row * ROW
        lines += [f'<g transform="translate({x} {y})">', *_box(part), "</g>"]
        row += len(part.nets) + 2
    return svg_file((column + 1) * COLUMN + 40, TOP + COLUMNS_HIGH * ROW + 20, lines)


def _box(part: Part) -> Iterator[str]:
    label = " · ".join(filter(None, (part.reference, KINDS[part.kind].value, part.label)))
    high = len(part.nets) * ROW
    yield tag("text", escape(label.replace(" · not fitted", "")), y=-4, font_weight="bold")
    yield tag("rect", width=WIDE, height=high, fill="#ffffff", stroke=INK)
    for n, (pad, net) in enumerate(part.nets.items()):
        y = n * ROW + ROW / 2
        ink = INK if net == GROUND else RED if net.startswith("+") else BLUE
        yield tag("text", escape(pad), x=WIDE - 6, y=y + 4, text_anchor="end")
        yield tag("line", x1=WIDE, y1=y, x2=WIDE + 18, y2=y, stroke=ink, stroke_width=2)
        yield tag("text", escape(net), x=WIDE + 24, y=y + 4, fill=ink)
