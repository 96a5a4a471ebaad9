"""The summaries of games that do not change any more: kept, used, and made anew."""

import json
import os
from pathlib import Path

import pytest

from pi_app.record.games import open_games
from pi_app.record.imported import store_imported
from pi_app.record.stats import GameCounts
from pi_app.record.summaries import MAX_KEPT, KeptValues
from tests.pi_app.record.journals import change, commit, opened, write
from tests.pi_app.record.test_games import RECORD, SHORT, summaries


def kept(path: Path) -> Path:
    return path.with_suffix(".summaries")


def test_a_game_is_summarised_once_but_the_newest_one_at_each_look(path: Path) -> None:
    write(path, SHORT, SHORT)
    first = summaries(path)
    for game in (1, 2):  # not the last row: the mark is the same
        change(path, f"UPDATE rows SET position = '' WHERE game = {game} AND n = 3")
    assert [one.is_damaged for one in summaries(path)] == [False, True]
    assert summaries(path)[0] == first[0]
    kept(path).unlink()
    assert [one.is_damaged for one in summaries(path)] == [True, True]


CHANGES = {
    "its last row": "UPDATE rows SET chain = 'f00' WHERE game = 1 AND n = 6",
    "its number of rows": "DELETE FROM rows WHERE game = 1 AND n = 6",
    "its head": "UPDATE games SET names = '{}' WHERE id = 1",
}


@pytest.mark.parametrize("harm", CHANGES.values(), ids=CHANGES)
def test_a_summary_of_which_the_game_has_changed_is_made_anew(path: Path, harm: str) -> None:
    write(path, SHORT, SHORT)
    summaries(path)
    change(path, harm)
    assert [one.is_damaged for one in summaries(path)] == [True, False]


def test_a_game_that_undo_reopens_is_not_over(path: Path) -> None:
    journal = opened(path)
    commit(journal, SHORT, at=1.0, over=True)
    assert [one.is_over for one in summaries(path)] == [True]
    commit(journal, SHORT[4:5], at=2.0)
    assert [one.is_over for one in summaries(path)] == [False]
    journal.close()


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\n\xff", b"0" * 32 + b'\n1 mark ["findler"]\n', None],
    ids=["empty", "not text", "not sealed", "a folder"],
)
def test_a_file_that_is_damaged_is_as_if_it_were_missing(path: Path, content: bytes | None) -> None:
    write(path, SHORT, SHORT)
    sound = summaries(path)
    kept(path).unlink()
    if content is None:
        kept(path).mkdir()
    else:
        kept(path).write_bytes(content)
    assert summaries(path) == sound


def test_a_flipped_bit_anywhere_in_the_file_changes_no_summary(path: Path) -> None:
    write(path, SHORT, SHORT)
    sound = summaries(path)
    data = kept(path).read_bytes()
    for at in range(len(data)):
        kept(path).write_bytes(data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :])
        assert summaries(path) == sound


def test_of_too_many_games_the_newest_are_kept(path: Path) -> None:
    path.parent.mkdir()
    numbers = [str(number) for number in range(1, MAX_KEPT + 2)]
    values_of_all = KeptValues(kept(path))
    for number in numbers:
        values_of_all.keep(number, "mark", ["findler", [0, 2]])
    values_of_all.write(numbers)
    read = KeptValues(kept(path))
    assert [number for number in numbers if read.find(number, "mark") is None] == ["1"]


def test_an_imported_game_is_kept_until_its_file_changes(path: Path) -> None:
    store_imported(path, b"".join(json.dumps(line).encode() + b"\n" for line in RECORD))
    [first] = summaries(path)
    assert b"i1 " in kept(path).read_bytes()
    assert summaries(path) == [first]
    file = path.parent / "imported" / "1.jsonl"
    file.write_bytes(file.read_bytes()[:-20])
    assert [one.is_damaged for one in summaries(path)] == [True]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to somebody else")
def test_in_the_folder_of_another_user_nothing_is_written(path: Path) -> None:
    write(path, SHORT, SHORT)
    os.chown(path.parent, 12345, 12345)
    assert len(summaries(path)) == 2
    assert not kept(path).exists()


def test_only_the_games_that_are_asked_for_are_read(path: Path) -> None:
    write(path, SHORT, SHORT, SHORT)
    with open_games(path) as games:
        assert [one.number for one in games.read_summaries(["2"])] == ["2"]
    assert [line[:2] for line in kept(path).read_text().splitlines()[1:]] == ["2 "]


# What statistics need of a game.


def counts(path: Path, late: bool = False) -> dict[str, GameCounts]:
    with open_games(path) as games:
        return games.read_counts(games.own_numbers, lambda: late)


def test_a_game_is_counted_once_and_anew_after_each_change(path: Path) -> None:
    write(path, SHORT, SHORT)
    assert counts(path, late=True) == {}
    first = counts(path)
    assert list(first["1"].faces[0]) == ["kernel", False, [1, 0, 0, 0, 1, 0]]
    change(path, "UPDATE rows SET position = '' WHERE game = 1 AND n = 3")
    assert list(counts(path, late=True)["1"].faces[0]) == list(first["1"].faces[0])
    change(path, "UPDATE rows SET chain = 'f00' WHERE n = 6")
    assert counts(path, late=True) == {}
    assert counts(path)["1"] == GameCounts((), (), ())


def test_the_luck_of_the_newest_game_is_kept_until_the_game_goes_on(path: Path) -> None:
    journal = opened(path)
    commit(journal, SHORT, at=1.0, over=True)
    with open_games(path) as games:
        games.keep_luck("1", [(0, 4.5, 7.8)])
    assert list(map(tuple, counts(path)["1"].luck)) == [(0, 4.5, 7.8)]
    commit(journal, SHORT[4:5], at=2.0)
    assert counts(path)["1"].luck == ()
    journal.close()
