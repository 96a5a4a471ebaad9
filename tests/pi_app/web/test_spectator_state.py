"""What spectators are told: whose turn, what is offered, how far each is. No keys."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from pi_app.model.advice import ChancesQuestion
from pi_app.model.events import (
    AdviceGiven,
    Button,
    Event,
    Notice,
    PartChecked,
    Setup,
    Stuck,
)
from pi_app.model.parts import PowerState
from pi_app.model.screens import message
from pi_app.settings.settings import Settings
from pi_app.table.core.advice import next_question
from pi_app.table.telling.findings import power_finding
from pi_app.texts.language import ENGLISH
from pi_app.texts.words import NEARLY_FULL
from pi_app.web.spectator_state import hundredths, looks_the_same, spectator_state
from pi_app.web.state import say_all
from rules.game import Phase
from rules.ruleset import parse_ruleset
from tests.pi_app.sitting import Sitting, thrown

CAPTURE = "30,12,N,N/1,N,N,N/N,N,N,N/-"  # A's 6 takes B's pawn
NAMES = Settings({"player.A": "LUC red", "box.C": "club"})
KEYS = re.compile(r"\b(press|hold|OK|NEXT|dome|button|menu|screen)\b", re.IGNORECASE)


def told(table: Sitting) -> dict[str, Any]:
    return dict(say_all(spectator_state(table.reply), ENGLISH))


def offered(table: Sitting) -> list[str]:
    """Return what is offered, the one that the panel shows with a mark."""
    return [("> " if one["chosen"] else "") + one["words"] for one in told(table)["offered"]]


def standing(table: Sitting) -> list[str]:
    rows = [f"{one['who']}: {one['far']}" for one in told(table)["standings"]]
    return [row.replace("\N{NO-BREAK SPACE}", " ") for row in rows]


def marked(table: Sitting) -> list[tuple[str, str]]:
    """Return the increments, each with its mark."""
    return [(one["text"], one["state"]) for one in told(table)["increments"]]


# --- before, between and after -------------------------------------------------------------------


def test_while_players_join_it_is_told_who_has_and_what_rules_are_offered() -> None:
    table = Sitting(settings=NAMES)
    assert standing(table) == ["C bot: joined"]
    table.ok(0)
    table.ok(1)
    state = told(table)
    assert (state["doing"], state["who"]) == ("players join", [])
    assert standing(table) == ["A LUC: joined", "B: joined", "C bot: joined"]
    assert state["rules"] == "Royal Parcheesi 2023"
    table.choose_rules(0, "ludo-india")
    assert told(table)["rules"] == "Ludo, India"


def test_house_rules_that_are_chosen_or_played_are_told_as_a_line_and_in_words() -> None:
    table = Sitting(settings=Settings({"house.ours": '{"base":"ludo-uk","to_win":1}'}))
    assert "house" not in told(table)
    table.ok(0)
    table.ok(2)
    table.choose_rules(0, "ours")
    ours = {"line": "ludo-uk to-win:1", "words": ["Ludo", "the first pawn home wins"]}
    assert told(table)["house"] == ours
    table.hold_ok(0)
    assert told(table)["house"] == ours


def test_each_throws_for_who_begins_and_the_badge_is_of_who_does() -> None:
    table = Sitting(dice=[(3, 3)], settings=NAMES)
    table.begin(0, 1)
    assert (told(table)["doing"], told(table)["who"]) == ("A LUC throws to see who begins", [0])
    table.wait(2.0)
    table.dome()
    assert (told(table)["doing"], told(table)["who"]) == ("A LUC throws", [0])
    table.wait(4.0)
    assert told(table)["who"] != [0]


def test_where_the_first_to_join_says_who_begins_each_is_offered() -> None:
    table = Sitting()
    table.begin(0, 2, ruleset="findler")
    assert (told(table)["doing"], told(table)["who"]) == ("the players choose who begins", [])
    assert offered(table) == ["> A begins", "C begins"]


def test_who_has_won_is_told_with_the_places_of_all() -> None:
    table = thrown("H,H,H,r7/45,45,7,N/H,3,N,N/-", (1, 6), "findler")
    while told(table)["turn"] == 0:
        table.ok(0)
    assert (told(table)["doing"], told(table)["who"]) == ("A has won!", [0])
    assert standing(table) == ["A: 1st", "B: 2nd, 188 to go", "C: 3rd, 212 to go"]
    assert (offered(table), told(table)["increments"]) == ([], [])


def test_a_game_that_is_ended_has_no_winner() -> None:
    table = thrown(CAPTURE, (6, 2), "findler")
    table.choose(0, "game", "end")
    table.hold_ok(0)
    assert (told(table)["doing"], told(table)["who"]) == ("the game has ended", [])


# --- a throw -------------------------------------------------------------------------------------


def test_dice_that_tumble_hide_all_that_comes_of_them() -> None:
    table = Sitting(dice=[(6, 2)])
    table.resume(CAPTURE, 0, "findler")
    before = told(table)
    assert (before["doing"], before["who"]) == ("A is to throw", [0])
    table.wait(2.0)
    table.dome()
    state = told(table)
    assert [die["tumbling"] for die in state["dice"]] == [True, True]
    hidden = ("increments", "offered", "moves", "happened", "standings", "places")
    assert {key: state[key] for key in hidden} == {key: before[key] for key in hidden}
    assert state["doing"] == "A throws"
    table.wait(2.2)
    assert (told(table)["doing"], told(table)["happened"][0][1]) == (
        "A is to move",
        "A threw 6 and 2",
    )


def test_cowries_that_tumble_have_no_mouth_up() -> None:
    table = Sitting(dice=[(5,)])
    table.resume("12,N,N,N/20,N,N,N/30,N,N,N/40,N,N,N", 0, "pachisi-modern")
    table.wait(2.0)
    table.dome()
    assert told(table)["dice"] == [{"up": 0, "tumbling": True}]
    table.wait(2.2)
    assert told(table)["dice"] == [{"up": 5, "tumbling": False}]


def test_each_offer_says_what_is_used_from_where_to_where_and_who_is_captured() -> None:
    table = thrown(CAPTURE, (6, 2), "findler")
    assert offered(table) == [
        "> 6: 12 past A → 1 past B, B to nest",
        "6: 13 past B → 2 past C",
        "2: 13 past B → 15 past B",
        "2: 12 past A → 14 past A",
    ]
    assert marked(table) == [("6", "chosen"), ("2", "open")]
    table.next(0)
    assert [line[:2] for line in offered(table)] == ["6:", "> ", "2:", "2:"]


def test_what_is_used_is_spent_and_a_bonus_says_what_it_is_for() -> None:
    table = thrown(CAPTURE, (6, 2), "findler")
    table.ok(0)
    assert marked(table) == [("6", "spent"), ("2", "chosen"), ("+20", "open")]
    assert "+20: 1 past B → 4 past C, for the capture" in offered(table)


def test_where_nothing_can_be_moved_the_reason_is_told() -> None:
    table = thrown("N,N,N,N/1,N,N,N/N,N,N,N/-", (6, 2))
    assert offered(table) == ["> no move, 6 and 2: only a 5 enters"]


def test_a_rest_that_may_be_left_is_offered_as_that() -> None:
    table = thrown("20,N,N,N/-/57,N,N,N/-", (3, 1), "encyclopedia")
    table.ok(0)
    table.ok(0)
    assert offered(table) == ["> +20: 7 past B → 10 past C, for the capture", "leave the rest"]


def test_the_penaltys_pawn_is_told_and_that_there_is_none() -> None:
    table = Sitting(dice=[(4, 4)])
    table.resume("H,r3,12,N/45,45,7,N/20,3,N,N/-", 0, doublets=2)
    table.throw()
    assert told(table)["doing"] == "A takes a pawn back"
    assert offered(table) == ["> third doubles: home row 3 to the nest"]
    table = Sitting(dice=[(4, 4)])
    table.resume("N,N,N,N/45,45,7,N/20,3,N,N/-", 0, doublets=2)
    table.throw()
    assert told(table)["doing"] == "A threw doubles a third time"
    assert offered(table) == ["> third doubles: no move, no pawn is on the way"]


# --- who drives ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [(), ("board", "correct"), ("board", "walk"), ("game", "end")])
def test_while_a_menu_is_open_it_is_told_what_can_be_done_after_it(path: tuple[str, ...]) -> None:
    table = thrown(CAPTURE, (6, 2), "findler")
    table.next(0)
    table.ok(0)
    table.choose(0, *path)
    assert told(table)["doing"] == "A is to move"
    assert marked(table)[:2] == [("6", "spent"), ("2", "open")]
    assert not any(one["chosen"] for one in told(table)["offered"])
    assert offered(table) != []


def test_a_bot_thinks_with_nothing_offered_and_then_offers_what_it_has_chosen() -> None:
    settings = Settings({"box.A": "club"})
    thinking = Sitting(dice=[(6, 2)], settings=settings, advise=None)
    chosen = Sitting(dice=[(6, 2)], settings=settings)
    for table in (thinking, chosen):
        table.resume(CAPTURE, 0, "findler")
        table.throw()
        assert told(table)["doing"] == "A bot is to move"
    assert offered(thinking) == []
    assert [line[0] for line in offered(chosen)] == [">"]


def test_nobody_who_looks_on_is_told_a_key() -> None:
    table = Sitting(Setup(requests=("power-off",)), dice=[(6, 2)])
    table.begin(0, 1)
    seen = [told(table)]
    for path in ((), ("board", "walk"), ("game", "end")):
        other = thrown(CAPTURE, (6, 2), "findler")
        other.choose(0, *path)
        seen.append(told(other))
    for state in seen:
        words = [
            state["doing"],
            *(line for _, line in state["happened"]),
            *(one["words"] for one in state["offered"]),
        ]
        assert [line for line in words if KEYS.search(line)] == []


# --- chances --------------------------------------------------------------------------------------


def tell_chances(table: Sitting, *chances: float | None) -> None:
    question = next_question(table.session)
    assert question is not None
    assert isinstance(question, ChancesQuestion)
    answer = question.read(json.dumps(chances))
    table.tell(AdviceGiven(question, answer, table.t))


def test_chances_are_told_in_hundredths_where_the_page_shows_them() -> None:
    table = Sitting(Setup(chances=True), advise=None)
    assert told(table)["chances"] == [None] * 4
    table.resume(CAPTURE, 0, "findler")
    before = table.reply
    assert told(table)["chances"] == [None] * 4
    tell_chances(table, 0.414, 0.256, 0.33, None)
    assert told(table)["chances"] == [41, 26, 33, None]
    assert not looks_the_same(before, table.reply)
    assert told(Sitting())["chances"] is None


def test_chances_stay_until_newer_ones_are_known_and_end_with_the_game() -> None:
    table = Sitting(Setup(chances=True), dice=[(6, 2)], advise=None)
    table.resume(CAPTURE, 0, "findler")
    tell_chances(table, 0.5, 0.25, 0.25, None)
    table.throw()
    while table.game.seat == 0:
        assert told(table)["chances"] == [50, 25, 25, None]
        table.ok(0)
    assert told(table)["chances"] == [50, 25, 25, None]
    tell_chances(table, 0.7, 0.1, 0.2, None)
    assert told(table)["chances"] == [70, 10, 20, None]
    table.choose(1, "game", "end")
    table.hold_ok(1)
    assert told(table)["chances"] == [None] * 4


def changed_by(*chances: float, undo: bool = False) -> str:
    """Return what a play did to the chances: A's 6 takes B's pawn, and goes on with 2 and 20."""
    table = Sitting(Setup(chances=True), dice=[(6, 2)], advise=None)
    table.resume(CAPTURE, 0, "findler")
    tell_chances(table, 0.5, 0.25, 0.25, None)
    assert told(table)["changed"] is None
    table.throw()
    while table.game.seat == 0:
        table.ok(0)
    assert told(table)["changed"] is None  # before the answer
    if undo:
        table.choose(1, "undo")
        while table.game.seat != 0 or table.game.phase is not Phase.MOVE:
            table.ok(1)  # until the pawns are back
        while table.game.seat == 0:
            table.ok(0)
    tell_chances(table, *chances, None)
    changed = told(table)["changed"]
    return "" if changed is None else changed["words"].format(**changed)


def test_a_sentence_says_which_play_changed_a_chance_by_5_hundredths() -> None:
    assert changed_by(0.58, 0.19, 0.23) == "A's capture sends B back 2 spaces. B: 25 to 19"
    assert changed_by(0.55, 0.22, 0.23) == "A's capture sends B back 2 spaces. A: 50 to 55"
    assert changed_by(0.54, 0.21, 0.25) == ""
    assert changed_by(0.55, 0.15, 0.30, undo=True) == ""


def test_a_change_without_a_capture_is_that_of_the_throw_or_of_a_pawn_at_home() -> None:
    nobody_home, home = "30,12,N,N/1,N,N,N/N,N,N,N/-", "r5,12,N,N/1,N,N,N/N,N,N,N/-"
    for position, after, words in (
        (nobody_home, 0.58, "A threw 5 and 3. A: 50 to 58"),
        (home, 0.58, "A moved 3, from home row 5 to home: +10. A: 50 to 58"),
        (home, 0.42, "A threw 5 and 3. A: 50 to 42"),
    ):
        table = Sitting(Setup(chances=True), dice=[(5, 3)], advise=None)
        table.resume(position, 0)
        tell_chances(table, 0.5, 0.25, 0.25, None)
        table.throw()
        while table.game.seat == 0:
            table.ok(0)
        tell_chances(table, after, 0.78 - after, 0.22, None)
        changed = told(table)["changed"]
        assert changed["words"].format(**changed) == words


def test_a_side_has_one_chance_which_says_whose_it_is() -> None:
    table = Sitting(Setup(chances=True), advise=None)
    table.resume("12,N,N,N/20,N,N,N/30,N,N,N/40,N,N,N", 0, "pachisi-modern")
    tell_chances(table, 0.3075, 0.1925, 0.3075, 0.1925)
    assert told(table)["chances"] == [62, 38, 62, 38]
    wins = {row["seat"]: row["wins"] for row in told(table)["standings"]}
    assert wins == {2: "A and C: {chance} to win", 0: "", 3: "B and D: {chance} to win", 1: ""}
    table.resume(CAPTURE, 0, "findler")
    assert {row["wins"] for row in told(table)["standings"]} == {"{chance} to win"}


def test_chances_of_a_game_are_not_those_of_the_next() -> None:
    table = Sitting(Setup(chances=True), dice=[(6, 2)], advise=None)
    table.resume(CAPTURE, 0, "findler")
    table.throw()
    tell_chances(table, 0.5, 0.25, 0.25, None)
    table.resume(CAPTURE, 1, "findler")
    assert table.game.throws == 0
    assert told(table)["chances"] == [None] * 4


@pytest.mark.parametrize(
    ("chances", "told"),
    [
        ((1 / 3, 1 / 3, 1 / 3, None), [34, 33, 33, None]),
        ((0.125, 0.125, 0.375, 0.375), [13, 13, 37, 37]),
        ((0.996, None, 0.004, None), [100, None, 0, None]),
        ((None, None, None, None), [None, None, None, None]),
    ],
)
def test_hundredths_sum_to_a_hundred(chances: tuple[float | None, ...], told: object) -> None:
    assert hundredths(chances) == told


# --- what a person must see to -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("events", "needs"),
    [
        ([], None),
        ([Notice("chamber", message("chamber-missing"), 0.0)], "chamber"),
        ([Notice("disk", NEARLY_FULL, 0.0)], "disk"),
        ([Stuck(Button(2, "ok"), 0.0)], "button"),
        ([Notice("player.A", message("reset"), 0.0)], None),
        ([PartChecked(power_finding(PowerState(was_low=True)), 0.0)], "power"),
        ([PartChecked(power_finding(PowerState()), 0.0)], None),
        ([PartChecked(power_finding(None), 0.0)], None),
        (
            [
                Notice("chamber", message("chamber-missing"), 0.0),
                PartChecked(power_finding(PowerState(low=True)), 0.0),
            ],
            "power",
        ),
    ],
)
def test_what_the_table_complains_of_is_named_and_is_news(
    events: list[Event], needs: str | None
) -> None:
    table = Sitting()
    before = table.reply
    for event in events:
        table.tell(event)
    assert told(table)["needs"] == needs
    assert looks_the_same(before, table.reply) == (needs is None)


def test_a_disk_that_refuses_needs_somebody_until_all_is_saved() -> None:
    table = thrown(CAPTURE, (6, 2), "findler")
    assert told(table)["needs"] is None
    table.refusing = "disk-full"
    table.ok(0)
    assert told(table)["needs"] == "disk"
    table.hold_ok(0)
    table.ok(0)
    assert (len(table.waiting), told(table)["needs"]) == (1, "disk")
    table.refusing = ""
    table.wait(5.0)
    assert told(table)["needs"] is None


def test_a_game_that_gets_its_number_is_news() -> None:
    reply = thrown(CAPTURE, (6, 2), "findler").reply
    stored = replace(reply, number=7)
    assert [spectator_state(one)["game"]["number"] for one in (reply, stored)] == [None, "7"]
    assert not looks_the_same(reply, stored)


# --- what is news --------------------------------------------------------------------------------


def test_what_blinks_is_not_news_and_a_press_is() -> None:
    table = thrown(CAPTURE, (6, 2), "findler")
    before = table.reply
    blinked = table.wait(0.6)
    assert blinked.screen == before.screen
    assert looks_the_same(before, blinked)
    assert say_all(spectator_state(before), ENGLISH) == say_all(spectator_state(blinked), ENGLISH)
    table.next(0)
    assert not looks_the_same(blinked, table.reply)


def test_a_turn_that_is_undone_is_offered_as_such() -> None:
    rules = parse_ruleset({"preset": "ludo-india", "third_doublet": "undo-turn"})
    table = Sitting(dice=[(6,), (6,), (6,)])
    table.resume("6,N,N,N/-/38,N,N,N/-", 0, rules)
    for _ in range(2):
        table.throw()
        table.ok(0)
    table.throw()
    assert offered(table) == ["> third six: the turn is undone"]


@pytest.mark.parametrize(
    ("rules", "doing"),
    [
        ({"preset": "ludo-india", "third_doublet": "undo-turn"}, "A threw a third six"),
        ("ludo-ch", "A takes a pawn back"),
    ],
)
def test_a_third_six_takes_a_pawn_back_unless_it_undoes_the_turn(rules: object, doing: str) -> None:
    table = Sitting(dice=[(6,), (6,), (6,)])
    table.resume("H,H,H,1/-/38,N,N,N/-", 0, parse_ruleset(rules))
    for _ in range(2):
        table.throw()
        table.ok(0)
    table.throw()
    assert told(table)["doing"] == doing
