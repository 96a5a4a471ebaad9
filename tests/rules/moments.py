"""Games at any moment: as told, from the beginning, from drawn positions where play is crowded."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

from rules.actions import Action, Choose, Correct, End, Leave, Move, Stop, Throw, parse_action
from rules.board import NEST, board
from rules.game import Game, Phase, at, new_game, play
from rules.lines.record import parse_game
from rules.position import PositionError, format_position, has_won, order_pawns, parse_position
from rules.ruleset import PRESETS, RuleSet
from tests.rules import draw
from tests.rules.editions import PARCHEESI

HOUSE = {
    "": {},
    "play on": {"play_on": True},
    "blockades": {"blockade_limit": 2},
    "both, overtaking": {"play_on": True, "blockade_limit": 1, "overtaking_captures": True},
}
Choices = Callable[[Game, random.Random], list[Action]]
KINDS = [(preset, house) for preset in PARCHEESI for house in HOUSE]


def placed(position: str, ruleset: RuleSet | None = None, seat: int = 0) -> Game:
    """The game in which this seat is to throw; under no particular rules if none are given."""
    ruleset = ruleset or RuleSet()
    return at(ruleset, parse_position(position, ruleset), seat)


def after(game: Game, *actions: str) -> Game:
    """The game after these actions, as text."""
    for text in actions:
        game, _ = play(game, parse_action(text))
    return game


def choices(game: Game, rng: random.Random) -> list[Action]:
    """Every action of a play; of the throws one, doublets more often than by the dice."""
    if game.phase is Phase.STARTER:
        return [Choose(seat) for seat in game.seats]
    if game.phase in (Phase.ORDER, Phase.THROW):
        face = rng.randint(0 if game.ruleset.throws_shells else 1, 6)
        return [Throw((face, rng.choice((face, rng.randint(1, 6))))[: game.dice])]
    return [*map(Move, game.steps), *[Stop()] * game.may_stop]


def any_choices(game: Game, rng: random.Random) -> list[Action]:
    """The same, or in one case of seven a correction or a seat that leaves."""
    if rng.random() < 6 / 7 or game.phase not in (Phase.THROW, Phase.MOVE, Phase.PENALTY):
        return choices(game, rng)
    playing = [seat for seat in game.seats if seat not in game.places]
    if game.made or game.ruleset.partners or len(playing) < 2 or rng.random() < 6 / 7:
        return [correction(game, rng)]
    return [Leave(rng.choice(playing))]


def correction(game: Game, rng: random.Random) -> Correct:
    """A correction that moves a few pawns, often in another seat's turn."""
    on = board(game.ruleset.layout)
    while True:
        pawns = [list(own) for own in game.position]
        for _ in range(rng.randint(0, 3)):
            own = pawns[rng.choice(game.seats)]
            own[rng.randrange(4)] = rng.choice((NEST, rng.choice(own), rng.choice(on.places)))
        a, b, c, d = (order_pawns(tuple(own), on) for own in pawns)
        text, seat = format_position((a, b, c, d)), rng.choice((game.seat, *game.seats))
        with suppress(PositionError):
            parse_position(text, game.ruleset)
            if not has_won(game.ruleset, (a, b, c, d)[seat]):
                return Correct(text, seat, rng.choice((game.doublets, 0, 1, 2)))


def walk(
    game: Game,
    rng: random.Random,
    actions: int,
    choices: Choices = choices,
) -> Iterator[Game]:
    """The game and those that random actions lead to; the last may be ended by `end`."""
    yield game
    for _ in range(actions):
        possible = choices(game, rng)
        if not possible:
            return
        game, _ = play(game, rng.choice(possible))
        yield game
    if game.phase is not Phase.OVER:
        yield play(game, End())[0]


def drawn(ruleset: RuleSet, rng: random.Random, named: str) -> Game:
    """A game that begins in a drawn position."""
    request = draw.request(rng, named)
    position = parse_position(request["position"], ruleset)
    return at(ruleset, position, request["seat"], request["doublets"])


def moments(preset: str, house: str, actions: int = 30) -> list[Game]:
    """Games of one rule set at any moment, the same ones each time."""
    rng = random.Random(f"{preset} {house}")
    ruleset = replace(PRESETS[preset], **HOUSE[house])  # type: ignore[arg-type]
    seats = rng.sample(range(4), rng.randint(2, 4))
    begun = [new_game(ruleset, seats), *(drawn(ruleset, rng, preset) for _ in range(6))]
    return [game for first in begun for game in walk(first, rng, actions)]


def any_rules(seed: int, actions: int = 12, choices: Choices = any_choices) -> list[Game]:
    """Games at any moment under drawn house rules of every family."""
    rng = random.Random(seed)
    request = draw.request(rng, draw.house_rules(rng))
    del request["throw"]
    return list(walk(parse_game(json.dumps(request)), rng, actions, choices))
