"""The choices in each phase of a game, and their texts. No fingers, no time."""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache, reduce
from typing import NamedTuple

from pi_app.model.screens import NOTHING, Increment, Message, Pawn, Seat, Text, Value, message
from pi_app.model.tables import has_table
from pi_app.texts.reasons import short_reason
from pi_app.texts.words import place_words, seat_letter, spent_words
from rules import terrain
from rules.actions import Action, Choose, Correct, Move, Stop
from rules.board import HOME, NEST, ROW, SEATS, board, safety_spaces
from rules.game import Game, Phase, find_holder, victims, walk_of
from rules.history import Record
from rules.memory import find_sharers
from rules.questions.explain import what_stops
from rules.questions.reasons import Rule, because
from rules.ruleset import THIRD_DOUBLETS, RuleSet
from rules.steps import Step

MOVED = message("do-moved")
GO_ON = message("do-go-on")
NO_MOVE = message("no-move")


class Deed(Enum):
    """What OK does, if that is not an action of the rules."""

    THROW = auto()  # the dome does it
    HOLD_THROW = auto()  # without a dome
    TYPE = auto()
    PAWN = auto()
    OTHER_PAWN = auto()
    MENU = auto()
    WAIT = auto()
    NEW_GAME = auto()
    REMATCH = auto()
    LUCK = auto()
    CURVE = auto()
    PLAY_ON = auto()


class Choice(NamedTuple):
    """One thing to choose: what OK does."""

    deed: Action | Deed
    steps: tuple[Step, ...] = ()  # the parts of a grant that this pawn may take
    # What stops each pawn if none can move, or what a third doublet costs that takes none back.
    why: Text = NOTHING


@dataclass(frozen=True, slots=True)
class ChoiceText:
    """A choice as the screen and the lamps show it."""

    words: tuple[Text, ...]  # a large phrase, or two
    lead: Text = ""  # a small line above them
    short_lead: Text = ""  # the same if that is too long
    note: Text = ""  # a small line below them
    origin: Pawn | None = None  # blinks, as `target`
    target: Pawn | None = None
    uses: str = ""  # the increments that a step spends, as text
    captured: tuple[Pawn, ...] = ()
    does: Text = MOVED  # the label of OK
    walk: tuple[int, ...] = ()  # the places that the pawn touches, the target last


DONE = Choice(Stop())
MENU = Choice(Deed.MENU)
DEED_TEXTS: dict[Deed, ChoiceText] = {
    Deed.THROW: ChoiceText((message("press-the-dome"),), does=NOTHING),
    Deed.HOLD_THROW: ChoiceText((message("hold-to-throw"),), does=message("do-throw")),
    Deed.TYPE: ChoiceText((message("type-in-real-dice"),), does=message("do-type-them")),
    Deed.OTHER_PAWN: ChoiceText((message("back-to-the-pawns"),), does=message("do-go-back")),
    Deed.MENU: ChoiceText((message("menu"),), does=message("do-open-it")),
    Deed.WAIT: ChoiceText((message("thinks"),), does=NOTHING),
    Deed.NEW_GAME: ChoiceText((message("new-game"),), does=message("new-game")),
    Deed.REMATCH: ChoiceText((message("rematch"),), does=message("rematch")),
    Deed.LUCK: ChoiceText((message("luck-and-skill"),), does=GO_ON),
    Deed.CURVE: ChoiceText((message("chances-to-win"),), does=GO_ON),
    Deed.PLAY_ON: ChoiceText((message("ask-play-on"),), does=message("do-play-on")),
}
TO_STOP = ChoiceText(
    (message("stop-here"),), note=message("leave-the-rest"), does=message("do-done")
)
DUTIES = {Rule.OPEN_FIRST: message("duty-open"), Rule.CLEAR_FIRST: message("duty-clear")}


def choices(record: Record, dome: bool, pawn: Pawn | None = None) -> tuple[Choice, ...]:
    """Return what the player whose turn it is can choose now; always at least one choice.

    dome: whether the table has a dome. pawn: the pawn chosen from a grant, for its parts.
    """
    game = record.game
    if pawn is not None:
        steps = (step for step in _ordered_steps(game) if step.origin == pawn[1])
        parts = (Choice(Move(step)) for step in steps if "/" in step.spent)
        return (*parts, Choice(Deed.OTHER_PAWN))
    match game.phase:
        case Phase.MOVE if game.steps:
            last = record.past[-1].action if record.past else None
            return _step_choices(game, last.step.target if isinstance(last, Move) else None)
        case Phase.MOVE:
            return tuple(_stop_reasons(game))
        case Phase.PENALTY:
            return (DONE if game.put_back else Choice(Stop(), why=_why_none_goes_back(record)),)
        case Phase.STARTER:
            return tuple(Choice(Choose(seat)) for seat in game.seats)
        case Phase.OVER:
            rematch = (Choice(Deed.REMATCH),) if len(game.seats) > 1 else ()
            curve = (Choice(Deed.CURVE),) if has_table(game.ruleset) else ()
            reviews = (Choice(Deed.LUCK), *curve) if game.turns else ()
            play_on = (Choice(Deed.PLAY_ON),) if game.may_play_on else ()
            return (*rematch, *play_on, Choice(Deed.NEW_GAME), *reviews)
    # A table without a dome may well have real dice, which can be typed in.
    return (Choice(Deed.THROW),) if dome else (Choice(Deed.HOLD_THROW), Choice(Deed.TYPE))


