"""QR codes as one-bit pictures: dark modules on lit ground, as readers want them. No words.

Every code is of version 2, 25 modules a side, so that on 64 rows a module is two dots wide and has
a quiet zone of 3.5 modules round it; the standard asks for 4. Its error level is the highest that
takes the text: H up to 20 capitals, Q 29, M 38, L 47.
"""

from functools import lru_cache
from warnings import warn

from PIL import Image

from pi_app.display.lettering import DARK, LIT, Overflow

SIDE = 64  # pixels, the quiet zone included
VERSION = 2
MODULE = 2  # pixels


@lru_cache(maxsize=1)  # takes 3.6 ms, where drawing any other screen takes 0.5
def draw_code(text: str) -> Image.Image:
    """Return the code of a text, not to be changed; without modules where it takes too many."""
    import segno  # nobody's start has to wait for it, and few ever need it

    image = Image.new("1", (SIDE, SIDE), LIT)
    try:
        made = segno.make_qr(text, error="L", version=VERSION)
    except segno.DataOverflowError:
        warn(Overflow(text, f"a QR code of version {VERSION}"), stacklevel=2)
        return image
    modules = Image.new("1", (len(made.matrix), len(made.matrix)))
    modules.putdata([DARK if module else LIT for row in made.matrix for module in row])
    size = (MODULE * modules.width, MODULE * modules.height)
    quiet = (SIDE - size[0]) // 2
    image.paste(modules.resize(size, Image.Resampling.NEAREST), (quiet, quiet))
    return image
