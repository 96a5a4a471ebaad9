"""The rules of Parcheesi-type games: pure values, without clock, dice, files or devices.

`import rules` is enough to play: a game begins with `new_game`, and `play(game, action)` gives the
next one and what happened. rules/README.md begins with a program and lists these names by module.
"""

from rules.actions import (
    Action,
    Choose,
    Correct,
    End,
    Leave,
    Move,
    Stop,
    Throw,
    action_text,
    parse_action,
)
from rules.analyse import answer
from rules.board import BOARDS, HOME, NEST, ROW, SEAT_LETTERS, Board, parse_place, place_text
from rules.ending import Ending, endings, goes_on, steps_to
from rules.explain import try_increment, why_not
from rules.facts import (
    Again,
    Begins,
    CameHome,
    Captured,
    Corrected,
    Earned,
    Fact,
    Lapsed,
    Left,
    Moved,
    Over,
    Penalized,
    Thrown,
    Tied,
    TurnOf,
    Won,
)
from rules.game import Game, IllegalAction, Phase, Standing, at, new_game, next_seat, play, victims
from rules.ground import Terrain, terrain
from rules.history import Record, Retype, Undo, enter, new_record, parse_entry
from rules.increments import GRANT, granted, is_doublet
from rules.jsonl import RecordError
from rules.lookahead import complete_plays, throws
from rules.position import Position, PositionError, format_position, parse_position
from rules.reasons import Reason, Rule
from rules.record import GameError, game_text, parse_game
from rules.replay import judge
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
from rules.sheet import parse_sheet, sheet_lines
from rules.steps import Step, parse_step

__all__ = [
    "BOARDS",
    "DEFAULT_PRESET",
    "GRANT",
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
    "Correct",
    "Corrected",
    "Earned",
    "End",
    "Ending",
    "Fact",
    "Game",
    "GameError",
    "IllegalAction",
    "Lapsed",
    "Leave",
    "Left",
    "Move",
    "Moved",
    "Over",
    "Penalized",
    "Phase",
    "Position",
    "PositionError",
    "Reason",
    "Record",
    "RecordError",
    "Retype",
    "Rule",
    "RuleSet",
    "RuleSetError",
    "Standing",
    "Step",
    "Stop",
    "Terrain",
    "Throw",
    "Thrown",
    "Tied",
    "TurnOf",
    "Undo",
    "Won",
    "action_text",
    "answer",
    "at",
    "complete_plays",
    "differences",
    "endings",
    "enter",
    "format_position",
    "game_text",
    "goes_on",
    "granted",
    "is_doublet",
    "judge",
    "new_game",
    "new_record",
    "next_seat",
    "parse_action",
    "parse_entry",
    "parse_game",
    "parse_place",
    "parse_position",
    "parse_ruleset",
    "parse_sheet",
    "parse_step",
    "place_text",
    "play",
    "preset_title",
    "ruleset_text",
    "sheet_lines",
    "steps_to",
    "terrain",
    "throws",
    "try_increment",
    "victims",
    "why_not",
]