def _why_none_goes_back(record: Record) -> Message:
    """Return what a third doublet costs if it takes no pawn back, or why it takes none."""
    game = record.game
    cost, last = THIRD_DOUBLETS[game.ruleset.third_doublet], game.memory.last
    if cost.takes_open:
        return message("none-in-the-open")
    if not cost.takes_pawn:
        return message("throw-again") if cost.keeps_turn else message("turn-ends")
    if not cost.last_moved:
        in_row = any(ROW < place < HOME for place in game.position[game.seat])
        return message("stays-in-row") if in_row else message("none-on-the-way")
    if last is None:
        of_turn = [done.action for done in record.past if done.before.turns == game.turns]
        is_corrected = any(isinstance(action, Correct) for action in of_turn)
        return message("none-after-correction") if is_corrected else message("none-moved")
    return message("stays-home") if last == HOME else message("stays-in-row")


@lru_cache(maxsize=1)  # a press asks for the choices of one game several times
def _step_choices(game: Game, last: int | None) -> tuple[Choice, ...]:
    """Return the legal steps as choices; the parts of a grant (`3/14`) for one pawn are one choice.

    Such a pawn has the rank of its best part. last: the place of the pawn that was moved last.
    """
    done = (DONE,) if game.may_stop else ()
    parts: dict[Step | int, list[Step]] = {}
    for step in _ordered_steps(game, last):
        parts.setdefault(step.origin if "/" in step.spent else step, []).append(step)
    if len(parts) == 1 and not done:
        return tuple(Choice(Move(step)) for steps in parts.values() for step in steps)
    listed = [
        Choice(Deed.PAWN, tuple(steps)) if len(steps) > 1 else Choice(Move(steps[0]))
        for steps in parts.values()
    ]
    return (*listed, *done)


