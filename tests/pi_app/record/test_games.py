"""The games that were kept, read beside a table that plays: as a list, and each as a record."""

import json
import os
import re
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import pytest

from pi_app.model.history import Row, act, fold, start_row
from pi_app.record.games import NoGameError, open_games
from pi_app.record.imported import store_imported
from pi_app.record.journal import Journal, OpenedJournal, load
from pi_app.record.schema import GameHead, connect, write_head
from pi_app.record.summaries import Summary
from pi_app.record.trouble import JournalError
from rules.actions import Throw
from rules.history import new_record, parse_entry
from rules.lines.replay import judge
from rules.ruleset import PRESETS, written_options
from tests.pi_app.model.texts import recorded
from tests.pi_app.record.journal_writer import rows_of_a_game
from tests.pi_app.record.journals import change, commit, last_game, write

NEST = "N,N,N,N/-/N,N,N,N/-"
IN = "0,N,N,N/-/N,N,N,N/-"
SHORT = (
    recorded('new "findler" seats 2,0', NEST),
    recorded("choose 0", NEST),
    recorded("throw 5 1", NEST, "kernel"),
    recorded("move N-0(5)", IN, by="C", hint="step"),
    recorded("undo", NEST),
    recorded("move N-0(5)", IN),
)
AT = 1763600000.0
RECORD = (
    {
        "format": "pachisi-record",
        "version": 1,
        "ruleset": written_options(PRESETS["findler"]),
        "seats": [0, 2],
        "host": 2,
        "preset": "findler",
        "names": {"A": "LUC"},
        "started": "2025-11-20T00:53:20Z",
    },
    {"action": "choose 0", "position": NEST, "at": "2025-11-20T00:53:20Z"},
    {"action": "throw 5 1", "position": NEST, "source": "kernel", "at": "2025-11-20T00:53:20Z"},
    {
        "action": "move N-0(5)",
        "position": IN,
        "at": "2025-11-20T00:53:20Z",
        "by": "C",
        "hint": "step",
    },
    {"action": "undo", "position": NEST, "at": "2025-11-20T00:53:20Z"},
    {"action": "move N-0(5)", "position": IN},  # the clock was not set any more
)


def play(path: Path) -> None:
    """Play a short game of LUC, whose pawns are red, and of somebody without a name."""
    journal, _ = load(path)
    commit(
        journal,
        SHORT[:5],
        AT,
        puts=(("player.A", "LUC red"), ("player.C", "- beans"), ("player.B", "EVA -")),
    )
    commit(journal, SHORT[5:], None, t=61.5)
    journal.close()


def rows(
    ruleset: str, seats: tuple[int, ...], *entries: str, dice: str = "kernel"
) -> tuple[Row, ...]:
    """Return a game's rows. dice: the source of its throws."""
    record = new_record(PRESETS[ruleset], seats)
    told = [start_row(record)]
    for entry in entries:
        source = dice if entry.startswith("throw") else None
        record, row, _ = act(record, parse_entry(entry), source)
        told.append(row)
    return tuple(told)


def summaries(path: Path) -> list[Summary]:
    with open_games(path) as games:
        return list(games.read_summaries())


def test_a_game_is_read_as_the_lines_of_a_record(path: Path) -> None:
    play(path)
    with open_games(path) as games:
        lines = games.record_lines("1")
        assert games.record_bytes("1") == "".join(f"{line}\n" for line in lines).encode()
    assert tuple(map(json.loads, lines)) == RECORD
    assert judge(lines) == {"actions": 5, "position": IN, "over": False, "places": []}


def test_a_list_says_of_a_game_who_played_when_and_how_long(path: Path) -> None:
    play(path)
    assert summaries(path) == [
        Summary(
            *("1", "findler", (0, 2), {"A": "LUC"}, False, ()),
            *(datetime(2025, 11, 20, 0, 53, 20, tzinfo=UTC), 61.5, 1),
        )
    ]


def test_a_game_of_a_clock_that_was_never_set_has_no_date_but_lasts(path: Path) -> None:
    journal, _ = load(path)
    commit(journal, SHORT[:3], None, t=5.0)
    commit(journal, SHORT[3:], None, t=9.0)
    journal.close()
    [one] = summaries(path)
    assert (one.start, one.duration_s) == (None, 4.0)
    with open_games(path) as games:
        assert not any(
            {"at", "started"} & json.loads(line).keys() for line in games.record_lines("1")
        )


