"""How many presses a turn takes: games of level `club`, played by the choices that the panel offers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from pi_app.players.choosing import choose
from pi_app.players.tables import judge
from pi_app.table.choices import Choice, Deed, choices
from pi_app.table.forced import last_action
from rules.actions import Action, Choose, Move, Stop, Throw
from rules.game import Game, Phase, play
from rules.history import Record, enter, new_record
from rules.ruleset import PRESETS
from tests.bench.bars import PRESSES, PRESSES_OF
from tests.bench.measure import Measured

SEEDS = range(20)
SEATS_OF = {2: (0, 2), 4: (0, 1, 2, 3)}


class Pressed(NamedTuple):
    """The presses of some games, those for who begins left out, and their turns."""

    presses: int
    turns: int


def bench_presses() -> Iterator[Measured]:
    """Whoever plays presses NEXT or steps back, whichever is nearer, and the dome where it may."""
    for preset, seats in PRESSES_OF:
        games = [pressed(preset, SEATS_OF[seats], seed) for seed in SEEDS]
        presses, turns = (sum(one[n] for one in games) for n in (0, 1))
        note = f"{presses} presses in {turns} turns of {len(games)} games"
        yield Measured(f"{preset}, {seats} seats: {PRESSES}", presses / turns, note)


def pressed(preset: str, seats: tuple[int, ...], seed: int) -> Pressed:
    """Return the presses of one game whose players are all of level `club`."""
    dice, chances = random.Random(f"dice {seed}"), random.Random(f"chances {seed}")
    record = new_record(PRESETS[preset], seats)
    presses = 0
    waits: tuple[Action, ...] = ()
    while record.game.phase is not Phase.OVER:
        game = record.game
        if game.phase in (Phase.ORDER, Phase.THROW):
            presses += game.phase is Phase.THROW
            faces = tuple(dice.randint(1, 6) for _ in range(game.dice))
            record, _ = enter(record, Throw(faces))
            waits = ()
            continue
        if game.phase is Phase.STARTER:
            record, _ = enter(record, Choose(game.seats[0]))
            continue
        if not waits:
            waits = choose(game, judge(game.ruleset), "club", chances.random())
        action, *rest = waits
        waits = tuple(rest)
        if last_action(game) != action:  # else the dome confirms it, which then throws
            presses += presses_for(record, action)
        record, _ = enter(record, action)
    return Pressed(presses, record.game.turns)


def presses_for(record: Record, action: Action) -> int:
    """Return how many presses bring an action about: going to it by the shorter way, and OK."""
    listed = choices(record, dome=True)
    at = next((n for n, one in enumerate(listed) if one.deed == action), None)
    if at is not None:
        return way(at, listed) + 1
    assert isinstance(action, Move)
    pawn = (record.game.seat, action.step.origin)
    to_pawn = next(
        n for n, one in enumerate(listed) if one.deed is Deed.PAWN and one.origin == pawn
    )
    parts = choices(record, dome=True, pawn=pawn)
    to_part = next(n for n, one in enumerate(parts) if one.deed == action)
    return way(to_pawn, listed) + 1 + way(to_part, parts) + 1


def way(at: int, listed: tuple[Choice, ...]) -> int:
    """Return how many presses of NEXT, or of the dome, lead there from the first choice."""
    return min(at, len(listed) - at)
