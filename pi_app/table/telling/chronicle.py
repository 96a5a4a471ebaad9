"""The facts of a game as messages, newest first. It does not store anything."""

import re
from itertools import groupby, islice

from pi_app.model.screens import NOTHING, Message, Seat, Text, Value, message, moved_pawns
from pi_app.texts import words
from rules import facts
from rules.actions import Choose, Correct, Leave, Move, PlayOn, Stop, Throw
from rules.board import HOME, NEST, board
from rules.game import winning_seats
from rules.history import TYPED, EntryReport, Record, Retype
from rules.position import parse_position
from rules.ruleset import THIRD_DOUBLETS, RuleSet
from rules.steps import Step

DOME = "dome"  # the value of `by` in a record if the dome confirmed the step
CLOCK = "clock"  # the same if the time for the turn was up
MAX_PLAYER_LENGTH = 20  # a longer name in `by` is cut, because a record can come from anyone


def recent_lines(record: Record, max_lines: int) -> tuple[tuple[str, Message], ...]:
    """Return at most `max_lines` pairs of id and message, newest first.

    An id is unique in its game, and does not change.
    """
    lines = (
        (f"{report.number}.{line_index}", line)
        for report in reversed(record.told)
        for line_index, line in reversed(list(enumerate(entry_lines(record.game.ruleset, report))))
    )
    return tuple(islice(lines, max_lines))


def entry_lines(rules: RuleSet, report: EntryReport) -> list[Message]:
    """Return the lines of one entry, in order, or [] if it has nothing to show."""
    match report.undone:  # it is never a throw
        case Choose():
            return [message("undone-choice")]
        case Move(step):
            way = words.way_words(rules, report.seat, step.origin, step.target)
            return [message("undone-move", seat=Seat(report.seat), way=way)]
        case Stop():
            return [message("undone-stop", seat=Seat(report.seat))]
        case Correct():
            return [message("undone-correction")]
        case PlayOn():
            return [message("undone-play-on")]
        case Leave(departed_seat):
            return [message("undone-leaving", seat=Seat(departed_seat))]
        case None:  # the entry is not an undo
            pass
        case _:
            return [message("undone-end")]
    lines: list[Message] = []
    for kind, group in groupby(report.facts, type):
        if kind is facts.Lapsed:  # one line for all increments that were not used
            if unused := words.unused_spaces(rules, group):
                lines.append(message("not-used", seat=Seat(report.seat), spaces=unused))
        else:
            lines += (line for fact in group if (line := _fact_line(rules, report, fact)))
    return lines


def who_played(report: EntryReport, by: object) -> Text | None:
    """Return who played an entry: a bot's level, the clock, a stand-in as in the record (`B`).

    "" for the seat's own player; None if the dome confirmed it or it is no play, as an undo, a
    correction, a departure or the end. by: the entry's `by` in the record.
    """
    if not isinstance(report.entry, Choose | Throw | Retype | Move | Stop) or by == DOME:
        return None
    if not isinstance(by, str):
        return ""
    if by == CLOCK:
        return message("the-clock")
    if by in words.LEVEL_NAMES:
        return message("a-bot", level=words.LEVEL_NAMES[by])
    return "".join(filter(str.isprintable, by))[:MAX_PLAYER_LENGTH]


