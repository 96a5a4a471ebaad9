"""A whole game as one line of JSON with all that `play` depends on. Writes no file.

NOTATION.md has its keys.
"""

import json
from collections.abc import Sequence
from typing import Any

from ..actions import Move, Throw
from ..board import SEATS, board, place_text
from ..errors import InputError
from ..game import Game, Phase, StandingBlockade, at, new_game, place_rest, play
from ..position import Position, format_position, has_won
from ..questions.explain import explain
from ..ruleset import RuleSet, parse_ruleset, ruleset_text
from .fields import (
    FieldError,
    read_flag,
    read_json,
    read_memory,
    read_object,
    read_playing_seat,
    read_position,
    read_seat,
    read_steps,
    read_throw,
    read_whole_number,
    remembered_keys,
)

ALWAYS = ("ruleset", "position", "seat")
COUNTS = ("turns", "throws")
# The other keys at each phase. None is a turn, whether a throw is on the table or not.
ALSO: dict[str | None, tuple[str, ...]] = {
    Phase.ORDER: ("to_order", "order_throws"),
    Phase.STARTER: ("last_turn",),
    None: ("doublets", "throw", "play", "places", "standing", "last_turn", "played_on"),
    Phase.OVER: ("places", "standing", "last_turn", "played_on", "ties"),
}
KEYS = (*ALWAYS, "phase", *dict.fromkeys(key for keys in ALSO.values() for key in keys), *COUNTS)


class GameError(InputError):
    """A line that gives no game: one sentence that says what is wrong and where."""


# --- to text ---------------------------------------------------------------------------------


def game_text(game: Game) -> str:
    """Return a game as one line of JSON, which `parse_game` reads back: an equal game.

    While a throw is on the table, the line has the position in which the dice were thrown and the
    steps made since. It leaves out what is as usual: no doublets before, no steps, a turn's phase.
    """
    phase = game.phase if game.phase in ALSO else None
    last, began = game.memory.last, game.memory.began
    fields: dict[str, Any] = {
        "ruleset": json.loads(ruleset_text(game.ruleset)),
        "position": format_position(game.thrown_in),
        "seat": game.seat,
        "phase": phase,
        "doublets": game.doublets,
        "throw": game.throw,
        "play": list(map(str, game.made)),
        "places": game.places,
        "to_order": game.to_order,
        "order_throws": game.order_throws,
        "standing": game.standing,
        "late": game.memory.late,
        "last": None if last is None else place_text(last),
        "tries": game.memory.tries,
        "began": began and format_position(began),
        "began_late": game.memory.began_late,
        "turns": game.turns,
        "throws": game.throws,
        "last_turn": game.last_turn,
        "played_on": game.played_on,
        "ties": game.ties,
    }
    kept = [*ALWAYS, *COUNTS]
    kept += [key for key in ("last_turn", "began_late") if fields[key] is not None]
    if phase is None and game.ruleset.blockade_limit:
        kept.append("standing")
    return json.dumps({key: value for key, value in fields.items() if value or key in kept})


# --- from text -------------------------------------------------------------------------------


def parse_game(text: str) -> Game:
    """Return the game in a line of text. Raises GameError if the text is not a game.

    The line may be written by hand. Without `places` the seats that are home are placed by their
    numbers; without `standing` blockades count from now, without `turns` and `throws` these do.
    """
    try:
        value = read_json(text)
        remembered = remembered_keys(value)
        fields = read_object(value, "a game", (*KEYS, *remembered), ALWAYS)
        ruleset = parse_ruleset(fields["ruleset"])
        position = read_position(fields["position"], ruleset)
        phase = fields.get("phase")
        if not isinstance(phase, str | None) or phase not in ALSO:
            raise FieldError(
                f"phase {phase!r} is not order, starter or over: leave it out at a turn"
            )
        known = (*ALWAYS, "phase", *ALSO[phase], *COUNTS)
        if phase is None:
            known = (*known, *remembered)
        elif phase == Phase.OVER and "late" in remembered:
            known = (*known, "late")
        if strange := [key for key in fields if key not in known]:
            raise FieldError(f"{strange[0]!r} does not fit a game at {phase or 'a turn'}")
        lasting = _read_lasting(ruleset, fields)
        if phase is None:
            game = _read_turn(ruleset, position, fields)
        elif phase == Phase.OVER:
            game = _read_end(ruleset, position, fields, lasting)
        else:
            game = _read_beginning(ruleset, position, fields)
        turns = read_whole_number("turns", fields.get("turns", game.turns))
        throws = read_whole_number("throws", fields.get("throws", game.throws))
    except InputError as error:
        raise GameError(str(error)) from None
    return game._replace(turns=turns, throws=throws, **lasting)


