"""Reads the stored games: those of a journal, and imported ones. The table may be in use meanwhile.

A game that does not change any more is read once for the lists: its summary is kept.
"""

import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import MAXYEAR, MINYEAR, UTC, datetime
from pathlib import Path
from sqlite3 import Connection
from typing import Any, TypeVar

from pi_app.model.errors import UserError
from pi_app.model.history import parse_head
from pi_app.record import schema
from pi_app.record.copying import damaged_journal_error
from pi_app.record.count import NOTHING, ConfirmedRows, read_count
from pi_app.record.imported import imported_games, read_imported
from pi_app.record.reading import JournalReader, Moment
from pi_app.record.schema import StoredGame, StoredRow
from pi_app.record.stats import GameCounts, count_faces, count_record
from pi_app.record.summaries import KeptValues, Summary, parse_summary
from pi_app.record.trouble import Damage, JournalError, error_in_one_line
from rules.actions import Correct, LastTurn, Leave, Throw
from rules.board import SEAT_LETTERS, board, place_text
from rules.game import Phase, winning_seats
from rules.history import Entry, Retype, Undo, find_repeats
from rules.lines.jsonl import FORMAT, VERSION, RecordError, read_lines
from rules.ruleset import PRESETS, RuleSet, RuleSetError, parse_ruleset, written_options

HOUSE_RULES = "house rules"
NO_NAME = "-"  # stored for a player without a name
MAX_NAME_LENGTH = 20
MAX_ENDED = 200  # more than a table plays in a week
UNREADABLE_GAME = "can't be read"
Times = tuple[datetime | None, float | None]  # a game's start, and its duration in seconds
T = TypeVar("T")
# The kinds of entries that a summary distinguishes, by the first word of an entry's text. All other
# entries are choices. The listed games have thousands of rows in all, and another version may have
# written some of them. So only this word is parsed.
ENTRIES_BY_WORD: dict[str, type[Entry]] = {
    "throw": Throw,
    "retype": Retype,
    "undo": Undo,
    "leave": Leave,
    "correct": Correct,
    "last-turn": LastTurn,
}


class NoGameError(UserError):
    """There is no game with this number. The error message lists the numbers that exist."""


