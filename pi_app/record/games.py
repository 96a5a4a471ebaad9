"""Reads the stored games, a journal's own and the imported ones, even while a table runs.

It reads a copy of the journal, so no commit waits and no file is made next to the journal.
"""

from __future__ import annotations

import json
import sqlite3
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict
from datetime import MAXYEAR, MINYEAR, UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from pi_app.errors import UserError
from pi_app.record.copying import copy_raw_journal, damaged_journal_error
from pi_app.record.count import ConfirmedRows, read_count
from pi_app.record.imported import MARK, imported_games, read_imported
from pi_app.record.schema import (
    OLDEST_SCHEMA,
    SCHEMA,
    UNREADABLE,
    StoredGame,
    StoredRow,
    connect,
    game_numbers,
    schema_of,
    sound_part,
    whole_game,
)
from pi_app.record.trouble import Damage, JournalError, error_in_one_line
from pi_app.rows.history import parse_head
from rules.actions import Correct, Leave, Throw
from rules.board import SEAT_LETTERS
from rules.game import Phase
from rules.history import Entry, Record, Retype, Undo
from rules.jsonl import FORMAT, VERSION, RecordError, read_lines
from rules.ruleset import PRESETS, RuleSet, RuleSetError, parse_ruleset

HOME = "H,H,H,H"
HOUSE_RULES = "house rules"
NO_NAME = "-"  # stored for a player without a name
MAX_NAME_LENGTH = 20
UNREADABLE_GAME = "can't be read"
# The entries that a summary tells apart, by the first word of their text; all others are choices. A
# list has thousands of rows, some perhaps of another version, so only this word is parsed.
ENTRIES_BY_WORD: dict[str, type[Entry]] = {
    "throw": Throw,
    "retype": Retype,
    "undo": Undo,
    "leave": Leave,
    "correct": Correct,
}


class NoGameError(UserError):
    """No game has this number. The sentence lists the numbers that exist."""


class Summary(NamedTuple):
    """A game in a list of games.

    number: such as `7`, or `i2` for an imported game.
    ruleset: a preset's name or `house rules`; `UNREADABLE_GAME` for a file that is not a
    game, which has no seats.
    names: the players' names by the letters of their seats.
    winner: the first seat that finished, or None.
    started: None if the clock was not set.
    seconds: how long the table was on during the game, None if unknown.
    throws: their number, without those that undo took back.
    damaged: rows are missing or changed, so the result, the duration and the number of throws are
    unknown.
    """

    number: str
    ruleset: str
    seats: tuple[int, ...]
    names: dict[str, str]
    over: bool
    winner: int | None
    started: datetime | None
    seconds: float | None
    throws: int
    damaged: bool = False

    @property
    def imported(self) -> bool:
        """Whether the game was not played at this table."""
        return self.number.startswith(MARK)


class Games:
    """The games of a journal at one moment. `open_games` makes it."""

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection | None = None,
        counted: ConfirmedRows | None = None,
    ) -> None:
        self._path = path
        self._connection = connection
        self._counted = counted or ConfirmedRows(0, 0)
        self._imported = imported_games(path)

    def numbers(self) -> tuple[str, ...]:
        """Return the numbers of all games, in order: the table's own, then the imported ones."""
        return (*map(str, self._own()), *self._imported)

    def summaries(self) -> Iterator[Summary]:
        """Yield the summary of each game, in the order of `numbers`."""
        for game in self._own():
            sound = sound_part(self._open_connection(), game)
            has_lost_rows = game == self._counted.game and len(sound.links) < self._counted.rows
            yield _own_summary(sound, sound.head.damage is not None or has_lost_rows)
        for number in self._imported:
            try:
                first, record = _first_and_last(self.lines(number))
            except (RecordError, JournalError):  # list it as unreadable, and go on
                yield _unreadable(number)
            else:
                yield _summary(number, first, record, started_at(first), None)

    def lines(self, number: str) -> tuple[str, ...]:
        """Return the lines of a game's record (rules/RECORDS.md), without newline characters."""
        return tuple(self.data(number).decode(errors="replace").removesuffix("\n").split("\n"))

    def data(self, number: str) -> bytes:
        """Return a game's record as a file. For an imported game this is the original file.

        Raises NoGameError if no game has this number, and JournalError if the game is damaged.
        """
        if number in self._imported:
            return read_imported(self._imported[number])
        if number not in self.numbers():
            raise NoGameError(f"there is no game {number}: {_existing_numbers(self.numbers())}")
        try:
            game = whole_game(self._open_connection(), int(number))
            if not game.links:
                raise Damage(game.head.damage or "it has no rows")
        except UNREADABLE as error:
            why = error_in_one_line(error)
            raise JournalError(f"{self._path} has game {number}, but damaged ({why})") from error
        lines = _lines(game.links, _players(game.head.names))
        return "".join(f"{line}\n" for line in lines).encode()

    def _own(self) -> list[int]:
        return game_numbers(self._connection) if self._connection is not None else []

    def _open_connection(self) -> sqlite3.Connection:
        assert self._connection is not None
        return self._connection


