"""Whole games by every preset, played through the pins, and what their journals say."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from pi_app.config.keys import DEFAULT
from pi_app.config.reading import load_config
from pi_app.model.history import Row, fold
from pi_app.record.files import memory_folder
from pi_app.record.journal import FILE, load
from pi_app.settings.settings import Level
from pi_app.simulate.player import SimulatedPlayer
from pi_app.simulate.simulation import Simulation, open_simulation
from pi_app.table.session import Reply
from rules.actions import Move, Stop, Throw
from rules.game import Phase
from rules.ruleset import PRESETS
from tests.asked import asked, extent
from tests.pi_app.record.journals import last_game

SEATS = ((0, 2), (0, 1, 2, 3), (1, 2, 3), (3, 1), (0, 1), (2, 3, 0))
GAMES = [
    (name, tuple(range(4)) if rules.partners else SEATS[number % len(SEATS)], number)
    for number, (name, rules) in enumerate(PRESETS.items())
]
SHORTEST = [game for game in GAMES if game[0] == "pop-28"]


@pytest.fixture
def folder() -> Iterator[Path]:
    with TemporaryDirectory(dir=memory_folder()) as folder:
        yield Path(folder)


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize(
    ("ruleset", "seats", "seed"), GAMES[::3] if asked("SOAK") else SHORTEST, ids=str
)
def test_a_whole_game_is_played_and_its_journal_tells_all_of_it(
    folder: Path, ruleset: str, seats: tuple[int, ...], seed: int
) -> None:
    rows: list[Row] = []
    config = replace(load_config(DEFAULT), ruleset=ruleset)
    with open_simulation(config, seed, folder, rows.append) as played:
        moments = moments_of_commits(played)
        game = SimulatedPlayer(played, Random(seed)).play(seats)
    assert game.phase is Phase.OVER
    assert game.seats == tuple(sorted(seats))
    assert game.places or str(rows[-1].entry) == "end"
    assert len(set(moments)) == len(moments) == len(rows)  # no press commits twice
    assert {row.source for row in rows if isinstance(row.entry, Throw)} == {"simulated"}
    assert fold(rows).game == game
    journal, found = load(folder / FILE)
    assert last_game(folder / FILE) == tuple(rows)
    journal.close()
    assert found.record is not None
    assert (found.record.game, found.warning) == (game, None)


def moments_of_commits(played: Simulation) -> list[float]:
    """Return a list to which the time of each commit is added from now on."""
    moments: list[float] = []
    record = played.app.commit

    def noting(reply: Reply) -> None:
        moments.append(played.clock.now)
        record(reply)

    played.app.commit = noting
    return moments


@pytest.mark.slow
@pytest.mark.soak
def test_children_with_real_dice_play_a_game(folder: Path) -> None:
    rows: list[Row] = []
    shipped = load_config(DEFAULT)
    first = {**shipped.settings, "dice": "typed", "children": "ABCD"}
    config = replace(shipped, settings=first)
    with open_simulation(config, 5, folder, rows.append) as played:
        player = SimulatedPlayer(played, Random(5))
        player.begin((0, 2))
        while player.game.phase is not Phase.OVER and player.game.turns < extent(30, soak=5000):
            player.act()
    assert {row.source for row in rows if isinstance(row.entry, Throw)} == {"typed"}


BOT_SETS: tuple[dict[int, Level], ...] = (
    {2: "easy"},
    {1: "child", 2: "strong", 3: "club"},
    {3: "child"},
    {1: "strong"},
)
WITH_BOTS = [
    (name, BOT_SETS[number % len(BOT_SETS)])
    for number, name in enumerate(("pop-28", "findler", *list(PRESETS)[::3])[: extent(1, soak=3)])
]


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize(("ruleset", "bots"), WITH_BOTS, ids=str)
def test_a_whole_game_with_boxes_is_played_by_people_s_buttons(
    folder: Path, ruleset: str, bots: dict[int, Level]
) -> None:
    rows = game_with_boxes(folder / "one", ruleset, bots)
    record = fold(rows)
    assert record.game.phase is Phase.OVER
    assert {row.by for row in rows} == {None, *bots.values()}
    for done, row in zip(record.past, rows[1:], strict=True):
        if isinstance(row.entry, Throw | Move | Stop):
            assert row.by == bots.get(done.before.seat)
    assert game_with_boxes(folder / "two", ruleset, bots) == rows


def game_with_boxes(folder: Path, ruleset: str, bots: dict[int, Level]) -> list[Row]:
    """Return the rows of a game of A against some bots."""
    rows: list[Row] = []
    config = replace(load_config(DEFAULT), ruleset=ruleset)
    with open_simulation(config, 11, folder, rows.append) as played:
        SimulatedPlayer(played, Random(11)).play((0, *bots), bots)
    return rows
