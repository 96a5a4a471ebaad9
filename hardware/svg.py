"""SVG as text: elements, and a picture on paper of them. It escapes no text."""

from collections.abc import Iterable

INK, PAPER, RED, BLUE = "#16181c", "#fbfaf7", "#b5342b", "#1f5f8b"


def tag(name: str, content: str = "", /, **attributes: object) -> str:
    """Return an element. Attributes: numbers and texts; `stroke_width` is stroke-width."""
    words = [name]
    for key, value in attributes.items():
        shown = value if isinstance(value, str) else f"{value:g}"
        words.append(f'{key.replace("_", "-")}="{shown}"')
    return f"<{' '.join(words)}>{content}</{name}>" if content else f"<{' '.join(words)}/>"


def svg_file(width: int, height: int, lines: Iterable[str]) -> str:
    """Return lines of SVG as a file: a picture on paper."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="DejaVu Sans, Verdana, sans-serif" font-size="12" fill="{INK}">'
    )
    paper = tag("rect", width=width, height=height, fill=PAPER)
    return "\n".join([head, paper, *lines, "</svg>", ""])
