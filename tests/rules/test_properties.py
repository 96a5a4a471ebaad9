"""What holds in every position, crowded ones above all, under every preset and house rules.

House rules are drawn over all options of all families. Beyond what a test here asks of them,
`any_rules` gives their games to the tests of texts, keys, look-ahead, bots and hints.
"""

import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.actions import Move, Stop, Throw
from rules.board import HOME, NEST, SEATS, board
from rules.game import Game, Phase, at, play
from rules.lines.analyse import answer
from rules.lines.record import parse_game
from rules.plays.grant import GrantStepper
from rules.plays.lots import LotStepper
from rules.plays.plays import Plays, plays_of
from rules.plays.situation import State, Successor
from rules.plays.stepper import Stepper
from rules.position import Position, format_position, parse_position
from rules.ruleset import PRESETS, RuleSet
from rules.steps import parse_step
from tests.asked import extent
from tests.rules import draw
from tests.rules.editions import every_edition

seeds = st.integers(0, 2**32)


class Drawn(NamedTuple):
    ruleset: RuleSet
    position: Position
    seat: int
    throw: tuple[int, ...]


def drawn(seed: int, preset: str, kind: str | None = None) -> Drawn:
    request = draw.request(random.Random(seed), preset, kind)
    position = parse_position(request["position"], PRESETS[preset])
    return Drawn(PRESETS[preset], position, request["seat"], tuple(request["throw"]))


def thrown(seed: int, preset: str, kind: str | None = None) -> Game:
    """A game with a throw on the table, in a drawn position."""
    ruleset, position, seat, throw = drawn(seed, preset, kind)
    return play(at(ruleset, position, seat), Throw(throw))[0]


def thrown_by_house_rules(seed: int) -> Game:
    """The same under drawn house rules of every family, with what they remember."""
    rng = random.Random(seed)
    request = draw.request(rng, draw.house_rules(rng))
    return parse_game(json.dumps(request))


def walk(game: Game, seed: int) -> Iterator[Game]:
    """The games that random legal steps lead to, until the throw is off the table."""
    rng = random.Random(seed)
    throws = game.throws
    while game.phase is Phase.MOVE and game.throws == throws:
        yield game
        choices = [Move(step) for step in game.steps] + [Stop()] * game.may_stop
        game, _ = play(game, rng.choice(choices))
    yield game


def check_board(game: Game, before: Position, seat: int) -> None:
    """Four pawns a seat, where the rules let them stand; of others' pawns only to nests."""
    assert [len(pawns) for pawns in game.position] == [len(pawns) for pawns in before]
    for other in set(range(SEATS)) - {seat}:
        moved = Counter(game.position[other]) - Counter(before[other])
        assert set(moved) <= {NEST}
    text = format_position(game.position)
    assert parse_position(text, game.ruleset) == game.position


@pytest.mark.slow
@every_edition
@settings(max_examples=extent(15, soak=40), deadline=None)
@given(seed=seeds, kind=st.sampled_from([*draw.KINDS, "crowded", "crowded"]))
def test_pawns_are_conserved_and_stand_where_they_may(preset: str, seed: int, kind: str) -> None:
    game = thrown(seed, preset, kind)
    for later in walk(game, seed):
        check_board(later, game.position, game.seat)


@settings(max_examples=extent(50, soak=500), deadline=None)
@given(seed=seeds)
def test_so_under_house_rules_where_each_step_is_offered_once_and_reads_back(seed: int) -> None:
    game = thrown_by_house_rules(seed)
    for later in walk(game, seed):
        check_board(later, game.position, game.seat)
        assert later.phase is not Phase.MOVE or later.steps or later.may_stop
        texts = list(map(str, later.steps))
        assert [parse_step(text) for text in texts] == list(later.steps)
        assert len(set(texts)) == len(texts)


@every_edition
@settings(max_examples=extent(8, soak=25), deadline=None)
@given(seed=seeds)
def test_every_offered_step_leads_to_a_complete_play(preset: str, seed: int) -> None:
    for game in walk(thrown(seed, preset), seed):
        assert game.phase is not Phase.MOVE or game.steps or game.may_stop


