"""What can be chosen in each phase of a game, in words and places. No fingers, no time."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache

from pi_app.screens.message import NOTHING, Message, Seat, Text, Value, message
from pi_app.screens.screen import Increment, Pawn
from pi_app.texts.reasons import in_short
from pi_app.texts.terms import place_of
from pi_app.texts.words import PENALTIES_WITHOUT_PAWN, letter
from rules.actions import Action, Choose, Move, Stop
from rules.board import HOME, NEST
from rules.explain import what_stops
from rules.game import Game, Phase, victims
from rules.history import Record
from rules.steps import Step

MOVED = message("do-moved")
GO_ON = message("do-go-on")
NO_MOVE = message("no-move")


class Deed(Enum):
    """What OK does where it is no action of the rules."""

    THROW = auto()
    TYPE = auto()
    PAWN = auto()
    OTHER_PAWN = auto()
    MENU = auto()
    WAIT = auto()
    NEW_GAME = auto()
    REMATCH = auto()
    LUCK = auto()
    CURVE = auto()


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose: what OK does, and how the screen and the lamps tell it.

    `lead` is a small line above the words, `short_lead` where that has no room, `note` one below.
    `uses` is the text of what a step spends; `captured` are the pawns that it captures. `does` is
    what OK says.
    """

    deed: Action | Deed
    words: tuple[Text, ...]
    lead: Text = ""
    short_lead: Text = ""
    note: Text = ""
    origin: Pawn | None = None
    target: Pawn | None = None
    uses: str = ""
    captured: tuple[Pawn, ...] = ()
    does: Text = MOVED


NEW_GAME = Choice(Deed.NEW_GAME, (message("new-game"),), does=message("new-game"))
REMATCH = Choice(Deed.REMATCH, (message("rematch"),), does=message("rematch"))
LUCK = Choice(Deed.LUCK, (message("luck-and-skill"),), does=GO_ON)
CURVE = Choice(Deed.CURVE, (message("chances-to-win"),), does=GO_ON)
OTHER_PAWN = Choice(
    Deed.OTHER_PAWN, (message("back-to"), message("the-pawns")), does=message("do-go-back")
)
DONE = Choice(
    Stop(), (message("stop-here"),), note=message("leave-the-rest"), does=message("do-done")
)
MENU = Choice(Deed.MENU, (message("menu"),), does=message("do-open-it"))
THINKING = Choice(Deed.WAIT, (message("thinks"),), does=NOTHING)


def choices(record: Record, dome: bool, pawn: Pawn | None = None) -> tuple[Choice, ...]:
    """Return what the player whose turn it is can choose now; always at least one.

    pawn: the one chosen, of a grant in which each pawn may go many ways.
    """
    if pawn is not None:
        return _parts(record.game, pawn)
    if record.game.phase is Phase.MOVE:
        return _move(record.game, moved_last(record))
    return OF_PHASE[record.game.phase](record.game, dome)


def choice_of(game: Game, action: Action | None) -> Choice:
    """Return what a box has chosen as the one choice that there is; None while it thinks."""
    if isinstance(action, Move):
        return _step(game, action.step)
    return THINKING if action is None else DONE


def drivers(record: Record) -> tuple[int, ...]:
    """Return the seats whose buttons count now."""
    if record.game.phase == Phase.STARTER:
        return (record.host,)
    return record.game.seats if record.game.phase == Phase.OVER else (record.game.seat,)


def moved_last(record: Record) -> int | None:
    """Return the place of the pawn moved last with the throw on the table, None without one."""
    last = record.past[-1].action if record.past else None
    return last.step.target if isinstance(last, Move) and record.game.throw else None


def _throw(game: Game, dome: bool) -> tuple[Choice, ...]:
    """Return the throw; without a dome real dice are as likely, and can be typed in."""
    if dome:
        return (Choice(Deed.THROW, (message("press"), message("the-dome")), does=NOTHING),)
    real = message("type-in"), message("real-dice")
    typing = Choice(Deed.TYPE, real, does=message("do-type-them"))
    hold = message("press-hold-ok"), message("to-throw")
    return Choice(Deed.THROW, hold, does=message("do-throw")), typing


def _starter(game: Game, dome: bool) -> tuple[Choice, ...]:
    return tuple(Choice(Choose(seat), (message("begins", seat=Seat(seat)),)) for seat in game.seats)


