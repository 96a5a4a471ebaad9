"""The rules of a family of games on one page, to print: rules-parchis.md and the others."""

from textwrap import wrap

from hardware.lists import HERE
from hardware.paper import Paper

GAMES = ("parchis", "ludo", "pachisi")
MARGIN = 14.0  # mm
TEXT, LINE = 4.4, 5.7  # mm: the type, and from line to line
LETTERS = 82  # in a line, which then takes at most 182 mm


def draw_rules_card(paper: Paper, game: str) -> None:
    """Draw the rules of `game` over the whole page.

    Blocks of text are divided by empty lines. A block is a title, a heading, a list or a paragraph.
    """
    blocks = (HERE / f"rules-{game}.md").read_text(encoding="utf-8").split("\n\n")
    y = 14.0
    for block in blocks:
        mark, _, text = block.strip().partition(" ")
        if mark == "#":
            y += 8
            paper.words(MARGIN, y, text, 11, bold=True)
        elif mark == "##":
            y += 1.8 * LINE
            paper.words(MARGIN, y, text, 5.2, bold=True)
        elif mark == "-":
            for item in text.split("\n- "):
                paper.box(MARGIN + 0.4, y + LINE - 2.1, 1.2, 1.2, "#16181c", None)
                y = _write_lines(paper, MARGIN + 4, y, item)
        else:
            y = _write_lines(paper, MARGIN, y, block)


def _write_lines(paper: Paper, x: float, y: float, text: str) -> float:
    """Write a text in as many lines as it needs, below `y`. Return where the last one is."""
    for line in wrap(text, LETTERS):
        y += LINE
        paper.words(x, y, line, TEXT)
    return y
