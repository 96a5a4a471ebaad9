"""A real table whose page is pestered: no player and no spectator notices."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from pi_app.web.stage import MAX_TABS
from tests.bench.run import keep_a_game
from tests.end_to_end.crowd import crowd
from tests.end_to_end.eye import Eye
from tests.end_to_end.test_watched_table import Looked

STEPS = 8  # that A may choose from in the game that is kept
WORDS = [slice(128 * page + 64, 128 * page + 128) for page in range(1, 5)]  # nothing blinks there

pytestmark = pytest.mark.slow


class Pestered(Looked):
    """A table in the middle of a game, all places at its page taken, one by who takes nothing."""

    def __init__(self, folder: Path, closing: ExitStack) -> None:
        keep_a_game(folder)
        self._eye = closing.enter_context(Eye(folder))
        super().__init__(folder, closing)
        self.watchers = [self.ask("/stream") for _ in range(MAX_TABS - 1)]
        closing.enter_context(crowd("pester", self.sock.getsockname()[1]))

    def shown_other_than(self, before: bytes) -> bytes:
        """Wait for other words on the panel."""
        while (words := self.words()) == before:
            self._eye.see()
        return words

    def words(self) -> bytes:
        pixels = self.service.pixels() or b""
        return b"".join(pixels[part] for part in WORDS)

    def all_told(self, what: Callable[[dict[str, Any]], Any]) -> None:
        """Wait until everybody who reads has been told a state that is so."""
        for watcher in self.watchers:
            while not what(watcher.state()):
                pass


def test_while_a_page_is_pestered_each_press_is_taken_and_shown_to_players_and_watchers(
    tmp_path: Path,
) -> None:
    with ExitStack() as closing:
        table = Pestered(tmp_path, closing)
        shown = [table.words()]
        for step in range(STEPS):
            table.tap("A.next")  # at first: no walk
            table.all_told(lambda state: chosen(state) == [step])  # noqa: B023
            shown.append(table.shown_other_than(shown[-1]))
        assert len(set(shown)) == 1 + STEPS
        table.tap("A.ok")
        table.all_told(lambda state: len(state["offered"]) != STEPS)
        table.shown_other_than(shown[-1])


def chosen(state: dict[str, Any]) -> list[int]:
    return [n for n, offered in enumerate(state["offered"]) if offered["chosen"]]
