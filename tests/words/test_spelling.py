"""American spelling in `en`, British in `en_GB`: in the catalogs, cards of rules and manuals."""

import re
from pathlib import Path

import pytest

from tests.words.catalogs import entries, id_of, path_of, read_source, texts_of

TOP = Path(__file__).parents[2]
CARDS = TOP / "hardware" / "rules"
MANUALS = TOP / "pi_app" / "manual"
# How words begin in American and in British English.
SPELLINGS = {
    "behavior": "behaviour",
    "cancel(ed|ing)": "cancell(ed|ing)",
    "catalog(s|ed)?\\b": "catalogue",
    "center": "centre",
    "color": "colour",
    "counterclockwise": "anticlockwise",
    "defense": "defence",
    "encyclopedi": "encyclopaedi",
    "favor": "favour",
    "gray": "grey",
    "honor": "honour",
    "judgment": "judgement",
    "label(ed|ing)": "labell(ed|ing)",
    "meter": "metre",
    "neighbor": "neighbour",
    "organiz": "organis",
    "recogniz": "recognis",
    "travel(ed|er|ing)": "travell(ed|er|ing)",
}
AMERICAN = re.compile(rf"\b({'|'.join(SPELLINGS)})", re.IGNORECASE)
BRITISH = re.compile(rf"\b({'|'.join(SPELLINGS.values())}|cheque|licence|programme)", re.IGNORECASE)


def texts(code: str) -> dict[tuple[str, str], str]:
    """Return the texts of a catalog, its cards and its manual, by context and id or by file."""
    source = read_source(path_of(code).read_bytes(), code)
    found = {
        (entry.context or "", id_of(entry)): "\n".join(texts_of(entry)) for entry in entries(source)
    }
    files = (*CARDS.glob(f"*.{code}.md"), MANUALS / f"{code}.md")
    return found | {("file", path.name): path.read_text(encoding="utf-8") for path in files}


@pytest.mark.parametrize(("code", "foreign"), [("en", BRITISH), ("en_GB", AMERICAN)])
def test_each_english_has_its_own_spelling(code: str, foreign: re.Pattern[str]) -> None:
    found = {key: foreign.findall(text) for key, text in texts(code).items()}
    assert {key: words for key, words in found.items() if words} == {}


def test_british_has_its_own_text_where_the_american_spelling_is_another() -> None:
    american = {key for key, text in texts("en").items() if AMERICAN.search(text)}
    assert {key for key in american if key[0] != "file"} <= set(texts("en_GB"))
