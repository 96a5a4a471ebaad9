"""One game as one file: what is in it, and in which languages."""

import json
import re
from typing import Any

from pi_app.model.advice import ThrowReview
from pi_app.texts.language import ENGLISH, all_languages
from pi_app.web.game_file import game_file
from pi_app.web.kept_games import game_story, review_state, throws_to_review
from pi_app.web.state import say_all
from rules.lines.sheet import parse_sheet
from tests.pi_app.web.test_kept_games import GAME

LINES = tuple(parse_sheet(GAME.splitlines()))
DATA = re.compile(r'<script id="data" type="application/json">(.*)</script>')
REVIEWED = ThrowReview(1.5, 0.5, ("0-1(1)",), (0.6, None, 0.4, None))


def data_in(page: str) -> dict[str, Any]:
    found = DATA.search(page)
    assert found is not None
    return dict(json.loads(found[1]))


def spoken(value: Any, texts: list[str]) -> Any:
    """Return a value of the file in the language with these texts, as `kept.js` does."""
    match value:
        case {"$": int(number)}:
            return texts[number]
        case dict():
            return {key: spoken(member, texts) for key, member in value.items()}
        case list():
            return [spoken(member, texts) for member in value]
    return value


def test_a_file_has_the_answers_that_the_page_gets_in_each_language() -> None:
    asked, at = throws_to_review(LINES)
    found = [REVIEWED] * len(asked)
    data = data_in(game_file("7", LINES, found, ENGLISH, all_languages()))
    assert list(data["texts"]) == list(all_languages())
    for name, language in all_languages().items():
        answers = spoken(data["answers"], data["texts"][name])
        told = json.loads(json.dumps(say_all(game_story("7", LINES), language)))
        assert answers["games/7"] == told
        assert answers["games/7/review"] == say_all(review_state(asked, at, found), language)
        assert answers[f"board/{told['board']}"]["size"] == 19


def test_a_file_of_a_game_whose_review_is_not_ready_has_none() -> None:
    data = data_in(game_file("7", LINES, [None], ENGLISH, {"en": ENGLISH}))
    assert data["answers"]["games/7/review"]["of"] == 0


def test_a_name_in_a_file_can_not_end_its_data() -> None:
    lines = tuple(parse_sheet(GAME.replace('"Mia"', '"</script>"').splitlines()))
    page = game_file("7", lines, [None], ENGLISH, {"en": ENGLISH})
    assert data_in(page)["answers"]["games/7"]["seats"][0] == [0, "</script>"]


def test_a_file_names_no_other_file() -> None:
    page = game_file("7", LINES, [None], ENGLISH, all_languages())
    assert re.findall(r"<(?:link|img|iframe)|<script src|@import|url\(", page) == []
    assert "default-src 'none'" in page
