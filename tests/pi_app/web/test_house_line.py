"""The page that explains a line of house rules: its answer to good, wrong and hostile lines."""

import re
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import pytest
from starlette.requests import Request

import pi_app.web.house_line
from pi_app.config.reading import parse_config
from pi_app.settings.houses import parse_house
from pi_app.texts.language import ENGLISH, find_language
from pi_app.web.house_line import MOST, house_route
from rules.ruleset import OPTIONS, PRESETS
from tests.pi_app.commands.test_rules import PANELS
from tests.pi_app.web.test_turns import run

STATIC = Path(pi_app.web.house_line.__file__).with_name("static")
ROUTE = house_route({"en": ENGLISH, "de": find_language("de")})


def answered(line: str, language: str = "en") -> str:
    """Return the page's HTML for a line."""
    query = urlencode({"line": line}).encode()
    headers = [(b"accept-language", language.encode())]
    request = Request({"type": "http", "query_string": query, "headers": headers})
    return bytes(run(lambda: ROUTE.endpoint(request)).body).decode()


@pytest.mark.parametrize("page", ["house.html", "watch.html"])
def test_a_field_takes_a_line_as_long_as_one_may_be(page: str) -> None:
    html = (STATIC / page).read_text(encoding="utf-8")
    assert re.findall(r'name="line" maxlength="(\d+)"', html) == [str(MOST)]


def wrong(line: str, language: str = "en") -> str:
    return unescape("".join(re.findall(r'role="alert">(.*)</p>', answered(line, language))))


def copied(line: str) -> list[str]:
    return [unescape(text) for text in re.findall(r"(?s)readonly>(.*?)</textarea>", answered(line))]


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", ["Ludo", "the first pawn home wins"]), ("de", ["Ludo", "die erste Figur gewinnt"])],
)
def test_a_line_is_answered_with_its_words(language: str, words: list[str]) -> None:
    page = answered(" LUDO-UK  To-Win:1\n", language)
    assert re.findall(r"<li>(.*?)</li>", page) == words
    assert 'value="LUDO-UK To-Win:1"' in page


def test_what_is_copied_makes_these_house_rules() -> None:
    table, command = copied("LUDO-UK to-win:1")
    house = parse_house("ludo-uk to-win:1")
    assert parse_config(f"{PANELS}{table}\n").houses == {"ours": house}
    assert command == 'sudo referee config --house ours "ludo-uk to-win:1"'


@pytest.mark.parametrize("line", ["", " "])
def test_nothing_is_answered_with_nothing(line: str) -> None:
    assert "<!--answer-->" in answered(line)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("ludo to-win:1", "“ludo” is not known here."),
        ("ludo-uk play-on:true To-Win:7", "“To-Win:7” is not known here."),
        ("ludo-uk too:1 play-on:true", "“too:1” is not known here."),
        ("ludo-uk partners:true play-on:true", "Sides end the game together."),
        (
            "ludo-uk to-win:1 Lots:cowries-mitra",
            "These do not go together: ludo-uk and Lots:cowries-mitra.",
        ),
        ("ludo-uk " + 5000 * "9", "A line has at most 1200 characters."),
        ("ludo-uk " + 900 * "9", f"“{40 * '9'}” is not known here."),
        (900 * "[", f"“{40 * '['}” is not known here."),
        ("{}", "“{}” is not known here."),
        ("ludo-uk to-win:{word}", "“to-win:{word}” is not known here."),
        ("ludo-uk \0", "“\0” is not known here."),
        ('"><script>alert(1)</script>', '“"><script>alert(1)</script>” is not known here.'),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(line: str, sentence: str) -> None:
    assert wrong(line) == sentence
    assert copied(line) == []


def test_what_is_wrong_is_said_in_the_readers_language() -> None:
    assert wrong("ludo-uk to-win:7", "de") == "„to-win:7“ ist hier unbekannt."


def test_no_line_puts_anything_into_the_page() -> None:
    for hostile in ("<script>", '" onfocus="x', "</textarea><b>", "<!--answer-->"):
        for line in (hostile, f"ludo-uk {hostile}", f'{{"base":"ludo-uk","to_win":1}}{hostile}'):
            page = answered(line)
            assert not re.search(r"<script>|<b>|[^;] onfocus|<!--answer", page), line


def test_a_line_with_all_options_is_short_enough() -> None:
    longest = [max(map(len, map(str, one.values))) for one in OPTIONS.values()]
    assert max(map(len, PRESETS)) + sum(map(len, OPTIONS)) + sum(longest) + 2 * len(OPTIONS) <= MOST
