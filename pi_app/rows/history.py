"""A game's recorded rows, and the record that they fold to. No storage, no screen."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from rules.facts import Fact
from rules.history import Entry, Record, Undo, enter, new_record, parse_entry
from rules.position import format_position
from rules.ruleset import PRESETS, RuleSet, parse_ruleset, ruleset_text


@dataclass(frozen=True, slots=True)
class Row:
    """One recorded entry in its text form, with the position after it.

    `action` is a text of `rules.history`, or `new <rule set> seats 0,2`. `by`: the letter of who
    did it for the seat whose turn it was, None where that seat did. `hint`: how far a hint was
    asked for before it, `pawn`, `step` or `why`; None where none was.
    """

    action: str
    position: str
    source: str | None = None
    boot: str | None = None
    n: int | None = None
    by: str | None = None
    hint: str | None = None

    @property
    def kind(self) -> str:
        """What kind of action it is: `new`, `throw`, `move`, `undo` and so on."""
        return self.action.partition(" ")[0]


class HistoryError(ValueError):
    """Rows that can't be what happened: one sentence that says which row and why."""


def start_row(record: Record) -> Row:
    """Return the row that starts this game, the first to join named first."""
    game = record.game
    joined = (record.host, *(seat for seat in game.seats if seat != record.host))
    seats = ",".join(str(seat) for seat in joined)
    return Row(f"new {_in_full(game.ruleset)} seats {seats}", format_position(game.position))


def _in_full(ruleset: RuleSet) -> str:
    """Return a rule set as a game keeps it: house rules are told whatever happens to any name."""
    return ruleset_text(ruleset) if ruleset in PRESETS.values() else json.dumps(asdict(ruleset))


def act(
    record: Record, entry: Entry, source: str | None = None
) -> tuple[Record, Row, tuple[Fact, ...]]:
    """Return the record after an entry, the row to commit and what happened.

    Raises rules.game.IllegalAction.
    """
    after, facts = enter(record, entry, source)
    return after, Row(str(entry), format_position(after.game.position), source), facts


def undo(record: Record) -> tuple[Record, Row]:
    """Go back to the last confirmed choice; throws made since then wait in order."""
    after, row, _ = act(record, Undo())
    return after, row


def apply(record: Record, row: Row) -> Record:
    """Return the record after one row; HistoryError where its position is not the one stored."""
    return _agreeing(act(record, parse_entry(row.action), row.source)[0], row)


def fold(rows: Iterable[Row]) -> Record:
    """Return the record that a game's rows tell, the first of which starts it."""
    following = iter(rows)
    first = next(following, None)
    if first is None:
        raise HistoryError("a game with no rows: the first row is 'new ... seats ...'")
    record = _agreeing(_started(first.action), first)
    for row in following:
        record = apply(record, row)
    return record


def _started(action: str) -> Record:
    words, _, seats = action.rpartition(" seats ")
    if not words.startswith("new "):
        raise HistoryError(
            f"{action!r} does not start a game: the first row is 'new ... seats ...'"
        )
    text = words.removeprefix("new ")
    ruleset = parse_ruleset(text if text in PRESETS else json.loads(text))
    return new_record(ruleset, (int(seat) for seat in seats.split(",")))


def _agreeing(record: Record, row: Row) -> Record:
    position = format_position(record.game.position)
    if position != row.position:
        raise HistoryError(
            f"after {row.action!r} the rules say {position}, but the row has {row.position}"
        )
    return record
