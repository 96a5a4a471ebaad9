"""What can be chosen in each phase of a game, and how a choice is told. No fingers, no time."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from pi_app.screens.screen import NOTHING, Increment, Message, Pawn, Seat, Text, Value, message
from pi_app.texts.reasons import short_reason
from pi_app.texts.words import PENALTIES_WITHOUT_PAWN, place_words, seat_letter
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


class Choice(NamedTuple):
    """One thing to choose: what OK does.

    steps: the parts of a grant that a pawn may take. why: what stops each pawn where none can move.
    """

    deed: Action | Deed
    steps: tuple[Step, ...] = ()
    why: Text = NOTHING


@dataclass(frozen=True, slots=True)
class ChoiceText:
    """How the screen and the lamps tell a choice.

    `lead` is a small line above the words, `short_lead` where that has no room, `note` one below.
    `uses` is the text of what a step spends; `captured` are the pawns that it captures. `does` is
    what OK says.
    """

    words: tuple[Text, ...]
    lead: Text = ""
    short_lead: Text = ""
    note: Text = ""
    origin: Pawn | None = None
    target: Pawn | None = None
    uses: str = ""
    captured: tuple[Pawn, ...] = ()
    does: Text = MOVED


DONE = Choice(Stop())
MENU = Choice(Deed.MENU)
OF_DEEDS: dict[Deed, ChoiceText] = {
    Deed.TYPE: ChoiceText((message("type-in"), message("real-dice")), does=message("do-type-them")),
    Deed.OTHER_PAWN: ChoiceText(
        (message("back-to"), message("the-pawns")), does=message("do-go-back")
    ),
    Deed.MENU: ChoiceText((message("menu"),), does=message("do-open-it")),
    Deed.WAIT: ChoiceText((message("thinks"),), does=NOTHING),
    Deed.NEW_GAME: ChoiceText((message("new-game"),), does=message("new-game")),
    Deed.REMATCH: ChoiceText((message("rematch"),), does=message("rematch")),
    Deed.LUCK: ChoiceText((message("luck-and-skill"),), does=GO_ON),
    Deed.CURVE: ChoiceText((message("chances-to-win"),), does=GO_ON),
}
TO_STOP = ChoiceText(
    (message("stop-here"),), note=message("leave-the-rest"), does=message("do-done")
)
# Without a dome, OK throws by a hold.
TO_THROW = ChoiceText((message("press"), message("the-dome")), does=NOTHING)
TO_HOLD = ChoiceText((message("press-hold-ok"), message("to-throw")), does=message("do-throw"))


def choices(record: Record, dome: bool, pawn: Pawn | None = None) -> tuple[Choice, ...]:
    """Return what the player whose turn it is can choose now; always at least one.

    pawn: the one chosen, of a grant in which each pawn may go many ways.
    """
    game = record.game
    if pawn is not None:
        parts = (step for step in _ordered(game) if "/" in step.spent and step.origin == pawn[1])
        return (*(Choice(Move(step)) for step in parts), Choice(Deed.OTHER_PAWN))
    match game.phase:
        case Phase.MOVE if game.steps:
            return _moves(game, last_moved_place(record))
        case Phase.MOVE:
            return tuple(_reasons(game))
        case Phase.PENALTY:
            return (DONE,)
        case Phase.STARTER:
            return tuple(Choice(Choose(seat)) for seat in game.seats)
        case Phase.OVER:
            return _over(game)
    # Without a dome real dice are as likely, and can be typed in.
    return (Choice(Deed.THROW),) if dome else (Choice(Deed.THROW), Choice(Deed.TYPE))


def choice_of(action: Action | None) -> Choice:
    """Return what a box has chosen as the one choice that there is; None while it thinks."""
    return Choice(Deed.WAIT if action is None else action)


def last_moved_place(record: Record) -> int | None:
    """Return the place of the pawn moved last with the throw on the table, None without one."""
    last = record.past[-1].action if record.past else None
    return last.step.target if isinstance(last, Move) and record.game.throw else None


def _moves(game: Game, last: int | None) -> tuple[Choice, ...]:
    """Return the steps as choices; the parts of a grant (`3/14`) that a pawn may take are one.

    Such a pawn stands where its best part does.
    """
    done = (DONE,) if game.may_stop else ()
    parts: dict[Step | int, list[Step]] = {}
    for step in _ordered(game, last):
        parts.setdefault(step.origin if "/" in step.spent else step, []).append(step)
    if len(parts) == 1 and not done:
        return tuple(Choice(Move(step)) for steps in parts.values() for step in steps)
    listed = [
        Choice(Deed.PAWN, tuple(steps)) if len(steps) > 1 else Choice(Move(steps[0]))
        for steps in parts.values()
    ]
    return (*listed, *done)


def _ordered(game: Game, last: int | None = None) -> list[Step]:
    """Return the legal steps: coming home, capturing, entering, then those of the pawn at `last`.

    Among equals the dice come as thrown, then several dice, then bonuses. For each of these the
    most advanced pawn comes first, and the largest part of a grant.
    """
    thrown, pawns = game.increments, game.position[game.seat]
    dice = [str(spaces) for spaces, _ in thrown]
    bonuses = [str(spaces) for spaces in game.bonuses if (spaces, False) not in thrown]

    def order(step: Step) -> tuple[bool, bool, bool, bool, int, int, int, int, Step]:
        enters = step.origin == NEST
        return (
            step.target != HOME,
            not step.captures,
            not enters,
            step.origin != last,
            int(step.spent) if step.spent in bonuses and not enters else 0,
            dice.index(step.spent) if step.spent in dice else len(dice),
            pawns.index(step.origin),
            -int(step.spent.partition("/")[0]) if "/" in step.spent else 0,
            step,
        )

    return sorted(game.steps, key=order)


def _over(game: Game) -> tuple[Choice, ...]:
    """Return the next game, then what can be seen of this one, if it had begun.

    A rematch is by the same rules and seats, if they are not one only.
    """
    rematch = (Choice(Deed.REMATCH),) if len(game.seats) > 1 else ()
    seen = (Choice(Deed.LUCK), Choice(Deed.CURVE)) if game.turns else ()
    return (*rematch, Choice(Deed.NEW_GAME), *seen)


def _reasons(game: Game) -> Iterator[Choice]:
    """Yield why nothing can be moved: each reason once, with the increments that it stops."""
    stopped: dict[Message, list[str]] = {}
    for spaces, bonus in _left(game):
        number = f"+{spaces}" if bonus else str(spaces)
        stopped.setdefault(_why_none(game, spaces, bonus), []).append(number)
    for reason, numbers in stopped.items():
        yield Choice(Stop(), why=message("stopped-by", numbers=tuple(numbers), reason=reason))


def _why_none(game: Game, spaces: int, bonus: bool) -> Message:
    """Return why no pawn can use an increment: two different reasons at most."""
    first, *others = dict.fromkeys(map(short_reason, what_stops(game, spaces, bonus)))
    return message("two-reasons", one=first, other=others[0]) if others else first


def _left(game: Game) -> tuple[tuple[int, bool], ...]:
    """Return the different increments not used yet, with True for a bonus; never nothing."""
    dice = [(spaces, False) for spaces, spent in game.increments if not spent]
    bonuses = [(spaces, True) for spaces in game.bonuses]
    return tuple(dict.fromkeys([*dice, *bonuses])) or ((sum(game.throw), False),)


def choice_text(game: Game, choice: Choice, dome: bool) -> ChoiceText:
    """Return how a choice is told. dome: a throw is made by pressing it."""
    match choice.deed:
        case Move(step):
            return _of_step(game, step)
        case Choose(seat):
            return ChoiceText((message("begins", seat=Seat(seat)),))
        case Deed.PAWN:
            return _of_pawn(game, choice.steps)
        case Deed.THROW:
            return TO_THROW if dome else TO_HOLD
        case Deed():
            return OF_DEEDS[choice.deed]
    if game.phase is Phase.PENALTY:
        return _of_penalty(game)
    return ChoiceText((NO_MOVE,), note=choice.why, does=GO_ON) if choice.why else TO_STOP


def _of_step(game: Game, step: Step) -> ChoiceText:
    layout, seat = game.ruleset.layout, game.seat
    caught = victims(game, step)
    bonus = step.origin != NEST and _is_bonus(game, step.spent)
    uses = f"+{step.spent}" if bonus else step.spent
    target = place_words(layout, seat, step.target)
    if step.target == HOME and game.ruleset.finish_bonus:
        target = message("home-and-bonus", bonus=game.ruleset.finish_bonus)
    origin = place_words(layout, seat, step.origin)
    return ChoiceText(
        words=(target, message("to-nest", who=_in_short(caught))) if caught else (target,),
        lead=message("uses-from", uses=uses.partition("/")[0], origin=origin),
        short_lead=message("from", origin=origin),
        note=_what_for(game, int(step.spent)) if bonus and not caught else NOTHING,
        origin=(seat, step.origin),
        target=(seat, step.target),
        uses=uses,
        captured=caught,
    )


def _is_bonus(game: Game, spent: str) -> bool:
    """Whether what a step spends is a bonus, and no increment of the dice."""
    if not spent.isdigit() or int(spent) not in game.bonuses:
        return False
    return (int(spent), False) not in game.increments


def _in_short(caught: tuple[Pawn, ...]) -> str:
    """Return whose pawns are captured as letters, or how many there are: two letters fit."""
    return "".join(seat_letter(seat) for seat, _ in caught) if len(caught) < 3 else str(len(caught))


def _what_for(game: Game, spaces: int) -> Message:
    """Return what a bonus of so many spaces was earned for."""
    for_capture = spaces == game.ruleset.capture_bonus
    return message("for-the-capture") if for_capture else message("for-coming-home")


def _of_pawn(game: Game, steps: tuple[Step, ...]) -> ChoiceText:
    """Return how a pawn is told that may take several parts of a grant."""
    seat, place = game.seat, steps[0].origin
    sizes = [int(step.spent.partition("/")[0]) for step in steps]
    caught = {victim for step in steps for victim, _ in victims(game, step)}
    who = "".join(map(seat_letter, sorted(caught)))
    slots: dict[str, Value] = {"least": min(sizes), "most": max(sizes)}
    return ChoiceText(
        words=(place_words(game.ruleset.layout, seat, place),),
        lead=message("ask-which-pawn"),
        note=message("can-go-capture", **slots, who=who) if caught else message("can-go", **slots),
        origin=(seat, place),
        does=message("do-this-pawn"),
    )


def _of_penalty(game: Game) -> ChoiceText:
    any_two = game.ruleset.doublet_number == "any"
    third = message("third-two-alike") if any_two else message("third-six")
    if game.penalty is None:
        lost = message("no-pawn-goes-back")
        note = PENALTIES_WITHOUT_PAWN.get(game.ruleset.third_doublet, lost)
        return ChoiceText((NO_MOVE,), third, note=note, does=GO_ON)
    seat, place = game.penalty
    words = (place_words(game.ruleset.layout, seat, place), message("to-the-nest"))
    return ChoiceText(words, third, origin=game.penalty, target=(seat, NEST))


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