def test_a_whole_game_has_its_winner_and_the_throws_that_count(path: Path) -> None:
    game = tuple(rows_of_a_game(1))
    journal, _ = load(path)
    commit(journal, game[:200], None)
    commit(journal, game[200:], None, over=True)
    commit(journal, SHORT, None)
    journal.close()
    record = fold(game)
    [first, second] = summaries(path)
    assert (first.is_over, first.winners) == (True, record.game.winners)
    assert first.throws == sum(isinstance(done.action, Throw) for done in record.past)
    assert first.throws < sum(isinstance(row.entry, Throw) for row in game)  # some were undone
    assert (second.number, second.is_over, second.winners) == ("2", False, ())


def test_who_is_left_when_all_others_leave_has_won(path: Path) -> None:
    write(path, rows("findler", (2, 0), "choose 0", "throw 5 1", "leave 0"))
    [one] = summaries(path)
    assert (one.is_over, one.winners, one.seats, one.throws) == (True, (2,), (0, 2), 1)


@pytest.mark.parametrize("rules", ["ludo-de", {"preset": "findler", "to_win": 2}])
def test_a_seat_that_has_filled_the_goal_or_brought_enough_home_has_won(
    path: Path, rules: object
) -> None:
    game = tuple(rows_of_a_game(1, preset=rules))
    journal, _ = load(path)
    commit(journal, game, None, over=True)
    journal.close()
    [one] = summaries(path)
    assert (one.is_over, one.winners) == (True, fold(game).game.places[:1])


def test_a_throw_that_a_correction_lets_wait_counts_once(path: Path) -> None:
    there = f"correct {NEST} seat 2 doublets 0"
    back = f"correct {NEST} seat 0 doublets 0"
    write(path, rows("findler", (2, 0), "choose 0", "throw 5 1", there, back, "throw 5 1"))
    assert summaries(path)[0].throws == 1


def test_a_throw_that_undo_and_then_a_correction_let_wait_counts_too(path: Path) -> None:
    there, back = (f"correct {NEST} seat {seat} doublets 0" for seat in (2, 0))
    undone = ("throw 5 1", "undo", "choose 0", there, back)
    write(path, rows("findler", (2, 0), "choose 0", *undone, "throw 5 1"))
    assert summaries(path)[0].throws == 1


def test_a_last_round_and_playing_on_are_kept_listed_imported_and_read_again(path: Path) -> None:
    to_c = "correct 12,N,N,N/-/9,N,N,N/- seat 2 doublets 0"
    moves = ("move 9-10(1)", "undo", "move 9-10(1)", "move 10-12(2)")
    entries = ("choose 0", to_c, "throw 1 2", "last-turn C", *moves)
    by_clock = ("last-turn C", "move 10-12(2)")
    shared = tuple(
        replace(row, by="clock") if str(row.entry) in by_clock else row
        for row in rows("findler", (0, 2), *entries)
    )
    to_a = "correct H,H,H,r7/N,N,N,N/N,N,N,N/- seat 0 doublets 0"
    win = ("throw 1 3", "move r7-H(1)", "play-on", "throw 1 3")
    journal, _ = load(path)
    commit(journal, shared, None, over=True)
    commit(journal, rows("findler", (0, 1, 2), "choose 0", to_a, *win), None)
    journal.close()
    with open_games(path) as games:
        data = games.record_bytes("1")
        assert [json.loads(line).get("by") for line in data.splitlines()] == [
            *[None] * 4,
            "clock",
            *[None] * 3,
            "clock",
        ]
        assert judge(data.decode().splitlines())["ties"] == [[0, 2]]
        assert judge(games.record_lines("2"))["over"] is False
    store_imported(path, data)
    kept, going_on, imported = summaries(path)
    assert (kept.is_over, kept.winners, kept.throws) == (True, (0, 2), 1)
    assert (imported.is_over, imported.winners, imported.throws) == (True, (0, 2), 1)
    assert (going_on.is_over, going_on.winners, going_on.throws) == (False, (0,), 2)
    journal, opened = load(path)
    journal.close()
    assert opened.record is not None
    assert opened.record.game.played_on


