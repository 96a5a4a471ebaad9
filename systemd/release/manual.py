"""The manual for the table as HTML: a first page in each language, then how to play.

How to play is `pi_app/README.md` without the parts for builders and programmers. The words of the
first pages are in the catalogs of texts.
"""

import re
from base64 import b64encode
from html import escape
from io import BytesIO
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from PIL import Image

from pi_app.display.view import draw
from pi_app.model.events import Button, DiceDrawn, Down, Resume, Setup, Tick, Up
from pi_app.model.screens import Message, Screen, message
from pi_app.table.core.speech import screen_words
from pi_app.table.session import handle, new_session
from pi_app.texts.language import Language, all_languages
from rules.game import at
from rules.history import Record
from rules.position import parse_position
from rules.ruleset import DEFAULT_PRESET, PRESETS

SOURCE = Path("pi_app") / "README.md"
STYLE = Path(__file__).parent / "manual.css"
# The headings of the parts that are not for the players at a table.
LEFT_OUT = (
    "On the page",
    "Kept games",
    "Test the dice",
    "Back up the games",
    "Report a bug",
    "More to try",
)
HEADING = re.compile(r"^(#+) (.*)$", re.MULTILINE)
PICTURE = re.compile(r'(?<=src=")(?!data:)[^"]+')
BUTTONS = {"ok": "OK", "next": "NEXT"}
HELP = (
    message("help-join", **BUTTONS),
    message("help-begin", **BUTTONS),
    message("help-throw"),
    message("help-choose", **BUTTONS),
    message("help-menu", **BUTTONS),
)
POSITION = "H,r3,12,N/45,45,7,N/20,3,N,N/-"  # of the screen on the first pages


def manual_html(root: Path, version: str) -> str:
    """Return the manual. root: the folder of the project."""
    text = leave_out((root / SOURCE).read_text(encoding="utf-8"), LEFT_OUT)
    markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
    tokens = markdown.parse(text)
    headings = add_anchors(tokens)
    remove_outer_links(tokens, {f"#{anchor}" for _, anchor, _ in headings})
    body = markdown.renderer.render(tokens, markdown.options, {})
    title = escape(f"Pachisi Referee {version}")
    codes: dict[str, str] = {}  # a country's page is left out if its words are its language's
    for language in all_languages().values():
        codes.setdefault(first_page(language), language.code)
    pages = "\n".join(f'<section lang="{codes[page]}">\n{page}</section>' for page in codes)
    style = STYLE.read_text(encoding="utf-8")
    page = (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{title}</title>\n<style>\n{style}</style>\n"
        f'<p class="version">{title}</p>\n{pages}\n'
        f"<nav>\n<h1>Contents</h1>\n{contents(headings)}</nav>\n<main>\n{body}</main>\n</html>\n"
    )
    folder = (root / SOURCE).parent
    return PICTURE.sub(lambda match: _png(Image.open(folder / match[0])), page)


# How to play.


def leave_out(text: str, headings: tuple[str, ...]) -> str:
    """Return a Markdown text without the parts that have these headings."""
    for heading in headings:
        [found] = [match for match in HEADING.finditer(text) if match[2] == heading]
        following = HEADING.finditer(text, found.end())
        ends = (match.start() for match in following if len(match[1]) <= len(found[1]))
        text = text[: found.start()] + text[next(ends, len(text)) :]
    return text


def add_anchors(tokens: list[Token]) -> list[tuple[str, str, str]]:
    """Give each heading the name by which links know it. Return its tag, this name and its text."""
    headings = []
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            anchor = re.sub(r"[^\w -]", "", inline.content.lower()).replace(" ", "-")
            opening.attrSet("id", anchor)
            headings.append((opening.tag, anchor, inline.content))
    return headings


def remove_outer_links(tokens: list[Token], inner: set[str]) -> None:
    """Leave only the words of each link whose address is not one of `inner`."""
    for token in tokens:
        outer, kept = False, []
        for child in token.children or ():
            if child.type == "link_open":
                outer = child.attrGet("href") not in inner
            if not (outer and child.type in ("link_open", "link_close")):
                kept.append(child)
        token.children = kept or token.children


def contents(headings: list[tuple[str, str, str]]) -> str:
    """Return the list of the chapters, which are the headings of the second level."""
    lines = (
        f'<li><a href="#{anchor}">{escape(words)}</a>\n'
        for tag, anchor, words in headings
        if tag == "h2"
    )
    return f"<ul>\n{''.join(lines)}</ul>\n"


# The first pages.


def first_page(language: Language) -> str:
    """Return the page that tells in a language what the referee is, and how a turn goes."""

    def say(text: Message) -> str:
        return escape(language.say(text, "page"))

    screen = turn_screen()
    image, words = draw(screen, language), escape(screen_words(screen, language))
    helps = "".join(f"<li>{say(text)}\n" for text in HELP)
    return (
        f"<h1>{say(message('manual-title'))}</h1>\n"
        f"<p>{say(message('manual-referee'))}\n"
        f'<p><img alt="{words}" src="{_png(image)}">\n'
        f"<ol>\n{helps}</ol>\n<p>{say(message('manual-follows'))}\n"
    )


def turn_screen() -> Screen:
    """Return the screen of a turn: A has thrown and may choose."""
    rules = PRESETS[DEFAULT_PRESET]
    game = at(rules, parse_position(POSITION, rules), 0, 0)
    session = new_session(Setup())
    dome = Button(None, "dome")
    for event in (
        Tick(0.0),
        Resume(Record(game, host=0), 0.0),
        Down(dome, 5.0),
        DiceDrawn((5, 3), "simulated", 5.0),
        Up(dome, 5.1),
        Tick(60.0),
    ):
        reply = handle(session, event)
        session = reply.session
    return reply.screen


def _png(image: Image.Image) -> str:
    """Return a picture as the value of `src`, so that the page is a single file."""
    packed = BytesIO()
    image.save(packed, "PNG", optimize=True)
    return f"data:image/png;base64,{b64encode(packed.getvalue()).decode()}"
