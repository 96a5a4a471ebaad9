"""`make words`: brings catalogs up to date, compiles them, and says what a translator must mend.

`make words LANGUAGE=pt` does so for one language. If it is new, its catalog is made. Each language
gets a page with an evening and all screens, build/words-pt.html.
"""

import shutil
import sys
from pathlib import Path

from babel.localedata import exists
from babel.messages.catalog import Catalog as Source

from hardware import sheets
from pi_app.texts.language import ENGLISH_CODE, language
from tests.pi_app.texts.shown import kept_screens
from tests.words.catalogs import (
    compiled,
    ids_by_idiom,
    language_of,
    path_of,
    problems,
    read_source,
    source_codes,
    synchronized,
    written,
)
from tests.words.evening import Evening
from tests.words.fitting import too_long
from tests.words.page import PROGRAM, words_page

TOP = Path(__file__).parents[2]
BUILD = TOP / "build"


def update(code: str) -> list[str]:
    """Write a catalog with all messages, its compiled form and its page. Return what is wrong."""
    path = path_of(code)
    if path.exists():
        source = read_source(path.read_bytes(), code)
    else:
        source = Source(locale=code, header_comment="")
    if code != ENGLISH_CODE:
        source = synchronized(source, code)
        path.write_bytes(written(source))
        source = read_source(path.read_bytes(), code)
    path.with_suffix(".mo").write_bytes(compiled(source))
    language.cache_clear()  # the sheets are in the language that has just been compiled
    BUILD.mkdir(exist_ok=True)
    page = BUILD / f"words-{code}.html"
    spoken, idioms = language_of(source), ids_by_idiom(source)
    moments = Evening(code).news()
    manual = f"pi_app/manual/{code}.md"
    page.write_text(words_page(spoken, kept_screens(), idioms, moments), encoding="utf-8")
    return [
        *problems(source, code),
        *map(str, too_long(spoken, idioms)),
        *sheets.too_long(code),
        *([] if "_" in code else (f"{file} is missing" for file in sheets.untranslated(code))),
        *([] if (TOP / manual).exists() else [f"{manual} is missing"]),
    ]


def main(codes: tuple[str, ...]) -> int:
    """Update these catalogs, or all. Return how many texts must be mended, at most 1."""
    for code in codes:
        if not exists(code):
            raise SystemExit(f"{code!r} is not a language that Babel knows, such as de or pt_BR")
    faults = 0
    for code in codes or source_codes():
        found = update(code)
        faults += len(found)
        for line in found:
            print(f"{code}: {line}")
        print(f"{code}: {len(found)} to mend; all screens are in build/words-{code}.html")
    if shutil.which(PROGRAM) is None:
        print(f"the evenings have no sound: install {PROGRAM}")
    return min(faults, 1)


if __name__ == "__main__":
    sys.exit(main(tuple(sys.argv[1:])))
