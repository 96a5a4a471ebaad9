"""The chances that are shown: exact where they can be, and a mean over the throws elsewhere."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.players.averaging import average_chances, look_ahead
from pi_app.players.tables import find_judge, load_judge
from rules import PRESETS, parse_position, parse_ruleset
from tests.asked import extent
from tests.rules import draw
from tests.rules.editions import every_edition
from tests.rules.from_the_texts import options_of

FINDLER = PRESETS["findler"]
JUDGE = load_judge(FINDLER)


def shown(text: str, first: int = 0, doublets: int = 0) -> dict[int, float]:
    return dict(average_chances(JUDGE, parse_position(text, FINDLER), first, doublets))


def test_exact_chances_are_shown_as_they_are() -> None:
    """Neither pawn can meet the other, and 20 throws of 36 bring A's home from r7."""
    text = "H,H,H,r7/-/H,H,H,r7/-"
    assert shown(text) == JUDGE.exact_chances(parse_position(text, FINDLER), 0)
    assert shown("H,H,H,H/H,H,H,r7/-/-", first=1) == {0: 1.0, 1: 0.0}


def test_elsewhere_it_is_the_mean_over_all_throws_each_played_as_well_as_can_be() -> None:
    position = parse_position("H,H,40,20/-/H,H,50,20/-", FINDLER)
    found = look_ahead(JUDGE, position, 2)
    assert len(found.by_faces) == 21
    doublets = sum(found.by_faces[n, n][2] for n in range(1, 7))
    others = 2 * sum(one[2] for one in found.by_faces.values()) - 2 * doublets
    assert found.mean[2] == pytest.approx((doublets + others) / 36)
    assert average_chances(JUDGE, position, 2) == found.mean


def test_a_throw_that_captures_is_worth_more_than_one_that_does_not() -> None:
    """A's five takes C's pawn, which has come 52 spaces."""
    found = look_ahead(JUDGE, parse_position("H,40,13,N/N,N,N,N/52,N,N,N/N,N,N,N", FINDLER), 0)
    assert found.by_faces[6, 5][0] > found.mean[0] > found.by_faces[2, 1][0]


def test_a_third_doublet_is_feared_also_where_the_chances_are_exact() -> None:
    text = "H,H,H,r1/-/H,H,H,r1/-"
    assert shown(text, doublets=2)[0] < shown(text, doublets=0)[0]


def test_who_wins_by_a_doublet_has_won() -> None:
    modern = PRESETS["pachisi-modern"]
    over = parse_position("H,H,H,H/H,H,H,r7/H,H,H,H/H,H,H,H", modern)
    assert average_chances(load_judge(modern), over, 0, 1) == {0: 0.5, 1: 0, 2: 0.5, 3: 0}
    assert shown("H,H,H,H/-/H,H,H,r1/-", doublets=1) == {0: 1, 2: 0}


@every_edition
@settings(max_examples=extent(2, soak=8), deadline=None)
@given(seed=st.integers(0, 2**32))
def test_shown_chances_sum_to_one(preset: str, seed: int) -> None:
    check_sum(draw.position(random.Random(seed), options_of(preset)), preset)


@settings(max_examples=extent(5, soak=100), deadline=None)
@given(seed=st.integers(0, 2**32))
def test_so_under_house_rules(seed: int) -> None:
    rng = random.Random(seed)
    house = draw.house_rules(rng)
    check_sum(draw.position(rng, options_of(house)), house)


def check_sum(drawn: tuple[str, int], named: str | dict[str, object]) -> None:
    (text, seat), ruleset = drawn, parse_ruleset(named)
    judge = find_judge(ruleset)
    if judge is not None:
        found = average_chances(judge, parse_position(text, ruleset), seat)
        assert sum(found.values()) == pytest.approx(1)
        assert set(found) == {s for s, pawns in enumerate(text.split("/")) if pawns != "-"}