@lru_cache(maxsize=1)  # asked for several times at every blink, and costs as much as drawing
def _move(game: Game, last: int | None) -> tuple[Choice, ...]:
    if not game.steps:
        return tuple(_reasons(game))
    done = (DONE,) if game.may_stop else ()
    return (*_by_pawn(game, last), *done)


def _by_pawn(game: Game, last: int | None) -> list[Choice]:
    """Return the steps as choices; the parts of a grant that a pawn may take are one choice.

    Such a pawn stands where its best part does.
    """
    gathered: dict[Step | Pawn, list[Step]] = {}
    for step in _ordered(game, last):
        gathered.setdefault(_pawn(game, step) if _is_part(step) else step, []).append(step)
    if len(gathered) == 1 and not game.may_stop:
        return [_step(game, step) for steps in gathered.values() for step in steps]
    return [
        _step(game, steps[0]) if len(steps) == 1 else _way(game, steps)
        for steps in gathered.values()
    ]


def _way(game: Game, steps: list[Step]) -> Choice:
    """Return the choice of a pawn that may take several parts of a grant."""
    seat, place = _pawn(game, steps[0])
    words = (place_of(game.ruleset.layout, seat, place),)
    sizes = [_size(step) for step in steps]
    caught = {victim for step in steps for victim, _ in victims(game, step)}
    who = "".join(map(letter, sorted(caught)))
    slots: dict[str, Value] = {"least": min(sizes), "most": max(sizes)}
    note = message("can-go-capture", **slots, who=who) if caught else message("can-go", **slots)
    lead, does = message("ask-which-pawn"), message("do-this-pawn")
    return Choice(Deed.PAWN, words, lead, note=note, origin=(seat, place), does=does)


def _parts(game: Game, pawn: Pawn) -> tuple[Choice, ...]:
    """Return the parts that a pawn may take, and the way back to the other pawns."""
    steps = (step for step in _ordered(game) if _is_part(step) and _pawn(game, step) == pawn)
    return (*(_step(game, step) for step in steps), OTHER_PAWN)


def _ordered(game: Game, last: int | None = None) -> list[Step]:
    """Return the legal steps: coming home, capturing, entering, then those of the pawn at `last`.

    Among equals the dice come as thrown, then several dice, then bonuses. For each of these the
    most advanced pawn comes first, and the largest part of a grant.
    """
    dice = [str(spaces) for spaces, _ in game.increments]

    def order(step: Step) -> tuple[bool, bool, bool, bool, int, int, int, int, Step]:
        bonus = int(step.spent) if _is_bonus(game, step) else 0
        die = dice.index(step.spent) if step.spent in dice else len(dice)
        pawn = game.position[game.seat].index(step.origin)
        return (
            step.target != HOME,
            not step.captures,
            step.origin != NEST,
            step.origin != last,
            bonus,
            die,
            pawn,
            -_size(step),
            step,
        )

    return sorted(game.steps, key=order)


def _pawn(game: Game, step: Step) -> Pawn:
    return game.seat, step.origin


def _is_part(step: Step) -> bool:
    return "/" in step.spent


def _size(step: Step) -> int:
    """Return how much of a grant a step takes, 0 for any other step."""
    return int(step.spent.partition("/")[0]) if _is_part(step) else 0


def _penalty(game: Game, dome: bool) -> tuple[Choice, ...]:
    any_two = game.ruleset.doublet_number == "any"
    third = message("third-two-alike") if any_two else message("third-six")
    if game.penalty is None:
        lost = message("no-pawn-goes-back")
        note = PENALTIES_WITHOUT_PAWN.get(game.ruleset.third_doublet, lost)
        return (Choice(Stop(), (NO_MOVE,), third, note=note, does=GO_ON),)
    seat, place = game.penalty
    words = (place_of(game.ruleset.layout, seat, place), message("to-the-nest"))
    back = game.penalty, (seat, NEST)
    return (Choice(Stop(), words, third, origin=back[0], target=back[1]),)


def _over(game: Game, dome: bool) -> tuple[Choice, ...]:
    """Return the next game, then what can be seen of this one, if it had begun.

    A rematch is by the same rules and seats, if they are not one only.
    """
    following = (REMATCH, NEW_GAME) if len(game.seats) > 1 else (NEW_GAME,)
    return (*following, LUCK, CURVE) if game.turns else following


OF_PHASE: dict[Phase, Callable[[Game, bool], tuple[Choice, ...]]] = {
    Phase.ORDER: _throw,
    Phase.STARTER: _starter,
    Phase.THROW: _throw,
    Phase.PENALTY: _penalty,
    Phase.OVER: _over,
}