class Games:
    """The games that a journal had at one moment. `open_games` creates this object."""

    def __init__(
        self, path: Path, reader: JournalReader | None = None, confirmed: ConfirmedRows = NOTHING
    ) -> None:
        self._path = path
        self._reader = reader
        self._confirmed = confirmed
        # Of the games that were played at this table, in order.
        self.own_numbers = tuple(map(str, reader.numbers())) if reader is not None else ()
        self._newest = self.own_numbers[-1] if self.own_numbers else ""  # only this game goes on
        self._imported = imported_games(path)

    def numbers(self) -> tuple[str, ...]:
        """Return the numbers of all games, in order: the table's own, then the imported ones."""
        return (*self.own_numbers, *self._imported)

    @property
    def moment(self) -> Moment | None:
        """A value that changes with the journal; None if there is no journal."""
        return self._reader.moment if self._reader is not None else None

    def newest(self) -> str:
        """Return the number of the table's own newest game. Raises NoGameError without one."""
        if not self._newest:
            raise NoGameError("no game has been played yet")
        return self._newest

    def read_summaries(self, numbers: Sequence[str] | None = None) -> Iterator[Summary]:
        """Yield the summaries of these games, or of all in the order of `numbers`."""
        kept = KeptValues(self._path.with_suffix(".summaries"))
        try:
            for number in self.numbers() if numbers is None else numbers:
                mark = self._mark(number) if number != self._newest else ""
                values = kept.find(number, mark)
                if values is not None:
                    yield parse_summary(number, values)
                    continue
                found = self._summarise(number)
                if not found.is_damaged:
                    kept.keep(number, mark, found[1:])
                yield found
        finally:
            kept.write(self.numbers())

    def ended_games(self, since: float) -> Iterator[tuple[str, float | None, int]]:
        """Yield the table's own games that ended since then, newest first: number, end, lines.

        Times are in seconds since 1970. An end is None if the clock was not set, and counts as
        late enough. lines: of the record. Only the newest MAX_ENDED games are read.
        """
        for number in self.own_numbers[: -MAX_ENDED - 1 : -1]:
            with suppress(*schema.UNREADABLE):
                ended, rows = self._read(schema.read_end, number)
                at = datetime.fromisoformat(ended).timestamp() if ended else None
                if ended is not None and (at is None or at >= since):
                    yield number, at, rows

    def read_counts(
        self, numbers: Iterable[str], is_late: Callable[[], bool]
    ) -> dict[str, GameCounts]:
        """Return the counts of these games, by number. A game that can't be read has empty ones.

        is_late: once this is true, no more games are counted. Counts that are kept still come.
        """
        kept, found = KeptValues(self._path.with_suffix(".statistics")), {}
        for number in numbers:
            mark = self._mark(number)
            values = kept.find(number, mark)
            if values is not None:
                found[number] = GameCounts(*values)
            elif not is_late():
                found[number] = self._count(number)
                kept.keep(number, mark, found[number])
        kept.write(self.numbers())
        return found

    def keep_luck(self, number: str, luck: Sequence[tuple[int, float, float]]) -> None:
        """Keep the luck of a game's seats with its counts. luck: as in `GameCounts`."""
        [counts] = self.read_counts([number], lambda: False).values()
        if not counts.luck:
            kept = KeptValues(self._path.with_suffix(".statistics"))
            kept.keep(number, self._mark(number), counts._replace(luck=luck))
            kept.write(self.numbers())

    def _count(self, number: str) -> GameCounts:
        with suppress(RecordError, JournalError):
            stats = count_record(self.record_lines(number))
            captures = [(by, of, often) for (by, of), often in stats.captures.items()]
            return GameCounts(count_faces(stats.drawn), captures)
        return GameCounts()

    def _mark(self, number: str) -> str:
        """Return a word that changes if a game changes, "" if the game can't be read."""
        if number in self._imported:
            with suppress(OSError):
                found = self._imported[number].stat()
                return f"{found.st_ino}-{found.st_size}-{found.st_mtime_ns}"
        else:
            with suppress(*schema.UNREADABLE):
                return self._read(schema.game_checksum, number)
        return ""

    def _summarise(self, number: str) -> Summary:
        if number in self._imported:
            try:
                return _replayed_summary(number, self.record_lines(number))
            except (RecordError, JournalError):  # list it as unreadable, and continue
                return _unreadable(number)
        game = self._read(schema.sound_part, number)
        is_newest = game.id == self._confirmed.game
        has_lost_rows = is_newest and len(game.links) < self._confirmed.rows
        return _own_summary(game, game.head.damage is not None or has_lost_rows)

    def record_lines(self, number: str) -> tuple[str, ...]:
        """Return the lines of a game's record (rules/RECORDS.md), without newline characters."""
        text = self.record_bytes(number).decode(errors="replace")
        return tuple(text.removesuffix("\n").split("\n"))

    def record_bytes(self, number: str) -> bytes:
        """Return the content of a game's record file. An imported game has its file as it came.

        Raises NoGameError if no game has this number, and JournalError if the game is damaged.
        """
        if number in self._imported:
            return read_imported(self._imported[number])
        if number not in self.own_numbers:
            ranges = [
                group[0] if len(group) == 1 else f"{group[0]} to {group[-1]}"
                for group in (self.own_numbers, tuple(self._imported))
                if group
            ]
            existing = f"there are {' and '.join(ranges)}; `referee games` lists them"
            what = existing if ranges else "no game has been played yet"
            raise NoGameError(f"there is no game {number}: {what}")
        try:
            game = self._read(schema.whole_game, number)
            if not game.links:
                raise Damage(game.head.damage or "it has no rows")
        except schema.UNREADABLE as error:
            why = error_in_one_line(error)
            raise JournalError(f"game {number} in {self._path} is damaged ({why})") from error
        lines = _lines(game.links, _players(game.head.names))
        return "".join(f"{line}\n" for line in lines).encode()

    def _read(self, work: Callable[[Connection, int], T], number: str) -> T:
        """Return what `work` reads of one of the table's own games."""
        assert self._reader is not None
        game = int(number)
        return self._reader.read(lambda database: work(database, game), game)


