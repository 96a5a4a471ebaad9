"""The pictures of six cowries, mouths up or down, as one-bit images.

Do not change the images of cached functions.
"""

from functools import cache
from typing import Literal, NamedTuple

from PIL import Image

from pi_app.display.lettering import parse_picture
from rules.ruleset import SHELLS

PASSING = (4, 1, 5, 2, 0, 3)  # mouths up, one after the other while the shells tumble
ROWS = 2


class ShellPictures(NamedTuple):
    """A shell whose mouth is down, one whose mouth is up, and the gap between two, in pixels."""

    down: Image.Image
    up: Image.Image
    gap: int


PICTURES = {
    "small": ShellPictures(
        parse_picture((".###.", "#####", "#####", "#####", ".###.")),
        parse_picture((".###.", "##.##", "##.##", "##.##", ".###.")),
        1,
    ),
    "big": ShellPictures(
        parse_picture(
            (
                "...#######...",
                "..#########..",
                ".###########.",
                *["#############"] * 6,
                ".###########.",
                "..#########..",
                "...#######...",
            )
        ),
        parse_picture(
            (
                "...###.###...",
                "..####.####..",
                ".####...####.",
                "######.######",
                "#####...#####",
                "######.######",
                "#####...#####",
                "######.######",
                "#####...#####",
                ".#####.#####.",
                "..###...###..",
                "...###.###...",
            )
        ),
        3,
    ),
}


@cache
def draw_shells(up: int, size: Literal["small", "big"]) -> Image.Image:
    """Return six shells in two rows. up: how many mouths are up."""
    down, with_mouth, gap = PICTURES[size]
    across, width, height = SHELLS // ROWS, down.width + gap, down.height + gap
    image = Image.new("1", (across * width - gap, ROWS * height - gap))
    for number in range(SHELLS):
        corner = number % across * width, number // across * height
        image.paste(with_mouth if number < up else down, corner)
    return image