@contextmanager
def open_games(path: Path) -> Iterator[Games]:
    """Open the games of a journal, as they are now.

    Raises JournalError if the journal is missing, unreadable, damaged, or of another version.
    """
    if not path.exists() and imported_games(path):
        yield Games(path)
        return
    counted = read_count(
        path
    )  # read it before the copy: it may be lower than the copy, but not higher
    with copy_raw_journal(path) as copy, closing(connect(copy)) as connection:
        try:
            schema = schema_of(connection)
        except UNREADABLE as error:
            raise damaged_journal_error(path, error) from error
        if not OLDEST_SCHEMA <= schema <= SCHEMA:
            older = "an older version: start the table, which sets it aside and begins a new one"
            newer = "a newer version: install that one, or name another folder"
            raise JournalError(f"{path} is of {older if schema < OLDEST_SCHEMA else newer}")
        yield Games(path, connection, counted)


@contextmanager
def name_game_in_error(number: str) -> Iterator[None]:
    """Turn a RecordError within into a JournalError that names the game."""
    try:
        yield
    except RecordError as error:
        raise JournalError(
            f"game {number} breaks the rules of this version ({error}): "
            f"`referee export {number}` writes its record all the same"
        ) from None


def ruleset_name(ruleset: RuleSet) -> str:
    """Return a preset's name, or `house rules`."""
    return next((name for name, one in PRESETS.items() if one == ruleset), HOUSE_RULES)


def names_in(first: dict[str, Any]) -> dict[str, str]:
    """Return the players' names in the first line of a record, by the letters of their seats.

    Anybody may have written the record, so a name is cut to MAX_NAME_LENGTH printable characters.
    """
    names = first.get("names")
    if not isinstance(names, dict):
        return {}
    printable = {
        seat: "".join(filter(str.isprintable, names[seat]))[:MAX_NAME_LENGTH]
        for seat in SEAT_LETTERS
        if isinstance(names.get(seat), str)
    }
    return {seat: name for seat, name in printable.items() if name}


# --- a journal's own games ---------------------------------------------------------------------


def _lines(links: Sequence[StoredRow], names: dict[str, str]) -> Iterator[str]:
    """Yield the lines of the record of a journal's game."""
    yield json.dumps(_first_line(links[0], names), ensure_ascii=False)
    for link in links[1:]:
        row = link.row
        optional = {"source": row.source, "at": _time(link), "by": row.by, "hint": row.hint}
        present = {key: value for key, value in optional.items() if value}
        line = {"action": row.action, "position": row.position, **present}
        yield json.dumps(line, ensure_ascii=False)


def _first_line(first: StoredRow, names: dict[str, str]) -> dict[str, Any]:
    text, joined = parse_head(first.row.action)
    ruleset = json.loads(text)
    preset = None
    with suppress(RuleSetError):  # another version may have other options
        known = parse_ruleset(ruleset)
        ruleset, preset = asdict(known), ruleset_name(known)
    optional = {
        "host": joined[0],
        "preset": preset if preset in PRESETS else None,
        "names": names,
        "started": _time(first),
    }
    return {
        "format": FORMAT,
        "version": VERSION,
        "ruleset": ruleset,
        "seats": sorted(joined),
        **{key: value for key, value in optional.items() if value not in (None, {}, "")},
    }


def _time(link: StoredRow) -> str:
    """Return a row's time in whole seconds, or "" if the clock was perhaps not set.

    Rows without `played` come from a version that recorded the time even of a clock not set.
    """
    return f"{link.at[:19]}Z" if link.at and link.played is not None else ""


def _players(names: str | None) -> dict[str, str]:
    """Return the players' names from their stored JSON, such as `{"A": "LUC red"}`."""
    try:
        players = names_in({"names": json.loads(names or "{}")})
    except (ValueError, RecursionError):  # only the names are lost
        return {}
    first_words = {seat: text.partition(" ")[0] for seat, text in players.items()}
    return {seat: name for seat, name in first_words.items() if name != NO_NAME}


