"""How far each seat is: who has finished first, then who has less to go."""

from typing import Any

import pytest

from pi_app.table.telling.standings import standings
from pi_app.texts.language import ENGLISH
from rules.game import Phase
from tests.pi_app.sitting import Sitting

MODERN = "pachisi-modern"


def told(
    position: str, ruleset: str = "royal-2023", seat: int = 0, **changed: Any
) -> list[tuple[int, str]]:
    """Return the standings of a game, with some of its fields replaced, in a page's words."""
    table = Sitting()
    table.resume(position, seat, ruleset)
    game = table.session.playing.game._replace(**changed)
    language = ENGLISH.in_idioms(*table.session.idioms)
    rows = [(seat, language.say(far, "page")) for seat, far in standings(game)]
    return [(seat, far.replace("\N{NO-BREAK SPACE}", " ")) for seat, far in rows]


def test_who_has_finished_leads_then_who_has_less_to_go() -> None:
    assert told("H,N,N,N/H,H,7,N/H,H,H,H/H,60,N,N", places=(2,)) == [
        (2, "1st"),
        (1, "2 home, 136 to go"),
        (3, "1 home, 155 to go"),
        (0, "1 home, 216 to go"),
    ]


def test_after_a_game_the_others_have_the_places_of_their_progress() -> None:
    assert told("H,N,N,N/H,H,7,N/H,H,H,H/H,60,N,N", phase=Phase.OVER, places=(2,)) == [
        (2, "1st"),
        (1, "2nd, 136 to go"),
        (3, "3rd, 155 to go"),
        (0, "4th, 216 to go"),
    ]


def test_partners_have_one_place_and_are_told_together() -> None:
    assert told(
        "H,H,H,H/12,N,N,N/H,H,H,H/H,H,H,r7", MODERN, 1, phase=Phase.OVER, places=(2, 0)
    ) == [
        (0, "1st"),
        (2, "1st"),
        (3, "2nd, 1 to go"),
        (1, "2nd, 316 to go"),
    ]
    assert [seat for seat, _ in told("H,N,N,N/H,H,7,N/0,N,N,N/7,N,N,N", MODERN)] == [
        *(1, 3),
        *(0, 2),
    ]


def test_after_a_last_round_equal_seats_share_their_place_and_are_told_who_is_home() -> None:
    over: dict[str, Any] = {
        "phase": Phase.OVER,
        "places": (2, 0, 1, 3),
        "last_turn": 3,
        "ties": ((0, 1),),
    }
    assert told("H,N,N,N/H,N,N,N/H,H,H,H/N,N,N,N", **over) == [
        (2, "1st"),
        (0, "2nd, 1 home"),
        (1, "2nd, 1 home"),
        (3, "4th, 0 home"),
    ]


def test_of_sides_that_are_counted_the_better_one_is_first() -> None:
    over: dict[str, Any] = {"phase": Phase.OVER, "places": (1, 3, 0, 2), "last_turn": 3}
    assert told("7,N,N,N/H,N,N,N/H,N,N,N/H,5,N,N", MODERN, **over) == [
        (1, "1st, 1 home"),
        (3, "1st, 1 home"),
        (2, "2nd, 252 to go"),
        (0, "2nd, 321 to go"),
    ]


@pytest.mark.parametrize(
    ("name", "to_go"),
    [
        ("royal-2023", 4 * 72),
        ("ludo-uk", 4 * 57),
        ("ludo-de", 44 + 43 + 42 + 41),
        ("pachisi-modern", 4 * 84),
    ],
)
def test_at_first_each_pawn_has_its_whole_way_to_go(name: str, to_go: int) -> None:
    nests = "/".join(["N,N,N,N"] * 4)
    assert {far for _, far in told(nests, name)} <= {
        f"0 home, {to_go} to go",
        f"0 in, {to_go} to go",
    }


def test_a_pawn_in_the_goal_has_nothing_to_go_and_the_next_one_stops_before_it() -> None:
    near = "r4,r3,39,N/N,N,N,N/-/-"  # 39 to r2 is 2 spaces, the nest to r1 is 41
    assert told(near, "ludo-de")[0] == (0, "2 in, 43 to go")
