"""Luck and skill apart: luck is 0 in the mean whoever plays, what was given away is never less."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from math import sqrt
from statistics import mean, stdev

import pytest

from pi_app.model.advice import ReviewQuestion, ThrowReview
from pi_app.model.reviews import Review, curve, review_questions, sum_reviews
from pi_app.players.averaging import look_ahead
from pi_app.players.choosing import choose
from pi_app.players.features import finished_pawns
from pi_app.players.review import chances_after, review_throw
from pi_app.players.tables import load_judge
from rules import (
    NEST,
    PRESETS,
    Game,
    Move,
    Phase,
    Record,
    Stop,
    Throw,
    at,
    enter,
    format_position,
    new_record,
    parse_entry,
    parse_position,
    parse_ruleset,
    terrain,
    throws,
)
from tests.asked import extent
from tests.rules.editions import every_edition
from tests.rules.moments import moments

ONE_PAWN_LEFT = "H,H,H,r7/-/10,N,N,N/-"
CAPTURE_OR_ENTER = "H,40,13,N/N,N,N,N/52,N,N,N/N,N,N,N"


def played(text: str, *entries: str, preset: str = "findler", seat: int = 0) -> Record:
    """Return the record of a game that stood so, after these entries; `throw 5 3 from typed`."""
    ruleset = PRESETS[preset] if preset in PRESETS else parse_ruleset(json.loads(preset))
    record = Record(at(ruleset, parse_position(text, ruleset), seat), host=seat)
    for entry in entries:
        action, _, source = entry.partition(" from ")
        record, _ = enter(record, parse_entry(action), source or None)
    return record


def told(record: Record) -> list[tuple[int, tuple[int, ...], bool, tuple[str, ...], str]]:
    """Seat, throw, whether its luck counts, steps and end of each look."""
    return [
        (
            one.seat,
            one.throw,
            one.first_time,
            tuple(map(str, one.played)),
            format_position(one.ended) if one.ended else "",
        )
        for one in review_questions(record)
    ]


def all_found(record: Record) -> list[ThrowReview]:
    return [review_throw(one) for one in review_questions(record)]


def review_of(record: Record) -> Review:
    asked = review_questions(record)
    return sum_reviews(asked, [review_throw(one) for one in asked])


# --- luck ----------------------------------------------------------------------------------------


def test_the_throw_that_wins_was_lucky_and_the_one_that_does_not_was_not() -> None:
    """By one die a 1 wins; what it is worth to win is 1, and 5 of 6 throws miss it."""
    won, missed = (
        all_found(played(ONE_PAWN_LEFT, f"throw {die}", *move, preset="one-die"))[0]
        for die, move in ((1, ["move r7-H(1)"]), (3, ["stop"]))
    )
    assert won.luck > 0 > missed.luck
    assert won.chances == (1.0, None, 0.0, None)
    assert missed.chances[0] == pytest.approx(1 - (won.luck - missed.luck) / 100, abs=1e-4)


@pytest.mark.soak
@pytest.mark.parametrize("preset", sorted(PRESETS)[: extent(3, soak=len(PRESETS))])
def test_over_all_throws_of_a_position_luck_is_nothing(preset: str) -> None:
    ruleset = PRESETS[preset]
    last = terrain(ruleset).board.last
    ahead = finished_pawns(ruleset)[:2] if ruleset.to_win > 2 else (last - 1, last - 2)
    own, across = (*ahead, last - 20, NEST), (*ahead, last - 10, last - 11)
    others = (NEST,) * 4 if ruleset.partners else ()
    game = at(ruleset, (own, others, across, others), 0)
    whole = 0.0
    for faces, weight, *_ in throws(ruleset):
        record, _ = enter(Record(game, host=0), Throw(faces))
        whole += sum(weight * found.luck for found in all_found(record))
    assert whole == pytest.approx(0, abs=1e-9)


def test_the_order_of_the_dice_is_no_luck() -> None:
    there, back = (all_found(played(CAPTURE_OR_ENTER, f"throw {dice}")) for dice in ("6 5", "5 6"))
    assert there == back


def test_who_may_capture_what_has_come_far_was_lucky() -> None:
    [found] = all_found(played(CAPTURE_OR_ENTER, "throw 6 5"))
    assert found.luck > 1


def games(dice: random.Random, favoured: int | None) -> Iterator[list[ReviewQuestion]]:
    """Yield the looks of games from late positions, in which two seats play anything at all.

    favoured: the seat that gets the better of two throws each time.
    """
    ruleset = PRESETS["one-die"]
    position = parse_position("H,H,40,20/-/H,H,50,20/-", ruleset)
    while True:
        seat = dice.choice((0, 2))
        record = Record(at(ruleset, position, seat), host=seat)
        while record.game.phase is not Phase.OVER:
            favours = record.game.seat == favoured
            record, _ = enter(record, anything(record.game, dice, favours))
        yield list(review_questions(record))


def anything(game: Game, dice: random.Random, favours: bool = False) -> Throw | Move | Stop:
    if game.phase is not Phase.THROW:
        allowed: list[Move | Stop] = [*map(Move, game.steps), *[Stop()] * game.may_stop]
        return dice.choice(allowed)
    thrown = [(dice.randint(1, 6),) for _ in range(1 + favours)]
    found = look_ahead(load_judge(game.ruleset), game.position, game.seat, game.doublets)
    return Throw(max(thrown, key=lambda faces: found.by_faces[faces][game.seat]))


def mean_luck(favoured: int | None, count: int) -> tuple[float, float]:
    """Return A's mean luck in so many games, and the half of its 95 % interval."""
    lucks = []
    for asked in islice(games(random.Random("throws"), favoured), count):
        lucks.append(sum(review_throw(one).luck for one in asked if one.seat == 0))
    return mean(lucks), 1.96 * stdev(lucks) / sqrt(count)


