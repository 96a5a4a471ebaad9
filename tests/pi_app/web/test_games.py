"""Disk as the page shows them, action by action, and what a browser is answered."""

import json
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import accumulate, islice
from math import isclose
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest

from pi_app.record.games import open_games
from pi_app.record.imported import store_imported
from pi_app.record.journal import FILE
from pi_app.simulate.player import SimulatedPlayer
from pi_app.texts.language import ENGLISH
from pi_app.web.kept_games import game_story
from pi_app.web.reviews import Reviews
from pi_app.web.state import say_all
from rules.board import NEST
from rules.lines.sheet import parse_sheet
from tests.pi_app.simulate.test_page import Answers, page
from tests.pi_app.web.test_kept_games import GAME, asked

pytestmark = pytest.mark.slow  # each test asks a server

__all__ = ["page"]  # the fixture
WAITING = Event()  # for others: nobody sets it


def game(text: str = GAME) -> dict[str, Any]:
    return dict(say_all(game_story("7", parse_sheet(text.splitlines())), ENGLISH))


def whole(frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the frames, each with all that holds at it, as the page has them."""
    return list(accumulate(frames, lambda before, frame: before | frame))


def test_each_action_is_told_in_words_with_its_turn_and_its_dice() -> None:
    told = [(one["turn"], one["dice"], one["words"]) for one in whole(game()["frames"])]
    assert told[:12] == [
        (0, [], "Turn 0: the pawns are in their nests"),
        (1, [], "Turn 1: A begins"),
        (1, [5, 1], "Turn 1: A threw 5 and 1"),
        (1, [5, 1], "Turn 1: A entered a pawn with 5"),
        (1, [5, 1], "Turn 1: A moved 1, from A's entry to 1 past A; played by C; after a hint"),
        (2, [3, 2], "Turn 2: C typed 3 and 2"),
        (2, [5, 3], "Turn 2: C corrected the dice to 5 and 3"),
        (2, [5, 3], "Turn 2: C entered a pawn with 5"),
        (2, [5, 3], "Turn 2: C moved 3, from C's entry to 3 past C"),
        (3, [3, 1], "Turn 3: A threw 3 and 1"),
        (
            3,
            [3, 1],
            "Turn 3: corrected: A from 1 past A to 12 past A, C from 3 past C to 15 past A",
        ),
        (
            3,
            [3, 1],
            "Turn 3: A moved 3, from 12 past A to 15 past A; A captured C at 15 past A: +20",
        ),
    ]
    assert told[12][2] == "Turn 3: undone: A's move from 12 past A to 15 past A"
    assert told[-1] == (6, [], "Turn 6: the game is over")


def test_a_capture_shows_both_ways_and_what_it_leaves() -> None:
    frame = whole(game()["frames"])[13]
    assert [(move["seat"], len(move["trail"])) for move in frame["moves"]] == [(0, 4), (2, 2)]
    assert frame["places"] == [["A", "15 past A", *["nest"] * 3], ["C", *["nest"] * 4]]
    assert sorted(place for seat, place, *_ in frame["pawns"] if seat == 0) == [
        NEST,
        NEST,
        NEST,
        15,
    ]


def test_chances_are_told_between_throws_alone_and_come_to_1() -> None:
    frames = game()["frames"]
    known = [number for number, frame in enumerate(frames) if "chances" in frame]
    assert known == [1, 4, 8, 15, 17, 20, 23]
    for number in known:
        a, b, c, d = frames[number]["chances"]
        assert (b, d) == (None, None)
        assert isclose(a + c, 1, abs_tol=0.001)


def test_who_has_won_has_the_whole_chance() -> None:
    more = """\
6. C 2-1
correct H,H,H,r7/-/N,N,N,N/- seat A doublets 0
6. A 1-2: r7-H(1)
"""
    won = game(GAME.replace("kernel 5", "kernel 7").replace("end\n", more))["frames"][-1]
    assert won["chances"] == [1.0, None, 0.0, None]


def test_a_game_says_who_plays_what() -> None:
    told = game()
    assert (told["title"], told["heading"]) == ("Game 7 - Pachisi Referee", "7: A Mia and C")
    assert told["rules"] == "Findler's course rules"
    assert (told["board"], told["seats"]) == (
        "standard/counterclockwise/twelve",
        [[0, "Mia"], [2, ""]],
    )


def test_what_a_record_says_beside_an_action_is_cut_short() -> None:
    text = GAME.replace("by C, hint step", f"by {'x' * 99}")
    assert game(text)["frames"][4]["words"].endswith(f"; played by {'x' * 20}")


def test_each_frame_says_its_dice_and_how_far_it_is() -> None:
    frames = whole(game()["frames"])
    assert (frames[0]["thrown"], frames[2]["thrown"]) == ("no dice", "dice 5 and 1")
    assert frames[4]["at"] == f"turn 1, 4 of {len(frames) - 1}"


@pytest.fixture
def reviews() -> Iterator[Reviews]:
    working = Reviews()
    yield working
    working.close()


def test_a_process_works_out_a_game_and_what_it_found_is_kept(reviews: Reviews) -> None:
    looks, _ = asked()
    while None in (found := reviews.request(looks)):
        WAITING.wait(0.01)
    assert reviews.request(looks) == found
    assert not reviews.failed
    assert all(one.given_away >= 0 for one in found if one is not None)


def test_where_the_process_fails_nothing_is_ready_and_it_is_told_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    failing = Reviews((sys.executable, "-c", "pass"))
    looks, _ = asked()
    assert set(failing.request(looks)) == {None}
    while not caplog.messages:
        WAITING.wait(0.01)
    assert set(failing.request(looks)) == {None}
    assert failing.failed
    failing.close()
    assert len(caplog.messages) == 1
    assert caplog.messages[0].startswith("reviews of games have stopped: ")


# What a browser is answered.


def test_the_games_of_a_table_are_there_while_it_plays(page: Answers) -> None:
    player = SimulatedPlayer(page.played, Random(5))
    player.begin((0, 2))
    while player.game.throws < 8:
        player.act()
    [listed] = json.loads(page.ask("games")[1])["games"]
    assert (listed["number"], listed["who"], listed["result"]) == ("1", "A and C", "not over")
    told = json.loads(page.ask("games/1")[1])
    assert told["rules"] == "Royal Parcheesi 2023"
    pawns = whole(told["frames"])[-1]["pawns"]
    position = player.game.position
    assert sorted(one[:2] for one in pawns) == sorted(
        [seat, place] for seat, places in enumerate(position) for place in places
    )
    assert json.loads(page.ask("games/1/review")[1]) == {
        "of": 0,
        "over": True,
        "progress": "",
        "chances": [],
        "seats": [],
    }
    player.end()
    assert json.loads(page.ask("games/1/review")[1])["of"] == player.game.throws - 2  # who begins


def test_statistics_have_the_tables_games_and_luck_as_soon_as_a_review_is_done(
    page: Answers,
) -> None:
    assert json.loads(page.ask("games/statistics")[1])["progress"] == (
        "There is no game to count yet."
    )
    player = SimulatedPlayer(page.played, Random(5))
    player.begin((0, 2))
    while player.game.throws < 8:
        player.act()
    player.end()
    store_imported(page.folder / FILE, "".join(parse_sheet(GAME.splitlines())).encode())

    def titles() -> list[str]:
        told = json.loads(page.ask("games/statistics")[1])
        return [plot["title"] for plot in told["plots"]]

    assert titles() == ["How the referee's dice fell"]
    while json.loads(page.ask("games/1/review")[1])["progress"]:
        WAITING.wait(0.01)
    assert titles() == ["Luck and skill", "How the referee's dice fell"]


def test_games_are_taken_away_only_where_the_configuration_allows_it(
    tmp_path: Path, page: Answers
) -> None:
    SimulatedPlayer(page.played, Random(5)).begin((0, 2))
    assert [page.ask(f"games/{what}")[0] for what in ("1/record", "backup")] == [404, 404]
    assert [json.loads(page.ask(what)[1])["export"] for what in ("games", "games/1")] == [False] * 2
    with ExitStack() as closing:
        open_page = Answers(tmp_path / "open", closing, export=True)
        SimulatedPlayer(open_page.played, Random(5)).begin((0, 2))
        assert json.loads(open_page.ask("games")[1])["export"]
        with open_games(tmp_path / "open" / FILE) as games:
            assert open_page.ask("games/1/record")[1] == games.record_bytes("1").decode()
            with urllib.request.urlopen(f"{open_page.url}games/backup") as answer:
                (tmp_path / FILE.replace(".", "-copy.")).write_bytes(answer.read())
                assert answer.headers["Content-Disposition"] == 'attachment; filename="games.db"'
            with open_games(tmp_path / FILE.replace(".", "-copy.")) as copied:
                assert copied.record_bytes("1") == games.record_bytes("1")


def test_what_is_not_there_is_told_in_one_sentence(page: Answers) -> None:
    assert json.loads(page.ask("games")[1])["games"] == []
    for path in ("games/9", "games/x", "games/9/review"):
        status, said, _ = page.ask(path)
        assert (status, said) == (404, f"there is no game {path[6]} here\n")


def test_a_game_that_the_rules_do_not_know_any_more_is_one_sentence(page: Answers) -> None:
    kept = page.folder / "imported" / "1.jsonl"
    kept.parent.mkdir()
    moved = '{"action": "move N-2(5)", "position": "2,N,N,N/-/N,N,N,N/-"}'
    kept.write_text("\n".join([*islice(parse_sheet(GAME.splitlines()), 3), moved]))
    for path in ("games/i1", "games/i1/review"):
        said = "game i1 can't be read: run `referee show i1` to see why\n"
        assert page.ask(path)[:2] == (503, said)


def test_a_journal_that_can_not_be_read_is_one_sentence(page: Answers) -> None:
    (page.folder / FILE).unlink()
    status, said, _ = page.ask("games")
    assert (status, said) == (503, "the games can't be read now: run `referee games` to see why\n")
