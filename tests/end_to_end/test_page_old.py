"""The pages in Chromium 73, which is a little older than the oldest browser that they support."""

from contextlib import ExitStack
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.end_to_end.old import OldBrowser
from tests.end_to_end.page import Driven, Served, Watched

pytestmark = pytest.mark.browser

SIZES = [(1280, 720), (1920, 1080), (768, 1024)]
PAWNS = """[...document.querySelectorAll(".pawn")].map(
    (one) => one.dataset.seat + " " + one.dataset.place).sort()"""
SAYS = 'document.querySelector("%s").textContent'
IS_IN_PLACE = """(() => {
    const board = document.getElementById("board").getBoundingClientRect();
    const page = document.documentElement, width = page.clientWidth;
    return board.width > 300 && Math.abs(board.width - board.height) < 1 && board.left >= 0 &&
        board.top >= 0 && board.right <= width && page.scrollWidth <= width; })()"""


def places(table: Watched | Driven) -> list[str]:
    position = table.player.game.position
    return sorted(f"{seat} {place}" for seat in (0, 2) for place in position[seat])


def test_spectators_see_whose_turn_it_is_the_pawns_and_each_move(old: OldBrowser) -> None:
    with ExitStack() as closing:
        table = Watched(closing, seed=2)
        old.open(table.url)
        old.wait_for(SAYS % "#doing", "players join")
        table.player.begin((0, 2))
        while table.player.game.throws < 8 or not table.player.game.steps:
            table.player.act()
        old.wait_for(PAWNS, places(table))
        table.settle()
        old.wait_for(SAYS % "#doing", f"{'ABCD'[table.player.game.seat]} is to move")
        before = places(table)
        while places(table) == before:
            table.player.act()
        old.wait_for(PAWNS, places(table))


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_board_is_square_and_nothing_is_wider_than_the_window(
    old: OldBrowser, driven: Driven, size: tuple[int, int]
) -> None:
    with ExitStack() as closing:
        for url in (Watched(closing, seed=2).url, driven.url):
            old.open(url, *size)
            old.wait_for(IS_IN_PLACE, True)


def test_a_press_on_the_played_page_reaches_the_table(old: OldBrowser, served: Served) -> None:
    old.open(served.url)
    old.wait_for('document.getElementById("says").textContent !== ""', True)
    for seat in "AC":
        old.press(f'[data-button="{seat}.ok"]')
        old.release(f'[data-button="{seat}.ok"]')
        old.wait_for(f'document.getElementById("says").textContent.includes("{seat} joined")', True)


def test_a_kept_game_is_listed_and_shown(old: OldBrowser, midgame: Served) -> None:
    old.open(f"{midgame.url}games.html")
    old.wait_for('document.querySelectorAll("#kept li").length', 1)
    old.run("location.hash = '#statistics'")
    old.wait_for('document.querySelectorAll("#plots .bar").length > 0', True)
    old.run("location.hash = ''")
    old.wait_for('document.getElementById("list").hidden', False)
    old.run('document.querySelector("#kept a").click()')
    old.wait_for("document.title.startsWith('Game 1')", True)
    old.wait_for(f"{PAWNS}.length", 8)
    old.wait_for(IS_IN_PLACE, True)
    last = old.run(PAWNS)
    old.press("#turn-back")
    old.release("#turn-back")
    old.wait_for(f"JSON.stringify({PAWNS}) !== {last!r}", True)


def test_a_saved_game_is_shown_from_the_disk(
    old: OldBrowser, midgame: Served, tmp_path: Path
) -> None:
    file = tmp_path / "game.html"
    with urlopen(f"{midgame.url}games/1/file") as answer:
        file.write_bytes(answer.read())
    old.open(file.as_uri())
    old.wait_for("document.title.startsWith('Game 1')", True)
    old.wait_for(f"{PAWNS}.length", 8)
    old.wait_for(IS_IN_PLACE, True)
    last = old.run(PAWNS)
    old.press("#turn-back")
    old.release("#turn-back")
    old.wait_for(f"JSON.stringify({PAWNS}) !== {last!r}", True)
