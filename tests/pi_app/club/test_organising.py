"""Entries over HTTP: the password, other sites, and what the page gets back."""

import asyncio
import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.types import ASGIApp, Message

from pi_app.club.ledger import Ledger
from pi_app.club.organising import TRIES, TRIES_S, Organising
from pi_app.club.tables import LiveTable
from pi_app.mqtt.messages import OFFLINE
from pi_app.texts.language import ENGLISH
from pi_app.web.answers import error_handlers

LANGUAGES = {"en": ENGLISH}
SECRET = "Dame & König"


class Clock:
    """The monotonic clock of a page, set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Page:
    """An organiser's page in this process."""

    def __init__(self, path: Path, password: str | None = SECRET) -> None:
        self.clock = Clock()
        away = LiveTable("attic", availability=OFFLINE)
        tables = {"attic": away, "kitchen": LiveTable("kitchen")}
        organising = Organising(
            Ledger(path), lambda: tables, LANGUAGES, password, lambda: 1000.0, self.clock
        )
        self._application: ASGIApp = Starlette(
            routes=organising.routes, exception_handlers=error_handlers(LANGUAGES)
        )

    def ask(
        self, method: str, path: str, entry: Any = None, password: str = "", **more: str
    ) -> tuple[int, str]:
        """Return status and text of an answer."""
        headers = {"host": "club", "content-type": "application/json", **more}
        if password:
            headers["authorization"] = f"Basic {b64encode(f'me:{password}'.encode()).decode()}"
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "root_path": "",
            "scheme": "http",
            "query_string": b"",
            "server": ("club", 80),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
        body = b"" if entry is None else json.dumps(entry).encode()
        requests = [{"type": "http.request", "body": body}, {"type": "http.request", "body": b""}]
        answers: list[Message] = []

        async def receive() -> Message:
            return requests.pop(0)

        async def send(answer: Message) -> None:
            answers.append(answer)

        async def answer() -> None:
            await self._application(scope, receive, send)

        asyncio.run(answer())
        return answers[0]["status"], b"".join(one.get("body", b"") for one in answers).decode()

    def enter(self, entry: Any) -> dict[str, Any]:
        status, text = self.ask("POST", "/organise/entry", entry, SECRET)
        assert status == 200, text
        said: dict[str, Any] = json.loads(text)
        return said


@pytest.fixture
def page(tmp_path: Path) -> Page:
    return Page(tmp_path / "club.sqlite")


def test_an_evening_from_people_to_standings(page: Page) -> None:
    for name in ("Ann", "Ben", "Cat"):
        people = page.enter({"kind": "person", "name": name})["people"]
    ids = {name: id for id, name in people.items()}
    tournament = {"name": "Winter", "people": [*people], "rounds": 2, "scheme": "places"}
    [winter] = page.enter({"kind": "tournament", **tournament})["tournaments"]
    key = winter["tournament"]
    state = page.enter({"kind": "round", "tournament": key})
    [[table]] = state["tournaments"][0]["played"]
    assert (sorted(table["people"]), table["at"], table["tiers"]) == (
        sorted(people),
        "kitchen",
        None,
    )
    assert state["tables"][1]["people"] == dict(zip("012", table["people"], strict=True))
    tiers = [[ids["Cat"]], [ids["Ann"], ids["Ben"]]]
    state = page.enter(
        {"kind": "result", "tournament": key, "round": 1, "table": 0, "tiers": tiers}
    )
    standings = state["tournaments"][0]["standings"]
    assert [(one["place"], one["points"]) for one in standings] == [(1, 7), (2, 2.5), (2, 2.5)]
    assert json.loads(page.ask("GET", "/tournament/state")[1]) == state


def test_everybody_may_look_and_only_the_organiser_may_write(page: Page) -> None:
    entry = {"kind": "person", "name": "Ann"}
    assert page.ask("GET", "/tournament/state")[0] == 200
    assert page.ask("POST", "/organise/entry", entry)[0] == 401
    assert page.ask("POST", "/organise/entry", entry, "guess")[0] == 401
    assert page.ask("GET", "/organise.html")[0] == 401
    other = {"origin": "http://elsewhere"}
    assert page.ask("POST", "/organise/entry", entry, SECRET, **other)[0] == 403
    assert json.loads(page.ask("GET", "/tournament/state")[1])["people"] == {}


def test_after_ten_wrong_passwords_even_the_right_one_waits_a_minute(page: Page) -> None:
    entry = {"kind": "person", "name": "Ann"}
    for _ in range(TRIES):
        assert page.ask("POST", "/organise/entry", entry, "guess")[0] == 401
    assert page.ask("POST", "/organise/entry", entry, SECRET) == (
        429,
        "too many wrong passwords: try again in a minute\n",
    )
    page.clock.now += TRIES_S
    assert page.ask("POST", "/organise/entry", entry, SECRET)[0] == 200


def test_without_a_password_there_is_no_organiser(tmp_path: Path) -> None:
    page = Page(tmp_path / "club.sqlite", password=None)
    assert page.ask("GET", "/tournament/state")[0] == 200
    assert page.ask("POST", "/organise/entry", {"kind": "person", "name": "Ann"})[0] == 404


def test_a_wrong_entry_changes_nothing_and_says_why(page: Page) -> None:
    refused = page.ask("POST", "/organise/entry", {"kind": "person", "name": ""}, SECRET)
    assert refused == (409, "a name has 1 to 40 letters\n")
    deep = json.loads("[" * 500 + "]" * 500)
    assert page.ask("POST", "/organise/entry", deep, SECRET)[0] == 409
    assert json.loads(page.ask("GET", "/tournament/state")[1])["people"] == {}
