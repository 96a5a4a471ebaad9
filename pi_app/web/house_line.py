"""The page that says what a line of house rules means, and how a table takes it."""

from html import escape

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pi_app.config.writing import house_text
from pi_app.model.screens import Message, Text, message
from pi_app.settings.houses import parse_house
from pi_app.settings.offers import idioms_of, rules_lines
from pi_app.texts.language import Language
from pi_app.texts.rule_words import REFUSALS
from pi_app.web.answers import NO_STORE, Languages, language_of, read_page
from pi_app.web.pages import STATIC
from rules.ruleset import OPTIONS, RuleSetError

MOST = 1200  # characters of a line: one with all options has fewer
MOST_OF_WORD = 40  # in an answer
NAME = "ours"  # of the house rules, for who takes them


def house_route(languages: Languages) -> Route:
    """Return the route of the page, which has an answer if the address has a line."""

    async def answer(request: Request) -> Response:
        html = read_page(request, STATIC, "house.html", languages)
        if line := " ".join(request.query_params.get("line", "").split()):
            html = html.replace("<!--answer-->", _answer(line, language_of(request, languages)))
            html = html.replace('name="line"', f'name="line" value="{escape(line[:MOST])}"')
        return Response(html, headers=NO_STORE, media_type="text/html")

    return Route("/house.html", answer)


def _answer(line: str, language: Language) -> str:
    """Return the words of house rules, and what to copy; or what is wrong with their line."""

    def say(text: Text) -> str:
        return escape(language.say(text, "page"))

    if wrong := _find_fault(line):
        return f'<p id="answer" class="wrong" role="alert">{say(wrong)}</p>'
    house = parse_house(line)
    language = language.in_idioms(*idioms_of(house.ruleset))
    words = "".join(f"<li>{say(one)}</li>" for one in rules_lines(house, len(OPTIONS)))
    command = f'sudo referee config --house {NAME} "{house.line}"'
    ways = (
        (message("house-by-file"), house_text(NAME, house.changes).rstrip()),
        (message("house-by-command"), command),
    )
    fields = (
        f'<label for="way{n}">{say(way)}</label>'
        f'<textarea id="way{n}" rows="{max(3, len(text.splitlines()))}" readonly>'
        f"{escape(text)}</textarea>"
        f'<button type="button" class="copy" aria-describedby="way{n}" hidden>'
        f"{say(message('copy-line'))}</button>"
        for n, (way, text) in enumerate(ways)
    )
    return f'<ul id="answer">{words}</ul>{"".join(fields)}'


def _find_fault(line: str) -> Message | None:
    """Return what is wrong with a line, and where; None if nothing is."""
    if len(line) > MOST:
        return message("line-has-at-most", most=MOST)
    base, *options = line.split()
    for word, part in ((base, base), *((one, f"{base} {one}") for one in options), ("", line)):
        try:
            parse_house(part)
        except ValueError as error:
            together = error.together if isinstance(error, RuleSetError) else ""
            if not together:
                return message("line-word-unknown", word=word[:MOST_OF_WORD])
            if not word:
                named = together.replace("_", "-").split("+")
                words = (one for one in options if one.lower().partition(":")[0] in named)
                return REFUSALS.get(together, message("not-together", words=(base, *words)))
    return None
