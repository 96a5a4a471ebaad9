"""The rules of Parcheesi-type games: pure values, without clock, dice, files or devices.

`import rules` is enough to play: a game begins with `new_game`, and `play(game, action)` gives the
next one and what happened. rules/README.md begins with a program and lists these names by module.
"""

from rules.actions import Action, Choose, End, Move, Stop, Throw, action_text, parse_action
from rules.analyse import answer
from rules.board import BOARDS, HOME, NEST, ROW, SEAT_LETTERS, Board, parse_place, place_text
from rules.facts import (
    Again,
    Begins,
    CameHome,
    Captured,
    Earned,
    Fact,
    Lapsed,
    Moved,
    Over,
    Penalized,
    Thrown,
    Tied,
    TurnOf,
    Won,
)
from rules.game import Game, IllegalAction, Phase, Standing, at, new_game, next_seat, play, victims
from rules.lookahead import complete_plays, throws
from rules.position import Position, PositionError, format_position, parse_position
from rules.record import GameError, game_text, parse_game
from rules.ruleset import (
    DEFAULT_PRESET,
    OPTIONS,
    PRESETS,
    RuleSet,
    RuleSetError,
    differences,
    parse_ruleset,
    preset_title,
    ruleset_text,
)
from rules.steps import Step, parse_step

__all__ = [
    "BOARDS",
    "DEFAULT_PRESET",
    "HOME",
    "NEST",
    "OPTIONS",
    "PRESETS",
    "ROW",
    "SEAT_LETTERS",
    "Action",
    "Again",
    "Begins",
    "Board",
    "CameHome",
    "Captured",
    "Choose",
    "Earned",
    "End",
    "Fact",
    "Game",
    "GameError",
    "IllegalAction",
    "Lapsed",
    "Move",
    "Moved",
    "Over",
    "Penalized",
    "Phase",
    "Position",
    "PositionError",
    "RuleSet",
    "RuleSetError",
    "Standing",
    "Step",
    "Stop",
    "Throw",
    "Thrown",
    "Tied",
    "TurnOf",
    "Won",
    "action_text",
    "answer",
    "at",
    "complete_plays",
    "differences",
    "format_position",
    "game_text",
    "new_game",
    "next_seat",
    "parse_action",
    "parse_game",
    "parse_place",
    "parse_position",
    "parse_ruleset",
    "parse_step",
    "place_text",
    "play",
    "preset_title",
    "ruleset_text",
    "throws",
    "victims",
]
