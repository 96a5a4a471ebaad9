"""The measuring itself: intervals, rotations, and going on where it was stopped."""

import random
from pathlib import Path

import numpy as np
import pytest

from pi_app.model.tables import table_name
from pi_app.players.features import FEATURE_NAMES
from pi_app.players.tables import load_table, parse_table
from pi_app.players.value import Judge
from rules import PRESETS
from tests.strength import training
from tests.strength.games import draw_start, play_out
from tests.strength.matches import Match, is_met, result, rotations_won, shares
from tests.strength.positions import leader_to_go
from tests.strength.rounds import NEAR_THE_END, Table, find_late, train
from tests.strength.training import Sample, fitted, unlearned, value_of, weights_of
from tests.strength.yardsticks import YARDSTICKS, by_value

ONE_DIE = PRESETS["one-die"]
RACE = YARDSTICKS["race"](ONE_DIE)
MATCH = Match("one-die", (0, 2), (0,), seeds=4, least=50, foe="race")


def test_an_interval_is_over_seeds_not_over_their_games() -> None:
    """Four seeds' shares with deviation 0.2887: 1.96 * 0.2887 / 2."""
    found = result([0.0, 0.5, 0.5, 0.5, 0.5, 1.0], rotations=4)
    assert (found.wins, round(found.half, 1), found.games) == (50.0, 25.3, 24)


def test_a_bar_for_the_lower_end_asks_more_than_one_for_the_mean() -> None:
    found = result([0.4, 0.6, 0.7], rotations=4)
    assert is_met(MATCH, found)
    assert not is_met(MATCH._replace(by_lower=True), found)


def test_against_itself_every_rotation_is_the_same_game_and_par_is_won() -> None:
    assert rotations_won(MATCH, ONE_DIE, RACE, RACE, seed=1) == 0.5


def test_a_level_that_varies_plays_the_same_dice_the_same_again() -> None:
    easy = by_value(ONE_DIE, load_table(table_name(ONE_DIE)), "easy")
    won = [rotations_won(MATCH, ONE_DIE, easy, RACE, seed) for seed in (1, 2, 1, 2)]
    assert won[:2] == won[2:]


def test_grace_beats_who_plays_at_random() -> None:
    grace, random_ = YARDSTICKS["grace"](ONE_DIE), YARDSTICKS["random"](ONE_DIE)
    won = [rotations_won(MATCH, ONE_DIE, grace, random_, seed) for seed in range(6)]
    assert sum(won) / len(won) > 0.7


@pytest.mark.slow
def test_a_match_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    kept = tmp_path / "match.csv"
    whole = list(shares(MATCH, ONE_DIE, RACE, RACE, tmp_path / "other.csv"))
    stopped = shares(MATCH, ONE_DIE, RACE, RACE, kept)
    begun = [next(stopped), next(stopped)]
    stopped.close()
    assert kept.read_text().count("\n") == 2
    assert list(shares(MATCH, ONE_DIE, RACE, RACE, kept)) == whole
    assert begun == whole[:2]
    assert list(shares(MATCH._replace(seeds=3), ONE_DIE, RACE, RACE, kept)) == whole[:3]


def test_fitting_tells_winners_by_what_they_have() -> None:
    """Who has fewer spaces to go wins in every game: after fitting the value says so."""
    draw = np.random.default_rng(1)
    games = []
    for _ in range(60):
        seen = np.zeros((20, 2, len(FEATURE_NAMES)), np.float32)
        seen[:, :, 0] = draw.uniform(0, 2, (1, 2))
        games.append(Sample(seen, int(seen[0, :, 0].argmin())))
    weights = unlearned(1, 16)
    for seed in range(15):
        weights = fitted(weights, games, seed)
    chances = [training._chances(weights, one.seen)[1][0, one.winner] for one in games]
    assert np.mean(np.array(chances) > 0.5) > 0.9


def test_a_value_s_weights_can_be_learned_on() -> None:
    value = value_of(unlearned(3, 5))
    assert value_of(weights_of(value)) == value


def test_training_goes_on_where_it_was_stopped_and_comes_to_the_same(tmp_path: Path) -> None:
    way, work, file = Table("one-die", (0, 2), 2, games=2, endings=2), tmp_path / "work", "a.json"
    made = []
    for stopped_before in ("", "weights-1.npz", "weights-0.npz"):
        if stopped_before:
            (work / stopped_before).unlink()
        train("small", way, work, tmp_path / file, print)
        made.append((tmp_path / file).read_text())
    assert made[0] == made[1] == made[2]


def test_a_round_has_more_games_that_begin_near_the_end_of_its_whole_games(tmp_path: Path) -> None:
    way = Table("one-die", (0, 2), 1, games=2, endings=6, hidden=5)
    train("small", way, tmp_path, tmp_path / "small.json", print)
    lengths = np.load(tmp_path / "games-0.npz")["lengths"]
    assert len(lengths) == 8
    assert lengths[:2].min() > 2 * lengths[2:].max()
    assert len(parse_table((tmp_path / "small.json").read_text()).biases) == 5


def test_the_late_situations_of_a_game_are_its_last_ones() -> None:
    dice = random.Random(1)
    begin = draw_start(ONE_DIE, (0, 2), dice)
    situations = play_out(ONE_DIE, begin, {0: RACE, 2: RACE}, dice, random.Random(0)).situations
    late = find_late(ONE_DIE, situations)
    assert leader_to_go(ONE_DIE, situations[0]) > NEAR_THE_END
    assert late == situations[-len(late) :]


def test_a_partner_s_promising_pawns_promise_a_win_of_the_side() -> None:
    """Seat 2 has come far in each game that the seat opposite wins."""
    dice, progress = np.random.default_rng(1), FEATURE_NAMES.index("come")
    seen = dice.normal(0, 0.1, (40, 20, 4, len(FEATURE_NAMES))).astype(np.float32)
    seen[..., FEATURE_NAMES.index("settled")] = 0
    seen[:, :, 2, progress] = 1
    games = [Sample(game, winner=0) for game in seen]
    far = np.zeros((4, len(FEATURE_NAMES)), np.float32)
    far[2, progress] = 1
    for partners in (False, True):
        value = value_of(fitted(unlearned(1, 4), games, 1, partners=partners))
        judge = Judge(value, ONE_DIE)
        chances = judge.chances_of({seat: tuple(map(float, far[seat])) for seat in range(4)})
        assert (chances[2] > chances[1]) == partners