@contextmanager
def open_games(path: Path) -> Iterator[Games]:
    """Open the games that a journal has now.

    Raises JournalError if the journal is missing, unreadable, damaged, or of another version.
    """
    if not os.path.lexists(path) and imported_games(path):
        yield Games(path)
        return
    # Read the count before the rows: then it is at most their number.
    confirmed = read_count(path)
    with closing(JournalReader(path)) as reader:
        try:
            number = reader.read(schema.schema_of)
        except schema.UNREADABLE as error:
            raise damaged_journal_error(path, error) from error
        if number != schema.SCHEMA:
            older = "an older version: start the table, which updates it or begins a new journal"
            newer = "a newer version: install that version, or name another folder"
            raise JournalError(f"{path} is from {older if number < schema.SCHEMA else newer}")
        yield Games(path, reader, confirmed)


@contextmanager
def add_game_to_error(number: str) -> Iterator[None]:
    """If the block raises RecordError, raise a JournalError that names the game instead."""
    try:
        yield
    except RecordError as error:
        raise JournalError(
            f"game {number} breaks the rules of this version ({error}): "
            f"`referee export {number}` can still write its record"
        ) from None


def ruleset_name(ruleset: RuleSet) -> str:
    """Return a preset's name, or `house rules`."""
    return next((name for name, preset in PRESETS.items() if preset == ruleset), HOUSE_RULES)


def names_in(first: dict[str, Any]) -> dict[str, str]:
    """Return the players' names by seat letter, from the first line of a record.

    A record can come from anyone, so a name is cut to MAX_NAME_LENGTH printable characters.
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


def _lines(stored_rows: Sequence[StoredRow], names: dict[str, str]) -> Iterator[str]:
    yield json.dumps(_first_line(stored_rows[0], names), ensure_ascii=False)
    for row in stored_rows[1:]:
        optional = {"source": row.source, "at": _time(row), "by": row.by, "hint": row.hint}
        present = {key: value for key, value in optional.items() if value}
        line = {"action": row.action, "position": row.position, **present}
        yield json.dumps(line, ensure_ascii=False)


def _first_line(first: StoredRow, names: dict[str, str]) -> dict[str, Any]:
    text, joined_seats = parse_head(first.action)
    ruleset = json.loads(text)
    preset = None
    with suppress(RuleSetError):  # another version may have other options
        parsed = parse_ruleset(ruleset)
        ruleset, preset = written_options(parsed), ruleset_name(parsed)
    optional = {
        "host": joined_seats[0],
        "preset": preset if preset in PRESETS else None,
        "names": names,
        "started": _time(first),
    }
    return {
        "format": FORMAT,
        "version": VERSION,
        "ruleset": ruleset,
        "seats": sorted(joined_seats),
        **{key: value for key, value in optional.items() if value not in (None, {}, "")},
    }


def _time(stored: StoredRow) -> str:
    """Return a row's time in whole seconds, or "" if the clock was not set."""
    return f"{stored.at[:19]}Z" if stored.at else ""


def _players(names: str | None) -> dict[str, str]:
    """Return the players' names from their stored JSON, such as `{"A": "LUC red"}`.

    Each text is a name and a word for the pawns. Return only the name.
    """
    try:
        players = names_in({"names": json.loads(names or "{}")})
    except (ValueError, RecursionError):  # the game is readable without names
        return {}
    first_words = {seat: text.partition(" ")[0] for seat, text in players.items()}
    return {seat: name for seat, name in first_words.items() if name != NO_NAME}


