"""QR codes as one-bit pictures: dark modules on lit ground, as readers expect them.

A code has version 2, which is 25 modules a side. On 64 rows, a module is then two pixels wide, and
the quiet zone 3.5 modules; the standard asks for 4. The error level is the highest that has room
for the text: H up to 20 capitals, Q 29, M 38, L 47. A longer text, of 77 capitals at most, has
version 3: 29 modules, and a quiet zone of 1.5.
"""

from functools import lru_cache
from warnings import warn

from PIL import Image, ImageOps

from pi_app.display.lettering import DARK, LIT, Overflow

SIDE = 64  # pixels, with the quiet zone
VERSIONS = (2, 3)
MODULE = 2  # pixels


@lru_cache(maxsize=1)  # drawing it takes 3.6 ms; any other screen takes 0.5
def draw_code(text: str) -> Image.Image:
    """Return the code of a text. Do not change the image: it is cached.

    A text that is too long gives an empty code and a warning, an `Overflow`.
    """
    import segno  # late, because it is slow to import and few tables need it

    image = Image.new("1", (SIDE, SIDE), LIT)
    for version in VERSIONS:
        try:
            made = segno.make_qr(text, error="L", version=version)
            break
        except segno.DataOverflowError:
            pass
    else:
        warn(Overflow(text, f"a QR code of version {VERSIONS[-1]}"), stacklevel=2)
        return image
    modules = Image.new("1", (len(made.matrix), len(made.matrix)))
    modules.putdata([DARK if module else LIT for row in made.matrix for module in row])
    quiet = (SIDE - MODULE * modules.width) // 2
    image.paste(ImageOps.scale(modules, MODULE, Image.Resampling.NEAREST), (quiet, quiet))
    return image
