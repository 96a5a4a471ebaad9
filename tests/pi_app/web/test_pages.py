"""The pages' files with the words of a language in them, and what pages are told in it."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack
from html.parser import HTMLParser
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request

from pi_app.model.screens import message
from pi_app.record.journal import FILE
from pi_app.record.summaries import Summary
from pi_app.settings.settings import Settings
from pi_app.texts.language import ENGLISH, Language
from pi_app.web.answers import RequestRefused, language_of
from pi_app.web.kept_games import game_story, list_games, review_state, throws_to_review
from pi_app.web.pages import page_html
from pi_app.web.stage import MAX_LANGUAGES, MAX_TABS, StateStream
from pi_app.web.state import say_all
from rules.lines.sheet import parse_sheet
from tests.pi_app.simulate.test_page import Answers
from tests.pi_app.sitting import Sitting, thrown
from tests.pi_app.texts.pseudo import longer, pseudo, stray_words
from tests.pi_app.web.tabs import tab_state
from tests.pi_app.web.test_kept_games import GAME
from tests.pi_app.web.test_turns import run

ROOT = Path(__file__).parents[3]
FILES = [
    ("pi_app.web.static", "games.html"),
    ("pi_app.web.static", "watch.html"),
    ("pi_app.web.static", "house.html"),
    ("pi_app.simulate", "page.html"),
    ("pi_app.club.static", "club.html"),
]
# Of an element what is read, heard or shown by a script.
TOLD = ("aria-label", "title", "alt", "placeholder")
SCRIPTS_OWN = {"data-seat", "data-button", "data-view", "data-with", "data-without", "data-thrown"}
# What a page is told under these names is for its script.
NOT_WORDS = {"board", "game", "state", "started", "number"}


NAMES = ("LUC", "Mia")  # who plays


class Words(HTMLParser):
    """The words of a file: its text as one, and its attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text: list[str] = []
        self.attributes: list[str] = []
        self._apart = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._apart += tag == "code"
        for name, value in attrs:
            if name in TOLD or (name.startswith("data-") and name not in SCRIPTS_OWN):
                self.attributes.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        self._apart -= tag == "code"

    def handle_data(self, data: str) -> None:
        if not self._apart:
            self.text.append(data)


@pytest.mark.parametrize(("package", "name"), FILES, ids=[name for _, name in FILES])
def test_a_file_has_no_words_but_its_languages(package: str, name: str) -> None:
    found = Words(page_html(package, name, pseudo(), ()))
    texts = ["\n".join(found.text), *found.attributes]
    assert [word for text in texts for word in stray_words(text, ["Pachisi Referee"])] == []
    assert any("[" in text for text in texts)
    assert not any("<" in text for text in found.attributes)


@pytest.mark.parametrize(("package", "name"), FILES, ids=[name for _, name in FILES])
def test_a_file_names_its_language_and_has_no_mark_left(package: str, name: str) -> None:
    html = page_html(package, name, ENGLISH, ())
    assert '<html lang="en">' in html
    assert "{{" not in html
    assert "\0" not in html


@pytest.mark.parametrize(
    "file",
    [*ROOT.glob("pi_app/**/*.html"), *ROOT.glob("systemd/**/*.html")],
    ids=attrgetter("name"),
)
def test_each_page_says_that_it_needs_scripts_if_they_are_switched_off(file: Path) -> None:
    head, _, body = file.read_text().partition("<body>")
    if 'src="faults.js"' not in head and file.parent.name == "static":
        return  # it works without
    assert "<noscript><p>" in body


def test_a_sentence_has_its_buttons_and_commands_as_elements() -> None:
    table, games = (
        page_html("pi_app.simulate", "page.html", ENGLISH, ()),
        page_html(*FILES[0], ENGLISH, ()),
    )
    assert "<li>Press <b>OK</b> on two or more panels to join.</li>" in table
    assert "<kbd>1</kbd> to <kbd>6</kbd>: type the die" in table
    assert "<kbd>0</kbd> to <kbd>6</kbd>: type the cowries" in table
    assert "To add a game from a file, run <code>referee import FILE</code>." in games


def test_the_table_s_page_speaks_of_dice_and_of_cowries() -> None:
    table = page_html("pi_app.simulate", "page.html", ENGLISH, ())
    assert 'data-dice="Dome: throw the dice" data-cowries="Dome: throw the cowries"' in table


# What pages are told.


def words_in(told: Any) -> Iterator[str]:
    """Yield all words in what a page is told."""
    if isinstance(told, dict):
        for key, value in told.items():
            if key not in NOT_WORDS:
                yield from words_in(value)
    elif isinstance(told, list):
        for one in told:
            yield from words_in(one)
    elif isinstance(told, str):
        yield told


def stray(told: Any) -> list[str]:
    texts = list(words_in(json.loads(json.dumps(told))))
    assert any("[" in text for text in texts)
    return [word for text in texts for word in stray_words(text, [*NAMES, "{when}"])]


