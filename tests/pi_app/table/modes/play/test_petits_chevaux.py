"""Petits chevaux at the table: the foot and the ladder, nobody is passed, the first horse home."""

import pytest

from pi_app.model.screens import Podium
from rules.board import HOME, NEST
from rules.game import Phase
from rules.ruleset import parse_ruleset
from tests.pi_app.sitting import Sitting, told
from tests.pi_app.table.modes.play.test_parchis_and_ludo import playing


@pytest.mark.parametrize(
    ("position", "thrown", "step", "shown"),
    [
        # too much for the foot: there and back
        ("52,N,N,N/N,N,N,N/-/-", 4, "4: D+10 → D+12", "home-and-back(back=1, there=3)"),
        ("53,N,N,N/N,N,N,N/-/-", 4, "4: D+11 → D+11", "home-and-back(back=2, there=2)"),
        # stopped short by an opponent, on the way, at the foot, and on the way back
        ("49,N,N,N/39,N,N,N/-/-", 5, "5: D+7 → D+10", "stops-before(B)"),
        ("52,N,N,N/41,N,N,N/-/-", 5, "5: D+10 → D+12", "stops-before(B)"),
        ("54,N,N,N/38,N,N,N/-/-", 5, "5: D+12 → D+11", "stops-before(B)"),
        # and by the own pawn, where it would land, too
        ("53,50,N,N/40,N,N,N/-/-", 5, "5: D+8 → D+10", "stops-before-own"),
        ("53,50,N,N/40,N,N,N/-/-", 3, "3: D+8 → D+10", "stops-before-own"),
        # a pawn that is hit exactly is captured
        ("50,N,N,N/39,N,N,N/-/-", 3, "3: D+8 → D+11 to-nest(B)", ""),
    ],
)
def test_a_pawn_says_why_it_stops_short_or_goes_back(
    position: str, thrown: int, step: str, shown: str
) -> None:
    table = playing("petits-chevaux", position, (thrown,))
    assert (told(table), table.table.note) == (step, shown)


@pytest.mark.parametrize(
    ("position", "thrown", "step", "shown"),
    [
        ("52,N,N,N/N,N,N,N/-/-", 3, "3: D+10 → place-foot", "needs-next(1)"),
        ("55,N,N,N/N,N,N,N/-/-", 1, "1: place-foot → place-home-row(1)", "needs-next(2)"),
        ("r3,N,N,N/N,N,N,N/-/-", 4, "4: place-home-row(3) → place-home-row(4)", "needs-next(5)"),
        ("r5,0,N,N/N,N,N,N/-/-", 6, "6: place-home-row(5) → place-home-row(6)", "needs-next(6)"),
    ],
)
def test_on_foot_and_ladder_a_pawn_says_which_number_it_needs_next(
    position: str, thrown: int, step: str, shown: str
) -> None:
    table = playing("petits-chevaux", position, (thrown,))
    while table.table.board.target in (None, (0, 0)):  # a six enters, too
        table.next(0)
    assert (told(table), table.table.note) == (step, shown)


@pytest.mark.parametrize(
    ("position", "lead"),
    [
        ("r3,55,N,N/N,N,N,N/-/-", "numbers-climb(and-then(before=1, then=4))"),
        (
            "r6,r5,N,N/N,N,N,N/-/-",
            "numbers-climb(6)",
        ),  # the one behind may not land on the other
        ("r4,r3,N,N/N,N,N,N/-/-", "numbers-climb(5)"),
        ("54,N,N,N/N,N,N,N/-/-", ""),
    ],
)
def test_before_a_throw_the_numbers_that_climb_are_named(position: str, lead: str) -> None:
    assert playing("petits-chevaux", position).table.lead == lead


def test_the_first_horse_home_wins_and_the_others_stay_on_the_board() -> None:
    table = playing("petits-chevaux", "r6,30,2,N/r6,N,N,N/-/-", (6,))
    assert told(table) == "6: place-home-row(6) → home"
    table.ok(0)
    assert table.game.phase is Phase.OVER
    assert isinstance(table.reply.screen, Podium)
    assert table.reply.screen.winners == (0,)
    assert table.game.position[0] == (HOME, 30, 2, NEST)


def test_where_nobody_is_passed_and_too_much_is_home_the_rest_is_not_taken_for_a_stop() -> None:
    house = {"preset": "pop-28", "passing": "none", "overshoot": "over"}
    table = Sitting(dice=[(5,)])
    table.resume("27,N,N,N/N,N,N,N/-/-", 0, parse_ruleset(house))
    table.throw()
    assert (told(table), table.table.note) == ("5: D+6 → place-goal(4)", "too-many(1)")
