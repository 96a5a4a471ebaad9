"""The measuring of chances and losses: it subtracts noise, and goes on where it was stopped."""

import csv
import random
from collections import Counter
from pathlib import Path
from statistics import fmean

import pytest

from pi_app.model.tables import TABLES_BY_PRESET
from pi_app.players.averaging import average_chances
from pi_app.players.features import feature_extractor
from pi_app.players.tables import load_judge, parse_table
from pi_app.players.value import Judge
from rules import PRESETS, parse_position
from tests.strength.__main__ import MATCHES, RESULTS, main, row_key
from tests.strength.chances import (
    PositionError,
    Rolled,
    compare_networks,
    measure,
    measure_group,
    measure_position,
    roll_positions,
)
from tests.strength.games import Situation
from tests.strength.kept import keep_row
from tests.strength.losses import find_candidates, mean_loss, measure_lead, measure_losses
from tests.strength.picture import BEFORE, PICTURE, SHOWN, draw_picture, read_shown
from tests.strength.positions import (
    DECISIONS,
    LIMITS,
    MISJUDGED,
    POSITIONS,
    PRESETS_MEASURED,
    Measured,
    draw_decisions,
    draw_positions,
    read_measured,
)
from tests.strength.rollouts import Candidate
from tests.strength.rounds import TABLES, write_table
from tests.strength.training import unlearned

FINDLER = PRESETS["findler"]
JUDGE = load_judge(FINDLER)


def late(position: str = "H,H,H,r4/-/H,H,H,r2/-") -> Measured:
    return Measured("findler", Situation(parse_position(position, FINDLER), 0))


def sampled(chances: tuple[float, ...], rolls: int, draw: random.Random) -> Rolled:
    """Return what rollouts find where these are the true chances."""
    winners = Counter(draw.choices(range(len(chances)), chances, k=rolls))
    means = tuple(winners[seat] / rolls for seat in range(len(chances)))
    return Rolled(rolls, means, means)  # a square of 0 or 1 is itself


def test_right_chances_are_not_off_on_average_though_rollouts_are_a_sample() -> None:
    one, draw = read_measured(POSITIONS, "findler")[2], random.Random(1)
    shown = average_chances(JUDGE, *one.situation[:3])
    chances = tuple(shown[seat] for seat in range(4))
    errors = [measure_position(JUDGE, one, sampled(chances, 30, draw)) for _ in range(2000)]
    assert fmean(error.square for error in errors) == pytest.approx(0, abs=3)  # with noise: 50
    assert fmean(error.beyond > 0 for error in errors) < 4 * 0.08


def test_wrong_chances_are_off_by_what_they_are_wrong_by() -> None:
    one, draw = read_measured(POSITIONS, "findler")[2], random.Random(1)
    shown = average_chances(JUDGE, *one.situation[:3])
    likeliest = max(shown, key=lambda seat: shown[seat])
    wrong = tuple(shown[s] - 0.15 if s == likeliest else shown[s] + 0.05 for s in range(4))
    off = fmean((100 * (wrong[seat] - shown[seat])) ** 2 for seat in range(4)) ** 0.5
    found = measure_group(
        "0 to 24", [measure_position(JUDGE, one, sampled(wrong, 300, draw)) for _ in range(400)]
    )
    assert found.off == pytest.approx(off, abs=0.2)
    assert found.low < found.off < found.high


@pytest.mark.parametrize(
    ("square", "beyond", "met"), [(10, 20, True), (11, 0, False), (1, 21, False)]
)
def test_a_group_meets_its_bars_on_average_and_in_each_position(
    square: float, beyond: float, met: bool
) -> None:
    assert measure_group("0 to 24", [PositionError(square, beyond)] * 3).is_met is met


def test_rollouts_go_on_where_they_were_stopped(tmp_path: Path) -> None:
    positions = [late(), late("H,H,H,r1/-/H,H,H,r6/-")]
    kept = tmp_path / "rolled.csv"
    stopped = roll_positions(JUDGE, positions, kept, rolls=5)
    first = next(stopped)
    stopped.close()
    assert kept.read_text().count("\n") == 1
    found = list(roll_positions(JUDGE, positions, kept, rolls=5))
    assert found[0] == first
    assert found == list(roll_positions(JUDGE, positions, kept, rolls=5))
    assert kept.read_text().count("\n") == 2
    assert all(sum(rolled.means) == pytest.approx(1) for _, rolled in found)


def test_a_network_is_compared_with_another_by_the_same_rollouts() -> None:
    draw, found = random.Random(2), {}
    for one in read_measured(POSITIONS, "findler")[:12]:
        shown = average_chances(JUDGE, *one.situation[:3])
        found[one] = sampled(tuple(shown[seat] for seat in range(4)), 300, draw)
    weights = unlearned(1, 32, feature_extractor(FINDLER).row_inputs)
    worse = Judge(parse_table(write_table(TABLES["findler-4"], weights)), FINDLER)
    compared = list(compare_networks(JUDGE, worse, found))
    assert [group for group, *_ in compared] == list(LIMITS) == list(measure(JUDGE, found))
    for _, ours, theirs, (low, _) in compared:
        assert ours.off < theirs.off
        assert low > 0


