"""What has happened in a game, in lines for who looks up from the board. Keeps nothing."""

import re
from collections.abc import Iterator
from itertools import groupby

from pi_app.table.map import moved
from pi_app.table.settings import LEVELS
from pi_app.table.words import ORDINALS, letter, listed, way, where_in_brief
from rules.actions import Action, Choose, Correct, End, Leave, Move, Stop, Throw
from rules.board import HOME, NEST
from rules.facts import (
    Begins,
    Captured,
    Corrected,
    Fact,
    Lapsed,
    Left,
    Moved,
    Over,
    Penalized,
    Thrown,
    Tied,
    Won,
)
from rules.history import TYPED, Record, Retype, Told
from rules.position import parse_position
from rules.ruleset import RuleSet
from rules.steps import Step

DOME = "dome"  # as a record says by whom a step was confirmed
BY_LETTERS = 20  # of what anybody's record may say there

UNDONE: dict[type[Action], str] = {
    Choose: "who begins",
    Move: "{}'s move",
    Stop: "the end of {}'s turn",
    Correct: "the correction",
    Leave: "{}'s leaving",
    End: "the end of the game",
}


def happened(record: Record, most: int) -> tuple[str, ...]:
    """Return the last lines of what has happened, at most so many, the newest first."""
    lines: list[str] = []
    for told in reversed(record.told):
        if len(lines) >= most:
            break
        lines += reversed(lines_of(record.game.ruleset, told))
    return tuple(lines[:most])


def lines_of(rules: RuleSet, told: Told) -> list[str]:
    """Return what came of one entry, in order; nothing where it is not worth a line."""
    if told.undone is not None:
        return [f"undone: {_undone(rules, told.seat, told.undone)}"]
    lines = (_line(rules, told, facts) for facts in _together(told.facts))
    return [line for line in lines if line]


def who_played(told: Told, by: object) -> str | None:
    """Return who played for the seat of an entry: `a box (child)`, `B`, "" for its own player.

    by: what the record says beside the entry. None where nobody's play is meant: the dome has
    confirmed it, or it is an undo, a correction, a leaving or the end.
    """
    if not isinstance(told.entry, Choose | Throw | Retype | Move | Stop) or by == DOME:
        return None
    if not isinstance(by, str):
        return ""
    return f"a box ({by})" if by in LEVELS else "".join(filter(str.isprintable, by))[:BY_LETTERS]


def _together(facts: tuple[Fact, ...]) -> Iterator[tuple[Fact, ...]]:
    """Yield the facts one by one, but what was not used as one."""
    for kind, alike in groupby(facts, type):
        if kind is Lapsed:
            yield tuple(alike)
        else:
            yield from ((fact,) for fact in alike)


def _undone(rules: RuleSet, seat: int, action: Action) -> str:
    whose = action.seat if isinstance(action, Leave) else seat
    what = UNDONE[type(action)].format(letter(whose))
    return f"{what} {_way(rules, seat, action.step)}" if isinstance(action, Move) else what


def _line(rules: RuleSet, told: Told, facts: tuple[Fact, ...]) -> str:
    """Return the line of a fact, or of several that are told as one; "" where there is none."""
    match facts[0]:
        case Thrown() as thrown:
            return _thrown(told, thrown)
        case Tied(seats):
            return f"tie: {listed([letter(one) for one in seats])} throw again"
        case Begins(seat):
            return f"{letter(seat)} begins"
        case Moved(seat, step):
            return _moved(rules, seat, step)
        case Captured(seat, place, by):
            where = where_in_brief(rules.layout, seat, place)
            return f"{letter(by)} captured {letter(seat)} at {where}{_plus(rules.capture_bonus)}"
        case Lapsed(seat):
            unused = [str(fact.spaces) for fact in facts if isinstance(fact, Lapsed)]
            return f"{letter(seat)} did not use {listed(unused)}"
    return _rarer(rules, told, facts[0])


def _rarer(rules: RuleSet, told: Told, fact: Fact) -> str:
    match fact:
        case Penalized(seat, place):
            back = f": pawn {way(rules.layout, seat, place, NEST)}" if place is not None else ""
            return f"{letter(seat)} threw two alike three times{back}"
        case Corrected():
            return _corrected(rules, told, fact)
        case Left(seat):
            return f"{letter(seat)} left the game"
        case Won(seat, number):
            return f"{letter(seat)} {'has won' if number == 1 else f'is {ORDINALS[number - 1]}'}"
        case Over():
            return "the game is over"
    return ""


def _thrown(told: Told, fact: Thrown) -> str:
    did = "typed" if told.source == TYPED or isinstance(told.entry, Retype) else "threw"
    how = ", as before" if told.again else ", after all" if isinstance(told.entry, Retype) else ""
    return f"{letter(fact.seat)} {did} {listed([str(face) for face in fact.faces])}{how}"


def _moved(rules: RuleSet, seat: int, step: Step) -> str:
    part, _, whole = step.spent.partition("/")
    used = f"{part} of {whole}" if whole else listed(re.split("[+,]", part))
    if step.origin == NEST:
        return f"{letter(seat)} entered a pawn with {used}"
    bonus = _plus(rules.finish_bonus) if step.target == HOME else ""
    return f"{letter(seat)} moved {used}, {_way(rules, seat, step)}{bonus}"


def _way(rules: RuleSet, seat: int, step: Step) -> str:
    return way(rules.layout, seat, step.origin, step.target)


def _plus(bonus: int) -> str:
    return f": +{bonus}" if bonus else ""


def _corrected(rules: RuleSet, told: Told, fact: Corrected) -> str:
    """Return what a correction has changed: pawns, whose turn it is, else its doublets."""
    assert isinstance(told.entry, Correct)
    mended = moved(told.position, parse_position(told.entry.position, rules))
    ways = [
        f"{letter(one.seat)} {way(rules.layout, one.seat, one.origin, one.target)}"
        for one in mended
    ]
    turn = [f"{letter(fact.seat)}'s turn"] if fact.seat != told.seat else []
    waits = "; the throw waits" if fact.waits else ""
    return f"corrected: {', '.join([*ways, *turn]) or 'two alike before'}{waits}"
