"""One game as one HTML file, which needs no table: the games page with the answers inside."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from typing import Any

from pi_app.model.advice import ThrowReview
from pi_app.texts.language import Language
from pi_app.web.geometry import board_geometry
from pi_app.web.kept_games import game_story, review_state, throws_to_review
from pi_app.web.pages import STATIC, page_html
from pi_app.web.state import say_all

# Browsers import no module from a disk, so the scripts follow one another in one function.
SCRIPTS = ("kept.js", "board.js", "dice.js", "texts.js", "plots.js", "games.js")
MODULE_WORDS = re.compile(r"^(import .*\n|export )", re.M)
FILE_TAG = re.compile(r'<(?:link|script) [^>]*?(?:href|src)="(.+?)".*\n')
POLICY = (
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; "
    "form-action 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'\">\n"
)


def game_file(
    number: str,
    lines: Iterable[str],
    found: Sequence[ThrowReview | None],
    language: Language,
    languages: Mapping[str, Language],
) -> str:
    """Return the file of a game in all `languages`, of which the reader's browser takes one.

    number: the game's. lines: of its checked record. found: the reviews of its throws; if one is
    None, the file is without luck and skill. language: for a browser that wants none of them.
    """
    lines = tuple(lines)
    asked, at = throws_to_review(lines) if None not in found else ((), ())
    names = tuple((name, one.code, one.name) for name, one in languages.items())
    page = page_html(STATIC, "games.html", language, names)
    story = game_story(number, lines)
    told = {
        f"games/{number}": story,
        f"games/{number}/review": review_state(asked, at, found if asked else ()),
    }
    texts: dict[tuple[Any, ...], int] = {}
    said = tuple(
        [_body(page_html(STATIC, "games.html", one, names)), say_all(told, one)]
        for one in languages.values()
    )
    body, answers = _join(said, texts)
    by_name = dict(zip(languages, zip(*texts, strict=True), strict=True)) if texts else {}
    data = {
        "number": number,
        "first": next(name for name, one in languages.items() if one == language),
        "texts": {name: by_name.get(name, ()) for name in languages},
        "body": body,
        "answers": {
            **answers,
            f"board/{story['board']}": board_geometry(*story["board"].split("/")),
        },
    }
    scripts = "".join(MODULE_WORDS.sub("", _read(name)) for name in SCRIPTS)
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    end = (
        f'<script id="data" type="application/json">{written}</script>\n'
        f'<script>(() => {{\n"use strict";\n{scripts}}})();</script>\n</body>'
    )
    page = FILE_TAG.sub(lambda tag: _inline(tag[1]), page).replace("<title>", f"{POLICY}<title>")
    return page.replace("<body>", '<body class="kept">').replace("</body>", end)


def _join(values: tuple[Any, ...], texts: dict[tuple[Any, ...], int]) -> Any:
    """Return what is told in each language as one value. texts: what differs, and its number.

    In place of a text that differs is {"$": its number}.
    """
    first = values[0]
    if all(value == first for value in values):
        return first
    if isinstance(first, dict):
        return {key: _join(tuple(value[key] for value in values), texts) for key in first}
    if isinstance(first, list):
        return [_join(members, texts) for members in zip(*values, strict=True)]
    return {"$": texts.setdefault(values, len(texts))}


def _body(page: str) -> str:
    return page.partition("<body>")[2].partition("</body>")[0]


def _inline(name: str) -> str:
    """Return the element for a style or for the script that has to come first, else ""."""
    if name.endswith(".css"):
        return f"<style>\n{_read(name)}</style>\n"
    return f"<script>\n{_read(name)}</script>\n" if name == "faults.js" else ""


def _read(name: str) -> str:
    return (resources.files(STATIC) / name).read_text("utf-8")
