"""The manual for the table as an HTML page in each language, from `pi_app/manual`."""

import re
from base64 import b64encode
from html import escape
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

FOLDER = Path("pi_app") / "manual"
STYLE = Path(__file__).parent / "manual.css"
PICTURE = re.compile(r'(?<=src=")[^"]+')
TITLE_TOKENS = 3  # the heading opens, its words, it closes


def manual_codes(root: Path) -> list[str]:
    """Return the codes of the languages that have a manual. root: the folder of the project."""
    return sorted(path.stem for path in (root / FOLDER).glob("*.md"))


def manual_html(root: Path, code: str, version: str) -> str:
    """Return the manual in a language: its title, the contents, then the chapters."""
    markdown = MarkdownIt("commonmark", {"html": True}).enable("table").disable("html_block")
    tokens = markdown.parse((root / FOLDER / f"{code}.md").read_text(encoding="utf-8"))
    (_, _, title), *headings = add_anchors(tokens)
    parts = tokens[:TITLE_TOKENS], tokens[TITLE_TOKENS:]
    heading, body = (markdown.renderer.render(part, markdown.options, {}) for part in parts)
    page = (
        f'<!doctype html>\n<html lang="{code.replace("_", "-")}">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>\n{STYLE.read_text(encoding='utf-8')}</style>\n"
        f'<p class="version">Pachisi Referee {escape(version)}</p>\n'
        f"{heading}<nav>\n{contents(headings)}</nav>\n<main>\n{body}</main>\n</html>\n"
    )
    return PICTURE.sub(lambda match: _data(root / FOLDER / match[0]), page)


def add_anchors(tokens: list[Token]) -> list[tuple[str, str, str]]:
    """Give each heading the name by which links know it. Return its tag, this name and its text."""
    headings = []
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            anchor = re.sub(r"[^\w -]", "", inline.content.lower()).replace(" ", "-")
            opening.attrSet("id", anchor)
            headings.append((opening.tag, anchor, inline.content))
    return headings


def contents(headings: list[tuple[str, str, str]]) -> str:
    """Return the list of the chapters and their parts."""
    lines = (
        f'<li class="{tag}"><a href="#{anchor}">{escape(words)}</a>\n'
        for tag, anchor, words in headings
    )
    return f"<ul>\n{''.join(lines)}</ul>\n"


def _data(picture: Path) -> str:
    """Return a picture as the value of `src`, so that the page is a single file."""
    return f"data:image/png;base64,{b64encode(picture.read_bytes()).decode()}"
