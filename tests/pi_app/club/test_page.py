"""The club's page in this process: what a tab gets, at once and after each change."""

import asyncio
import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Message

from pi_app.club.page import ClubPage
from pi_app.club.tables import Tables, lose_broker
from pi_app.texts.language import all_languages
from tests.pi_app.club.evening import evening, playing
from tests.pi_app.club.test_tables import bytes_of, heard
from tests.pi_app.web.test_turns import run

LANGUAGES = all_languages()


@pytest.fixture
def page(tmp_path: Path) -> ClubPage:
    return ClubPage(tmp_path / "club.sqlite", LANGUAGES, None, lambda: 1000.0, lambda: 200.0)


def scope_of(path: str, language: str = "en") -> dict[str, Any]:
    return {
        "type": "http",
        "method": "GET",
        "path": path,
        "root_path": "",
        "scheme": "http",
        "query_string": b"",
        "server": ("club", 80),
        "headers": [(b"host", b"club"), (b"accept-language", language.encode())],
    }


def get(page: ClubPage, path: str, language: str = "en") -> tuple[int, str]:
    """Return status and text of an answer."""
    answers: list[Message] = []

    async def answer() -> None:
        async def receive() -> Message:
            await asyncio.sleep(60)
            return {"type": "http.disconnect"}

        async def send(part: Message) -> None:
            answers.append(part)

        await page.application(scope_of(path, language), receive, send)

    run(answer)
    return answers[0]["status"], b"".join(one.get("body", b"") for one in answers).decode()


async def events(page: ClubPage, language: str = "en") -> AsyncGenerator[dict[str, Any]]:
    """Yield what a tab is told, one event after the other."""
    told: asyncio.Queue[bytes] = asyncio.Queue()
    gone = asyncio.Event()

    async def receive() -> Message:
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(part: Message) -> None:
        if body := part.get("body"):
            told.put_nowait(body)

    tab = asyncio.create_task(page.application(scope_of("/stream", language), receive, send))
    try:
        while True:
            body = await told.get()
            if body.startswith(b"data: "):
                yield json.loads(body.removeprefix(b"data: "))
    finally:
        gone.set()
        await tab


def told_after(page: ClubPage, changes: list[Tables], language: str = "en") -> list[dict[str, Any]]:
    """Return what a tab is told at first, and after each change of the tables."""

    async def listen() -> list[dict[str, Any]]:
        told = []
        stream = events(page, language)
        for new in [*changes, None]:
            told.append(await anext(stream))
            if new is not None:
                page.show(new)
        await stream.aclose()
        return told

    return run(listen)


def test_a_tab_gets_all_tables_first_and_then_only_what_changes(page: ClubPage) -> None:
    tables = evening(12)
    page.show(tables)
    changed = {**tables, **heard(("table-9", "state", bytes_of(playing(9, seat=2))))}
    fewer = {name: table for name, table in changed.items() if name != "table-2"}
    first, second, third = told_after(page, [changed, fewer])
    assert (first["all"], first["now"], first["gone"]) == (True, 200.0, [])
    assert {tile["name"] for tile in first["tables"]} == {*tables}
    assert (second["all"], [tile["name"] for tile in second["tables"]]) == (False, ["table-9"])
    assert (third["gone"], third["tables"]) == (["table-2"], [])


def test_each_tab_gets_the_words_of_its_language(page: ClubPage) -> None:
    page.show(heard(("kitchen", "state", bytes_of(playing(1, names={})))))
    for language, words in (("en", "B is to throw"), ("es", "B tiene que tirar")):
        [told] = told_after(page, [], language)
        assert told["tables"][0]["doing"] == words


def test_without_a_broker_no_table_is_known_to_be_there(page: ClubPage) -> None:
    tables = evening(12)
    page.show(tables)
    first, second = told_after(page, [lose_broker(tables, 200.0)])
    assert {tile["trouble"] for tile in first["tables"]} == {"", "away", "unreadable"}
    assert {tile["trouble"] for tile in second["tables"]} == {"unknown"}


def test_two_hundred_tables_are_told_and_then_one_of_them(page: ClubPage) -> None:
    tables = evening(200)
    page.show(tables)
    changed = {**tables, **heard(("table-150", "state", bytes_of(playing(1))))}
    first, second = told_after(page, [changed])
    assert len(first["tables"]) == 200
    assert [tile["name"] for tile in second["tables"]] == ["table-150"]


def test_there_is_no_organiser_without_a_password_and_no_page_of_another_name(
    page: ClubPage,
) -> None:
    assert get(page, "/")[0] == 200
    assert get(page, "/board/standard/counterclockwise/twelve")[0] == 200
    assert get(page, "/organise/entry")[0] == 404
    assert get(page, "/nonsense") == (404, "there is no page “nonsense” here\n")
