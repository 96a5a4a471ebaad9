"""The events of a game as messages, newest first. Stores nothing."""

import re
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

DOME = "dome"  # the value of `by` in a record if the dome confirmed the step
MAX_BY_LENGTH = 20  # of a name in `by`: a record can come from anyone


def recent_lines(record: Record, most: int) -> tuple[tuple[str, Message], ...]:
    """Return the newest `most` lines as pairs of id and message, newest first.

    An id is unique in its game.
    """
    entries = reversed(list(enumerate(record.told)))
    lines = (
        (f"{number}.{nth}", line)
        for number, told in entries
        for nth, line in reversed(list(enumerate(entry_lines(record.game.ruleset, told))))
    )
    return tuple(islice(lines, most))


def entry_lines(rules: RuleSet, told: EntryReport) -> list[Message]:
    """Return the lines of one entry, in order; [] if it is not worth a line."""
    if told.undone is not None:
        return [_undo_line(rules, told.seat, told.undone)]
    lines: list[Message] = []
    for kind, group in groupby(told.facts, type):
        if kind is Lapsed:  # one line for all increments that were not used
            lapsed = [fact for fact in group if isinstance(fact, Lapsed)]
            unused = tuple(fact.spaces for fact in lapsed)
            lines.append(message("not-used", seat=Seat(lapsed[0].seat), spaces=unused))
        else:
            lines += (line for fact in group if (line := _fact_line(rules, told, fact)))
    return lines


def who_played(told: EntryReport, by: object) -> Text | None:
    """Return who played for the seat of an entry: a bot's level, `B`, or "" for its own player.

    by: the entry's `by` in the record. Return None for an entry without a player of its own: the
    dome confirmed it, or it is an undo, a correction, a leaving or the end.
    """
    if not isinstance(told.entry, Choose | Throw | Retype | Move | Stop) or by == DOME:
        return None
    if not isinstance(by, str):
        return ""
    if by in LEVEL_NAMES:
        return message("a-bot", level=LEVEL_NAMES[by])
    return "".join(filter(str.isprintable, by))[:MAX_BY_LENGTH]


def _undo_line(rules: RuleSet, seat: int, action: Action) -> Message:
    """Return the line of an undo of this action. A throw is never undone."""
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


def _fact_line(rules: RuleSet, told: EntryReport, fact: Fact) -> Message:
    """Return the line of a fact, or NOTHING if it has no line."""
    match fact:
        case Thrown():
            slots: dict[str, Value] = {"seat": Seat(fact.seat), "faces": fact.faces}
            if isinstance(told.entry, Retype):
                return message("typed-after-all", **slots)
            if told.source == TYPED:
                return message("typed-again" if told.again else "typed", **slots)
            return message("threw-again" if told.again else "threw", **slots)
        case Tied(seats):
            return message("tied", seats=tuple(map(Seat, seats)))
        case Begins(seat):
            return message("begins", seat=Seat(seat))
        case Moved(seat, step):
            return _move_line(rules, seat, step)
        case Captured(seat, place, by):
            where = place_words(rules.layout, seat, place)
            slots = {"by": Seat(by), "seat": Seat(seat), "place": where}
            if rules.capture_bonus:
                return message("captured-bonus", **slots, bonus=rules.capture_bonus)
            return message("captured", **slots)
    return _rare_line(rules, told, fact)


def _rare_line(rules: RuleSet, told: EntryReport, fact: Fact) -> Message:
    match fact:
        case Penalized(seat, None):
            return message("penalized", seat=Seat(seat))
        case Penalized(seat, int(place)):
            back = way_words(rules.layout, seat, place, NEST)
            return message("penalized-pawn", seat=Seat(seat), way=back)
        case Corrected():
            return _correction_line(rules, told, fact)
        case Left(seat):
            return message("left", seat=Seat(seat))
        case Won(seat, 1):
            return message("won", seat=Seat(seat))
        case Won(seat, number):
            return message("came-in", seat=Seat(seat), ordinal=ORDINALS[number - 1])
        case Over():
            return message("game-over")
    return NOTHING


def used_increments(step: Step) -> Value:
    """Return the increments that a step uses: `5`, `5 and 3`, `6 of 14`."""
    part, _, whole = step.spent.partition("/")
    if whole:
        return message("part-of", part=part, whole=whole)
    return tuple(re.split("[+,]", part))


def _move_line(rules: RuleSet, seat: int, step: Step) -> Message:
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


def _way(rules: RuleSet, seat: int, step: Step) -> Message:
    return way_words(rules.layout, seat, step.origin, step.target)


def _correction_line(rules: RuleSet, told: EntryReport, fact: Corrected) -> Message:
    """Return the pawns and the turn that a correction changed, or else its count of doublets."""
    assert isinstance(told.entry, Correct)
    corrected = parse_position(told.entry.position, rules)
    changes = [
        message(
            "corrected-pawn",
            seat=Seat(pawn.seat),
            way=way_words(rules.layout, pawn.seat, pawn.origin, pawn.target),
        )
        for pawn in moved_pawns(told.position, corrected)
    ]
    if fact.seat != told.seat:
        changes.append(message("corrected-turn", seat=Seat(fact.seat)))
    words = comma_list(changes or [message("corrected-doublets")])
    return message("corrected-waits" if fact.waits else "corrected", changes=words)