def _ordered_steps(game: Game, last: int | None = None) -> list[Step]:
    """Return the legal steps, the most likely first.

    Steps that come home come first, then captures, entries, and steps of the pawn at `last`; those
    that go back to the nest come last. Among these, dice come in the order of the throw, then
    several dice together, then bonuses. Among these, the most advanced pawn comes first, and the
    largest part of a grant.
    """
    thrown, pawns = game.increments, game.position[game.seat]
    home = board(game.ruleset.layout).home
    dice = [str(spaces) for spaces, _ in thrown]
    bonuses = [str(spaces) for spaces in game.bonuses if (spaces, False) not in thrown]

    def order(step: Step) -> tuple[bool, bool, bool, bool, bool, int, int, int, int, Step]:
        enters = step.origin == NEST
        return (
            step.target == NEST,
            step.target not in home or step.origin in home,
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


def _stop_reasons(game: Game) -> Iterator[Choice]:
    """Yield each reason why nothing can be moved, with the increments that it stops."""
    dice = [(spaces, False) for spaces, spent in game.increments if not spent]
    bonuses = [(spaces, True) for spaces in game.bonuses]
    stopped: dict[Message, list[Value]] = {}
    for spaces, bonus in dict.fromkeys([*dice, *bonuses]) or [(sum(game.throw), False)]:
        # The note has room for two reasons of an increment, the most advanced pawns'.
        reason, *others = dict.fromkeys(map(short_reason, what_stops(game, spaces, bonus)))
        if others:
            reason = message("two-reasons", one=reason, other=others[0])
        stopped.setdefault(reason, []).append(spent_words(f"+{spaces}" if bonus else str(spaces)))
    for reason, numbers in stopped.items():
        yield Choice(Stop(), why=message("stopped-by", numbers=tuple(numbers), reason=reason))


def choice_text(game: Game, choice: Choice) -> ChoiceText:
    match choice.deed:
        case Move(step):
            return _step_text(game, step)
        case Choose(seat):
            return ChoiceText((message("begins", seat=Seat(seat)),))
        case Deed.PAWN:
            return _pawn_text(game, choice.steps)
        case Deed():
            return DEED_TEXTS[choice.deed]
    if game.phase is not Phase.PENALTY:
        return ChoiceText((NO_MOVE,), note=choice.why, does=GO_ON) if choice.why else TO_STOP
    third, cost = message("third-two-alike"), THIRD_DOUBLETS[game.ruleset.third_doublet]
    if not game.put_back:
        return ChoiceText((NO_MOVE,), third, note=choice.why, does=GO_ON)
    if cost.undoes_turn:
        return ChoiceText((message("turn-undone"),), third, does=GO_ON)
    if cost.takes_open:
        note = _lines([place_words(game.ruleset, *pawn[:2]) for pawn in game.put_back])
        return ChoiceText((message("open-pawns-back"),), third, note=note, does=GO_ON)
    seat, place, nest = game.put_back[0]
    words = (message("goes-to-the-nest", place=place_words(game.ruleset, seat, place)),)
    note = message("moved-last") if cost.last_moved else NOTHING
    return ChoiceText(words, third, note=note, origin=(seat, place), target=(seat, nest))


def _step_text(game: Game, step: Step) -> ChoiceText:
    seat, rules, on = game.seat, game.ruleset, board(game.ruleset.layout)
    to_go, captured, walk = on.to_go, victims(game, step), walk_of(game, step)
    spent = int(step.spent) if step.spent.isdigit() else 0
    is_open_die = (spent, False) in game.increments
    is_bonus = spent in game.bonuses and not is_open_die and step.origin != NEST
    uses = f"+{step.spent}" if is_bonus else step.spent
    origin, target = (place_words(rules, seat, place) for place in (step.origin, step.target))
    if step.target == HOME and rules.finish_bonus:
        target = message("home-and-bonus", bonus=message("plus", number=rules.finish_bonus))
    is_sent_back = step.target == NEST
    words: tuple[Message, ...] = (target,)
    if is_sent_back:  # two lines, but only one beside those that it captures
        own = message("to-nest", who=Seat(seat))
        words = (own if captured else message("your-pawn-goes-back"),)
    is_over, note = rules.overshoot == "over" and step.target in on.home, NOTHING
    notes = list(filter(None, [_way_words(game, step, spent, walk)]))
    if len(walk) - is_sent_back > spent:
        notes.append(message("star-leads-home" if step.target == HOME else "star-leads-on"))
    if is_sent_back:
        notes.append(_who_holds(game, walk[-2]))
    if captured:  # the line has room for two letters
        letters = "".join(seat_letter(victim) for victim, _ in captured)
        words += (message("to-nest", who=letters if len(captured) < 3 else str(len(captured))),)
        notes += _captured_lines(rules, captured)
        if rules.entry_captures == "full" and step.origin == NEST:
            note = _who_came_last(game, step, captured[0][0])
    elif is_bonus:
        is_for_capture = spent == rules.capture_bonus
        note = message("for-the-capture" if is_for_capture else "for-coming-home")
    elif on.has_way_out and 0 <= step.origin < on.last <= step.target < HOME:
        note = message("lies-on-its-side")  # again at the end of its arm, or beyond it
    elif is_over and (way := to_go[step.origin] - to_go[step.target]) < spent:
        note = message("too-many", count=spent - way)
    elif not notes:
        note = _duty_words(game)
    return ChoiceText(
        words=words,
        lead=message("uses-from", uses=spent_words(uses), origin=origin, target=target),
        short_lead=message("from", origin=origin),
        note=note or _lines(notes),
        origin=(seat, step.origin),
        target=(seat, step.target),
        uses=uses,
        captured=captured,
        walk=walk,
    )


def _who_holds(game: Game, place: int) -> Message:
    """Return which opponents send a pawn back that lands at a place: two, or on a safe space."""
    rules = game.ruleset
    space = board(rules.layout).space(game.seat, place)
    is_safe = space in safety_spaces(rules.layout, rules.safety)
    rule = Rule.SAFETY_HELD if is_safe else Rule.PAIR_SAFE
    return short_reason(because(rule, find_holder(game, place)))


def _captured_lines(rules: RuleSet, captured: tuple[Pawn, ...]) -> list[Message]:
    """Return a line for each pawn to take back, or for all on a space that the step passes.

    One or two pawns on the target have none: the large words name them.
    """
    if rules.captures == "landing":
        who = [Seat(victim) for victim, _ in captured]
        return [message("to-nest", who=seat) for seat in who] if len(captured) > 2 else []
    lines = []
    for (seat, place), pawns in Counter(captured).items():
        many = message("so-many-of", pawns=pawns, seat=Seat(seat))
        where = place_words(rules, seat, place)
        lines.append(message("captured-there", who=many if pawns > 1 else Seat(seat), place=where))
    return lines


def _lines(texts: list[Message]) -> Message:
    """Return texts one below the other."""
    if not texts:
        return NOTHING
    return reduce(lambda one, other: message("two-lines", one=one, other=other), texts)


def _way_words(game: Game, step: Step, spent: int, walk: tuple[int, ...]) -> Message:
    """Return what number a pawn on a ladder needs, why it stops short or goes back, or NOTHING."""
    rules, on = game.ruleset, board(game.ruleset.layout)
    if needed := climbing_numbers(rules, (step.target,)):
        return message("needs-next", number=needed[0])
    if not walk or step.target == HOME:
        return NOTHING
    if rules.passing == "none" and rules.stop_behind_blockade and len(walk) < spent:
        whole = (one.places for one in terrain(rules).all_walks[step.origin][spent])
        barrier = next(one[len(walk)] for one in whole if one[: len(walk)] == walk)
        if barrier in game.position[game.seat]:
            return message("stops-before-own")
        space = on.space(game.seat, barrier)
        holds = {on.space(seat, at): seat for seat in game.seats for at in game.position[seat]}
        return message("stops-before", seat=Seat(holds[space]))
    if rules.overshoot == "back" and (there := 1 + walk.index(max(walk))) < spent:
        return message("home-and-back", there=there, back=spent - there)
    return NOTHING


def climbing_numbers(rules: RuleSet, places: Collection[int]) -> tuple[int, ...]:
    """Return the numbers that move a seat's pawns from the foot of a ladder or up it, in order."""
    if rules.row_by != "ladder":
        return ()
    foot, ways = board(rules.layout).last, terrain(rules).all_walks
    return tuple(
        number
        for place in sorted({*places} - {HOME})
        if foot <= place
        for number, found in enumerate(ways[place])
        if found and found[0].target not in {*places} - {HOME}
    )


def _who_came_last(game: Game, step: Step, victim: int) -> Message:
    """Return why this seat's pawn on the start goes back, NOTHING if there is no other's.

    Where nobody knows who came last, the rules pick one.
    """
    on = board(game.ruleset.layout)
    space = on.space(game.seat, step.target)
    side = {game.seat, (game.seat + 2) % SEATS if game.ruleset.partners else game.seat}
    if space is None or len(find_sharers(on, game.position, space) - side) < 2:
        return NOTHING
    is_known = dict(game.memory_now.late).get(space) == victim
    return message("came-last" if is_known else "last-unknown", seat=Seat(victim))


def _duty_words(game: Game) -> Message:
    """Return which pawns must move first, NOTHING if the player chooses freely."""
    if not game.ruleset.has_duties:
        return NOTHING
    open_dice = [spaces for spaces, spent in game.increments if not spent]
    stopped_by = {reason.rule for spaces in open_dice for reason in what_stops(game, spaces)}
    return next((words for rule, words in DUTIES.items() if rule in stopped_by), NOTHING)


def _pawn_text(game: Game, steps: tuple[Step, ...]) -> ChoiceText:
    """Return the texts of a pawn that may take several parts of a grant."""
    seat, place = game.seat, steps[0].origin
    sizes = [int(step.spent.partition("/")[0]) for step in steps]
    captured = {victim for step in steps for victim, _ in victims(game, step)}
    slots: dict[str, Value] = {"least": min(sizes), "most": max(sizes)}
    note = message("can-go", **slots)
    if captured:
        who = "".join(map(seat_letter, sorted(captured)))
        note = message("can-go-capture", **slots, who=who)
    return ChoiceText(
        words=(place_words(game.ruleset, seat, place),),
        lead=message("ask-which-pawn"),
        note=note,
        origin=(seat, place),
        does=message("do-this-pawn"),
    )


def increments(game: Game, uses: str) -> tuple[Increment[Text], ...]:
    """Return the marks of the throw's increments and of its bonuses, a mark for each kind of bonus.

    uses: what is chosen, as in `ChoiceText`. A single kind of bonus has its count: `2x20`.
    """
    chosen = [] if uses.startswith("+") else re.split("[+,]", uses)
    marks: list[Increment[Text]] = []
    for spaces, spent in game.increments:
        words: Text = str(spaces)
        is_chosen = not spent and (words in chosen if game.grant_left is None else any(chosen))
        if game.grant_left is not None and not spent:
            words = message("spaces-left", count=game.grant_left)
            if is_chosen:
                part = chosen[0].partition("/")[0]
                words = message("part-of", part=part, whole=game.grant_left)
        elif is_chosen:
            chosen.remove(str(spaces))
        marks.append(Increment(words, "spent" if spent else "chosen" if is_chosen else "open"))
    kinds = sorted(set(game.bonuses))
    count = len(game.bonuses) if len(kinds) == 1 else 1
    for spaces in kinds:
        text = f"{count}x{spaces}" if count > 1 else f"+{spaces}"
        marks.append(Increment(text, "chosen" if uses == f"+{spaces}" else "open"))
    return tuple(marks)
