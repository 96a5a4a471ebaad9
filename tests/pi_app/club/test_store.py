"""The club's store: each game once, whatever comes in which order, and stores that unite."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.club.store import (
    MADE_BY,
    ClubGame,
    Store,
    StoreError,
    append_change,
    changes,
    ended_games,
    keep_record,
    kept_lines,
    merge_stores,
    open_store,
    transaction,
)
from pi_app.record.files import memory_folder
from pi_app.record.journal import load
from rules.lines.replay import judge
from tests.asked import extent
from tests.pi_app.club.ended import ended_game

GAMES = [ended_game(seed, ends=1 + seed % 3) for seed in range(5)]
Came = tuple[str, bytes]  # a game's id, and its record at one of its ends
EVERY: list[Came] = [(game.id, record) for game in GAMES for record in game.records]
NEWEST = {game.id: game.records[-1].decode() for game in GAMES}
JUDGED = {record: judge(record.decode().split("\n")) for _, record in EVERY}


def keep(store: Store, came: Sequence[Came], table: str = "kitchen", at: float = 0.0) -> list[bool]:
    """Keep records as they came, one each second; return which of them were news."""
    return [
        keep_record(store, table, id, record.decode(), JUDGED[record], at + n)
        for n, (id, record) in enumerate(came)
    ]


def test_a_game_is_kept_with_its_table_and_places(tmp_path: Path) -> None:
    id, record = EVERY[0]
    with closing(open_store(tmp_path / "club.sqlite")) as store:
        assert kept_lines(store, id) == 0
        assert keep(store, EVERY[:1], at=5.0) == [True]
        assert kept_lines(store, id) == 15
    with closing(open_store(tmp_path / "club.sqlite")) as store:
        assert ended_games(store) == [ClubGame(id, "kitchen", 15, (), record.decode(), 5.0)]


@given(st.permutations(EVERY), st.lists(st.sampled_from(EVERY)))
def test_records_in_any_order_and_repeated_give_the_same_games(
    order: list[Came], repeats: list[Came]
) -> None:
    with closing(open_store(Path(":memory:"))) as store:
        news = keep(store, [*repeats, *order, *repeats])
        games = ended_games(store)
    assert len(games) == len(GAMES)
    assert {game.id: game.record for game in games} == NEWEST
    assert not any(news[len(repeats) + len(order) :])


def content(path: Path) -> tuple[list[ClubGame], list[tuple[float, dict[str, Any]]]]:
    with closing(open_store(path)) as store:
        return ended_games(store), changes(store)


PARTS = st.lists(st.lists(st.sampled_from(EVERY), max_size=5), min_size=3, max_size=3)


@settings(max_examples=extent(12, soak=100))
@given(PARTS, st.integers(0, 2))
def test_stores_unite_to_the_same_in_any_order_and_twice(parts: list[list[Came]], at: int) -> None:
    with TemporaryDirectory(dir=memory_folder()) as folder:
        paths = [Path(folder, f"{n}.sqlite") for n in range(len(parts))]
        for n, (path, part) in enumerate(zip(paths, parts, strict=True)):
            with closing(open_store(path)) as store:
                keep(store, part, table=f"table-{n}", at=float(at * n))
                append_change(store, {"kind": "person", "person": str(n)}, made=5.0 - n)
        one, other = Path(folder, "one.sqlite"), Path(folder, "other.sqlite")
        merge_stores(paths, one)
        merge_stores([paths[2], paths[0]], other)
        merge_stores([one, paths[1]], other)
        games, made = content(one)
        assert {game.id for game in games} == {id for part in parts for id, _ in part}
        assert [what["person"] for _, what in made] == ["2", "1", "0"]
        assert content(other) == (games, made)
        merge_stores([*paths, other], one)
        assert content(one) == (games, made)


def test_changes_come_back_in_their_order_even_if_the_clock_was_set_back(tmp_path: Path) -> None:
    said = [{"kind": "person", "name": name} for name in ("Zoë", "<b>", "\0", "Ann")]
    with closing(open_store(tmp_path / "club.sqlite")) as store:
        for made, what in zip((100.0, 50.0, 50.0, 200.0), said, strict=True):
            append_change(store, what, made)
        assert [what for _, what in changes(store)] == said
        assert [round(made) for made, _ in changes(store)] == [100, 100, 100, 200]
        assert store.execute("SELECT count(DISTINCT id) FROM changes").fetchone() == (4,)


def test_a_file_that_is_no_store_is_left_alone_and_named(tmp_path: Path) -> None:
    journal, text = tmp_path / "journal.db", tmp_path / "text"
    load(journal)[0].close()
    text.write_text("a shopping list, with more than a few words" * 100)
    for path in (journal, text, tmp_path, tmp_path / "no" / "folder"):
        before = path.read_bytes() if path.is_file() else None
        with pytest.raises(StoreError, match=f"^{path} (is not|can't be used as) a club's store"):
            open_store(path)
        assert (path.read_bytes() if path.is_file() else None) == before


def test_a_store_of_a_later_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "club.sqlite"
    with closing(open_store(path)) as store:
        store.execute(f"PRAGMA user_version = {MADE_BY + 1}")
    with pytest.raises(StoreError, match="is from a newer version: install that version"):
        open_store(path)


def test_a_store_is_opened_and_read_while_somebody_writes(tmp_path: Path) -> None:
    path = tmp_path / "club.sqlite"
    with closing(open_store(path)) as store, transaction(store):
        other = open_store(path)  # this would wait 10 s, and then fail
        with closing(other):
            assert ended_games(other) == []


def test_a_store_that_is_missing_is_not_made_by_merging(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=f"there is no file {tmp_path / 'a'}: name a club's store"):
        merge_stores([tmp_path / "a"], tmp_path / "b")
    assert not (tmp_path / "a").exists()


def test_a_game_that_the_disk_refuses_leaves_no_trace_and_is_kept_later(tmp_path: Path) -> None:
    path = tmp_path / "club.sqlite"
    with closing(open_store(path)) as store:
        store.execute("PRAGMA max_page_count = 1")  # like a full disk
        with pytest.raises(sqlite3.OperationalError, match="full"):
            keep(store, EVERY)
        kept = len(ended_games(store))
        assert kept < len(GAMES)
        store.execute("PRAGMA max_page_count = 1000")
        assert sum(keep(store, EVERY)) == len(EVERY) - kept
        with closing(open_store(path)) as other:  # as another process sees it
            assert len(ended_games(other)) == len(GAMES)