def test_imported_games_come_after_the_tables_own_and_are_marked(path: Path) -> None:
    play(path)
    data = "".join(f"{json.dumps(line)}\n" for line in RECORD).encode()
    assert store_imported(path, data) == ("i1", True)
    assert store_imported(path, data) == ("i1", False)
    assert store_imported(path, data + b"\n") == ("i2", True)
    with open_games(path) as games:
        assert games.numbers() == ("1", "i1", "i2")
        assert games.record_bytes("i1") == data
    _, one, _ = summaries(path)
    assert one == Summary(
        *("i1", "findler", (0, 2), {"A": "LUC"}, False, ()),
        *(datetime(2025, 11, 20, 0, 53, 20, tzinfo=UTC), None, 1),
    )
    assert one.is_imported
    assert last_game(path) == SHORT


def test_games_are_imported_where_no_table_ever_played(path: Path) -> None:
    store_imported(path, "".join(f"{json.dumps(line)}\n" for line in RECORD).encode())
    assert [one.number for one in summaries(path)] == ["i1"]


def test_nothing_is_written_beside_a_journal_that_is_open(path: Path) -> None:
    journal, _ = load(path)
    commit(journal, SHORT, AT)
    before = {one: one.read_bytes() for one in path.parent.iterdir()}
    assert [one.number for one in summaries(path)] == ["1"]
    assert {one: one.read_bytes() for one in path.parent.iterdir()} == before
    commit(journal, islice(rows_of_a_game(1), 10), AT)
    assert [one.number for one in summaries(path)] == ["1", "2"]
    journal.close()


@pytest.mark.parametrize("names", ["{", "[1]", '{"A": 7}', '{"E": "EVA red"}', "[" * 99_999])
def test_names_that_are_damaged_are_nobodys(path: Path, names: str) -> None:
    play(path)
    with closing(connect(path)) as connection:
        write_head(connection, 1, GameHead(names=names))
    [one] = summaries(path)
    assert (one.names, one.is_damaged) == ({}, False)


def test_a_name_that_somebody_made_up_prints_nothing_but_letters(path: Path) -> None:
    odd = {"A": "\x1b[2JLUC\n", "C": ["EVA"], "Z": "ZOE"}
    lines = ({**RECORD[0], "names": odd, "started": "yesterday"}, *RECORD[1:])
    store_imported(path, "".join(f"{json.dumps(line)}\n" for line in lines).encode())
    [one] = summaries(path)
    assert (one.names, one.start) == ({"A": "[2JLUC"}, None)


def test_a_number_that_no_game_has_is_one_sentence(path: Path) -> None:
    play(path)
    store_imported(path, b"".join(json.dumps(line).encode() + b"\n" for line in RECORD))
    with (
        open_games(path) as games,
        pytest.raises(
            NoGameError, match=r"^there is no game 7: there are 1 and i1; `referee games"
        ),
    ):
        games.record_bytes("7")


def test_a_journal_whose_tables_can_not_be_read_is_one_sentence(path: Path) -> None:
    play(path)
    change(path, "UPDATE meta SET value = '7'")
    said = r"is damaged \(it has schema 7 and 6\): start the table, which keeps what is sound"
    with pytest.raises(JournalError, match=said), open_games(path):
        pass


def read_one(path: Path, number: str) -> str:
    """Return why a game can't be read."""
    with open_games(path) as games, pytest.raises(JournalError) as raised:
        games.record_lines(number)
    return str(raised.value)


HARMS = {
    "UPDATE rows SET position = '' WHERE game = 1 AND n = 3": ("findler", (0, 2)),
    "UPDATE rows SET action = CAST(x'ff' AS TEXT) WHERE game = 1 AND n = 3": ("findler", (0, 2)),
    "UPDATE rows SET source = CAST(x'ff' AS TEXT) WHERE game = 1 AND n = 1": ("can't be read", ()),
    "DELETE FROM rows WHERE game = 1 AND n = 3": ("findler", (0, 2)),
    "DELETE FROM rows WHERE game = 1": ("can't be read", ()),
    "DELETE FROM games WHERE id = 1": ("findler", (0, 2)),
    "UPDATE games SET ended = 'now' WHERE id = 1": ("findler", (0, 2)),
    "UPDATE games SET names = CAST(x'ff' AS TEXT) WHERE id = 1": ("findler", (0, 2)),
    """UPDATE games SET names = '{"A": "LUD red"}' WHERE id = 1""": ("findler", (0, 2)),
}


