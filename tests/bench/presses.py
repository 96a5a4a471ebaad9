"""How many presses a turn takes: games of level `club`, played by the panel's own choices."""

import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

from pi_app.model.reviews import remove_seats
from pi_app.players.choosing import pick
from pi_app.players.features import feature_extractor
from pi_app.players.play_ends import play_ends
from pi_app.players.tables import load_judge
from pi_app.table.core.acting import leads_to_a_throw, only_action
from pi_app.table.modes.play.typed_dice import nothing_typed
from pi_app.table.telling.choices import Choice, Deed, choices
from rules.actions import Action, Choose, Stop, Throw
from rules.game import Game, Phase, play
from rules.history import Record, enter, new_record
from rules.position import Position
from rules.ruleset import PRESETS
from tests.asked import in_short
from tests.bench.bars import PRESSES, PRESSES_OF, Dice
from tests.bench.measure import Measured

SEEDS = range(in_short(20, 1))
SEATS_OF = {2: (0, 2), 4: (0, 1, 2, 3)}


class Pressed(NamedTuple):
    """The presses of a game, those for who begins left out, and its turns."""

    presses: int
    turns: int


class Wanted(NamedTuple):
    """How a player wants a play to end: where the pawns are, and who throws next."""

    position: Position
    first: int


def bench_presses() -> Iterator[Measured]:
    """Who plays presses NEXT or lets the dome step back, and lets it confirm, where it may."""
    with ProcessPoolExecutor() as pool:  # what is counted is the same however busy the machine is
        for preset, seats, thrown in PRESSES_OF:
            games = list(pool.map(partial(pressed, preset, SEATS_OF[seats], thrown), SEEDS))
            presses, turns = (sum(one[n] for one in games) for n in (0, 1))
            note = f"{presses} presses in {turns} turns of {len(games)} games"
            yield Measured(f"{preset}, {seats} seats, {thrown}: {PRESSES}", presses / turns, note)


def pressed(preset: str, seats: tuple[int, ...], thrown: Dice, seed: int) -> Pressed:
    """Return the presses of one game whose players are all of level `club`."""
    dice, chances = random.Random(f"dice {seed}"), random.Random(f"chances {seed}")
    record = new_record(PRESETS[preset], seats)
    presses = 0
    while (phase := record.game.phase) is not Phase.OVER:
        game = record.game
        if phase is Phase.MOVE:
            found = play_ends(game)
            option = pick(
                feature_extractor(game.ruleset),
                found,
                game.seat,
                load_judge(game.ruleset),
                "club",
                chances.random(),
            )
            took, record = _played(record, Wanted(option.position, option.first), thrown)
            presses += took
        elif phase is Phase.PENALTY:
            presses += _confirming(game, Stop(), thrown)
            record, _ = enter(record, Stop())
        elif phase is Phase.STARTER:
            record, _ = enter(record, Choose(game.seats[0]))
        else:
            faces = tuple(dice.randint(1, 6) for _ in range(game.dice))
            if phase is Phase.THROW:
                presses += _typing(game, faces) if thrown == "typed" else 1
            record, _ = enter(record, Throw(faces))
    return Pressed(presses, record.game.turns)


def _typing(game: Game, faces: tuple[int, ...]) -> int:
    """Return the presses that type in a throw, each die by the shorter way to its face, and OK."""
    presses = 0
    for face in faces:
        up = down = nothing_typed(game)
        while face not in (up.face, down.face):
            up, down = up.count_up(only=False), down.count_down()
            presses += 1
        presses += 1
    return presses


def _played(record: Record, wanted: Wanted, thrown: Dice) -> tuple[int, Record]:
    """Return the presses to the end of a play, by the nearest choice that still leads there."""
    presses, seat, throws = 0, record.game.seat, record.game.throws
    while record.game.phase is Phase.MOVE and record.game.throws == throws:
        game, listed = record.game, choices(record, dome=True)
        ways = [way for choice in listed for way in _ways(record, listed, choice)]
        leading = (way for way in sorted(ways, key=_length) if _leads(game, way[1], wanted, seat))
        nearest, action = next(leading)
        presses += nearest + _confirming(game, action, thrown)
        record, _ = enter(record, action)
    return presses, record


def _ways(
    record: Record, listed: tuple[Choice, ...], choice: Choice
) -> Iterator[tuple[int, Action]]:
    """Yield the actions behind a choice, with the presses that go to it."""
    there = _steps(listed.index(choice), len(listed))
    if choice.deed is Deed.PAWN:
        pawn = record.game.seat, choice.steps[0].origin
        parts = choices(record, dome=True, pawn=pawn)
        for n, part in enumerate(parts):
            if not isinstance(part.deed, Deed):
                yield there + 1 + _steps(n, len(parts)), part.deed
    elif not isinstance(choice.deed, Deed):
        yield there, choice.deed


def _length(way: tuple[int, Action]) -> int:
    return way[0]


def _steps(at: int, count: int) -> int:
    """Return how many presses of NEXT, or of the dome, lead from the first choice to this one."""
    return min(at, count - at)


def _leads(game: Game, action: Action, wanted: Wanted, seat: int) -> bool:
    """Whether an action can still bring the play to the end that is wanted."""
    after, _ = play(game, action)
    if after.phase is Phase.MOVE:
        return wanted in {Wanted(one.position, one.first) for one in play_ends(after)}
    return remove_seats(game.ruleset, after.position, game.places) == wanted.position


def _confirming(game: Game, action: Action, thrown: Dice) -> int:
    """Return the presses that confirm an action: none where the next throw of the dome does."""
    by_dome = thrown == "by the dome" and only_action(game) == action
    return 0 if by_dome and leads_to_a_throw(game, action) else 1
