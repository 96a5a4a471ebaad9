"""The four seats' letters and shapes, as on display and page. Draws nothing."""

Point = tuple[float, float]
LETTERS = "ABCD"

# The outlines of pi_app/web/static/board.js, in a square of 1 about the middle, y downwards. The
# second line of a shape is a hole.
SQUARE: tuple[Point, ...] = ((-0.46, -0.46), (0.46, -0.46), (0.46, 0.46), (-0.46, 0.46))
PLUS: tuple[Point, ...] = (
    *((-0.21, -0.5), (0.21, -0.5), (0.21, -0.21), (0.5, -0.21), (0.5, 0.21), (0.21, 0.21)),
    *((0.21, 0.5), (-0.21, 0.5), (-0.21, 0.21), (-0.5, 0.21), (-0.5, -0.21), (-0.21, -0.21)),
)
OUTLINES: dict[str, tuple[tuple[Point, ...], ...]] = {
    "A": (SQUARE,),
    "B": (SQUARE, ((-0.25, -0.25), (-0.25, 0.25), (0.25, 0.25), (0.25, -0.25))),
    "C": (PLUS,),
    "D": (((0.19, -0.5), (0.5, -0.5), (0.5, -0.19), (-0.19, 0.5), (-0.5, 0.5), (-0.5, 0.19)),),
}
DOTS = {  # the engraved letters, without a font, so the same on every machine
    "A": (".###.", "#...#", "#...#", "#####", "#...#", "#...#", "#...#"),
    "B": ("####.", "#...#", "#...#", "####.", "#...#", "#...#", "####."),
    "C": (".####", "#....", "#....", "#....", "#....", "#....", ".####"),
    "D": ("####.", "#...#", "#...#", "#...#", "#...#", "#...#", "####."),
}
COLOURS = {"A": "#b5342b", "B": "#1f5f8b", "C": "#2f6b41", "D": "#8a5a00"}  # the page's
