"""Rows in text: as they always were, bit for bit, and what is none is met when a game is followed.

`stored_rows.jsonl` has the rows of two games as a journal of an earlier version holds them.
"""

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from pi_app.model.history import Row, fold
from pi_app.record.journal import load
from pi_app.record.schema import (
    StoredGame,
    StoredRow,
    chain_row,
    connect,
    rows_of,
    stored_row,
    write_game,
)
from tests.pi_app.model.texts import recorded
from tests.pi_app.record.journals import commit, found_in, opened, table, write_in_text

STORED = Path(__file__).with_name("stored_rows.jsonl")
COLUMNS = "game, n, at, action, position, source, boot, chamber_n, chain, by, hint, played"
ALL = f"SELECT {COLUMNS} FROM rows ORDER BY game, n"
NEST = "N,N,N,N/-/N,N,N,N/-"
NEW = 'new "findler" seats 2,0'


def stored() -> list[tuple[Any, ...]]:
    return [tuple(json.loads(line)) for line in STORED.read_text().splitlines()]


def games() -> Iterator[StoredGame]:
    """Yield the stored games, their checks as they are stored."""
    for number, lines in groupby(stored(), key=lambda line: line[0]):
        yield StoredGame(number, tuple(map(link_of, lines)))


def link_of(line: tuple[Any, ...]) -> StoredRow:
    _, n, at, action, position, source, boot, chamber_n, chain, by, hint, played = line
    return StoredRow(n, at, action, position, source, boot, chamber_n, by, hint, played, chain)


def test_rows_of_each_kind_are_chained_and_stored_as_an_earlier_version_did(path: Path) -> None:
    made = []
    for game in games():
        rows, links = tuple(rows_of(game.links)), list[StoredRow]()
        fold(rows)
        for old, row in zip(game.links, rows, strict=True):
            before = links[-1].chain if links else ""
            links.append(chain_row(before, stored_row(old.n, old.at, row, old.played)))
        made.append(StoredGame(game.id, tuple(links)))
    assert made == list(games())
    opened(path).close()
    connection = connect(path)
    for game in made:
        write_game(connection, game)
    connection.close()
    assert table(path, ALL) == stored()


def test_a_journal_of_an_earlier_version_is_read_and_goes_on_in_its_chain(path: Path) -> None:
    opened(path).close()
    connection = connect(path)
    for game in games():
        write_game(connection, game)
    connection.close()
    *_, newest = games()
    before = tuple(rows_of(newest.links))
    rows, found = found_in(path)
    assert (rows, found.missing, found.warning) == (before, 0, None)
    journal = opened(path)
    commit(journal, (end := recorded("end", before[-1].position),), None, over=True)
    journal.close()
    assert table(path, ALL)[: len(stored())] == stored()
    assert found_in(path)[0] == (*before, end)


def test_committing_the_same_entries_makes_the_same_rows(path: Path) -> None:
    journal, _ = load(path)
    first, _ = games()
    for row in rows_of(first.links):
        commit(journal, (row,), None)
    journal.close()
    said = [(line[3:8], line[9:11]) for line in table(path, ALL)]
    assert said == [(line[3:8], line[9:11]) for line in stored() if line[0] == 1]


@pytest.mark.parametrize(
    ("texts", "kept", "said"),
    [
        (["news"], 0, "'news' does not start a game: the first row must be 'new ... seats ...'"),
        (["throw 5 3"], 0, "'throw 5 3' does not start a game"),
        (["new seats 0,2"], 0, "'new seats 0,2' does not start a game"),
        (['new {"odd": 1} seats 0,2'], 0, "ruleset has no field 'odd'"),
        (['new "findler" seats 0,x'], 0, "invalid literal for int() with base 10: 'x'"),
        ([NEW, "fly 3"], 1, "'fly 3' is not an action: write throw 5 3, choose 2"),
        ([NEW, "throw 9"], 1, "'throw 9' is not an action"),
        ([NEW, NEW], 1, "'new \"findler\" seats 2,0' is not an action"),
        ([NEW, "choose 0", "throw 5 3", "move Q"], 3, "'Q' is not a step"),
        ([NEW, "choose 0", "throw 5 1", "fly 3", "undo"], 3, "'fly 3' is not an action"),
    ],
    ids=lambda value: value[-1] if isinstance(value, list) else "",
)
def test_text_that_is_no_entry_is_met_when_the_game_is_followed(
    path: Path, texts: list[str], kept: int, said: str
) -> None:
    write_in_text(path, *(StoredRow(0, "", text, NEST) for text in texts))
    rows, found = found_in(path)
    assert f"(its newest game can't be followed: {said}" in str(found.warning)
    assert (len(rows or ()), found.missing) == (kept, len(texts) - kept)


def test_an_entry_in_the_middle_of_a_game_starts_none() -> None:
    rows = [recorded(NEW, NEST), Row(recorded(NEW, NEST).entry, NEST)]
    with pytest.raises(ValueError, match=r"^'new \"findler\" seats 2,0' starts a game, but a game"):
        fold(rows)
