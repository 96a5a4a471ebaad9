"""The games that were kept, a journal's own and imported ones, read while a table plays or not.

Read in a copy: no commit waits for it, and nothing is written beside the journal.
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
NO_NAME = "-"  # how a player without a name is kept
MAX_NAME_LENGTH = 20
UNREADABLE_GAME = "can't be read"
# The entries that a list counts, by the first word of their text; all others are choices. A list
# has thousands of rows, some perhaps of another version, so it reads no more of them.
ENTRIES_BY_WORD: dict[str, type[Entry]] = {
    "throw": Throw,
    "retype": Retype,
    "undo": Undo,
    "leave": Leave,
    "correct": Correct,
}


class NoGameError(UserError):
    """A number that no game has: one sentence with those that there are."""


class Summary(NamedTuple):
    """What a list says of a game.

    number: `7`, of an imported game `i2`. ruleset: a preset's name or `house rules`; of a file that
    tells no game `UNREADABLE_GAME`, and it has no seats. winner: the first seat that finished, None
    while there is none. started: None where the clock was not set. seconds: for how long the table
    was on in it, None where nobody knows. throws: those that count, so that one that undo took back
    does not. damaged: rows of it are missing or were changed, so that nobody knows how it ended,
    how long it lasted, and how many throws it had.
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
        """Whether it was not played at this table."""
        return self.number.startswith(MARK)


class Games:
    """The games of a journal, as they were at one moment. Made by `open_games`."""

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
        """Return the numbers of all games: the table's own in order, then the imported ones."""
        return (*map(str, self._own()), *self._imported)

    def summaries(self) -> Iterator[Summary]:
        """Yield what a list says of each game, in the order of `numbers`."""
        for game in self._own():
            found = sound_part(self._connected(), game)
            lost = game == self._counted.game and len(found.links) < self._counted.rows
            yield _summary_of_ours(found, found.head.damage is not None or lost)
        for number in self._imported:
            try:
                yield _summary_of_imported(number, *_ends(self.lines(number)))
            except (RecordError, JournalError):  # the others are listed all the same
                yield _unreadable(number)

    def lines(self, number: str) -> tuple[str, ...]:
        """Return a game as the lines of its record (rules/RECORDS.md), each without its end."""
        return tuple(self.data(number).decode(errors="replace").removesuffix("\n").split("\n"))

    def data(self, number: str) -> bytes:
        """Return a game's record as it is exported: of an imported game the file that was given.

        NoGameError where there is none of this number; JournalError where it is damaged.
        """
        if number in self._imported:
            return read_imported(self._imported[number])
        if number not in self.numbers():
            raise NoGameError(f"there is no game {number}: {_there_are(self.numbers())}")
        try:
            game = whole_game(self._connected(), int(number))
            if not game.links:
                raise Damage(game.head.damage or "it has no rows")
        except UNREADABLE as error:
            why = error_in_one_line(error)
            raise JournalError(f"{self._path} has game {number}, but damaged ({why})") from error
        lines = _lines(game.links, _players(game.head.names))
        return "".join(f"{line}\n" for line in lines).encode()

    def _own(self) -> list[int]:
        return game_numbers(self._connection) if self._connection is not None else []

    def _connected(self) -> sqlite3.Connection:
        assert self._connection is not None
        return self._connection


@contextmanager
def open_games(path: Path) -> Iterator[Games]:
    """Give the games of the journal of this name, as they are now.

    JournalError where there are none, where it can't be read, is damaged, or is of another version.
    """
    if not path.exists() and imported_games(path):
        yield Games(path)
        return
    counted = read_count(path)  # before it is copied: it may lag behind, but not run ahead
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
    """Tell of which game it is that the rules can't follow its record, as a JournalError."""
    try:
        yield
    except RecordError as error:
        raise JournalError(
            f"game {number} is none by the rules of this version, {error}: "
            f"`referee export {number}` gives it as it is"
        ) from None


def ruleset_name(ruleset: RuleSet) -> str:
    """Return a preset's name, or `house rules`."""
    return next((name for name, one in PRESETS.items() if one == ruleset), HOUSE_RULES)


def names_in(first: dict[str, Any]) -> dict[str, str]:
    """Return the players' names in the first line of a record, which may be anybody's.

    Of a name only what can be printed, and not too much of it.
    """
    names = first.get("names")
    if not isinstance(names, dict):
        return {}
    told = {seat: names.get(seat) for seat in SEAT_LETTERS}
    printable = {
        seat: "".join(filter(str.isprintable, name))[:MAX_NAME_LENGTH]
        for seat, name in told.items()
        if isinstance(name, str)
    }
    return {seat: name for seat, name in printable.items() if name}


# --- a journal's own games ---------------------------------------------------------------------


def _lines(links: Sequence[StoredRow], names: dict[str, str]) -> Iterator[str]:
    """Yield a journal's game as lines of a record."""
    yield json.dumps(_first_line(links[0], names), ensure_ascii=False)
    for one in links[1:]:
        row = one.row
        beside = {"source": row.source, "at": _at(one), "by": row.by, "hint": row.hint}
        told = {key: value for key, value in beside.items() if value}
        said = {"action": row.action, "position": row.position, **told}
        yield json.dumps(said, ensure_ascii=False)


