"""The measuring itself: intervals, rotations, and going on where it was stopped."""

import random
from pathlib import Path

import numpy as np
import pytest

from pi_app.model.tables import table_name
from pi_app.players.features import FEATURE_NAMES, feature_extractor
from pi_app.players.tables import load_table, parse_table
from pi_app.players.value import Judge
from rules import NEST, PRESETS
from tests.strength.games import Played, draw_start, play_out
from tests.strength.matches import Match, is_met, result, rotations_won, shares
from tests.strength.rounds import (
    Beginnings,
    Table,
    estimate_minutes,
    read_games,
    train,
    write_games,
    write_table,
)
from tests.strength.training import Lesson, chances_of, fitted, see, unlearned
from tests.strength.yardsticks import YARDSTICKS, by_value

ONE_DIE = PRESETS["one-die"]
RACE = YARDSTICKS["race"](ONE_DIE)
SMALL, ROW_INPUTS = Table("one-die", (2, 2), hidden=4), 3
COME = FEATURE_NAMES.index("come")
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


def drawn_lesson(draw: np.random.Generator, games: int, ahead: int | None = None) -> Lesson:
    """Return games of 20 positions, each of whose seats stays where it is.

    Who is farthest in the race wins. ahead: the seat that is, if it is always the same.
    """
    count = 20 * games
    inputs = np.full((count, 4, 4), ROW_INPUTS, np.int16)
    inputs[:, :, 0] = 0
    features = np.zeros((count, 4, len(FEATURE_NAMES)), np.float16)
    come = np.repeat(draw.uniform(0, 1, (games, 4)), 20, axis=0)
    if ahead is not None:
        come[:, ahead] += 1
    features[:, :, COME] = come
    last = np.arange(count) % 20 == 19
    return Lesson(inputs, features, last, features[:, :, COME].argmax(axis=1))


def test_fitting_tells_winners_by_what_they_have() -> None:
    """Who is farthest wins in every game: after fitting the value says so."""
    lesson, weights = drawn_lesson(np.random.default_rng(1), 200), unlearned(1, 16, ROW_INPUTS)
    for seed in range(8):
        weights = fitted(weights, lesson, seed)
    chances = chances_of(weights, lesson.inputs, lesson.features)
    assert np.mean(chances.argmax(axis=1) == lesson.winners) > 0.9


def test_the_player_judges_as_the_training_does() -> None:
    """The table's numbers have two bytes, so the chances differ by less than a tenth of a point."""
    extractor = feature_extractor(ONE_DIE)
    weights = unlearned(3, 5, extractor.row_inputs)
    judge = Judge(parse_table(write_table(SMALL._replace(hidden=5), weights)), ONE_DIE)
    dice = random.Random(1)
    begin = draw_start(ONE_DIE, (0, 1, 3), dice)
    played = play_out(ONE_DIE, begin, dict.fromkeys((0, 1, 3), RACE), dice, dice)
    positions = [(one.position, one.seat) for one in played.situations[::9]]
    found = chances_of(weights, *see(ONE_DIE, positions))
    for (position, seat), chances in zip(positions, found, strict=True):
        judged = judge.chances(position, seat)
        if not judge.exact_chances(position, seat):
            assert [judged.get(n, 0.0) for n in range(4)] == pytest.approx(chances, abs=0.001)


@pytest.mark.slow
def test_training_goes_on_where_it_was_stopped_and_comes_to_the_same(tmp_path: Path) -> None:
    work, file, made = tmp_path / "work", tmp_path / "a.bin", list[bytes]()
    for stopped_before in ("", "weights-1.npz", "games-1-0.npz", "weights-0.npz"):
        if stopped_before:
            (work / stopped_before).unlink()
        train("small", SMALL, work, file, print)
        made.append(file.read_bytes())
    assert len(set(made)) == 1


def test_the_games_of_a_training_are_kept_as_they_were_played(tmp_path: Path) -> None:
    dice = random.Random(4)
    begin = draw_start(ONE_DIE, (0, 2), dice)
    played = play_out(ONE_DIE, begin, {0: RACE, 2: RACE}, dice, dice)
    write_games(tmp_path / "games.npz", [played, Played(None, [begin])])
    assert list(read_games(tmp_path / "games.npz")) == [played]


def test_games_begin_in_the_middle_near_the_end_and_where_good_players_do_not_come() -> None:
    dice = random.Random(1)
    begin = draw_start(ONE_DIE, (0, 1, 2, 3), dice)
    played = play_out(ONE_DIE, begin, dict.fromkeys(range(4), RACE), dice, dice)
    beginnings = Beginnings(ONE_DIE, (YARDSTICKS["random"](ONE_DIE),), played.situations)
    drawn = [beginnings.draw(dice) for _ in range(400)]
    pawns = [[p for p in one.position if p] for one in drawn]
    assert 0.6 < sum(all(set(p) == {NEST} for p in each) for each in pawns) / 400 < 0.9
    assert 0.05 < sum(one in played.situations[1:] for one in drawn) / 400 < 0.3
    assert {len(each) for each in pawns} == {2, 3, 4}


def test_a_partner_s_promising_pawns_promise_a_win_of_the_side() -> None:
    """Seat 2 has come far in each game that the seat opposite wins."""
    lesson = drawn_lesson(np.random.default_rng(1), 40, ahead=2)
    lesson = lesson._replace(winners=np.zeros_like(lesson.winners))
    for partners in (False, True):
        weights = unlearned(1, 4, ROW_INPUTS)
        for seed in range(4):
            weights = fitted(weights, lesson, seed, partners=partners)
        chances = chances_of(weights, lesson.inputs, lesson.features).mean(axis=0)
        assert (chances[2] > chances[1]) == partners


def test_the_time_that_a_training_takes_is_told_from_the_number_of_games() -> None:
    short, long = (estimate_minutes("small", SMALL._replace(rounds=n)) for n in ((9,), (9, 900)))
    assert 0 < 5 * short < long
