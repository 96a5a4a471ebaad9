"""One HTML page with every kept screen in a language, and the texts on it."""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from io import BytesIO

from PIL import Image

from pi_app.texts.language import Language
from tests.pi_app.texts.shown import Shown, messages_of
from tests.words.fitting import TooLong, TracedLanguage, draw_shown, traced

STYLE = """
body { font-family: sans-serif; margin: 1em; display: grid; gap: 1em;
  grid-template-columns: repeat(auto-fill, minmax(400px, 1fr)); }
img { image-rendering: pixelated; width: 384px; height: 192px; margin: 2px; }
h2 { grid-column: 1 / -1; }
section { border: 2px solid #ccc; padding: 4px; }
section.long { border-color: #c00; }
dt { font-family: monospace; color: #555; }
dd { margin: 0 0 4px 1em; white-space: pre-wrap; }
b { color: #c00; }
"""


def words_page(
    language: Language, screens: Sequence[Shown], idioms: Mapping[str, frozenset[str]]
) -> str:
    """Return the page with these screens, and once more those with words of an idiom.

    idioms: the ids of the messages that have words of their own in it.
    """
    parts = [_sections(screens, language)]
    for idiom, ids in idioms.items():
        having = [shown for shown in screens if not ids.isdisjoint(messages_of(shown))]
        parts += [f"<h2>{escape(idiom)}</h2>", _sections(having, language.in_idioms(idiom))]
    sections = "\n".join(parts)
    title = escape(f"Screens in {language.name}")
    head = f'<meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>'
    return f'<!doctype html>\n<html lang="{language.code}">{head}\n{sections}\n</html>\n'


def _sections(screens: Iterable[Shown], language: Language) -> str:
    tracing = traced(language)
    return "\n".join(_section(shown, tracing) for shown in screens)


def _section(shown: Shown, language: TracedLanguage) -> str:
    language.ids.clear()
    drawn, faults = draw_shown(shown, language)
    images = "".join(f'<img alt="" src="{_data(image)}">' for image in drawn)
    texts = "".join(
        f"<dt>{escape(name)}<dd>{escape(words)}" for words, name in sorted(language.ids.items())
    )
    kind = ' class="long"' if faults else ""
    return f"<section{kind}>{images}<dl>{''.join(_lines(faults))}{texts}</dl></section>"


def _lines(faults: set[TooLong]) -> Iterator[str]:
    for fault in sorted(faults):
        yield f"<dt>{escape(fault.id)}<dd><b>{escape(str(fault))}</b>"


def _data(image: Image.Image) -> str:
    file = BytesIO()
    image.save(file, "PNG")
    return f"data:image/png;base64,{b64encode(file.getvalue()).decode()}"