def _fact_line(rules: RuleSet, report: EntryReport, fact: facts.Fact) -> Message:
    """Return the line of a fact, or NOTHING if it has no line."""
    match fact:
        case facts.Thrown():
            faces = words.faces_words(rules, fact.faces)
            values: dict[str, Value] = {"seat": Seat(fact.seat), "faces": faces}
            if isinstance(report.entry, Retype):
                return message("typed-after-all", **values)
            if report.source == TYPED:
                return message("typed-again" if report.again else "typed", **values)
            return message("threw-again" if report.again else "threw", **values)
        case facts.Tied(seats):
            return message("tied", seats=tuple(map(Seat, seats)))
        case facts.Begins(seat):
            return message("begins", seat=Seat(seat))
        case facts.Moved(seat, step):
            return _move_line(rules, seat, step)
        case facts.Captured(seat, place, captor):
            where = words.place_words(rules, seat, place)
            values = {"by": Seat(captor), "seat": Seat(seat), "place": where}
            if rules.capture_bonus:
                bonus = message("plus", number=rules.capture_bonus)
                return message("captured-bonus", **values, bonus=bonus)
            return message("captured", **values)
        case facts.PutBack(seat, origin, target):
            way = words.way_words(rules, seat, origin, target)
            return message("was-put-back", seat=Seat(seat), way=way)
        case facts.Penalized(seat, None):
            undoes_turn = THIRD_DOUBLETS[rules.third_doublet].undoes_turn
            return message("penalized-turn" if undoes_turn else "penalized", seat=Seat(seat))
        case facts.Penalized(seat, int(place)):
            back = words.way_words(rules, seat, place, NEST)
            return message("penalized-pawn", seat=Seat(seat), way=back)
        case facts.Corrected():
            return _correction_line(rules, report, fact)
        case facts.Left(seat):
            return message("left", seat=Seat(seat))
        case facts.EndsAfter(None):
            return message("no-last-round")
        case facts.EndsAfter(int(seat)):
            return message("last-round", seat=Seat(seat))
        case facts.PlaysOn():
            return message("others-play-on")
        case facts.Shared(seats):
            return message("share-place", seats=tuple(map(Seat, seats)))
        case facts.Won(seat) if rules.partners:
            return message("seat-is-home", seat=Seat(seat))
        case facts.Won(seat, 1):
            return message("won", seat=Seat(seat))
        case facts.Won(seat, rank):
            return message("came-in", seat=Seat(seat), ordinal=words.ORDINALS[rank - 1])
        case facts.Over(places) if winners := _find_winners(rules, report, places):
            won = message("won", seat=Seat(winners[0]))
            return won if len(winners) == 1 else words.winners_words(winners)
        case facts.Over():
            return message("game-over")
    return NOTHING


def _find_winners(rules: RuleSet, report: EntryReport, places: tuple[int, ...]) -> tuple[int, ...]:
    """Return who has won by the end of a game, if no other fact says it."""
    for fact in report.facts:
        if isinstance(fact, facts.Shared) and places[0] in fact.seats:
            return fact.seats
    is_counted = isinstance(report.entry, Move | Stop) and facts.Won not in map(type, report.facts)
    return winning_seats(rules, places) if rules.partners or is_counted else ()


def used_increments(step: Step) -> Value:
    """Return the increments that a step uses: `5`, `5 and 3`, or `6 of 14` for a part of one."""
    part, _, whole = step.spent.partition("/")
    if whole:
        return message("part-of", part=part, whole=whole)
    return tuple(re.split("[+,]", part))


def _move_line(rules: RuleSet, seat: int, step: Step) -> Message:
    if step.origin == NEST:
        return message("entered", seat=Seat(seat), used=used_increments(step))
    values: dict[str, Value] = {
        "seat": Seat(seat),
        "used": used_increments(step),
        "way": words.way_words(rules, seat, step.origin, step.target),
    }
    to_go = board(rules.layout).to_go
    if step.target == NEST:
        return message("sent-itself-back", **values)
    if rules.stars == "jump" and to_go[step.origin] - to_go[step.target] > int(step.spent):
        return message("moved-by-star", **values)
    if step.target == HOME and rules.finish_bonus:
        return message("moved-home", **values, bonus=message("plus", number=rules.finish_bonus))
    return message("moved", **values)


def _correction_line(rules: RuleSet, report: EntryReport, fact: facts.Corrected) -> Message:
    """Return the line of a correction: which pawns and turn it changed, or else doublets."""
    assert isinstance(report.entry, Correct)
    corrected = parse_position(report.entry.position, rules)
    changes = []
    for seat, origin, target, *_ in moved_pawns(report.position, corrected):
        way = words.way_words(rules, seat, origin, target)
        changes.append(message("corrected-pawn", seat=Seat(seat), way=way))
    if fact.seat != report.seat:
        changes.append(message("corrected-turn", seat=Seat(fact.seat)))
    changes_text = words.comma_list(changes or [message("corrected-doublets")])
    return message("corrected-waits" if fact.waits else "corrected", changes=changes_text)
