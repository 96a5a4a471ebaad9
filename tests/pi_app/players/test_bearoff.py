"""The bear-off tables, compared with all plays of small positions; and races between seats."""

import pytest

from pi_app.players.bearoff import (
    TURNS,
    bearoff_names,
    load_bearoff,
    position_number,
    race_chances,
)
from pi_app.players.features import feature_extractor
from pi_app.players.tables import load_judge
from rules import (
    HOME,
    NEST,
    PRESETS,
    Game,
    Phase,
    Position,
    RuleSet,
    Throw,
    at,
    complete_plays,
    parse_position,
    parse_ruleset,
    play,
    terrain,
    throws,
)

FINDLER = PRESETS["findler"]
EVEN, NEVER = (0.5,) * TURNS, (0.0,) * TURNS
NESTED_TURNS = 40.0  # that a seat needs once a pawn is in its nest
MADE = [  # tables of boards where pawns leave their row for home, of seats that can play alone
    name
    for name in sorted(bearoff_names().values())
    if HOME in terrain(PRESETS[name]).board.home and not PRESETS[name].partners
]
# Before a throw: the pawns, the doublets thrown in this turn, and whether the turn has begun.
Moment = tuple[Position, int, bool]
Outcomes = list[tuple[float, list[Moment | None]]]  # of each throw; None has finished


def list_outcomes(ruleset: RuleSet, moment: Moment) -> Outcomes:
    """Return the probability of each throw, and the moments to which its plays lead."""
    outcomes = []
    thrown = throws(ruleset)
    for one in thrown:
        game, _ = play(at(ruleset, moment[0], 0, moment[1]), Throw(one.faces))
        ends = [_moment(after) for _, after in complete_plays(game)]
        share = one.weight / sum(other.weight for other in thrown)
        outcomes.append((share, list(dict.fromkeys(ends))))
    return outcomes


def _moment(game: Game) -> Moment | None:
    if game.phase is Phase.OVER:
        return None
    return game.position, min(game.doublets, 2), game.turns == 1


def finishing_chances(ruleset: RuleSet, position: str, turns: int) -> list[float]:
    """Return the chances to have finished after 1 to `turns` turns, by visiting all plays."""
    begin = (parse_position(position, ruleset), 0, False)
    known: dict[Moment, Outcomes] = {}
    to_visit = [begin]
    while to_visit:
        moment = to_visit.pop()
        if moment not in known:
            nested = NEST in moment[0][0]
            known[moment] = [] if nested else list_outcomes(ruleset, moment)
            to_visit += {end for _, ends in known[moment] for end in ends if end}
    needed = {moment: 0.0 if outcomes else NESTED_TURNS for moment, outcomes in known.items()}

    def count_turns(end: Moment | None) -> float:
        """Return how many turns the seat needs after this one."""
        if end is None:
            return 0.0
        return needed[end] + (not end[2] and bool(known[end]))

    change = 1.0
    while change > 1e-7:
        change = 0.0
        for moment, outcomes in known.items():
            if outcomes:
                better = sum(p * min(map(count_turns, ends)) for p, ends in outcomes)
                change = max(change, abs(better - needed[moment]))
                needed[moment] = better
    chosen = {
        moment: [(p, min(ends, key=count_turns)) for p, ends in outcomes]
        for moment, outcomes in known.items()
    }
    before, chances = dict.fromkeys(known, 0.0), []
    for _ in range(turns):
        now = dict.fromkeys(known, 0.0)
        for _ in range(12):  # doublets go on in the same turn
            for moment, throws_here in chosen.items():
                now[moment] = sum(
                    p * (1 if end is None else now[end] if end[2] else before[end])
                    for p, end in throws_here
                )
        chances.append(now[begin])
        before = now
    return chances


def table_chances(ruleset: RuleSet, position: str, turns: int) -> list[float]:
    """Return the same by the table."""
    spaces = terrain(ruleset).to_go
    to_go = sorted(spaces[place] for place in parse_position(position, ruleset)[0])
    running, chances = 1.0, []
    for hazard in load_bearoff(ruleset).hazards(to_go)[:turns]:
        running *= 1 - hazard
        chances.append(1 - running)
    return chances


