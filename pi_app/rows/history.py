"""A game's rows, and the record that they fold to. No storage, no screen."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from rules.facts import Fact
from rules.history import Entry, Record, Undo, enter, new_record
from rules.position import format_position
from rules.ruleset import PRESETS, RuleSet, parse_ruleset, ruleset_text


@dataclass(frozen=True, slots=True)
class New:
    """A game begins by these rules. seats: who plays, in the order of joining."""

    ruleset: RuleSet
    seats: tuple[int, ...]

    def __str__(self) -> str:
        return f"new {_in_full(self.ruleset)} seats {','.join(map(str, self.seats))}"


@dataclass(frozen=True, slots=True)
class Row:
    """One recorded entry, with the text of the position after it.

    `by`: the letter of who did it for the seat whose turn it was, None where that seat did. `hint`:
    how far a hint was asked for before it, `pawn`, `step` or `why`; None where none was.
    """

    entry: New | Entry
    position: str
    source: str | None = None
    boot: str | None = None
    n: int | None = None
    by: str | None = None
    hint: str | None = None


class HistoryError(ValueError):
    """Rows that can't be what happened: one sentence that says which row and why."""


def start_row(record: Record) -> Row:
    """Return the row that starts this game, the first to join named first."""
    game = record.game
    joined = (record.host, *(seat for seat in game.seats if seat != record.host))
    return Row(New(game.ruleset, joined), format_position(game.position))


def act(
    record: Record, entry: Entry, source: str | None = None
) -> tuple[Record, Row, tuple[Fact, ...]]:
    """Return the record after an entry, the row to commit and what happened.

    Raises rules.game.IllegalAction.
    """
    after, facts = enter(record, entry, source)
    return after, Row(entry, format_position(after.game.position), source), facts


def undo(record: Record) -> tuple[Record, Row]:
    """Go back to the last confirmed choice; throws made since then wait in order."""
    after, row, _ = act(record, Undo())
    return after, row


def apply(record: Record, row: Row) -> Record:
    """Return the record after one row; HistoryError where its position is not the one stored."""
    if isinstance(row.entry, New):
        raise HistoryError(f"'{row.entry}' starts a game, but one goes on")
    return _agreeing(act(record, row.entry, row.source)[0], row)


def fold(rows: Iterable[Row]) -> Record:
    """Return the record that a game's rows tell, the first of which starts it."""
    following = iter(rows)
    first = next(following, None)
    if first is None:
        raise HistoryError("a game with no rows: the first row is 'new ... seats ...'")
    if not isinstance(first.entry, New):
        raise _no_start(str(first.entry))
    record = _agreeing(new_record(first.entry.ruleset, first.entry.seats), first)
    for row in following:
        record = apply(record, row)
    return record


def _agreeing(record: Record, row: Row) -> Record:
    position = format_position(record.game.position)
    if position != row.position:
        raise HistoryError(
            f"after '{row.entry}' the rules say {position}, but the row has {row.position}"
        )
    return record


# --- the text of the row that starts a game ------------------------------------------------------


def parse_new(text: str) -> New:
    """Return the start of a game that a text gives, `new "findler" seats 2,0`.

    ValueError where it gives none.
    """
    rules, seats = parse_head(text)
    return New(parse_ruleset(rules if rules in PRESETS else json.loads(rules)), seats)


def parse_head(text: str) -> tuple[str, tuple[int, ...]]:
    """Return the text of the rules and the seats that a game's first text names.

    The rules may be unknown to this version. ValueError where it starts no game.
    """
    words, _, seats = text.rpartition(" seats ")
    if not words.startswith("new "):
        raise _no_start(text)
    return words.removeprefix("new "), tuple(map(int, seats.split(",")))


def _in_full(ruleset: RuleSet) -> str:
    """Return a rule set as a game keeps it: house rules are told whatever happens to any name."""
    return ruleset_text(ruleset) if ruleset in PRESETS.values() else json.dumps(asdict(ruleset))


def _no_start(text: str) -> HistoryError:
    return HistoryError(f"{text!r} does not start a game: the first row is 'new ... seats ...'")