def _own_summary(game: StoredGame, is_damaged: bool) -> Summary:
    number, names = str(game.id), _players(game.head.names)
    try:
        if not is_damaged:
            return _sound_summary(number, game.links, game.head.ended is not None, names)
        first = _first_line(game.links[0], names)
        ruleset, seats = first.get("preset", HOUSE_RULES), tuple(first["seats"])
        started, _ = _times(game.links)
        return Summary(number, ruleset, seats, names, False, None, started, None, 0, damaged=True)
    except Exception:  # damaged rows can raise any exception here
        return _unreadable(number)


def _unreadable(number: str) -> Summary:
    return Summary(number, UNREADABLE_GAME, (), {}, False, None, None, None, 0, damaged=True)


def _sound_summary(
    number: str, links: Sequence[StoredRow], over: bool, names: dict[str, str]
) -> Summary:
    first = _first_line(links[0], names)
    rows = _rows_that_count(links)
    if any(kind in (Leave, Correct) for _, kind in rows):
        with suppress(RecordError):  # this version may have other rules
            _, record = _first_and_last(_lines(links, names))
            return _summary(number, first, record, *_times(links))
    seats = tuple(first["seats"])
    throws = sum(kind is Throw for _, kind in rows)
    ruleset = first.get("preset", HOUSE_RULES)
    # The first seat with all pawns home. It would take longer to replay the game.
    homes = (seat for row in rows for seat in seats if row.position.split("/")[seat] == HOME)
    winner = next(homes, None)
    return Summary(number, ruleset, seats, names, over, winner, *_times(links), throws)


class PositionRow(NamedTuple):
    """A row that counts. position: after it. kind: the type of its entry, None for a choice."""

    position: str
    kind: type[Entry] | None


def _rows_that_count(links: Sequence[StoredRow]) -> list[PositionRow]:
    """Return a game's rows without those that undo took back: a choice and the throws after it."""
    rows: list[PositionRow] = []
    for link in links[1:]:
        kind = ENTRIES_BY_WORD.get(link.row.action.partition(" ")[0])
        if kind is Undo:
            while rows[-1].kind is Throw:
                rows.pop()
            rows.pop()
        elif kind is not Retype:
            rows.append(PositionRow(link.row.position, kind))
    return rows


def _times(links: Sequence[StoredRow]) -> tuple[datetime | None, float | None]:
    """Return the start of a game and its duration in seconds, each None if unknown."""
    if links[0].played is None:
        return None, None
    started = next((link.at for link in links if link.at), None)
    return datetime.fromisoformat(started) if started else None, (links[-1].played or 0) / 1000


# --- imported games ----------------------------------------------------------------------------


def started_at(first: dict[str, Any]) -> datetime | None:
    """Return the start of a game from the first line of its record, or None."""
    try:
        started = datetime.fromisoformat(str(first.get("started")))
    except ValueError:
        return None
    if not MINYEAR < started.year < MAXYEAR:  # in another time zone the year could be out of range
        return None
    return started if started.tzinfo else started.replace(tzinfo=UTC)


# --- any game ----------------------------------------------------------------------------------


def _first_and_last(lines: Iterable[str]) -> tuple[dict[str, Any], Record]:
    """Return the first line of a record and the game at its end. Raises RecordError."""
    played = read_lines(lines)
    first = next(played)
    (last,) = deque(played, maxlen=1) or (first,)
    return first.fields, last.record


def _summary(
    number: str,
    first: dict[str, Any],
    record: Record,
    started: datetime | None,
    seconds: float | None,
) -> Summary:
    game = record.game
    throws = sum(isinstance(done.action, Throw) and not done.kept for done in record.past)
    return Summary(
        number,
        ruleset_name(game.ruleset),
        tuple(sorted(first["seats"])),
        names_in(first),
        game.phase is Phase.OVER,
        game.places[0] if game.places else None,
        started,
        seconds,
        throws,
    )


def _existing_numbers(numbers: Sequence[str]) -> str:
    if not numbers:
        return "no game has been played yet"
    own = [number for number in numbers if not number.startswith(MARK)]
    others = [number for number in numbers if number.startswith(MARK)]
    spans = [
        group[0] if len(group) == 1 else f"{group[0]} to {group[-1]}"
        for group in (own, others)
        if group
    ]
    return f"there are {' and '.join(spans)}; `referee games` lists them"