@pytest.mark.parametrize(
    ("preset", "pawns"),
    [
        *((preset, "H,H,H,r5") for preset in MADE),
        *(pytest.param(preset, "H,H,r5,r4", marks=pytest.mark.slow) for preset in MADE),
        ("ludo-de", "r4,r3,r1,38"),
        ("ludo-de", "r4,r2,39,36"),
    ],
)
def test_a_table_has_the_chances_that_all_plays_lead_to(preset: str, pawns: str) -> None:
    ruleset, position = PRESETS[preset], f"{pawns}/-/-/-"
    expected = finishing_chances(ruleset, position, turns=8)
    assert table_chances(ruleset, position, turns=8) == pytest.approx(expected, abs=2e-4)


def test_with_one_space_to_go_any_one_or_underside_of_six_finishes() -> None:
    """11 of 36 throws show a 1, and 6-6 has the underside 1. Four doublets throw again."""
    once = 12 / 36
    again = 4 / 36 * (12 / 36 + 4 / 36 * 10 / 36)  # the third doublet, 1-1 included, is lost
    assert table_chances(FINDLER, "H,H,H,r7/-/-/-", turns=1) == [
        pytest.approx(once + again, abs=1e-4)
    ]


def test_positions_are_numbered_from_those_nearest_to_home() -> None:
    assert [position_number(to_go) for to_go in [(0, 0, 0, 0), (0, 0, 0, 1), (0, 0, 1, 1)]] == [
        0,
        1,
        2,
    ]
    assert position_number((19, 19, 19, 19)) == 8854


def test_house_rules_take_the_table_that_counts_most_nearly_so() -> None:
    house = parse_ruleset({"preset": "findler", "capture_bonus": 0})
    assert load_bearoff(house).hazards((0, 0, 0, 1)) == load_bearoff(FINDLER).hazards((0, 0, 0, 1))


def test_where_no_two_pawns_share_a_space_they_still_share_home() -> None:
    table = load_bearoff(parse_ruleset({"preset": "ludo-uk", "stacking": "one", "pairs": "none"}))
    nearer, farther = (table.estimate_hazards([0, 0, 12, last], 0) for last in (30, 45))
    assert sum(nearer) > sum(farther) > 0


def test_of_two_equal_seats_the_first_to_throw_wins_two_races_of_three() -> None:
    assert race_chances([EVEN, EVEN]) == pytest.approx([2 / 3, 1 / 3])


def test_a_race_that_nobody_can_finish_is_even() -> None:
    assert race_chances([NEVER, NEVER, NEVER, NEVER]) == [0.25] * 4


def test_a_race_goes_on_after_the_last_turn_of_the_table() -> None:
    slow = (*NEVER[1:], 0.5)
    assert race_chances([slow, NEVER]) == pytest.approx([1, 0])


def test_seats_that_cannot_meet_have_exact_chances() -> None:
    """Both finish with the same chance in each turn, and A throws first."""
    chance = table_chances(FINDLER, "H,H,H,r7/-/-/-", turns=1)[0]
    position = parse_position("H,H,H,r7/-/H,H,H,r7/-", FINDLER)
    first = load_judge(FINDLER).chances(position, 0)[0]
    assert first == pytest.approx(1 / (2 - chance), abs=0.001)


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("H,H,63,52/-/H,H,H,63/-", True),  # each on its own last spaces
        ("H,H,63,52/-/H,H,H,51/-", False),  # C's pawn is too far for the table
        ("H,H,H,63/H,H,H,r7/H,H,H,N/-", False),  # C's pawn passes A's
        ("H,H,H,r7/H,H,H,r7/H,H,H,N/-", False),
    ],
)
def test_chances_are_exact_when_no_pawns_can_meet(text: str, exact: bool) -> None:
    position = parse_position(text, FINDLER)
    assert (feature_extractor(FINDLER).exact_chances(position, 0) is not None) == exact


def test_house_rules_that_count_in_another_way_have_no_exact_chances() -> None:
    """The nearest table knows a bonus for coming home, which these rules do not give."""
    house = parse_ruleset({"preset": "findler", "finish_bonus": 0})
    position = parse_position("H,H,H,r7/-/H,H,H,r7/-", house)
    assert feature_extractor(FINDLER).exact_chances(position, 0) is not None
    assert feature_extractor(house).exact_chances(position, 0) is None
