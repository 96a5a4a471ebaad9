"""The rules of Parcheesi-type games as pure values, without clock, dice, files or devices.

A game begins with `new_game`; `play(game, action)` returns the next game and what happened.
README.md has a program that plays a game, and lists all names by module.
"""

from .actions import (
    Action,
    Choose,
    Correct,
    End,
    Leave,
    Move,
    Stop,
    Throw,
    parse_action,
)
from .board import BOARDS, HOME, NEST, ROW, SEAT_LETTERS, Board, parse_place, place_text
from .facts import (
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
from .game import (
    Game,
    IllegalAction,
    Phase,
    StandingBlockade,
    at,
    new_game,
    next_seat,
    play,
    victims,
)
from .history import Record, Retype, Undo, enter, new_record, parse_entry
from .increments import GRANT, ThrowOutcome, grant_increments, is_doublet
from .lines.analyse import answer
from .lines.jsonl import RecordError
from .lines.record import GameError, game_text, parse_game
from .lines.replay import judge
from .lines.sheet import parse_sheet, sheet_lines
from .memory import Memory
from .plays.ground import Terrain, terrain
from .position import Position, PositionError, format_position, parse_position
from .questions.ending import Ending, endings, goes_on, steps_to
from .questions.explain import try_increment, why_not
from .questions.lookahead import complete_plays, throws
from .questions.reasons import Reason, Rule
from .ruleset import (
    DEFAULT_PRESET,
    OPTIONS,
    PRESETS,
    RuleSet,
    RuleSetError,
    differences,
    parse_ruleset,
    preset_title,
    ruleset_text,
    written_options,
)
from .steps import Step, parse_step

__version__ = "1.0.0"

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
    "Memory",
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
    "StandingBlockade",
    "Step",
    "Stop",
    "Terrain",
    "Throw",
    "ThrowOutcome",
    "Thrown",
    "Tied",
    "TurnOf",
    "Undo",
    "Won",
    "answer",
    "at",
    "complete_plays",
    "differences",
    "endings",
    "enter",
    "format_position",
    "game_text",
    "goes_on",
    "grant_increments",
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
    "written_options",
]
