"""A game's rows, and the record that they add up to. No storage, no screen."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace

from rules.actions import Throw
from rules.facts import Fact
from rules.history import Entry, Record, Undo, enter, new_record
from rules.position import format_position
from rules.ruleset import PRESETS, RuleSet, parse_ruleset, ruleset_text, written_options


@dataclass(frozen=True, slots=True)
class New:
    """The start of a game."""

    ruleset: RuleSet
    seats: tuple[int, ...]  # those that play, in the order of joining

    def __str__(self) -> str:
        rules = self.ruleset
        # House rules are written in full, whatever happens to their name later.
        text = (
            ruleset_text(rules) if rules in PRESETS.values() else json.dumps(written_options(rules))
        )
        return f"new {text} seats {','.join(map(str, self.seats))}"


@dataclass(frozen=True, slots=True)
class Row:
    """One recorded entry, with the text of the position after it.

    boot, n: the press of the lit chamber that threw.
    """

    entry: New | Entry
    position: str
    source: str | None = None  # of a throw's dice, None if unknown
    boot: str | None = None
    n: int | None = None
    by: str | None = None  # a stand-in's letter or a bot's level; None for the seat's own player
    hint: str | None = None  # how much of a hint was shown before: `pawn`, `step` or `why`


class HistoryError(ValueError):
    """Rows that contradict the rules. The text is a sentence that names the row and the reason."""


def start_row(record: Record) -> Row:
    """Return the row that starts this game. Its host comes first among the seats."""
    game = record.game
    joined = (record.host, *(seat for seat in game.seats if seat != record.host))
    return Row(New(game.ruleset, joined), format_position(game.position))


def act(
    record: Record, entry: Entry, source: str | None = None
) -> tuple[Record, Row, tuple[Fact, ...]]:
    """Return the record after an entry, the row to commit and the facts.

    source: of a throw's dice. Raises rules.game.IllegalAction.
    """
    after, facts = enter(record, entry, source)
    return after, Row(entry, format_position(after.game.position), source), facts


def undo(record: Record) -> tuple[Record, Row]:
    """Return the record before the last confirmed choice, and the row to commit.

    Throws made since then wait, and their seats get them again.
    """
    after, row, _ = act(record, Undo())
    return after, row


def apply(record: Record | None, row: Row) -> Record:
    """Return the record after one row. record: None before the first row, which starts the game.

    A throw counts, even if another one waits for its seat. Raises HistoryError if the row does not
    follow, or has another position.
    """
    if isinstance(row.entry, New):
        if record is not None:
            raise HistoryError(f"'{row.entry}' starts a game, but a game is in progress")
        record = new_record(row.entry.ruleset, row.entry.seats)
    elif record is None:
        raise _no_start(str(row.entry))
    else:
        ready = record.ready if isinstance(row.entry, Throw) else None
        if ready is not None and ready.throw != row.entry:
            # Version 1.0.0 drew new dice after some corrections of the turn. Its game goes on.
            record = replace(record, waiting=())
        record, _ = enter(record, row.entry, row.source)
    position = format_position(record.game.position)
    if position != row.position:
        raise HistoryError(
            f"after '{row.entry}' the rules say {position}, but the row has {row.position}"
        )
    return record


def fold(rows: Iterable[Row]) -> Record:
    """Return the record of a game's rows, the first of which starts it. Raises HistoryError."""
    record = None
    for row in rows:
        record = apply(record, row)
    if record is None:
        raise HistoryError("a game without rows: the first row must be 'new ... seats ...'")
    return record


def parse_new(text: str) -> New:
    """Return the start of a game from text: `new findler seats 2,0`. Raises ValueError."""
    rules, seats = parse_head(text)
    return New(parse_ruleset(rules if rules in PRESETS else json.loads(rules)), seats)


def parse_head(text: str) -> tuple[str, tuple[int, ...]]:
    """Return the rules, as text, and the seats from the text of a game's start.

    This version may not know the rules. Raises ValueError if the text starts no game.
    """
    words, _, seats = text.rpartition(" seats ")
    if not words.startswith("new "):
        raise _no_start(text)
    return words.removeprefix("new "), tuple(map(int, seats.split(",")))


def _no_start(text: str) -> HistoryError:
    return HistoryError(
        f"{text!r} does not start a game: the first row must be 'new ... seats ...'"
    )