def tables() -> Iterator[Sitting]:
    """Yield tables at which something else can be chosen each."""
    joining = Sitting(settings=Settings({"player.A": "LUC red", "box.C": "club"}))
    joining.ok(0)
    yield joining
    chosen = Sitting()
    chosen.begin(0, 2, ruleset="findler")
    yield chosen
    tumbling = Sitting(dice=[(6, 2)])
    tumbling.resume("30,12,N,N/1,N,N,N/N,N,N,N/-", 0, "findler")
    tumbling.dome()
    yield tumbling
    yield thrown("30,12,N,N/1,N,N,N/N,N,N,N/-", (6, 2), "findler")
    yield thrown("N,N,N,N/1,N,N,N/N,N,N,N/-", (6, 2))
    for position in ("H,r3,12,N/45,45,7,N/20,3,N,N/-", "N,N,N,N/45,45,7,N/20,3,N,N/-"):
        penalty = Sitting(dice=[(4, 4)])
        penalty.resume(position, 0, doublets=2)
        penalty.throw()
        yield penalty
    over = thrown("H,H,H,r6/45,45,7,N/20,3,N,N/-", (2, 6))
    over.ok(0)
    yield over


def test_spectators_are_told_in_their_pages_language() -> None:
    for table in tables():
        state = tab_state(table.reply, pseudo())
        assert stray(state) == [], state["doing"]


def test_a_game_and_its_luck_are_told_in_their_pages_language() -> None:
    lines = tuple(parse_sheet(GAME.splitlines()))
    assert stray(say_all(game_story("7", lines), pseudo())) == []
    looks, frames = throws_to_review(lines)
    review = review_state(looks, frames, [None] * len(looks))
    assert stray(say_all(review, pseudo())) == []


def test_the_list_of_games_is_told_in_its_pages_language() -> None:
    own = Summary("7", "findler", (0, 2), {"A": "Mia"}, True, (2,), None, 2700.0, 113)
    damaged = Summary("8", "house rules", (0, 2), {}, False, (), None, None, 0, is_damaged=True)
    unreadable = Summary("9", "can't be read", (), {}, False, (), None, None, 0, is_damaged=True)
    other = Summary("i1", "pb", (0, 1), {}, True, (), None, None, 1)
    assert stray(say_all(list_games([own, damaged, unreadable, other]), pseudo())) == []


@pytest.mark.slow
def test_what_a_page_is_refused_is_told_in_its_language(tmp_path: Path) -> None:
    with ExitStack() as closing:
        served = Answers(tmp_path, closing, pseudo())
        refused = [served.ask("games/7"), served.ask("no/such/page")]
        tabs = [served.tab() for _ in range(MAX_TABS)]
        refused.append(served.ask("stream"))
        assert len(tabs) == MAX_TABS
        (tmp_path / FILE).unlink()
        refused += [served.ask("games"), served.ask("games/7"), served.ask("games/7/review")]
    assert [status for status, _, _ in refused] == [404, 404, 503, 503, 503, 503]
    assert [word for _, said, _ in refused for word in stray_words(said)] == []


# Which language.


def test_a_page_lists_its_languages_each_by_its_own_name() -> None:
    languages = (("en", "en", "English"), ("en_GB", "en-GB", "English (UK)"), ("de", "de", "D<"))
    for package, name in FILES:
        html = page_html(package, name, ENGLISH, languages)
        assert (
            '<select id="language" aria-label="language" autocomplete="off">'
            '<option value="en" lang="en" selected>English</option>'
            '<option value="en_GB" lang="en-GB">English (UK)</option>'
            '<option value="de" lang="de">D&lt;</option></select>'
        ) in html
        assert 'id="language"' not in page_html(package, name, ENGLISH, languages[:1])


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({}, "en"),
        ({"accept-language": "de-AT, en;q=0.5"}, "de"),
        ({"accept-language": "de", "cookie": "language=en"}, "en"),
        ({"accept-language": "fr", "cookie": "keys=off; language=de"}, "de"),
        ({"accept-language": "de", "cookie": "language=../../xx"}, "de"),
    ],
)
def test_a_reader_gets_the_language_chosen_on_a_page_or_the_browsers(
    headers: dict[str, str], code: str
) -> None:
    languages = {"en": ENGLISH, "de": longer()}
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    request = Request({"type": "http", "headers": raw})
    assert language_of(request, languages) is languages[code]


def test_a_text_is_made_once_a_change_and_language_in_use() -> None:
    made: list[Language] = []

    def text(language: Language) -> str:
        made.append(language)
        return language.say(message("players-join"), "page")

    async def tabs() -> list[bytes]:
        stage = StateStream(text)
        several = [stage.add_tab(one) for one in (ENGLISH, longer(), ENGLISH, longer())]
        streams = [stage.states(tab) for tab in several]
        first = [await anext(stream) for stream in streams]
        stage.note_change()
        await asyncio.sleep(0)
        return first + [await anext(stream) for stream in streams]

    lines = run(tabs)
    assert made == [ENGLISH, longer()] * 2
    assert lines[0] == lines[2] != lines[1] == lines[3]


def test_at_most_six_languages_are_in_use_at_once() -> None:
    async def tabs() -> None:
        stage = StateStream(lambda language: "")
        languages = [ENGLISH.in_idioms(str(n)) for n in range(MAX_LANGUAGES + 1)]
        first, *_ = [stage.add_tab(language) for language in languages[:-1]]
        stage.add_tab(languages[0])
        with pytest.raises(RequestRefused):
            stage.add_tab(languages[-1])
        stage.remove_tab(first)
        with pytest.raises(RequestRefused):  # another tab has that language
            stage.add_tab(languages[-1])

    run(tabs)