@every_edition
@settings(max_examples=extent(8, soak=25), deadline=None)
@given(seed=seeds)
def test_every_offered_step_reads_back(preset: str, seed: int) -> None:
    for game in walk(thrown(seed, preset), seed):
        assert [parse_step(str(step)) for step in game.steps] == list(game.steps)


@every_edition
@settings(max_examples=extent(8, soak=25), deadline=None)
@given(seed=seeds)
def test_only_a_captured_pawn_loses_its_place(preset: str, seed: int) -> None:
    game = thrown(seed, preset)
    for later in walk(game, seed):
        for seat in set(range(SEATS)) - {game.seat}:
            lost = set(game.position[seat]) - set(later.position[seat])
            assert later.position[seat].count(NEST) >= game.position[seat].count(NEST)
            assert HOME not in lost


class Backwards(Stepper):
    """The same steps, found in the opposite order."""

    def successors(self, state: State) -> Iterator[Successor]:
        return reversed(list(super().successors(state)))


class BackwardsGrant(Backwards, GrantStepper):
    """The same with 14 spaces to share out."""


class BackwardsLots(Backwards, LotStepper):
    """The same with cowries."""


BACKWARDS = {Stepper: Backwards, GrantStepper: BackwardsGrant, LotStepper: BackwardsLots}


def check_order(one: Plays) -> None:
    stepper = one.stepper
    _, arguments = stepper.__reduce__()
    other = Plays(BACKWARDS[type(stepper)](*arguments), one.overdue, one.tries)
    assert set(one.steps(one.start)) == set(other.steps(other.start))
    assert one.may_stop(one.start) == other.may_stop(other.start)
    assert one.endings(one.start) == other.endings(other.start)


@pytest.mark.slow
@every_edition
@settings(max_examples=extent(5, soak=15), deadline=None)
@given(seed=seeds)
def test_results_do_not_depend_on_the_order_of_the_search(preset: str, seed: int) -> None:
    check_order(plays_of(*drawn(seed, preset)))


@settings(max_examples=extent(50, soak=500), deadline=None)
@given(seed=seeds)
def test_results_do_not_depend_on_the_order_of_the_search_under_house_rules(seed: int) -> None:
    game = thrown_by_house_rules(seed)
    if game.search is not None:
        check_order(game.search)


def turned(drawn: Drawn, quarters: int) -> dict[str, object]:
    """The same position seen from another side of the table."""
    seats = [
        format_position(drawn.position).split("/")[(s - quarters) % SEATS] for s in range(SEATS)
    ]
    return {
        "ruleset": "sr-1942",
        "position": "/".join(seats),
        "seat": (drawn.seat + quarters) % SEATS,
        "throw": list(drawn.throw),
    }


@settings(max_examples=extent(20, soak=60), deadline=None)
@given(seed=seeds, quarters=st.integers(1, 3))
def test_every_side_of_the_table_has_the_same_rules(seed: int, quarters: int) -> None:
    here, there = (answer(turned(drawn(seed, "sr-1942"), by)) for by in (0, quarters))
    assert here["steps"] == there["steps"]
    assert len(here["results"]) == len(there["results"])


@settings(max_examples=extent(20, soak=60), deadline=None)
@given(seed=seeds)
def test_the_order_of_the_dice_does_not_matter(seed: int) -> None:
    ruleset, position, seat, throw = drawn(seed, "findler")
    one, other = (plays_of(ruleset, position, seat, t) for t in (throw, throw[::-1]))
    assert set(one.steps(one.start)) == set(other.steps(other.start))


def test_the_crowded_draws_are_crowded() -> None:
    for seed in range(20):
        _, position, _, _ = drawn(seed, "findler", "crowded")
        on = board("standard")
        taken = [on.space(s, place) for s in range(SEATS) for place in position[s]]
        assert len(taken) == 16
        assert taken.count(None) < 5