def _own_summary(game: StoredGame, is_damaged: bool) -> Summary:
    number, names = str(game.id), _players(game.head.names)
    try:
        if not is_damaged:
            return _intact_summary(number, game.links, game.head.ended is not None, names)
        first = _first_line(game.links[0], names)
        ruleset, seats = first.get("preset", HOUSE_RULES), tuple(first["seats"])
        started, _ = _times(game.links)
        return Summary(number, ruleset, seats, names, False, (), started, None, 0, is_damaged=True)
    except Exception:  # damaged rows can raise any exception here
        return _unreadable(number)


def _unreadable(number: str) -> Summary:
    return Summary(number, UNREADABLE_GAME, (), {}, False, (), None, None, 0, is_damaged=True)


def _intact_summary(
    number: str, stored_rows: Sequence[StoredRow], over: bool, names: dict[str, str]
) -> Summary:
    first = _first_line(stored_rows[0], names)
    entries = [ENTRIES_BY_WORD.get(one.action.partition(" ")[0]) for one in stored_rows[1:]]
    if not {Leave, Correct, LastTurn}.isdisjoint(entries):
        with suppress(RecordError):  # this version may have other rules
            return _replayed_summary(number, _lines(stored_rows, names), _times(stored_rows))
    # The position after each row that undo did not take back, and the kind of its entry: None for a
    # choice.
    rows: list[tuple[str, type[Entry] | None]] = []
    for stored, entry in zip(stored_rows[1:], entries, strict=True):
        if entry is Undo:  # it takes back a choice and the throws after it
            while rows[-1][1] is Throw:
                rows.pop()
            rows.pop()
        elif entry not in (Retype, LastTurn):
            rows.append((stored.position, entry))
    seats = tuple(first["seats"])
    throws = sum(kind is Throw for _, kind in rows)
    ruleset = first.get("preset", HOUSE_RULES)
    rules = RuleSet()
    with suppress(RuleSetError):  # another version may have other options
        rules = parse_ruleset(first["ruleset"])
    home = set(map(place_text, board(rules.layout).home))
    # The first seat with enough pawns home. It would take longer to replay the game.
    finished = (
        seat
        for position, _ in rows
        for seat in seats
        if sum(place in home for place in position.split("/")[seat].split(",")) >= rules.to_win
    )
    winners = winning_seats(rules, tuple(dict.fromkeys(finished)))
    return Summary(number, ruleset, seats, names, over, winners, *_times(stored_rows), throws)


def _times(stored_rows: Sequence[StoredRow]) -> Times:
    started = next((stored.at for stored in stored_rows if stored.at), None)
    duration_s = (stored_rows[-1].played or 0) / 1000
    return datetime.fromisoformat(started) if started else None, duration_s


def parse_start(first: dict[str, Any]) -> datetime | None:
    """Return the start of a game from the first line of its record, or None."""
    try:
        started = datetime.fromisoformat(str(first.get("started")))
    except ValueError:
        return None
    if not MINYEAR < started.year < MAXYEAR:  # such a year can't be converted to all time zones
        return None
    return started if started.tzinfo else started.replace(tzinfo=UTC)


def _replayed_summary(number: str, lines: Iterable[str], times: Times | None = None) -> Summary:
    """Return the summary of a record. Raises RecordError. times: None: as its first line says."""
    record_lines = read_lines(lines)
    first_line = next(record_lines)
    (last_line,) = deque(record_lines, maxlen=1) or (first_line,)
    first, past, game = first_line.fields, last_line.record.past, last_line.record.game
    throws = sum(isinstance(done.action, Throw) for done in past) - len(find_repeats(past))
    ruleset, seats, is_over = ruleset_name(game.ruleset), first["seats"], game.phase is Phase.OVER
    known = (number, ruleset, tuple(sorted(seats)), names_in(first), is_over, game.winners)
    return Summary(*known, *(times or (parse_start(first), None)), throws)
