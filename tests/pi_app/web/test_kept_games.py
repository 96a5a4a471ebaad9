"""Kept games in words: the list, and luck and skill."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pi_app.model.advice import ChancesQuestion, ReviewQuestion, ThrowReview
from pi_app.players.working import answer_line
from pi_app.record.summaries import Summary
from pi_app.texts.language import ENGLISH
from pi_app.web.kept_games import (
    Frames,
    chances,
    game_story,
    list_games,
    review_state,
    throws_to_review,
)
from pi_app.web.state import say_all
from rules.game import at
from rules.lines.sheet import parse_sheet
from rules.memory import Memory
from rules.position import parse_position
from rules.ruleset import PRESETS

GAME = """\
[Record "pachisi-record 1"]
[Rules "findler"]
[Seats "A C"]
[A "Mia"]
[Dice "kernel 5, typed 1"]

choose A
1. A 5-1: N-0(5) 0-1(1) {by C, hint step}
2. C 3-2 {typed}: retype 5-3 N-0(5) 0-3(3)
3. A 3-1
correct 12,N,N,N/-/49,N,N,N/- seat A doublets 0
3. A (3-1): 12-15(3)x undo 12-15(3)x 15-35(20) 35-36(1)
4. C 6-1: stop
5. A 2-2: 36-38(2) 38-40(2)
5. A 6-4: 40-46(6) 46-50(4)
end
"""


def test_the_list_says_in_words_what_each_game_was() -> None:
    dated = datetime(2026, 11, 21, 18, 2, tzinfo=UTC)
    own = Summary("7", "findler", (0, 2), {"A": "Mia"}, True, (2,), dated, 2700.0, 113)
    damaged = Summary("8", "findler", (0, 2), {}, False, (), None, None, 0, is_damaged=True)
    unreadable = Summary("9", "can't be read", (), {}, False, (), None, None, 0, is_damaged=True)
    other = Summary("i1", "house rules", (0, 1, 3), {}, False, (), None, None, 1)
    assert say_all(list_games([own, damaged, unreadable, other]), ENGLISH) == [
        {
            "number": "7",
            "who": "A Mia and C",
            "about": "{when}, Findler's course rules, 45 minutes, 113 throws",
            "started": "2026-11-21T18:02:00+00:00",
            "result": "C has won",
        },
        {
            "number": "8",
            "who": "A and C",
            "about": "Findler's course rules",
            "started": None,
            "result": "damaged",
        },
        {
            "number": "9",
            "who": "can't be read",
            "about": "run `referee show 9` to see why",
            "started": None,
            "result": "damaged",
        },
        {
            "number": "i1",
            "who": "A, B and D",
            "about": "house rules, 1 throw, imported",
            "started": None,
            "result": "not over",
        },
    ]


# Luck and skill.


def asked() -> tuple[tuple[ReviewQuestion, ...], tuple[Frames, ...]]:
    return throws_to_review(tuple(parse_sheet(GAME.splitlines())))


def test_each_throw_is_looked_at_and_knows_its_frame() -> None:
    looks, frames = asked()
    told = say_all(game_story("7", parse_sheet(GAME.splitlines())), ENGLISH)
    words = [frame["words"] for frame in told["frames"]]
    assert [words[frame.thrown] for frame in frames] == [
        "Turn 1: A threw 5 and 1",
        "Turn 2: C corrected the dice to 5 and 3",
        "Turn 3: A threw 3 and 1",
        "Turn 4: C threw 6 and 1",
        "Turn 5: A threw 2 and 2",
        "Turn 5: A threw 6 and 4",
    ]
    assert [one.seat for one in looks] == [0, 2, 0, 2, 0, 0]


def test_the_end_of_a_throw_is_that_of_the_play_that_stands() -> None:
    played = "36-38(2) 38-40(2)"
    undone = GAME.replace(played, f"{played} undo 38-40(2)")
    for text, ends in ((GAME, [4, 8, 15, 17, 20, 23]), (undone, [4, 8, 15, 17, 22, 25])):
        _, frames = throws_to_review(tuple(parse_sheet(text.splitlines())))
        assert [frame.ended for frame in frames] == ends


def test_a_last_round_shifts_no_throw_from_its_frame() -> None:
    lines = GAME.replace("4. C 6-1: stop", "4. C 6-1\nlast-turn A {by clock}\n4. C (6-1): stop")
    lines = lines.removesuffix("end\n")
    story = say_all(game_story("7", parse_sheet(lines.splitlines())), ENGLISH)
    words = [frame["words"] for frame in story["frames"]]
    _, frames = throws_to_review(tuple(parse_sheet(lines.splitlines())))
    assert [words[frame.thrown] for frame in frames][2:4] == [
        "Turn 3: A threw 3 and 1",
        "Turn 4: C threw 6 and 1",
    ]
    assert "Turn 4: last round: A is last" in words


SIXES = """\
[Record "pachisi-record 1"]
[Rules "preset ludo-india, third_doublet undo-turn, starter choose"]
[Seats "A C"]

