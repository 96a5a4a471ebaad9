"""How the table stands, in the line that `systemctl status` shows."""

from dataclasses import replace

import pytest

from pi_app.commands.run import status_line
from pi_app.model.events import Setup
from rules.ruleset import PRESETS, RuleSet
from tests.pi_app.sitting import Sitting

CROWDED = "H,r3,12,N/45,45,7,N/20,3,N,N/-"


def at(*dice: tuple[int, ...], ruleset: RuleSet | str = "royal-2023") -> Sitting:
    table = Sitting(Setup(requests=("power-off",)), dice=dice)
    table.resume(CROWDED, 1, ruleset)
    return table


def test_before_a_game_players_join() -> None:
    assert status_line(Sitting().session) == "players join"


def test_who_is_to_do_what_in_which_turn() -> None:
    table = at((5, 3))
    assert status_line(table.session) == "royal-2023, B to throw, turn 1"
    table.throw()
    assert status_line(table.session) == "royal-2023, B to move, turn 1"


def test_who_begins_is_thrown_for_or_chosen() -> None:
    table = Sitting()
    table.begin(0, 2)
    assert status_line(table.session) == "royal-2023, A to throw for who begins"
    other = Sitting()
    other.begin(0, 2, ruleset="findler")
    assert status_line(other.session) == "findler, who begins is chosen"


def test_rules_that_are_no_preset_are_house_rules() -> None:
    assert status_line(
        at(ruleset=replace(PRESETS["findler"], blockade_limit=2)).session
    ).startswith("house rules, B to throw")


def test_an_ended_game_and_a_table_that_goes_off() -> None:
    table = at()
    table.choose(1, "game", "end")
    table.hold_ok(1)
    assert status_line(table.session) == "royal-2023, over, turn 1"
    table.press(None, "power", 3.1)
    assert status_line(table.session) == "switching off"


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_it_names_the_seat(seat: int) -> None:
    table = Sitting()
    table.resume(CROWDED, seat)
    assert f" {'ABCD'[seat]} to throw" in status_line(table.session)
