"""What has happened in a game, as messages, the newest first. Keeps nothing."""

import re
from collections.abc import Iterator
from itertools import groupby, islice

from pi_app.screens.screen import NOTHING, Message, Seat, Text, Value, message, moved_pawns
from pi_app.texts.words import LEVEL_NAMES, ORDINALS, comma_list, place_words, way_words
from rules.actions import Action, Choose, Correct, Leave, Move, Stop, Throw
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
from rules.history import TYPED, EntryReport, Record, Retype
from rules.position import parse_position
from rules.ruleset import RuleSet
from rules.steps import Step

DOME = "dome"  # as a record says by whom a step was confirmed
BY_LETTERS = 20  # of what anybody's record may say there


def recent_lines(record: Record, most: int) -> tuple[tuple[str, Message], ...]:
    """Return the last lines of what has happened, at most so many, the newest first.

    Each comes with its id in this game.
    """
    entries = reversed(list(enumerate(record.told)))
    lines = (
        (f"{number}.{nth}", line)
        for number, told in entries
        for nth, line in reversed(list(enumerate(entry_lines(record.game.ruleset, told))))
    )
    return tuple(islice(lines, most))


def entry_lines(rules: RuleSet, told: EntryReport) -> list[Message]:
    """Return what came of one entry, in order; nothing where it is not worth a line."""
    if told.undone is not None:
        return [_undone(rules, told.seat, told.undone)]
    lines = (_line(rules, told, facts) for facts in _together(told.facts))
    return [line for line in lines if line]


def who_played(told: EntryReport, by: object) -> Text | None:
    """Return who played for the seat of an entry: a box, `B`, "" for its own player.

    by: what the record says beside the entry. None where nobody's play is meant: the dome has
    confirmed it, or it is an undo, a correction, a leaving or the end.
    """
    if not isinstance(told.entry, Choose | Throw | Retype | Move | Stop) or by == DOME:
        return None
    if not isinstance(by, str):
        return ""
    if by in LEVEL_NAMES:
        return message("a-box", level=LEVEL_NAMES[by])
    return "".join(filter(str.isprintable, by))[:BY_LETTERS]


def _together(facts: tuple[Fact, ...]) -> Iterator[tuple[Fact, ...]]:
    """Yield the facts one by one, but what was not used as one."""
    for kind, alike in groupby(facts, type):
        if kind is Lapsed:
            yield tuple(alike)
        else:
            yield from ((fact,) for fact in alike)


def _undone(rules: RuleSet, seat: int, action: Action) -> Message:
    """Return what an undo has taken back; a throw is never undone."""
    match action:
        case Choose():
            return message("undone-choice")
        case Move(step):
            return message("undone-move", seat=Seat(seat), way=_way(rules, seat, step))
        case Stop():
            return message("undone-stop", seat=Seat(seat))
        case Correct():
            return message("undone-correction")
        case Leave(gone):
            return message("undone-leaving", seat=Seat(gone))
    return message("undone-end")


def _line(rules: RuleSet, told: EntryReport, facts: tuple[Fact, ...]) -> Message:
    """Return the line of a fact, or of several that are told as one; nothing where it has none."""
    match facts[0]:
        case Thrown() as thrown:
            return _thrown(told, thrown)
        case Tied(seats):
            return message("tied", seats=tuple(map(Seat, seats)))
        case Begins(seat):
            return message("begins", seat=Seat(seat))
        case Moved(seat, step):
            return _moved(rules, seat, step)
        case Captured(seat, place, by):
            return _captured(rules, seat, place, by)
        case Lapsed(seat):
            unused = tuple(fact.spaces for fact in facts if isinstance(fact, Lapsed))
            return message("not-used", seat=Seat(seat), spaces=unused)
    return _rarer(rules, told, facts[0])


def _rarer(rules: RuleSet, told: EntryReport, fact: Fact) -> Message:
    match fact:
        case Penalized(seat, None):
            return message("penalized", seat=Seat(seat))
        case Penalized(seat, int(place)):
            back = way_words(rules.layout, seat, place, NEST)
            return message("penalized-pawn", seat=Seat(seat), way=back)
        case Corrected():
            return _corrected(rules, told, fact)
        case Left(seat):
            return message("left", seat=Seat(seat))
        case Won(seat, 1):
            return message("won", seat=Seat(seat))
        case Won(seat, number):
            return message("came-in", seat=Seat(seat), ordinal=ORDINALS[number - 1])
        case Over():
            return message("game-over")
    return NOTHING


def _thrown(told: EntryReport, fact: Thrown) -> Message:
    slots: dict[str, Value] = {"seat": Seat(fact.seat), "faces": fact.faces}
    if isinstance(told.entry, Retype):
        return message("typed-after-all", **slots)
    if told.source == TYPED:
        return message("typed-again" if told.again else "typed", **slots)
    return message("threw-again" if told.again else "threw", **slots)


def used_increments(step: Step) -> Value:
    """Return what a step uses: `5`, `5 and 3`, `6 of 14`."""
    part, _, whole = step.spent.partition("/")
    if whole:
        return message("part-of", part=part, whole=whole)
    return tuple(re.split("[+,]", part))


def _moved(rules: RuleSet, seat: int, step: Step) -> Message:
    if step.origin == NEST:
        return message("entered", seat=Seat(seat), used=used_increments(step))
    slots: dict[str, Value] = {
        "seat": Seat(seat),
        "used": used_increments(step),
        "way": _way(rules, seat, step),
    }
    if step.target == HOME and rules.finish_bonus:
        return message("moved-home", **slots, bonus=rules.finish_bonus)
    return message("moved", **slots)


def _captured(rules: RuleSet, seat: int, place: int, by: int) -> Message:
    where = place_words(rules.layout, seat, place)
    slots: dict[str, Value] = {"by": Seat(by), "seat": Seat(seat), "place": where}
    if rules.capture_bonus:
        return message("captured-bonus", **slots, bonus=rules.capture_bonus)
    return message("captured", **slots)


def _way(rules: RuleSet, seat: int, step: Step) -> Message:
    return way_words(rules.layout, seat, step.origin, step.target)


def _corrected(rules: RuleSet, told: EntryReport, fact: Corrected) -> Message:
    """Return what a correction has changed: pawns, whose turn it is, else its doublets."""
    assert isinstance(told.entry, Correct)
    mended = moved_pawns(told.position, parse_position(told.entry.position, rules))
    changes = [
        message(
            "corrected-pawn",
            seat=Seat(one.seat),
            way=way_words(rules.layout, one.seat, one.origin, one.target),
        )
        for one in mended
    ]
    if fact.seat != told.seat:
        changes.append(message("corrected-turn", seat=Seat(fact.seat)))
    said = comma_list(changes or [message("corrected-doublets")])
    return message("corrected-waits" if fact.waits else "corrected", changes=said)