@pytest.mark.soak
def test_with_fair_dice_the_mean_luck_of_many_games_is_nothing() -> None:
    """Whatever is played: both seats choose anything at all."""
    found, half = mean_luck(None, extent(6, soak=100))
    assert abs(found) < half


@pytest.mark.soak
def test_with_dice_that_favour_a_seat_it_is_not() -> None:
    found, half = mean_luck(0, extent(6, soak=40))
    assert found > half


# --- what was given away -------------------------------------------------------------------------


def test_what_a_play_gave_away_is_told_with_the_best_one() -> None:
    """The five captures what C has brought 52 spaces, or enters A's last."""
    enters = played(CAPTURE_OR_ENTER, "throw 6 5", "move N-0(5)", "move 0-6(6)")
    [found] = all_found(enters)
    assert found.given_away > 1
    assert "13-18(5)x" in found.best


def test_who_plays_what_is_best_gives_nothing_away() -> None:
    record = played(CAPTURE_OR_ENTER, "throw 6 5")
    for action in choose(record.game, load_judge(record.game.ruleset)):
        record, _ = enter(record, action)
    [found] = all_found(record)
    assert (found.given_away, found.best) == (0, ())


def test_where_there_is_no_choice_nothing_is_given_away() -> None:
    [stuck] = all_found(played("N,N,N,N/-/10,N,N,N/-", "throw 6 4", "stop"))
    assert (stuck.given_away, stuck.best) == (0, ())


def test_a_third_doublet_is_bad_luck_and_gives_nothing_away() -> None:
    text = "60,N,N,N/-/10,N,N,N/-"
    record = played(f"{text}", f"correct {text} seat 0 doublets 2", "throw 2 2", "stop")
    [found] = all_found(record)
    assert found.luck < -1
    assert (found.given_away, found.best) == (0, ())


@pytest.mark.soak
@every_edition
def test_what_is_given_away_is_never_less_than_nothing(preset: str) -> None:
    rng = random.Random(preset)
    begun = [game for game in moments(preset, "", actions=3) if game.phase is Phase.THROW]
    for game in begun[:: extent(3, soak=1)]:
        record, _ = enter(Record(game, host=game.seat), Throw((6, 5)[: game.dice]))
        while record.game.phase in (Phase.MOVE, Phase.PENALTY):
            record, _ = enter(record, anything(record.game, rng))
        [one] = review_questions(record)
        found = review_throw(replace(one, first_time=False))
        assert 0 <= found.given_away <= 100


# --- which throws count, and as what -------------------------------------------------------------


def test_every_throw_at_a_turn_is_looked_at_and_those_for_who_begins_are_not() -> None:
    record, _ = enter(played(ONE_PAWN_LEFT), parse_entry("throw 4 6"))
    assert [one.seat for one in review_questions(record)] == [0]
    royal = new_record(PRESETS["royal-2023"], (0, 2))
    for text in ("throw 6 1", "throw 2 2", "throw 5 4", "move N-0(5)", "move 0-4(4)"):
        royal, _ = enter(royal, parse_entry(text))
    assert told(royal) == [
        (0, (5, 4), True, ("N-0(5)", "0-4(4)"), "4,N,N,N/-/N,N,N,N/-"),
    ]