choose A
correct 21,N,N,N/-/1,N,N,N/- seat A doublets 0
1. A 6: 21-27(6)x
1. A 6: 27-33(6)
1. A 6: stop
"""


def test_pawns_of_a_turn_that_is_undone_go_back_on_the_way_that_they_came() -> None:
    story = say_all(game_story("7", parse_sheet(SIXES.splitlines())), ENGLISH)
    *_, first, _, second, _, undone = story["frames"]
    own, captured = undone["moves"]
    assert own["trail"] == [*second["moves"][0]["trail"][::-1], *first["moves"][0]["trail"][-2::-1]]
    assert captured["trail"] == first["moves"][1]["trail"][::-1]


def test_house_rules_are_told_with_all_that_differs_from_their_edition() -> None:
    edition, house = (
        say_all(game_story("7", parse_sheet(sheet.splitlines())), ENGLISH)["short"]
        for sheet in (GAME, SIXES)
    )
    assert len(edition) == 3
    assert house[3:] == [
        "Ludo, India",
        "third six undoes the turn",
        "you choose who begins",
    ]


def test_a_seat_that_is_home_before_its_partner_has_the_chance_of_its_side() -> None:
    rules = PRESETS["pachisi-modern"]
    game = at(rules, parse_position("H,H,H,H/20,N,N,N/60,N,N,N/H,N,N,N", rules), 1)
    known = chances(game)
    assert game.places == (0,)
    assert known is not None
    a, b, c, d = (chance or 0.0 for chance in known)
    assert (a, b) == (c, d)
    assert 0.5 < a < 1
    assert a + b == pytest.approx(1, abs=1e-3)


def test_a_third_double_that_would_undo_the_turn_is_counted_in_the_chances() -> None:
    rules = replace(PRESETS["findler"], third_doublet="undo-turn")
    captures = at(rules, parse_position("40,30,N,N/-/N,N,N,N/-", rules), 0)._replace(doublets=2)
    began = parse_position("2,N,N,N/-/40,40,30,N/-", rules)
    undone = captures._replace(memory=Memory(began=began))
    known, less = (chances(game) or [] for game in (captures, undone))
    assert (less[0] or 1) < (known[0] or 0)
    averaged = [
        json.loads(answer_line(ChancesQuestion(one).line()))[0] for one in (captures, undone)
    ]
    assert averaged[1] < averaged[0]


def test_a_game_that_is_not_over_is_not_reviewed() -> None:
    assert throws_to_review(tuple(parse_sheet(GAME.replace("end\n", "").splitlines()))) == ((), ())


def test_what_is_ready_of_a_review_is_told_with_its_throws() -> None:
    looks, frames = asked()
    dear = ThrowReview(-2.0, 3.25, ("N-0(5)", "0-1(1)"), (None,) * 4)
    found = [dear, *[None] * 4, ThrowReview(4.0, 0.0, (), (0.61234, None, 0.38766, None))]
    told = say_all(review_state(looks, frames, found), ENGLISH)
    assert told["chances"] == [[frames[-1].ended, [0.6123, None, 0.3877, None]]]
    a, c = told["seats"]
    assert (told["of"], told["over"]) == (6, False)
    assert told["progress"] == "Working: 2 of 6 throws are done."
    assert a["words"] == "luck +2.0, gave away 3.2"
    better = "better: enter a pawn with 5; 1, from A's entry to 1 past A"
    words = "turn 1, threw 5 and 1: 3.2 points"
    assert a["dearest"] == [{"frame": 2, "words": words, "better": better}]
    assert [(one["frame"], one["words"]) for one in a["extremes"]] == [
        (frames[-1].thrown, "turn 5, threw 6 and 4: +4.0 points"),
        (2, "turn 1, threw 5 and 1: −2.0 points"),
    ]
    assert (c["words"], c["dearest"], c["extremes"]) == ("luck +0.0, gave away 0.0", [], [])


def test_a_review_ends_when_all_is_ready_or_nobody_can_go_on() -> None:
    looks, frames = asked()
    none, all_ready = [None] * 6, [ThrowReview(0.0, 0.0, (), (None,) * 4)] * 6
    done = say_all(review_state(looks, frames, all_ready), ENGLISH)
    assert (done["over"], done["progress"]) == (True, "")
    failed = say_all(review_state(looks, frames, none, failed=True), ENGLISH)
    said = "Can't be worked out now: 0 of 6 throws are done."
    assert (failed["over"], failed["progress"]) == (True, said)