def _read_lasting(ruleset: RuleSet, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a game that its actions set and that stay."""
    last_turn = fields.get("last_turn")
    played_on = read_flag("played_on", fields.get("played_on", False))
    if "last_turn" in fields and (type(last_turn) is not int or last_turn not in range(SEATS)):
        raise FieldError(f"last_turn {last_turn!r} is not a seat, a number from 0 to 3")
    if played_on and (ruleset.play_on or ruleset.partners):
        raise FieldError(
            "played_on does not fit: by the rule set a win ends no game, or that of all"
        )
    return {"last_turn": last_turn, "played_on": played_on}


def _read_turn(ruleset: RuleSet, position: Position, fields: dict[str, Any]) -> Game:
    """Return a game at a turn, whether its throw is on the table or not."""
    seat = read_playing_seat(fields["seat"], position, ruleset)
    doublets = read_whole_number("doublets", fields.get("doublets", 0))
    memory = read_memory(fields, ruleset, position, seat)
    game = at(ruleset, position, seat, doublets, memory)
    if "places" in fields:
        game = game._replace(places=_read_places(fields["places"], game.places))
    if "standing" in fields:
        game = game._replace(standing=_read_standing(fields["standing"], game))
    if "throw" in fields:
        game, _ = play(game, Throw(read_throw(fields["throw"], game.dice, ruleset)))
    elif "play" in fields:
        raise FieldError("play has steps, but 'throw' is missing")
    for text in read_steps(fields.get("play", [])):
        offered = {str(step): step for step in game.steps}
        if text not in offered:
            raise FieldError(f"play: {text} is not legal: {explain(game, text)}")
        game, _ = play(game, Move(offered[text]))
        if game.phase is not Phase.MOVE:
            raise FieldError(
                f"play: {text} ends the play: write the game after it, without a throw"
            )
    return game


def _read_beginning(ruleset: RuleSet, position: Position, fields: dict[str, Any]) -> Game:
    seat, phase = read_seat(fields["seat"], position), fields["phase"]
    game = new_game(ruleset, [seat for seat in range(SEATS) if position[seat]])
    if game.phase != phase:
        raise FieldError(f"phase {phase!r} does not fit starter {ruleset.starter!r}")
    if position != game.position:
        raise FieldError(f"position has moved pawns, but at {phase} nobody has begun")
    if game.phase is Phase.ORDER:
        pairs = fields.get("order_throws", [])
        if not isinstance(pairs, list) or any(type(p) is not list or len(p) != 2 for p in pairs):
            raise FieldError(f"order_throws {pairs!r} is not a list of [seat, throw]")
        threw = tuple((seat, read_throw(faces, game.dice, ruleset)) for seat, faces in pairs)
        waiting = _read_seats("to_order", fields.get("to_order", list(game.to_order)))
        seats = [*_read_seats("order_throws", [seat for seat, _ in threw]), *waiting]
        in_order = [seat for seat in game.to_order if seat in seats]
        if not waiting or len(seats) < 2 or seats != in_order:
            raise FieldError(
                f"order_throws and to_order name seats {seats}: two or more throw, "
                f"in the order {list(game.to_order)}, and one at least has still to throw"
            )
        game = game._replace(seat=waiting[0], to_order=tuple(waiting), order_throws=threw)
    if seat != game.seat:
        raise FieldError(f"seat {seat} is not next: seat {game.seat} is")
    return game


def _read_end(
    ruleset: RuleSet, position: Position, fields: dict[str, Any], lasting: dict[str, Any]
) -> Game:
    seat = read_seat(fields["seat"], position)
    taken = tuple(seat for seat in range(SEATS) if position[seat])
    home = [seat for seat in taken if has_won(ruleset, position[seat])]
    placed = _read_seats("places", fields.get("places", home))
    left = [seat for seat in taken if seat not in home]
    game = Game(ruleset, taken, position, Phase.OVER, seat, turns=1, **lasting)
    all_are_placed = game.plays_on or len(taken) == 1  # or the others have left
    last_is_placed = all_are_placed and len(left) == 1 and placed[-1:] == left
    is_counted = game.last_turn is not None and len(placed) > len(home)
    places = _read_places(placed, [*home, *left] if last_is_placed or is_counted else home)
    game = game._replace(places=places)
    if is_counted:
        counted = place_rest(game._replace(places=tuple(seat for seat in places if seat in home)))
        if counted.places != places:
            raise FieldError(f"places {placed} are not by what is counted: {list(counted.places)}")
        game = counted
    ties = list(map(list, game.ties))
    if fields.get("ties", []) != ties:
        raise FieldError(f"ties {fields.get('ties', [])} are not those of the places: {ties}")
    if game._replace(last_turn=None).may_play_on:  # undo may have left a last turn in force
        standing = _read_standing(fields["standing"], game) if "standing" in fields else ()
        return game._replace(standing=standing, memory=read_memory(fields, ruleset, position, seat))
    if strange := fields.keys() & {"standing", "late"}:
        raise FieldError(f"{min(strange)!r} does not fit: nobody plays on after this game")
    return game


def _read_places(value: object, home: Sequence[int]) -> tuple[int, ...]:
    places = _read_seats("places", value)
    if sorted(places) != sorted(home):
        raise FieldError(f"places {places} are not the seats that have finished: {list(home)}")
    return tuple(places)


def _read_seats(key: str, value: object) -> list[int]:
    if not isinstance(value, list) or any(type(seat) is not int for seat in value):
        raise FieldError(f"{key}: {value!r} is not a list of seats, numbers from 0 to 3")
    return value


def _read_standing(value: object, game: Game) -> tuple[StandingBlockade, ...]:
    if not game.ruleset.blockade_limit:
        raise FieldError("standing does not fit: the rule set has no blockade_limit")
    if not isinstance(value, list):
        raise FieldError(f"standing {value!r} is not a list of [seat, space, turns]")
    this, standing = board(game.ruleset.layout), []
    for item in value:
        if not isinstance(item, list) or [type(number) for number in item] != [int] * 3:
            raise FieldError(f"standing: {item!r} is not [seat, space, turns]")
        seat, space, turns = item
        pawns = game.position[seat] if seat in game.seats else ()
        if space < 0 or [this.space(seat, place) for place in pawns].count(space) != 2:
            raise FieldError(
                f"standing: {item} names no blockade of seat {seat} on ring space {space}"
            )
        turns = read_whole_number("turns of standing", turns)
        standing.append(StandingBlockade(seat, space, turns))
    if len({(seat, space) for seat, space, _ in standing}) < len(standing):
        raise FieldError(f"standing {value} names a blockade twice")
    return tuple(standing)