def test_the_best_of_equal_candidates_is_not_ahead_on_average() -> None:
    draw = random.Random(3)
    played, *others = (Candidate(late().situation.position, seat) for seat in range(4))

    def roll(_: Candidate, numbers: range) -> list[float]:
        return [float(draw.random() < 0.5) for _ in numbers]

    found = mean_loss([measure_lead(played, others, roll) for _ in range(2000)])
    assert (
        abs(found.mean) < found.margin < 0.5
    )  # the best of four is 7 points ahead by its own dice


def test_the_lead_of_the_best_candidate_is_the_loss() -> None:
    best, played, other = (Candidate(late().situation.position, seat) for seat in range(3))
    numbers_rolled: dict[Candidate, list[int]] = {best: [], played: [], other: []}

    def roll(candidate: Candidate, numbers: range) -> list[float]:
        numbers_rolled[candidate] += numbers
        return [{best: 0.5, played: 0.25, other: 0.375}[candidate] for _ in numbers]

    assert measure_lead(played, [other, best], roll) == 0.25
    assert numbers_rolled[best] == numbers_rolled[played] == list(range(48 + 64))
    assert numbers_rolled[other] == list(range(16))
    assert measure_lead(best, [played, other], roll) == 0
    assert measure_lead(best, [], roll) == 0


def test_the_first_candidate_is_what_strong_plays() -> None:
    for one in read_measured(DECISIONS, "findler")[:20]:
        found = find_candidates(JUDGE, one)
        worths = [JUDGE.chances(c.position, c.first)[one.situation.seat] for c in found]
        assert worths[0] == max(worths)
        assert len(found) == len(set(found)) <= 6


def test_losses_go_on_where_they_were_stopped(tmp_path: Path) -> None:
    decisions = [
        Measured("findler", Situation(parse_position(text, FINDLER), 0), (1, 2))
        for text in ("H,H,r5,r4/-/H,H,H,r2/-", "H,r5,r4,63/-/H,H,H,r2/-")
    ]
    kept = tmp_path / "losses.csv"
    stopped = measure_losses(JUDGE, decisions, kept)
    first = next(stopped)
    stopped.close()
    assert kept.read_text().count("\n") == 1
    found = list(measure_losses(JUDGE, decisions, kept))
    assert found[0] == first
    assert kept.read_text().count("\n") == 2


def test_the_measured_positions_are_a_hundred_of_each_group_and_each_line_reads_back() -> None:
    for preset in PRESETS_MEASURED:
        positions = read_measured(POSITIONS, preset)
        assert Counter(one.group for one in positions) == dict.fromkeys(LIMITS, 100)
        assert len(set(positions)) == len(positions)
        assert {one.key for one in positions} <= set(POSITIONS.read_text().splitlines())
    assert len(set(read_measured(DECISIONS, "findler"))) == 300
    assert len(read_measured(MISJUDGED, "findler")) == 2


def test_a_row_of_results_replaces_the_one_of_the_same_measurement(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    for row in (("b", 1, 2), ("a", 1, 3), ("b", 1, 4)):
        keep_row(file, ("name", "size", "found"), 2, row)
    assert file.read_text() == "name,size,found\na,1,3\nb,1,4\n"


def test_the_bots_of_every_edition_are_measured_and_published() -> None:
    with RESULTS.open(encoding="utf-8", newline="") as file:
        rows = {tuple(row[:4]) for row in csv.reader(file)}
    assert {row_key(match) for match in MATCHES} <= rows
    assert {match.ruleset for match in MATCHES} >= set(PRESETS.values())
    assert set(TABLES) >= set(TABLES_BY_PRESET.values())


@pytest.mark.parametrize("rules", ["ludo-uk", "ludo-de sides", "ludo-de one home"])
def test_a_part_of_a_match_is_no_published_result(rules: str) -> None:
    before = RESULTS.read_bytes()
    assert main(["match", rules, "--first", "1"]) == 0  # a few games, which decide nothing
    assert RESULTS.read_bytes() == before


@pytest.mark.slow
def test_positions_and_decisions_are_drawn_the_same_again() -> None:
    positions = draw_positions("one-die", 1, games=3)
    assert sorted(one.group for one in positions) == sorted(LIMITS)
    assert draw_positions("one-die", 1, games=3) == positions
    [one, other] = draw_decisions("one-die", 2)
    assert one != other
    assert all(len(decision.throw) == 1 for decision in (one, other))


def test_the_picture_shows_the_measured_positions_before_and_now(redraw: bool) -> None:
    if redraw:
        PICTURE.write_text(draw_picture(), encoding="utf-8")
    assert PICTURE.read_text(encoding="utf-8") == draw_picture()
    before, now = map(read_shown, (BEFORE, SHOWN))
    assert list(now) == list(LIMITS)
    assert [[one.rolled for one in ones] for ones in before.values()] == [
        [one.rolled for one in ones] for ones in now.values()
    ]