def test_a_throw_that_undo_brought_back_counts_once_as_it_was_played_in_the_end() -> None:
    record = played(
        "10,N,N,N/-/N,N,N,N/-",
        *("throw 5 1", "move N-0(5)", "move 10-11(1)", "throw 4 4", "stop"),
        *("undo", "undo", "move 0-1(1)", "throw 4 4", "stop"),
    )
    assert told(record) == [
        (0, (5, 1), True, ("N-0(5)", "0-1(1)"), "10,1,N,N/-/N,N,N,N/-"),
        (2, (4, 4), True, (), "10,1,N,N/-/N,N,N,N/-"),
    ]


def test_a_throw_typed_anew_counts_as_it_was_in_the_end() -> None:
    record = played("10,N,N,N/-/N,N,N,N/-", "throw 6 4 from typed", "retype 5 4")
    assert told(record) == [(0, (5, 4), True, (), "")]


def test_a_play_that_a_correction_had_begin_anew_is_judged_from_there() -> None:
    """The luck is that of the position in which the dice were thrown."""
    plain = played("10,N,N,N/-/40,N,N,N/-", "throw 6 4")
    record = played(
        "10,N,N,N/-/40,N,N,N/-",
        *("throw 6 4", "move 10-16(6)", "correct 20,N,N,N/-/40,N,N,N/- seat 0 doublets 0"),
        *("move 20-26(6)", "move 26-30(4)"),
    )
    assert told(record) == [
        (0, (6, 4), True, ("20-26(6)", "26-30(4)"), "30,N,N,N/-/40,N,N,N/-"),
    ]
    assert all_found(record)[0].luck == all_found(plain)[0].luck
    assert all_found(record)[0].given_away == 0  # the only pawn goes all the way


def test_a_throw_that_a_correction_let_wait_is_no_luck_a_second_time() -> None:
    stands = "10,N,N,N/-/40,N,N,N/-"
    record = played(
        stands,
        *("throw 6 4", f"correct {stands} seat 2 doublets 0", "throw 2 1"),
        *("move 40-42(2)", "move 42-43(1)", "throw 6 4", "move 10-16(6)", "move 16-20(4)"),
    )
    assert told(record) == [
        (0, (6, 4), True, (), ""),
        (2, (2, 1), True, ("40-42(2)", "42-43(1)"), "10,N,N,N/-/43,N,N,N/-"),
        (0, (6, 4), False, ("10-16(6)", "16-20(4)"), "20,N,N,N/-/43,N,N,N/-"),
    ]
    assert all_found(record)[2].luck == 0


def test_when_somebody_leaves_the_play_is_judged_among_those_who_are_left() -> None:
    record = played(
        "10,N,N,N/N,N,N,N/40,N,N,N/-",
        *("throw 6 4", "leave 1", "move 10-16(6)", "move 16-20(4)"),
    )
    assert told(record) == [
        (0, (6, 4), True, ("10-16(6)", "16-20(4)"), "20,N,N,N/-/40,N,N,N/-"),
    ]
    assert all_found(record)[0].chances[1] is None


@pytest.mark.parametrize("last", ["end", "leave 0"])
def test_a_play_that_was_broken_off_has_luck_and_gave_nothing_away(last: str) -> None:
    record = played("10,N,N,N/N,N,N,N/40,N,N,N/-", "throw 5 4", last)
    [found] = all_found(record)
    assert found.luck > 0
    assert (found.given_away, found.best, found.chances) == (0, (), (None,) * 4)


def test_after_the_winner_the_chances_are_those_of_the_next_place() -> None:
    record = played(
        "H,H,H,r7/10,N,N,N/H,H,H,r6/-",
        *("throw 1 3", "move r7-H(1)", "throw 2 1", "move r6-H(2)"),
        preset='{"preset": "pb", "play_on": true}',
    )
    first, second = all_found(record)
    assert first.chances == (1.0, 0.0, 0.0, None)
    assert second.chances == (None, 0.0, 1.0, None)
    assert second.luck > 0