def _first_line(first: StoredRow, names: dict[str, str]) -> dict[str, Any]:
    text, joined = parse_head(first.row.action)
    ruleset = json.loads(text)
    preset = None
    with suppress(RuleSetError):  # the options of this version may be others
        known = parse_ruleset(ruleset)
        ruleset, preset = asdict(known), ruleset_name(known)
    also = {
        "host": joined[0],
        "preset": preset if preset in PRESETS else None,
        "names": names,
        "started": _at(first),
    }
    return {
        "format": FORMAT,
        "version": VERSION,
        "ruleset": ruleset,
        "seats": sorted(joined),
        **{key: value for key, value in also.items() if value not in (None, {}, "")},
    }


def _at(one: StoredRow) -> str:
    """Return when a row was recorded, in whole seconds; "" where the clock was not set, or may be.

    Rows without `played` are of a version that kept what any clock said.
    """
    return f"{one.at[:19]}Z" if one.at and one.played is not None else ""


def _players(names: str | None) -> dict[str, str]:
    """Return the names in what is kept of a game's players, `{"A": "LUC red"}`."""
    try:
        kept = json.loads(names or "{}")
    except (ValueError, RecursionError):  # nothing else hangs on it
        return {}
    players = names_in({"names": kept})
    said = {seat: text.partition(" ")[0] for seat, text in players.items()}
    return {seat: name for seat, name in said.items() if name != NO_NAME}


def _summary_of_ours(game: StoredGame, is_damaged: bool) -> Summary:
    number, names = str(game.id), _players(game.head.names)
    try:
        if not is_damaged:
            return _summary_of_sound(number, game.links, game.head.ended is not None, names)
        first = _first_line(game.links[0], names)
        ruleset, seats = first.get("preset", HOUSE_RULES), tuple(first["seats"])
        started, _ = _times(game.links)
        return Summary(number, ruleset, seats, names, False, None, started, None, 0, damaged=True)
    except Exception:  # rows that make no game can make this stumble in any way
        return _unreadable(number)


def _unreadable(number: str) -> Summary:
    return Summary(number, UNREADABLE_GAME, (), {}, False, None, None, None, 0, damaged=True)


def _summary_of_sound(
    number: str, links: Sequence[StoredRow], over: bool, names: dict[str, str]
) -> Summary:
    first = _first_line(links[0], names)
    standing = _standing(links)
    if any(kind in (Leave, Correct) for _, kind in standing):
        with suppress(RecordError):  # the rules of this version may be others
            _, record = _ends(_lines(links, names))
            return _summary(number, first, record, *_times(links))
    seats = tuple(first["seats"])
    throws = sum(kind is Throw for _, kind in standing)
    ruleset = first.get("preset", HOUSE_RULES)
    winner = _first_home(seats, standing)
    return Summary(number, ruleset, seats, names, over, winner, *_times(links), throws)


class PositionRow(NamedTuple):
    """A row that counts: the position after it; kind: of its entry, None of a choice."""

    position: str
    kind: type[Entry] | None


def _standing(links: Sequence[StoredRow]) -> list[PositionRow]:
    """Return the rows that count: undo takes a choice back, and the throws made since."""
    standing: list[PositionRow] = []
    for one in links[1:]:
        kind = ENTRIES_BY_WORD.get(one.row.action.partition(" ")[0])
        if kind is Undo:
            while standing[-1].kind is Throw:
                standing.pop()
            standing.pop()
        elif kind is not Retype:
            standing.append(PositionRow(one.row.position, kind))
    return standing


def _first_home(seats: tuple[int, ...], standing: Sequence[PositionRow]) -> int | None:
    """Return the seat that was first to have all pawns home; playing the game anew takes longer."""
    for one in standing:
        for seat in seats:
            if one.position.split("/")[seat] == HOME:
                return seat
    return None


def _times(links: Sequence[StoredRow]) -> tuple[datetime | None, float | None]:
    """Return when a game was played and for how many seconds, as far as that is known."""
    if links[0].played is None:
        return None, None
    dated = next((one.at for one in links if one.at), None)
    return datetime.fromisoformat(dated) if dated else None, (links[-1].played or 0) / 1000


# --- imported games ----------------------------------------------------------------------------


def _summary_of_imported(number: str, first: dict[str, Any], record: Record) -> Summary:
    return _summary(number, first, record, started_at(first), None)


def started_at(first: dict[str, Any]) -> datetime | None:
    """Return when the game of a record with this first line began, None where it does not say."""
    try:
        started = datetime.fromisoformat(str(first.get("started")))
    except ValueError:
        return None
    if not MINYEAR < started.year < MAXYEAR:  # in another zone it may be no year at all
        return None
    return started if started.tzinfo else started.replace(tzinfo=UTC)


# --- any game ----------------------------------------------------------------------------------


def _ends(lines: Iterable[str]) -> tuple[dict[str, Any], Record]:
    """Return the first line of a record and where it leads; RecordError where it is none."""
    played = read_lines(lines)
    first = next(played)
    (last,) = deque(played, maxlen=1) or (first,)
    return first.said, last.record


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


def _there_are(numbers: Sequence[str]) -> str:
    if not numbers:
        return "none has been played yet"
    own = [number for number in numbers if not number.startswith(MARK)]
    others = [number for number in numbers if number.startswith(MARK)]
    spans = [one[0] if len(one) == 1 else f"{one[0]} to {one[-1]}" for one in (own, others) if one]
    return f"there are {' and '.join(spans)}; `referee games` lists them"
