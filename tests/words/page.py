"""One HTML page in a language: a whole evening to see and to hear, then every kept screen.

The voice is espeak-ng's, at half its rate and with 8 bits a sample, so that the page can be mailed.
"""

import shutil
import subprocess
import wave
from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterable, Iterator
from html import escape
from io import BytesIO

from PIL import Image

from pi_app.devices.voice import espeak_command, spoken_text
from pi_app.texts.language import Language
from tests.pi_app.texts.shown import Shown, messages_of
from tests.words.catalogs import IdsByIdiom, idioms_for
from tests.words.evening import Moment
from tests.words.fitting import Drawn, TooLong, draw_shown

STYLE = """
body { font-family: sans-serif; margin: 1em; display: grid; gap: 1em;
  grid-template-columns: repeat(auto-fill, minmax(400px, 1fr)); }
img { image-rendering: pixelated; width: 384px; height: 192px; margin: 2px; }
h2, hr { grid-column: 1 / -1; }
section { border: 2px solid #ccc; padding: 4px; }
section.long { border-color: #c00; }
dt { font-family: monospace; color: #555; }
dd { margin: 0 0 4px 1em; white-space: pre-wrap; }
b { color: #c00; }
audio { width: 384px; height: 2em; }
"""
PROGRAM = "espeak-ng"
WORDS_A_MINUTE = 150
PRESSES = 6  # so many of those before a screen are named
UNSIGNED = bytes((value + 128) % 256 for value in range(256))


def words_page(
    language: Language,
    screens: Iterable[Shown],
    ids_by_idiom: IdsByIdiom,
    moments: Iterable[Moment] = (),
) -> str:
    """Return the page with these screens, and once more those with words of a table's idioms.

    ids_by_idiom: the ids of the messages that have words of their own in an idiom. moments: of an
    evening, to begin with.
    """
    by_idioms = defaultdict[tuple[str, ...], list[Shown]](list)
    for shown in screens:
        for idioms in idioms_for(messages_of(shown), ids_by_idiom):
            by_idioms[idioms].append(shown)
    parts = [*map(_moment, moments), "<hr>"]
    for idioms, having in sorted(by_idioms.items(), key=lambda item: item[0]):
        parts += [f"<h2>{escape(', '.join(idioms))}</h2>"] if idioms else []
        spoken = language.in_idioms(*idioms)
        parts += [_section(draw_shown(shown, spoken)) for shown in having]
    sections = "\n".join(parts)
    title = escape(f"Screens in {language.name}")
    head = f'<meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>'
    return f'<!doctype html>\n<html lang="{language.code}">{head}\n{sections}\n</html>\n'


def _section(drawn: Drawn) -> str:
    images = "".join(f'<img alt="" src="{_data(image)}">' for image in drawn.pictures)
    texts = "".join(
        f"<dt>{escape(name)}<dd>{escape(words)}" for words, name in sorted(drawn.ids.items())
    )
    kind = ' class="long"' if drawn.faults else ""
    return f"<section{kind}>{images}<dl>{''.join(_lines(drawn.faults))}{texts}</dl></section>"


def _moment(moment: Moment) -> str:
    drawn = draw_shown(moment.shown, moment.language)
    images = "".join(f'<img alt="" src="{_data(image)}">' for image in drawn.pictures)
    last = [moment.language.say(one, "page") for one in moment.pressed[-PRESSES:]]
    pressed = ", ".join(["…"] * (len(last) < len(moment.pressed)) + last)
    sound = _speak(moment.said, moment.language.code) if moment.said else b""
    heard = f'<audio controls src="data:audio/wav;base64,{b64encode(sound).decode()}"></audio>'
    return (
        f"<section><dl><dt>{escape(pressed)}</dl>{images}<dl><dd>{escape(moment.said)}</dl>"
        f"{heard if sound else ''}</section>"
    )


def _speak(text: str, code: str) -> bytes:
    """Return a text as the voice speaks it, as a WAV file; nothing if the program is missing."""
    if shutil.which(PROGRAM) is None:
        return b""
    command = *espeak_command(PROGRAM, WORDS_A_MINUTE, "", code), "--stdout"
    spoken = subprocess.run(
        command, input=spoken_text(text).encode(), capture_output=True, check=True
    )
    with wave.open(BytesIO(spoken.stdout)) as voice:
        rate, samples = voice.getframerate(), voice.readframes(voice.getnframes())
    small = BytesIO()
    with wave.open(small, "wb") as file:
        file.setparams((1, 1, rate // 2, 0, "NONE", ""))
        file.writeframes(samples[1::4].translate(UNSIGNED))
    return small.getvalue()


def _lines(faults: Iterable[TooLong]) -> Iterator[str]:
    for fault in sorted(faults):
        yield f"<dt>{escape(fault.id)}<dd><b>{escape(str(fault))}</b>"


def _data(image: Image.Image) -> str:
    file = BytesIO()
    image.save(file, "PNG")
    return f"data:image/png;base64,{b64encode(file.getvalue()).decode()}"
