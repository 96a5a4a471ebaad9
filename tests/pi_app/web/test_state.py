"""The state of the table as anybody is told it."""

from pathlib import Path
from random import Random

from pi_app.config.keys import DEFAULT
from pi_app.config.reading import load_config
from pi_app.model.screens import Message
from pi_app.simulate.player import SimulatedPlayer
from pi_app.simulate.simulation import open_simulation
from pi_app.table.session import Reply
from pi_app.texts.language import ENGLISH
from pi_app.web.state import places, say_all, table_state
from rules.board import HOME, NEST, ROW
from rules.ruleset import RuleSet


def test_each_pawns_place_is_told_in_words() -> None:
    position = ((NEST, 3, ROW + 2, HOME), (), (0, 1, 17, 20), ())
    assert say_all(places(RuleSet(), position), ENGLISH) == [
        ["A", "nest", "3 past A", "home row 2", "home"],
        ["C", "C's entry", "1 past C", "D's entry", "3 past D"],
    ]


def test_each_line_of_a_whole_game_has_an_id_of_its_own(tmp_path: Path) -> None:
    known: dict[str, Message] = {}

    def note(reply: Reply, now: float) -> None:
        for key, line in table_state(reply)["happened"]:
            assert known.setdefault(key, line) == line

    with open_simulation(load_config(DEFAULT), 2, tmp_path) as table:
        table.app.outputs = (*table.app.outputs, note)
        player = SimulatedPlayer(table, Random(2))
        player.begin((0, 2))
        for n in range(150):
            player.act()
            if n % 30 == 29:
                player.choose_in_menu(player.settle().drivers(table.app.session)[0], "undo")
    assert len(known) > 150