def _step(game: Game, step: Step) -> Choice:
    layout, seat = game.ruleset.layout, game.seat
    caught = victims(game, step)
    bonus = _is_bonus(game, step)
    uses = f"+{step.spent}" if bonus else step.spent
    target = place_of(layout, seat, step.target)
    if step.target == HOME and game.ruleset.finish_bonus:
        target = message("home-and-bonus", bonus=game.ruleset.finish_bonus)
    words = (target, *_captures(caught))
    origin_of = place_of(layout, seat, step.origin)
    lead = message("uses-from", uses=uses.partition("/")[0], origin=origin_of)
    short_lead = message("from", origin=origin_of)
    note = _what_for(game, int(step.spent)) if bonus and not caught else NOTHING
    origin, end = (seat, step.origin), (seat, step.target)
    return Choice(Move(step), words, lead, short_lead, note, origin, end, uses, caught)


def _what_for(game: Game, spaces: int) -> Message:
    """Return what a bonus of so many spaces was earned for."""
    for_capture = spaces == game.ruleset.capture_bonus
    return message("for-the-capture") if for_capture else message("for-coming-home")


def _captures(caught: tuple[Pawn, ...]) -> tuple[Message, ...]:
    """Return the line that says whose pawns go back to their nest; none where none does."""
    seats = "".join(letter(seat) for seat, _ in caught)
    who = seats if len(caught) < 3 else str(len(caught))
    return (message("to-nest", who=who),) if caught else ()


def _is_bonus(game: Game, step: Step) -> bool:
    if not step.spent.isdigit() or int(step.spent) not in game.bonuses or step.origin == NEST:
        return False
    return (int(step.spent), False) not in game.increments


def _reasons(game: Game) -> Iterator[Choice]:
    """Yield why nothing can be moved: each reason once, with the increments that it stops."""
    stopped: dict[Message, list[str]] = {}
    for spaces, bonus in _left(game):
        number = f"+{spaces}" if bonus else str(spaces)
        stopped.setdefault(_why_none(game, spaces, bonus), []).append(number)
    for reason, numbers in stopped.items():
        note = message("stopped-by", numbers=tuple(numbers), reason=reason)
        yield Choice(Stop(), (NO_MOVE,), note=note, does=GO_ON)


def _why_none(game: Game, spaces: int, bonus: bool) -> Message:
    """Return why no pawn can use an increment: two different reasons at most."""
    first, *others = dict.fromkeys(map(in_short, what_stops(game, spaces, bonus)))
    return message("two-reasons", one=first, other=others[0]) if others else first


def _left(game: Game) -> tuple[tuple[int, bool], ...]:
    """Return the different increments not used yet, with True for a bonus; never nothing."""
    dice = [(spaces, False) for spaces, spent in game.increments if not spent]
    bonuses = [(spaces, True) for spaces in game.bonuses]
    return tuple(dict.fromkeys([*dice, *bonuses])) or ((sum(game.throw), False),)


def increments(game: Game, uses: str) -> tuple[Increment[Text], ...]:
    """Return the throw's increments and bonuses as the screen marks them; `uses` are chosen."""
    chosen = [] if uses.startswith("+") else re.split("[+,]", uses)
    marks = [_dice_mark(game, spaces, spent, chosen) for spaces, spent in game.increments]
    return (*marks, *_bonus_marks(game.bonuses, uses))


def _dice_mark(game: Game, spaces: int, spent: bool, chosen: list[str]) -> Increment[Text]:
    if spent:
        return Increment(str(spaces), "spent")
    if game.grant_left is not None:
        part = chosen[0].partition("/")[0] if any(chosen) else ""
        if part:
            return Increment(message("part-of", part=part, whole=game.grant_left), "chosen")
        return Increment(message("spaces-left", spaces=game.grant_left), "open")
    if str(spaces) not in chosen:
        return Increment(str(spaces), "open")
    chosen.remove(str(spaces))
    return Increment(str(spaces), "chosen")


def _bonus_marks(bonuses: tuple[int, ...], uses: str) -> list[Increment[Text]]:
    """Return a mark for each kind of bonus; how many there are is said where there is one kind."""
    kinds = sorted(set(bonuses))
    many = len(kinds) == 1 and len(bonuses) > 1
    texts = [f"{len(bonuses)}x{spaces}" if many else f"+{spaces}" for spaces in kinds]
    return [
        Increment(text, "chosen" if uses == f"+{spaces}" else "open")
        for text, spaces in zip(texts, kinds, strict=True)
    ]
