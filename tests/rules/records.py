"""Seeded draws of records, in which what only a table does happens more often than at one."""

import json
import random
from typing import Any

from rules.actions import Choose, Correct, End, Leave, Move, Stop, Throw
from rules.board import HOME, NEST, ROW, SEATS, board
from rules.game import Game, Phase
from rules.history import Entry, Record, Retype, Undo, enter, new_record
from rules.lines.record import game_text, parse_game
from rules.position import (
    PAWNS,
    PositionError,
    format_position,
    has_won,
    order_pawns,
    parse_position,
)
from rules.ruleset import PRESETS, ruleset_text


def drawn_record(
    rng: random.Random, preset: str, most: int = 40
) -> tuple[list[dict[str, Any]], Record]:
    """Return a record's lines as objects, and what they come to."""
    seats = rng.sample(range(SEATS), rng.randint(2, 4))
    record = new_record(PRESETS[preset], sorted(seats))
    ruleset = json.loads(ruleset_text(PRESETS[preset]))
    first = {"format": "pachisi-record", "version": 1, "ruleset": ruleset, "seats": seats}
    lines: list[dict[str, Any]] = [first]
    while len(lines) <= most and (entry := drawn(record, rng)) is not None:
        source = rng.choice(("kernel", "typed")) if isinstance(entry, Throw) else None
        record, _ = enter(record, entry, source)
        position = format_position(record.game.position)
        known = {} if source is None else {"source": source}
        lines.append({"action": str(entry), "position": position, **known})
        assert parse_game(game_text(record.game)) == record.game
    return lines, record


def drawn(record: Record, rng: random.Random) -> Entry | None:
    """Return an entry that is legal now, the table's own more often than at a table."""
    game, kind = record.game, rng.random()
    if record.undoable and (kind < 0.12 or game.phase is Phase.OVER):
        return Undo()
    if kind < 0.2 and record.typed:
        return Retype(tuple(rng.randint(1, 6) for _ in range(record.past[-1].before.dice)))
    if kind < 0.35 and game.phase in (Phase.THROW, Phase.MOVE, Phase.PENALTY):
        return correction(game, rng)
    if kind < 0.37 and game.phase in (Phase.THROW, Phase.MOVE, Phase.PENALTY) and not game.made:
        return Leave(rng.choice([seat for seat in game.seats if seat not in game.places]))
    if game.phase in (Phase.ORDER, Phase.THROW):
        faces = tuple(rng.randint(1, 6) for _ in range(game.dice))
        return record.ready.throw if record.ready else Throw(faces)
    if game.phase is Phase.STARTER:
        return Choose(rng.choice(game.seats))
    if game.phase is Phase.OVER:
        return None
    choices: list[Entry] = [*map(Move, game.steps), *[Stop()] * game.may_stop, End()]
    return rng.choice(choices)


def correction(game: Game, rng: random.Random) -> Correct:
    """Return a correction to a position that can stand, often in another seat's turn."""
    on = board(game.ruleset.layout)
    places = [NEST, HOME, *range(on.last + 1), *range(ROW + 1, ROW + 8)]
    places = [place for place in places if place in on.places]
    while True:
        a, b, c, d = (
            order_pawns(tuple(rng.choices(places, k=PAWNS)), on) if seat in game.seats else ()
            for seat in range(SEATS)
        )
        text, seat = format_position((a, b, c, d)), rng.choice((game.seat, *game.seats))
        try:
            parse_position(text, game.ruleset)
        except PositionError:
            continue
        if not has_won(game.ruleset, (a, b, c, d)[seat]):
            return Correct(text, seat, rng.choice((game.doublets, 0, 2)))