@pytest.mark.parametrize("harm", HARMS)
def test_a_damaged_game_is_listed_as_damaged_and_hides_no_other(path: Path, harm: str) -> None:
    play(path)
    write(path, SHORT)
    sound = summaries(path)[1]
    change(path, harm)
    path.with_suffix(".summaries").unlink()  # what is kept of game 1 is from before
    one, other = summaries(path)
    assert (one.number, one.is_damaged, one.is_over, one.winners, one.throws) == (
        "1",
        True,
        False,
        (),
        0,
    )
    assert (one.ruleset, one.seats) == HARMS[harm]
    assert one.names in ({}, {"A": "LUC"})
    assert other == sound
    assert not other.is_damaged
    if "rows" in harm:  # what is only said of it can be lost
        assert f"game 1 in {path} is damaged (" in read_one(path, "1")


def test_a_game_that_a_start_could_not_keep_whole_stays_listed_as_damaged(path: Path) -> None:
    write(path, *3 * [SHORT])
    change(path, "DELETE FROM rows WHERE game = 1")
    change(path, "UPDATE rows SET position = '' WHERE game = 2 AND n = 5")
    change(path, "UPDATE rows SET position = '' WHERE game = 3 AND n = 5")
    _, found = load_and_close(path)
    assert found.missing == 2
    assert [(one.number, one.is_damaged) for one in summaries(path)] == [
        ("1", True),
        ("2", True),
        ("3", False),  # which goes on from there
    ]
    assert load_and_close(path)[1].aside == ""


def load_and_close(path: Path) -> tuple[Journal, OpenedJournal]:
    journal, found = load(path)
    journal.close()
    return journal, found


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        (5, r"from an older version: start the table, which updates it or begins a new journal"),
        (9, r"from a newer version: install that version, or name another folder"),
    ],
)
def test_a_journal_of_another_version_is_one_sentence(path: Path, schema: int, said: str) -> None:
    play(path)
    change(path, f"PRAGMA user_version = {schema}")
    change(path, f"UPDATE meta SET value = '{schema}' WHERE key = 'schema'")
    with pytest.raises(JournalError, match=rf"journal\.db is {said}"), open_games(path):
        pass


@pytest.mark.parametrize("part", ["", "-wal"])
def test_what_is_not_a_file_is_one_sentence_and_nobody_waits_for_it(path: Path, part: str) -> None:
    play(path)
    file = Path(f"{path}{part}")
    file.unlink(missing_ok=True)
    os.mkfifo(file)
    said = rf"{re.escape(str(file))} is not a file: move it away or name another folder"
    with pytest.raises(JournalError, match=said), open_games(path):
        pass


def test_an_imported_file_that_somebody_changed_keeps_no_other_from_being_listed(
    path: Path,
) -> None:
    store_imported(path, b"".join(json.dumps(line).encode() + b"\n" for line in RECORD))
    file = path.parent / "imported" / "1.jsonl"
    whole = file.read_bytes()
    store_imported(path, whole + b"\n")
    file.write_bytes(whole[:-20])
    listed = {one.number: (one.ruleset, len(one.seats)) for one in summaries(path)}
    assert (listed["i1"], listed["i2"]) == (("can't be read", 0), ("findler", 2))


def test_a_game_that_the_rules_do_not_know_any_more_is_listed_as_far_as_it_tells(
    path: Path,
) -> None:
    other = "2,N,N,N/-/N,N,N,N/-"
    there = f"correct {NEST} seat 0 doublets 0"
    journal, _ = load(path)
    commit(journal, (*SHORT[:3], recorded("move N-2(5)", other), recorded(there, NEST)), AT)
    journal.close()
    assert [(one.throws, one.is_over) for one in summaries(path)] == [(1, False)]
