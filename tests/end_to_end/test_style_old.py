"""The pages' styles use only what Chromium 73 has, as that browser itself says.

stylelint's plugin for this was tried. It had 68 complaints about our styles, none of which was a
fault, and did not know `aspect-ratio`, `color-mix` and `overflow-wrap: anywhere`.
"""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.core import ROOT
from tests.end_to_end.old import OldBrowser
from tests.end_to_end.page import Driven, Watched

pytestmark = pytest.mark.browser

STYLES = sorted(ROOT.glob("pi_app/**/*.css"))
INSTEAD = "@supports not (width: min(1px, 2px))"  # what is in its block is for old browsers
NEEDED = re.compile(r"@supports \(|@media \(forced-colors")  # old browsers leave these blocks out
HARMLESS = {
    "accent-color": "the slider has the browser's colour",
    "contain-intrinsic-size": "it goes with content-visibility",
    "content-visibility": "tiles that are out of sight are drawn, too",
    "color-scheme": "lists and scrollbars are light",
    "container-type": "games.css uses its unit only if the browser knows it",
    "text-decoration-thickness": "the line has its usual thickness",
    "text-underline-offset": "the line is at its usual place",
}
WITHOUT = {":focus:not(:focus-visible)"}  # the focus shows after a click, too
TOO_NEW = (
    "a { inset: 0; }",
    "a { aspect-ratio: 2; }",
    "a { display: flex; gap: 3px; }",
    "a { width: min(1px, 2px); }",
    "a { width: clamp(1px, 2px, 3px); }",
    "a { --pad: min(1px, 2px); }",
    "a { --pad: 1svh; }",
    "a { height: calc(1px + max(1px, var(--pad))); }",
    "a { width: 1cqw; }",
    "a { height: 100dvh; }",
    "a { color: color-mix(in srgb, red 50%, #000); }",
    "a { overflow-wrap: anywhere; }",
    "a:focus, a:focus-visible { color: red; }",
    "a:has(b) { color: red; }",
    "a:is(b) { color: red; }",
    "a:where(b) { color: red; }",
)
VALUES = ("1px", "red", "1", "1s")  # of a variable, one of which fits
ANY = ("width", "color", "opacity", "background", "animation-duration")  # may take a variable
IS_KNOWN = """%s.map((questions) => questions.some(([kind, name, value]) => {
    if (kind === "value") return CSS.supports(name, value);
    try { document.querySelector(name); return true; } catch (error) { return false; } }))"""
FLEX_GAPS = """[...document.querySelectorAll("body *")].filter((one) => {
    const { display, columnGap } = getComputedStyle(one);
    return display.includes("flex") && columnGap !== "normal"; }).map((one) => one.outerHTML)"""


def blocks(css: str, start: re.Pattern[str]) -> Iterator[str]:
    """Yield each block that starts so, from its first letter to its closing brace."""
    for found in start.finditer(css):
        end, depth = css.index("{", found.start()) + 1, 1
        while depth:
            depth += {"{": 1, "}": -1}.get(css[end], 0)
            end += 1
        yield css[found.start() : end]


def rules(css: str) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield the selectors of each rule with its declarations."""
    for selectors, body in re.findall(r"([^{};]+)\{([^{}]*)\}", css):
        lines = (
            line.partition(":")
            for line in body.replace("!important", "").split(";")
            if line.strip()
        )
        yield selectors.strip(), [[name.strip(), value.strip()] for name, _, value in lines]


def questions(name: str, value: str) -> list[list[str]]:
    """Return what to ask about a declaration: it is known if one answer is yes."""
    names = ANY if name.startswith("--") else (name,)
    filled = {re.sub(r"var\([\w-]+\)", one, value) for one in VALUES}
    return [["value", name, value] for name in names for value in sorted(filled)]


def unknown(old: OldBrowser, css: str) -> list[str]:
    """Return what the browser leaves out and has nothing instead of."""
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.S)
    instead = "".join(blocks(css, re.compile(re.escape(INSTEAD))))
    for block in [*blocks(css, NEEDED), instead]:
        css = css.replace(block, "") if block else css
    replaced = {name for _, lines in rules(instead) for name, _ in lines}
    asked: list[tuple[str, list[list[str]]]] = []
    left_out = []
    for selectors, lines in rules(css):
        if not re.fullmatch(r"(from|to|[\d.]+%|, ?)+", selectors):
            asked.append((selectors, [["selector", selectors, ""]]))
        if ["display", "flex"] in lines and {"gap", "column-gap"} & {name for name, _ in lines}:
            left_out.append(f"{selectors}: gap in a flex")
        for n, (name, value) in enumerate(lines):
            again = name in [before for before, _ in lines[:n]]  # a plain value comes first
            if name not in (HARMLESS.keys() | replaced) and not again:
                asked.append((f"{selectors}: {name}: {value}", questions(name, value)))
    known = old.run(IS_KNOWN % json.dumps([some for _, some in asked]))
    left_out += [what for (what, _), yes in zip(asked, known, strict=True) if not yes]
    return [what for what in left_out if what not in WITHOUT]


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_an_old_browser_leaves_nothing_out_that_matters(old: OldBrowser, path: Path) -> None:
    assert unknown(old, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("css", TOO_NEW)
def test_each_of_the_features_that_were_too_new_is_found(old: OldBrowser, css: str) -> None:
    assert unknown(old, css) != []


def test_no_row_has_gaps_that_an_old_browser_does_not_make(old: OldBrowser, driven: Driven) -> None:
    with ExitStack() as closing:
        watched = Watched(closing, seed=2).url
        for url in (driven.url, watched, f"{watched}games.html", f"{watched}house.html?line=pb"):
            old.open(url)
            assert old.run(FLEX_GAPS) == []
