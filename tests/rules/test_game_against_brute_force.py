"""Throws played step by step through `play()`, each offer held against the brute force's."""

import random
from typing import Any

import pytest

from rules.actions import Action, Move, Stop, Throw
from rules.game import Phase, at, play
from rules.position import format_position, parse_position
from rules.ruleset import parse_ruleset
from tests.asked import extent
from tests.rules import draw
from tests.rules.brute_force import Plays, TooManyError, Turn, answer_after
from tests.rules.editions import PARCHEESI


def brute_plays(rng: random.Random, ruleset: str | None) -> tuple[dict[str, Any], Plays]:
    """A drawn request, no third doublet, with all its plays listed."""
    while True:
        request = draw.request(rng, draw.house_rules(rng) if ruleset is None else ruleset)
        try:
            return request, Plays(Turn(request), limit=800)
        except TooManyError:
            continue


def offered(rng: random.Random, request: dict[str, Any], plays: Plays) -> list[Any]:
    """What a game offers at each point of one random play, wherever the brute force differs."""
    ruleset = parse_ruleset(request["ruleset"])
    game = at(ruleset, parse_position(request["position"], ruleset), request["seat"])
    game, _ = play(game, Throw(tuple(request["throw"])))
    throws, made, wrong = game.throws, list[str](), list[Any]()
    while game.phase is Phase.MOVE and game.throws == throws:
        ours = sorted(str(step) for step in game.steps), game.may_stop
        brute = answer_after(plays, made)
        if ours != (brute["steps"], brute["may_stop"]):
            wrong.append((request, made, ours, brute))
        actions: list[Action] = [*map(Move, game.steps), *[Stop()] * game.may_stop]
        action = rng.choice(actions)
        made += [str(action.step)] if isinstance(action, Move) else []
        game, _ = play(game, action)
    ends = [end for end in plays.after(made) if end in plays.complete]
    again = game.phase is Phase.THROW and game.seat == request["seat"]
    ours_after = format_position(game.position), again
    if ours_after not in [(plays.result(end), plays.throws_again(end)) for end in ends]:
        wrong.append((request, made, ours_after))
    return wrong


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("ruleset", [*PARCHEESI, None], ids=lambda name: name or "house rules")
def test_a_game_offers_what_the_brute_force_lists(ruleset: str | None) -> None:
    rng = random.Random(f"game of {ruleset}")
    count = extent(8, soak=400) if ruleset else extent(30, soak=1500)
    assert [offered(rng, *brute_plays(rng, ruleset)) for _ in range(count)] == [[]] * count