def test_who_has_won_with_horses_on_the_board_leaves_the_next_place_to_the_others() -> None:
    record = played(
        "r6,30,N,N/-/r5,20,N,N/40,N,N,N",
        *("throw 6", "move r6-H(6)", "throw 2", "move 20-22(2)"),
        preset='{"preset": "petits-chevaux", "play_on": true}',
    )
    first, second = all_found(record)
    assert first.chances == (1.0, None, 0.0, 0.0)
    assert first.luck > 0
    assert second.chances[:2] == (None, None)
    assert sum(chance or 0 for chance in second.chances) == pytest.approx(1)


def test_a_third_six_that_costs_all_pawns_on_open_spaces_is_bad_luck() -> None:
    record = played(
        "50,40,20,N/-/50,40,20,N/-",
        *("throw 6", "move 20-32(12)", "throw 6", "move 32-44(12)", "throw 6", "stop"),
        preset="ludo-ch",
    )
    *_, third = all_found(record)
    assert third.luck < -1
    assert third.given_away == 0


# --- what is ready -------------------------------------------------------------------------------

TWO_TURNS = played(
    CAPTURE_OR_ENTER,
    *("throw 6 5", "move N-0(5)", "move 0-6(6)"),
    *("throw 6 4", "stop", "throw 4 4", "move 52-56(4)", "move 56-60(4)"),
    *("throw 2 1", "move 60-62(2)", "move 62-63(1)"),
)


def test_what_is_ready_is_told_with_how_much_that_is() -> None:
    asked = review_questions(TWO_TURNS)
    half = sum_reviews(asked, [review_throw(asked[0]), None, None, None])
    assert (half.ready, half.of) == (1, 4)
    assert [one.seat for one in half.seats] == [0, 2, 3]
    assert half.seats[0].gave_away > 1
    assert half.seats[0].dearest == (0,)
    assert half.seats[1] == (2, 0, 0, (), None, None)


def test_a_seats_luck_is_the_sum_of_its_throws_and_its_best_and_worst_are_told() -> None:
    found = all_found(TWO_TURNS)
    whole = review_of(TWO_TURNS)
    assert [one.seat for one in review_questions(TWO_TURNS)] == [0, 3, 2, 2]
    assert whole.seats[1].luck == found[2].luck + found[3].luck
    best, worst = whole.seats[1].luckiest, whole.seats[1].unluckiest
    assert best is not None
    assert worst is not None
    assert found[best].luck >= found[worst].luck


def test_the_curve_has_a_point_for_each_turn_whose_end_is_ready() -> None:
    asked = review_questions(TWO_TURNS)
    ready = [chances_after(one, load_judge(PRESETS["findler"])) for one in asked]
    assert curve(asked, ready) == (ready[0], ready[1], ready[3])
    assert curve(asked, [None, ready[1], ready[2], None]) == (ready[1],)
    assert all(sum(filter(None, point)) == pytest.approx(1) for point in curve(asked, ready))


def test_what_a_throw_is_worth_is_what_its_best_play_is() -> None:
    game = played(CAPTURE_OR_ENTER).game
    found = look_ahead(load_judge(game.ruleset), game.position, game.seat).by_faces
    assert found[6, 5][game.seat] > found[2, 1][game.seat]


# --- other ends of a game -------------------------------------------------------------------------


def test_a_game_that_a_last_turn_ended_is_judged_as_if_it_went_on() -> None:
    record = played(
        "20,N,N,N/-/30,N,N,N/-", "last-turn A", "throw 4", "move 20-24(4)", preset="ludo-uk"
    )
    assert record.game.phase is Phase.OVER
    (question,) = review_questions(record)
    assert question.first == 2
    judge = load_judge(PRESETS["ludo-uk"])
    behind, ahead = (chances_after(question, judge)[seat] or 0.0 for seat in (0, 2))
    assert 0 < behind < ahead < 1


def test_after_a_win_those_who_play_on_are_judged_without_the_winner() -> None:
    played_on = ("play-on", "throw 4", "move 12-16(4)")
    record = played(
        "H,H,H,r5/12,N,N,N/30,N,N,N/-", "throw 1", "move r5-H(1)", *played_on, preset="ludo-uk"
    )
    judge = load_judge(PRESETS["ludo-uk"])
    assert told(record) == [
        (0, (1,), True, ("r5-H(1)",), "H,H,H,H/12,N,N,N/30,N,N,N/-"),
        (1, (4,), True, ("12-16(4)",), "-/16,N,N,N/30,N,N,N/-"),
    ]
    assert [chances_after(one, judge)[0] for one in review_questions(record)] == [1.0, None]
